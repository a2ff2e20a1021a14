import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase, onServer, type TestDatabase } from "../../../../tests/harness/database.ts";
import { checkServerVersion, openDatabase } from "./connection.ts";
import { silentLog } from "./log.ts";

let here: TestDatabase;

beforeAll(async () => {
  here = await createTestDatabase();
});

afterAll(() => here.drop());

test("bigint and date arrive as text, instants as Date, JSON keys unchanged, the zone is UTC, no plan is compiled", async () => {
  const { rows } = await sql`
    SELECT 9007199254740993::bigint AS big_number, DATE '2026-11-21' AS day_only,
           timestamptz '2026-11-21 08:00:00+08' AS at_instant, '{"snake_key": 1}'::jsonb AS settings,
           current_setting('TimeZone') AS time_zone, current_setting('jit') AS jit`.execute(here.database.kysely);
  expect(rows).toEqual([
    {
      bigNumber: "9007199254740993",
      dayOnly: "2026-11-21",
      atInstant: new Date("2026-11-21T00:00:00Z"),
      settings: { snake_key: 1 },
      timeZone: "UTC",
      jit: "off",
    },
  ]);
});

test("connections that the database cuts cost the query in flight, never the process", async () => {
  const lent = await here.database.pool.connect();
  const slow = here.database.pool.query("SELECT pg_sleep(10)").catch((error: Error) => error);
  await onServer(here.url, async (client) => {
    // On a busy machine the connection may still be opening, and can't be cut yet.
    await vi.waitFor(
      async () => {
        const running = await client.query("SELECT FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(10)'");
        expect(running.rowCount).toBe(1);
      },
      { timeout: 10_000 },
    );
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  });
  expect(await slow).toBeInstanceOf(Error);
  await expect(lent.query("SELECT 1")).rejects.toThrow();
  lent.release(true);
  // An idle connection learns of its end a moment later, and may cost one more query.
  await vi.waitFor(async () => expect((await here.database.pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]));
});

test("an unreachable database is an error within the connection time", async () => {
  const nowhere = openDatabase({
    url: "postgres://nobody@127.0.0.1:1/none",
    poolSize: 1,
    applicationName: "test",
    log: silentLog,
  });
  await expect(nowhere.pool.query("SELECT 1")).rejects.toThrow("ECONNREFUSED");
  await nowhere.close();
  await nowhere.close();
});

test("a server that is too old is named", async () => {
  const old = { query: () => Promise.resolve({ rows: [{ version: "14.9", number: 140_009 }] }) };
  await expect(checkServerVersion(old as never)).rejects.toThrow(
    "This database is PostgreSQL 14.9; version 15 or newer",
  );
});
