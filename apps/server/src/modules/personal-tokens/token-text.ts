import { createHmac, hkdfSync, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { tokenPattern, tokenPrefix } from "@herdwise/contract";

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Characters behind the prefix that find a token and are no secret. */
const lookupLength = 12;
/** 238 bits. */
const secretLength = 40;
const checksumLength = 6;

const randomText = (length: number): string =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join("");

const checksumOf = (text: string): string => {
  let rest = crc32(text);
  let written = "";
  while (written.length < checksumLength) {
    written = letters[rest % letters.length] + written;
    rest = Math.floor(rest / letters.length);
  }
  return written;
};

/** A new token. @returns its text, and the part that finds it */
export function newTokenText(): { token: string; lookup: string } {
  const lookup = randomText(lookupLength);
  const body = tokenPrefix + lookup + randomText(secretLength);
  return { token: body + checksumOf(body), lookup };
}

const whole = new RegExp(`^${tokenPattern}$`);
/** Whether a text has the form of a token and its own checksum, which costs no look into the database. */
export const isTokenText = (text: string): boolean =>
  whole.test(text) && checksumOf(text.slice(0, -checksumLength)) === text.slice(-checksumLength);

/** The part that finds a token, out of a text that holds one, or its beginning; undefined where there is none. */
export const lookupIn = (text: string): string | undefined =>
  new RegExp(`${tokenPrefix}([0-9A-Za-z]{${lookupLength}})`).exec(text)?.[1];

/** Makes the hashes under which tokens are stored: with a key outside the database, so that a copied one proves no token. */
export function createTokenHash(secretKey: string): (token: string) => Buffer {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "herdwise", "personal access tokens", 32));
  return (token) => createHmac("sha256", key).update(token).digest();
}
