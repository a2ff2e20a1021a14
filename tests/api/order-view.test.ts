import type { OrderView } from "@herdwise/contract";
import { lineArithmetic } from "@herdwise/contract/settlement";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { dayIn, service, tradeOf } from "../harness/trade.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app);
});
afterAll(() => app.close());

test("an order with its plan, money and weights: to its customer and the group, to the fen, and to nobody else", async () => {
  const { accepted, cleared, done, paid, post, published, query, tokens, weighed } = trade;
  await done(
    post(
      "weight-band/submit",
      {
        bandName: "外三元 120 以下",
        category: "outer",
        fromGrams: 0,
        toGrams: 120_000,
        adjustmentFen: 0,
        validFrom: dayIn(0),
      },
      tokens.admin,
    ),
  );
  await done(
    post(
      "weight-band/submit",
      {
        bandName: "外三元 120 以上",
        category: "outer",
        fromGrams: 120_000,
        toGrams: 200_000,
        adjustmentFen: -10,
        validFrom: dayIn(0),
      },
      tokens.admin,
    ),
  );
  const { order } = await accepted(await published(), 240);
  const look = (token: string) => app.get<OrderView>(`${service}/order/view?id=${order}`, token);
  const seen = async (token: string): Promise<OrderView> => (await look(token)).body.data;
  expect(await seen(tokens.owner)).toMatchObject({ state: "waiting_payment", dueFen: 40_710_000, weighings: [] });
  await paid(order, "prepayment");
  await cleared(order, "豫R3K627", 120);
  await cleared(order, "豫R7D190", 120);
  await done(post("order/load", { id: order, version: 2 }, tokens.sales));
  const wrong = await weighed(order, "豫R3K627", 120, 27_000_000, 13_468_000);
  await done(post("weighing/discard", { id: wrong, version: 2, reason: "车没停稳" }, tokens.sales));
  await weighed(order, "豫R3K627", 120, 27_340_000, 13_468_000);
  await weighed(order, "豫R7D190", 120, 28_187_500, 13_680_000);
  await done(post("order/weigh", { id: order, version: 3 }, tokens.sales));
  const settling = { order, deductionFen: 10_000, deductionReason: "途中死亡" };
  const settlement = await done(post("settlement/submit", settling, tokens.sales));
  // What nobody has confirmed yet changes nothing of what is due.
  expect(await seen(tokens.owner)).toMatchObject({ dueFen: 0, settlement: { id: settlement, state: "computed" } });
  await done(post("settlement/confirm", { id: settlement, version: 1 }, tokens.admin));

  const own = await seen(tokens.owner);
  expect(own).toMatchObject({
    state: "settled",
    heads: 240,
    pricePerKg: 1475,
    expectedFen: 40_710_000,
    paidFen: 40_710_000,
    weighedGrams: 28_379_500,
    dueFen: 994_688,
    plan: { field: "周家营商品场", region: "", day: dayIn(3), category: "outer", fromKg: 110, toKg: 120 },
    payments: [
      { kind: "prepayment", amountFen: 40_710_000, state: "done", receivedOn: dayIn(0) },
      { kind: "balance", amountFen: 994_688, state: "awaited", bankReference: "", receivedOn: "" },
    ],
    weighings: [
      { plate: "豫R3K627", netGrams: 13_872_000, meanGrams: 115_600, state: "confirmed" },
      { plate: "豫R7D190", netGrams: 14_507_500, meanGrams: 120_896, state: "confirmed" },
    ],
    settlement: {
      goodsFen: 41_714_688,
      deductionFen: 10_000,
      deductionReason: "途中死亡",
      taxFen: 0,
      totalFen: 41_704_688,
      leftFen: 994_688,
    },
  });
  expect(own.settlement?.lines.map(lineArithmetic as (line: object) => string)).toEqual([
    "13,872 kg × 14.75 = 204,612.00",
    "14,507.5 kg × 14.65 = 212,534.875 → 212,534.88",
  ]);
  const { cancelled, completed, ...reached } = own.times;
  expect([cancelled, completed]).toEqual(["", ""]);
  const inOrder = Object.values(reached);
  expect(inOrder.every((time) => /^\d{4}-\d\d-\d\d \d\d:/.test(time))).toBe(true);
  expect(inOrder).toEqual(inOrder.toSorted());

  // The buyer's name is for the group's staff.
  const [buyer] = await query<{ name: string }>(
    "select t.name from tenants t join sale_orders o on o.tenant_id = t.tenant_id where o.id = $1",
    [order],
  );
  expect(own.customer).toBe("");
  expect((await seen(tokens.sales)).customer).toBe(buyer?.name);
  expect((await seen(tokens.finance)).number).toBe(own.number);
  expect((await look(tokens.stranger)).status).toBe(404);
});

test("papers of a vehicle that has left stand as they did when it left", async () => {
  const { accepted, cleared, paid, published, query, tokens } = trade;
  const { order } = await accepted(await published(), 60);
  await paid(order, "prepayment");
  await cleared(order, "豫R9A111", 60);
  const papers = async () => {
    const { vehicles } = (await app.get<OrderView>(`${service}/order/view?id=${order}`, tokens.owner)).body.data;
    return vehicles.map(({ disinfection, quarantine }) => [disinfection.state, quarantine.state]);
  };
  // Both certificates end an hour ago.
  await query(
    `update transits set disinfection_until = now() - interval '1 hour', quarantine_until = (now() at time zone 'Asia/Shanghai')::date - 1
      where "order" = $1`,
    [order],
  );
  expect(await papers()).toEqual([["expired", "expired"]]);
  await query(`update transits set departed_at = now() - interval '3 days' where "order" = $1`, [order]);
  expect(await papers()).toEqual([["ok", "ok"]]);
});
