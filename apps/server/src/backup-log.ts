import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** File of the data folder that tells when a backup was made and when one was restored for a rehearsal. */
export const backupLogName = "backups.json";

/** When backups were made and rehearsed, in milliseconds since 1970. */
export interface BackupLog {
  readonly made?: { readonly atMs: number; readonly file: string; readonly bytes: number };
  readonly failed?: { readonly atMs: number; readonly fault: string };
  readonly rehearsed?: {
    readonly atMs: number;
    readonly file: string;
    /** When the backup was made that was restored. */
    readonly backupMs: number;
    readonly tookMs: number;
  };
  readonly rehearsalFailed?: { readonly atMs: number; readonly file: string; readonly fault: string };
}

/** What the data folder tells of its backups; nothing where none was made, or where the file can't be read. */
export async function readBackupLog(dataDir: string): Promise<BackupLog> {
  try {
    const log: unknown = JSON.parse(await readFile(join(dataDir, backupLogName), "utf8"));
    return typeof log === "object" && log !== null ? log : {};
  } catch {
    return {};
  }
}

/** Adds what happened; the file is replaced as a whole, so that a reader never sees half of it. */
export async function noteInBackupLog(dataDir: string, news: BackupLog): Promise<void> {
  const path = join(dataDir, backupLogName);
  const draft = `${path}.draft-${process.pid}`;
  await writeFile(draft, `${JSON.stringify({ ...(await readBackupLog(dataDir)), ...news }, undefined, 2)}\n`);
  await rename(draft, path);
}
