import {
  declarationProcess,
  orderProcess,
  paymentProcess,
  planProcess,
  settlementProcess,
  transitProcess,
  weighingProcess,
} from "@herdwise/contract";
import { eventsOf, type ProcessDeclaration } from "@herdwise/contract/process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { everyStep, passerBy } from "../harness/every-step.ts";
import { dayIn, tradeOf, washOf } from "../harness/trade.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
let plan: string;
let order: string;
let payment: string;
let weighing: string;
let settlement: string;
let transit: string;

beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app);
  const { accepted, cleared, done, paid, paymentOf, post, published, tokens, weighed } = trade;
  plan = await published({ heads: 100 });
  ({ order } = await accepted(plan, 50));
  payment = (await paymentOf(order, "prepayment")).id;
  await paid(order, "prepayment");
  transit = await cleared(order, "豫R3K627", 50);
  await done(post("order/load", { id: order, version: 2 }, tokens.sales));
  weighing = await weighed(order, "豫R3K627", 50, 19_500_000, 13_500_000);
  await done(post("order/weigh", { id: order, version: 3 }, tokens.sales));
  settlement = await done(post("settlement/submit", { order }, tokens.sales));
});
afterAll(() => app.close());

/** What forms of events are asked; the bank's reference differs each time. */
let asked = 0;
const formOf = () => {
  asked += 1;
  return {
    ...trade.planOf({ heads: 100 }),
    heads: 40,
    reason: "试一试",
    bankReference: `T${asked}`,
    receivedOn: dayIn(0),
    amountFen: 50 * 115 * 1475,
    ...washOf(),
    quarantineNumber: "JY-1",
    quarantineHeads: 50,
    quarantineUntil: dayIn(9),
    plate: "豫R3K627",
    driverName: "马军",
    driverPhone: "13900000267",
  };
};

/**
 * Tries each event in each state: as the desk by the administrator, where the row is the salesperson's; as the customer by the owner; by a
 * colleague without the right, another customer and a stranger; and by the clock.
 */
const tryAll = async <State extends string, Event extends string, Party extends string>(
  of: ProcessDeclaration<string, State, Event, Party, never, string>,
  to: {
    path: string;
    table: string;
    id: string;
    put: (state: State, event: Event) => Promise<unknown>;
    /** Events that another process causes. */
    elsewhere?: readonly string[];
    /** Events of the clock. */
    timed?: readonly Event[];
    /** Columns that make a second person of the administrator. */
    written?: string;
  },
): Promise<number> => {
  const { query, tokens, post } = trade;
  const { path, table, id, put, elsewhere = [], timed = [], written = "created_by = $4" } = to;
  const [sales] = await query<{ id: string }>("select id::text from accounts where account = 'kefu01'");
  const buttons = new Set(
    eventsOf(of).filter((event) => [of.events[event].by].flat().some((by) => by === "desk" || by === "customer")),
  );
  const partyNamed = (name: string): Party | undefined => of.parties.find((party) => party === name);
  return await everyStep<State, Event, Party, never>(of, {
    query,
    table,
    id: () => id,
    history: ["process_entries", "row_id"],
    elsewhere,
    callers: [
      { name: "administrator", token: tokens.admin, party: partyNamed("desk") },
      { name: "owner", token: tokens.owner, party: partyNamed("customer") },
      { name: "finance", token: tokens.finance, party: undefined },
      { name: "another customer", token: tokens.stranger, party: undefined },
      passerBy,
      { name: "clock", token: "", party: partyNamed("clock") },
    ],
    async put(state, event) {
      await put(state, event);
      // The figures of a settlement are kept by a trigger.
      const client = await app.test.database.pool.connect();
      try {
        await client.query("begin; set local session_replication_role = replica");
        await client.query(
          `update ${table} set state = $2, state_at = now() - interval '1 hour', version = 1,
                  ${written} where id = $1 and $3::text is not null and $4::bigint is not null`,
          [id, state, event, sales?.id],
        );
        await client.query("commit");
      } finally {
        client.release();
      }
    },
    async ask(event, caller) {
      if (caller.name === "clock") {
        if (!timed.includes(event)) return "no way";
        await app.runJob(`${of.name}.clock`);
        return undefined;
      }
      if (!buttons.has(event) || (timed.includes(event) && !["complete"].includes(event))) return "no way";
      const { status } = await post(
        `${path}/${event.replaceAll("_", "-")}`,
        { id, version: 1, ...formOf() },
        caller.token,
      );
      return status;
    },
  });
};

const past = "now() - interval '1 minute'";
const future = "now() + interval '9 days'";

