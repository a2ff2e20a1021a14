import { type PayAttemptNewest, payAttemptProcess } from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { biddingOf } from "../harness/bidding.ts";
import { everyStep, passerBy } from "../harness/every-step.ts";
import { gatewaySecret, payGateway } from "../harness/pay-gateway.ts";
import { service, tradeOf } from "../harness/trade.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
let bidding: Awaited<ReturnType<typeof biddingOf>>;
let gateway: Awaited<ReturnType<typeof payGateway>>;
let plan: string;
beforeAll(async () => {
  gateway = await payGateway();
  app = await createTestApp({ PAYMENT_URL: gateway.url, PAYMENT_SECRET: gatewaySecret });
  trade = await tradeOf(app);
  bidding = await biddingOf(app, trade);
  plan = await trade.published({ heads: 2000 });
});
afterAll(async () => {
  await app.close();
  gateway.close();
});
beforeEach(() => {
  gateway.state.way = "works";
});

const start = (target: "payment" | "deposit", id: string, token = trade.tokens.owner) =>
  trade.post("pay-attempt/start", { target, id }, token);
const tell = async (...said: Parameters<typeof gateway.notice>): Promise<number> =>
  (await app.http.inject(gateway.notice(...said))).statusCode;
/** The clock asks the gateway, as if it was time to. */
const look = async (id: string) => {
  await trade.query("update pay_attempts set look_at = now() - interval '1 second' where id = $1", [id]);
  await app.runJob("pay_attempt.look");
};
const pastExpiry = (id: string) =>
  trade.query("update pay_attempts set expires_at = now() - interval '1 minute' where id = $1", [id]);
const stateOf = (table: string, id: string) => trade.stateOf(table, id);
/** An order with its awaited prepayment and an attempt to pay it. */
const attempted = async (heads = 10) => {
  const { order } = await trade.accepted(plan, heads);
  const { id: payment, amount } = await trade.paymentOf(order, "prepayment");
  return { order, payment, amount, id: await trade.done(start("payment", payment)) };
};
const refundsOf = (order: string) =>
  trade.query<{ amount: number; state: string }>(
    `select amount_fen::float8 as amount, state from payments where "order" = $1 and kind = 'refund' order by id`,
    [order],
  );
const count = async (table: string, where: string, id: string) =>
  (await trade.query<{ count: number }>(`select count(*)::int as count from ${table} where ${where}`, [id]))[0]?.count;

test("a customer pays at the gateway, and its word confirms the order without a second person", async () => {
  const { order, payment, amount, id } = await attempted();
  expect(gateway.orders.get(id)).toMatchObject({ amountFen: amount, opened: 1 });
  expect(gateway.state.unsigned).toBe(0);
  // The same attempt goes on while it runs.
  expect(await trade.done(start("payment", payment))).toBe(id);
  expect(gateway.orders.get(id)).toMatchObject({ opened: 2 });
  expect(await tell({ id })).toBe(200);
  expect(await stateOf("pay_attempts", id)).toBe("succeeded");
  expect(await stateOf("payments", payment)).toBe("done");
  expect(await stateOf("sale_orders", order)).toBe("confirmed");
  const { body } = await app.get<PayAttemptNewest>(
    `${service}/pay-attempt/newest?target=payment&id=${payment}`,
    trade.tokens.owner,
  );
  expect(body.data).toMatchObject({ offered: true, attempt: { id, state: "succeeded" } });
  expect(await trade.refused(start("payment", payment))).toEqual([400, "这一笔已经不用付了，请刷新看看"]);
});

test("fifty notices at once and again later confirm once", async () => {
  const { order, payment, id } = await attempted();
  const answers = await Promise.all(Array.from({ length: 50 }, () => tell({ id })));
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(await tell({ id })).toBe(200);
  expect(await count("process_entries", "row_id = $1 and event = 'receive'", payment)).toBe(1);
  expect(await count("pay_notices", "attempt = $1", id)).toBe(1);
  expect(await refundsOf(order)).toEqual([]);
});

