import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../../../../tests/harness/database.ts";
import { isInTurn } from "../../../../tests/harness/volume.ts";
import { silentLog } from "./log.ts";
import { migrate, migrationsFolder, sumsFile } from "./migrate.ts";
import { plainSql, readSums, sumOf } from "./migration-sums.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const releases = join(root, "tests/releases");
const list = readFileSync(join(migrationsFolder, sumsFile), "utf8");
const names = readdirSync(migrationsFolder)
  .filter((name) => name.endsWith(".sql"))
  .sort();

/** Description of everything in a schema in which an upgraded database could differ from a new one. */
async function schemaOf({ database }: TestDatabase): Promise<string[]> {
  const { rows } = await database.pool.query<{ line: string }>(`
    with own as (
      select c.* from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and not c.relispartition and c.relkind in ('r', 'p', 'v', 'm', 'S', 'i', 'I'))
    select format('column %s.%s %s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
             case when a.attnotnull then 'not null' end, pg_get_expr(d.adbin, d.adrelid), nullif(a.attidentity, '')) as line
      from own c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum where c.relkind in ('r', 'p', 'v', 'm')
    union all
    select format('constraint %s.%s %s', c.relname, x.conname, pg_get_constraintdef(x.oid))
      from own c join pg_constraint x on x.conrelid = c.oid and x.contype <> 'n'
    union all
    select format('index %s', pg_get_indexdef(i.indexrelid)) from own c join pg_index i on i.indrelid = c.oid
    union all
    select format('trigger %s', pg_get_triggerdef(t.oid)) from own c join pg_trigger t on t.tgrelid = c.oid and not t.tgisinternal
    union all
    select format('view %s %s', c.relname, pg_get_viewdef(c.oid)) from own c where c.relkind in ('v', 'm')
    union all
    select format('function %s', pg_get_functiondef(p.oid))
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      left join pg_depend e on e.objid = p.oid and e.deptype = 'e'
     where n.nspname = 'public' and e.objid is null and p.prokind <> 'a'
    order by 1`);
  return rows.map(({ line }) => line);
}

/** Number of rows in each table. */
async function countsOf({ database }: TestDatabase): Promise<Map<string, number>> {
  const { rows } = await database.pool.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition",
  );
  const counts = new Map<string, number>();
  for (const { name } of rows) {
    const counted = await database.pool.query<{ count: number }>(`select count(*)::int as count from "${name}"`);
    counts.set(name, counted.rows[0]?.count ?? 0);
  }
  return counts;
}

describe("R41: what an earlier release wrote", () => {
  const dumps = readdirSync(releases).filter((name) => name.endsWith(".sql.gz"));

  test("is kept of each release", () => {
    expect(dumps.length).toBeGreaterThan(1);
  });

  test.each(dumps)("%s opens: every row is there, and the schema is that of a fresh installation", async (name) => {
    const [old, fresh] = await Promise.all([createEmptyDatabase(1), createTestDatabase(1)]);
    try {
      await old.database.pool.query(gunzipSync(readFileSync(join(releases, name))).toString("utf8"));
      await old.database.pool.query("set search_path to default; set session_replication_role to default");
      const before = await countsOf(old);
      expect([...before.values()].filter((count) => count > 0).length).toBeGreaterThan(20);
      await migrate(old.database, silentLog);
      const after = await countsOf(old);
      const lost = [...before].filter(([table, count]) => (after.get(table) ?? 0) < count);
      expect(lost).toEqual([]);
      expect(await schemaOf(old)).toEqual(await schemaOf(fresh));
    } finally {
      await Promise.all([old.drop(), fresh.drop()]);
    }
  });
});

