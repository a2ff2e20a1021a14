import { createHash } from "node:crypto";
import type { BidRecord, BidRoom, bidVerify, OrderView, ProcessSteps, ReplyOf } from "@herdwise/contract";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { biddingOf } from "../harness/bidding.ts";
import { dayIn, service, tradeOf } from "../harness/trade.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
let bidding: Awaited<ReturnType<typeof biddingOf>>;
// Before the first connection, as each keeps the function that it began with.
const sent = vi.spyOn(pg.Client.prototype, "query");
beforeAll(async () => {
  app = await createTestApp({}, { sessionKeptMs: 900 });
  trade = await tradeOf(app);
  bidding = await biddingOf(app, trade);
});
afterAll(() => {
  sent.mockRestore();
  return app.close();
});

const verify = async (lot: string) =>
  (await app.get<ReplyOf<typeof bidVerify>>(`${service}/bid/verify?lot=${lot}`, bidding.bidders.first)).body.data;
const record = (lot: string, token: string) => app.get<BidRecord>(`${service}/bid/record?lot=${lot}`, token);
/** What the database has of a lot's bids, in order. */
const entriesOf = (lot: string) =>
  trade.query<{ seq: number; tenant: string; fen: number | null; proxy: boolean; at: Date }>(
    "select seq, tenant_id as tenant, fen_per_kg as fen, proxy, at from bids where lot = $1 order by seq",
    [lot],
  );
const lotOf = async (lot: string) => {
  const [row] = await trade.query<{
    state: string;
    ends: Date;
    extensions: number;
    best: number | null;
    taken: number;
  }>(
    `select l.state, l.ends_at as ends, l.extensions, l.best_per_kg as best, p.taken
       from lots l join sale_plans p on p.id = l.plan where l.id = $1`,
    [lot],
  );
  if (row === undefined) throw new Error("the lot is gone");
  return row;
};

test("from the announcement to the paid order: the deposit is credited, those who did not win get theirs back", async () => {
  const { bidders, bid, closed, openFor, deposited, announced, orderOf, room } = bidding;
  const { done, paid, paymentOf, post, query, refused, stateOf, tokens } = trade;
  const lot = await announced();
  expect(await lotOf(lot)).toMatchObject({ state: "announced", taken: 100 });
  expect(await bid({ lot, fenPerKg: 1400 }, bidders.first)).toMatchObject({ status: 400, msg: "竞价还没有开始" });
  const won = await deposited(lot, bidders.first);
  const lost = await deposited(lot, bidders.second);
  expect(await refused(post("deposit/submit", { lot }, bidders.first))).toEqual([400, "这一场的保证金已经申请过了"]);
  await openFor(lot, 3600);
  await app.runJob("lot.clock");
  expect((await lotOf(lot)).state).toBe("open");
  expect(await bid({ lot, fenPerKg: 1400 }, bidders.third)).toMatchObject({ status: 400, msg: "保证金到账后才能出价" });
  expect(await bid({ lot, fenPerKg: 1399 }, bidders.second)).toMatchObject({
    status: 400,
    msg: "出价不能低于起拍价 14.00 元/kg",
  });
  expect(await bid({ lot, fenPerKg: 1400 }, bidders.second)).toMatchObject({ status: 200, leads: true, extensions: 0 });
  expect(await bid({ lot, fenPerKg: 1404 }, bidders.first)).toMatchObject({ status: 400, msg: "出价至少 14.05 元/kg" });
  expect(await bid({ lot, fenPerKg: 1405 }, bidders.first)).toMatchObject({ status: 200, bestPerKg: 1405 });
  expect(await bid({ lot, fenPerKg: 1450 }, bidders.first)).toMatchObject({
    status: 400,
    msg: "现在是您领先，只能提高最高限价",
  });
  expect(await refused(post("deposit/give-back", { id: lost, version: 3 }, tokens.sales))).toEqual([
    400,
    "竞价还没有结束，保证金不能退",
  ]);
  await closed(lot);
  expect(await lotOf(lot)).toMatchObject({ state: "awarded", best: 1405, taken: 100 });
  expect((await room(lot, bidders.second)).state).toBe("awarded");
  expect(await bid({ lot, fenPerKg: 1500 }, bidders.second)).toMatchObject({ status: 400, msg: "竞价已经截止" });
  const order = await orderOf(lot);
  expect(order?.tenant).toBe("100002");
  // 100 heads of 115 kg at 14.05 yuan, less 100 deposits of 50 yuan.
  const expected = 100 * 115 * 1405;
  expect(await paymentOf(order?.id ?? "", "prepayment")).toMatchObject({ amount: expected - 500_000 });
  const seen = async () => (await app.get<OrderView>(`${service}/order/view?id=${order?.id}`, tokens.sales)).body.data;
  expect(await seen()).toMatchObject({ dueFen: expected - 500_000, depositFen: 500_000, paidFen: 0 });
  const ownOf = async (token: string) => (await room(lot, token)).own;
  expect(await ownOf(bidders.first)).toMatchObject({
    place: 1,
    order: { id: order?.id, state: "waiting_payment", prepaymentFen: expected - 500_000 },
  });
  expect((await ownOf(bidders.second)).order).toBeUndefined();
  expect(await refused(post("deposit/give-back", { id: won, version: 3 }, tokens.sales))).toEqual([
    400,
    "订单还在等付款，保证金不能退",
  ]);
  await app.runJob("deposit.clock");
  expect([await stateOf("deposits", won), await stateOf("deposits", lost)]).toEqual(["held", "returning"]);
  expect((await ownOf(bidders.second)).returnBy).toMatch(/^\d{4}-/);
  expect((await ownOf(bidders.first)).returnBy).toBeUndefined();
  await done(post("deposit/release", { id: lost, version: 4, refundReference: "R1" }, tokens.sales));
  await paid(order?.id ?? "", "prepayment");
  expect(await stateOf("sale_orders", order?.id ?? "")).toBe("confirmed");
  expect(await stateOf("deposits", won)).toBe("credited");
  const [row] = await query<{ paid: number }>("select paid_fen::float8 as paid from sale_order_rows where id = $1", [
    order?.id,
  ]);
  expect(row?.paid).toBe(expected);
  // What is called off is paid back whole.
  await done(post("order/call-off", { id: order?.id, version: 2, reason: "疫情封控" }, tokens.sales));
  expect(await paymentOf(order?.id ?? "", "refund")).toMatchObject({ amount: expected });
  expect(await seen()).toMatchObject({ state: "cancelled", dueFen: -expected });
  expect((await lotOf(lot)).taken).toBe(0);
});

