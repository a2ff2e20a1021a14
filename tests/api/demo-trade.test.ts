import { passportDetail } from "@herdwise/contract";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedDemoArchives } from "../../apps/server/src/database/seeds/demo-archives.ts";
import { seedDemoDriverLink } from "../../apps/server/src/database/seeds/demo-driver-link.ts";
import { endedTimes, runningTimes, soonTimes } from "../../apps/server/src/database/seeds/demo-lots.ts";
import { seedDemoTrade } from "../../apps/server/src/database/seeds/demo-trade.ts";
import { seedDemoTradeSettings } from "../../apps/server/src/database/seeds/demo-trade-settings.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { testSecretKey } from "../harness/seed.ts";

let app: TestApp;
const began = Date.now();
beforeAll(async () => {
  app = await createTestApp();
  const { kysely } = app.test.database;
  await seedDemoArchives(kysely, app.personalCipher, app.nextId);
  await seedDemoTradeSettings(kysely, app.nextId);
  await seedDemoTrade(kysely, app.personalCipher, app.nextId, began);
  await seedDemoDriverLink(kysely, { secretKey: testSecretKey, nextId: app.nextId });
});
afterAll(() => app.close());

const query = async <Row extends object>(text: string): Promise<Row[]> =>
  (await app.test.database.pool.query(text)).rows as Row[];
const statesOf = async (table: string): Promise<string[]> =>
  (await query<{ state: string }>(`select distinct state from ${table} order by state`)).map(({ state }) => state);

/** Shortly before midnight the first lot is one that begins soon. */
const runs = (): boolean => runningTimes(began).opensMs <= began;

test("the demo has trade in every state of an order, of the past and of the days to come", async () => {
  expect(await statesOf("sale_orders")).toEqual(
    ["cancelled", "completed", "confirmed", "loading", "settled", "waiting_payment", "weighed"].toSorted(),
  );
  expect(await statesOf("sale_plans")).toEqual(["approved", "closed", "draft", "published"]);
  expect(await statesOf("transits")).toEqual(["arrived", "closed", "departed", "loading", "planned", "ready"]);
  expect(await statesOf("settlements")).toEqual(["computed", "confirmed"]);
  expect(await statesOf("invoices")).toEqual(["applied", "issued", "returned"]);
  expect(await statesOf("payments")).toEqual(["awaited", "done", "void"]);
  expect((await query("select from sale_orders")).length).toBeGreaterThan(120);
  expect(await statesOf("lots")).toEqual(["announced", "awarded", "failed", ...(runs() ? ["open"] : []), "withdrawn"]);
  expect(await statesOf("deposits")).toEqual(
    expect.arrayContaining(["credited", "forfeited", "released", ...(runs() ? ["held"] : [])]),
  );
});

test("one vehicle has an open link for its driver, which staff see", async () => {
  const [vehicle] = await query<{ transit: string }>("select transit::text from driver_links");
  const token = await app.logIn("zhaomin");
  const path = "/api/muyuan-trade";
  const { body } = await app.get<{ link?: { url: string } }>(`${path}/transit/driver?id=${vehicle?.transit}`, token);
  const secret = body.data.link?.url.split("#")[1] ?? "";
  const opened = await app.call({
    method: "POST",
    path: `${path}/driver/open`,
    body: {},
    headers: { "Driver-Link": secret },
  });
  expect(opened.status).toBe(200);
});

test("its figures are those that the rules would make", async () => {
  // The heads of a plan are those of its orders that stand.
  expect(
    await query(`select p.id from sale_plans p where taken <> coalesce((select sum(o.heads) from sale_orders o
      where o.plan = p.id and o.state <> 'cancelled'), 0)
      + coalesce((select sum(l.heads) from lots l where l.plan = p.id and l.state in ('announced', 'open')), 0)`),
  ).toEqual([]);
  // A completed order is paid to the fen, with its notes; what is not completed owes what is left.
  expect(
    await query(`select r.id from sale_order_rows r join settlements s on s."order" = r.id and s.state = 'confirmed'
      where r.state = 'completed' and r.paid_fen <> s.total_fen + coalesce((
        select sum(case n.kind when 'debit' then n.amount_fen else -n.amount_fen end) from notes n
         where n.settlement = s.id and n.state = 'confirmed'), 0)`),
  ).toEqual([]);
  expect(
    await query(`select l."order" from tenants t
      cross join lateral statement_lines(t.tenant_id, '-infinity', 'infinity') l join sale_orders o on o.id = l."order" and o.state = 'completed'
      group by 1 having sum(l.debit_fen - l.credit_fen) <> 0`),
  ).toEqual([]);
  // The bank's statement has each transfer that somebody recorded.
  expect(
    await query(`select y.id from payments y where y.state = 'done' and y.recorded_by is not null
      and not exists (select from bank_lines b where b.bank_reference = y.bank_reference and b.amount_fen = y.amount_fen)`),
  ).toEqual([]);
  for (const [table, state] of [
    ["notes", "drafted"],
    ["notes", "confirmed"],
    ["pay_attempts", "succeeded"],
    ["bank_line_rows", "unmatched"],
  ] as const)
    expect([
      table,
      (await query(`select from ${table} where ${table === "bank_line_rows" ? "matching" : "state"} = '${state}'`))
        .length > 0,
    ]).toEqual([table, true]);
  // Nothing happened in the future, and each row is as its last line says.
  expect(await query("select id from process_entries where created_at > now()")).toEqual([]);
  expect(
    await query(`select o.id from sale_orders o where state <> (select e.state from process_entries e
      where e.process = 'sale_order' and e.row_id = o.id order by e.created_at desc, e.id desc limit 1)`),
  ).toEqual([]);
});

