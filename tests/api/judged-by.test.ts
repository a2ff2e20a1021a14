import type { Device, DeviceDetail, DeviceGlance, KindFarm, Page, Readings, UnitDetail } from "@herdwise/contract";
import {
  climateJudge,
  deviceKinds,
  environment,
  farmRules,
  judgeDevice,
  judgeUnit,
  ofFarm,
  problemName,
  rangeWords,
  verdictOf,
} from "@herdwise/device-kinds";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { simulated } from "../harness/simulated.ts";

let app: TestApp;
let farm: string;

const base = "/api/muyuan-iot";

beforeAll(async () => {
  app = await createTestApp();
  farm = await app.logIn("farm");
});
afterAll(() => app.close());

const detailOf = async (id: string): Promise<DeviceDetail> =>
  (await app.get<DeviceDetail>(`${base}/device/detail?id=${id}`, farm)).body.data;

test("a page is told what its farm changed and wrote of the rules, by which it judges as the alarms do", async () => {
  const found = await app.get<Page<Device>>(`${base}/device/page?size=500&name=ENV-ZJY-02`, farm);
  const { id } = found.body.data.records[0] as Device;
  expect((await detailOf(id)).judgedBy).toBeUndefined();

  const change = { scope: "device", scopeId: id, kind: "environment", ruleId: "humidity_high", enabled: true };
  const body = { ...change, thresholds: { "rh.gt": 70 } };
  const post = async (path: string, body: object) =>
    (await app.call({ method: "POST", path: `${base}/${path}`, body, token: farm })).status;
  expect(await post("alarm-rule/submit", body)).toBe(200);
  const own = {
    scope: "device",
    scopeId: id,
    kind: "environment",
    name: "舍外太干",
    enabled: true,
    severity: "MAJOR",
    raiseAfterS: 60,
    clearAfterS: 60,
    rule: { joint: "all", parts: [{ type: "compare", key: "rh_out", op: "lt", value: 30 }] },
  };
  expect(await post("own-alarm-rule/submit", own)).toBe(200);

  const { judgedBy } = await detailOf(id);
  expect(judgedBy).toMatchObject({
    rules: [{ ruleId: "humidity_high", thresholds: { "rh.gt": 70 } }],
    written: [{ name: "舍外太干", severity: "MAJOR", joint: "all" }],
    masked: [],
  });
  const context = { ageS: 0, rules: farmRules(environment, judgedBy ?? { rules: [], written: [] }) };
  expect(verdictOf(environment, "rh", { rh: 72 }, context)).toMatchObject({
    standing: "over-limit",
    range: { high: 70 },
  });
  expect(verdictOf(environment, "rh_out", { rh_out: 25 }, context)).toMatchObject({
    standing: "over-limit",
    state: "major",
    range: { low: 30 },
  });

  const farms = (await app.get<KindFarm[]>(`${base}/overview/list?kind=environment`, farm)).body.data;
  const units = farms.flatMap(({ houses }) => houses.flatMap((house) => house.units));
  expect(units.filter((unit) => unit.judgedBy !== undefined).map((unit) => unit.deviceId)).toEqual([id]);
  expect(units.find((unit) => unit.deviceId === id)?.judgedBy).toEqual(judgedBy);
});

test("the verdict of an overview's answer is that of the page which shows it", async () => {
  const { pool } = app.test.database;
  const { rows } = await pool.query<{ serial: string; unit: string }>(
    `select d.serial_number as serial, d.unit_id::text as unit from devices d
      where d.tenant_id = '100002' and d.kind = 'environment' and d.unit_id is not null order by d.id limit 4`,
  );
  const values = [
    { t_in: 21, rh: 60, co2: 1500, nh3: 5 },
    { t_in: 41, rh: 60, co2: 1500, nh3: 5 },
    { t_in: 21, rh: 60, co2: 9000, nh3: 5 },
    { t_in: 41, rh: 60, co2: 9000, nh3: 60 },
  ];
  for (const [at, { serial }] of rows.entries()) expect(await app.report(serial, values[at] ?? {})).toBe(200);
  // An emptied unit asks for nobody, whatever its values.
  await pool.query("update units set mode = 'empty' where id = $1", [rows[3]?.unit]);
  const farms = (await app.get<KindFarm[]>(`${base}/overview/list?kind=environment`, farm)).body.data;
  const units = farms.flatMap(({ houses }) => houses.flatMap((house) => house.units));
  const page = units.map((unit) => {
    const { state, problems, urgency } = judgeUnit(climateJudge, unit, Date.now(), true);
    const [problem] = ["critical", "major", "minor", "notice"].includes(state) ? problems : [];
    return { state, urgency, ...(problem && { problem: problemName(problem) }) };
  });
  expect(units.map(({ judged }) => judged)).toEqual(page);
  const [calm, hot, foul, emptied] = rows.map(({ unit }) => units.find(({ id }) => id === unit)?.judged);
  expect(calm?.problem).toBeUndefined();
  expect(hot).toMatchObject({ state: "critical", problem: { en: expect.any(String) } });
  expect(foul?.problem).not.toEqual(hot?.problem);
  expect(emptied?.state).toBe("empty");
});

