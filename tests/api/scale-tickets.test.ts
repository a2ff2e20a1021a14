import { scaleTicketProcess } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { workers } from "../harness/database.ts";
import { everyStep, passerBy } from "../harness/every-step.ts";
import { tradeOf } from "../harness/trade.ts";
import { ticketOf, weigh, weighbridgeOf } from "../harness/weighbridge.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
/** Weighbridges at the field that loads, at another farm of the group, and of two customers. */
let here: string;
let elsewhere: string;
let buyers: string;
let strangers: string;

beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app);
  here = await weighbridgeOf(app, "000000", "T1");
  elsewhere = await weighbridgeOf(app, "000000", "T2");
  buyers = await weighbridgeOf(app, "100002", "T1");
  strangers = await weighbridgeOf(app, "100001", "T1");
});
afterAll(() => app.close());

let plates = 0;
/** An order that is being loaded, with a cleared vehicle of a plate of its own. */
async function loading({ loads = true } = {}): Promise<{ order: string; plate: string; transit: string }> {
  const { accepted, cleared, done, paid, post, published, tokens } = trade;
  plates += 1;
  const plate = `豫R${String(10_000 + plates)}`;
  const { order } = await accepted(await published({ heads: 50 }), 50);
  await paid(order, "prepayment");
  const transit = await cleared(order, plate, 50);
  if (loads) await done(post("order/load", { id: order, version: 2 }, tokens.sales));
  return { order, plate, transit };
}
const weighingsOf = (order: string) =>
  trade.query<{ id: string; state: string; source: string; gross: number; tare: number; heads: number }>(
    `select id::text, state, source, gross_grams as gross, tare_grams as tare, heads from weighings where "order" = $1 order by id`,
    [order],
  );
const ticketsOf = (plate: string) =>
  trade.query<{ id: string; state: string; problem: string | null; use: string | null; version: number }>(
    "select id::text, state, problem, use, version from scale_tickets where plate = $1 order by id",
    [plate],
  );
const statesOf = async (plate: string) => (await ticketsOf(plate)).map(({ state, problem }) => [state, problem]);

test("an empty lorry in and a loaded one out are a weighing, without a second person", async () => {
  const { order, plate } = await loading();
  await weigh(app, here, ticketOf(plate, "in", 13_500_000));
  expect(await weighingsOf(order)).toEqual([]);
  expect(await statesOf(plate)).toEqual([["matched", null]]);
  await weigh(app, here, ticketOf(plate, "out", 19_500_000));
  expect(await weighingsOf(order)).toMatchObject([
    { state: "confirmed", source: "scale", gross: 19_500_000, tare: 13_500_000, heads: 50 },
  ]);
  expect(await statesOf(plate)).toEqual([
    ["used", null],
    ["used", null],
  ]);
  await trade.done(trade.post("order/weigh", { id: order, version: 3 }, trade.tokens.sales));
  expect(await trade.stateOf("sale_orders", order)).toBe("weighed");
  const view = await app.get<{ weighings: object[] }>(`/api/muyuan-trade/order/view?id=${order}`, trade.tokens.owner);
  expect(view.body.data.weighings).toMatchObject([
    {
      source: "scale",
      tickets: [
        { use: "tare", weightGrams: 13_500_000, stable: true, device: here },
        { use: "gross", weightGrams: 19_500_000, stable: true, device: here },
      ],
    },
  ]);
});

test("a plate is the same with blanks, points and small letters", async () => {
  const { order, plate } = await loading();
  await weigh(app, here, ticketOf(plate.toLowerCase(), "in", 13_500_000));
  await weigh(app, here, ticketOf(`${plate.slice(0, 2)}·${plate.slice(2)} `, "out", 19_500_000));
  expect(await weighingsOf(order)).toHaveLength(1);
});