test("fifty notices hold a deposit once, and fifty who give it back do so once", async () => {
  const lot = await bidding.announced();
  const deposit = await bidding.deposit(lot, bidding.bidders.first);
  const id = await trade.done(start("deposit", deposit));
  await Promise.all(Array.from({ length: 50 }, () => tell({ id })));
  expect(await stateOf("deposits", deposit)).toBe("held");
  expect(await count("process_entries", "row_id = $1 and event = 'receive'", deposit)).toBe(1);
  await trade.query("update deposits set return_at = now() - interval '1 minute' where id = $1", [deposit]);
  await Promise.all(Array.from({ length: 5 }, () => app.runJob("deposit.clock")));
  expect(await count("process_entries", "row_id = $1 and event = 'give_back'", deposit)).toBe(1);
  const [row] = await trade.query<{ version: number }>("select version from deposits where id = $1", [deposit]);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      trade.post(
        "deposit/release",
        { id: deposit, version: row?.version, refundReference: `BACK${at}` },
        at % 2 === 0 ? trade.tokens.sales : trade.tokens.admin,
      ),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await count("process_entries", "row_id = $1 and event = 'release'", deposit)).toBe(1);
  expect(await count("deposits", "lot = $1", lot)).toBe(1);
});

test("what is signed by nobody, by another secret, too old, or no notice, changes nothing", async () => {
  const { payment, id } = await attempted();
  const plain = gateway.notice({ id });
  expect((await app.http.inject({ ...plain, headers: { "content-type": "application/json" } })).statusCode).toBe(403);
  expect(await tell({ id }, "another secret that nobody shares")).toBe(403);
  expect(await tell({ id }, gatewaySecret, Date.now() - 400_000)).toBe(403);
  const other = JSON.stringify({ ...JSON.parse(plain.payload), amountFen: 1 });
  expect((await app.http.inject({ ...plain, payload: other })).statusCode).toBe(403);
  for (const wrong of [{ amountFen: -1 }, { reference: "" }, { outcome: "paid out" }, { amountFen: 0 }])
    expect(await tell({ id, ...wrong })).toBe(403);
  expect(await tell({ id: "123", amountFen: 5 })).toBe(404);
  expect(await stateOf("payments", payment)).toBe("awaited");
  expect(await count("pay_notices", "attempt = $1", id)).toBe(0);
});

test("another amount than is due pays nothing and goes back", async () => {
  const { order, payment, amount, id } = await attempted();
  expect(await tell({ id, amountFen: amount - 1 })).toBe(200);
  expect(await stateOf("pay_attempts", id)).toBe("surplus");
  expect(await stateOf("payments", payment)).toBe("awaited");
  expect(await refundsOf(order)).toEqual([{ amount: amount - 1, state: "awaited" }]);
  // The customer pays what is due, and the order goes on with the refund beside it.
  const second = await trade.done(start("payment", payment));
  expect(second).not.toBe(id);
  expect(await tell({ id: second })).toBe(200);
  expect(await stateOf("sale_orders", order)).toBe("confirmed");
  const [row] = await trade.query<{ paid: number }>(
    "select paid_fen::float8 as paid from sale_order_rows where id = $1",
    [order],
  );
  expect(row?.paid).toBe(amount);
});

test("money that comes after the end, after a cancelled order, or twice, is paid back once each", async () => {
  const late = await attempted();
  await pastExpiry(late.id);
  await look(late.id);
  expect(await stateOf("pay_attempts", late.id)).toBe("expired");
  await Promise.all(Array.from({ length: 10 }, () => tell({ id: late.id })));
  expect(await stateOf("pay_attempts", late.id)).toBe("surplus");
  expect(await refundsOf(late.order)).toEqual([{ amount: late.amount, state: "awaited" }]);
  expect(await stateOf("payments", late.payment)).toBe("awaited");

  const cancelled = await attempted();
  await trade.done(
    trade.post("order/cancel", { id: cancelled.order, version: 1, reason: "不要了" }, trade.tokens.owner),
  );
  await tell({ id: cancelled.id });
  await tell({ id: cancelled.id });
  expect(await stateOf("sale_orders", cancelled.order)).toBe("cancelled");
  expect(await refundsOf(cancelled.order)).toEqual([{ amount: cancelled.amount, state: "awaited" }]);

  // Really paid twice: another payment at the gateway.
  const twice = await attempted();
  await tell({ id: twice.id, reference: "FIRST" });
  await Promise.all(Array.from({ length: 10 }, () => tell({ id: twice.id, reference: "SECOND" })));
  expect(await stateOf("pay_attempts", twice.id)).toBe("succeeded");
  expect(await refundsOf(twice.order)).toEqual([{ amount: twice.amount, state: "awaited" }]);
  // Calling the order off pays the prepayment back beside it, and both stay to be paid.
  await trade.done(trade.post("order/call-off", { id: twice.order, version: 2, reason: "车坏了" }, trade.tokens.sales));
  expect(await refundsOf(twice.order)).toEqual([
    { amount: twice.amount, state: "awaited" },
    { amount: twice.amount, state: "awaited" },
  ]);
});

