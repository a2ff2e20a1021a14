import { type ContactTrace, traceContacts } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { dayIn, tradeOf } from "../harness/trade.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
const hourMs = 3_600_000;
const start = Date.now();
const ago = (hours: number): Date => new Date(start - hours * hourMs);
/** Two farms of a customer with a bathroom each, and units of the first one. */
const farms: { id: string; name: string; bathroom: string; units: string[] }[] = [];

beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app);
  const rows = await trade.query<{ id: string; name: string; bathroom: string; units: string[] }>(
    `select f.id::text, f.name, (select min(d.id)::text from devices d where d.farm_id = f.id and d.kind = 'bathroom') as bathroom,
            array(select u.id::text from units u join pig_houses h on h.id = u.house_id where h.farm_id = f.id order by u.id) as units
       from farms f where f.tenant_id = '100002' order by f.id limit 2`,
  );
  farms.push(...rows);
  await trade.query("delete from device_events where type in ('shower', 'unknown_person', 'bypass')");
});
afterAll(() => app.close());

let events = 0;
const showered = (farm: number, person: string, hours: number, result = "passed", type = "shower") => {
  events += 1;
  return trade.query("insert into device_events (device_id, event_id, type, ts, body) values ($1, $2, $3, $4, $5)", [
    farms[farm]?.bathroom,
    `E${events}`,
    type,
    ago(hours),
    { person, result },
  ]);
};
let movements = 0;
const transferred = async (from: string, to: string, heads: number, hours: number) => {
  for (const [unit, other, sign] of [
    [from, to, -1],
    [to, from, 1],
  ] as const) {
    movements += 1;
    await trade.query(
      `insert into inventory_movements (id, tenant_id, unit_id, kind, category, heads, other_unit_id, reason, happened_at)
       values ($1, '100002', $2, 'transfer', 'fattener', $3, $4, '', $5)`,
      [movements, unit, sign * heads, other, ago(hours)],
    );
  }
};
const traced = async (query: Record<string, string>, token = trade.tokens.owner) => {
  const { status, body } = await app.call({ path: traceContacts.path, query, token });
  return { status, msg: body.msg, trace: body.data as ContactTrace };
};
const brief = ({ contacts }: ContactTrace) =>
  contacts.map(({ lane, side, who, farmName, gapHours, steps, faults }) => [
    lane,
    side,
    who,
    farmName,
    gapHours,
    steps,
    faults,
  ]);

test("people who were here are followed to where they had been and where they went", async () => {
  const [here, other] = farms;
  // One comes from the other farm, one goes there, one stays, and one was there long before the span.
  await showered(1, "P001", 100);
  await showered(0, "P001", 80);
  await showered(0, "P002", 60, "under_time");
  await showered(1, "P002", 44);
  await showered(0, "P003", 50);
  await showered(1, "P004", 30);
  await showered(1, "P001", 400);
  await showered(0, "", 20, "", "unknown_person");
  const { trace } = await traced({ unitId: here?.units[0] ?? "", days: "7" });
  expect(trace.start).toMatchObject({ kind: "unit", farmId: here?.id, farmName: here?.name });
  expect(brief(trace)).toEqual([
    ["person", "before", "P001", other?.name, 20, 1, []],
    ["person", "here", "P001", here?.name, undefined, 0, []],
    ["person", "here", "P002", here?.name, undefined, 0, ["not_passed"]],
    ["person", "here", "P003", here?.name, undefined, 0, []],
    ["person", "after", "P002", other?.name, 16, 1, []],
  ]);
  const evidence = Object.fromEntries(trace.evidence.map((one) => [one.source, one]));
  expect(evidence.showers).toMatchObject({ state: "gaps", count: 3, faults: 1 });
  expect(evidence.showers?.silentDays.length).toBeGreaterThanOrEqual(4);
  expect(evidence.strangers).toMatchObject({ state: "gaps", count: 1 });
  // A longer span tells of the visit before it, too.
  const longer = await traced({ unitId: here?.units[0] ?? "", days: "30" });
  expect(brief(longer.trace)).toHaveLength(6);
});

