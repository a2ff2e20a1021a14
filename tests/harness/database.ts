import { createHash, randomBytes } from "node:crypto";
import { hostname } from "node:os";
import pg from "pg";
import { inject } from "vitest";
import { type Database, openDatabase } from "../../apps/server/src/database/connection.ts";
import { silentLog } from "../../apps/server/src/database/log.ts";
import { isProcessAlive } from "../../apps/server/src/database/process-identity.ts";

/** What the global set-up tells the test files. */
export interface TestServer {
  /** Address of the server's maintenance database. */
  readonly url: string;
  /** Pid of the run, part of the names of its databases. */
  readonly run: string;
  /** Addresses of the maintenance databases of all nodes, the coordinator first, where telemetry is distributed; else `url` alone. */
  readonly nodes: readonly string[];
}

/** A database of one test file. */
export interface TestDatabase {
  readonly url: string;
  readonly database: Database;
  /** Closes `database` and removes it, also while others are connected. */
  drop(): Promise<void>;
}

// A server may be shared: runs of other machines, whose pids mean nothing here, are left alone.
const prefix = `herdwise_test_${createHash("sha256").update(hostname()).digest("hex").slice(0, 6)}_`;
/** Names this run, for `TestServer`. */
export const thisRun = String(process.pid);
/** Advisory lock, in the maintenance database, around clones: a template that is being cloned can't be cloned. */
const cloneLock = 7_236_402;

/** What a run clones: `migrated` has tables alone, `seeded` also what every installation has and the demo. */
const templates = ["migrated", "seeded"] as const;
export type Template = (typeof templates)[number];

/** Number of nodes with rows of devices; 0 where they are not distributed. */
export const workers = (): number => inject("testServer").nodes.length - 1;

/** Name of the database that a run clones. */
export function templateName(run: string, template: Template): string {
  return `${prefix}${run}_template_${template}`;
}

/** The address of another database on the same server. */
export function urlOf(serverUrl: string, database: string): string {
  const end = serverUrl.indexOf("?");
  const [base, query] = end < 0 ? [serverUrl, ""] : [serverUrl.slice(0, end), serverUrl.slice(end)];
  return `${base.replace(/^(\w+:\/\/[^/]*)(\/.*)?$/, "$1")}/${database}${query}`;
}

/** Runs `use` with one connection to the server's maintenance database. */
export async function onServer<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Removes the databases of runs whose process is gone, and of `finished`. */
export async function removeDeadRuns(nodes: readonly string[], finished?: string): Promise<void> {
  for (const url of nodes) await removeDeadRunsOf(url, finished);
}

async function removeDeadRunsOf(url: string, finished?: string): Promise<void> {
  await onServer(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT datname AS name FROM pg_database WHERE datname LIKE '${prefix.replaceAll("_", "\\_")}%'`,
    );
    for (const { name } of rows) {
      const run = name.slice(prefix.length).split("_")[0] ?? "";
      if (run !== finished && isProcessAlive(Number(run))) continue;
      await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
    }
  });
}

/** Makes a database of a run by copying another one. @param template name of what is copied */
export async function createDatabase(
  { url, run, nodes }: TestServer,
  template: string,
  label: string,
): Promise<{ url: string; name: string; drop(): Promise<void> }> {
  const name = `${prefix}${run}_${label}_${randomBytes(6).toString("hex")}`;
  // Of a distributed database each node has its part under the same name; a database without tables is one of the coordinator alone.
  const places = template === "template0" ? [url] : nodes;
  await Promise.all(
    places.map((node) =>
      onServer(node, async (client) => {
        await client.query("SELECT pg_advisory_lock($1)", [cloneLock]);
        // Copying files takes half the time of copying through the log while nothing is flushed to the disk.
        await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
      }),
    ),
  );
  const drop = () => dropDatabase(places, name);
  return { url: urlOf(url, name), name, drop };
}

/** Removes a database on all its nodes, also while others are connected. */
export async function dropDatabase(nodes: readonly string[], name: string): Promise<void> {
  const drop = (node: string) =>
    onServer(node, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  // Citus begins its maintenance of a database anew at times: PostgreSQL waits five seconds for it and gives up.
  for (const node of nodes)
    await drop(node).catch((error: { code?: string }) => (error.code === "55006" ? drop(node) : Promise.reject(error)));
}

async function open(template: string, label: string, poolSize: number): Promise<TestDatabase> {
  const { url, drop } = await createDatabase(inject("testServer"), template, label);
  const database = openDatabase({ url, poolSize, applicationName: "herdwise-test", log: silentLog });
  return {
    url,
    database,
    async drop() {
      await database.close();
      await drop();
    },
  };
}

/** Connections of their own to a test's database, as another server has them. `drop` closes them and leaves the database. */
export function openAnother({ url }: TestDatabase, poolSize = 5): TestDatabase {
  const database = openDatabase({ url, poolSize, applicationName: "herdwise-test", log: silentLog });
  return { url, database, drop: () => database.close() };
}

/** A new migrated database without rows, a clone of the run's template. Call `drop` when done; what is left goes with the run. */
export function createTestDatabase(poolSize = 5): Promise<TestDatabase> {
  return open(templateName(inject("testServer").run, "migrated"), "clone", poolSize);
}

/** A new database with the demo, whose secrets are those of `testSecretKey` and `testPasswordWork`. */
export function createSeededDatabase(poolSize = 5): Promise<TestDatabase> {
  return open(templateName(inject("testServer").run, "seeded"), "seeded", poolSize);
}

/** A new database without any table, for tests of the migrations themselves. */
export function createEmptyDatabase(poolSize = 5): Promise<TestDatabase> {
  return open("template0", "empty", poolSize);
}
