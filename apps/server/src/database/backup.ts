import { createHash } from "node:crypto";
import { createWriteStream, type Dirent } from "node:fs";
import { type FileHandle, mkdir, open, readdir, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import pg from "pg";
import { backupLogName } from "../backup-log.ts";
import { missingKeyName, secretKeyName } from "../secret-key.ts";
import { BackupError } from "./backup-error.ts";
import { fingerprintOf, sealKey } from "./backup-key.ts";
import { acquireDirectoryLock } from "./directory-lock.ts";
import { clusterDirectory, findRunningPostgres, lockPath } from "./embedded-postgres.ts";
import type { DatabaseLog } from "./log.ts";
import { postgresPasswordNames } from "./postgres-roles.ts";
import { isProcessAlive } from "./process-identity.ts";
import { tarEnd, tarHeader, tarPadding } from "./tar.ts";

const chunkBytes = 256 * 1024;

/** Name of the last entry of a backup; an archive without it is incomplete. */
export const manifestName = "manifest.json";
/** Folder of PostgreSQL's cluster in the archive. */
export const clusterPrefix = "cluster";
/** Folder in the archive for the rest of the data directory. */
export const directoryPrefix = "directory";
export const backupFormat = "herdwise-backup";
/** 2: the secret key is left out, or encrypted by a passphrase. */
export const backupFormatVersion = 2;
/** Entry of the archive with the secret key, encrypted by a passphrase. */
export const sealedKeyName = "secret-key.sealed";
/** Folder below the data directory in which `restore --replace` keeps the replaced content. */
export const replacedPrefix = "before-restore-";
/** Folder below the data directory in which a restore unpacks. */
export const restoreDraftPrefix = "restore.draft-";
/** Beginning of the names of folders into which a backup is restored for a rehearsal. */
export const rehearsalPrefix = "rehearsal-";

/** Content of the archive; its last entry. */
export interface BackupManifest {
  readonly format: typeof backupFormat;
  readonly formatVersion: number;
  readonly createdAt: string;
  /** Content of PG_VERSION. */
  readonly postgresMajor: string;
  /** `running`: taken from a live PostgreSQL. */
  readonly takenFrom: "running" | "stopped";
  /** Position in PostgreSQL's log up to which the backup is complete; absent for a stopped one. */
  readonly stopLsn?: string;
  /** Fingerprint of the key in DATA_DIR that the backup needs; absent when there was none. */
  readonly keyFingerprint?: string;
  readonly files: ReadonlyArray<{ readonly path: string; readonly sizeBytes: number; readonly sha256: string }>;
}

/** Result of taking a backup. */
export interface BackupResult {
  /** What happened to the key of the data directory; `elsewhere` when the directory has none, as with SECRET_KEY. */
  readonly key: "left out" | "sealed" | "elsewhere";
  readonly file: string;
  readonly takenFrom: "running" | "stopped";
  readonly files: number;
  /** Size before compression. */
  readonly contentBytes: number;
  readonly archiveBytes: number;
  readonly tookMs: number;
}

/** Folders of a cluster whose content PostgreSQL recreates at each start. */
const transientFolders = new Set([
  "pg_dynshmem",
  "pg_notify",
  "pg_replslot",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]);
const transientFiles =
  /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*|backup_label\.old|tablespace_map\.old|current_logfiles.*|\.s\.PGSQL\..*|t\d+_\d+(_\w+)?(\.\d+)?)$/;

/** State of the archive while its parts are generated. */
class Archive {
  readonly files: Array<{ path: string; sizeBytes: number; sha256: string }> = [];
  contentBytes = 0;

  *directory(path: string): Generator<Buffer> {
    yield tarHeader({ path, kind: "directory", sizeBytes: 0, mode: 0o700, modifiedAt: new Date() });
  }

  *text(path: string, text: string | Buffer): Generator<Buffer> {
    const body = Buffer.from(text);
    yield tarHeader({ path, kind: "file", sizeBytes: body.length, mode: 0o600, modifiedAt: new Date() });
    yield body;
    yield tarPadding(body.length);
    this.#add(path, body.length, createHash("sha256").update(body).digest("hex"));
  }

