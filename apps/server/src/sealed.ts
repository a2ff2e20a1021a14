import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts small secrets for the database with AES-256-GCM: iv, tag, text. The key is derived from the secret key, so that a
 * copied database opens nothing.
 * @param purpose separates uses: what was sealed for one can't be opened for another
 */
export function createSeal(secretKey: string, purpose: string) {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "herdwise", purpose, 32));
  return {
    seal(text: string): Buffer {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", key, iv);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },
    /** @throws when it was sealed with another key, for another purpose, or changed */
    open(sealed: Buffer): string {
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, ivBytes));
      decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
      return decipher.update(sealed.subarray(ivBytes + tagBytes), undefined, "utf8") + decipher.final("utf8");
    },
  };
}
export type Seal = ReturnType<typeof createSeal>;