test("pigs are followed along transfers, none against time", async () => {
  const [a = "", b = "", c = "", d = ""] = farms[0]?.units ?? [];
  const [away = ""] = farms[1]?.units ?? [];
  await transferred(d, a, 24, 90);
  await transferred(a, b, 10, 70);
  await transferred(b, away, 5, 40);
  // Left b before anything had come from a, and came to d after d had given to a.
  await transferred(b, c, 7, 75);
  await transferred(c, d, 3, 60);
  const { trace } = await traced({ unitId: a, days: "7" });
  const pigs = trace.contacts
    .filter(({ lane }) => lane === "pigs")
    .map(({ side, heads, steps, refersTo }) => [side, heads, steps, refersTo.id]);
  expect(pigs).toEqual([
    ["before", 24, 1, d],
    ["after", 10, 1, b],
    ["after", 5, 2, away],
  ]);
});

test("a lorry is followed from a unit to the last one, with what its papers lack", async () => {
  const { query, post, done, tokens } = trade;
  const [unit, other] = await query<{ id: string }>(
    "select u.id::text from units u where u.tenant_id = '100003' order by u.id limit 2",
  );
  const loaded = async (of: string, plate: string, hours: number) => {
    const { order } = await trade.accepted(await trade.published({ heads: 50 }), 50);
    const id = await trade.vehicle(order, plate, 50);
    await query("update transits set unit = $2, state = 'departed', departed_at = $3, dried = $4 where id = $1", [
      id,
      of,
      ago(hours),
      hours > 30,
    ]);
    return id;
  };
  const first = await loaded(unit?.id ?? "", "豫R8K21", 48);
  const last = await loaded(other?.id ?? "", "豫R8K21", 20);
  await query(
    "update transits set disinfection_number = 'XD-1', disinfected_at = $2, disinfection_until = $3 where id = $1",
    [last, ago(60), ago(30)],
  );
  const driven = await loaded(other?.id ?? "", "豫A00001", 10);
  await loaded(other?.id ?? "", "豫R8K21", 90);
  const { trace } = await traced({ unitId: unit?.id ?? "", days: "7" }, tokens.admin);
  const lorries = trace.contacts
    .filter(({ lane }) => lane === "vehicle")
    .map(({ side, gapHours, faults, sameDriver, refersTo }) => [side, gapHours, faults, sameDriver, refersTo.id]);
  expect(lorries).toEqual([
    ["before", 42, ["not_washed"], false, expect.any(String)],
    ["here", undefined, ["not_washed"], false, first],
    ["after", 28, ["wash_over", "not_dried"], false, last],
    ["after", 38, ["not_washed"], true, driven],
  ]);
  expect(brief((await traced({ plate: "豫R8K21" }, tokens.admin)).trace)).toHaveLength(3);
  // The buyer sees the own lorries, a stranger none.
  expect(brief((await traced({ plate: "豫R8K21" }, tokens.stranger)).trace)).toEqual([]);
  void [post, done, dayIn];
});

test("a person's way is told within the own tenant", async () => {
  expect(brief((await traced({ person: "P001", days: "7" })).trace).map(([, , , farm]) => farm)).toEqual([
    farms[1]?.name,
    farms[0]?.name,
  ]);
  expect(brief((await traced({ person: "P001", days: "7" }, trade.tokens.stranger)).trace)).toEqual([]);
});

test("one start is named, and none of another tenant is reached", async () => {
  const unitId = farms[0]?.units[0] ?? "";
  expect(await traced({})).toMatchObject({ status: 400, msg: "请选一个起点：单元、场区、人或者车牌" });
  expect(await traced({ unitId, person: "P001" })).toMatchObject({ status: 400 });
  expect(await traced({ unitId }, trade.tokens.stranger)).toMatchObject({ status: 404 });
  expect(await traced({ unitId, days: "61" })).toMatchObject({ status: 400 });
  const worker = await app.logIn("worker");
  expect((await traced({ person: "P001" }, worker)).status).toBe(403);
});
