import { existsSync, readFileSync } from "node:fs";
import {
  chown,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  truncate,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { makeDataFolder } from "../data-folder.ts";
import { freePort } from "../free-port.ts";
import { acquireDirectoryLock } from "./directory-lock.ts";
import type { DatabaseLog } from "./log.ts";
import {
  applicationOf,
  type Credentials,
  forgetSuperuserPassword,
  handOver,
  prepareApplicationRole,
  requirePasswords,
  superuser,
  superuserOf,
  superuserPasswordPath,
  writeSuperuserPassword,
} from "./postgres-roles.ts";
import { choosePostgresRunner, giveOwnership, type PostgresRunner, type RunnerKind } from "./postgres-runner.ts";
import { isProcessAlive } from "./process-identity.ts";

const defaultDatabase = "herdwise";
const majorVersion = "18";
const defaultReadyTimeoutMs = 60_000;
const fastShutdownMs = 30_000;
/** Present in a data directory while a restore moves files; the server refuses to start on it. */
export const unfinishedRestoreName = "restore.unfinished";
const watchEveryMs = 250;
const emptyPidMs = 500;
const emptyPidLookMs = 50;
const logCheckEveryMs = 30_000;
const logLimitBytes = 10 * 1024 * 1024;
const socketName = ".s.PGSQL.5432";
/** sockaddr_un holds 108 bytes on Linux and 104 on macOS, including the terminating zero. */
const socketPathLimitBytes = 103;
const socketPrefix = "herdwise-pg-";

const durableSettings: Readonly<Record<string, string>> = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  // Half of the default, because frequently read data often fits and the system caches the rest.
  shared_buffers: "64MB",
  // Pages are on a flash disk or in the system's cache, so looking up some thousand devices is cheaper than reading all states.
  random_page_cost: "1.1",
  max_connections: "60",
  max_wal_size: "1GB",
  wal_compression: "on",
  // Required for the online backup.
  wal_level: "replica",
  timezone: "UTC",
  log_timezone: "UTC",
  // Otherwise the log quotes rows that violate a constraint.
  log_error_verbosity: "terse",
  log_checkpoints: "off",
  log_line_prefix: "%m [%p] %a ",
};

/** A PostgreSQL that this server started, or that it found running after its predecessor was killed. */
export interface EmbeddedPostgres {
  /** Address of the application's database for its own role, which is no superuser; for pg and libpq. */
  url(): string;
  /** Address of a database for PostgreSQL's superuser; for backups and for databases of tests. */
  superuserUrl(database: string): string;
  /** Pid of the postmaster; it changes when PostgreSQL had to be restarted. */
  readonly pid: number;
  /** Such as `18.4`. */
  readonly version: string;
  /** True when it was already running. */
  readonly adopted: boolean;
  /** How PostgreSQL runs; see `RunnerKind`. */
  readonly runner: RunnerKind;
  /** Stops PostgreSQL and releases the directory; open connections are cut, and no committed data is lost. */
  stop(): Promise<void>;
}

/** Options of `startEmbeddedPostgres`. */
export interface EmbeddedPostgresOptions {
  /** Data directory of the server; the cluster is in its `postgres` folder. Created when missing. */
  readonly directory: string;
  readonly log: DatabaseLog;
  /** PostgreSQL settings that override the durable defaults, for example `{ fsync: 'off' }` in tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Ways of running PostgreSQL that root may try; for tests. */
  readonly runners?: readonly RunnerKind[];
  /** Milliseconds within which PostgreSQL must answer, including recovery; 60 s by default. */
  readonly readyTimeoutMs?: number;
}

/** Where a running postmaster listens. */
interface Postmaster {
  readonly pid: number;
  /** Socket folder, or an address on Windows. */
  readonly host: string;
  readonly port: number;
  /** `starting`, `ready` or `stopping`. */
  readonly status: string;
}

function readPostmaster(cluster: string): Postmaster | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3]), host: lines[4] || lines[5] || "", status: (lines[7] ?? "").trim() };
}

/**
 * Arguments of a process from a source that everybody may read, because root in a container may not inspect other users'
 * processes.
 */
function argumentsOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return undefined;
  }
}

/**
 * Whether the pid in a postmaster.pid really belongs to a postmaster of that cluster, and not to a later process with that
 * number.
 */