test("a lot needs a bidding plan with heads left, one range of times before the loading day, and a reserve above the deposit", async () => {
  const { announced } = bidding;
  const { done, post, published, refused, tokens } = trade;
  const plan = await published({ mode: "bidding", pricePerKg: null, heads: 100 });
  const submit = (more: object) =>
    refused(
      post(
        "lot/submit",
        { plan, heads: 60, reservePerKg: 1400, bidOn: dayIn(1), bidTimes: "09:00-10:00", ...more },
        tokens.sales,
      ),
    );
  expect(await submit({ plan: await published() })).toEqual([400, "选一个已发布的竞价计划"]);
  expect(await submit({ bidTimes: "09:00-10:00,11:00-12:00" })).toEqual([400, "有 1 处需要改正"]);
  expect(await submit({ bidOn: dayIn(-1) })).toEqual([400, "竞价结束时间已经过了"]);
  expect(await submit({ bidOn: dayIn(3) })).toEqual([400, "竞价要在装车日之前结束"]);
  expect(await submit({ heads: 4 })).toEqual([400, "头数要在 5 到 500 之间"]);
  const piglets = await published({ mode: "bidding", pricePerKg: null, fromKg: 5, toKg: 10 });
  expect(await submit({ plan: piglets, reservePerKg: 600 })).toEqual([400, "起拍价太低，货款还不如保证金多"]);
  const lot = await done(
    post("lot/submit", { plan, heads: 60, reservePerKg: 1400, bidOn: dayIn(1), bidTimes: "09:00-10:00" }, tokens.sales),
  );
  expect(await submit({})).toEqual([400, "计划只剩 40 头"]);
  expect(await refused(post("plan/close", { id: plan, version: 3, reason: "不卖了" }, tokens.admin))).toEqual([
    400,
    "有竞价还没有结束",
  ]);
  await done(post("lot/withdraw", { id: lot, version: 1, reason: "停电" }, tokens.sales));
  expect((await lotOf(lot)).taken).toBe(0);
  // Without a bid the heads go back to the plan.
  const unsold = await announced();
  await bidding.openFor(unsold, 3600);
  await bidding.closed(unsold);
  expect(await lotOf(unsold)).toMatchObject({ state: "failed", taken: 0 });
});

