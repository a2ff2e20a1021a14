import { type SaleFigures, type SaleReport, saleReport, saleReportBy } from "@herdwise/contract";
import { exactSum, halfEven } from "@herdwise/contract/money";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedDemoArchives } from "../../apps/server/src/database/seeds/demo-archives.ts";
import { seedDemoPrices } from "../../apps/server/src/database/seeds/demo-prices.ts";
import { seedDemoTrade } from "../../apps/server/src/database/seeds/demo-trade.ts";
import { seedDemoTradeSettings } from "../../apps/server/src/database/seeds/demo-trade-settings.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { dayIn } from "../harness/trade.ts";

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await createTestApp();
  const { kysely } = app.test.database;
  await seedDemoArchives(kysely, app.personalCipher, app.nextId);
  await seedDemoPrices(kysely, app.nextId);
  await seedDemoTradeSettings(kysely, app.nextId);
  await seedDemoTrade(kysely, app.personalCipher, app.nextId);
  token = await app.logIn("zhaomin");
});
afterAll(() => app.close());

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query(text, values)).rows as Row[];
const asked = async (of: { from: string; to: string; by: string }, by = token) => {
  const { status, body } = await app.call({ path: saleReport.path, query: of, token: by });
  return { status, msg: body.msg, report: body.data as SaleReport };
};

/** The figures of a span from its lines, by other statements than the report's. */
async function linesOf(from: string, to: string): Promise<Partial<SaleFigures>> {
  const span = "join sale_plans p on p.id = o.plan where p.day between $1 and $2";
  const numbers = async (text: string): Promise<number[]> =>
    (await query<{ n: string | null }>(text, [from, to])).map(({ n }) => Number(n));
  const [orders, cancelled, loaded, nets, goods] = await Promise.all([
    numbers(`select o.heads as n from sale_orders o ${span} and o.state <> 'cancelled'`),
    numbers(`select 1 as n from sale_orders o ${span} and o.state = 'cancelled'`),
    numbers(
      `select w.heads as n from weighings w join sale_orders o on o.id = w."order" ${span} and w.state = 'confirmed'`,
    ),
    numbers(
      `select s.net_grams as n from settlements s join sale_orders o on o.id = s."order" ${span} and s.state = 'confirmed' order by s.id`,
    ),
    numbers(
      `select s.goods_fen as n from settlements s join sale_orders o on o.id = s."order" ${span} and s.state = 'confirmed' order by s.id`,
    ),
  ]);
  const plans = await numbers(
    "select heads as n from sale_plans where day between $1 and $2 and state in ('approved', 'published', 'closed')",
  );
  const net = exactSum(nets);
  return {
    plannedHeads: exactSum(plans),
    soldHeads: exactSum(orders),
    orders: orders.length,
    cancelledOrders: cancelled.length,
    loadedHeads: exactSum(loaded),
    netGrams: net,
    goodsFen: exactSum(goods),
    ...(net > 0 && { meanFenPerKg: halfEven(BigInt(exactSum(goods)) * 1000n, net) }),
  };
}

const sums = [
  "plannedHeads",
  "offeredHeads",
  "soldHeads",
  "loadedHeads",
  "orders",
  "cancelledOrders",
  "netGrams",
  "goodsFen",
  "deadGrams",
] as const;

test.each(saleReportBy)("a report by %s is the sum of its lines, whatever the span", async (by) => {
  for (const [from, to] of [
    [dayIn(-90), dayIn(6)],
    [dayIn(-33), dayIn(-7)],
    [dayIn(-8), dayIn(-8)],
    [dayIn(400), dayIn(401)],
  ] as const) {
    const { report } = await asked({ from, to, by });
    expect(report.total).toMatchObject(await linesOf(from, to));
    for (const key of sums) expect(exactSum(report.rows.map((row) => row[key]))).toBe(report.total[key]);
  }
});

test("prices stand beside the market's, and days run from the plan to the money", async () => {
  const { report } = await asked({ from: dayIn(-60), to: dayIn(-10), by: "category" });
  const [row] = report.rows;
  expect(row).toMatchObject({ key: "outer" });
  const [market] = await query<{ fen: string }>(
    `select sum(s.net_grams * m.fen) / sum(s.net_grams) as fen from settlements s join sale_orders o on o.id = s."order" join sale_plans p on p.id = o.plan
      join lateral (select avg(e.fen) as fen from price_entries e where e.price_day = p.day and e.breed = p.category and e.state = 'published') m on true
     where s.state = 'confirmed' and p.day between $1 and $2`,
    [dayIn(-60), dayIn(-10)],
  );
  expect(Math.abs((row?.marketFenPerKg ?? 0) - Number(market?.fen))).toBeLessThanOrEqual(0.5);
  expect(Math.abs((row?.meanFenPerKg ?? 0) - (row?.marketFenPerKg ?? 0))).toBeLessThan(100);
  expect(row?.daysToMoney).toBeGreaterThan(2);
  expect(row?.daysToMoney).toBeLessThan(10);
});

test("a step shows at once, also beside others of its day", async () => {
  const day = { from: dayIn(-90), to: dayIn(10), by: "field" };
  const before = (await asked(day)).report.total;
  const orders = await query<{ id: string; version: number; heads: number }>(
    "select id::text, version, heads from sale_orders where state = 'waiting_payment' and lot is null",
  );
  expect(orders.length).toBeGreaterThan(0);
  const answers = await Promise.all(
    orders.map(({ id, version }) =>
      app.call({
        method: "POST",
        path: "/api/muyuan-trade/order/cancel",
        body: { id, version, reason: "不要了" },
        token,
      }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const reports = await Promise.all(Array.from({ length: 4 }, () => asked(day)));
  for (const { report } of reports)
    expect(report.total).toMatchObject({
      soldHeads: before.soldHeads - exactSum(orders.map(({ heads }) => heads)),
      cancelledOrders: before.cancelledOrders + orders.length,
    });
  expect(await query("select id from sale_day_marks")).toEqual([]);
});

test("only the group sees it, and a span has its bounds", async () => {
  const span = { from: dayIn(-9), to: dayIn(0), by: "month" };
  expect((await asked(span, await app.logIn("farm"))).status).toBe(403);
  expect(await asked({ ...span, to: dayIn(-10) })).toMatchObject({
    status: 400,
    msg: "报表要 1 到 1830 天，结束不早于开始",
  });
  expect((await asked({ ...span, from: "2026-02-31" })).status).toBe(400);
  expect((await asked({ ...span, from: "2000-01-01" })).status).toBe(400);
});
