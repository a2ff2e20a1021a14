import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../tests/harness/database.ts";

/**
 * The statements that decision 0024 gives for Citus; they were not run there, but their requirements on the schema can be
 * checked here.
 */
const decision = readFileSync(
  fileURLToPath(new URL("../../../../docs/decisions/0024-roll-ups.md", import.meta.url)),
  "utf8",
);
const named = (what: string) =>
  [...decision.matchAll(new RegExp(`select create_${what}_table\\('(\\w+)'`, "g"))].map(([, table]) => table ?? "");
const distributed = named("distributed");
const references = named("reference");

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase(1);
});
afterAll(() => db.drop());

const columns = (of: string) =>
  `array(select a.attname::text from unnest(${of}) with ordinality as k (number, place)
          join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number order by k.place)`;

test("every table that grows with devices can be distributed by device: its unique keys hold the device", async () => {
  const { rows } = await db.database.pool.query<{ table: string; key: string; held: string[] }>(
    `select c.relname as table, i.indexrelid::regclass::text as key, ${columns("i.indkey::int2[]")} as held
       from pg_index i join pg_class c on c.oid = i.indrelid where i.indisunique and c.relname = any($1) order by 1, 2`,
    [distributed],
  );
  expect(new Set(rows.map(({ table }) => table))).toEqual(new Set(distributed));
  expect(rows.filter(({ held }) => !held.includes("device_id"))).toEqual([]);
  // Tables that are partitioned by time and have a device grow, so all of them must be distributed.
  const { rows: growing } = await db.database.pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'device_id'
      where c.relkind = 'p' order by 1`,
  );
  expect(growing.length).toBeGreaterThan(2);
  expect(growing.filter(({ name }) => !distributed.includes(name))).toEqual([]);
});

test("what is distributed or copied to all nodes refers to tables that are on all of them, and nothing else refers to what is distributed", async () => {
  const { rows } = await db.database.pool.query<{ table: string; target: string; held: string[] }>(
    `select c.relname as table, f.confrelid::regclass::text as target, ${columns("f.conkey")} as held
       from pg_constraint f join pg_class c on c.oid = f.conrelid
      where f.contype = 'f' and f.conparentid = 0
        and (c.relname = any($1) or f.confrelid::regclass::text = any($2))`,
    [[...distributed, ...references], distributed],
  );
  const isFine = ({ table, target, held }: (typeof rows)[number]) =>
    references.includes(target) ||
    (distributed.includes(table) && distributed.includes(target) && held.includes("device_id"));
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter((row) => !isFine(row))).toEqual([]);
});
