import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Alarm, Device, Page, SimulatorDetail } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSimulatorControl } from "../../apps/server/src/modules/simulator/index.ts";
import { answer } from "../../apps/simulator/src/control.ts";
import type { FleetDevice } from "../../apps/simulator/src/fleet.ts";
import { type Simulator, startSimulator } from "../../apps/simulator/src/simulator.ts";
import {
  fullEntry,
  initialState,
  reportTimeBefore,
  stateTime,
  stepDevice,
  virtualDevice,
} from "../../apps/simulator/src/virtual-device.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";

const base = "/api/muyuan-iot/simulator";
const unit = {
  id: "u1",
  pigstyType: "fattening",
  headCount: 400,
  ageDays: 110,
  weightGrams: 60_000,
  mode: "normal",
} as const;
const fleet: FleetDevice[] = [
  { token: "demo-ENV-ZJY-02", serialNumber: "ENV-ZJY-02", kind: "environment", firmwareVersion: "1", unit },
  { token: "demo-COU-ZJY-02", serialNumber: "COU-ZJY-02", kind: "cough", firmwareVersion: "1", unit },
];

let app: TestApp;
let plain: TestApp;
let simulator: Simulator;
let directory: string;
let admin: string;
const control = createSimulatorControl();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "simulator-"));
  [app, plain] = await Promise.all([createTestApp({}, { simulator: control }), createTestApp()]);
  admin = await app.logIn("admin");
  simulator = await startSimulator({
    fleet: { seed: 1, devices: fleet },
    // Nobody listens there: a simulator without a broker knows its devices all the same.
    mqttUrl: "mqtt://127.0.0.1:9",
    statePath: join(directory, "state.json"),
    backfillDays: 0,
    speed: 1,
    print: () => undefined,
    onError: () => undefined,
  });
  await simulator.backfill;
  const tell = (line: string): void => {
    for (const each of answer(simulator, line)) control.take(JSON.stringify(each));
  };
  control.attach(tell);
  tell('{"id":0,"do":"list"}');
});
afterAll(async () => {
  await simulator.stop();
  await Promise.all([app.close(), plain.close()]);
  await rm(directory, { recursive: true, force: true });
});

const post = async (what: "start" | "stop", body: unknown, token = admin) =>
  app.call({ method: "POST", path: `${base}/${what}`, body, token });
const detail = async (): Promise<SimulatorDetail> =>
  (await app.get<SimulatorDetail>(`${base}/detail`, admin)).body.data;
const runsOf = ({ devices }: SimulatorDetail, serialNumber: string) =>
  devices.find((device) => device.serialNumber === serialNumber)?.runs;

describe("scenarios by an administrator", () => {
  test("are listed with the devices they are for, started, followed and stopped", async () => {
    const before = await detail();
    expect(before.running).toBe(true);
    expect(before.scenarios.length).toBeGreaterThan(60);
    expect(before.devices.map(({ serialNumber, runs }) => [serialNumber, runs])).toEqual(
      expect.arrayContaining(fleet.map(({ serialNumber }) => [serialNumber, []])),
    );
    const device = before.devices.find(({ serialNumber }) => serialNumber === "ENV-ZJY-02");
    expect(device?.unitName).not.toBe("");
    const started = await post("start", { scenario: "heat-wave", deviceId: device?.id });
    expect(started.status).toBe(200);
    expect(runsOf(started.body.data as SimulatorDetail, "ENV-ZJY-02")).toEqual([
      { scenario: "heat-wave", speed: 1, elapsedS: expect.any(Number), leftS: expect.any(Number), raised: [] },
    ]);
    const [run] = runsOf(await detail(), "ENV-ZJY-02") ?? [];
    expect((run?.elapsedS ?? 0) + (run?.leftS ?? 0)).toBeCloseTo(20 * 3600, -2);
    expect(simulator.status().devices[0]?.running.map(({ scenario }) => scenario)).toEqual(["heat-wave"]);
    expect((await post("stop", { scenario: "heat-wave", deviceId: device?.id })).status).toBe(200);
    expect(runsOf(await detail(), "ENV-ZJY-02")).toEqual([]);
    expect(simulator.status().devices[0]?.running).toEqual([]);
  });

  test("say which alarms are to come and when, tell which came, and some unfold faster", async () => {
    const before = await detail();
    const fanTrip = before.scenarios.find(({ name }) => name === "fan-trip");
    expect(fanTrip?.expects.slice(0, 2)).toMatchObject([
      { rule: "all_fans_off", severity: "CRITICAL", under: "", suppressed: false, afterMin: 3 },
      { rule: "gear_not_reached", severity: "MAJOR", under: "all_fans_off", suppressed: false },
    ]);
    for (const { kinds, expects } of before.scenarios)
      for (const { kind, name } of expects)
        expect([kinds.includes(kind), name.zh !== "", name.en !== ""]).not.toContain(false);
    const deviceId = before.devices.find(({ serialNumber }) => serialNumber === "ENV-ZJY-02")?.id;
    expect((await post("start", { scenario: "heat-wave", deviceId, speed: 5 })).status).toBe(400);
    expect((await post("start", { scenario: "heat-wave", deviceId, speed: 12 })).body.msg).toBe("这个场景只能按原速演");
    await post("start", { scenario: "heat-wave", deviceId });
    const raise = (id: number, rule: string, minutes: number) =>
      app.test.database.pool.query(
        `insert into alarms (id, tenant_id, device_id, kind, rule_id, severity, since_at, raised_at)
         select $1, tenant_id, id, kind, $2, 1, now(), now() + $3 * interval '1 minute' from devices where id = $4`,
        [id, rule, minutes, deviceId],
      );
    // One from before it began, one of its own, one that it does not raise.
    await raise(1, "heat_emergency", -5);
    await raise(2, "heat_stress", 2);
    await raise(3, "ammonia_high", 2);
    const [run] = runsOf(await detail(), "ENV-ZJY-02") ?? [];
    expect(run).toMatchObject({ speed: 1, raised: [{ rule: "heat_stress", id: "2", ended: false }] });
    expect(run?.raised[0]?.afterS).toBeCloseTo(120, -1);
    await app.test.database.pool.query("delete from alarms where id in (1, 2, 3)");
    await post("stop", { scenario: "heat-wave", deviceId });
    await post("start", { scenario: "cold-snap", deviceId, speed: 12 });
    expect(runsOf(await detail(), "ENV-ZJY-02")).toMatchObject([{ scenario: "cold-snap", speed: 12 }]);
    await post("stop", { scenario: "cold-snap", deviceId });
  });

  test("of a unit are for all its devices that they fit", async () => {
    const { devices } = await detail();
    const unitId = devices[0]?.unitId ?? "";
    expect(devices.map((device) => device.unitId)).toEqual([unitId, unitId]);
    await post("start", { scenario: "weak-signal", unitId });
    await post("start", { scenario: "loud-fans", unitId });
    const now = await detail();
    expect(runsOf(now, "ENV-ZJY-02")?.map(({ scenario }) => scenario)).toEqual(["weak-signal"]);
    expect(runsOf(now, "COU-ZJY-02")?.map(({ scenario }) => scenario)).toEqual(["weak-signal", "loud-fans"]);
  });

  test("are refused with what is wrong", async () => {
    const { devices } = await detail();
    const deviceId = devices.find(({ kind }) => kind === "cough")?.id;
    const said = async (body: unknown) => (await post("start", body)).body.msg;
    expect(await said({ scenario: "heat-wave", deviceId })).toBe("这个场景不适用于所选的设备，请换一个");
    expect(await said({ scenario: "heatwave", deviceId })).toBe("没有这个场景：heatwave");
    expect((await post("start", { scenario: "noise", deviceId: "1" })).status).toBe(400);
    expect((await post("start", { scenario: "loud-fans", deviceId: "1" })).status).toBe(404);
    const farm = await app.logIn("farm");
    expect((await post("start", { scenario: "loud-fans", deviceId }, farm)).status).not.toBe(200);
    expect(runsOf(await detail(), "COU-ZJY-02")?.length).toBe(2);
  });

  test("are not there where no simulator runs", async () => {
    const token = await plain.logIn("admin");
    const found = await plain.get<SimulatorDetail>(`${base}/detail`, token);
    expect(found.body.data).toEqual({ running: false, scenarios: [], devices: [] });
    const refused = await plain.call({
      method: "POST",
      path: `${base}/start`,
      body: { scenario: "heat-wave", deviceId: "1" },
      token,
    });
    expect(refused.body.msg).toBe("这台服务器没有运行模拟器，请以 SIMULATOR=on 启动");
  });
});

