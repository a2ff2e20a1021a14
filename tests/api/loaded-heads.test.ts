import type { Movement, Page } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { dayIn, tradeOf } from "../harness/trade.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
let unit: string;
beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app, 400);
  const idOf = async (path: string, body: object): Promise<string> => {
    const answer = await app.call({
      method: "POST",
      path: `/api/muyuan-farm/${path}/submit`,
      body,
      token: trade.tokens.admin,
    });
    expect([path, answer.status]).toEqual([path, 200]);
    return (answer.body.data as { id: string }).id;
  };
  // The field with the code T1 is the farm with that code.
  const farm = { code: "T1", name: "周家营商品场", type: "commercial", principal: "周建平", regionCode: "411325" };
  const farmId = await idOf("farm", farm);
  const houseId = await idOf("house", { farmId, code: "H3", name: "3 号舍", pigstyType: "fattening" });
  const own = { houseId, code: "U1", name: "1 单元", pigstyType: "fattening", capacity: 5000, category: "fattener" };
  unit = await idOf("unit", own);
  await arrive("fattener", 1000);
  await arrive("sow", 3);
});
afterAll(() => app.close());

async function arrive(category: string, heads: number): Promise<void> {
  const answer = await app.call({
    method: "POST",
    path: "/api/muyuan-farm/inventory/submit",
    body: { unitId: unit, kind: "arrival", category, heads },
    token: trade.tokens.admin,
  });
  expect(answer.status).toBe(200);
}

/** A paid order of the unit with a vehicle that may be loaded. */
async function confirmed(heads: number, more: object = {}): Promise<string> {
  const { accepted, paid, published, cleared } = trade;
  const { order } = await accepted(await published({ unit, heads, ...more }), heads);
  await paid(order, "prepayment");
  await cleared(order, "豫R3K627", heads);
  return order;
}
const load = (order: string) => trade.post("order/load", { id: order, version: 2 }, trade.tokens.sales);
const numberOf = async (order: string) =>
  (await trade.query<{ number: string }>("select number from sale_orders where id = $1", [order]))[0]?.number ?? "";
/** Heads of the unit, and what the order moved. */
async function heads(order: string) {
  const [row] = await trade.query<{ heads: number }>("select head_count as heads from units where id = $1", [unit]);
  const moved = await trade.query<{ kind: string; heads: number; counted: number | null; reason: string }>(
    "select kind, heads, counted_heads as counted, reason from inventory_movements where sale_order = $1 order by id",
    [order],
  );
  return { unit: row?.heads, moved };
}

test("the heads of an order leave its unit when it is loaded, and the unit's history names the order", async () => {
  const order = await confirmed(100);
  expect(await heads(order)).toEqual({ unit: 1003, moved: [] });
  await trade.done(load(order));
  const number = await numberOf(order);
  expect(await heads(order)).toEqual({
    unit: 903,
    moved: [{ kind: "sale", heads: -100, counted: null, reason: number }],
  });
  const page = await app.get<Page<Movement>>(
    `/api/muyuan-farm/inventory/page?unitId=${unit}&kind=sale`,
    trade.tokens.admin,
  );
  expect(page.body.data.records).toMatchObject([{ kind: "sale", heads: -100, headsAfter: 903, reason: number }]);
  const entries = await trade.query(
    "select from audit_entries where resource = 'unit' and row_id = $1 and changes::text like '%903%'",
    [unit],
  );
  expect(entries).toHaveLength(1);

  // 98 were weighed: a line of its own corrects what left, once for each weighing.
  const { done, post, tokens, weighed } = trade;
  const weighing = await weighed(order, "豫R3K627", 98, 25_000_000, 13_500_000);
  await done(post("order/weigh", { id: order, version: 3 }, tokens.sales));
  expect((await heads(order)).moved.slice(1)).toEqual([
    { kind: "correction", heads: 2, counted: 902, reason: `${number} 100 → 98` },
  ]);
  await done(post("order/reweigh", { id: order, version: 4, reason: "数错了" }, tokens.sales));
  await done(post("weighing/discard", { id: weighing, version: 2, reason: "数错了" }, tokens.sales));
  await weighed(order, "豫R3K627", 101, 25_400_000, 13_500_000);
  await done(post("order/weigh", { id: order, version: 5 }, tokens.sales));
  expect((await heads(order)).moved.slice(2)).toEqual([
    { kind: "correction", heads: -3, counted: 899, reason: `${number} 98 → 101` },
  ]);
  expect((await heads(order)).unit).toBe(902);
  // Weighed again with the same heads, nothing moves.
  await done(post("order/reweigh", { id: order, version: 6, reason: "再看一次" }, tokens.sales));
  await done(post("order/weigh", { id: order, version: 7 }, tokens.sales));
  expect((await heads(order)).moved).toHaveLength(3);
});

