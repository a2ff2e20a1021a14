import { depositProcess, lotProcess } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { biddingOf } from "../harness/bidding.ts";
import { everyStep, passerBy } from "../harness/every-step.ts";
import { dayIn, tradeOf } from "../harness/trade.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
let bidding: Awaited<ReturnType<typeof biddingOf>>;
let lot: string;
let deposit: string;
let sales: string;

beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app);
  bidding = await biddingOf(app, trade);
  const { bid, bidders, deposited, openFor, announced } = bidding;
  lot = await announced();
  deposit = await deposited(lot, bidders.first);
  await deposited(lot, bidders.second);
  await openFor(lot, 3600);
  await bid({ lot, fenPerKg: 1400 }, bidders.second);
  await bid({ lot, fenPerKg: 1405 }, bidders.first);
  const [account] = await trade.query<{ id: string }>("select id::text from accounts where account = 'kefu01'");
  sales = account?.id ?? "";
});
afterAll(() => app.close());

const past = "now() - interval '1 minute'";
const future = "now() + interval '9 days'";
const buttonOf = (event: string) => event.replaceAll("_", "-");
/** Nothing of an order of the lot is left. */
const withoutOrder = async () => {
  const { query } = trade;
  await query(`update deposits set "order" = null`);
  await query(`delete from payments where "order" in (select id from sale_orders where lot = $1)`, [lot]);
  await query("delete from sale_orders where lot = $1", [lot]);
};

test("a lot", async () => {
  const { post, query, tokens } = trade;
  const [best] = await query<{ tenant: string; account: string }>(
    "select best_tenant as tenant, best_account::text as account from lots where id = $1",
    [lot],
  );
  const timed = ["open", "award", "fail"];
  const tried = await everyStep(lotProcess, {
    query,
    table: "lots",
    id: () => lot,
    history: ["process_entries", "row_id"],
    // The same run of the clock goes on from the freeze to the award, which tests/api/bidding.test.ts follows, as it does unpaid orders.
    elsewhere: ["open freeze clock", "awarded pass_on order", "awarded fall_through order"],
    callers: [
      { name: "administrator", token: tokens.admin, party: "desk" },
      { name: "a customer's owner", token: tokens.owner, party: undefined },
      passerBy,
      { name: "clock", token: "", party: "clock" },
    ],
    async put(state, event) {
      await withoutOrder();
      await query("update deposits set state = 'held', return_at = null where lot = $1", [lot]);
      await query("update sale_plans set taken = 100 where id = (select plan from lots where id = $1)", [lot]);
      const bids = event === "award";
      const due = ["announced open", "frozen award", "frozen fail"].includes(`${state} ${event}`);
      await query(
        `update lots set state = $2, state_at = now() - interval '1 hour', version = 1, created_by = $3,
                opens_at = ${due || state !== "announced" ? "now() - interval '2 hours'" : "now() + interval '8 days'"},
                ends_at = ${due && state === "frozen" ? past : future},
                best_per_kg = $4, best_tenant = $5, best_account = $6 where id = $1`,
        [lot, state, sales, bids ? 1405 : null, bids ? best?.tenant : null, bids ? best?.account : null],
      );
    },
    async ask(event, caller) {
      if (caller.name === "clock") {
        if (!timed.includes(event)) return "no way";
        await app.runJob("lot.clock");
        return undefined;
      }
      if (event !== "withdraw") return "no way";
      return (await post("lot/withdraw", { id: lot, version: 1, reason: "试一试" }, caller.token)).status;
    },
  });
  expect(tried).toBeGreaterThan(30);
});

test("a deposit", async () => {
  const { post, query, tokens } = trade;
  let transfers = 0;
  const timed = ["cancel", "give_back"];
  const tried = await everyStep(depositProcess, {
    query,
    table: "deposits",
    id: () => deposit,
    history: ["process_entries", "row_id"],
    // By the provider: tests/api/pay-attempts.test.ts.
    elsewhere: ["held credit order", "awaited receive provider", "awaited turn_back provider"],
    callers: [
      { name: "administrator", token: tokens.admin, party: "desk" },
      { name: "owner", token: tokens.owner, party: "customer" },
      { name: "finance", token: tokens.finance, party: undefined },
      { name: "another customer", token: tokens.stranger, party: undefined },
      passerBy,
      { name: "clock", token: "", party: "clock" },
    ],
    async put(state, event) {
      await withoutOrder();
      await query("update lots set state = 'awarded' where id = $1", [lot]);
      if (event === "propose_forfeit")
        await query(
          `insert into sale_orders (id, tenant_id, number, plan, lot, heads, price_per_kg, expected_fen, pay_by, state)
           select 77002, '100002', 'T', plan, id, heads, 1405, 1, now(), 'cancelled' from lots where id = $1`,
          [lot],
        );
      await query(
        `update deposits set state = $2, state_at = now() - interval '1 hour', version = 1, recorded_by = $3, proposed_by = $3,
                return_at = ${["awaited cancel", "held give_back"].includes(`${state} ${event}`) ? past : "null"} where id = $1`,
        [deposit, state, sales],
      );
    },
    async ask(event, caller) {
      if (caller.name === "clock") {
        if (!timed.includes(event)) return "no way";
        await app.runJob("deposit.clock");
        return undefined;
      }
      if (["credit", "receive", "turn_back"].includes(event)) return "no way";
      transfers += 1;
      const form = {
        amountFen: 500_000,
        bankReference: `S${transfers}`,
        receivedOn: dayIn(0),
        refundReference: `S${transfers}`,
        reason: "试一试",
      };
      return (await post(`deposit/${buttonOf(event)}`, { id: deposit, version: 1, ...form }, caller.token)).status;
    },
  });
  expect(tried).toBeGreaterThan(300);
});