test("the group, its people and whoever is not let in do not bid", async () => {
  const { announced, bid, bidders, openFor } = bidding;
  const { post, query, refused, tokens } = trade;
  const lot = await announced();
  expect(await bid({ lot, fenPerKg: 1400 }, tokens.sales)).toMatchObject({
    status: 400,
    msg: "不能给本集团的竞价出价",
  });
  await query(
    `insert into memberships (id, account_id, tenant_id) select 77001, id, '100001' from accounts where account = 'kefu01'`,
  );
  await query(
    `insert into membership_roles (membership_id, role_id) select 77001, id from roles where tenant_id = '100001' and role_alias = 'owner'`,
  );
  const employee = await app.logIn("kefu01", "100001");
  expect(await refused(post("deposit/submit", { lot }, employee))).toEqual([400, "不能给本集团的竞价出价"]);
  expect(await bid({ lot, fenPerKg: 1400 }, employee)).toMatchObject({ status: 400, msg: "不能给本集团的竞价出价" });
  await query("update lots set participants = '{personal}' where id = $1", [lot]);
  expect(await refused(post("deposit/submit", { lot }, bidders.first))).toEqual([400, "这一场竞价不对您这类客户开放"]);
  await openFor(lot, -1);
  expect(await refused(post("deposit/submit", { lot }, bidders.second))).toEqual([400, "竞价已经截止"]);
  expect((await app.get(`${service}/bid/room?lot=1560000000000000001`, bidders.first)).status).toBe(404);
});

test("who lost the right a moment ago does not bid, though a kept session let a refused bid in", async () => {
  const { bid, bidders, room, running } = bidding;
  const { query } = trade;
  const lot = await running();
  expect(await bid({ lot, fenPerKg: 1000 }, bidders.third)).toMatchObject({ status: 400 });
  const own =
    "membership_id = (select m.id from memberships m join accounts a on a.id = m.account_id where a.account = 'vet' and m.tenant_id = '100003')";
  const held = await query<{ role: string }>(`select role_id::text as role from membership_roles where ${own}`);
  // Without the call that makes this server forget what it read.
  await query(`delete from membership_roles where ${own}`);
  expect(await bid({ lot, fenPerKg: 1400 }, bidders.third)).toMatchObject({ status: 403 });
  for (const { role } of held)
    await query(
      `insert into membership_roles (membership_id, role_id) select id, $1 from memberships where ${own.replace("membership_id", "id")}`,
      [role],
    );
  expect((await room(lot, bidders.first)).lastSeq).toBe(0);
});

test("a late bid moves the end to two minutes after it, a refused one does not, and the twenty-first does not", async () => {
  const { bid, bidders, openFor, room, running } = bidding;
  const lot = await running(60);
  const before = (await lotOf(lot)).ends;
  for (const [body, token] of [
    [{ lot, fenPerKg: 1399 }, bidders.first],
    [{ lot, fenPerKg: 1405, limitFenPerKg: 1404 }, bidders.first],
    [{ lot, limitFenPerKg: 1404 }, bidders.first],
  ] as const)
    expect((await bid(body, token)).status).toBe(400);
  expect(await lotOf(lot)).toMatchObject({ ends: before, extensions: 0, best: null });
  expect(await bid({ lot, fenPerKg: 1400 }, bidders.first)).toMatchObject({ status: 200, extensions: 1 });
  const [entry] = await entriesOf(lot);
  const after = await lotOf(lot);
  expect(after.ends.getTime() - (entry?.at.getTime() ?? 0)).toBe(120_000);
  // One end for all: page, offer and room.
  const shown = (path: string, token: string) =>
    app
      .get<{ records: { id: string; endsAt: string }[] }>(`${service}/${path}/page?size=100&ids=${lot}`, token)
      .then(({ body }) => body.data.records[0]?.endsAt);
  const { endsAt, endsMs, serverMs } = await room(lot, bidders.second);
  expect([await shown("lot", trade.tokens.admin), await shown("lot/offer", bidders.second)]).toEqual([endsAt, endsAt]);
  expect([endsMs, endsMs > serverMs]).toEqual([after.ends.getTime(), true]);
  expect((await bid({ lot, fenPerKg: 1404 }, bidders.second)).status).toBe(400);
  expect((await lotOf(lot)).ends).toEqual(after.ends);
  await openFor(lot, 60, 20);
  const last = (await lotOf(lot)).ends;
  expect(await bid({ lot, fenPerKg: 1405 }, bidders.second)).toMatchObject({ status: 200, extensions: 20 });
  expect((await lotOf(lot)).ends).toEqual(last);
});

