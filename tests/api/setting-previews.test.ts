import type { BandPreviewReply, ModelPreviewReply } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { dayIn, service, tradeOf } from "../harness/trade.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
let order: string;
beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app);
  // 50 heads with a mean of 120 kg at 14.75 yuan: 88,500.00 yuan.
  ({ order } = await trade.settled());
});
afterAll(() => app.close());

const ask = async <Reply>(path: string, body: object, token = trade.tokens.sales) => {
  const answer = await app.call({ method: "POST", path: `${service}/${path}/preview`, body, token });
  return { status: answer.status, msg: answer.body.msg, data: answer.body.data as Reply };
};
const draft = (more: object) => ({
  saleRegion: "",
  category: "outer",
  validFrom: dayIn(1),
  status: "1",
  last: 50,
  ...more,
});
const bands = (more: object = {}, token?: string) =>
  ask<BandPreviewReply>(
    "weight-band",
    draft({ fromGrams: 110_000, toGrams: 125_000, adjustmentFen: -10, ...more }),
    token,
  );
const model = (more: object = {}, token?: string) =>
  ask<ModelPreviewReply>(
    "sales-model",
    draft({ mode: "fixed", leastHeads: 20, mostHeads: 100, depositFen: 300, ...more }),
    token,
  );

test("a band is looked at with the other bands of its version, and nothing is saved", async () => {
  const one = (await bands()).data;
  expect(one).toMatchObject({ unsettled: 0, goodsFen: 8_850_000, wouldBeFen: 8_790_000, differenceFen: -60_000 });
  expect(one.rows).toMatchObject([{ id: order, heads: 50, changed: 1, differenceFen: -60_000 }]);
  // It covers no vehicle alone, and with its neighbour it does.
  expect((await bands({ toGrams: 120_000 })).data).toMatchObject({ unsettled: 1, goodsFen: 0 });
  const neighbour = { bandName: "重猪", category: "outer", fromGrams: 120_000, toGrams: 140_000, adjustmentFen: 20 };
  await trade.done(trade.post("weight-band/submit", { ...neighbour, validFrom: dayIn(1) }, trade.tokens.sales));
  expect((await bands({ toGrams: 120_000 })).data.differenceFen).toBe(120_000);
  // The edited row counts as it is typed, not as it is stored.
  const [stored] = await trade.query<{ id: string }>("select id::text from weight_bands where band_name = '重猪'");
  const edited = { id: stored?.id, fromGrams: 100_000, toGrams: 140_000, adjustmentFen: 5 };
  expect((await bands(edited)).data.differenceFen).toBe(30_000);
  expect(await trade.query("select from weight_bands where category = 'outer'")).toHaveLength(1);
});

test("a setting of a region is looked at on its own orders, and one for all on those of the others", async () => {
  const region = await trade.done(
    trade.post("region/submit", { regionName: "试验大区", provinces: ["41"], sort: 1 }, trade.tokens.admin),
  );
  expect((await bands({ saleRegion: region, fromGrams: 0 })).data.rows).toEqual([]);
  await trade.query("update sale_fields set sale_region = $1 where id = $2", [region, trade.field]);
  const whole = { fromGrams: 0, toGrams: 900_000, validFrom: dayIn(2) };
  expect((await bands({ saleRegion: region, ...whole })).data.rows).toHaveLength(1);
  expect((await bands(whole)).data.rows).toHaveLength(1);
  const own = { bandName: "大区自己的", saleRegion: region, category: "outer", fromGrams: 0, toGrams: 900_000 };
  await trade.done(
    trade.post("weight-band/submit", { ...own, adjustmentFen: 0, validFrom: dayIn(1) }, trade.tokens.sales),
  );
  expect((await bands(whole)).data.rows).toEqual([]);
  // It does not hold yet on the day before.
  expect((await bands({ ...whole, validFrom: dayIn(0) })).data.rows).toHaveLength(1);
  await trade.query("update sale_fields set sale_region = null where id = $1", [trade.field]);
});

test("a model is looked at by heads and deposit, for bidding on past lots", async () => {
  expect((await model()).data).toMatchObject({ accepted: 1, refused: 0, depositFen: 0, wouldBeFen: 15_000 });
  expect((await model({ leastHeads: 51 })).data).toMatchObject({
    accepted: 0,
    refused: 1,
    wouldBeFen: 0,
    rows: [{ id: order, verdict: "too_few" }],
  });
  expect((await model({ mode: "bidding" })).data.rows).toEqual([]);
  const plan = await trade.published({ mode: "fixed" });
  await trade.query(
    `insert into lots (id, tenant_id, number, plan, heads, reserve_per_kg, step_fen, deposit_fen, soft_close_minutes, participants, bid_on,
                       bid_times, opens_at, ends_at, state)
     values (1, '000000', 'JP-1', $1, 150, 1400, 5, 200, 2, '{personal}', current_date, '09:00-10:00', now() - interval '2 hours',
             now() - interval '1 hour', 'failed')`,
    [plan],
  );
  expect((await model({ mode: "bidding" })).data).toMatchObject({
    refused: 1,
    depositFen: 30_000,
    rows: [{ number: "JP-1", verdict: "too_many" }],
  });
  // Cancelled orders are no sales.
  await trade.query("update sale_orders set state = 'cancelled' where id = $1", [order]);
  expect((await model()).data.rows).toEqual([]);
});

test("what is wrong is refused at its field, and customers ask in vain", async () => {
  expect([(await bands({ toGrams: 110_000 })).status, (await model({ leastHeads: 101 })).status]).toEqual([400, 400]);
  expect((await bands({ validFrom: "2026-02-30" })).status).toBe(400);
  expect((await bands({}, trade.tokens.owner)).status).toBe(403);
  expect((await model({}, trade.tokens.finance)).status).toBe(403);
});