test("lists begin with what waits for somebody, and tell what one decides by", async () => {
  const token = await app.logIn("zhaomin");
  type Listed = Record<string, unknown> & { state: string };
  const rowsOf = async (thing: string, more = ""): Promise<Listed[]> =>
    (await app.get<{ records: Listed[] }>(`/api/muyuan-trade/${thing}/page?current=1&size=100${more}`, token)).body.data
      .records;
  // No state of a later rank stands before one that is more urgent.
  for (const [thing, ...urgent] of [
    ["payment", "recorded", "awaited"],
    ["invoice", "applied", "returned"],
    ["settlement", "computed"],
    ["note", "drafted"],
    ["lot", "open", "frozen", "announced"],
  ] as const) {
    const ranks = (await rowsOf(thing)).map(({ state }) => (urgent as readonly string[]).indexOf(state));
    const places = ranks.map((rank) => (rank < 0 ? urgent.length : rank));
    expect([thing, places]).toEqual([thing, places.toSorted((a, b) => a - b)]);
    expect([thing, ranks.some((rank) => rank >= 0)]).toEqual([thing, true]);
  }
  // Behind what waits for review stand the settlements of which something is not paid.
  const settled = await rowsOf("settlement");
  const needs = settled.map(({ need }) => ["review", "rest"].indexOf(String(need)));
  expect(needs.filter((need) => need === 1).length).toBeGreaterThan(0);
  expect(needs.map((need) => (need < 0 ? 2 : need))).toEqual(
    needs.map((need) => (need < 0 ? 2 : need)).toSorted((a, b) => a - b),
  );
  for (const { need, openFen, state } of settled)
    expect([need === "rest", state]).toEqual([state === "confirmed" && Number(openFen) > 0, state]);
  // A customer acts on what was sent back, and waits for the rest.
  const { records: own } = (
    await app.get<{ records: Listed[] }>("/api/muyuan-trade/invoice/page?current=1&size=100", await app.logIn("farm"))
  ).body.data;
  const states = own.map(({ state }) => state);
  expect(states.lastIndexOf("returned")).toBeGreaterThanOrEqual(0);
  expect(states.lastIndexOf("returned")).toBeLessThan(states.indexOf("applied"));
  // Whoever asks for an order gets that.
  const numbers = (await rowsOf("payment", "&ascs=number")).map(({ number }) => String(number));
  expect(numbers).toEqual(numbers.toSorted());

  const orders = await rowsOf("order");
  const nextOf = (state: string): unknown[] => [
    ...new Set(orders.filter((row) => row.state === state).map(({ next }) => next)),
  ];
  expect(nextOf("waiting_payment")).toEqual(["pay"]);
  // Its vehicle is weighed, and the weighing waits for a second person.
  expect(nextOf("loading")).toEqual(["recheck"]);
  // Its settlement is computed already and waits for a second person.
  expect(nextOf("weighed")).toEqual(["review"]);
  expect(nextOf("cancelled").filter(Boolean)).toEqual([]);
  expect(nextOf("completed")).toEqual(expect.arrayContaining(["invoice", "reinvoice"]));

  const [weighing] = (await rowsOf("weighing")).filter(({ state }) => state === "confirmed");
  expect(weighing?.meanGrams).toBe(Math.round(Number(weighing?.netGrams) / Number(weighing?.heads)));
  expect(weighing?.band).toMatch(/^\d+–\d+ kg$/);
  const [from = 0, to = 0] = String(weighing?.band).split(/–| /).map(Number);
  expect(Number(weighing?.meanGrams)).toBeGreaterThanOrEqual(from * 1000);
  expect(Number(weighing?.meanGrams)).toBeLessThan(to * 1000);

  expect((await rowsOf("declaration", "&state=declined")).map(({ declineReason }) => declineReason)).not.toContain("");
  expect((await rowsOf("lot", "&state=awarded")).every(({ bidders, bids }) => Number(bids) >= Number(bidders))).toBe(
    true,
  );
  expect((await rowsOf("deposit", "&state=credited")).map(({ place }) => place)).toContain(1);
  expect((await rowsOf("transit", "&state=planned")).map(({ missing }) => missing)).not.toContain(undefined);
  expect((await rowsOf("order/abnormal")).map(({ reason }) => reason)).toContain("not_paid");
});