test("a deposit that was paid after it was taken back goes back as a deposit of its own", async () => {
  const lot = await bidding.announced();
  const deposit = await bidding.deposit(lot, bidding.bidders.second);
  const id = await trade.done(start("deposit", deposit, bidding.bidders.second));
  await trade.done(trade.post("deposit/cancel", { id: deposit, version: 1 }, bidding.bidders.second));
  await Promise.all(Array.from({ length: 10 }, () => tell({ id })));
  const rows = await trade.query<{ state: string; amount: number }>(
    "select state, amount_fen::float8 as amount from deposits where lot = $1 order by id",
    [lot],
  );
  expect(rows).toEqual([
    { state: "void", amount: 500_000 },
    { state: "returning", amount: 500_000 },
  ]);
  // Another deposit for the lot is begun as before, and the money that goes back lets nobody bid.
  await bidding.deposit(lot, bidding.bidders.second);
});

test("a gateway that says nothing is asked: what was paid counts, what was not ends, and a lie is no payment", async () => {
  const silent = await attempted();
  gateway.paid.set(silent.id, { state: "paid", reference: "SILENT", amountFen: silent.amount });
  gateway.state.way = "lies";
  await look(silent.id);
  expect(await stateOf("pay_attempts", silent.id)).toBe("unknown");
  gateway.state.way = "stutters";
  await look(silent.id);
  expect(await stateOf("pay_attempts", silent.id)).toBe("unknown");
  gateway.state.way = "works";
  await Promise.all([look(silent.id), app.runJob("pay_attempt.look"), tell({ id: silent.id, reference: "SILENT" })]);
  expect(await stateOf("pay_attempts", silent.id)).toBe("succeeded");
  expect(await stateOf("sale_orders", silent.order)).toBe("confirmed");
  expect(await count("process_entries", "row_id = $1 and event = 'receive'", silent.payment)).toBe(1);

  const failed = await attempted();
  await tell({ id: failed.id, outcome: "failed", reference: "", amountFen: 0 });
  expect(await stateOf("pay_attempts", failed.id)).toBe("failed");
  const again = await trade.done(start("payment", failed.payment));
  expect(again).not.toBe(failed.id);

  // Late: asked for each hour after its end, and paid back.
  await pastExpiry(again);
  await look(again);
  expect(await stateOf("pay_attempts", again)).toBe("expired");
  gateway.paid.set(again, { state: "paid", reference: "LATE", amountFen: failed.amount });
  await look(again);
  expect(await stateOf("pay_attempts", again)).toBe("surplus");
  expect(await refundsOf(failed.order)).toEqual([{ amount: failed.amount, state: "awaited" }]);
  const [row] = await trade.query<{ look: string | null }>("select look_at as look from pay_attempts where id = $1", [
    again,
  ]);
  expect(row?.look).toBeNull();
});

test("a gateway that hangs leaves the attempt, which goes on when it answers", async () => {
  const { order } = await trade.accepted(plan, 10);
  const { id: payment } = await trade.paymentOf(order, "prepayment");
  gateway.state.way = "hangs";
  const { status, data } = await start("payment", payment);
  expect([status, data]).toMatchObject([200, { payUrl: "" }]);
  gateway.state.way = "works";
  const next = await start("payment", payment);
  expect(next.data).toMatchObject({ id: data?.id, payUrl: `https://pay.example/${data?.id}` });
});

test("fifty who begin at once have one attempt, and only the own customer begins one", async () => {
  const { order } = await trade.accepted(plan, 10);
  const { id: payment } = await trade.paymentOf(order, "prepayment");
  const answers = await Promise.all(Array.from({ length: 50 }, () => start("payment", payment)));
  expect(new Set(answers.map(({ data }) => data?.id)).size).toBe(1);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect((await start("payment", payment, trade.tokens.stranger)).status).toBe(404);
  expect(await trade.refused(start("payment", payment, trade.tokens.sales))).toEqual([400, "在线支付由客户自己发起"]);
  expect((await start("payment", payment, "")).status).toBe(401);
});

test("without a provider, who pays online is told to pay by transfer", async () => {
  const bare = await createTestApp({ DEMO: "off" });
  try {
    const other = await tradeOf(bare);
    const { order } = await other.accepted(await other.published({ heads: 50 }), 50);
    const { id } = await other.paymentOf(order, "prepayment");
    expect(await other.refused(other.post("pay-attempt/start", { target: "payment", id }, other.tokens.owner))).toEqual(
      [400, "还没有开通在线支付，请用银行转账"],
    );
    expect((await bare.http.inject({ method: "POST", url: "/pay/notice", payload: "{}" })).statusCode).toBe(404);
  } finally {
    await bare.close();
  }
});

