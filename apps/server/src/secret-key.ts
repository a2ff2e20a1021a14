import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The key that peppers password hashes. Without SECRET_KEY it is made once and kept in the data folder, readable by the
 * owner only; a backup of the database alone is then no use for guessing passwords.
 */
export async function loadSecretKey(configured: string | undefined, dataDir: string): Promise<string> {
  if (configured !== undefined) return configured;
  const path = join(dataDir, "secret.key");
  const held = await readFile(path, "utf8").catch(() => "");
  if (held.trim().length >= 32) return held.trim();
  await mkdir(dataDir, { recursive: true });
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "w" });
  // A link fails when another start was quicker, and never leaves a half-written key.
  await link(fresh, path).catch(() => undefined);
  await rm(fresh, { force: true });
  return (await readFile(path, "utf8")).trim();
}
