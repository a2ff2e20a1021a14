import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { scratchFolder } from "../../../../tests/harness/scratch-folder.ts";
import { onThisMachine } from "../../../../tests/harness/time-limit.ts";
import { type EmbeddedPostgres, findRunningPostgres, lockPath, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { silentLog } from "./log.ts";
import { isProcessAlive } from "./process-identity.ts";

const moduleUrl = new URL("./embedded-postgres.ts", import.meta.url).href;
const quick = { fsync: "off" };

let folder: string;
let directory: string;
const running: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(await scratchFolder(), "herdwise-embedded-"));
  await chmod(folder, 0o755);
  directory = join(folder, "data");
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const postgres of running.splice(0)) await postgres.stop();
  const orphan = await findRunningPostgres(directory);
  if (orphan !== undefined) process.kill(orphan.pid, "SIGQUIT");
  await rm(folder, { recursive: true, force: true });
});

async function start(options: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ directory, log: silentLog, settings: quick, ...options });
  running.push(postgres);
  return postgres;
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Starts a separate process that starts the database and prints `started <pid of postgres>`. */
function spawnServer(at: string): ChildProcess {
  const code = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(moduleUrl)});
    const { silentLog } = await import(new URL('./log.ts', ${JSON.stringify(moduleUrl)}));
    const postgres = await startEmbeddedPostgres({ directory: ${JSON.stringify(at)}, log: silentLog, settings: { fsync: 'off' } });
    console.log('started ' + postgres.pid);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  return child;
}

async function startedPid(child: ChildProcess): Promise<number> {
  let output = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      const found = /started (\d+)/.exec(chunk.toString());
      if (found !== null) resolve(Number(found[1]));
    });
    child.once("exit", () => reject(new Error(output)));
  });
}

describe("life of the cluster", () => {
  test("keeps rows over a stop, listens on no TCP port and has checksums, UTF-8 and durable writes", async () => {
    const first = await start({ settings: {} });
    expect(first).toMatchObject({ adopted: false, version: expect.stringMatching(/^18\./) });
    await query(first.url(), `CREATE TABLE pig (name text); INSERT INTO pig VALUES ('小猪')`);
    const settings = await query<{ name: string; setting: string }>(
      first.url(),
      `SELECT name, setting FROM pg_settings WHERE name IN
       ('listen_addresses', 'data_checksums', 'server_encoding', 'fsync', 'synchronous_commit') ORDER BY name`,
    );
    expect(settings.map(({ name, setting }) => `${name}=${setting}`)).toEqual([
      "data_checksums=on",
      "fsync=on",
      "listen_addresses=",
      "server_encoding=UTF8",
      "synchronous_commit=on",
    ]);
    await first.stop();
    expect(isProcessAlive(first.pid)).toBe(false);
    expect(existsSync(lockPath(directory))).toBe(false);
    const second = await start();
    expect(await query(second.url(), "SELECT name FROM pig")).toEqual([{ name: "小猪" }]);
  });

  test("a path too long for a socket still works and leaves no socket folder behind", async () => {
    directory = join(folder, "a-long-folder-name".repeat(8), "data");
    const postgres = await start();
    const [, host] = /@([^:/]+)/.exec(postgres.url()) ?? [];
    const socketFolder = decodeURIComponent(host ?? "");
    expect(socketFolder.startsWith(directory)).toBe(false);
    expect(await query(postgres.url(), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await postgres.stop();
    expect(existsSync(socketFolder)).toBe(false);
  });

  test("a postmaster that is killed comes back within 2 s at the same address, with what was committed", async () => {
    const postgres = await start({ settings: {} });
    await query(postgres.url(), "CREATE TABLE pig (id int); INSERT INTO pig VALUES (1)");
    const before = postgres.pid;
    process.kill(before, "SIGKILL");
    const killedAt = Date.now();
    let rows: unknown[] = [];
    while (rows.length === 0 && Date.now() - killedAt < 10_000) {
      rows = await query(postgres.url(), "SELECT id FROM pig").catch(() => []);
      await wait(20);
    }
    expect(rows).toEqual([{ id: 1 }]);
    expect(Date.now() - killedAt).toBeLessThan(onThisMachine(2_000));
    expect(postgres.pid).not.toBe(before);
  });

  test("an initdb killed in the middle does not hinder the next start", async () => {
    const child = spawnServer(directory);
    const cluster = join(directory, "postgres");
    const draft = (): string | undefined =>
      existsSync(directory) ? readdirSync(directory).find((name) => name.startsWith("postgres.draft-")) : undefined;
    while (draft() === undefined || !existsSync(join(directory, draft() ?? "", "base"))) await wait(5);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(existsSync(cluster)).toBe(false);
    const postgres = await start();
    expect(await query(postgres.url(), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("an empty postmaster.pid, as a power cut leaves it, does not stop the next start", async () => {
    await (await start()).stop();
    await writeFile(join(directory, "postgres", "postmaster.pid"), "");
    expect(await query((await start()).url(), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("a folder named postgres that holds no cluster is refused, not overwritten", async () => {
    await mkdir(join(directory, "postgres"), { recursive: true });
    await writeFile(join(directory, "postgres", "letter.txt"), "mine");
    await expect(start()).rejects.toThrow("holds no PostgreSQL cluster");
    expect(existsSync(lockPath(directory))).toBe(false);
  });
});

describe("R15: one server per directory", () => {
  test("PostgreSQL that outlived its killed server is adopted with its rows, and the stale lock clears", async () => {
    const child = spawnServer(directory);
    const pid = await startedPid(child);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isProcessAlive(pid)).toBe(true);
    const postgres = await start();
    expect(postgres).toMatchObject({ adopted: true, pid });
    expect(await query(postgres.url(), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await postgres.stop();
    expect(isProcessAlive(pid)).toBe(false);
  });

  test("Ctrl-C for the group of the server does not reach PostgreSQL", async () => {
    const pid = await startedPid(spawnServer(directory));
    const group = Number(readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ")[2]);
    expect(group).toBe(pid);
  });

  test("a second server is refused within a second and disturbs nothing", async () => {
    const child = spawnServer(directory);
    await startedPid(child);
    const begun = Date.now();
    await expect(start()).rejects.toThrow(`process ${child.pid}`);
    expect(Date.now() - begun).toBeLessThan(onThisMachine(1_000));
    const lock = JSON.parse(readFileSync(lockPath(directory), "utf8")) as { pid: number };
    expect(lock.pid).toBe(child.pid);
  });

  test("a postmaster.pid whose number went to another process is not adopted", async () => {
    await (await start()).stop();
    const stranger = spawn("/bin/sleep", ["60"]);
    children.push(stranger);
    const cluster = join(directory, "postgres");
    await writeFile(join(cluster, "postmaster.pid"), `${stranger.pid}\n${cluster}\n1\n5432\n${cluster}\n\n\nready\n`);
    const postgres = await start();
    expect(postgres.adopted).toBe(false);
    expect(postgres.pid).not.toBe(stranger.pid);
    expect(stranger.exitCode).toBe(null);
  });
});
