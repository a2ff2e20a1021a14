import type { Alarm, AlarmRuleTrial, Device, OwnAlarmRule, OwnAlarmRuleVersion, Page } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let farm: string;
let worker: string;
let admin: string;

const base = "/api/muyuan-iot";
const calm = { t_in: 22, t_target: 22, rh: 60, nh3: 5, co2: 1500, h2s: 0, mains: true, mode: "normal", pigs: 400 };

beforeAll(async () => {
  app = await createTestApp();
  [farm, worker, admin] = await Promise.all([app.logIn("farm"), app.logIn("worker"), app.logIn("admin")]);
});
afterAll(() => app.close());

const deviceOf = async (serialNumber: string): Promise<Device> => {
  const page = await app.get<Page<Device>>(`${base}/device/page?size=500&name=${serialNumber}`, farm);
  return page.body.data.records[0] as Device;
};
const post = async <Reply = unknown>(path: string, body: unknown, token = farm) => {
  const { status, body: answer } = await app.call({ method: "POST", path: `${base}/${path}`, body, token });
  return { status, body: answer as { msg: string; data: Reply } };
};
const list = async (token = farm) =>
  (await app.get<OwnAlarmRuleVersion[]>(`${base}/own-alarm-rule/list`, token)).body.data;
const alarmsOf = async (device: Device): Promise<Alarm[]> =>
  (await app.get<Page<Alarm>>(`${base}/alarm/page?size=100&deviceId=${device.id}`, farm)).body.data.records;

const damp: OwnAlarmRule = {
  joint: "all",
  parts: [
    { type: "compare", key: "rh", op: "gt", value: 70 },
    { type: "compare", key: "t_in", op: "lt", value: 20 },
  ],
};
const draft = (device: Device, rule: OwnAlarmRule = damp) => ({
  scope: "device",
  scopeId: device.id,
  kind: "environment",
  name: "又冷又湿",
  enabled: true,
  severity: "MINOR",
  raiseAfterS: 60,
  clearAfterS: 60,
  rule,
});

test("a rule of one's own is tried on the past, then raises alarms with its name, until it is removed", async () => {
  const device = await deviceOf("ENV-ZJY-02");
  const at = Date.now();
  // Two damp times in the last hours, the second without the cold.
  const minutes = (count: number) => at - count * 60_000;
  const past = [
    ...[240, 239, 238, 237, 236].map((ago) => ({ ts: minutes(ago), values: { ...calm, t_in: 18, rh: 80 } })),
    ...[235, 234, 233, 120].map((ago) => ({ ts: minutes(ago), values: calm })),
    ...[119, 118, 117].map((ago) => ({ ts: minutes(ago), values: { ...calm, rh: 80 } })),
    { ts: minutes(116), values: calm },
  ];
  for (const message of past) await app.report("ENV-ZJY-02", message);
  const question = { scope: "device", scopeId: device.id, kind: "environment", days: 1, raiseAfterS: 60 };
  const trial = await post<AlarmRuleTrial>("alarm-rule/try", { ...question, rule: damp });
  expect(trial.body.data).toMatchObject({ devices: 1, tried: 1, times: 1, minutes: 5 });
  expect(trial.body.data.episodes).toEqual([
    { deviceId: device.id, deviceName: device.name, fromMs: minutes(239), toMs: minutes(234) },
  ]);
  const either = await post<AlarmRuleTrial>("alarm-rule/try", { ...question, rule: { ...damp, joint: "any" } });
  expect(either.body.data.times).toBe(2);

  const written = await post<{ id: string; ruleId: string }>("own-alarm-rule/submit", draft(device));
  expect(written.status).toBe(200);
  await app.report("ENV-ZJY-02", { ts: Date.now() - 70_000, values: { ...calm, t_in: 18, rh: 80 } });
  await app.report("ENV-ZJY-02", { ts: Date.now() - 2000, values: { ...calm, t_in: 18, rh: 80 } });
  const ruleId = `own-${written.body.data.ruleId}`;
  const own = async () => (await alarmsOf(device)).find((alarm) => alarm.ruleId === ruleId);
  await expect.poll(async () => (await own())?.state, { timeout: 8000, interval: 50 }).toBe("open");
  expect(await own()).toMatchObject({
    ruleName: "又冷又湿",
    severity: "MINOR",
    figure: { key: "rh", value: 80, limit: 70 },
  });

  expect((await post("own-alarm-rule/remove", { previousId: written.body.data.id })).status).toBe(200);
  await expect.poll(async () => (await own())?.state, { timeout: 8000, interval: 50 }).toBe("cleared");
  expect(await list()).toEqual([]);
});