test("bids that race for the end come in one order, none at or after it", async () => {
  const { bid, bidders, openFor, running } = bidding;
  const lot = await running();
  await openFor(lot, 3, 20);
  const { ends } = await lotOf(lot);
  const people = Object.values(bidders);
  let price = 1400;
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, at) => {
      const own: { status: number; msg: string }[] = [];
      do {
        price += 5;
        own.push(await bid({ lot, fenPerKg: Math.min(price, 12_000) }, people[at % people.length] ?? ""));
      } while (own.at(-1)?.msg !== "竞价已经截止" && Date.now() < ends.getTime() + 5000);
      expect(own.at(-1)?.msg).toBe("竞价已经截止");
      return own;
    }),
  );
  const accepted = answers.flat().filter(({ status }) => status === 200).length;
  const entries = await entriesOf(lot);
  expect(accepted).toBeGreaterThan(5);
  expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: accepted }, (_, at) => at + 1));
  for (const [at, entry] of entries.entries()) {
    const before = entries[at - 1];
    expect(entry.at.getTime()).toBeLessThan(ends.getTime());
    if (before === undefined) continue;
    expect(entry.at.getTime()).toBeGreaterThanOrEqual(before.at.getTime());
    expect(entry.fen).toBeGreaterThanOrEqual((before.fen ?? 0) + 5);
    expect(entry.tenant).not.toBe(before.tenant);
  }
  expect(await lotOf(lot)).toMatchObject({ ends, extensions: 20, best: entries.at(-1)?.fen });
  expect(await verify(lot)).toMatchObject({ whole: true, entries: accepted });
});

test("bids, the freeze and the award at once end in one award", async () => {
  const { bid, bidders, openFor, running } = bidding;
  const lot = await running();
  await bid({ lot, fenPerKg: 1400 }, bidders.first);
  await openFor(lot, 0.3, 20);
  const { ends } = await lotOf(lot);
  const race = Array.from({ length: 50 }, (_, at) =>
    bid({ lot, fenPerKg: 1405 + 5 * at }, Object.values(bidders)[at % 3] ?? ""),
  );
  const clock = (async () => {
    do await app.runJob("lot.clock");
    while ((await lotOf(lot)).state !== "awarded" && Date.now() < ends.getTime() + 5000);
  })();
  await Promise.all([...race, clock]);
  const [best] = await trade.query<{ tenant: string; fen: number }>(
    "select tenant_id as tenant, price_per_kg as fen from sale_orders where lot = $1",
    [lot],
  );
  expect(best).toEqual(
    (({ tenant, fen }) => ({ tenant, fen }))((await entriesOf(lot)).at(-1) ?? { tenant: "", fen: 0 }),
  );
});

