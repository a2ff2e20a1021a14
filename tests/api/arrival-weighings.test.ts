import { arrivalProcess } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { everyStep, passerBy } from "../harness/every-step.ts";
import { tradeOf } from "../harness/trade.ts";
import { picture, upload } from "../harness/upload.ts";
import { ticketOf, weigh, weighbridgeOf } from "../harness/weighbridge.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
/** Weighbridges of the customer, of another customer, and of the group. */
let own: string;
let others: string;
let groups: string;
let photo: string;

beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app);
  own = await weighbridgeOf(app, "100002", "ABATTOIR");
  others = await weighbridgeOf(app, "100001", "ABATTOIR");
  groups = await weighbridgeOf(app, "000000", "T1");
  photo = await uploaded(trade.tokens.owner);
});
afterAll(() => app.close());

/** A shared picture of whoever uploads it. */
const uploaded = async (token: string): Promise<string> =>
  (await upload(app, token, await picture("jpeg"), "ticket.jpg", { query: { visibility: "shared" } })).body.data.name;

/** Net at loading, g; 2 % of it are 120 kg. */
const loadedGrams = 6_000_000;
const tare = 13_500_000;
let plates = 0;
/** A weighed order whose vehicle is on its way. */
async function underway(): Promise<{ order: string; plate: string; transit: string }> {
  const { accepted, cleared, done, paid, post, published, tokens, weighed } = trade;
  plates += 1;
  const plate = `豫P${String(20_000 + plates)}`;
  const { order } = await accepted(await published({ heads: 50 }), 50);
  await paid(order, "prepayment");
  const transit = await cleared(order, plate, 50);
  await done(post("order/load", { id: order, version: 2 }, tokens.sales));
  await done(post("transit/load", { id: transit, version: 4 }, tokens.sales));
  await weighed(order, plate, 50, tare + loadedGrams, tare);
  await done(post("order/weigh", { id: order, version: 3 }, tokens.sales));
  await done(post("transit/depart", { id: transit, version: 5 }, tokens.sales));
  return { order, plate, transit };
}
const report = (transit: string, netGrams: number, token = trade.tokens.owner, more: object = {}) =>
  trade.post(
    "arrival-weighing/submit",
    { transit, grossGrams: 14_000_000 + netGrams, tareGrams: 14_000_000, photo, ...more },
    token,
  );
const settle = (order: string) => trade.post("settlement/submit", { order }, trade.tokens.sales);
const stateOf = (id: string) => trade.stateOf("arrival_weighings", id);

test.each([
  ["1.99 % less", 5_880_600, "agreed"],
  ["2.00 % less", 5_880_000, "agreed"],
  ["a gram more than 2 % less", 5_879_999, "disputed"],
  ["2.01 % less", 5_879_400, "disputed"],
  ["2.00 % more", 6_120_000, "agreed"],
  ["2.01 % more", 6_120_600, "disputed"],
])("%s is %s: %s", async (_words, netGrams, state) => {
  const { order, plate, transit } = await underway();
  const id = await trade.done(report(transit, netGrams));
  expect(await stateOf(id)).toBe(state);
  const answer = await settle(order);
  expect([answer.status, answer.msg]).toEqual(
    state === "agreed" ? [200, "操作成功"] : [400, `${plate} 的到货重量有争议，先决定按哪个重量结算`],
  );
});

test("the dispute stops a settlement that was computed before, until it is decided", async () => {
  const { order, plate, transit } = await underway();
  const { post, tokens, done, refused } = trade;
  const computed = await done(settle(order));
  const id = await done(report(transit, 5_800_000));
  const confirm = () => post("settlement/confirm", { id: computed, version: 1 }, tokens.admin);
  expect((await refused(confirm()))[1]).toBe(`${plate} 的到货重量有争议，先决定按哪个重量结算`);
  await done(post("arrival-weighing/keep", { id, version: 1, reason: "路上正常掉秤" }, tokens.sales));
  await done(confirm());
  const [settled] = await trade.query<{ net: number }>("select net_grams::int as net from settlements where id = $1", [
    computed,
  ]);
  expect(settled?.net).toBe(loadedGrams);
});

test("where the arrival's weight is taken, the order is settled by it", async () => {
  const { order, plate, transit } = await underway();
  const { post, tokens, done, refused } = trade;
  const computed = await done(settle(order));
  const id = await done(report(transit, 5_800_000));
  await done(post("arrival-weighing/take", { id, version: 1, reason: "装车地磅有误" }, tokens.sales));
  expect((await refused(post("settlement/confirm", { id: computed, version: 1 }, tokens.admin)))[1]).toBe(
    `${plate} 改按到货重量结算，请作废重算`,
  );
  await done(post("settlement/discard", { id: computed, version: 1, reason: "重算" }, tokens.sales));
  const again = await done(settle(order));
  await done(post("settlement/confirm", { id: again, version: 1 }, tokens.admin));
  const [settled] = await trade.query<{ net: number }>("select net_grams::int as net from settlements where id = $1", [
    again,
  ]);
  expect(settled?.net).toBe(5_800_000);
});

test("a withdrawn report opens the settlement, and another one may be made", async () => {
  const { order, transit } = await underway();
  const { post, tokens, done } = trade;
  const id = await done(report(transit, 5_000_000));
  await done(post("arrival-weighing/withdraw", { id, version: 1, reason: "写错了" }, tokens.owner));
  await done(report(transit, 5_990_000));
  await done(settle(order));
});

