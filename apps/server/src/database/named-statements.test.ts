import { afterAll, beforeAll, expect, test } from "vitest";
import { createEmptyDatabase, type TestDatabase } from "../../../../tests/harness/database.ts";

let db: TestDatabase;
beforeAll(async () => {
  // One connection, so that its statements can be inspected.
  db = await createEmptyDatabase(1);
  await db.database.pool.query("create table pigs (id int, name text)");
  await db.database.pool.query("insert into pigs values (1, 'a'), (2, 'b')");
});
afterAll(() => db.drop());

const named = async (): Promise<string[]> =>
  (
    await db.database.pool.query<{ statement: string }>(
      "select statement from pg_prepared_statements order by prepare_time",
    )
  ).rows.map(({ statement }) => statement);

test("a statement that comes again is parsed once; what came once, or may be several, has no name", async () => {
  const { pool } = db.database;
  const text = "select name from pigs where id = $1";
  for (let at = 0; at < 3; at += 1) {
    await pool.query("select 1");
    await pool.query("select 1; select 2", []);
    await pool.query("set time zone 'UTC'", []);
  }
  await pool.query(text, [1]);
  expect(await named()).toEqual([]);
  for (let at = 0; at < 5; at += 1) expect((await pool.query(text, [2])).rows).toEqual([{ name: "b" }]);
  const count = "select count(*)::int as count from pigs";
  for (let at = 0; at < 3; at += 1) expect((await pool.query(count, [])).rows).toEqual([{ count: 2 }]);
  expect(await named()).toEqual([text, count]);
});

test("a table that was changed since costs nobody an answer", async () => {
  const { pool } = db.database;
  const text = "select * from pigs where id = $1 order by id";
  for (let at = 0; at < 3; at += 1) await pool.query(text, [1]);
  await pool.query("alter table pigs add weight int default 7");
  expect((await pool.query(text, [1])).rows).toEqual([{ id: 1, name: "a", weight: 7 }]);
  const client = await pool.connect();
  await client.query(text, [1]);
  await client.query("alter table pigs add age int default 3");
  expect((await client.query(text, [1])).rows).toEqual([{ id: 1, name: "a", weight: 7, age: 3 }]);
  client.release();
  // Inside a transaction the statement fails like any other may; the next one works.
  await pool.query("begin");
  await pool.query(text, [1]);
  await pool.query("alter table pigs add sex text");
  await expect(pool.query(text, [1])).rejects.toThrow(/transaction is aborted|cached plan/);
  await pool.query("rollback");
  expect((await pool.query(text, [1])).rows).toHaveLength(1);
});

test("a connection keeps a bounded number of them, and what was given back works again", async () => {
  const { pool } = db.database;
  const texts = Array.from({ length: 260 }, (_, at) => `select $1::int + ${at} as sum`);
  for (const text of texts) for (let at = 0; at < 2; at += 1) await pool.query(text, [1]);
  expect((await named()).length).toBeLessThanOrEqual(200);
  expect((await pool.query(texts[0] as string, [1])).rows).toEqual([{ sum: 1 }]);
});