describe("a rule over several devices of a unit", () => {
  const devices = async () =>
    (await app.get<Page<Device>>(`${base}/device/page?size=500&bound=true`, farm)).body.data.records;
  /** A controller and a monitor that hang in one unit. */
  const pairOf = async (): Promise<[Device, Device]> => {
    const all = await devices();
    const found = all.flatMap((device): [Device, Device][] => {
      const other = all.find(({ kind, unitId }) => kind === "cough" && unitId === device.unitId);
      return device.kind === "environment" && device.serialNumber.startsWith("ENV-ZJY") && other
        ? [[device, other]]
        : [];
    });
    if (found[0] === undefined) throw new Error("no unit has both");
    return found[0];
  };
  const both = (other: Device): OwnAlarmRule => ({
    joint: "all",
    parts: [
      { type: "compare", key: "nh3", op: "gt", value: 15 },
      { type: "compare", deviceId: other.id, key: "laeq", op: "gt", value: 80 },
    ],
  });

  test("is tried on the past of all of them, raises at its device, and ends with them", async () => {
    const [device, other] = await pairOf();
    const at = Date.now();
    const minutes = (count: number) => at - count * 60_000;
    for (let ago = 60; ago > 40; ago -= 1) {
      await app.report(device.serialNumber, { ts: minutes(ago), values: { ...calm, nh3: ago > 50 ? 25 : 5 } });
      await app.report(other.serialNumber, { ts: minutes(ago) + 7000, values: { laeq: ago > 55 ? 60 : 85 } });
    }
    const rule = both(other);
    const question = { scope: "device", scopeId: device.id, kind: "environment", days: 1, raiseAfterS: 60, rule };
    const trial = await post<AlarmRuleTrial>("alarm-rule/try", question);
    expect(trial.body.data).toMatchObject({ devices: 1, tried: 1, times: 1 });
    expect(trial.body.data.episodes[0]?.fromMs).toBe(minutes(54) + 7000);

    const written = await post<{ id: string; ruleId: string }>("own-alarm-rule/submit", draft(device, rule));
    expect(written.status).toBe(200);
    expect((await list())[0]?.others).toEqual([{ id: other.id, name: other.name, kind: "cough" }]);
    const told = (serialNumber: string, ago: number, values: Record<string, unknown>) =>
      app.report(serialNumber, { ts: Date.now() - ago * 1000, values });
    // Of what came before the rule was written it says nothing.
    const ruleId = `own-${written.body.data.ruleId}`;
    const own = async () => (await alarmsOf(device)).find((alarm) => alarm.ruleId === ruleId);
    // It is made to have been written 100 s ago, once it was looked at for the first time: that look would make it new again.
    await expect
      .poll(
        async () =>
          (
            await app.test.database.pool.query(
              `update own_alarm_rule_states set settled_at = now() - interval '100 seconds',
                 state = '{"history":{"values":{},"samples":{},"hours":{},"events":{}},"rules":{}}' where rule_id = $1`,
              [written.body.data.ruleId],
            )
          ).rowCount,
      )
      .toBe(1);
    await told(device.serialNumber, 80, { ...calm, nh3: 25 });
    await told(other.serialNumber, 75, { laeq: 85 });
    await told(device.serialNumber, 5, { ...calm, nh3: 25 });
    await expect.poll(async () => (await own())?.state, { timeout: 8000, interval: 50 }).toBe("open");
    expect(await own()).toMatchObject({ deviceId: device.id, figure: { key: "nh3", value: 25, limit: 15 } });
    expect((await post("own-alarm-rule/remove", { previousId: written.body.data.id })).status).toBe(200);
    await expect.poll(async () => (await own())?.state, { timeout: 8000, interval: 50 }).toBe("cleared");
  });

  test("is refused where the other one hangs elsewhere, belongs to another tenant, or nothing is said of its own", async () => {
    const [device, other] = await pairOf();
    const apart = (await devices()).find(({ unitId, kind }) => kind === "cough" && unitId !== device.unitId) as Device;
    const foreign = (await app.get<Page<Device>>(`${base}/device/page?size=1&name=ENV-LH01-01`, worker)).body.data
      .records[0] as Device;
    const refused = async (body: object) => (await post("own-alarm-rule/submit", body)).body;
    for (const wrong of [apart, foreign]) {
      const answer = await refused(draft(device, both(wrong)));
      expect(answer.msg).toBe("第 2 个条件的设备不在同一单元");
      expect((answer.data as { problems: { field: string }[] }).problems[0]?.field).toBe("rule.parts.1.deviceId");
    }
    expect((await refused({ ...draft(device, both(other)), scope: "tenant", scopeId: "0" })).msg).toContain("其中一台");
    const [, second] = both(other).parts;
    expect(
      (await refused(draft(device, { joint: "all", parts: [second as OwnAlarmRule["parts"][number]] }))).msg,
    ).toContain("本设备");
    expect(
      (
        await post("alarm-rule/try", {
          scope: "device",
          scopeId: device.id,
          kind: "environment",
          days: 1,
          rule: both(apart),
        })
      ).status,
    ).toBe(400);
  });
});