test("of equal bids the first one committed wins, and a bid that is sent twice bids once", async () => {
  const { bid, bidders, room, running } = bidding;
  const lot = await running();
  const answers = await Promise.all(
    [bidders.first, bidders.second].map((token) => bid({ lot, fenPerKg: 1400 }, token)),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  const winner = answers[0]?.status === 200 ? bidders.first : bidders.second;
  expect((await room(lot, winner)).own).toMatchObject({ place: 1, bidder: 1, pricePerKg: 1400 });
  const again = await Promise.all([1, 2, 3].map(() => bid({ lot, fenPerKg: 1405 }, bidders.third, `again-${lot}`)));
  expect(again.map(({ status, leads }) => [status, leads])).toEqual([1, 2, 3].map(() => [200, true]));
  expect(await entriesOf(lot)).toHaveLength(2);
});

test("a secret highest bid answers by the step, is shown to nobody, and of equal ones the first wins", async () => {
  const { bid, bidders, room, running } = bidding;
  const lot = await running();
  expect(await bid({ lot, fenPerKg: 1400, limitFenPerKg: 1450 }, bidders.first)).toMatchObject({ bestPerKg: 1400 });
  expect(await bid({ lot, fenPerKg: 1405 }, bidders.second)).toMatchObject({ leads: false, bestPerKg: 1410 });
  expect(await bid({ lot, limitFenPerKg: 1450 }, bidders.first)).toMatchObject({
    status: 400,
    msg: "最高限价要高于 14.50 元/kg",
  });
  expect(await bid({ lot, limitFenPerKg: 1460 }, bidders.first)).toMatchObject({ status: 200, bestPerKg: 1410 });
  expect(await bid({ lot, fenPerKg: 1415, limitFenPerKg: 1460 }, bidders.third)).toMatchObject({
    leads: false,
    bestPerKg: 1460,
  });
  expect((await entriesOf(lot)).map(({ tenant, fen, proxy }) => [tenant, fen, proxy])).toEqual([
    ["100002", 1400, false],
    ["100001", 1405, false],
    ["100002", 1410, true],
    ["100003", 1415, false],
    ["100003", 1460, true],
    ["100002", 1460, true],
  ]);
  expect((await room(lot, bidders.third)).ranking).toEqual([
    { bidder: 1, fenPerKg: 1460 },
    { bidder: 3, fenPerKg: 1460 },
    { bidder: 2, fenPerKg: 1405 },
  ]);
  const own = (token: string) => room(lot, token).then(({ own: { limitPerKg } }) => limitPerKg);
  expect([await own(bidders.first), await own(bidders.second), await own(trade.tokens.admin)]).toEqual([
    1460,
    undefined,
    undefined,
  ]);
});

test("a struck bid stays in the record with its reason, and the next best leads", async () => {
  const { bid, bidders, closed, room, running } = bidding;
  const { post, query, refused, tokens } = trade;
  const lot = await running();
  await bid({ lot, fenPerKg: 1400 }, bidders.first);
  await bid({ lot, fenPerKg: 1500, limitFenPerKg: 1600 }, bidders.second);
  const strike = (seq: number, token = tokens.sales) =>
    post("bid/strike", { lot, seq, reason: "客户来电，多打了一位" }, token);
  expect((await strike(2, bidders.first)).status).toBe(403);
  expect((await strike(2)).status).toBe(200);
  expect(await refused(strike(2))).toEqual([400, "没有这次出价，或者已经取消了"]);
  const { bestPerKg, ranking, struck } = await room(lot, bidders.third);
  expect([bestPerKg, ranking.map(({ bidder }) => bidder)]).toEqual([1400, [1]]);
  expect(struck).toMatchObject([{ seq: 2, bidder: 2, fenPerKg: 1500, reason: "客户来电，多打了一位" }]);
  expect(await bid({ lot, fenPerKg: 1405 }, bidders.second)).toMatchObject({ leads: true, bestPerKg: 1405 });
  await expect(query("update bids set fen_per_kg = 1 where lot = $1", [lot])).rejects.toThrow("is final");
  await expect(query("delete from bids where lot = $1", [lot])).rejects.toThrow("is final");
  await closed(lot);
  expect(await refused(strike(4))).toEqual([400, "竞价已经截止"]);
  expect((await verify(lot)).whole).toBe(true);
});

test("the record is verified by anybody, and one altered byte is found", async () => {
  const { bid, bidders, closed, running } = bidding;
  const lot = await running();
  await bid({ lot, fenPerKg: 1400 }, bidders.first);
  await bid({ lot, fenPerKg: 1405 }, bidders.second);
  await bid({ lot, fenPerKg: 1410 }, bidders.third);
  await closed(lot);
  // As docs/trade.md says it.
  const { entries } = (await record(lot, bidders.first)).body.data;
  let previous = "";
  for (const { seq, who, fenPerKg, proxy, strikes, reason, at, hash } of entries) {
    const fields = [lot, seq, who, fenPerKg ?? null, proxy, strikes ?? null, reason, at];
    previous = createHash("sha256")
      .update(`${previous}${JSON.stringify(fields)}`)
      .digest("hex");
    expect(hash).toBe(previous);
  }
  expect(await verify(lot)).toEqual({ whole: true, entries: 3, lastHash: previous });
  /** Alters the record past its trigger. */
  const altered = async (change: string, back: string) => {
    const client = await app.test.database.pool.connect();
    const run = async (text: string) => {
      await client.query("begin; set local session_replication_role = replica");
      await client.query(text);
      await client.query("commit");
    };
    try {
      await run(change);
      const answer = await verify(lot);
      await run(back);
      return answer.altered;
    } finally {
      client.release();
    }
  };
  const one = (set: string) => `update bids set ${set} where lot = ${lot} and seq = 2`;
  expect(await altered(one("fen_per_kg = 1406"), one("fen_per_kg = 1405"))).toBe(2);
  expect(await altered(one("at = at + interval '1 ms'"), one("at = at - interval '1 ms'"))).toBe(2);
  expect(await altered(one("tenant_id = '100002'"), one("tenant_id = '100001'"))).toBe(2);
  expect(await altered(one("proxy = true"), one("proxy = false"))).toBe(2);
  const cut = (seq: number) => [
    `update bids set lot = (select min(id) from lots where id <> ${lot}), seq = seq + 1000 where lot = ${lot} and seq = ${seq}`,
    `update bids set lot = ${lot}, seq = seq - 1000 where seq = ${seq + 1000}`,
  ];
  expect(await altered(cut(3)[0] ?? "", cut(3)[1] ?? "")).toBe(3);
  expect(await altered(cut(2)[0] ?? "", cut(2)[1] ?? "")).toBe(2);
  expect((await verify(lot)).whole).toBe(true);
});

test("before the close nobody is told who bids; after it staff see names, and that they did is audited", async () => {
  const { bid, bidders, closed, running } = bidding;
  const { query, tokens } = trade;
  const lot = await running();
  const told = await query<{ id: string }>("select coalesce(max(id), 0)::text as id from messages");
  await bid({ lot, fenPerKg: 1400, limitFenPerKg: 1450 }, bidders.first);
  await bid({ lot, fenPerKg: 1405 }, bidders.second);
  const names = [
    "100001",
    "100002",
    "柳河",
    "孙丽",
    "周建平",
    ...(
      await query<{ name: string }>("select name from tenants where tenant_id in ('100001', '100002', '100003')")
    ).map(({ name }) => name),
  ];
  const shown = [];
  for (const token of [tokens.admin, bidders.third])
    for (const path of [
      `lot/page?ids=${lot}`,
      `lot/detail?id=${lot}`,
      `lot/steps?id=${lot}`,
      `lot/history?id=${lot}`,
      `lot/offer/page?ids=${lot}`,
      `lot/offer/detail?id=${lot}`,
      `bid/room?lot=${lot}`,
      `bid/record?lot=${lot}`,
      `bid/verify?lot=${lot}`,
    ])
      shown.push(JSON.stringify((await app.get(`${service}/${path}`, token)).body));
  shown.push(JSON.stringify(await query("select title, content from messages where id > $1", [told[0]?.id])));
  for (const text of shown) for (const name of names) expect(text).not.toContain(name);
  expect((await record(lot, tokens.admin)).body.msg).toBe("竞价截止后才能看出价记录");
  await closed(lot);
  const views = async () =>
    (await query("select from audit_entries where row_id = $1 and action = 'view' and chain = '000000'", [lot])).length;
  const ofCustomer = (await record(lot, bidders.second)).body.data;
  expect(new Set(ofCustomer.entries.map(({ tenantName }) => tenantName))).toEqual(new Set([""]));
  expect(await views()).toBe(0);
  const ofStaff = (await record(lot, tokens.admin)).body.data;
  expect(ofStaff.entries.map(({ tenantName }) => tenantName)).toContain("柳河家庭农场");
  expect(await views()).toBe(1);
  await record(lot, tokens.sales);
  expect(await views()).toBe(2);
});

test("a deposit is confirmed, given back and paid out once, and a transfer is counted once", async () => {
  const { announced, bidders, closed, deposit, openFor, recorded } = bidding;
  const { accepted, done, paymentOf, post, published, refused, stateOf, tokens } = trade;
  const lot = await announced();
  const id = await deposit(lot, bidders.first);
  await done(recorded(id));
  const statuses = async (path: string, body: object) => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => post(path, { id, ...body }, at % 2 ? tokens.admin : tokens.sales)),
    );
    return answers.filter(({ status }) => status === 200).length;
  };
  expect(await refused(post("deposit/confirm", { id, version: 2 }, tokens.sales))).toEqual([
    400,
    "自己登记的要别人复核",
  ]);
  expect(await statuses("deposit/confirm", { version: 2 })).toBe(1);
  await openFor(lot, 60);
  await closed(lot);
  await Promise.all(Array.from({ length: 5 }, () => app.runJob("deposit.clock")));
  expect(await stateOf("deposits", id)).toBe("returning");
  expect(await statuses("deposit/release", { version: 4, refundReference: "R2" })).toBe(1);
  const steps = (await app.get<ProcessSteps>(`${service}/deposit/steps?id=${id}`, tokens.admin)).body.data;
  expect(steps.lines.filter(({ thing }) => thing === "").map(({ event }) => event)).toEqual([
    "release",
    "give_back",
    "confirm",
    "record",
    "begin",
  ]);
  const { order } = await accepted(await published(), 10);
  const { id: payment, amount } = await paymentOf(order, "prepayment");
  const other = await deposit(await announced(), bidders.second);
  await done(
    post(
      "deposit/record",
      { id: other, version: 1, amountFen: 500_000, bankReference: "ONE", receivedOn: dayIn(0) },
      tokens.sales,
    ),
  );
  const twice = { version: 1, bankReference: "ONE", receivedOn: dayIn(0) };
  const answer = await post("payment/record", { id: payment, amountFen: amount, ...twice }, tokens.sales);
  expect(answer.data?.problems).toMatchObject([{ field: "bankReference" }]);
});

