import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Alarm,
  type AlarmDetail,
  type AlarmSeverity,
  type AlarmStatistics,
  type alarmCounts,
  alarmSeverities,
  type Device,
  mostWorstAlarms,
  type OpenAlarms,
  type Page,
  type ReplyOf,
} from "@herdwise/contract";
import { worstFirst } from "@herdwise/contract/alarm-asking";
import { deviceKinds } from "@herdwise/device-kinds";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let farm: string;
let worker: string;

const base = "/api/muyuan-iot/alarm";
const calm = { t_in: 22, t_target: 22, rh: 65, nh3: 5, co2: 1500, h2s: 0, mains: true, mode: "normal", pigs: 400 };

const deviceOf = async (serialNumber: string, token = farm): Promise<Device> => {
  const page = await app.get<Page<Device>>(`/api/muyuan-iot/device/page?size=500&name=${serialNumber}`, token);
  const [device] = page.body.data.records;
  if (device === undefined) throw new Error(`${serialNumber} is not there`);
  return device;
};
const alarmsOf = async (device: Device, query = "", token = farm): Promise<Alarm[]> =>
  (await app.get<Page<Alarm>>(`${base}/page?size=100&deviceId=${device.id}${query}`, token)).body.data.records;
const post = (path: string, body: unknown, token: string) =>
  app.call({ method: "POST", path: `${base}/${path}`, body, token });
/** Hydrogen sulfide beyond its danger for over a minute: raises at once when the second arrives. */
const gas = async (serialNumber: string, at = Date.now()): Promise<void> => {
  await app.report(serialNumber, { ts: at - 80_000, values: { ...calm, h2s: 12 } });
  await app.report(serialNumber, { ts: at - 10_000, values: { ...calm, h2s: 12 } });
};
const until = async (device: Device, ruleId: string, state: string): Promise<Alarm> => {
  let found: Alarm | undefined;
  await expect
    .poll(
      async () => {
        found = (await alarmsOf(device)).find((alarm) => alarm.ruleId === ruleId && alarm.state === state);
        return found !== undefined;
      },
      { timeout: 5000, interval: 30 },
    )
    .toBe(true);
  return found as Alarm;
};

beforeAll(async () => {
  app = await createTestApp();
  [farm, worker] = await Promise.all([app.logIn("farm"), app.logIn("worker")]);
});
afterAll(() => app.close());

describe("a device with a fault", () => {
  const statusOf = async (device: Device) =>
    (await app.get<Device>(`/api/muyuan-iot/device/detail?id=${device.id}`, farm)).body.data.status;
  const listed = async (status: string) =>
    (await app.get<Page<Device>>(`/api/muyuan-iot/device/page?size=500&status=${status}`, farm)).body.data.records;

  test("says so itself: its status is fault until it says that it is over", async () => {
    const device = await deviceOf("ENV-ZJY-11");
    await app.report(device.serialNumber, { ts: Date.now() - 3000, values: calm });
    await expect.poll(() => statusOf(device)).toBe("online");
    await app.report(device.serialNumber, { ts: Date.now() - 2000, values: { ...calm, mode: "fault" } });
    await expect.poll(() => statusOf(device)).toBe("fault");
    expect((await listed("fault")).map(({ id }) => id)).toContain(device.id);
    expect((await listed("online")).map(({ id }) => id)).not.toContain(device.id);
    await app.report(device.serialNumber, { ts: Date.now() - 1000, values: calm });
    await expect.poll(() => statusOf(device)).toBe("online");
  });

  test("has an alarm of one of its own parts: its status is fault while that runs, and no alarm of the air makes it one", async () => {
    const records = (await app.get<Page<Device>>("/api/muyuan-iot/device/page?size=500&kind=temperature", farm)).body
      .data.records;
    const [device] = records as [Device];
    await app.report(device.serialNumber, { ts: Date.now() - 2000, values: { bb_drift: 0.9, state: "idle" } });
    const { id } = await until(device, "blackbody_drift", "open");
    expect(await statusOf(device)).toBe("fault");
    // It clears by itself after minutes.
    await app.test.database.pool.query("update alarms set ended_at = now() where id = $1", [id]);
    expect(await statusOf(device)).toBe("online");

    const house = await deviceOf("ENV-ZJY-10");
    await gas("ENV-ZJY-10");
    await until(house, "hydrogen_sulfide_danger", "open");
    expect(await statusOf(house)).toBe("online");
  });
});

