// Checks a signed passport without the portal: node scripts/verify-passport.mjs passport.json [public key, base64]
import { createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";

const [file, expectedKey] = process.argv.slice(2);
if (file === undefined) {
  console.error("usage: node scripts/verify-passport.mjs <passport.json> [public key, base64]");
  process.exit(2);
}
const { text, signature, publicKey } = JSON.parse(readFileSync(file, "utf8"));
// What stands before a raw Ed25519 key in SubjectPublicKeyInfo (RFC 8410).
const prefix = Buffer.from("302a300506032b6570032100", "hex");
const key = createPublicKey({
  key: Buffer.concat([prefix, Buffer.from(publicKey, "base64")]),
  format: "der",
  type: "spki",
});
const fits = verify(null, Buffer.from(text), key, Buffer.from(signature, "base64"));
const isExpectedKey = expectedKey === undefined || expectedKey === publicKey;
console.log(
  fits
    ? `not altered; signed by ${publicKey}${isExpectedKey ? "" : ", which is not the expected key"}`
    : "altered: the signature does not fit",
);
process.exit(fits && isExpectedKey ? 0 : 1);