test("a deposit that nobody paid is void after the close, and one that is confirmed later is given back", async () => {
  const { announced, bidders, closed, deposit, openFor, recorded } = bidding;
  const { done, post, stateOf, tokens } = trade;
  const lot = await announced();
  const unpaid = await deposit(lot, bidders.first);
  const late = await deposit(lot, bidders.second);
  await done(recorded(late));
  await openFor(lot, 60);
  await closed(lot);
  await app.runJob("deposit.clock");
  expect([await stateOf("deposits", unpaid), await stateOf("deposits", late)]).toEqual(["void", "recorded"]);
  await done(post("deposit/confirm", { id: late, version: 2 }, tokens.admin));
  await app.runJob("deposit.clock");
  expect(await stateOf("deposits", late)).toBe("returning");
});

test("a winner who does not pay makes room for the next, and loses the deposit by the word of two people", async () => {
  const { bid, bidders, closed, orderOf, running } = bidding;
  const { done, paymentOf, post, query, refused, stateOf, tokens } = trade;
  const lot = await running();
  await bid({ lot, fenPerKg: 1400 }, bidders.second);
  await bid({ lot, fenPerKg: 1405 }, bidders.first);
  await closed(lot);
  const [deposit] = await query<{ id: string }>(
    "select id::text from deposits where lot = $1 and tenant_id = '100002'",
    [lot],
  );
  const id = deposit?.id ?? "";
  expect(await refused(post("deposit/propose-forfeit", { id, version: 3, reason: "没付款" }, tokens.sales))).toEqual([
    400,
    "中标后没有付款的，才能没收保证金",
  ]);
  const expired = async () => {
    await query("update sale_orders set pay_by = now() - interval '1 minute' where lot = $1", [lot]);
    await app.runJob("sale_order.clock");
  };
  await expired();
  const second = await orderOf(lot);
  expect(second?.tenant).toBe("100001");
  // At the own price, and without a deposit, which is on its way back.
  expect(await paymentOf(second?.id ?? "", "prepayment")).toMatchObject({ amount: 100 * 115 * 1400 });
  expect(await lotOf(lot)).toMatchObject({ state: "awarded", taken: 100 });
  expect(
    await query(
      "select from messages m join accounts a on a.id = m.account_id where m.title = '中标人没有付款，按您的出价轮到您' and a.account = 'sunli'",
    ),
  ).toHaveLength(1);
  await expired();
  expect(await orderOf(lot)).toBeUndefined();
  expect(await lotOf(lot)).toMatchObject({ state: "failed", taken: 0 });
  await done(post("deposit/propose-forfeit", { id, version: 3, reason: "没付款" }, tokens.sales));
  expect(await refused(post("deposit/forfeit", { id, version: 4 }, tokens.sales))).toEqual([
    400,
    "自己提议的要别人同意",
  ]);
  await done(post("deposit/forfeit", { id, version: 4 }, tokens.admin));
  expect(await stateOf("deposits", id)).toBe("forfeited");
});

