import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { dayIn, tradeOf } from "../harness/trade.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
let plan: string;
beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app);
  plan = await trade.published({ heads: 1000 });
});
afterAll(() => app.close());

const recordOf = (id: string, amountFen: number) => ({
  id,
  version: 1,
  amountFen,
  bankReference: `L${id}`,
  receivedOn: dayIn(0),
});

test("whoever waits for an order holds none of its payments or settlements", async () => {
  const { order } = await trade.accepted(plan, 10);
  const { id, amount } = await trade.paymentOf(order, "prepayment");
  await trade.done(trade.post("payment/record", recordOf(id, amount), trade.tokens.sales));
  const holder = await app.test.database.pool.connect();
  try {
    await holder.query("begin");
    await holder.query("select from sale_orders where id = $1 for no key update", [order]);
    const confirmed = trade.post("payment/confirm", { id, version: 2 }, trade.tokens.admin);
    await vi.waitFor(async () => {
      const waiting = await trade.query(
        "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(waiting).toHaveLength(1);
    });
    // As one who cancels the order does; it would wait for who waits for it.
    await holder.query("select from payments where id = $1 for no key update nowait", [id]);
    await holder.query("commit");
    expect((await confirmed).status).toBe(200);
  } finally {
    await holder.query("rollback");
    holder.release();
  }
});

test("payments are recorded and confirmed while their orders are cancelled: one of both happens, and nobody is told of a fault", async () => {
  const rounds = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const { order } = await trade.accepted(plan, 10);
      return { order, ...(await trade.paymentOf(order, "prepayment")) };
    }),
  );
  const answers = await Promise.all(
    rounds.flatMap(({ order, id, amount }) => [
      trade.post("order/cancel", { id: order, version: 1, reason: "不要了" }, trade.tokens.owner),
      (async () => {
        await trade.post("payment/record", recordOf(id, amount), trade.tokens.sales);
        return trade.post("payment/confirm", { id, version: 2 }, trade.tokens.admin);
      })(),
    ]),
  );
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  for (const { order, id } of rounds)
    expect(["cancelled void", "confirmed done"]).toContain(
      `${await trade.stateOf("sale_orders", order)} ${await trade.stateOf("payments", id)}`,
    );
});
