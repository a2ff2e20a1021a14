import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from "node:crypto";
import type { passportSeals } from "@herdwise/contract";

/** A version as it is stored. */
export interface SignedText {
  text: string;
  signature: Buffer;
  /** Raw Ed25519 key. */
  publicKey: Buffer;
}

/** What stands before a raw Ed25519 key in PKCS #8 and in SubjectPublicKeyInfo (RFC 8410). */
const privatePrefix = Buffer.from("302e020100300506032b657004220420", "hex");
const publicPrefix = Buffer.from("302a300506032b6570032100", "hex");

const publicKeyOf = (raw: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([publicPrefix, raw]), format: "der", type: "spki" });

/** Signs passports by a key that every server derives from the secret key. */
export function createPassportSeal(secretKey: string) {
  const seed = Buffer.from(hkdfSync("sha256", secretKey, "herdwise", "passports", 32));
  const privateKey = createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: "der", type: "pkcs8" });
  const spki = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  const publicKey = spki.subarray(publicPrefix.length);
  const holds = ({ text, signature }: SignedText, key: Buffer): boolean => {
    try {
      return verify(null, Buffer.from(text), publicKeyOf(key), signature);
    } catch {
      return false;
    }
  };
  return {
    sign: (text: string): SignedText => ({ text, signature: sign(null, Buffer.from(text), privateKey), publicKey }),

    /** Whether a text is as it was signed; one of an earlier key holds by the key that is stored beside it. */
    check(signed: SignedText): (typeof passportSeals)[number] {
      if (holds(signed, publicKey)) return "intact";
      return !signed.publicKey.equals(publicKey) && holds(signed, signed.publicKey) ? "earlier-key" : "altered";
    },
  };
}