test("a look at the room costs as many statements with 2 entries as with 60, and has what is behind the known one", async () => {
  const { bid, bidders, room, running } = bidding;
  const lot = await running();
  /** Statements about lots that a look sends. The server's own work goes on beside it, but not beside each of some looks. */
  const cost = async (): Promise<number> => {
    const counts: number[] = [];
    for (let look = 0; look < 4; look += 1) {
      sent.mockClear();
      await room(lot, bidders.third);
      const texts = sent.mock.calls.map(([first]) => JSON.stringify(first));
      counts.push(texts.filter((text) => /\b(?:lots|lot_bidders|bids|bid_limits|deposits)\b/.test(text)).length);
    }
    return Math.min(...counts);
  };
  await bid({ lot, fenPerKg: 1400 }, bidders.first);
  await bid({ lot, fenPerKg: 1405 }, bidders.second);
  const few = await cost();
  for (let price = 1410, turn = 0; turn < 58; price += 5, turn += 1)
    await bid({ lot, fenPerKg: price }, turn % 2 === 0 ? bidders.first : bidders.second);
  expect([few, await cost()]).toEqual([5, 5]);
  const { body } = await app.get<BidRoom>(`${service}/bid/room?lot=${lot}&after=57`, bidders.third);
  expect(body.data.entries.map(({ seq, bidder }) => [seq, bidder])).toEqual([
    [58, 2],
    [59, 1],
    [60, 2],
  ]);
  expect(body.data).toMatchObject({ lastSeq: 60, own: { place: 0, bidder: 0, deposit: "held" } });
  // The database's clock, by which the page knows how wrong its own is.
  const [{ now } = { now: 0 }] = await trade.query<{ now: number }>(
    "select extract(epoch from clock_timestamp())::float8 * 1000 as now",
  );
  expect(Math.abs(body.data.serverMs - now)).toBeLessThan(5000);
});