describe("the life of an alarm", () => {
  test("is raised by its duration, acknowledged, commented, cleared by its hysteresis and closed", async () => {
    const device = await deviceOf("ENV-ZJY-02");
    const at = Date.now();
    await gas("ENV-ZJY-02", at);
    const raised = await until(device, "hydrogen_sulfide_danger", "open");
    expect(raised).toMatchObject({
      severity: "CRITICAL",
      sinceMs: at - 80_000,
      raisedMs: at - 20_000,
      figure: { key: "h2s", value: 12, limit: 10 },
      currentValue: 12,
      acknowledgedBy: "",
      unitId: device.unitId,
    });
    expect((await post("acknowledge", { ids: raised.id }, farm)).status).toBe(200);
    expect((await post("comment", { id: raised.id, text: "先通风" }, farm)).status).toBe(200);
    expect((await post("close", { ids: raised.id, resolution: "resolved" }, farm)).body.msg).toBe(
      "告警还没有恢复，不能关闭",
    );
    expect((await post("clear", { ids: raised.id }, farm)).body.msg).toBe("值还在限外，恢复后会自己清除");
    const detail = await app.get<AlarmDetail>(`${base}/detail?id=${raised.id}`, farm);
    expect(detail.body.data.acknowledgedBy).not.toBe("");
    expect(detail.body.data.entries.map(({ action, body }) => [action, body])).toEqual([
      ["acknowledge", "30"],
      ["comment", "先通风"],
    ]);
    // Inside the hysteresis nothing clears; beyond it for a minute it does.
    await app.report("ENV-ZJY-02", { ts: at - 5000, values: { ...calm, h2s: 9.5 } });
    await app.report("ENV-ZJY-02", { ts: at - 1000, values: { ...calm, h2s: 0 } });
    await app.report("ENV-ZJY-02", { ts: at + 61_000, values: { ...calm, h2s: 0 } });
    const cleared = await until(device, "hydrogen_sulfide_danger", "cleared");
    expect(cleared.endedMs).toBe(at + 59_000);
    expect((await post("close", { ids: raised.id, resolution: "false-alarm", text: "探头脏" }, farm)).status).toBe(200);
    expect((await until(device, "hydrogen_sulfide_danger", "closed")).resolution).toBe("false-alarm");
  });

  test("temperatures that cannot be read are an alarm that quotes them, and none about the temperature", async () => {
    const device = await deviceOf("ENV-ZJY-12");
    const at = Date.now();
    const probes = (value: unknown) => Object.fromEntries(["t_in", "t1", "t2", "t3", "t4"].map((key) => [key, value]));
    await app.report("ENV-ZJY-12", { ts: at - 110_000, values: { ...calm, ...probes(22) } });
    for (const afterS of [-50, 10, 75])
      await app.report("ENV-ZJY-12", { ts: at + afterS * 1000, values: { ...calm, ...probes("36,5") } });
    const alarm = await until(device, "temperature_unknown", "open");
    expect(alarm).toMatchObject({
      severity: "CRITICAL",
      figure: { key: "t_in", rejected: { reason: "type", text: '"36,5"' } },
    });
    // The temperature of before is not the present one.
    expect(alarm).not.toHaveProperty("currentValue");
    expect((await alarmsOf(device)).map(({ ruleId }) => ruleId)).toEqual(["temperature_unknown"]);
  });

  test("one is open per device and rule, however often it is found", async () => {
    const device = await deviceOf("ENV-ZJY-03");
    await gas("ENV-ZJY-03");
    await until(device, "hydrogen_sulfide_danger", "open");
    for (let at = 0; at < 5; at += 1) {
      await app.report("ENV-ZJY-03", { ts: Date.now() + at, values: { ...calm, h2s: 14 } });
    }
    const { rows } = await app.test.database.pool.query(
      "select count(*)::int as open from alarms where device_id = $1 and rule_id = 'hydrogen_sulfide_danger'",
      [device.id],
    );
    expect(rows[0].open).toBe(1);
  });

  test("what comes later than two reports raises nothing; the log says what it would have raised", async () => {
    const device = await deviceOf("ENV-ZJY-04");
    const at = Date.now();
    await app.report("ENV-ZJY-04", { ts: at - 5000, values: calm });
    for (const before of [50, 49, 48, 47]) {
      await app.report("ENV-ZJY-04", { ts: at - before * 60_000, values: { ...calm, h2s: 12 } });
    }
    const late = await until(device, "hydrogen_sulfide_danger", "late");
    expect(late.raisedMs).toBeLessThan(at - 40 * 60_000);
    expect((await alarmsOf(device)).filter(({ state }) => state === "open")).toEqual([]);
  });

  test("an empty unit masks: a record and no alarm; the safety class shows and is pushed to nobody", async () => {
    const device = await deviceOf("ENV-ZJY-05");
    const at = Date.now();
    const empty = { ...calm, mode: "empty", pigs: 0, co2: 6000, h2s: 12 };
    // Carbon dioxide needs its quarter of an hour: its evaluation is what a server remembers of before.
    await app.report("ENV-ZJY-05", { ts: at - 80_000, values: { ...empty, mains: false } });
    await app.report("ENV-ZJY-05", { ts: at - 10_000, values: { ...empty, mains: false } });
    const shown = await until(device, "mains_loss", "open");
    await until(device, "hydrogen_sulfide_danger", "open");
    const { rows } = await app.test.database.pool.query("select 1 from alarm_notices where alarm_id = $1", [shown.id]);
    expect(rows).toEqual([]);
  });

  test("a unit that is set to empty with pigs inside is an alarm that no mask hides, and people are told", async () => {
    const device = await deviceOf("ENV-ZJY-06");
    const at = Date.now();
    const muted = { ...calm, mode: "empty", pigs: 400, t_in: 40, gear_cmd: 0, gear: 3 };
    await app.report("ENV-ZJY-06", { ts: at - 80_000, values: muted });
    await app.report("ENV-ZJY-06", { ts: at - 10_000, values: muted });
    const shown = await until(device, "empty_with_pigs", "open");
    await until(device, "gear_not_reached", "suppressed");
    const { rows } = await app.test.database.pool.query("select 1 from alarm_notices where alarm_id = $1", [shown.id]);
    expect(rows.length).toBeGreaterThan(0);
  });

  test("a mask of people is told to others, ends by itself within a day, and hides no gas", async () => {
    const device = await deviceOf("ENV-ZJY-07");
    const mask = { scope: "device", scopeId: device.id, reason: "检修风机" };
    const submit = (body: unknown, token = farm) =>
      app.call({ method: "POST", path: "/api/muyuan-iot/masking/submit", body, token });
    expect((await submit({ ...mask, minutes: 1441 })).status).toBe(400);
    expect((await submit({ ...mask, minutes: 60 }, worker)).status).toBe(403);
    const foreign = await deviceOf("ENV-LH01-01", worker);
    expect((await submit({ ...mask, scopeId: foreign.id, minutes: 60 })).status).toBe(404);
    expect((await submit({ ...mask, minutes: 60 })).status).toBe(200);
    const at = Date.now();
    // What was masked since before its time began is a record only.
    const broken = { ...calm, h2s: 12, gear_cmd: 3, gear: 5 };
    await expect
      .poll(async () => (await app.get<{ scopeId: string }[]>("/api/muyuan-iot/masking/list", farm)).body.data.length)
      .toBe(1);
    await app.report("ENV-ZJY-07", { ts: at - 50_000, values: broken });
    await app.report("ENV-ZJY-07", { ts: at + 20_000, values: broken });
    await until(device, "gear_not_reached", "suppressed");
    await until(device, "hydrogen_sulfide_danger", "open");
    const { rows } = await app.test.database.pool.query(
      "select 1 from messages m join accounts p on p.id = m.account_id where m.title = '有人屏蔽了告警' and p.account_key <> 'farm'",
    );
    expect(rows.length).toBeGreaterThan(0);
  });
});