  /** A file that may grow, shrink or vanish while it is read; nothing is written when it vanished. */
  async *file(path: string, source: string): AsyncGenerator<Buffer> {
    let handle: FileHandle;
    try {
      handle = await open(source, "r");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
      throw error;
    }
    try {
      const { size, mode, mtime } = await handle.stat();
      yield tarHeader({ path, kind: "file", sizeBytes: size, mode: mode & 0o777, modifiedAt: mtime });
      const hash = createHash("sha256");
      for (let at = 0; at < size; ) {
        const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, size - at));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
        // The file was truncated meanwhile: it is padded with zeros, and PostgreSQL's log repeats the truncation.
        const part = bytesRead === 0 ? buffer.fill(0) : buffer.subarray(0, bytesRead);
        hash.update(part);
        at += part.length;
        yield part;
      }
      yield tarPadding(size);
      this.#add(path, size, hash.digest("hex"));
    } finally {
      await handle.close();
    }
  }

  #add(path: string, sizeBytes: number, sha256: string): void {
    this.files.push({ path, sizeBytes, sha256 });
    this.contentBytes += sizeBytes;
  }
}

async function listOrNothing(path: string): Promise<Dirent[]> {
  return readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}

interface ClusterOptions {
  readonly withLog: boolean;
}

/** Files of the cluster except those that a start recreates; the caller must add pg_control last. */
async function* clusterFiles(archive: Archive, cluster: string, options: ClusterOptions): AsyncGenerator<Buffer> {
  async function* walk(relative: string): AsyncGenerator<Buffer> {
    yield* archive.directory(`${clusterPrefix}${relative}`);
    const top = relative.split("/")[1] ?? "";
    if (transientFolders.has(top)) return;
    for (const entry of await listOrNothing(join(cluster, relative))) {
      const path = `${relative}/${entry.name}`;
      if (transientFiles.test(entry.name) || path === "/global/pg_control") continue;
      if (entry.isDirectory()) {
        yield* walk(path);
      } else if (entry.isSymbolicLink()) {
        throw new BackupError(`${join(cluster, path)} is a link; tablespaces and a log elsewhere are not supported`);
      } else if (entry.isFile() && (top !== "pg_wal" || options.withLog)) {
        yield* archive.file(`${clusterPrefix}${path}`, join(cluster, path));
      }
    }
  }
  yield* walk("");
}

/** Reads pg_control until two readings are equal, because it may be written meanwhile. */
async function readControl(cluster: string): Promise<Buffer> {
  const path = join(cluster, "global", "pg_control");
  let before = await readFile(path);
  for (;;) {
    const after = await readFile(path);
    if (after.equals(before)) return after;
    before = after;
  }
}

/** Names of the segments of PostgreSQL's log from one to the other, both included. */
export function segmentNames(first: string, last: string, segmentBytes: number): string[] {
  const perId = BigInt(0x1_0000_0000) / BigInt(segmentBytes);
  const timeline = first.slice(0, 8);
  if (timeline !== last.slice(0, 8)) throw new BackupError("The timeline of PostgreSQL changed during the backup");
  const number = (name: string): bigint => BigInt(`0x${name.slice(8, 16)}`) * perId + BigInt(`0x${name.slice(16, 24)}`);
  const hex = (value: bigint): string => value.toString(16).toUpperCase().padStart(8, "0");
  const names: string[] = [];
  for (let at = number(first); at <= number(last); at += 1n) names.push(timeline + hex(at / perId) + hex(at % perId));
  return names;
}

/**
 * PostgreSQL's online backup: files are copied while they change; the log from before the first copy until after the last one,
 * kept by a temporary slot, makes them consistent.
 */