test("what can't count is refused at its field", async () => {
  const { order, plate, transit } = await underway();
  const { refused, tokens, query } = trade;
  expect(await refused(report(transit, -1))).toEqual([400, "皮重要小于毛重"]);
  expect(await refused(report(transit, 5_990_000, tokens.owner, { photo: "upload/x.jpg" }))).toEqual([
    400,
    "请上传磅单照片",
  ]);
  // Another customer's picture is none of this one's.
  const foreign = await uploaded(tokens.stranger);
  expect((await refused(report(transit, 5_990_000, tokens.owner, { photo: foreign })))[1]).toBe("请上传磅单照片");
  expect((await refused(report(transit, 5_990_000, tokens.stranger)))[0]).toBe(400);
  expect((await refused(report(transit, 5_990_000, tokens.finance)))[0]).toBe(403);
  await query("update transits set state = 'loading' where id = $1", [transit]);
  expect((await refused(report(transit, 5_990_000)))[1]).toBe("这辆车还没有出发");
  await query("update transits set state = 'arrived' where id = $1", [transit]);
  await trade.done(report(transit, 5_990_000));
  expect((await refused(report(transit, 5_990_000)))[1]).toBe(`${plate} 的到货重量已经登记`);
  // Its weighing at loading is what it was compared with.
  await query("update sale_orders set state = 'loading' where id = $1", [order]);
  const [weighing] = await query<{ id: string }>(`select id::text from weighings where "order" = $1`, [order]);
  expect(
    (await refused(trade.post("weighing/discard", { id: weighing?.id, version: 2, reason: "重称" }, tokens.sales)))[1],
  ).toBe(`${plate} 的到货重量已经登记，不能再作废装车过磅`);
});

test("after the settlement nothing is reported any more", async () => {
  const { order, plate, transit } = await underway();
  const { post, tokens, done, refused } = trade;
  const id = await done(settle(order));
  await done(post("settlement/confirm", { id, version: 1 }, tokens.admin));
  expect((await refused(report(transit, 5_000_000)))[1]).toMatch(/订单已经结算/);
  await weigh(app, own, ticketOf(plate, "in", 19_000_000), ticketOf(plate, "out", 14_000_000));
  expect(await trade.query(`select from arrival_weighings where "order" = $1`, [order])).toEqual([]);
});

test("two reports at once are one", async () => {
  const { transit } = await underway();
  const answers = await Promise.all(Array.from({ length: 8 }, () => report(transit, 5_500_000)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("the customer's own weighbridge reports full and empty weight; nobody else's does", async () => {
  const { order, plate, transit } = await underway();
  await weigh(app, others, ticketOf(plate, "in", 19_000_000), ticketOf(plate, "out", 14_000_000));
  await weigh(app, groups, ticketOf(plate, "in", 19_000_000), ticketOf(plate, "out", 14_000_000));
  const arrived = () =>
    trade.query<{ state: string; source: string; net: number; photo: string }>(
      "select state, source, gross_grams - tare_grams as net, photo from arrival_weighings where transit = $1",
      [transit],
    );
  expect(await arrived()).toEqual([]);
  await weigh(
    app,
    own,
    ticketOf(plate, "in", 19_900_000),
    ticketOf(plate, "out", 13_950_000, { stability: "unstable" }),
  );
  expect(await arrived()).toEqual([]);
  await weigh(app, own, ticketOf(plate, "out", 13_980_000));
  expect(await arrived()).toEqual([{ state: "agreed", source: "scale", net: 5_920_000, photo: "" }]);
  const view = await app.get<{ arrivals: object[] }>(`/api/muyuan-trade/order/view?id=${order}`, trade.tokens.owner);
  expect(view.body.data.arrivals).toMatchObject([
    { plate, netGrams: 5_920_000, loadingGrams: 6_000_000, state: "agreed", source: "scale" },
  ]);
});

test("a disputed order is abnormal", async () => {
  const { order, transit } = await underway();
  await trade.done(report(transit, 5_000_000));
  const [row] = await trade.query<{ reason: string }>("select reason from abnormal_orders where id = $1", [order]);
  expect(row?.reason).toBe("weight");
});

test("every event in every state by every caller", async () => {
  const { transit } = await underway();
  const id = await trade.done(report(transit, 5_000_000));
  const { query, tokens, post } = trade;
  const tried = await everyStep(arrivalProcess, {
    query,
    table: "arrival_weighings",
    id: () => id,
    history: ["process_entries", "row_id"],
    elsewhere: [],
    callers: [
      { name: "administrator", token: tokens.admin, party: "desk" },
      { name: "owner", token: tokens.owner, party: "customer" },
      { name: "finance", token: tokens.finance, party: undefined },
      { name: "another customer", token: tokens.stranger, party: undefined },
      passerBy,
    ],
    async put(state) {
      await query("update arrival_weighings set state = $2, version = 1 where id = $1", [id, state]);
    },
    ask: async (event, caller) =>
      (await post(`arrival-weighing/${event}`, { id, version: 1, reason: "试一试" }, caller.token)).status,
  });
  expect(tried).toBeGreaterThan(50);
});