describe("thresholds", () => {
  const rule = { kind: "environment", ruleId: "hydrogen_sulfide_danger" };
  const submit = (body: object) =>
    app.call({
      method: "POST",
      path: "/api/muyuan-iot/alarm-rule/submit",
      body: { ...rule, enabled: true, ...body },
      token: farm,
    });

  test("the nearest place wins, numbers stay in range, and every change stays in the history", async () => {
    const device = await deviceOf("ENV-ZJY-08");
    const near = { scope: "device", scopeId: device.id };
    expect((await submit({ ...near, thresholds: { "h2s.gt": 500 } })).body.msg).toContain("50");
    expect((await submit({ ...near, thresholds: { "nh3.gt": 5 } })).body.msg).toContain("nh3.gt");
    expect((await submit({ ...near, enabled: false })).body.msg).toBe("安全类告警不能停用");
    expect((await submit({ scope: "farm", scopeId: "1234567" })).status).toBe(404);
    expect((await submit({ scope: "tenant", scopeId: "0", thresholds: { "h2s.gt": 30 } })).status).toBe(200);
    expect((await submit({ ...near, severity: "MAJOR", thresholds: { "h2s.gt": 7 } })).status).toBe(200);
    const at = Date.now();
    await app.report("ENV-ZJY-08", { ts: at - 80_000, values: { ...calm, h2s: 8 } });
    await app.report("ENV-ZJY-08", { ts: at - 10_000, values: { ...calm, h2s: 8 } });
    expect(await until(device, "hydrogen_sulfide_danger", "open")).toMatchObject({
      severity: "MAJOR",
      figure: { value: 8, limit: 7 },
    });
    const other = await deviceOf("ENV-ZJY-09");
    await gas("ENV-ZJY-09");
    await expect
      .poll(
        async () =>
          (await app.test.database.pool.query("select from alarm_states where device_id = $1", [other.id])).rowCount,
      )
      .toBe(1);
    expect((await alarmsOf(other)).filter(({ ruleId }) => ruleId === "hydrogen_sulfide_danger")).toEqual([]);
    const history = await app.get<unknown[]>(
      `/api/muyuan-iot/alarm-rule/history?kind=environment&ruleId=hydrogen_sulfide_danger`,
      farm,
    );
    expect(history.body.data).toHaveLength(2);
  });
});

