import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../tests/harness/database.ts";
import { distributedTables, obstacles } from "./distribution.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase(1);
});
afterAll(() => db.drop());

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await db.database.pool.query<Row>(text, values)).rows;

const columns = (of: string) =>
  `array(select a.attname::text from unnest(${of}) with ordinality as k (number, place)
          join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number order by k.place)`;

test("every table that grows with devices can be distributed by device: its unique keys hold the device", async () => {
  const rows = await query<{ table: string; key: string; held: string[] }>(
    `select c.relname as table, i.indexrelid::regclass::text as key, ${columns("i.indkey::int2[]")} as held
       from pg_index i join pg_class c on c.oid = i.indrelid where i.indisunique and c.relname = any($1) order by 1, 2`,
    [distributedTables],
  );
  expect(new Set(rows.map(({ table }) => table))).toEqual(new Set(distributedTables));
  expect(rows.filter(({ held }) => !held.includes("device_id"))).toEqual([]);
  // Tables that are partitioned by time and have a device grow, so all of them must be distributed.
  const growing = await query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'device_id'
      where c.relkind = 'p' order by 1`,
  );
  expect(growing.length).toBeGreaterThan(2);
  expect(growing.filter(({ name }) => !distributedTables.some((table) => table === name))).toEqual([]);
});

test("what is distributed refers to devices alone, and nothing refers to what is distributed", async () => {
  const rows = await query<{ table: string; target: string }>(
    `select c.relname as table, f.confrelid::regclass::text as target from pg_constraint f join pg_class c on c.oid = f.conrelid
      where f.contype = 'f' and f.conparentid = 0 and (c.relname = any($1) or f.confrelid::regclass::text = any($1))`,
    [distributedTables],
  );
  expect(rows.filter(({ target }) => target !== "devices")).toEqual([]);
});

test("no view or function needs the row of a distributed table as a value", async () => {
  const rows = await query<{ name: string }>(
    `select v.relname as name from pg_rewrite r join pg_class v on v.oid = r.ev_class
       join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_proc'::regclass
       join pg_proc p on p.oid = d.refobjid join pg_type t on t.oid = any(p.proargtypes::oid[])
       join pg_class c on c.oid = t.typrelid where c.relname = any($1)`,
    [distributedTables],
  );
  expect(rows).toEqual([]);
});

test("an ordinary PostgreSQL is told what it lacks", async () => {
  const [citus] = await query("select 1 from pg_extension where extname = 'citus'");
  if (citus !== undefined) return;
  const client = await db.database.pool.connect();
  try {
    expect(await obstacles(client, [])).toEqual([
      "The extension citus is not in this database: create extension citus",
    ]);
  } finally {
    client.release();
  }
});
