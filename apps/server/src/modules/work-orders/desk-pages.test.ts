import { mostFound } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../../tests/harness/database.ts";
import { staffScope as scope } from "../../../../../tests/harness/staff-scope.ts";
import { deskRepository } from "./desk.repository.ts";

let held: TestDatabase;
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await held.database.pool.query<Row>(text, values)).rows;
const count = 3100;

beforeAll(async () => {
  held = await createTestDatabase();
  await query(
    "insert into tenants (tenant_id, name, type) values ('700001', '前湾牧业', 'enterprise'), ('700002', '后山', 'enterprise')",
  );
  await query(
    "insert into accounts (id, account, account_key, type, password_hash) values (10, 'clerk', 'clerk', 'employee', '')",
  );
  // Ids of some forty spans; without a due time the first half of what waits for its customer stands at the end.
  await query(
    `insert into work_orders (id, tenant_id, number, type, state, title, description, assignee_id, first_due_at, first_answered_at, solve_due_at)
     select n * (1::bigint << 42), case n % 4 when 0 then '700002' else '700001' end, 'NO-' || n,
            case n % 3 when 0 then 'complaint' else 'after_sales' end,
            case n % 5 when 0 then 'closed' when 1 then 'waiting_customer' else 'in_process' end, case n % 2 when 0 then '风机响' else '水帘漏' end, '说明',
            case n % 7 when 0 then 10 end, now() + make_interval(mins => n % 97 - 40), case n % 2 when 0 then now() end,
            case when n % 5 <> 1 then now() + make_interval(mins => n % 89 - 40) end
       from generate_series(1, $1::int) n`,
    [count],
  );
});
afterAll(() => held.drop());

const due = "least(case when first_answered_at is null then first_due_at end, solve_due_at)";
const open = "state in ('pending', 'in_process', 'waiting_customer')";
type Filter = Parameters<ReturnType<typeof deskRepository>["page"]>[1];
const lists: readonly [Filter, string, string][] = [
  [{ queue: "all" }, "true", "id desc"],
  [{ queue: "all", type: "complaint" }, "type = 'complaint'", "id desc"],
  [{ queue: "all", assignee: "10" }, "assignee_id = 10", "id desc"],
  [{ queue: "all", keyword: "风机" }, "title like '%风机%'", "id desc"],
  [{ queue: "all", keyword: "湾牧业" }, "tenant_id = '700001'", "id desc"],
  [{ queue: "all", keyword: "no-77" }, "id = 77 * (1::bigint << 42)", "id desc"],
  [{ queue: "open" }, open, `${due}, id`],
  [{ queue: "open", keyword: "水帘" }, `${open} and title like '%水帘%'`, `${due}, id`],
  [{ queue: "overdue" }, `${open} and coalesce(${due} < now(), false)`, `${due}, id`],
  [{ queue: "waiting" }, "state = 'waiting_customer'", `${due}, id`],
  [{ queue: "unassigned" }, `${open} and assignee_id is null`, `${due}, id`],
  [{ queue: "mine", type: "after_sales" }, `${open} and assignee_id = 10 and type = 'after_sales'`, `${due}, id`],
];

describe("the desk's lists", () => {
  test.each(lists)(
    "%j: each page, also deep ones and one behind the end, is that of a plain statement",
    async (filter, where, order) => {
      const expected = (
        await query<{ key: string }>(`select id::text as key from work_orders where ${where} order by ${order}`)
      ).map(({ key }) => key);
      const size = 170;
      for (let offset = 0; offset < expected.length + size; offset += size) {
        const { rows, total } = await deskRepository(held.database.kysely).page(scope, filter, { offset, limit: size });
        expect(total).toBe(expected.length);
        expect(rows.map(({ id }) => id)).toEqual(expected.slice(offset, offset + size));
      }
    },
  );

  test("a word of more orders than are counted has the newest of them, and no page behind", async () => {
    const atOnce = 1007;
    for (let from = 1; from < mostFound + 70; from += atOnce)
      await query(
        `insert into work_orders (id, tenant_id, number, type, title, description, first_due_at)
         select (1::bigint << 60) + n, '700001', 'GS-' || n, 'suggestion', '加药泵停', '说明', now() from generate_series($1::int, $2::int) n`,
        [from, from + atOnce - 1],
      );
    const newest = (
      await query<{ key: string }>(
        "select id::text as key from work_orders where title = '加药泵停' order by work_orders.id desc",
      )
    ).map(({ key }) => key);
    for (const offset of [0, mostFound - 50, mostFound]) {
      const { rows, total } = await deskRepository(held.database.kysely).page(
        scope,
        { queue: "all", keyword: "加药泵" },
        { offset, limit: 100 },
      );
      expect(total).toBe(mostFound);
      expect(rows.map(({ id }) => id)).toEqual(newest.slice(offset, Math.min(offset + 100, mostFound)));
    }
  });

  test("the counts follow what comes and goes", async () => {
    const read = async () => [
      await query<{ type: string; n: number }>(
        "select type, sum(count)::int as n from work_order_counts group by type order by type",
      ),
      await query<{ type: string; n: number }>(
        "select type, count(*)::int as n from work_orders group by type order by type",
      ),
    ];
    const [before, rows] = await read();
    expect(before).toEqual(rows);
    await query("delete from work_orders where id in (select id from work_orders order by id limit 40)");
    await query(
      `insert into work_orders (id, tenant_id, number, type, title, description, first_due_at)
       select n, '700001', 'JY-' || n, 'suggestion', '点子', '说明', now() from generate_series(1, 3) n`,
    );
    const [after, left] = await read();
    expect(after).toEqual(left);
    expect(after).not.toEqual(before);
  });

  test("an order is found by its customer's newest name, also when it was raised while the name changed", async () => {
    const found = async (keyword: string) =>
      (await deskRepository(held.database.kysely).page(scope, { queue: "all", keyword }, { offset: 0, limit: 10 }))
        .total;
    const others = await found("后山");
    expect(others).toBeGreaterThan(100);
    const renaming = await held.database.pool.connect();
    try {
      await renaming.query("begin");
      await renaming.query("update tenants set name = '北坡' where tenant_id = '700002'");
      const raising = query(
        "insert into work_orders (id, tenant_id, number, type, title, description, first_due_at) values (9, '700002', 'SH-9', 'complaint', '晚到', '说明', now())",
      );
      // It waits for the name that is on its way.
      await expect
        .poll(
          async () =>
            (await query("select from pg_stat_activity where wait_event_type = 'Lock' and query like '%SH-9%'")).length,
        )
        .toBeGreaterThan(0);
      await renaming.query("commit");
      await raising;
    } finally {
      renaming.release();
    }
    expect(await found("后山")).toBe(0);
    expect(await found("北坡")).toBe(others + 1);
  });
});