describe("who may do what", () => {
  test("another tenant's alarm is as absent as none", async () => {
    const device = await deviceOf("ENV-ZJY-03");
    const [alarm] = await alarmsOf(device, "&state=open");
    const missing = await app.get(`${base}/detail?id=1234567`, worker);
    const foreign = await app.get(`${base}/detail?id=${alarm?.id}`, worker);
    expect([foreign.status, foreign.body]).toEqual([missing.status, missing.body]);
    expect(foreign.status).toBe(404);
    expect((await post("acknowledge", { ids: alarm?.id }, worker)).status).toBe(404);
    expect((await app.get<Page<Alarm>>(`${base}/page?deviceId=${device.id}`, worker)).body.data.total).toBe(0);
  });

  test("who handles an alarm learns whom to call, and its course says so; nobody of another tenant does", async () => {
    const device = await deviceOf("ENV-ZJY-03");
    const [alarm] = await alarmsOf(device, "&state=open");
    const asked = await post("call", { id: alarm?.id }, farm);
    expect(asked.body.data).toEqual({ principal: "周建平", contactPhone: "13800000002" });
    const { entries } = (await app.get<AlarmDetail>(`${base}/detail?id=${alarm?.id}`, farm)).body.data;
    expect(entries.at(-1)).toMatchObject({ action: "call", body: "周建平" });
    expect((await post("call", { id: alarm?.id }, worker)).status).toBe(404);
    expect((await post("call", { id: alarm?.id }, "")).status).toBe(401);
    await app.test.database.pool.query(
      "update farms set contact_phone_encrypted = '', contact_phone_index = null where id = $1",
      [device.farmId],
    );
    const none = await post("call", { id: alarm?.id }, farm);
    expect([none.status, none.body.msg]).toEqual([400, expect.stringContaining("没有留电话")]);
  });

  test("an alarm is given to a member who may handle it, and that person is told", async () => {
    const device = await deviceOf("ENV-ZJY-03");
    const [alarm] = await alarmsOf(device, "&state=open");
    const people = await app.get<{ id: string; personName: string }[]>(`${base}/people`, farm);
    const { rows } = await app.test.database.pool.query("select id::text from accounts where account_key = 'worker'");
    expect((await post("assign", { ids: alarm?.id, accountId: rows[0].id }, farm)).status).toBe(400);
    const [person] = people.body.data;
    expect((await post("assign", { ids: alarm?.id, accountId: person?.id }, farm)).status).toBe(200);
    expect((await alarmsOf(device, "&state=open"))[0]?.assignedName).toBe(person?.personName);
  });
});

