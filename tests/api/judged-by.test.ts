import type { Device, DeviceDetail, KindFarm, Page } from "@herdwise/contract";
import { environment, farmRules, verdictOf } from "@herdwise/device-kinds";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

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