async function* runningCluster(
  archive: Archive,
  cluster: string,
  client: pg.Client,
  done: (stopLsn: string) => void,
): AsyncGenerator<Buffer> {
  const slot = `herdwise_backup_${process.pid}`;
  await client.query("SELECT pg_create_physical_replication_slot($1, true, true)", [slot]);
  const started = await client.query<{ segment: string; bytes: string }>(
    `SELECT pg_walfile_name(pg_backup_start('herdwise', fast => true)) AS segment,
            pg_size_bytes(current_setting('wal_segment_size')) AS bytes`,
  );
  yield* clusterFiles(archive, cluster, { withLog: false });
  yield* archive.text(`${clusterPrefix}/global/pg_control`, await readControl(cluster));
  const stopped = await client.query<{ lsn: string; segment: string; label: string; map: string }>(
    `SELECT lsn, pg_walfile_name(lsn) AS segment, labelfile AS label, spcmapfile AS map
     FROM pg_backup_stop(wait_for_archive => false)`,
  );
  const [start] = started.rows;
  const [stop] = stopped.rows;
  if (start === undefined || stop === undefined) throw new BackupError("PostgreSQL gave no position of the backup");
  if (stop.map !== "") throw new BackupError("Tablespaces are not supported");
  yield* archive.text(`${clusterPrefix}/backup_label`, stop.label);
  for (const name of segmentNames(start.segment, stop.segment, Number(start.bytes))) {
    const before = archive.files.length;
    yield* archive.file(`${clusterPrefix}/pg_wal/${name}`, join(cluster, "pg_wal", name));
    if (archive.files.length === before) throw new BackupError(`Segment ${name} of PostgreSQL's log is missing`);
  }
  done(stop.lsn);
}

/** Secrets, files that a start recreates, and the log of backups, which is of this folder and not of what is restored elsewhere. */
const notInBackups = new Set([secretKeyName, missingKeyName, ...postgresPasswordNames, "fleet.json", backupLogName]);

/** The server's files beside the cluster, above all uploads. */
async function* otherFiles(archive: Archive, directory: string, log: DatabaseLog): AsyncGenerator<Buffer> {
  const left =
    /^(postgres|postgres\.(log.*|draft-.*)|server\.lock.*|restore\.(unfinished|draft-.*)|before-restore-.*|rehearsal-.*)$/;
  async function* walk(relative: string, isTop: boolean): AsyncGenerator<Buffer> {
    yield* archive.directory(`${directoryPrefix}${relative}`);
    for (const entry of await listOrNothing(join(directory, relative))) {
      const path = `${relative}/${entry.name}`;
      if (isTop && (left.test(entry.name) || notInBackups.has(entry.name))) continue;
      // A folder on another disk is often linked into the data directory; deeper links could lead anywhere and are skipped.
      const found = isTop && entry.isSymbolicLink() ? await stat(join(directory, path)).catch(() => entry) : entry;
      if (found.isDirectory()) yield* walk(path, false);
      else if (found.isFile()) yield* archive.file(`${directoryPrefix}${path}`, join(directory, path));
      else log.warn({ path: join(directory, path) }, "Neither a file nor a folder: not in the backup");
    }
  }
  yield* walk("", true);
}

/** Options of `createBackup`. */
export interface BackupOptions {
  /** Data directory of the server. */
  readonly directory: string;
  /** The archive to write, uncompressed when it ends in `.tar`. It must not exist. */
  readonly file: string;
  /** Includes the secret key, encrypted by this passphrase; without it the key is left out. */
  readonly passphrase?: string;
  readonly log: DatabaseLog;
}

/**
 * Writes a backup of the data directory: PostgreSQL, uploaded files, and the secret key only under a passphrase, so that
 * whoever finds a backup can neither read phone numbers nor guess passwords.
 * The server may run; a stopped one is locked meanwhile. The file gets its name only when it is complete and flushed.
 * @throws BackupError when there is nothing to back up, or the file exists or lies inside the directory
 * @throws DirectoryInUseError when a server is starting or stopping
 */