test("every step of an attempt by everybody", async () => {
  const { order, payment, amount, id } = await attempted();
  const { query } = trade;
  let references = 0;
  const tried = await everyStep(payAttemptProcess, {
    query,
    table: "pay_attempts",
    id: () => id,
    history: ["process_entries", "row_id"],
    callers: [
      { name: "gateway", token: "", party: "provider" },
      { name: "clock", token: "", party: "clock" },
      { name: "owner", token: trade.tokens.owner, party: undefined },
      { name: "administrator", token: trade.tokens.admin, party: undefined },
      passerBy,
    ],
    async put(state, event) {
      await query("delete from payments where kind = 'refund' and \"order\" = $1", [order]);
      await query("delete from pay_notices where attempt = $1", [id]);
      await query("update payments set state = 'awaited', bank_reference = '' where id = $1", [payment]);
      await query("update sale_orders set state = 'waiting_payment' where id = $1", [order]);
      gateway.state.way = event === "doubt" ? "stutters" : "works";
      gateway.paid.delete(id);
      await query(
        `update pay_attempts set state = $2, state_at = now() - interval '1 hour', version = 1, look_at = null,
                expires_at = now() + case when $3 = 'expire' then interval '-1 minute' else interval '9 days' end where id = $1`,
        [id, state, event],
      );
    },
    async ask(event, caller) {
      if (caller.name === "clock") {
        if (event !== "doubt" && event !== "expire") return "no way";
        await look(id);
        // When it is asked next is no step.
        await query("update pay_attempts set look_at = null where id = $1", [id]);
        return undefined;
      }
      if (caller.name === "gateway") {
        if (event === "doubt" || event === "expire") return "no way";
        references += 1;
        const reference = `E${references}`;
        // What the word leads to is decided by where the attempt is, so each event is asked for where the table has it.
        const state = await stateOf("pay_attempts", id);
        const runs = state === "started" || state === "unknown";
        if (event === "succeed" && runs) return tell({ id, reference });
        if (event === "fail" && runs) return tell({ id, outcome: "failed", reference: "", amountFen: 0 });
        if (event === "surplus" && state !== "succeeded" && state !== "surplus")
          return tell({ id, reference, amountFen: amount - 1 });
        if (event === "again" && (state === "succeeded" || state === "surplus")) return tell({ id, reference });
        return "no way";
      }
      return (await trade.post(`pay-attempt/${event}`, { id, version: 1 }, caller.token)).status;
    },
  });
  expect(tried).toBeGreaterThan(100);
});

test("the sandbox of the demo pays, pays late, twice or never, as its page is asked", async () => {
  const demo = await createTestApp();
  try {
    const other = await tradeOf(demo);
    const open = await other.published({ heads: 500 });
    const paying = async (way: string) => {
      const { order } = await other.accepted(open, 10);
      const { id: payment } = await other.paymentOf(order, "prepayment");
      const { data } = await other.post("pay-attempt/start", { target: "payment", id: payment }, other.tokens.owner);
      const { id, payUrl } = data as unknown as { id: string; payUrl: string };
      const page = await demo.http.inject({ method: "GET", url: payUrl });
      expect([page.statusCode, page.body.includes("演示模式不真的付款")]).toEqual([200, true]);
      const answer = await demo.http.inject({
        method: "POST",
        url: payUrl,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload: `way=${way}`,
      });
      expect([answer.statusCode, answer.headers.location]).toEqual([303, `/order/payment?row=${payment}`]);
      const lookNow = async () => {
        await other.query("update pay_attempts set look_at = now() - interval '1 second' where id = $1", [id]);
        await demo.runJob("pay_attempt.look");
      };
      return { id, lookNow, state: () => other.stateOf("pay_attempts", id) };
    };
    for (const [way, state] of [
      ["paid", "succeeded"],
      ["twice", "succeeded"],
      ["less", "surplus"],
      ["failed", "failed"],
      ["silent", "started"],
      ["unsigned", "started"],
      ["never", "started"],
    ] as const)
      expect([way, await (await paying(way)).state()]).toEqual([way, state]);
    const silent = await paying("silent");
    await silent.lookNow();
    expect(await silent.state()).toBe("succeeded");
    const never = await paying("never");
    await never.lookNow();
    expect(await never.state()).toBe("started");
    expect((await demo.http.inject({ method: "GET", url: "/dev/pay/1" })).statusCode).toBe(404);
    expect(
      (await demo.http.inject({ method: "POST", url: `/dev/pay/${never.id}`, payload: "way=other" })).statusCode,
    ).toBe(404);
  } finally {
    await demo.close();
  }
});