function isPostmasterOf(pid: number, cluster: string): boolean {
  if (!isProcessAlive(pid)) return false;
  if (process.platform !== "linux") return true;
  const [program = "", ...rest] = argumentsOf(pid) ?? [];
  return basename(program) === "postgres" && rest[rest.indexOf("-D") + 1] === cluster;
}

/** Whether the process is certainly no PostgreSQL. */
function isStranger(pid: number): boolean {
  const [program] = argumentsOf(pid) ?? [];
  return program !== undefined && program !== "" && !program.includes("postgres");
}

function findPostmaster(cluster: string): Postmaster | undefined {
  const found = readPostmaster(cluster);
  return found !== undefined && isPostmasterOf(found.pid, cluster) ? found : undefined;
}

function connectionUrl(postmaster: Postmaster, { role, password }: Credentials, database: string): string {
  const secret = password === undefined ? "" : `:${encodeURIComponent(password)}`;
  const host = postmaster.host.startsWith("/") ? encodeURIComponent(postmaster.host) : postmaster.host;
  return `postgres://${role}${secret}@${host}:${postmaster.port}/${encodeURIComponent(database)}`;
}

/** The addresses of a cluster's databases, with the passwords of its data directory. */
async function addressesOf(
  directory: string,
  postmaster: Postmaster,
): Promise<Pick<EmbeddedPostgres, "url" | "superuserUrl">> {
  const [application, administrator] = await Promise.all([applicationOf(directory), superuserOf(directory)]);
  return {
    url: () => connectionUrl(postmaster, application, defaultDatabase),
    superuserUrl: (database) => connectionUrl(postmaster, administrator, database),
  };
}

/**
 * Finds a running PostgreSQL of a data directory without starting or locking anything.
 * @returns its addresses, or undefined when none runs
 */
export async function findRunningPostgres(
  directory: string,
): Promise<(Pick<EmbeddedPostgres, "pid" | "url" | "superuserUrl"> & { readonly cluster: string }) | undefined> {
  const cluster = await clusterDirectory(directory);
  const postmaster = cluster === undefined ? undefined : findPostmaster(cluster);
  if (cluster === undefined || postmaster === undefined) return undefined;
  return { pid: postmaster.pid, cluster, ...(await addressesOf(directory, postmaster)) };
}

/** Path of the cluster of a data directory without symbolic links; undefined when there is none yet. */
export async function clusterDirectory(directory: string): Promise<string | undefined> {
  return realpath(join(directory, "postgres")).catch(() => undefined);
}

/** Path of the lock that the server holds on its data directory. */
export function lockPath(directory: string): string {
  return join(directory, "server.lock");
}

async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Runs initdb in a temporary folder that is renamed when complete, so that a kill leaves only the temporary folder. */
async function createCluster(runner: PostgresRunner, directory: string, durable: boolean): Promise<void> {
  const draft = await mkdtemp(`${runner.cluster}.draft-`);
  if (runner.owner !== undefined) await chown(draft, runner.owner.uid, runner.owner.gid);
  await forgetSuperuserPassword(directory);
  const auth =
    process.platform === "win32"
      ? ["--auth=scram-sha-256", `--pwfile=${await writeSuperuserPassword(directory)}`]
      : // PostgreSQL's own user can't read our files, so the password is set afterwards.
        ["--auth=reject"];
  await runner.run("initdb", [
    `--pgdata=${draft}`,
    `--username=${superuser}`,
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--data-checksums",
    "--no-instructions",
    ...(durable ? [] : ["--no-sync"]),
    ...auth,
  ]);
  await rename(draft, runner.cluster);
  await syncDirectory(dirname(runner.cluster));
}

