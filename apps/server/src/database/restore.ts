import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import pg from "pg";
import { backupLogName } from "../backup-log.ts";
import { makeDataFolder } from "../data-folder.ts";
import { missingKeyName, secretKeyName } from "../secret-key.ts";
import {
  type BackupManifest,
  backupFormat,
  backupFormatVersion,
  clusterPrefix,
  directoryPrefix,
  manifestName,
  rehearsalPrefix,
  replacedPrefix,
  restoreDraftPrefix,
  sealedKeyName,
  syncDirectory,
} from "./backup.ts";
import { BackupError } from "./backup-error.ts";
import { fingerprintOf, openKey } from "./backup-key.ts";
import { acquireDirectoryLock } from "./directory-lock.ts";
import { findRunningPostgres, lockPath, startEmbeddedPostgres, unfinishedRestoreName } from "./embedded-postgres.ts";
import type { DatabaseLog } from "./log.ts";
import { choosePostgresRunner } from "./postgres-runner.ts";
import { readTar, type TarEntry, TarError } from "./tar.ts";

const recoveryTimeoutMs = 60 * 60_000;
const longestManifestBytes = 256 * 1024 * 1024;
const longestKeyBytes = 64 * 1024;

type RestoredKey = "restored" | "kept" | "missing" | "elsewhere";

/** Result of a restore. */
export interface RestoreResult {
  readonly createdAt: string;
  readonly files: number;
  readonly contentBytes: number;
  /** Number of migrations in the restored database. */
  readonly migrations: number;
  /**
   * Origin of the secret key: `restored` from the backup; `kept`, because the directory had the right one; `missing`; or
   * `elsewhere`, because the installation uses SECRET_KEY.
   */
  readonly key: RestoredKey;
  /** Folder with the replaced content; absent when the directory was empty. */
  readonly replacedAt?: string;
  readonly tookMs: number;
}

/** Options of `restoreBackup`. */
export interface RestoreOptions {
  /** Data directory to fill. */
  readonly directory: string;
  /** A file of `createBackup`. */
  readonly file: string;
  /** Moves existing content aside instead of refusing. */
  readonly replace: boolean;
  /** Passphrase of a backup that includes the secret key. */
  readonly passphrase?: string;
  readonly log: DatabaseLog;
}

/** Whether an entry of a data directory is content, rather than a lock, a log or a leftover of a restore. */
function isContent(name: string): boolean {
  return !(
    name.startsWith("server.lock") ||
    name.startsWith("postgres.log") ||
    name.startsWith(replacedPrefix) ||
    name.startsWith(restoreDraftPrefix) ||
    name.startsWith(rehearsalPrefix) ||
    name === backupLogName ||
    name === unfinishedRestoreName
  );
}

/**
 * Converts a path of the archive to one below the target folders.
 * @throws BackupError for a path that leads elsewhere
 */
function targetOf(entry: TarEntry, cluster: string, draft: string): string {
  const [top = "", ...rest] = entry.path.split("/");
  const base = top === clusterPrefix ? cluster : top === directoryPrefix ? draft : undefined;
  const isPlain = rest.every((part) => part !== "" && part !== "." && part !== ".." && !/[\\\0]/.test(part));
  if (base === undefined || !isPlain) throw new BackupError(`The backup holds an impossible path: ${entry.path}`);
  return join(base, ...rest);
}

interface Unpacked {
  readonly manifest: BackupManifest;
  readonly contentBytes: number;
  /** Encrypted key of the archive. */
  readonly sealedKey: string | undefined;
}

