import { chmod, mkdir, mkdtemp, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { scratchFolder } from "../../../../tests/harness/scratch-folder.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { silentLog } from "./log.ts";
import { postgresPasswordNames } from "./postgres-roles.ts";
import { choosePostgresRunner, giveOwnership } from "./postgres-runner.ts";
import { isProcessAlive } from "./process-identity.ts";

let folder: string;
let directory: string;
const running: EmbeddedPostgres[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(await scratchFolder(), "herdwise-roles-"));
  await chmod(folder, 0o755);
  directory = join(folder, "data");
});

afterEach(async () => {
  for (const postgres of running.splice(0)) await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ directory, log: silentLog, settings: { fsync: "off" } });
  running.push(postgres);
  return postgres;
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const results = (await client.query<Row>(text)) as pg.QueryResult<Row> | pg.QueryResult<Row>[];
    return Array.isArray(results) ? (results.at(-1)?.rows ?? []) : results.rows;
  } finally {
    await client.end();
  }
}

const withoutPassword = (url: string): string => url.replace(/:[^:@/]+@/, ":@");
const withWrongPassword = (url: string): string => url.replace(/:[^:@/]+@/, ":guess@");

async function expectClosed(postgres: EmbeddedPostgres): Promise<void> {
  for (const url of [postgres.url(), postgres.superuserUrl("postgres"), postgres.superuserUrl("template1")]) {
    await expect(query(withoutPassword(url), "SELECT 1")).rejects.toThrow(/password/);
    await expect(query(withWrongPassword(url), "SELECT 1")).rejects.toThrow(/password authentication failed/);
  }
}

/** Objects of all kinds that migrations and libraries create, with and without a schema of their own. */
const things = `
  CREATE TYPE public.sex AS ENUM ('sow', 'boar');
  CREATE DOMAIN public.weight AS int CHECK (VALUE > 0);
  CREATE TYPE public.place AS (farm int, pen int);
  CREATE TABLE public.pig (id serial PRIMARY KEY, name text, born bigint GENERATED ALWAYS AS IDENTITY, sex public.sex);
  CREATE TABLE public.reading (at date, n int) PARTITION BY RANGE (at);
  CREATE TABLE public.reading_2026 PARTITION OF public.reading FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
  CREATE SEQUENCE public.number;
  CREATE VIEW public.sows AS SELECT id FROM public.pig WHERE sex = 'sow';
  CREATE FUNCTION public.double(n int) RETURNS int LANGUAGE sql AS 'SELECT n * 2';
  CREATE SCHEMA jobs CREATE TABLE queue (id int);
  INSERT INTO public.pig (name, sex) VALUES ('小猪', 'sow');
  INSERT INTO public.reading VALUES ('2026-11-21', 7);`;

/**
 * A cluster as earlier versions created it: its user may connect without a password, and the superuser owns everything.
 * @returns its pid
 */
async function startEarlierVersion(): Promise<number> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { mode: 0o711 });
  const runner = await choosePostgresRunner({ directory, log: silentLog });
  await mkdir(runner.cluster, { mode: 0o700 });
  if (runner.owner !== undefined) await giveOwnership(runner.cluster, runner.owner);
  const auth = ["--auth-local=trust", "--auth-host=reject"];
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  await runner.run("initdb", [`--pgdata=${runner.cluster}`, "--username=herdwise", "--no-sync", ...locale, ...auth]);
  const log = await open(join(directory, "postgres.log"), "a", 0o600);
  const settings = [
    "listen_addresses=",
    "port=5432",
    `unix_socket_directories="${runner.cluster}"`,
    "unix_socket_permissions=0700",
    "wal_level=replica",
  ].flatMap((setting) => ["-c", setting]);
  const pid = await runner.start("postgres", ["-D", runner.cluster, ...settings], log.fd);
  await log.close();
  const address = (database: string) => `postgres://herdwise@${encodeURIComponent(runner.cluster)}:5432/${database}`;
  await vi.waitFor(() => query(address("postgres"), "SELECT 1"), { timeout: 10_000 });
  await query(address("postgres"), "CREATE DATABASE herdwise");
  await query(address("herdwise"), things);
  return pid;
}