test("a ticket counts once, whatever is sent again", async () => {
  const { order, plate } = await loading();
  const first = ticketOf(plate, "in", 13_500_000);
  await weigh(app, here, first, first);
  // The same ticket in another event, with another weight.
  await weigh(app, here, { ...first, id: "again", weight_g: 12_000_000 });
  await weigh(app, here, ticketOf(plate, "out", 19_500_000));
  expect(await weighingsOf(order)).toMatchObject([{ tare: 13_500_000 }]);
  await weigh(app, here, { ...first, id: "once more" });
  expect(await ticketsOf(plate)).toHaveLength(2);
});

test("a second empty weighing replaces the first", async () => {
  const { order, plate } = await loading();
  await weigh(app, here, ticketOf(plate, "in", 13_500_000));
  await weigh(app, here, ticketOf(plate, "in", 13_460_000));
  await weigh(app, here, ticketOf(plate, "out", 19_500_000));
  expect(await weighingsOf(order)).toMatchObject([{ tare: 13_460_000 }]);
  expect(await statesOf(plate)).toEqual([
    ["dismissed", null],
    ["used", null],
    ["used", null],
  ]);
});

describe("what can't be relied on is refused", () => {
  const past = new Date(Date.now() - 3_600_000).toISOString();
  test.each([
    ["unstable", { stability: "unstable" }],
    ["unstable", { stability: "" }],
    ["calibration", { calibrated_until: past }],
    ["calibration", { calibrated_until: "" }],
    ["calibration", { calibrated_until: undefined }],
    ["zero", { zero_kg: 64 }],
    ["zero", { zero_kg: -64 }],
    ["zero", { zero_kg: "2.5" }],
    ["range", { weight_g: 13_500_000.5 }],
    ["range", { weight_g: "19500000" }],
    ["range", { weight_g: 900_000_000 }],
    ["range", { weight_g: -5 }],
    ["range", { weight_g: 0 }],
    ["phase", { phase: "weighed" }],
  ])("%s: %j", async (problem, more) => {
    const { order, plate } = await loading();
    await weigh(app, here, ticketOf(plate, "in", 13_500_000));
    await weigh(app, here, ticketOf(plate, "out", 19_500_000, more));
    expect(await statesOf(plate)).toEqual([
      ["matched", null],
      ["refused", problem],
    ]);
    expect(await weighingsOf(order)).toEqual([]);
  });

  test("a calibration that ended between the weighing and now was in force", async () => {
    const { order, plate } = await loading();
    const soon = new Date(Date.now() - 1000).toISOString();
    await weigh(app, here, ticketOf(plate, "in", 13_500_000, { ts: Date.now() - 120_000, calibrated_until: soon }));
    await weigh(app, here, ticketOf(plate, "out", 19_500_000));
    expect(await weighingsOf(order)).toHaveLength(1);
  });
});

test("another field's scale and a customer's scale weigh nothing here", async () => {
  const { order, plate } = await loading();
  await weigh(app, elsewhere, ticketOf(plate, "in", 13_500_000), ticketOf(plate, "out", 19_500_000));
  await weigh(app, buyers, ticketOf(plate, "in", 13_500_000), ticketOf(plate, "out", 19_500_000));
  await weigh(app, strangers, ticketOf(plate, "in", 13_500_000), ticketOf(plate, "out", 19_500_000));
  expect(await weighingsOf(order)).toEqual([]);
  // What customers weigh beside their orders is not told to the group.
  expect(await statesOf(plate)).toEqual([
    ["unmatched", "plate"],
    ["unmatched", "plate"],
  ]);
});

test("a wrong plate stays in the list until staff match it, to a vehicle of that field alone", async () => {
  const { order, plate, transit } = await loading();
  const { post, tokens, done, refused } = trade;
  await weigh(app, here, ticketOf(plate, "in", 13_500_000));
  const misread = `${plate}X`;
  await weigh(app, here, ticketOf(misread, "out", 19_500_000));
  await weigh(app, elsewhere, ticketOf(misread, "out", 21_000_000));
  const [own, others] = await ticketsOf(misread);
  expect(own).toMatchObject({ state: "unmatched", problem: "plate" });
  const match = (id: string | undefined, token = tokens.sales) =>
    post("scale-ticket/match", { id, version: 1, transit, use: "gross" }, token);
  expect(await refused(match(others?.id))).toEqual([400, "这辆车不在这台地磅的场区装车"]);
  expect((await refused(match(own?.id, tokens.owner)))[0]).toBe(403);
  await done(match(own?.id));
  expect(await weighingsOf(order)).toMatchObject([{ state: "confirmed", source: "scale", gross: 19_500_000 }]);
});