test("a plan", async () => {
  const { query } = trade;
  const own = await trade.done(trade.post("plan/submit", trade.planOf(), trade.tokens.sales));
  const tried = await tryAll(planProcess, {
    path: "plan",
    table: "sale_plans",
    id: own,
    timed: ["lapse"],
    written: "created_by = $4, updated_by = $4",
    put: (_state, event) =>
      query(`update sale_plans set price_per_kg = 1475, ends_at = ${event === "lapse" ? past : future} where id = $1`, [
        own,
      ]),
  });
  expect(tried).toBeGreaterThan(100);
});

test("a declaration", async () => {
  const { query, done, post, tokens } = trade;
  const own = await done(post("declaration/submit", { plan, heads: 40 }, tokens.owner));
  await tryAll(declarationProcess, {
    path: "declaration",
    table: "declarations",
    id: own,
    timed: ["expire"],
    written: "heads = 40",
    async put(_state, event) {
      await query(`delete from payments where "order" in (select id from sale_orders where declaration = $1)`, [own]);
      await query("delete from sale_orders where declaration = $1", [own]);
      await query("update sale_plans set taken = 50 where id = $1", [plan]);
      await query(`update declarations set expires_at = ${event === "expire" ? past : future} where id = $1`, [own]);
    },
  });
});

test("a payment", async () => {
  await tryAll(paymentProcess, {
    path: "payment",
    table: "payments",
    id: payment,
    // By the provider and by notes: tests/api/pay-attempts.test.ts, notes.test.ts.
    elsewhere: ["awaited cancel order", "recorded cancel order", "awaited receive provider", "awaited set_off note"],
    written: "recorded_by = $4",
    put: () =>
      trade.query("update sale_orders set state = 'waiting_payment', pay_by = now() + interval '1 day' where id = $1", [
        order,
      ]),
  });
});

test("a weighing", async () => {
  await tryAll(weighingProcess, {
    path: "weighing",
    table: "weighings",
    id: weighing,
    // By tickets of weighbridges: tests/api/scale-tickets.test.ts.
    elsewhere: ["entered confirm scale"],
    put: () => trade.query("update sale_orders set state = 'loading' where id = $1", [order]),
  });
});

test("a transit", async () => {
  const { query } = trade;
  await tryAll(transitProcess, {
    path: "transit",
    table: "transits",
    id: transit,
    elsewhere: [
      "planned cancel order",
      "ready cancel order",
      // By the driver's link: tests/api/driver-link.test.ts.
      ...["planned", "ready", "loading"].flatMap((state) => [
        `${state} disinfect driver`,
        `${state} quarantine driver`,
      ]),
      "loading depart driver",
      "departed arrive driver",
    ],
    async put(state) {
      await query("update sale_orders set state = 'loading' where id = $1", [order]);
      await query("update weighings set state = 'confirmed' where id = $1", [weighing]);
      await query(
        `update transits set disinfection_number = 'XD-1', disinfected_at = now() - interval '3 hours', disinfection_until = now() + interval '1 day',
                quarantine_heads = 50, arrived_at = null, departed_at = case when $2 then now() - interval '1 hour' end where id = $1`,
        [transit, state === "departed" || state === "arrived" || state === "closed"],
      );
    },
  });
});

test("a settlement", async () => {
  const { query } = trade;
  await tryAll(settlementProcess, {
    path: "settlement",
    table: "settlements",
    id: settlement,
    async put() {
      await query(`delete from payments where "order" = $1 and kind <> 'prepayment'`, [order]);
      await query("update sale_orders set state = 'weighed' where id = $1", [order]);
    },
  });
});

test("an order", async () => {
  const { query } = trade;
  await query("update weighings set state = 'confirmed' where id = $1", [weighing]);
  await tryAll(orderProcess, {
    path: "order",
    table: "sale_orders",
    id: order,
    timed: ["expire", "complete"],
    elsewhere: ["waiting_payment confirm payment", "weighed settle settlement"],
    written: "declaration = declaration",
    async put(state, event) {
      await query(`delete from payments where "order" = $1 and kind <> 'prepayment'`, [order]);
      await query("update payments set state = $2 where id = $1", [
        payment,
        ["call_off", "complete"].includes(event) ? "done" : "awaited",
      ]);
      await query("update sale_plans set taken = 50 where id = $1", [plan]);
      await query(
        `update transits set state = 'ready', disinfection_number = 'XD-1', disinfected_at = now() - interval '3 hours',
                disinfection_until = now() + interval '1 day' where id = $1`,
        [transit],
      );
      await query(
        `update sale_orders set pay_by = ${event === "expire" ? past : future},
                complete_at = ${event === "complete" && state === "settled" ? past : future} where id = $1`,
        [order],
      );
    },
  });
});
