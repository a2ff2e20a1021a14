import { abnormalOrders } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { dayIn, tradeOf } from "../harness/trade.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app);
});
afterAll(() => app.close());

const rows = async (token = trade.tokens.sales, query: Record<string, string> = {}) => {
  const { status, body } = await app.call({
    path: `${abnormalOrders.path}/page`,
    query: { size: "100", ...query },
    token,
  });
  const { records = [] } = (body.data ?? {}) as { records?: { id: string; reason: string; orderState: string }[] };
  return { status, reasons: Object.fromEntries(records.map(({ id, reason }) => [id, reason])), records };
};

test("an order is abnormal as long as something in it is late or wrong, by its worst reason", async () => {
  const { query, post, done, tokens } = trade;
  const ordered = async (more: object = {}) => {
    const { order } = await trade.accepted(await trade.published({ heads: 50, ...more }), 50);
    await trade.paid(order, "prepayment");
    return order;
  };
  const aged = (order: string, days: number) =>
    query("update sale_orders set state_at = now() - make_interval(days => $2) where id = $1", [order, days]);
  const dayOf = (order: string, day: string) =>
    query("update sale_plans p set day = $2 from sale_orders o where o.id = $1 and o.plan = p.id", [order, day]);
  const fine = await ordered();
  const soon = await ordered({ day: dayIn(1) });
  const missed = await ordered({ day: dayIn(1) });
  await dayOf(missed, dayIn(-2));
  const loading = await ordered();
  const transit = await trade.cleared(loading, "豫R3K627", 50);
  await done(post("order/load", { id: loading, version: 2 }, tokens.sales));
  expect((await rows()).reasons).toEqual({ [soon]: "no_vehicle", [missed]: "not_loaded" });

  await aged(loading, 2);
  expect((await rows()).reasons[loading]).toBe("loading_long");
  await trade.weighed(loading, "豫R3K627", 50, 19_500_000, 13_500_000);
  await done(post("order/weigh", { id: loading, version: 3 }, tokens.sales));
  expect((await rows()).reasons[loading]).toBeUndefined();
  await aged(loading, 3);
  expect((await rows()).reasons[loading]).toBe("not_settled");
  const settlement = await done(post("settlement/submit", { order: loading }, tokens.sales));
  await done(post("settlement/confirm", { id: settlement, version: 1 }, tokens.admin));
  expect((await rows()).reasons[loading]).toBeUndefined();
  await aged(loading, 4);
  expect((await rows()).reasons[loading]).toBe("not_paid");
  // What happened on the way comes before what is not paid.
  await query(
    "insert into transit_flags (transit, tenant_id, kind, from_at, to_at) select id, tenant_id, 'gap', now() - interval '1 hour', now() from transits where id = $1",
    [transit],
  );
  expect((await rows(tokens.sales, { reason: "way" })).reasons).toEqual({ [loading]: "way" });
  expect((await rows()).reasons[fine]).toBeUndefined();

  // Nobody but the group's staff has the list.
  expect((await rows(tokens.owner)).status).toBe(403);
  const vehicle = await trade.vehicle(soon, "豫R0", 50);
  expect((await rows()).reasons[soon]).toBeUndefined();
  expect(vehicle).not.toBe("");
});