/** Sends what a virtual device tells in the last two minutes of a scenario that began some time ago. */
async function play(
  serialNumber: string,
  kind: FleetDevice["kind"],
  scenario: string,
  begunMin: number,
): Promise<void> {
  const now = Date.now();
  const device: FleetDevice = { token: `demo-${serialNumber}`, serialNumber, kind, firmwareVersion: "1", unit };
  const virtual = virtualDevice(device, 1, [{ name: scenario, fromMs: now - begunMin * 60_000, untilMs: null }]);
  let state = initialState(virtual, reportTimeBefore(virtual, now - (begunMin + 1) * 60_000));
  while (stateTime(state) + 60_000 <= now) {
    const step = stepDevice(virtual, state);
    state = step.state;
    const at = stateTime(state);
    // What comes later is history to the server.
    if (now - at > 110_000) continue;
    if (step.events.length > 0)
      await app.http.inject({
        method: "POST",
        url: `/api/v1/demo-${serialNumber}/events`,
        payload: step.events,
      });
    expect(await app.report(serialNumber, fullEntry(virtual, at, step.read()))).toBe(200);
  }
}

describe("what a virtual device sends through the server", () => {
  const alarmsOf = async (serialNumber: string): Promise<Alarm[]> => {
    const farm = await app.logIn("farm");
    const devices = await app.get<Page<Device>>(`/api/muyuan-iot/device/page?size=500&name=${serialNumber}`, farm);
    const id = devices.body.data.records[0]?.id;
    const page = await app.get<Page<Alarm>>(`/api/muyuan-iot/alarm/page?size=100&deviceId=${id}`, farm);
    return page.body.data.records;
  };
  const raisedOf = async (serialNumber: string) =>
    (await alarmsOf(serialNumber)).map(({ ruleId, severity }) => `${ruleId} ${severity}`).sort();

  test("raises its alarm and no other", async () => {
    await play("BAT-ZJY-01", "bathroom", "inside-too-long", 50);
    await expect.poll(() => raisedOf("BAT-ZJY-01"), { interval: 50 }).toEqual(["too_long CRITICAL"]);
  });

  test("puts what follows under its cause, in a kind whose graph is its own", async () => {
    await play("INJ-ZJY-01", "needleless", "worn-nozzle", 3);
    await expect
      .poll(() => raisedOf("INJ-ZJY-01"), { interval: 50 })
      .toEqual(["nozzle_worn WARN", "pressure_off MINOR"]);
    const alarms = await alarmsOf("INJ-ZJY-01");
    const cause = alarms.find(({ ruleId }) => ruleId === "nozzle_worn");
    expect(alarms.find(({ ruleId }) => ruleId === "pressure_off")?.causeId).toBe(cause?.id);
  });
});
