import { argon2, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify(argon2);

/** What one hash costs. */
export interface PasswordWork {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly parallelism: number;
  /** Bytes of the hash. */
  readonly tagLength: number;
}

/** OWASP's second choice for argon2id (19 MiB, 2 passes, 1 lane): about 25 ms a try on one core. */
const ordinaryWork: PasswordWork = { memoryKiB: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

/** First part of the stored form of a random password. */
const randomForm = "random";

const md5Hex = /^[0-9a-f]{32}$/i;

/**
 * Passwords as they are stored: argon2id over the MD5 hex that clients send (the wire forces MD5), keyed with a pepper that
 * is not in the database, so that a copied table holds nothing that can be sent or guessed offline.
 * @param work less than the ordinary work only in tests
 */
export function createPasswords(secretKey: string, work: PasswordWork = ordinaryWork) {
  const pepper = createHmac("sha256", secretKey).update("password").digest();
  const tag = (md5: string, salt: Buffer) =>
    derive("argon2id", {
      message: Buffer.from(md5.toLowerCase()),
      nonce: salt,
      memory: work.memoryKiB,
      passes: work.passes,
      parallelism: work.parallelism,
      tagLength: work.tagLength,
      secret: pepper,
    });

  /** Keyed hash of a random password, which nobody can try out, so that it needs no work on purpose. */
  const keyed = (md5: string, salt: Buffer): Buffer =>
    createHmac("sha256", pepper).update(salt).update(md5.toLowerCase()).digest();

  return {
    /**
     * Stored form of a random password of at least 64 bits that is changed at the first log-in; it takes microseconds, so that many
     * people can get one at once.
     * @param md5 MD5 of the password as 32 hex digits
     */
    hashRandom(md5: string): string {
      const salt = randomBytes(16);
      return `${randomForm}$hmac$${salt.toString("base64")}$${keyed(md5, salt).toString("base64")}`;
    },
    /** @param md5 MD5 of the password as 32 hex digits */
    async hash(md5: string): Promise<string> {
      const salt = randomBytes(16);
      const made = await tag(md5, salt);
      return `argon2id$m=${work.memoryKiB},t=${work.passes},p=${work.parallelism}$${salt.toString("base64")}$${made.toString("base64")}`;
    },
    /**
     * Compares in constant time. Without a stored hash (unknown account) it works as long and answers false, so that the
     * time does not tell whether the account exists.
     */
    async verify(md5: string, stored: string | undefined): Promise<boolean> {
      const parts = stored?.split("$") ?? [];
      const salt = Buffer.from(parts[2] ?? "AAAAAAAAAAAAAAAAAAAAAA==", "base64");
      const expected = Buffer.from(parts[3] ?? "", "base64");
      // A random password takes as long to compare as any other.
      const worked = await tag(md5Hex.test(md5) ? md5 : "", salt);
      const made = parts[0] === randomForm ? keyed(md5, salt) : worked;
      return md5Hex.test(md5) && expected.length === made.length && timingSafeEqual(made, expected);
    },
  };
}
export type Passwords = ReturnType<typeof createPasswords>;