async function removeDrafts(cluster: string): Promise<void> {
  const parent = dirname(cluster);
  for (const entry of await readdir(parent)) {
    if (!entry.startsWith(`${basename(cluster)}.draft-`)) continue;
    // An initdb that outlived its server may still write there; the rest is removed at a later start.
    await rm(join(parent, entry), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Folder for the socket: the cluster itself, or a short private one when its path is too long for a socket. */
async function makeSocketDirectory(runner: PostgresRunner): Promise<string> {
  if (Buffer.byteLength(join(runner.cluster, socketName)) <= socketPathLimitBytes) return runner.cluster;
  for (const parent of new Set([tmpdir(), "/tmp", "/var/tmp"])) {
    try {
      const path = await mkdtemp(join(parent, socketPrefix));
      if (Buffer.byteLength(join(path, socketName)) <= socketPathLimitBytes) {
        if (runner.owner !== undefined) await chown(path, runner.owner.uid, runner.owner.gid);
        return path;
      }
      await rm(path, { recursive: true });
    } catch {
      // The folder is missing or not writable, so the next one is tried.
    }
  }
  throw new Error(
    "No folder for the socket of PostgreSQL: neither the system temporary folder nor /tmp can be written",
  );
}

async function removeSocketDirectory(host: string): Promise<void> {
  if (basename(host).startsWith(socketPrefix)) await rm(host, { recursive: true, force: true });
}

interface Listen {
  readonly host: string;
  readonly port: number;
}

/**
 * Removes an empty postmaster.pid, as a power cut leaves it: PostgreSQL would take it for that of a starting server and never
 * start again.
 * The lock is held, and a killed predecessor gets a moment to finish writing it.
 */
async function removeEmptyPid(cluster: string): Promise<void> {
  const path = join(cluster, "postmaster.pid");
  const isEmpty = async () => (await readFile(path, "utf8").catch(() => "absent")).trim() === "";
  for (let waitedMs = 0; await isEmpty(); waitedMs += emptyPidLookMs) {
    if (waitedMs >= emptyPidMs) return rm(path, { force: true });
    await wait(emptyPidLookMs);
  }
}

async function launch(
  runner: PostgresRunner,
  directory: string,
  listen: Listen,
  settings: Readonly<Record<string, string>>,
): Promise<number> {
  await removeEmptyPid(runner.cluster);
  const stale = readPostmaster(runner.cluster);
  if (stale !== undefined && isProcessAlive(stale.pid) && isStranger(stale.pid)) {
    // The pid now belongs to another process, which PostgreSQL would take for a running server; the lock is held.
    await rm(join(runner.cluster, "postmaster.pid"), { force: true });
  }
  const all: Record<string, string> = { ...durableSettings, ...settings };
  if (process.platform === "win32") {
    Object.assign(all, { listen_addresses: listen.host, port: String(listen.port), unix_socket_directories: "" });
  } else {
    Object.assign(all, {
      listen_addresses: "",
      port: "5432",
      // Quoted, because a comma or quote in the path would be read as a list of folders.
      unix_socket_directories: `"${listen.host.replaceAll('"', '""')}"`,
      unix_socket_permissions: "0700",
    });
  }
  const args = ["-D", runner.cluster, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  const logFile = await open(join(directory, "postgres.log"), "a", 0o600);
  try {
    if (process.platform !== "win32") return await runner.start("postgres", args, logFile.fd);
    // On Windows pg_ctl drops administrator rights, which postgres refuses.
    const quoted = args.slice(2).map((arg) => `"${arg.replaceAll('"', '\\"')}"`);
    const logPath = join(directory, "postgres.log");
    await runner.run("pg_ctl", ["start", "-W", "-D", runner.cluster, "-l", logPath, "-o", quoted.join(" ")]);
    for (let waited = 0; waited < 5_000; waited += 50) {
      const started = readPostmaster(runner.cluster);
      if (started !== undefined) return started.pid;
      await wait(50);
    }
    throw new Error(`PostgreSQL did not start, see ${logPath}`);
  } finally {
    await logFile.close();
  }
}

async function lastLogLines(directory: string): Promise<string> {
  const text = await readFile(join(directory, "postgres.log"), "utf8").catch(() => "");
  return text.trimEnd().split("\n").slice(-6).join("\n");
}

/** Errors of a PostgreSQL that will accept connections later. */
function isNotReadyYet(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === "57P03" || code === "ECONNREFUSED" || code === "ENOENT" || code === "ECONNRESET" || code === "53300";
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, application_name: "herdwise" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

interface Ready {
  readonly postmaster: Postmaster;
  readonly version: string;
}

/** Waits until PostgreSQL answers queries, including its recovery after a crash. */
async function waitUntilReady(
  cluster: string,
  pid: number,
  directory: string,
  readyTimeoutMs = defaultReadyTimeoutMs,
): Promise<Ready> {
  const administrator = await superuserOf(directory);
  const deadline = Date.now() + readyTimeoutMs;
  for (let pause = 5; Date.now() < deadline; pause = Math.min(pause * 1.5, 100)) {
    if (!isProcessAlive(pid)) {
      throw new Error(`PostgreSQL ended while starting. The end of its log:\n${await lastLogLines(directory)}`);
    }
    const postmaster = readPostmaster(cluster);
    if (postmaster?.pid === pid && postmaster.status === "ready") {
      try {
        return await withClient(connectionUrl(postmaster, administrator, "postgres"), async (client) => {
          const { rows } = await client.query<{ version: string; directory: string }>(
            `SELECT current_setting('server_version') AS version, current_setting('data_directory') AS directory`,
          );
          const [row] = rows;
          if (row === undefined || row.directory !== cluster) {
            throw new Error(`The PostgreSQL at ${postmaster.host} serves ${row?.directory}, not ${cluster}`);
          }
          return { postmaster, version: row.version.split(" ")[0] ?? row.version };
        });
      } catch (error) {
        if ((error as { code?: unknown }).code === "28P01") {
          throw new Error(
            `PostgreSQL refuses the password in ${superuserPasswordPath(directory)}: remove that file, and the next start ` +
              "sets another",
            { cause: error },
          );
        }
        if (!isNotReadyYet(error)) throw error;
      }
    }
    await wait(pause);
  }
  throw new Error(
    `PostgreSQL (process ${pid}) does not answer after ${readyTimeoutMs / 1000} s; it goes on recovering and the next ` +
      `start finds it again. The end of its log:\n${await lastLogLines(directory)}`,
  );
}

/** Creates the application's role and database, or upgrades those of an earlier version. */
async function prepareDatabase(
  directory: string,
  { superuserUrl }: Pick<EmbeddedPostgres, "superuserUrl">,
  log: DatabaseLog,
): Promise<void> {
  await withClient(superuserUrl("postgres"), async (client) => {
    await prepareApplicationRole(client, directory);
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [defaultDatabase]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${defaultDatabase}`);
  });
  await withClient(superuserUrl(defaultDatabase), async (client) => {
    const things = await handOver(client);
    if (things > 0) log.info({ things }, "The database belongs to the application's role now");
  });
}

async function waitUntilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isProcessAlive(pid)) {
    if (Date.now() > deadline) return false;
    await wait(10);
  }
  return true;
}

/** Stops a postmaster: connections are cut and a checkpoint is written; if that hangs, without the checkpoint. */
async function shutDown(runner: PostgresRunner, pid: number, log: DatabaseLog): Promise<void> {
  function send(signal: NodeJS.Signals): void {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
  if (process.platform === "win32") {
    await runner.run("pg_ctl", ["stop", "-D", runner.cluster, "-m", "fast", "-t", String(fastShutdownMs / 1000)]);
    return;
  }
  send("SIGINT");
  if (await waitUntilGone(pid, fastShutdownMs)) return;
  log.warn({ pid }, "PostgreSQL did not stop in time; the next start will recover from its log");
  send("SIGQUIT");
  if (await waitUntilGone(pid, 10_000)) return;
  send("SIGKILL");
  await waitUntilGone(pid, 5_000);
}

async function capLog(directory: string): Promise<void> {
  const path = join(directory, "postgres.log");
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= logLimitBytes) return;
  // PostgreSQL keeps the file open for appending, so it is copied and truncated instead of renamed.
  await copyFile(path, `${path}.1`);
  await truncate(path, 0);
}

async function checkCluster(cluster: string): Promise<void> {
  const version = (await readFile(join(cluster, "PG_VERSION"), "utf8").catch(() => "")).trim();
  if (version === majorVersion) return;
  throw new Error(
    version === ""
      ? `${cluster} exists but holds no PostgreSQL cluster; move it away or choose another DATA_DIR`
      : `${cluster} was written by PostgreSQL ${version}, this one is ${majorVersion}; restore a backup into a new DATA_DIR`,
  );
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/**
 * Runs the PostgreSQL of the npm packages on `<directory>/postgres`. It creates the cluster at the first start, adopts one that
 * still runs after its server was killed, and restarts one that ends.
 * @throws DirectoryInUseError when another running server owns the directory
 * @throws Error that tells what to do when PostgreSQL can't be run or does not answer within 60 s
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { directory, log, settings = {} } = options;
  await makeDataFolder(directory);
  const lock = await acquireDirectoryLock(lockPath(directory));
  try {
    if (await exists(join(directory, unfinishedRestoreName))) {
      throw new Error(`A restore into ${directory} was interrupted; run it again before starting the server`);
    }
    const runner = await choosePostgresRunner({
      directory,
      log,
      ...(options.runners === undefined ? {} : { kinds: options.runners }),
    });
    await removeDrafts(runner.cluster);
    if (!(await exists(runner.cluster))) {
      const begun = Date.now();
      await createCluster(runner, directory, settings.fsync !== "off");
      log.info({ cluster: runner.cluster, tookMs: Date.now() - begun }, "PostgreSQL cluster created");
    }
    await checkCluster(runner.cluster);
    return await runCluster(options, runner, lock.release);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function runCluster(
  options: EmbeddedPostgresOptions,
  runner: PostgresRunner,
  release: () => void,
): Promise<EmbeddedPostgres> {
  const { directory, log, settings = {} } = options;
  const { cluster } = runner;

  let found = findPostmaster(cluster);
  if (found?.status === "stopping") {
    await waitUntilGone(found.pid, defaultReadyTimeoutMs);
    found = undefined;
  }
  if (found !== undefined && (await superuserOf(directory)).password === undefined) {
    // A cluster of an earlier version has no password; it is set while PostgreSQL is stopped.
    await shutDown(runner, found.pid, log);
    found = undefined;
  }
  let adopted = found !== undefined;
  let pid: number;
  if (found !== undefined) {
    pid = found.pid;
  } else {
    const before = readPostmaster(cluster);
    if (before !== undefined) await removeSocketDirectory(before.host);
    if (runner.owner !== undefined) await giveOwnership(cluster, runner.owner);
    await requirePasswords(runner, directory);
    const listen: Listen =
      process.platform === "win32"
        ? { host: "127.0.0.1", port: await freePort() }
        : { host: await makeSocketDirectory(runner), port: 5432 };
    pid = await launch(runner, directory, listen, settings);
  }
  const { postmaster, version } = await waitUntilReady(cluster, pid, directory, options.readyTimeoutMs).catch(
    (error) => {
      // A predecessor that was killed while starting PostgreSQL may have left one that had not written its pid yet.
      const other = adopted ? undefined : findPostmaster(cluster);
      if (other === undefined || other.pid === pid) throw error;
      pid = other.pid;
      adopted = true;
      return waitUntilReady(cluster, pid, directory, options.readyTimeoutMs);
    },
  );
  const listen: Listen = { host: postmaster.host, port: postmaster.port };
  log.info(
    { pid, version, adopted, runner: runner.kind, cluster },
    adopted ? "PostgreSQL adopted" : "PostgreSQL started",
  );
  await prepareDatabase(directory, await addressesOf(directory, postmaster), log);
  const addresses = await addressesOf(directory, postmaster);

  let stopping = false;
  let reviving: Promise<void> | undefined;
  let logCheckedAt = Date.now();

  async function revive(): Promise<void> {
    log.error({ pid }, "PostgreSQL is gone; starting it again");
    for (let pauseMs = 50; !stopping; pauseMs = Math.min(pauseMs * 2, 5_000)) {
      try {
        if (listen.host !== cluster && listen.host.startsWith("/")) await restoreSocketDirectory(listen.host, runner);
        pid = await launch(runner, directory, listen, settings);
        await waitUntilReady(cluster, pid, directory);
        log.info({ pid }, "PostgreSQL started again");
        return;
      } catch (error) {
        // Children of a killed postmaster need a moment to end; a full disk may need a person.
        log.error({ error: (error as Error).message }, "PostgreSQL could not be started again yet");
        if (!isProcessAlive(pid)) await wait(pauseMs);
      }
    }
  }

  const watch = setInterval(() => {
    if (Date.now() - logCheckedAt > logCheckEveryMs) {
      logCheckedAt = Date.now();
      capLog(directory).catch((error: Error) => log.warn({ error: error.message }, "postgres.log could not be cut"));
    }
    if (reviving !== undefined || stopping || isProcessAlive(pid)) return;
    reviving = revive().finally(() => {
      reviving = undefined;
    });
  }, watchEveryMs);
  watch.unref();

  let stopped: Promise<void> | undefined;
  async function stop(): Promise<void> {
    stopping = true;
    clearInterval(watch);
    try {
      await reviving;
      await shutDown(runner, pid, log);
      await removeSocketDirectory(listen.host);
      log.info({ pid }, "PostgreSQL stopped");
    } finally {
      release();
    }
  }

  return {
    ...addresses,
    get pid() {
      return pid;
    },
    version,
    adopted,
    runner: runner.kind,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

async function restoreSocketDirectory(path: string, runner: PostgresRunner): Promise<void> {
  if (existsSync(path)) return;
  await mkdir(path, { mode: 0o700 });
  if (runner.owner !== undefined) await chown(path, runner.owner.uid, runner.owner.gid);
}
