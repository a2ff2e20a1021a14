import type { Device, KindAnalytics, Page } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let farm: string;
let worker: string;
let vet: string;

const base = "/api/muyuan-iot";
const minuteMs = 60_000;

beforeAll(async () => {
  app = await createTestApp();
  [farm, worker, vet] = await Promise.all([app.logIn("farm"), app.logIn("worker"), app.logIn("vet", "100002")]);
});
afterAll(() => app.close());

const deviceOf = async (serialNumber: string): Promise<Device> => {
  const page = await app.get<Page<Device>>(`${base}/device/page?size=500&name=${serialNumber}`, farm);
  return page.body.data.records[0] as Device;
};
const analytics = (query: string, token = farm) => app.get<KindAnalytics>(`${base}/analytics/list?${query}`, token);
const sendEvents = async (serialNumber: string, events: readonly Record<string, unknown>[]): Promise<void> => {
  const { statusCode } = await app.http.inject({
    method: "POST",
    url: `/api/v1/demo-${serialNumber}/events`,
    payload: events as object,
  });
  expect(statusCode).toBe(200);
};

test("records of a bathroom come to its compliance, with persons named to the owner alone, and those of before the span do not count", async () => {
  const device = await deviceOf("BAT-ZJY-01");
  const now = Date.now();
  const shower = (ago: number, person: string, passed: boolean) => ({
    ts: now - ago * minuteMs,
    type: "shower",
    id: `s${ago}`,
    person,
    team: "A",
    water_s: passed ? 340 : 180,
    litres: 40,
    result: passed ? "passed" : "under_time",
    reason: passed ? "" : "water_time",
  });
  await sendEvents("BAT-ZJY-01", [
    shower(10, "吴磊", true),
    shower(30, "刘洋", true),
    shower(50, "何静", false),
    { ts: now - 70 * minuteMs, type: "bypass", id: "b1", person: "吴磊", door: "B" },
    shower(3 * 24 * 60, "赵敏", false),
  ]);
  const { status, body } = await analytics(`kind=bathroom&days=1&deviceId=${device.id}`);
  expect(status).toBe(200);
  expect(body.data.devices).toHaveLength(1);
  const [of] = body.data.devices;
  const figure = (id: string) => of?.results.find((result) => result.id === id);
  expect(of).toMatchObject({ deviceId: device.id, deviceName: device.name, farmId: device.farmId });
  expect(figure("compliance")).toMatchObject({ value: 50, count: 4 });
  expect(figure("bypasses")).toMatchObject({ value: 1 });
  expect(figure("reasons")?.rows).toEqual([
    { label: "bypass", value: 1, count: 1 },
    { label: "water_time", value: 1, count: 1 },
  ]);
  // The owner knows the own people; others of the farm do not see who they are.
  const peopleFor = async (token: string): Promise<string[]> => {
    const told = await analytics(`kind=bathroom&days=1&deviceId=${device.id}`, token);
    const results = told.body.data.devices[0]?.results ?? [];
    return (results.find(({ id }) => id === "compliance_by_person")?.rows ?? []).map(({ label }) => label).toSorted();
  };
  expect(await peopleFor(farm)).toEqual(["何静", "刘洋", "吴磊"]);
  const shortened = await peopleFor(vet);
  expect(shortened).toHaveLength(3);
  for (const label of shortened) expect(label).toMatch(/\*/);
  // A week has the fifth one, too.
  const week = await analytics(`kind=bathroom&deviceId=${device.id}`);
  expect(week.body.data.devices[0]?.results.find(({ id }) => id === "compliance")).toMatchObject({
    value: 40,
    count: 5,
  });
});

test("values by the minute come to the removal of a scrubber, by flow", async () => {
  const device = await deviceOf("DEO-ZJY-01");
  const first = Math.floor(Date.now() / minuteMs) * minuteMs - 40 * minuteMs;
  for (let minute = 0; minute < 40; minute += 1) {
    const values =
      minute < 20 ? { airflow: 30_000, nh3_in: 20, nh3_out: 2 } : { airflow: 60_000, nh3_in: 20, nh3_out: 8 };
    expect(await app.report("DEO-ZJY-01", { ts: first + minute * minuteMs, values })).toBe(200);
  }
  const { body } = await analytics(`kind=deodorization&days=1&deviceId=${device.id}`);
  const removal = body.data.devices[0]?.results.find(({ id }) => id === "ammonia_removal");
  // The last value holds for each minute that ended since, which a busy machine needs for the reports.
  const held = (body.data.end - first) / minuteMs - 40;
  expect(held).toBeGreaterThanOrEqual(0);
  // By the 20 minutes of each: 1 − (30·2 + 60·8) ÷ (90·20) = 70 %
  const [low, high] = [20 * 30, (20 + held) * 60];
  expect(removal?.value).toBeCloseTo((1 - (low * 2 + high * 8) / ((low + high) * 20)) * 100, 6);
  expect(removal?.count).toBe(40 + held);
});

