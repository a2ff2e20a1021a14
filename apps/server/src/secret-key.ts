import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { keptText } from "./kept-file.ts";

/** File of the data folder with the key that peppers password hashes and closes personal data. */
export const secretKeyName = "secret.key";
/** Stands in a data folder that was restored without its key, so that no start makes another one. */
export const missingKeyName = "secret.key.missing";

/**
 * The key that peppers password hashes. Without SECRET_KEY it is made once and kept in the data folder, readable by the
 * owner only; a backup of the database alone is then no use for guessing passwords.
 * @throws Error that says what to do when the folder was restored and its key is still missing
 */
export async function loadSecretKey(configured: string | undefined, dataDir: string): Promise<string> {
  if (configured !== undefined) return configured;
  const [path, missing] = [join(dataDir, secretKeyName), join(dataDir, missingKeyName)];
  if (existsSync(missing) && !existsSync(path)) {
    throw new Error(
      `${dataDir} was restored from a backup without its secret key. Put the key of that installation into ${path}, or set ` +
        "SECRET_KEY. If it is lost, " +
        `remove ${missing}: with a new key every password has to be reset, and stored phone numbers can't be read`,
    );
  }
  return keptText(path, () => randomBytes(32).toString("base64url"));
}
