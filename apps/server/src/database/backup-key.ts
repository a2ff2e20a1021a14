import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt } from "node:crypto";
import { BackupError } from "./backup-error.ts";

const format = "herdwise-sealed-key";
/** Cost of scrypt: 128 MB and half a second for each guess. */
const work = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const saltBytes = 16;
const ivBytes = 12;
const shortestPassphrase = 12;

/** The secret key as stored in an archive. */
interface SealedKey {
  readonly format: typeof format;
  /** Parameters of scrypt, which derives the AES-256-GCM key from the passphrase. */
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly salt: string;
  readonly iv: string;
  readonly tag: string;
  readonly text: string;
}

function keyOf(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize("NFC"), salt, 32, work, (error, key) =>
      error === null ? resolve(key) : reject(error),
    ),
  );
}

/** Fingerprint that tells two keys apart without revealing the key, which is 256 random bits. */
export const fingerprintOf = (secretKey: string): string =>
  createHash("sha256").update(`herdwise backup ${secretKey.trim()}`).digest("hex").slice(0, 16);

/**
 * Encrypts the secret key with a passphrase.
 * @throws BackupError when the passphrase has less than 12 characters
 */
export async function sealKey(secretKey: string, passphrase: string): Promise<string> {
  if ([...passphrase].length < shortestPassphrase)
    throw new BackupError(`The passphrase of the backup must have at least ${shortestPassphrase} characters`);
  const [salt, iv] = [randomBytes(saltBytes), randomBytes(ivBytes)];
  const cipher = createCipheriv("aes-256-gcm", await keyOf(passphrase, salt), iv).setAAD(Buffer.from(format));
  const text = Buffer.concat([cipher.update(secretKey, "utf8"), cipher.final()]);
  const sealed: SealedKey = {
    format,
    N: work.N,
    r: work.r,
    p: work.p,
    salt: salt.toString("base64"),
    iv: iv.toString("base64"),
    tag: cipher.getAuthTag().toString("base64"),
    text: text.toString("base64"),
  };
  return JSON.stringify(sealed);
}

/** @throws BackupError when the passphrase is wrong, or the text was changed */
export async function openKey(sealedKey: string, passphrase: string): Promise<string> {
  try {
    const sealed = JSON.parse(sealedKey) as SealedKey;
    if (sealed.format !== format || sealed.N !== work.N || sealed.r !== work.r || sealed.p !== work.p)
      throw new Error("unknown parameters");
    const key = await keyOf(passphrase, Buffer.from(sealed.salt, "base64"));
    const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(sealed.iv, "base64"), { authTagLength: 16 })
      .setAAD(Buffer.from(format))
      .setAuthTag(Buffer.from(sealed.tag, "base64"));
    return decipher.update(Buffer.from(sealed.text, "base64"), undefined, "utf8") + decipher.final("utf8");
  } catch (error) {
    throw new BackupError("The passphrase does not open the secret key of this backup", { cause: error });
  }
}