test("two vehicles of one plate are for staff to tell apart", async () => {
  const { plate } = await loading();
  const other = await loading();
  await trade.query("update transits set plate = $2 where id = $1", [other.transit, plate]);
  await weigh(app, here, ticketOf(plate, "in", 13_500_000));
  expect(await statesOf(plate)).toEqual([["unmatched", "several"]]);
});

test("what was weighed before the loading began counts when it begins", async () => {
  const { order, plate } = await loading({ loads: false });
  await weigh(app, here, ticketOf(plate, "in", 13_500_000));
  await weigh(app, here, ticketOf(plate, "out", 19_500_000));
  expect(await weighingsOf(order)).toEqual([]);
  expect(await statesOf(plate)).toEqual([
    ["matched", "order"],
    ["matched", "order"],
  ]);
  await trade.done(trade.post("order/load", { id: order, version: 2 }, trade.tokens.sales));
  expect(await weighingsOf(order)).toHaveLength(1);
});

test("a lorry whose certificate is over is not weighed", async () => {
  const { order, plate, transit } = await loading();
  await trade.query("update transits set disinfection_until = now() - interval '1 minute' where id = $1", [transit]);
  await weigh(app, here, ticketOf(plate, "in", 13_500_000), ticketOf(plate, "out", 19_500_000));
  expect(await weighingsOf(order)).toEqual([]);
  expect((await ticketsOf(plate)).map(({ problem }) => problem)).toEqual(["papers", "papers"]);
});

test("an empty lorry that is heavier than the loaded one is held off", async () => {
  const { order, plate } = await loading();
  await weigh(app, here, ticketOf(plate, "in", 19_500_000), ticketOf(plate, "out", 13_500_000));
  expect(await weighingsOf(order)).toEqual([]);
  expect((await ticketsOf(plate)).map(({ problem }) => problem)).toEqual(["weights", "weights"]);
});

test("a discarded weighing gives its tickets back, which may be matched again", async () => {
  const { order, plate, transit } = await loading();
  await weigh(app, here, ticketOf(plate, "in", 13_500_000), ticketOf(plate, "out", 19_500_000));
  const [weighing] = await weighingsOf(order);
  // Another one by the scale would be a second one.
  await weigh(app, here, ticketOf(plate, "out", 19_700_000));
  expect((await statesOf(plate)).at(-1)).toEqual(["unmatched", "weighed"]);
  const { post, tokens, done } = trade;
  await done(post("weighing/discard", { id: weighing?.id, version: 2, reason: "重称" }, tokens.sales));
  const [tare, , later] = await ticketsOf(plate);
  for (const [ticket, use] of [
    [tare, "tare"],
    [later, "gross"],
  ] as const)
    await done(post("scale-ticket/match", { id: ticket?.id, version: ticket?.version, transit, use }, tokens.sales));
  expect(await weighingsOf(order)).toMatchObject([
    { state: "void", gross: 19_500_000 },
    { state: "confirmed", gross: 19_700_000 },
  ]);
});

test("after the settlement neither a replay nor a new ticket changes anything", async () => {
  const { order, plate } = await loading();
  const { post, tokens, done } = trade;
  const both = [ticketOf(plate, "in", 13_500_000), ticketOf(plate, "out", 19_500_000)];
  await weigh(app, here, ...both);
  await done(post("order/weigh", { id: order, version: 3 }, tokens.sales));
  const settlement = await done(post("settlement/submit", { order }, tokens.sales));
  await done(post("settlement/confirm", { id: settlement, version: 1 }, tokens.admin));
  const before = await weighingsOf(order);
  await weigh(app, here, ...both.map((event) => ({ ...event, id: `${event.id} again` })));
  await weigh(app, here, ticketOf(plate, "in", 13_000_000), ticketOf(plate, "out", 20_500_000));
  expect(await weighingsOf(order)).toEqual(before);
  expect(await statesOf(plate)).toEqual([
    ["used", null],
    ["used", null],
    ["unmatched", "plate"],
    ["unmatched", "plate"],
  ]);
});