test("the open ones, their counts and the statistics agree", async () => {
  const open = await app.get<OpenAlarms>(`${base}/open`, farm);
  const counts = await app.get<ReplyOf<typeof alarmCounts>>(`${base}/counts`, farm);
  const { worst, worse, farms, ...numbers } = counts.body.data;
  expect(open.body.data.counts).toEqual(numbers);
  // Those of each farm, whatever the kind of their device.
  expect(farms.length).toBeGreaterThan(0);
  for (const { farmId, ...bySeverity } of farms) {
    const ofFarm = open.body.data.alarms.filter((alarm) => alarm.farmId === farmId);
    const told = alarmSeverities.map((severity) => [
      severity,
      ofFarm.filter((alarm) => alarm.severity === severity).length,
    ]);
    expect(bySeverity).toEqual(Object.fromEntries(told));
  }
  expect(new Set(farms.map(({ farmId }) => farmId))).toEqual(
    new Set(open.body.data.alarms.map(({ farmId }) => farmId).filter((id) => id !== "")),
  );
  // The worst that follow from no other, in the words of their kinds.
  const roots = open.body.data.alarms.filter(({ causeId }) => causeId === "");
  expect(worst).toHaveLength(Math.min(mostWorstAlarms, roots.length));
  expect(worst[0]?.severity).toBe(roots[0]?.severity);
  // One that follows and is worse than all of these is named beside them.
  const rankOf = ({ severity }: { severity: AlarmSeverity }): number => alarmSeverities.indexOf(severity);
  const [follower] = open.body.data.alarms.filter(({ causeId }) => causeId !== "");
  const isWorse = follower !== undefined && worst.every((alarm) => rankOf(alarm) < rankOf(follower));
  expect(worse?.id).toBe(isWorse ? follower.id : undefined);
  const cause = open.body.data.alarms.find(({ id }) => id === follower?.causeId);
  expect(worse?.follows).toEqual(isWorse ? cause?.sentence : undefined);
  for (const { id, rule, cause, firstStep } of worst) {
    const root = roots.find((alarm) => alarm.id === id);
    if (root === undefined) throw new Error(`${rule.en} follows from another alarm, or is not open`);
    const guide = deviceKinds[root.kind].guides?.find((of) => of.rule === root.ruleId);
    const step = guide?.steps[0];
    expect([cause, firstStep]).toEqual([guide?.cause, step && { zh: step.zh, en: step.en }]);
  }
  const { WARN, MINOR, MAJOR, CRITICAL } = counts.body.data;
  expect(open.body.data.alarms).toHaveLength(WARN + MINOR + MAJOR + CRITICAL);
  expect(open.body.data.alarms.map(({ id }) => id)).toEqual(
    open.body.data.alarms.toSorted(worstFirst(Date.now())).map(({ id }) => id),
  );
  const statistics = await app.get<AlarmStatistics>(`${base}/statistics?days=7`, farm);
  const { days, total, falseAlarms } = statistics.body.data;
  expect(days).toHaveLength(7);
  expect(days.reduce((sum, day) => sum + day.WARN + day.MINOR + day.MAJOR + day.CRITICAL, 0)).toBe(total);
  expect(falseAlarms).toBe(1);
  expect((await app.get(`${base}/open?severity=LOUD`, farm)).status).toBe(400);
});

