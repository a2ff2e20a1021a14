import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts small secrets for the database with AES-256-GCM: iv, tag, text. The key is derived from the secret key, so that a
 * copied database opens nothing.
 * @param purpose separates uses: what was encrypted for one can't be opened for another
 */
export function createSecretCipher(secretKey: string, purpose: string) {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "herdwise", purpose, 32));
  return {
    encrypt(text: string): Buffer {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", key, iv);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },
    /** @throws when it was encrypted with another key, for another purpose, or changed */
    decrypt(encrypted: Buffer): string {
      const decipher = createDecipheriv("aes-256-gcm", key, encrypted.subarray(0, ivBytes));
      decipher.setAuthTag(encrypted.subarray(ivBytes, ivBytes + tagBytes));
      return decipher.update(encrypted.subarray(ivBytes + tagBytes), undefined, "utf8") + decipher.final("utf8");
    },
  };
}
export type SecretCipher = ReturnType<typeof createSecretCipher>;