test("changes of values and missing ones are rules, too", async () => {
  const device = await deviceOf("ENV-ZJY-03");
  const at = Date.now();
  const send = (ago: number, values: Record<string, unknown>) =>
    app.report("ENV-ZJY-03", { ts: at - ago * 60_000, values });
  for (let ago = 100; ago > 80; ago -= 1) await send(ago, { ...calm, t_in: 22 });
  for (let ago = 80; ago > 70; ago -= 1) await send(ago, { ...calm, t_in: 22 + (80 - ago) * 0.5 });
  const { nh3: _nh3, ...without } = calm;
  for (let ago = 70; ago > 50; ago -= 1) await send(ago, { ...without, t_in: 27 });
  const question = { scope: "device", scopeId: device.id, kind: "environment", days: 1 };
  const tried = async (part: OwnAlarmRule["parts"][number]) =>
    (await post<AlarmRuleTrial>("alarm-rule/try", { ...question, rule: { joint: "all", parts: [part] } })).body.data;
  expect((await tried({ type: "change", key: "t_in", windowS: 600, op: "gt", value: 3 })).times).toBe(1);
  expect((await tried({ type: "change", key: "t_in", windowS: 600, op: "gt", value: 6 })).times).toBe(0);
  const gone = await tried({ type: "absent", key: "nh3", afterS: 600 });
  expect(gone.episodes.map(({ fromMs }) => Math.round((at - fromMs) / 60_000))).toEqual([61]);
});

test("changed thresholds of a given rule are told beside those that hold", async () => {
  const device = await deviceOf("ENV-ZJY-04");
  const at = Date.now();
  for (let ago = 60; ago > 20; ago -= 1) {
    await app.report("ENV-ZJY-04", { ts: at - ago * 60_000, values: { ...calm, nh3: ago > 40 ? 15 : 5 } });
  }
  const question = { scope: "device", scopeId: device.id, kind: "environment", days: 1, ruleId: "ammonia_high" };
  const rules = await post<AlarmRuleTrial>("alarm-rule/try", { ...question, thresholds: { "nh3.gt": 10 } });
  expect(rules.body.data).toMatchObject({ times: 1, timesNow: 0 });
  expect((await post("alarm-rule/try", { ...question, ruleId: "offline" })).body.msg).toContain("离线");
  expect((await post("alarm-rule/try", { ...question, rule: damp })).body.msg).toBe("请给出一条规则");
});

test("versions: who changed what; of two changes of one version the second is refused", async () => {
  const device = await deviceOf("ENV-ZJY-05");
  const first = (await post<{ id: string; ruleId: string }>("own-alarm-rule/submit", draft(device))).body.data;
  const next = { ...draft(device), name: "冷湿", previousId: first.id };
  const together = await Promise.all([post("own-alarm-rule/submit", next), post("own-alarm-rule/submit", next)]);
  expect(together.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const history = await app.get<OwnAlarmRuleVersion[]>(`${base}/own-alarm-rule/history?ruleId=${first.ruleId}`, farm);
  expect(history.body.data.map(({ name, personName }) => [name, personName !== ""])).toEqual([
    ["冷湿", true],
    ["又冷又湿", true],
  ]);
  const [held] = await list();
  expect((await post("own-alarm-rule/submit", { ...draft(device), kind: "cough", previousId: held?.id })).status).toBe(
    400,
  );
  await post("own-alarm-rule/remove", { previousId: held?.id });
});

test("what can't be judged is refused at its part; a worker, another tenant and foreign places get nothing", async () => {
  const device = await deviceOf("ENV-ZJY-05");
  const refused = async (part: OwnAlarmRule["parts"][number]) =>
    (await post("own-alarm-rule/submit", draft(device, { joint: "all", parts: [damp.parts[0] as typeof part, part] })))
      .body;
  for (const part of [
    { type: "compare", key: "no_such", op: "gt", value: 1 },
    { type: "compare", key: "rh", op: "gt", value: 400 },
    { type: "compare", key: "mains", op: "gt", value: true },
    { type: "compare", key: "rh", op: "gt", value: "x" },
    { type: "change", key: "mode", windowS: 600, op: "gt", value: 1 },
    { type: "absent", key: "thi", afterS: 600 },
    { type: "during", from: "25:00", to: "06:00" },
  ] as const) {
    expect((await refused(part)).msg).toBe("第 2 个条件不完整或超出范围");
  }
  const night: OwnAlarmRule = { joint: "all", parts: [{ type: "during", from: "22:00", to: "06:00" }] };
  expect((await post("own-alarm-rule/submit", draft(device, night))).body.msg).toContain("请至少加一个");
  expect((await post("own-alarm-rule/submit", draft(device), worker)).status).toBe(403);
  // The group's staff write rules for the group's devices alone.
  expect((await post("own-alarm-rule/submit", draft(device), admin)).status).toBe(404);
  const trial = await post<AlarmRuleTrial>(
    "alarm-rule/try",
    { scope: "device", scopeId: device.id, kind: "environment", days: 1, rule: damp },
    admin,
  );
  expect(trial.body.data.devices).toBe(0);
  expect(await list(admin)).toEqual([]);
});