test("a ticket that is older than two days is none any more, and one that nobody used lapses", async () => {
  const { plate } = await loading();
  const old = Date.now() - 3 * 86_400_000;
  await weigh(app, here, ticketOf(plate, "in", 13_500_000, { ts: old }));
  expect(await ticketsOf(plate)).toEqual([]);
  await weigh(app, here, ticketOf(plate, "in", 13_500_000));
  await trade.query("update scale_tickets set expires_at = now() - interval '1 minute' where plate = $1", [plate]);
  await app.runJob("scale_ticket.clock");
  expect(await statesOf(plate)).toEqual([["dismissed", null]]);
});

test("a message that came while no server looked is read by the clock", async () => {
  const { plate } = await loading();
  const [device] = await trade.query<{ id: string }>("select id::text from devices where serial_number = $1", [here]);
  const { ticket, type, id, ts, ...body } = ticketOf(plate, "in", 13_500_000);
  await trade.query("insert into device_events (device_id, type, event_id, ts, body) values ($1, $2, $3, $4, $5)", [
    device?.id,
    type,
    id,
    new Date(ts),
    JSON.stringify({ ticket, ...body }),
  ]);
  // Over nodes the ingest does what a trigger does elsewhere.
  if (workers() > 0)
    await trade.query("insert into scale_messages (device_id, event_id) values ($1, $2)", [device?.id, id]);
  expect(await ticketsOf(plate)).toEqual([]);
  await app.runJob("scale_ticket.read");
  expect(await statesOf(plate)).toEqual([["matched", null]]);
});

test("customers see no tickets of the group", async () => {
  const { status } = await app.call({
    path: "/api/muyuan-trade/scale-ticket/page",
    query: { size: "10" },
    token: trade.tokens.owner,
  });
  expect(status).toBe(403);
});

test("every event in every state by every caller", async () => {
  const { order, plate, transit } = await loading();
  await weigh(app, here, ticketOf(plate, "in", 13_500_000));
  const [ticket] = await ticketsOf(plate);
  const id = ticket?.id ?? "";
  const { query, tokens, post } = trade;
  const tried = await everyStep(scaleTicketProcess, {
    query,
    table: "scale_tickets",
    id: () => id,
    history: ["process_entries", "row_id"],
    // By messages and by weighings: the tests above.
    elsewhere: [
      "unmatched match scale",
      "matched use scale",
      "used release scale",
      "unmatched refuse scale",
      "unmatched dismiss scale",
      "matched dismiss scale",
    ],
    callers: [
      { name: "administrator", token: tokens.admin, party: "desk" },
      { name: "owner", token: tokens.owner, party: undefined },
      { name: "finance", token: tokens.finance, party: undefined },
      { name: "another customer", token: tokens.stranger, party: undefined },
      passerBy,
      { name: "clock", token: "", party: "clock" },
    ],
    async put(state, event) {
      await query(
        `update scale_tickets set state = $2, version = 1, transit = $3, "order" = $4, use = 'tare', state_at = now() - interval '1 hour',
                expires_at = now() + case when $5 = 'lapse' then interval '-1 minute' else interval '1 day' end where id = $1`,
        [id, state, transit, order, event],
      );
    },
    async ask(event, caller) {
      if (caller.name === "clock") {
        if (event !== "lapse") return "no way";
        await app.runJob("scale_ticket.clock");
        return undefined;
      }
      if (!["match", "unmatch", "dismiss"].includes(event)) return "no way";
      const form = { transit, use: "tare", reason: "试一试" };
      return (await post(`scale-ticket/${event}`, { id, version: 1, ...form }, caller.token)).status;
    },
  });
  expect(tried).toBeGreaterThan(70);
});