const gone = (pid: number) =>
  vi.waitFor(() => expect(isProcessAlive(pid)).toBe(false), { timeout: 10_000, interval: 20 });

test("a new cluster lets nobody in without a password, and the application's role may do nothing beyond its database", async () => {
  const postgres = await start();
  await expectClosed(postgres);
  for (const name of postgresPasswordNames) expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600);

  await query(postgres.url(), things);
  const [role] = await query<Record<string, boolean>>(
    postgres.url(),
    `SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = current_user`,
  );
  expect(Object.values(role ?? { none: true })).toEqual([false, false, false, false, false]);
  for (const forbidden of [
    "SELECT rolpassword FROM pg_authid",
    "COPY pig TO PROGRAM 'cat'",
    "COPY pig FROM '/etc/passwd'",
    "SELECT pg_read_file('postgresql.conf')",
    "CREATE ROLE another",
    "CREATE DATABASE another",
    "ALTER SYSTEM SET fsync = off",
    "ALTER ROLE herdwise PASSWORD 'x'",
    "SET ROLE herdwise",
  ]) {
    await expect(query(postgres.url(), forbidden), forbidden).rejects.toThrow(/permission denied|must be/);
  }
});

test("passwords outlive a stop, and a lost one is set anew", async () => {
  const first = await start();
  await query(first.url(), things);
  const password = await readFile(join(directory, "postgres-password"), "utf8");
  await first.stop();
  const second = await start();
  expect(await readFile(join(directory, "postgres-password"), "utf8")).toBe(password);
  expect(second.url()).toBe(first.url());
  await second.stop();

  for (const name of postgresPasswordNames) await rm(join(directory, name));
  const third = await start();
  expect(await query(third.url(), "SELECT name FROM pig")).toEqual([{ name: "小猪" }]);
  await expectClosed(third);
  await third.stop();

  await writeFile(join(directory, "postgres-password"), "of another cluster");
  await expect(start()).rejects.toThrow(/refuses the password in .*postgres-password: remove that file/);
  await rm(join(directory, "postgres-password"));
  expect(await query((await start()).url(), "SELECT name FROM pig")).toEqual([{ name: "小猪" }]);
});

test.each(["stopped", "running"])(
  "a data folder of an earlier version, %s, goes on with its rows, closed and in the application's hands",
  async (state) => {
    const pid = await startEarlierVersion();
    if (state === "stopped") {
      process.kill(pid, "SIGINT");
      await gone(pid);
    }
    const postgres = await start();
    expect(isProcessAlive(pid)).toBe(false);
    await expectClosed(postgres);
    const left = await query(
      postgres.superuserUrl("herdwise"),
      `SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
     WHERE relowner = 'herdwise'::regrole AND nspname IN ('public', 'jobs')`,
    );
    expect(left).toEqual([]);
    expect(
      await query(
        postgres.url(),
        `INSERT INTO pig (name, sex) VALUES ('second', 'boar');
       INSERT INTO reading VALUES ('2026-11-22', public.double(4));
       ALTER TABLE pig ADD COLUMN weight public.weight;
       ALTER TYPE sex ADD VALUE 'barrow';
       CREATE OR REPLACE FUNCTION public.double(n int) RETURNS int LANGUAGE sql AS 'SELECT n + n';
       CREATE TABLE reading_2027 PARTITION OF reading FOR VALUES FROM ('2027-01-01') TO ('2028-01-01');
       DROP TABLE reading_2027; DROP VIEW sows; DROP SEQUENCE number; DROP TYPE place;
       CREATE TABLE jobs.another (id int); DROP SCHEMA jobs CASCADE; CREATE SCHEMA jobs;
       SELECT (SELECT count(*)::int FROM pig) AS pigs, (SELECT sum(n)::int FROM reading) AS read`,
      ),
    ).toEqual([{ pigs: 2, read: 15 }]);
  },
);
