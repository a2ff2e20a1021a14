import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";

const ivBytes = 12;
const tagBytes = 16;

interface PersonalKey {
  id: string;
  // Prepared once instead of at each use.
  cipher: KeyObject;
  index: KeyObject;
}

const keyOf = (secret: string): PersonalKey => {
  const derive = (purpose: string, length: number) =>
    Buffer.from(hkdfSync("sha256", secret, "herdwise", purpose, length));
  return {
    id: derive("personal key id", 4).toString("hex"),
    cipher: createSecretKey(derive("personal box", 32)),
    index: createSecretKey(derive("personal index", 32)),
  };
};

/**
 * Keeps personal data (phone numbers, what was sent to them) out of the database's plain sight: AES-256-GCM with the key's
 * id in front, and a keyed hash to look up by. A copied database, log or backup shows neither.
 * @param current what new values are encrypted with
 * @param previous keys that held before; their values can still be decrypted and found until they were renewed
 */
export function createPersonalCipher(current: string, previous: readonly string[] = []) {
  const newest = keyOf(current);
  const keys = [newest, ...previous.map(keyOf)];
  const indexWith = (key: PersonalKey, value: string) => createHmac("sha256", key.index).update(value).digest();

  return {
    encrypt(value: string): string {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", newest.cipher, iv).setAAD(Buffer.from(newest.id));
      const body = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
      return `${newest.id}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url")}`;
    },
    /** @throws when no key fits or the text was changed */
    decrypt(encrypted: string): string {
      const [id = "", body = ""] = encrypted.split(".");
      const key = keys.find((held) => held.id === id);
      if (key === undefined)
        throw new Error(
          `Personal data was encrypted with another key (${id}): SECRET_KEY, or PERSONAL_KEY, must be the one from before, the same on all servers; PERSONAL_KEYS_OLD takes earlier ones`,
        );
      const bytes = Buffer.from(body, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", key.cipher, bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(id))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, "utf8") + decipher.final("utf8");
    },
    /** Under which a new value is stored for look-up. */
    index: (value: string): Buffer => indexWith(newest, value),
    /** Under which a value may be stored, by all keys. */
    indexes: (value: string): Buffer[] => keys.map((key) => indexWith(key, value)),
    /** What texts encrypted with the newest key begin with. */
    currentPrefix: `${newest.id}.`,
  };
}
export type PersonalCipher = ReturnType<typeof createPersonalCipher>;
