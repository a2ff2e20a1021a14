import { copyFile, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { noteInBackupLog, readBackupLog } from "../backup-log.ts";
import { auditRepository } from "../modules/audit/index.ts";
import { secretKeyName } from "../secret-key.ts";
import { systemScope } from "../tenant-scope.ts";
import { rehearsalPrefix } from "./backup.ts";
import { BackupError } from "./backup-error.ts";
import { openDatabase } from "./connection.ts";
import { clusterDirectory, startEmbeddedPostgres } from "./embedded-postgres.ts";
import type { DatabaseLog } from "./log.ts";
import { migrationState } from "./migrate.ts";
import { isProcessAlive } from "./process-identity.ts";
import { restoreBackup } from "./restore.ts";

/** Options of `rehearseRestore`. */
export interface RehearsalOptions {
  /** Data folder of the installation, which stays as it is but for its note of the rehearsal. */
  readonly dataDir: string;
  /** A backup; by default the newest that the data folder knows. */
  readonly file: string | undefined;
  /** Folder with room for what is restored. */
  readonly scratch: string;
  /** SECRET_KEY, where it is set. */
  readonly ownKey: string | undefined;
  readonly passphrase: string | undefined;
  readonly log: DatabaseLog;
}

/** What a rehearsal restored and read. */
export interface Rehearsal {
  readonly file: string;
  readonly createdAt: string;
  readonly files: number;
  readonly tables: number;
  readonly rows: number;
  readonly migrations: number;
  readonly auditEntries: number;
  readonly tookMs: number;
}

/** Removes a folder with its cluster, which may lie elsewhere, where PostgreSQL's own user can enter. */
async function remove(folder: string): Promise<void> {
  const cluster = await clusterDirectory(folder);
  if (cluster !== undefined) await rm(cluster, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}

/** Removes what killed rehearsals left behind. */
async function removeLeft(scratch: string): Promise<void> {
  for (const name of await readdir(scratch)) {
    const pid = new RegExp(`^${rehearsalPrefix}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isProcessAlive(Number(pid))) await remove(join(scratch, name));
  }
}

/** Starts what was restored and reads all of it. */
async function readAll(folder: string, log: DatabaseLog) {
  const postgres = await startEmbeddedPostgres({ directory: folder, log });
  const database = openDatabase({ url: postgres.url(), poolSize: 2, applicationName: "rehearsal", log });
  const query = async <Row extends object>(text: string): Promise<Row[]> => (await database.pool.query<Row>(text)).rows;
  try {
    await database.pool.query("SET statement_timeout = 0");
    const applied = await query<{ name: string; checksum: string }>(
      'SELECT name, checksum FROM public.schema_migrations ORDER BY name COLLATE "C"',
    );
    const { fault } = await migrationState(applied);
    if (fault !== undefined) throw new BackupError(fault);
    const tables = await query<{ name: string }>(
      `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
    );
    let rows = 0;
    // To count the wide rows themselves reads every page and what lies beside it.
    for (const { name } of tables) {
      const [counted] = await query<{ rows: string }>(`SELECT count(t.*::text) AS rows FROM ${name} t`);
      rows += Number(counted?.rows ?? 0);
    }
    const [accounts] = await query<{ rows: number }>("SELECT count(*)::int AS rows FROM accounts");
    if (accounts?.rows === 0)
      throw new BackupError("Nobody has an account in this backup: it is of an empty installation");
    const audit = auditRepository(database.kysely);
    const scope = systemScope("a rehearsal follows the audit trail of the whole installation");
    let auditEntries = 0;
    for (const chain of await audit.chains(scope)) {
      const { entries, broken } = await audit.verify(scope, chain);
      auditEntries += entries;
      if (broken !== undefined)
        throw new BackupError(`The audit trail breaks at entry ${broken.id} of ${broken.at.toISOString()}`);
    }
    return { migrations: applied.length, tables: tables.length, rows, auditEntries };
  } finally {
    await database.close();
    await postgres.stop();
  }
}

/**
 * Restores a backup into a folder of its own, reads all of it, and removes it again. The data folder notes how it ended.
 * @throws BackupError when there is no backup, or it is damaged, or does not fit this installation
 */
export async function rehearseRestore(options: RehearsalOptions): Promise<Rehearsal> {
  const begun = Date.now();
  const { dataDir, log } = options;
  const newest = (await readBackupLog(dataDir)).made?.file;
  const file = options.file ?? newest;
  if (file === undefined)
    throw new BackupError(`No backup of ${resolve(dataDir)} is known. Make one (npm run backup), or name its file`);
  const scratch = await realpath(options.scratch);
  await removeLeft(scratch);
  const folder = await mkdtemp(join(scratch, `${rehearsalPrefix}${process.pid}-`));
  try {
    // The backup has no key, and must fit the one that is kept.
    await copyFile(join(dataDir, secretKeyName), join(folder, secretKeyName)).catch(() => undefined);
    const restored = await restoreBackup({
      directory: folder,
      file,
      replace: true,
      ...(options.passphrase !== undefined && { passphrase: options.passphrase }),
      log,
    });
    if (restored.key === "missing" && options.ownKey === undefined)
      throw new BackupError(
        `The secret key of this backup is not ${join(dataDir, secretKeyName)}: without it no password fits and phone numbers stay closed`,
      );
    const read = await readAll(folder, log);
    const tookMs = Date.now() - begun;
    await noteInBackupLog(dataDir, {
      rehearsed: { atMs: Date.now(), file: resolve(file), backupMs: Date.parse(restored.createdAt), tookMs },
    });
    return { file, createdAt: restored.createdAt, files: restored.files, ...read, tookMs };
  } catch (error) {
    await noteInBackupLog(dataDir, {
      rehearsalFailed: { atMs: Date.now(), file: resolve(file), fault: (error as Error).message },
    });
    throw error;
  } finally {
    await remove(folder);
  }
}
