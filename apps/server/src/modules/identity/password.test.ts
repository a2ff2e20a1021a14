import { argon2Sync, createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { createPasswords } from "./password.ts";

const secretKey = "a key for tests that is long enough to be one";
const md5 = createHash("md5").update("Barn-2026").digest("hex");

/** What a stored password is made of, computed here anew. */
const tagOf = (stored: string, secret: Buffer | undefined) => {
  const [kind, , salt = "", tag = ""] = stored.split("$");
  const made = argon2Sync("argon2id", {
    message: Buffer.from(md5),
    nonce: Buffer.from(salt, "base64"),
    memory: 19_456,
    passes: 2,
    parallelism: 1,
    tagLength: 32,
    ...(secret && { secret }),
  });
  return { kind, same: made.toString("base64") === tag };
};
const pepper = createHmac("sha256", secretKey).update("password").digest();

test("T11: stored is argon2id (19 MiB, 2 passes, 1 lane) over the MD5 with a salt each and a pepper", async () => {
  const passwords = createPasswords(secretKey);
  const [one, other] = [await passwords.hash(md5), await passwords.hash(md5.toUpperCase())];
  for (const stored of [one, other]) {
    expect(stored).toMatch(/^argon2id\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
    expect(tagOf(stored, pepper)).toEqual({ kind: "argon2id", same: true });
    // Who has the table alone, or another installation's key, can't even try a password.
    expect(tagOf(stored, undefined).same).toBe(false);
    expect(await createPasswords("another key of another installation").verify(md5, stored)).toBe(false);
    expect(await passwords.verify(md5, stored)).toBe(true);
  }
  expect(one.split("$")[2]).not.toBe(other.split("$")[2]);
  expect(one.split("$")[3]).not.toBe(other.split("$")[3]);
});

test("T11: the stored text itself, its parts and a wrong password are none", async () => {
  const passwords = createPasswords(secretKey);
  const stored = await passwords.hash(md5);
  const parts = stored.split("$");
  for (const given of [stored, ...parts, Buffer.from(parts[3] ?? "", "base64").toString("hex"), "", "0".repeat(32)])
    expect(await passwords.verify(given, stored), given).toBe(false);
  for (const damaged of [undefined, "", parts.slice(0, 3).join("$"), `${parts.slice(0, 3).join("$")}$`])
    expect(await passwords.verify(md5, damaged)).toBe(false);
});
