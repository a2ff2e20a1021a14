import { AsyncResource } from "node:async_hooks";
import { CamelCasePlugin, Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { currentSpan } from "../tracing/span.ts";
import type { DB } from "./generated/database.ts";
import type { DatabaseLog } from "./log.ts";
import { nameStatements } from "./named-statements.ts";
import { type StatementWatcher, watchStatements } from "./statement-watch.ts";

const connectionTimeoutMs = 5_000;
const statementTimeoutMs = 30_000;
const idleInTransactionTimeoutMs = 30_000;
/** Milliseconds after which an idle connection is closed, because each holds some 10 MB of plans and catalog in PostgreSQL. */
const idleConnectionMs = 10_000;
const oldestMajorVersion = 15;

/**
 * Runs a statement that each connection parses and plans once under its name, and returns rows with the columns as the
 * statement names them.
 * Only for statements whose plan does not depend on their values; a list, for example, is planned for its tenant.
 */
export type Prepared = <Row extends object>(
  statement: { readonly name: string; readonly text: string },
  values: readonly unknown[],
) => Promise<Row[]>;

/** An open pool of connections, for typed and for plain queries (COPY, LISTEN). */
export interface Database {
  /** Names of columns and tables are camelCase here and snake_case in the database; keys inside JSON are unchanged. */
  readonly kysely: Kysely<DB>;
  readonly pool: pg.Pool;
  readonly prepared: Prepared;
  /** Tells a watcher of each statement from now on. */
  watch(watcher: StatementWatcher): void;
  /** Waits for running queries and closes all connections. May be called twice. */
  close(): Promise<void>;
}

/** Options of `openDatabase`. */
export interface DatabaseOptions {
  readonly url: string;
  /** Most connections at a time. */
  readonly poolSize: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly log: DatabaseLog;
}

/** A bigint does not fit a JavaScript number, and a calendar day is no point in time, so both stay text. */
const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(id: number, format?: "text" | "binary") {
    if (id === pg.types.builtins.DATE && format !== "binary") return (text: string) => text;
    return pg.types.getTypeParser(id, format);
  },
};

/** Who waits for a connection would go on in the trace of whoever gives theirs back. */
function keepContexts(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as (callback?: (...words: unknown[]) => void) => unknown;
  (pool as { connect: unknown }).connect = (callback?: (...words: unknown[]) => void) =>
    callback === undefined || currentSpan() === undefined ? connect(callback) : connect(AsyncResource.bind(callback));
}

/**
 * Opens a pool. Connections are opened when needed, so this neither waits nor fails.
 * Queries time out after 30 s, connecting after 5 s, idle transactions after 30 s. Nothing is retried: callers see every error.
 * A restart of the database fails the running queries, and never ends the process.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const { log } = options;
  const watchers: StatementWatcher[] = [];
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: options.applicationName,
    connectionTimeoutMillis: connectionTimeoutMs,
    idleTimeoutMillis: idleConnectionMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    keepAlive: true,
    types: typeParsers,
    // UTC, so that a database of another region does not cut days at its own midnight. No JIT, because compiling takes 100 to
    // 900 ms for each statement, more than a list gains.
    async onConnect(client) {
      await client.query(`SET TIME ZONE 'UTC'; SET jit = off`);
    },
  });
  keepContexts(pool);
  let closed: Promise<void> | undefined;
  // Without listeners Node ends the process when a connection breaks: idle ones report to the pool, borrowed ones here.
  // While the pool is closing such errors are expected.
  const tell = (error: Error, what: string) => {
    if (closed === undefined) log.warn({ error: error.message }, what);
  };
  pool.on("error", (error) => tell(error, "An idle database connection broke"));
  pool.on("connect", (client) => {
    nameStatements(client);
    watchStatements(client, watchers);
    client.on("error", (error) => tell(error, "A database connection broke"));
  });
  const kysely = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  return {
    kysely,
    pool,
    prepared: async <Row extends object>(statement: { name: string; text: string }, values: readonly unknown[]) =>
      (await pool.query<Row>({ ...statement, values: [...values] })).rows,
    watch: (watcher) => void watchers.push(watcher),
    close() {
      // Kysely ends the pool only if it has used it.
      closed ??= kysely.destroy().then(() => (pool.ending ? undefined : pool.end()));
      return closed;
    },
  };
}

/**
 * Reads the version of the database server.
 * @throws Error when it is older than PostgreSQL 15
 * @returns such as `18.4`
 */
export async function checkServerVersion(client: Pick<pg.ClientBase, "query">): Promise<string> {
  const { rows } = await client.query<{ version: string; number: number }>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number`,
  );
  const [row] = rows;
  if (row === undefined || row.number < oldestMajorVersion * 10_000) {
    throw new Error(`This database is PostgreSQL ${row?.version}; version ${oldestMajorVersion} or newer is needed`);
  }
  return row.version.split(" ")[0] ?? row.version;
}
