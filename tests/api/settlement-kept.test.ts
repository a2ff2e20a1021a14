import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { tradeOf } from "../harness/trade.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app);
});
afterAll(() => app.close());

/** Another value of each type of column. */
const otherOf: Readonly<Record<string, string>> = {
  bigint: "coalesce(X, 0) + 1",
  integer: "X + 1",
  text: "X || 'x'",
  jsonb: `jsonb_set(X, '{0,goodsFen}', '1')`,
  "timestamp with time zone": "X + interval '1 second'",
};
/** Columns that the step which confirms or discards a settlement writes. */
const steps = ["state", "state_at", "version", "updated_by", "updated_at"];

// Until when its rest is awaited is no figure of it: payments keep it up to date.
test("no column of a settlement is changed: none once it is confirmed, before that only its state", async () => {
  const { query, settled } = trade;
  const { settlement } = await settled({ deductionFen: 10_000, deductionReason: "途中死亡" });
  const columns = await query<{ name: string; type: string }>(
    "select column_name as name, data_type as type from information_schema.columns where table_name = 'settlements' and column_name <> 'rest_by'",
  );
  expect(columns.length).toBeGreaterThan(15);
  const change = (name: string, type: string) =>
    query(`update settlements set "${name}" = ${(otherOf[type] ?? "").replace("X", `"${name}"`)} where id = $1`, [
      settlement,
    ]);
  const before = await query("select * from settlements where id = $1", [settlement]);
  for (const { name, type } of columns) await expect(change(name, type), name).rejects.toThrow("is final");
  await expect(query("delete from settlements where id = $1", [settlement])).rejects.toThrow("is final");
  expect(await query("select * from settlements where id = $1", [settlement])).toEqual(before);

  const client = await app.test.database.pool.connect();
  try {
    await client.query("begin; set local session_replication_role = replica");
    await client.query("update settlements set state = 'computed' where id = $1", [settlement]);
    await client.query("commit");
  } finally {
    client.release();
  }
  for (const { name, type } of columns)
    if (!steps.includes(name)) await expect(change(name, type), name).rejects.toThrow("are final");
});