test("an order that is cancelled before it was loaded moves nothing", async () => {
  const order = await confirmed(50);
  const before = (await heads(order)).unit;
  await trade.done(trade.post("order/call-off", { id: order, version: 2, reason: "疫情封控" }, trade.tokens.sales));
  expect(await heads(order)).toEqual({ unit: before, moved: [] });
  expect((await load(order)).status).toBe(409);
  expect((await heads(order)).unit).toBe(before);
});

test("loaded ten times at once, the heads leave once", async () => {
  const order = await confirmed(60);
  const before = (await heads(order)).unit ?? 0;
  const answers = await Promise.all(Array.from({ length: 10 }, () => load(order)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  expect((await heads(order)).unit).toBe(before - 60);
  // The database itself takes no second movement of the kind.
  await expect(
    trade.query(
      `insert into inventory_movements (id, tenant_id, unit_id, kind, category, heads, sale_order, happened_at)
       values (1, '000000', $1, 'sale', 'fattener', -60, $2, now())`,
      [unit, order],
    ),
  ).rejects.toThrow("inventory_movements_sale_order_unique");
});

test("a loading that breaks off at its end has moved nothing, and goes through the next time", async () => {
  const order = await confirmed(40);
  const before = (await heads(order)).unit ?? 0;
  // The last statements of the step fail, as when the server is killed before it commits.
  await trade.query(`create function break_off() returns trigger language plpgsql as $$
    begin raise exception 'killed'; end $$`);
  await trade.query(
    "create trigger broken before insert on audit_entries for each row when (new.resource = 'sale_order') execute function break_off()",
  );
  expect((await load(order)).status).toBe(500);
  await trade.query("drop trigger broken on audit_entries");
  expect(await heads(order)).toEqual({ unit: before, moved: [] });
  expect(await trade.stateOf("sale_orders", order)).toBe("confirmed");
  await trade.done(load(order));
  expect((await heads(order)).unit).toBe(before - 40);
});

test("heads that are not there don't leave, and none of another category do", async () => {
  const { query, refused } = trade;
  const order = await confirmed(70);
  const [there] = await query<{ heads: number }>(
    "select sum(heads)::int as heads from inventory_movements where unit_id = $1 and category = 'fattener'",
    [unit],
  );
  const gone = { unitId: unit, kind: "death", category: "fattener", heads: (there?.heads ?? 0) - 69 };
  const answer = await app.call({
    method: "POST",
    path: "/api/muyuan-farm/inventory/submit",
    body: gone,
    token: trade.tokens.admin,
  });
  expect(answer.status).toBe(200);
  expect(await refused(load(order))).toEqual([400, "1 单元 这个类别的存栏只有 69 头，要出 70 头，请先核对存栏台账"]);
  expect(await heads(order)).toEqual({ unit: 72, moved: [] });
  await arrive("fattener", 1);
  await trade.done(load(order));
  expect(await heads(order)).toMatchObject({ unit: 3, moved: [{ heads: -70 }] });
});

test("what was loaded of a plan is planned no longer", async () => {
  await arrive("fattener", 300);
  const { accepted, cleared, done, paid, planOf, post, published, tokens } = trade;
  await trade.query("update sale_plans set state = 'closed' where unit = $1 and state = 'published'", [unit]);
  const first = await published({ unit, heads: 200 });
  const { order } = await accepted(first, 120);
  await paid(order, "prepayment");
  await cleared(order, "豫R3K627", 120);
  await done(load(order));
  // 180 are there, of which 80 are still planned.
  const plan = async (count: number) => {
    const id = await done(post("plan/submit", planOf({ unit, heads: count, day: dayIn(4) }), tokens.sales));
    return (await post("plan/approve", { id, version: 1 }, tokens.admin)).msg;
  };
  expect(await plan(104)).toBe("1 单元 没有被计划占用的只剩 103 头");
  expect(await plan(103)).toBe("操作成功");
});
