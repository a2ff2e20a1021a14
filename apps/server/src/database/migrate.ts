import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { StartFault } from "../start-fault.ts";
import { checkServerVersion, type Database } from "./connection.ts";
import { hasDistribution } from "./distribution.ts";
import type { DatabaseLog } from "./log.ts";
import { readSums, sumOf } from "./migration-sums.ts";
import { statementsOf } from "./sql-statements.ts";

/** Key of an advisory lock that this program uses for nothing else. */
const lockKey = 7_236_401;

/** Folder of this version's migrations. */
export const migrationsFolder = fileURLToPath(new URL("./migrations/", import.meta.url));

/** File with the name, the checksum and the checksums by earlier releases of each released migration; lines are only added. */
export const sumsFile = "checksums.txt";

/** The database can't be migrated to this server's version in its current state. */
export class MigrationError extends StartFault {
  override readonly name = "MigrationError";
}

interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
  /** Checksums of it by earlier releases. */
  readonly earlier: readonly string[];
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const numbers = new Map<string, string>();
  for (const name of names) {
    const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1];
    if (number === undefined) throw new MigrationError(`${name}: migrations are named like 0001_farms.sql`);
    const twin = numbers.get(number);
    if (twin !== undefined) throw new MigrationError(`${twin} and ${name} have the same number`);
    numbers.set(number, name);
  }
  const listed = readSums(await readFile(join(folder, sumsFile), "utf8").catch(() => ""));
  return Promise.all(
    names.map(async (name) => {
      const text = (await readFile(join(folder, name), "utf8")).replaceAll("\r\n", "\n");
      return { name, text, checksum: sumOf(text), earlier: listed.get(name)?.earlier ?? [] };
    }),
  );
}

interface AppliedRow {
  readonly name: string;
  readonly checksum: string;
}

/** Migrations to apply, after checking that the applied ones are exactly the first of these files. */
function pendingAfter(applied: readonly AppliedRow[], migrations: readonly Migration[]): readonly Migration[] {
  applied.forEach((row, index) => {
    const migration = migrations.find(({ name }) => name === row.name);
    if (migration === undefined) {
      const newest = migrations.at(-1)?.name ?? "none";
      throw new MigrationError(
        `These data were written by a newer version: they have migration ${row.name}, and the newest that this version knows is ${newest}. ` +
          "Nothing was changed. Start the newer version again, or restore a backup that this version made.",
      );
    }
    if (migration.checksum !== row.checksum && !migration.earlier.includes(row.checksum)) {
      throw new MigrationError(
        `${row.name} is not the file that made these data. Nothing was changed. Get an unchanged copy of this version (git status shows ` +
          "what differs, git checkout puts it back) and start again; a change of the tables of your own goes into a new migration.",
      );
    }
    if (migrations[index]?.name !== row.name) {
      throw new MigrationError(
        `${migrations[index]?.name} was never applied to these data, although the later ${row.name} was. Nothing was changed. ` +
          "Get an unchanged copy of this version and start again; a migration of your own gets a number behind all others.",
      );
    }
  });
  return migrations.slice(applied.length);
}

/**
 * How the migrations of a database stand to those of this version, without changing anything.
 * @param applied rows of `schema_migrations` in the order of their names
 * @returns what a start would apply, and why it would refuse to
 */
export async function migrationState(
  applied: readonly AppliedRow[],
  folder = migrationsFolder,
): Promise<{ pending: string[]; fault?: string }> {
  const migrations = await readMigrations(folder);
  try {
    return { pending: pendingAfter(applied, migrations).map(({ name }) => name) };
  } catch (error) {
    if (error instanceof MigrationError) return { pending: [], fault: error.message };
    throw error;
  }
}

/** Line number of a position that PostgreSQL counts in characters from 1. */
function lineAt(text: string, position: string | undefined): string {
  if (position === undefined) return "";
  return ` (line ${[...text].slice(0, Number(position)).filter((character) => character === "\n").length + 1})`;
}

/**
 * @param alone sends each statement alone, as Citus sends the whole text that a definition came in to the nodes
 */
async function apply(client: pg.ClientBase, migration: Migration, alone: boolean): Promise<void> {
  await client.query("BEGIN");
  try {
    // Functions and tables of the nodes are changed over one connection each.
    if (alone) await client.query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
    for (const statement of alone ? statementsOf(migration.text) : [migration.text]) await client.query(statement);
    await client.query("INSERT INTO public.schema_migrations (name, checksum) VALUES ($1, $2)", [
      migration.name,
      migration.checksum,
    ]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    const { message, position } = error as Error & { position?: string };
    throw new MigrationError(
      `${migration.name}${lineAt(migration.text, alone ? undefined : position)}: ${message}. What came before it is kept and nothing of it: the version that ` +
        "you ran before starts with a backup of it (npm run restore). Please report this line.",
      { cause: error },
    );
  }
}

/**
 * Migrates the database to this server's version. Each file runs in its own transaction together with its row in
 * `schema_migrations`, so a kill loses at most the current file, and the next start continues.
 * Servers that start together wait for each other and migrate once.
 * @param folder for tests; by default this version's migrations
 * @returns names of the migrations applied by this call
 * @throws MigrationError when a file fails, was changed after it was applied, or the database is newer
 */
export async function migrate(
  database: Pick<Database, "pool">,
  log: DatabaseLog,
  folder = migrationsFolder,
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const client = await database.pool.connect();
  try {
    await checkServerVersion(client);
    // Waiting for another server's migration, or migrating large tables, may take longer than the time limit of a query.
    await client.query("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0");
    await client.query("SELECT pg_advisory_lock($1)", [lockKey]);
    await client.query(
      `CREATE TABLE IF NOT EXISTS public.schema_migrations (
         name text CONSTRAINT schema_migrations_pk PRIMARY KEY,
         checksum text NOT NULL,
         applied_at timestamptz NOT NULL DEFAULT now())`,
    );
    const { rows } = await client.query<AppliedRow>(
      'SELECT name, checksum FROM public.schema_migrations ORDER BY name COLLATE "C"',
    );
    const pending = pendingAfter(rows, migrations);
    const distributed = pending.length > 0 && (await hasDistribution(client));
    for (const migration of pending) {
      const begun = Date.now();
      await apply(client, migration, distributed);
      log.info({ migration: migration.name, tookMs: Date.now() - begun }, "Migration applied");
    }
    return pending.map(({ name }) => name);
  } finally {
    // Closing the connection releases the lock and the settings, even after an error.
    client.release(true);
  }
}
