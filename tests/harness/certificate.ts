import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** One value of ASN.1 in DER. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const pem = (label: string, bytes: Buffer) =>
  `-----BEGIN ${label}-----\n${bytes.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END ${label}-----\n`;
const time = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/g, "").slice(2, 14)}Z`));

const ecdsaWithSha256 = "2a8648ce3d040302";
const commonName = "550403";
const subjectAltName = "551d11";
const dayMs = 86_400_000;

export interface TestCertificate {
  cert: string;
  key: string;
  /** SHA-256 of the certificate as `getPeerCertificate` tells it. */
  fingerprint: string;
}

/** A certificate for localhost and 127.0.0.1, signed by itself, for today. */
export function testCertificate(): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const algorithm = sequence(oid(ecdsaWithSha256));
  const name = sequence(der(0x31, sequence(oid(commonName), der(0x0c, Buffer.from("localhost")))));
  const names = sequence(der(0x82, Buffer.from("localhost")), der(0x87, Buffer.from([127, 0, 0, 1])));
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)]);
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    algorithm,
    name,
    sequence(time(new Date(Date.now() - dayMs)), time(new Date(Date.now() + dayMs))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(oid(subjectAltName), der(0x04, names)))),
  );
  const signature = sign("sha256", signed, privateKey);
  const whole = sequence(signed, algorithm, der(0x03, Buffer.from([0]), signature));
  const digest = createHash("sha256").update(whole).digest("hex").toUpperCase();
  return {
    cert: pem("CERTIFICATE", whole),
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    fingerprint: digest.replace(/..(?=.)/g, "$&:"),
  };
}