export async function createBackup(options: BackupOptions): Promise<BackupResult> {
  const begun = Date.now();
  const { directory, log } = options;
  const file = resolve(options.file);
  const cluster = await clusterDirectory(directory);
  if (cluster === undefined) throw new BackupError(`There is no database in ${resolve(directory)}`);
  await mkdir(dirname(file), { recursive: true });
  const place = await realpath(dirname(file));
  if (`${place}${sep}`.startsWith(`${await realpath(directory)}${sep}`)) {
    throw new BackupError(`${file} lies in the directory that it would protect; choose a place outside of it`);
  }
  if ((await stat(file).catch(() => undefined)) !== undefined) throw new BackupError(`${file} exists already`);
  await removeDeadDrafts(file);
  const key = await keyPart(directory, options.passphrase);

  const archive = new Archive();
  const running = await findRunningPostgres(directory);
  const lock = running === undefined ? await acquireDirectoryLock(lockPath(directory)) : undefined;
  const draft = `${file}.partial-${process.pid}`;
  let client: pg.Client | undefined;
  try {
    if (running !== undefined) {
      client = new pg.Client({ connectionString: running.superuserUrl("postgres"), connectionTimeoutMillis: 5_000 });
      client.on("error", (error) =>
        log.warn({ error: error.message }, "PostgreSQL broke the connection of the backup"),
      );
      await client.connect();
    }
    const parts = content(archive, cluster, client, directory, key, log);
    const compress = file.endsWith(".tar") ? [] : [createGzip({ level: 1 })];
    // The file contains customers' data, so other users of the machine can't read it.
    const target = createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true });
    await pipeline([Readable.from(parts, { objectMode: false }), ...compress, target]);
    await rename(draft, file);
    await syncDirectory(place);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await client?.end().catch(() => undefined);
    lock?.release();
  }
  return {
    file,
    key: key.fingerprint === undefined ? "elsewhere" : key.sealed === undefined ? "left out" : "sealed",
    takenFrom: running === undefined ? "stopped" : "running",
    files: archive.files.length,
    contentBytes: archive.contentBytes,
    archiveBytes: (await stat(file)).size,
    tookMs: Date.now() - begun,
  };
}

interface KeyPart {
  readonly fingerprint?: string;
  readonly sealed?: string;
}

async function keyPart(directory: string, passphrase: string | undefined): Promise<KeyPart> {
  const key = await readFile(join(directory, secretKeyName), "utf8").catch(() => undefined);
  if (key === undefined) {
    if (passphrase === undefined) return {};
    throw new BackupError(`${directory} holds no ${secretKeyName} that a passphrase could protect`);
  }
  const fingerprint = fingerprintOf(key);
  return passphrase === undefined ? { fingerprint } : { fingerprint, sealed: await sealKey(key, passphrase) };
}

async function* content(
  archive: Archive,
  cluster: string,
  client: pg.Client | undefined,
  directory: string,
  key: KeyPart,
  log: DatabaseLog,
): AsyncGenerator<Buffer> {
  const postgresMajor = (await readFile(join(cluster, "PG_VERSION"), "utf8")).trim();
  let stopLsn: string | undefined;
  if (client !== undefined) {
    yield* runningCluster(archive, cluster, client, (lsn) => {
      stopLsn = lsn;
    });
  } else {
    yield* clusterFiles(archive, cluster, { withLog: true });
    yield* archive.text(`${clusterPrefix}/global/pg_control`, await readControl(cluster));
  }
  // After the rows: a file is written before the row that refers to it, so every row in the backup has its file.
  yield* otherFiles(archive, directory, log);
  if (key.sealed !== undefined) yield* archive.text(sealedKeyName, key.sealed);
  const manifest: BackupManifest = {
    format: backupFormat,
    formatVersion: backupFormatVersion,
    createdAt: new Date().toISOString(),
    postgresMajor,
    takenFrom: client === undefined ? "stopped" : "running",
    ...(stopLsn === undefined ? {} : { stopLsn }),
    ...(key.fingerprint === undefined ? {} : { keyFingerprint: key.fingerprint }),
    files: [...archive.files],
  };
  yield* archive.text(manifestName, JSON.stringify(manifest));
  yield tarEnd();
}

/** Removes unfinished files of killed backups with this name. */
async function removeDeadDrafts(file: string): Promise<void> {
  const start = `${basename(file)}.partial-`;
  for (const entry of await readdir(dirname(file))) {
    if (!entry.startsWith(start)) continue;
    const pid = Number(entry.slice(start.length));
    if (pid === process.pid || !isProcessAlive(pid)) await rm(join(dirname(file), entry), { force: true });
  }
}

/** Flushes the entries of a folder to the disk. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