test("who is outbid is told once a minute and lot, with the way to the room", async () => {
  const { bid, bidders, running } = bidding;
  const lot = await running();
  const told = () =>
    trade.query<{ account: string; link: string }>(
      `select a.account, m.link from messages m join accounts a on a.id = m.account_id
        where m.title = '您的出价被超过了' and m.link like $1 order by m.id`,
      [`%${lot}`],
    );
  for (let price = 1400, turn = 0; turn < 6; price += 5, turn += 1)
    expect((await bid({ lot, fenPerKg: price }, turn % 2 === 0 ? bidders.first : bidders.second)).status).toBe(200);
  expect((await told()).map(({ account }) => account)).toEqual(["farm", "sunli"]);
  expect((await told())[0]?.link).toBe(`/order/lot?room=${lot}`);
  await trade.query("update lot_bidders set told_at = told_at - interval '1 minute' where lot = $1", [lot]);
  await bid({ lot, fenPerKg: 1430 }, bidders.first);
  expect((await told()).map(({ account }) => account)).toEqual(["farm", "sunli", "sunli"]);
});

test("everybody who looks at a lot hears of each change, without names, and the record shows staff what became of the bidders", async () => {
  const { bid, bidders, closed, running } = bidding;
  const lot = await running();
  const address = await app.listen();
  const gone = new AbortController();
  const answer = await fetch(`${address}${service}/bid/live?lot=${lot}`, {
    headers: { "Muyuan-Auth": `bearer ${bidders.third}` },
    signal: gone.signal,
  });
  let heard = "";
  void answer.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeTo(
      new WritableStream({
        write(part) {
          heard += part;
        },
      }),
    )
    .catch(() => undefined);
  await expect.poll(() => heard).toContain('"lastSeq":0');
  await bid({ lot, fenPerKg: 1400, limitFenPerKg: 1499 }, bidders.first);
  await expect.poll(() => heard).toContain('"bestPerKg":1400');
  await bid({ lot, fenPerKg: 1405 }, bidders.second);
  await expect.poll(() => heard).toContain('"bestPerKg":1410');
  const struck = { lot, seq: 3, reason: "客户来电撤回" };
  expect((await trade.post("bid/strike", struck, trade.tokens.sales)).status).toBe(200);
  await expect.poll(() => heard).toContain("客户来电撤回");
  gone.abort();
  const names = await trade.query<{ text: string }>(
    "select unnest(array[b.tenant_id, b.account_id::text, b.who, t.name]) as text from bids b join tenants t on t.tenant_id = b.tenant_id where lot = $1",
    [lot],
  );
  expect(names.length).toBeGreaterThan(8);
  for (const { text } of names) expect(heard).not.toContain(text);
  expect(heard).not.toContain("1499");
  await closed(lot);
  const { bidders: outcomes } = (await record(lot, trade.tokens.sales)).body.data;
  expect(outcomes.map(({ bidder, fenPerKg, deposit, order }) => [bidder, fenPerKg, deposit, order])).toEqual([
    [2, 1405, "held", "waiting_payment"],
    [1, 1400, "held", ""],
  ]);
  expect((await record(lot, bidders.second)).body.data.bidders).toEqual([]);
});