test("lists tell one deadline of an order, and how late it is, alike", async () => {
  const token = await app.logIn("zhaomin");
  const rowsOf = async (thing: string): Promise<Record<string, string>[]> =>
    (await app.get<{ records: Record<string, string>[] }>(`/api/muyuan-trade/${thing}/page?current=1&size=100`, token))
      .body.data.records;
  const orders = await rowsOf("order");
  // What is open stands first, the earliest deadline before the others.
  const deadlines = orders.map(({ actBy }) => actBy ?? "");
  const open = deadlines.filter((actBy) => actBy !== "");
  expect(deadlines.slice(0, open.length)).toEqual(open.toSorted());
  const lateOf = new Map(orders.map(({ id, lateSince }) => [id, lateSince]));
  const others = [...(await rowsOf("payment")), ...(await rowsOf("settlement")), ...(await rowsOf("order/abnormal"))];
  const late = others.filter(({ lateSince }) => (lateSince ?? "") !== "");
  expect(late.length).toBeGreaterThan(2);
  expect(late.map(({ lateSince }) => lateSince)).toEqual(late.map(({ order }) => lateOf.get(order ?? "")));
});

test("the statement of a customer opens at the newest month with documents", async () => {
  const token = await app.logIn("farm");
  const { body } = await app.get<string[]>("/api/muyuan-trade/statement/months", token);
  expect(body.data).toEqual(body.data.toSorted().toReversed());
  const { body: newest } = await app.get<{ lines: unknown[] }>(
    `/api/muyuan-trade/statement/detail?month=${body.data[0]}`,
    token,
  );
  expect(newest.data.lines.length).toBeGreaterThan(0);
});

test("the lots of the last days get their passports at the first start", async () => {
  await app.runJob("passports.issue");
  const lots = await query<{ code: string }>(
    `select p.code from passports p join passport_versions v on v."order" = p."order" where p.loaded_at is null`,
  );
  expect(lots.length).toBeGreaterThan(5);
  const { body } = await app.call({ path: passportDetail.path, query: { passport: lots[0]?.code ?? "" } });
  expect(body.data).toMatchObject({ seal: "intact", body: { heads: expect.any(Number), medicines: [] } });
});

test("orders of today go on from where the demo left them", async () => {
  const [order] = await query<{ id: string; version: number }>(
    "select id::text, version from sale_orders where state = 'confirmed' limit 1",
  );
  const token = await app.logIn("zhaomin");
  const answer = await app.call({
    method: "POST",
    path: "/api/muyuan-trade/order/load",
    body: { id: order?.id, version: order?.version },
    token,
  });
  expect([answer.status, answer.body.msg]).toEqual([200, "操作成功"]);
});

test("lots of the demo have a record that is whole, and go on from where the demo left them", async () => {
  const lots = await query<{ id: string; state: string; entries: number; best: number | null; ranked: number | null }>(
    `select l.id::text, l.state, l.entries, l.best_per_kg as best,
            (select max(r.best_per_kg) from lot_bidders r where r.lot = l.id) as ranked from lots l`,
  );
  const token = await app.logIn("farm");
  for (const { id, entries, best, ranked } of lots) {
    const { whole } = (await app.get<{ whole: boolean }>(`/api/muyuan-trade/bid/verify?lot=${id}`, token)).body.data;
    expect([id, whole, ranked]).toEqual([id, true, best]);
    expect((await query(`select from bids where lot = ${id}`)).length).toBe(entries);
  }
  expect(lots.filter(({ state, entries }) => state === "awarded" && entries > 5).length).toBeGreaterThan(5);
  // Each order of a lot has the price of its best bid.
  expect(
    await query(`select o.id from sale_orders o join lots l on l.id = o.lot where o.price_per_kg <> l.best_per_kg`),
  ).toEqual([]);
  if (!runs()) return;
  const open = lots.find(({ state }) => state === "open");
  const bid = { lot: open?.id, fenPerKg: (open?.best ?? 0) + 5 };
  const { status, body } = await app.call({ method: "POST", path: "/api/muyuan-trade/bid/submit", body: bid, token });
  expect([status, body.data]).toMatchObject([200, { leads: true, bestPerKg: bid.fenPerKg }]);
});

test.each([
  "2026-03-21T00:04:00+08:00",
  "2026-03-21T02:10:00+08:00",
  "2026-03-21T12:00:00+08:00",
  "2026-03-21T21:30:00+08:00",
  "2026-03-21T23:50:00+08:00",
])("whenever the demo begins, a lot runs or begins soon: %s", (moment) => {
  const now = Date.parse(moment);
  const { opensMs, endsMs } = runningTimes(now);
  expect(opensMs - now).toBeLessThan(20 * 60_000);
  expect(endsMs - now).toBeGreaterThanOrEqual(15 * 60_000);
  for (const times of [runningTimes(now), endedTimes(now), soonTimes(now)]) {
    expect(shanghaiDay(times.opensMs)).toBe(shanghaiDay(times.endsMs));
    expect(times.endsMs).toBeGreaterThan(times.opensMs);
  }
  expect(endedTimes(now).endsMs).toBeLessThan(now);
  expect(soonTimes(now).opensMs).toBeGreaterThan(now);
});
