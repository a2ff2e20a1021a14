import { access, chmod, constants, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigError } from "./config.ts";

const isRoot = () => process.getuid?.() === 0;

/**
 * Makes the data folder when it is missing: closed to other users, but as root PostgreSQL's own user must pass through, whatever the
 * umask says.
 * @throws ConfigError when it can't be made or written
 */
export async function makeDataFolder(folder: string): Promise<void> {
  try {
    const first = await mkdir(folder, { recursive: true });
    if (first !== undefined) {
      await chmod(folder, isRoot() ? 0o711 : 0o700);
      // Folders above that were made on the way.
      for (let at = folder; isRoot() && at !== first; ) {
        at = dirname(at);
        await chmod(at, 0o755);
      }
    }
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([`DATA_DIR is "${folder}", which can't be made or written here (${code})`]);
  }
}
