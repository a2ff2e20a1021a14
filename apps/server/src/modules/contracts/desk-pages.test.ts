import { mostFound } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../../tests/harness/database.ts";
import { staffScope as scope } from "../../../../../tests/harness/staff-scope.ts";
import { contractRepository } from "./contract.repository.ts";

let held: TestDatabase;
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await held.database.pool.query<Row>(text, values)).rows;
const count = 1500;
const insert = (from: string, title: string, state: string) => `
  insert into contracts (id, tenant_id, number, template_id, template_version, kind, state, title, title_en, amount_fen, start_day, end_day,
    sign_days, sign_by, sent_at, signed_at)
  select n, case n % 4 when 0 then '700002' else '700001' end, 'HT-' || n, 7, 1, 'service', ${state}, ${title},
         case n % 2 when 0 then 'Fans' else '100%' end, n, '2026-01-01', current_date + n % 90,
         14, now() + make_interval(hours => n % 97 - 40), now() - make_interval(hours => n % 7 + n % 60 * 24),
         case when ${state} in ('signed', 'ended') then now() - make_interval(days => n % 60) end
    from ${from} n`;

beforeAll(async () => {
  held = await createTestDatabase();
  await query(
    "insert into tenants (tenant_id, name, type) values ('700001', '前湾牧业', 'enterprise'), ('700002', '后山', 'enterprise')",
  );
  await query("insert into contract_templates (id, template_name) values (7, '服务')");
  await query(
    insert(
      "generate_series(1, $1::int)",
      "case n % 2 when 0 then '风机服务' else '水帘服务' end",
      "(array['draft', 'sent', 'seen', 'signed', 'signed', 'rejected', 'withdrawn', 'expired', 'ended'])[1 + n % 9]",
    ),
    [count],
  );
});
afterAll(() => held.drop());

const waiting = "state in ('sent', 'seen')";
const urgent = `${waiting} and sign_by < now() + interval '2 days'`;
const ending = "state = 'signed' and end_day <= (now() at time zone 'Asia/Shanghai')::date + 30";
type Filter = Parameters<ReturnType<typeof contractRepository>["deskPage"]>[1];
const lists: readonly [Filter, string, string][] = [
  [{ queue: "all" }, "true", "id desc"],
  [{ queue: "waiting" }, waiting, "sign_by, id"],
  [{ queue: "overdue" }, urgent, "sign_by, id"],
  [{ queue: "returned" }, "state in ('rejected', 'expired')", "id desc"],
  [{ queue: "ending" }, ending, "end_day, id"],
  [{ queue: "all", keyword: "风机" }, "title like '%风机%'", "id desc"],
  [{ queue: "all", keyword: "fAN" }, "title_en = 'Fans'", "id desc"],
  [{ queue: "all", keyword: "0%" }, "title_en = '100%'", "id desc"],
  [{ queue: "all", keyword: "湾牧业" }, "tenant_id = '700001'", "id desc"],
  [{ queue: "all", keyword: "t-77" }, "number like 'HT-77%'", "id desc"],
  [{ queue: "all", keyword: "ht-77" }, "number = 'HT-77'", "id desc"],
  [{ queue: "waiting", keyword: "水帘" }, `${waiting} and title like '%水帘%'`, "sign_by, id"],
  [{ queue: "ending", keyword: "后山" }, `${ending} and tenant_id = '700002'`, "end_day, id"],
  [{ queue: "inForce", keyword: "不存在" }, "false", "id desc"],
];

describe("the desk's contracts", () => {
  test.each(lists)(
    "%j: each page, also one behind the end, is that of a plain statement",
    async (filter, where, order) => {
      const expected = (
        await query<{ key: string }>(`select id::text as key from contracts where ${where} order by ${order}`)
      ).map(({ key }) => key);
      const size = 170;
      for (let offset = 0; offset < expected.length + size; offset += size) {
        const { rows, total } = await contractRepository(held.database.kysely).deskPage(scope, filter, {
          offset,
          limit: size,
        });
        expect(total).toBe(expected.length);
        expect(rows.map(({ id }) => id)).toEqual(expected.slice(offset, offset + size));
      }
    },
  );

  test("the figures are those of a plain statement", async () => {
    const recent = "signed_at > now() - interval '30 days'";
    const [expected] = await query(
      `select (count(*) filter (where ${waiting}))::int as waiting, (count(*) filter (where ${urgent}))::int as overdue,
              (count(*) filter (where state = 'draft'))::int as draft, (count(*) filter (where state in ('rejected', 'expired')))::int as returned,
              (count(*) filter (where state = 'signed'))::int as "inForce", (count(*) filter (where ${ending}))::int as ending,
              (count(*) filter (where ${recent}))::int as signed, (sum(amount_fen) filter (where ${recent}))::float8 as "signedFen",
              (percentile_cont(0.5) within group (order by extract(epoch from signed_at - sent_at) / 3600) filter (where ${recent}))::float8 as hours
         from contracts`,
    );
    expect(await contractRepository(held.database.kysely).figures(scope)).toEqual(expected);
    expect(Object.values(expected ?? {})).not.toContain(0);
  });

  test("a contract is found by its customer's newest name", async () => {
    const found = async (keyword: string) =>
      (
        await contractRepository(held.database.kysely).deskPage(
          scope,
          { queue: "all", keyword },
          { offset: 0, limit: 10 },
        )
      ).total;
    const others = await found("后山");
    expect(others).toBe(count / 4);
    await query("update tenants set name = '北坡' where tenant_id = '700002'");
    expect(await found("后山")).toBe(0);
    expect(await found("北坡")).toBe(others);
    await query("update tenants set name = '后山' where tenant_id = '700002'");
  });

  test("a word of more contracts than are counted has the first of them, and no page behind", async () => {
    await query(insert("generate_series(1000001, $1::int)", "'加药泵停'", "'sent'"), [1_000_070 + mostFound]);
    for (const [queue, order] of [
      ["all", "id desc"],
      ["waiting", "sign_by, id"],
    ] as const) {
      const first = (
        await query<{ key: string }>(
          `select id::text as key from contracts where title = '加药泵停' order by ${order.replaceAll("id", "contracts.id")}`,
        )
      ).map(({ key }) => key);
      for (const offset of [0, mostFound - 50, mostFound]) {
        const { rows, total } = await contractRepository(held.database.kysely).deskPage(
          scope,
          { queue, keyword: "加药泵" },
          { offset, limit: 100 },
        );
        expect(total).toBe(mostFound);
        expect(rows.map(({ id }) => id)).toEqual(first.slice(offset, Math.min(offset + 100, mostFound)));
      }
    }
  });
});
