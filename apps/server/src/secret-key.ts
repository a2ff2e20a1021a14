import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { keptText } from "./kept-file.ts";

/**
 * The key that peppers password hashes. Without SECRET_KEY it is made once and kept in the data folder, readable by the
 * owner only; a backup of the database alone is then no use for guessing passwords.
 */
export async function loadSecretKey(configured: string | undefined, dataDir: string): Promise<string> {
  if (configured !== undefined) return configured;
  return keptText(join(dataDir, "secret.key"), () => randomBytes(32).toString("base64url"));
}