const glanceAt = (query: string, token = farm) => app.get<DeviceGlance>(`${base}/device/glance?${query}`, token);

test("what a page shows first of each kind is what the page itself makes of the same answers", async () => {
  const kinds = new Set<string>();
  const { records } = (await app.get<Page<Device>>(`${base}/device/page?size=500`, farm)).body.data;
  for (const { id, kind, farmId, serialNumber } of records) {
    if (kinds.has(kind) || farmId === "") continue;
    kinds.add(kind);
    expect(await app.report(serialNumber, simulated(kind).at(-1) ?? {})).toBe(200);
    const { data: glance } = (await glanceAt(`kind=${kind}&id=${id}`)).body;
    const device = await detailOf(id);
    const readings = (await app.get<Readings>(`${base}/device/latest?id=${id}`, farm)).body.data;
    const unit =
      device.unitId === ""
        ? ofFarm
        : (await app.get<UnitDetail>(`/api/muyuan-farm/unit/overview?id=${device.unitId}`, farm)).body.data;
    const reportedAtMs = Math.max(...Object.values(readings).map(({ ts }) => ts));
    const now = { ...device, deviceId: id, deviceName: device.name, readings, reportedAtMs };
    const judge = kind === "environment" ? climateJudge : { kind: deviceKinds[kind] };
    const judged = judgeDevice(judge, unit, now, Date.now(), true);
    expect.soft(glance.state, kind).toBe(judged.state);
    const figures = deviceKinds[kind].pages?.figures ?? [];
    expect(figures.length, kind).toBeGreaterThan(0);
    expect
      .soft(
        glance.figures.map(({ key, standing, state, reason, range }) => ({ key, standing, state, reason, range })),
        kind,
      )
      .toEqual(
        figures.map((key) => {
          const { standing, state, reason, range } = judged.verdictOf(key);
          const of = [...deviceKinds[kind].channels, ...deviceKinds[kind].derived].find((one) => one.key === key);
          return { key, standing, state, reason, range: rangeWords(range, of?.decimals ?? 0) };
        }),
      );
  }
  expect([...kinds].toSorted()).toEqual(Object.keys(deviceKinds).toSorted());
});

test("the first curve is that of the worst value, and breaks where nothing was heard", async () => {
  const found = await app.get<Page<Device>>(`${base}/device/page?size=500&name=ENV-ZJY-05`, farm);
  const [{ id, unitId }] = found.body.data.records as [Device];
  const nowMs = Date.now();
  const minute = 60_000;
  // Half an hour, an hour of silence, and twenty minutes until now.
  const minutes = [...Array(30).keys()].map((at) => -120 + at).concat([...Array(21).keys()].map((at) => -20 + at));
  const messages = minutes.map((at) => ({
    ts: nowMs + at * minute,
    values: { t_in: 21, rh: 60, nh3: 5, co2: at < -60 ? 9000 : 9500 },
  }));
  expect(await app.report("ENV-ZJY-05", messages)).toBe(200);
  const { data } = (await glanceAt(`kind=environment&unitId=${unitId}`)).body;
  expect(data).toMatchObject({ deviceId: id, trend: { key: "co2", span: "9,000–9,500" } });
  expect(data.trend?.path.match(/M/g)).toHaveLength(2);
  expect(data.figures.find(({ key }) => key === "t_in")?.value).toEqual({ zh: "21.0", en: "21.0" });
  // The unit is told by the same device.
  expect((await glanceAt(`kind=environment&id=${id}`)).body.data.trend?.path).toBe(data.trend?.path);
});

test("who does not reach a unit or a device learns nothing of it, and without a device of the kind there is no figure", async () => {
  const found = await app.get<Page<Device>>(`${base}/device/page?size=500&name=ENV-ZJY-05`, farm);
  const [{ id, unitId }] = found.body.data.records as [Device];
  const { rows } = await app.test.database.pool.query<{ id: string; kind: string; unit: string }>(
    "select id::text, kind, unit_id::text as unit from devices where tenant_id = '100003' and unit_id is not null limit 1",
  );
  const [foreign] = rows;
  for (const query of [`unitId=${foreign?.unit}`, `id=${foreign?.id}`])
    for (const kind of [foreign?.kind, "weighbridge"])
      expect([kind, query, (await glanceAt(`kind=${kind}&${query}`)).status]).toEqual([kind, query, 404]);
  expect((await glanceAt("kind=environment")).status).toBe(404);
  expect((await glanceAt(`kind=bathroom&unitId=${unitId}`)).body.data).toMatchObject({ state: "bare", figures: [] });
  expect((await glanceAt(`kind=cough&id=${id}`)).body.data).toMatchObject({ state: "bare", figures: [] });
});