test("all devices of a kind, those of one farm, and nothing of another tenant", async () => {
  const all = await analytics("kind=disinfect&days=1");
  expect(all.body.data.devices.length).toBe(4);
  expect(all.body.data.omitted).toBe(0);
  const device = await deviceOf("WAT-QS-01");
  const ofFarm = await analytics(`kind=disinfect&days=1&farmId=${device.farmId}`);
  expect(ofFarm.body.data.devices.map(({ deviceId }) => deviceId)).toEqual([device.id]);
  const foreign = await analytics(`kind=disinfect&deviceId=${device.id}`, worker);
  expect(foreign.status).toBe(404);
  const own = await analytics("kind=disinfect&days=1", worker);
  expect(own.body.data.devices).toHaveLength(1);
  expect((await analytics("kind=disinfect&days=31")).status).toBe(400);
  expect((await analytics("kind=environment&days=1")).body.data.devices.length).toBeGreaterThan(10);
});

test("units are done or overdue by the records of injectors as they are in the list of plans", async () => {
  const { pool } = app.test.database;
  const { rows: injectors } = await pool.query<{ id: string; farmId: string; tenantId: string }>(
    `select d.id::text as id, d.farm_id::text as "farmId", d.tenant_id as "tenantId" from devices d
      where d.kind = 'needleless' and d.farm_id = (select farm_id from devices where kind = 'needleless' and tenant_id = '100002'
        group by farm_id having count(*) > 1 order by farm_id limit 1) order by d.id`,
  );
  const [one, other] = injectors;
  if (!one || !other) throw new Error("no farm has two injectors");
  const { rows: units } = await pool.query<{ id: string; label: string }>(
    `select u.id::text as id, h.name || ' · ' || u.name as label from units u join pig_houses h on h.id = u.house_id
      where h.farm_id = $1 and u.head_count > 0 order by u.id limit 4`,
    [one.farmId],
  );
  await pool.query(
    "insert into medicines (id, tenant_id, name, type, withdrawal_days) values (7101, $1, 'plan vaccine', 'vaccine', 0)",
    [one.tenantId],
  );
  // Done by the other injector, missed since yesterday and for days, and not due yet.
  for (const [at, day] of [-1, -1, -4, 3].entries())
    await pool.query(
      `insert into vaccination_plans (id, tenant_id, task, unit_id, medicine_id, planned_on)
       values ($1, $2, $3, $4, 7101, (now() at time zone 'Asia/Shanghai')::date + $5::int)`,
      [7110 + at, one.tenantId, `plan-${at}`, units[at]?.id, day],
    );
  await pool.query(
    `insert into device_events (device_id, type, event_id, ts, body) values ($1, 'session_closed', 'plan', now(), jsonb_build_object('task', 'plan-0'))`,
    [other.id],
  );
  const plans = await app.get<Page<{ task: string; state: string }>>(`${base}/vaccination-plan/page?size=100`, farm);
  const listed = new Map(plans.body.data.records.map(({ task, state }) => [task, state]));
  const { body } = await analytics(`kind=needleless&farmId=${one.farmId}`);
  expect(body.data.devices).toHaveLength(injectors.length);
  for (const { results } of body.data.devices) {
    const grid = results.find(({ id }) => id === "coverage")?.grid;
    const column = grid?.columns.indexOf("plan vaccine") ?? -1;
    const told = units.map(({ label }) => grid?.cells[grid.rows.indexOf(label)]?.[column]?.state);
    expect(told).toEqual(["done", "overdue", "overdue", "planned"]);
    expect(told).toEqual(units.map((_, at) => listed.get(`plan-${at}`)));
  }
});