async function unpack(source: AsyncIterable<Buffer>, cluster: string, draft: string): Promise<Unpacked> {
  const found = new Map<string, string>();
  const directories: string[] = [];
  let contentBytes = 0;
  let manifestText: string | undefined;
  let sealedKey: string | undefined;
  await readTar(source, async (entry, content) => {
    if (manifestText !== undefined) throw new BackupError("The backup goes on after its manifest");
    if (entry.path === manifestName) {
      if (entry.sizeBytes > longestManifestBytes) throw new BackupError("The manifest of the backup is too long");
      manifestText = await textOf(content);
      return;
    }
    if (entry.path === sealedKeyName) {
      if (entry.sizeBytes > longestKeyBytes) throw new BackupError("The secret key of the backup is too long");
      sealedKey = await textOf(content);
      const sha256 = createHash("sha256").update(sealedKey).digest("hex");
      found.set(entry.path, `${entry.sizeBytes} ${sha256}`);
      return;
    }
    const target = targetOf(entry, cluster, draft);
    if (entry.kind === "directory") {
      directories.push(target);
      await mkdir(target, { recursive: true, mode: target.startsWith(cluster) ? 0o700 : 0o755 });
      return;
    }
    await mkdir(dirname(target), { recursive: true });
    const handle = await open(target, "wx", entry.mode & 0o700 ? entry.mode : 0o600);
    const hash = createHash("sha256");
    try {
      for await (const part of content) {
        hash.update(part);
        for (let at = 0; at < part.length; ) at += (await handle.write(part, at)).bytesWritten;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    found.set(entry.path, `${entry.sizeBytes} ${hash.digest("hex")}`);
    contentBytes += entry.sizeBytes;
  });
  for (const path of directories) await syncDirectory(path);
  if (manifestText === undefined) throw new BackupError("The backup has no manifest: it is not whole");
  return { manifest: checkManifest(manifestText, found), contentBytes, sealedKey };
}

async function textOf(content: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of content) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

/** Puts the key that the backup needs into the draft, from the archive or from the current directory. */
async function restoreKey(options: RestoreOptions, draft: string, unpacked: Unpacked): Promise<RestoredKey> {
  const path = join(draft, secretKeyName);
  const { keyFingerprint } = unpacked.manifest;
  // Backups of earlier versions contain the key itself.
  if (existsSync(path)) return "restored";
  if (keyFingerprint === undefined) return "elsewhere";
  const write = (key: string) => writeFile(path, key, { mode: 0o600, flush: true });
  if (unpacked.sealedKey !== undefined && options.passphrase !== undefined) {
    await write(await openKey(unpacked.sealedKey, options.passphrase));
    return "restored";
  }
  const present = await readFile(join(options.directory, secretKeyName), "utf8").catch(() => undefined);
  if (present !== undefined && fingerprintOf(present) === keyFingerprint) {
    await write(present);
    return "kept";
  }
  await writeFile(join(draft, missingKeyName), `The key with the fingerprint ${keyFingerprint}\n`, { flush: true });
  return "missing";
}

function checkManifest(text: string, found: ReadonlyMap<string, string>): BackupManifest {
  let manifest: BackupManifest;
  try {
    manifest = JSON.parse(text) as BackupManifest;
  } catch (error) {
    throw new BackupError("The manifest of the backup is damaged", { cause: error });
  }
  if (manifest.format !== backupFormat || !Array.isArray(manifest.files)) {
    throw new BackupError("This is no backup of this program");
  }
  if (manifest.formatVersion > backupFormatVersion) {
    throw new BackupError(`The backup has format ${manifest.formatVersion}; use a newer version of this program`);
  }
  for (const { path, sizeBytes, sha256 } of manifest.files) {
    const present = found.get(path);
    if (present === undefined) throw new BackupError(`${path} is missing in the backup`);
    if (present !== `${sizeBytes} ${sha256}`) throw new BackupError(`${path} is damaged in the backup`);
  }
  if (manifest.files.length !== found.size)
    throw new BackupError("The backup holds files that its manifest does not name");
  return manifest;
}

async function isCompressed(file: string): Promise<boolean> {
  const handle = await open(file, "r").catch((error: Error) => {
    throw new BackupError(`${file} can't be read: ${error.message}`, { cause: error });
  });
  try {
    const start = Buffer.alloc(2);
    await handle.read(start, 0, 2, 0);
    return start[0] === 0x1f && start[1] === 0x8b;
  } finally {
    await handle.close();
  }
}

async function readArchive(file: string, cluster: string, draft: string): Promise<Unpacked> {
  let unpacked: Unpacked | undefined;
  async function consume(source: AsyncIterable<Buffer>): Promise<void> {
    unpacked = await unpack(source, cluster, draft);
  }
  const compressed = await isCompressed(file);
  try {
    const source = createReadStream(file);
    await (compressed ? pipeline(source, createGunzip(), consume) : pipeline(source, consume));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof TarError || code?.startsWith("Z_") === true) {
      throw new BackupError(`${file} is damaged or not whole: ${message}`, { cause: error });
    }
    throw error;
  }
  if (unpacked === undefined) throw new BackupError(`${file} is empty`);
  return unpacked;
}

/** Starts PostgreSQL once on the unpacked cluster, to prove that it recovers and answers. */
async function proveRecovery(draft: string, log: DatabaseLog): Promise<number> {
  const postgres = await startEmbeddedPostgres({ directory: draft, log, readyTimeoutMs: recoveryTimeoutMs });
  try {
    const client = new pg.Client({ connectionString: postgres.url() });
    client.on("error", (error) => log.warn({ error: error.message }, "The restored PostgreSQL broke a connection"));
    await client.connect();
    try {
      const { rows: tables } = await client.query<{ present: boolean }>(
        `SELECT to_regclass('public.schema_migrations') IS NOT NULL AS present`,
      );
      if (tables[0]?.present !== true) return 0;
      const { rows } = await client.query<{ count: number }>("SELECT count(*)::int AS count FROM schema_migrations");
      return rows[0]?.count ?? 0;
    } finally {
      await client.end();
    }
  } finally {
    await postgres.stop();
  }
}

/**
 * Restores a data directory from a backup. It unpacks beside the present content, checks every file against the manifest, and
 * starts PostgreSQL once to prove that it recovers; only then is the new content put in place.
 * The old content is kept, never deleted.
 * @throws BackupError when the directory is not empty (without `replace`) or the backup is damaged
 * @throws DirectoryInUseError when a server runs on the directory
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreResult> {
  const begun = Date.now();
  const { directory, log } = options;
  const file = resolve(options.file);
  await makeDataFolder(directory);
  const lock = await acquireDirectoryLock(lockPath(directory));
  try {
    const orphan = await findRunningPostgres(directory);
    if (orphan !== undefined) {
      throw new BackupError(
        `PostgreSQL (process ${orphan.pid}) of a killed server still runs here. Start the server and stop it, then restore.`,
      );
    }
    const entries = await readdir(directory);
    const wasInterrupted = entries.includes(unfinishedRestoreName);
    const present = entries.filter(isContent);
    if (present.length > 0 && !options.replace && !wasInterrupted) {
      throw new BackupError(`${resolve(directory)} is not empty. Add --replace to keep its content aside and restore.`);
    }
    for (const left of entries.filter((name) => name.startsWith(restoreDraftPrefix))) {
      await rm(join(directory, left), { recursive: true, force: true });
    }

    const draft = await mkdtemp(join(directory, restoreDraftPrefix));
    await chmod(draft, 0o711);
    let cluster: string | undefined;
    try {
      ({ cluster } = await choosePostgresRunner({ directory: draft, log }));
      const unpacked = await readArchive(file, cluster, draft);
      const { manifest, contentBytes } = unpacked;
      const key = await restoreKey(options, draft, unpacked);
      const migrations = await proveRecovery(draft, log);
      const replacedAt = await putInPlace(directory, draft, present);
      return {
        createdAt: manifest.createdAt,
        files: manifest.files.length,
        contentBytes,
        migrations,
        key,
        ...(replacedAt === undefined ? {} : { replacedAt }),
        tookMs: Date.now() - begun,
      };
    } catch (error) {
      // It may be outside the draft, in a folder that PostgreSQL's own user can enter.
      if (cluster !== undefined) await rm(cluster, { recursive: true, force: true });
      await rm(draft, { recursive: true, force: true });
      throw error;
    }
  } finally {
    lock.release();
  }
}

/**
 * Moves the old content aside and the new content in. This takes many renames, because a data directory is often a mounted
 * volume, which can't be renamed; the marker keeps a server from starting in between.
 */
async function putInPlace(directory: string, draft: string, present: readonly string[]): Promise<string | undefined> {
  const marker = join(directory, unfinishedRestoreName);
  await writeFile(marker, "A restore was interrupted. Run it again before starting the server.\n", { flush: true });
  await syncDirectory(directory);
  let replacedAt: string | undefined;
  if (present.length > 0) {
    replacedAt = join(directory, `${replacedPrefix}${new Date().toISOString().replaceAll(/[:.]/g, "-")}`);
    await mkdir(replacedAt, { mode: 0o711 });
    for (const name of present) await rename(join(directory, name), join(replacedAt, name));
  }
  for (const name of await readdir(draft)) {
    if (isContent(name)) await rename(join(draft, name), join(directory, name));
  }
  await rm(draft, { recursive: true, force: true });
  await syncDirectory(directory);
  await rm(marker);
  await syncDirectory(directory);
  return replacedAt;
}