describe("the log as a file", () => {
  const exported = async (body: object, token = farm): Promise<string> => {
    const begun = await post("export", body, token);
    expect(begun.status).toBe(200);
    const { jobId } = begun.body.data as { jobId: string };
    const done = async () =>
      (
        await app.test.database.pool.query<{ state: string; result: { attachmentId: string } }>(
          "select state, result from background_jobs where id = $1",
          [jobId],
        )
      ).rows[0];
    await expect.poll(async () => (await done())?.state, { timeout: 15_000, interval: 50 }).toBe("succeeded");
    const { rows } = await app.test.database.pool.query("select name from attachments where id = $1", [
      (await done())?.result.attachmentId,
    ]);
    return readFile(join(app.dataDir, "files", rows[0].name), "utf8");
  };

  test("holds what the list shows, by its conditions, in both languages, and nothing of others", async () => {
    const device = await deviceOf("ENV-ZJY-02");
    const { total } = (await app.get<Page<Alarm>>(`${base}/page?size=1&state=closed`, farm)).body.data;
    expect(total).toBeGreaterThan(0);
    const lines = (text: string) => text.trim().split("\r\n");
    const zh = lines(await exported({ format: "csv", state: "closed" }));
    expect(zh).toHaveLength(total + 1);
    expect(zh[0]).toContain("级别,告警,状态");
    const row = zh.find((line) => line.includes(device.name)) ?? "";
    expect(row).toContain("紧急,");
    expect(row).toContain(",已关闭,");
    expect(row).toMatch(/,12,10,ppm,/);
    expect(row).toContain("误报");
    const en = lines(await exported({ format: "csv", state: "closed", language: "en" }));
    expect(en[0]).toContain("Severity,Alarm,State");
    expect(en.find((line) => line.includes(device.name))).toContain("False alarm");
    // Another tenant's log holds none of these.
    expect(lines(await exported({ format: "csv" }, await app.logIn("heqing"))).join()).not.toContain(device.name);
    expect((await post("export", { format: "csv", state: "gone" }, farm)).status).toBe(400);
    expect((await post("export", { format: "csv" }, await app.logIn("chenxiao"))).status).toBe(403);
  });
});

test("statistics count by unit, and agree with the sum", async () => {
  const { data } = (await app.get<AlarmStatistics>(`${base}/statistics?days=7`, farm)).body;
  const device = await deviceOf("ENV-ZJY-02");
  const unit = data.units.find(({ unitId }) => unitId === device.unitId);
  expect(unit).toMatchObject({ unitName: device.unitName, farmName: device.farmName });
  expect(data.units.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(data.total);
  expect(data.units.map(({ count }) => count)).toEqual(data.units.map(({ count }) => count).toSorted((a, b) => b - a));
});

test("each channel is tested as an alarm would come; SMS at most five times a day, and without a mail address by none", async () => {
  const pushTest = (channel: string, token = farm) =>
    app.call({ method: "POST", path: "/api/muyuan-iot/push/test", body: { channel }, token });
  expect((await pushTest("site")).body.data).toEqual({ arrived: true, fault: "" });
  const { rows } = await app.test.database.pool.query("select title from messages order by id desc limit 1");
  expect(rows).toEqual([{ title: "这是一条测试通知" }]);
  const codes: number[] = [];
  for (let at = 0; at < 6; at += 1) codes.push((await pushTest("sms")).status);
  expect(codes).toEqual([200, 200, 200, 200, 200, 429]);
  const outbox = await app.call({ path: "/dev/outbox.json" });
  const texts = (outbox.body as unknown as { text: string }[]).map(({ text }) => text);
  expect(texts.filter((text) => text.includes("这是一条测试通知"))).toHaveLength(5);
  expect((await pushTest("mail")).body.msg).toBe("还没有绑定邮箱");
  expect((await pushTest("webhook")).body.msg).toBe("请先填写地址");
});