/** Steps of the migrations at which one run kills the server; each run others, the long one at every step. */
const killedAt = names.filter((_, at) => isInTurn(at, 50));
test(`R24: a server that is killed within ${killedAt.length} of ${names.length} migrations goes on each time, to the schema of a fresh installation`, async () => {
  const [killed, fresh] = await Promise.all([createEmptyDatabase(2), createTestDatabase(1)]);
  const here = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  // The process stops inside of the transaction of the named migration, after its statements and before its commit.
  const code = `
    const { openDatabase } = await import(${here("./connection.ts")});
    const { silentLog } = await import(${here("./log.ts")});
    const { migrate } = await import(${here("./migrate.ts")});
    const database = openDatabase({ url: ${JSON.stringify(killed.url)}, poolSize: 1, applicationName: 'killed', log: silentLog });
    const connect = database.pool.connect.bind(database.pool);
    database.pool.connect = async () => {
      const client = await connect();
      const query = client.query.bind(client);
      let step = '';
      client.query = async (text, values) => {
        if (values?.length === 2) step = values[0];
        if (text === 'COMMIT' && step === process.argv[1]) {
          console.log('inside');
          await new Promise(() => setInterval(() => undefined, 1000));
        }
        return query(text, values);
      };
      return client;
    };
    await migrate(database, silentLog);`;
  try {
    for (const name of killedAt) {
      const child = spawn(process.execPath, ["--input-type=module", "-e", code, name], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      child.kill("SIGKILL");
      await once(child, "exit");
      const { rows } = await killed.database.pool.query<{ name: string }>(
        'select name from schema_migrations order by name collate "C"',
      );
      // Those before it are whole; of it there is nothing.
      expect(rows.map((row) => row.name)).toEqual(names.slice(0, names.indexOf(name)));
    }
    expect(await migrate(killed.database, silentLog)).toEqual(names.slice(names.indexOf(killedAt.at(-1) as string)));
    expect(await schemaOf(killed)).toEqual(await schemaOf(fresh));
  } finally {
    await Promise.all([killed.drop(), fresh.drop()]);
  }
});

describe("released migrations never change", () => {
  test("the list of sums names every migration in order, and each does what it did", () => {
    const sums = readSums(list);
    const listed = [...sums.keys()].toSorted();
    expect(names.filter((name) => !sums.has(name))).toEqual([]);
    expect(listed.filter((name) => !names.includes(name))).toEqual([]);
    const changed = names.filter(
      (name) => sumOf(readFileSync(join(migrationsFolder, name), "utf8")) !== sums.get(name)?.sum,
    );
    expect(changed).toEqual([]);
  });

  test("in the history of the list lines were only added", () => {
    const log = execFileSync(
      "git",
      ["log", "-p", "--first-parent", "-m", "--format=", "--", join(migrationsFolder, sumsFile)],
      {
        cwd: root,
        encoding: "utf8",
      },
    );
    expect(log.split("\n").filter((line) => /^-[^-]/.test(line))).toEqual([]);
  });
});

describe("the sum of a migration", () => {
  test.each([
    ["comments", "create table a (id int); -- told\n", "create table a (id int); -- told otherwise\n"],
    ["blocks of comments", "select 1;", "/* why */ select 1;"],
    ["blanks and line ends", "select\n  1;", "select 1;\r\n"],
  ])("does not depend on %s", (_what, one, other) => {
    expect(sumOf(one)).toBe(sumOf(other));
  });

  test.each([
    ["a type", "create table a (id int)", "create table a (id bigint)"],
    ["a text that looks like a comment", "select '-- a'", "select '-- b'"],
    ["blanks in a text", "select 'a  b'", "select 'a b'"],
    ["a name in quotes", 'select "a--b"', 'select "a--c"'],
    ["the body of a function", "do $$ begin -- a\nend $$", "do $$ begin -- b\nend $$"],
    ["the body of a function with a word", "do $do$ '$$' -- a\n$do$", "do $do$ '$$' -- b\n$do$"],
    ["a text with a quote that is escaped", "select e'\\'-- a'", "select e'\\'-- b'"],
  ])("depends on %s", (_what, one, other) => {
    expect(plainSql(one)).not.toBe(plainSql(other));
  });
});
