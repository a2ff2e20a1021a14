import { type DeviceKindId, deviceKindIds, deviceKinds, type ReportedValue } from "@herdwise/device-kinds";
import { describe, expect, it } from "vitest";
import type { FleetDevice } from "./fleet.ts";
import type { DeviceEvent } from "./other-state.ts";
import {
  applyAttributes,
  type CommandOutcome,
  type DeviceState,
  handleCommand,
  initialParameters,
  initialState,
  readNow,
  reportTimeBefore,
  stateTime,
  stepDevice,
  type VirtualDevice,
  virtualDevice,
} from "./virtual-device.ts";

/** Ten in the morning in China: people work, no round and no batch of the schedule is on. */
const from = Date.UTC(2026, 10, 10, 2, 25);
const deviceOf = (kind: DeviceKindId, headCount = 800): FleetDevice => ({
  token: `token-${kind}`,
  serialNumber: `HW-${kind}`,
  kind,
  firmwareVersion: "1.4.2",
  unit: { id: "u1", pigstyType: "fattening", headCount, ageDays: 110, weightGrams: 60_000, mode: "normal" },
  latitude: 33,
  longitude: 112.5,
});

/** A device that ran for a while, and what it does with calls. */
class Tried {
  readonly virtual: VirtualDevice;
  state: DeviceState;
  events: DeviceEvent[] = [];
  constructor(kind: DeviceKindId, headCount?: number, startMs = from) {
    this.virtual = virtualDevice(deviceOf(kind, headCount), 1);
    this.state = initialState(this.virtual, reportTimeBefore(this.virtual, startMs) - 20 * 60_000);
    this.run(20);
    this.events = [];
  }
  run(minutes: number): Record<string, ReportedValue> {
    for (let minute = 0; minute < minutes; minute += 1) {
      const step = stepDevice(this.virtual, this.state);
      this.state = step.state;
      this.events.push(...step.events);
    }
    return readNow(this.virtual, this.state);
  }
  call(method: string, params: unknown = {}): CommandOutcome["result"] {
    const outcome = handleCommand(this.virtual, this.state, method, params, stateTime(this.state));
    this.state = outcome.state;
    this.events.push(...outcome.events);
    return outcome.result;
  }
  set(values: Record<string, unknown>): void {
    this.state = applyAttributes(this.virtual, this.state, values, stateTime(this.state)).state;
  }
  told(type: string): DeviceEvent[] {
    return this.events.filter((event) => event.type === type);
  }
  value(key: string): ReportedValue | undefined {
    return readNow(this.virtual, this.state)[key];
  }
}

/** Fields that each declared call takes without a refusal. */
const paramsOf: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  unlock: { door: "A" },
  setInterlock: { on: false },
  setWaterTemperature: { temperature: 41 },
  setPump: { on: true, pump: 1, hz: 0 },
  setRatio: { ratio: 1.5 },
  requestClip: { seconds: 10 },
  setSensitivity: { level: 7 },
  testMicrophone: { signal: "tone" },
  doseAgent: { litres: 5 },
  calibrate: { probe: "ph", reference: 4, meter: 1, k: 1.1 },
  startFlush: { minutes: 5 },
  startShock: { residual: 20, minutes: 30 },
  startBatch: { recipe: "消毒", dest: "3", litres: 60 },
  setValve: { valve: 3, open: true },
  prime: { pump: 2 },
  acknowledgeRefill: { tank: 2 },
  setMode: { mode: "washing", washFan: "manual", washGear: 9 },
  setTargetTemperature: { temperature: 23 },
  setGear: { gear: 9, minutes: 30 },
  setFan: { fan: 2, on: false },
  setLight: { on: true },
  setHeadCount: { pigs: 700 },
  assignTask: { task: "T-7" },
  setDose: { dose: 1.5 },
  setPressure: { level: 6 },
  lock: { locked: true },
  pullLog: { from: 0 },
  setRoute: { route: "SC" },
  calibrateBlackbody: { reference: 37.5 },
  setLamp: { on: true },
  weigh: { plate: "豫RA2618", phase: "out" },
  setGate: { open: true },
};

const declared = deviceKindIds.flatMap((kind) =>
  deviceKinds[kind].commands.map(({ method }) => [kind, method] as const),
);

it.each(declared)("%s carries out %s, or refuses it with a reason of its own", (kind, method) => {
  const device = new Tried(kind, 0);
  const command = deviceKinds[kind].commands.find((each) => each.method === method);
  const keys = new Set(command?.fields.map(({ key }) => key));
  const params = Object.fromEntries(Object.entries(paramsOf[method] ?? {}).filter(([key]) => keys.has(key)));
  const result = device.call(method, params);
  const refusals = ["no round is on", "clip_upload is off"];
  if (result.success === false)
    expect(
      refusals.some((text) => String(result.error).includes(text)),
      String(result.error),
    ).toBe(true);
  device.run(90);
  for (const { type, ts: _, id: __, ...fields } of device.events) {
    const event = deviceKinds[kind].events.find((each) => each.type === type);
    expect(event, type).toBeDefined();
    for (const field of Object.keys(fields))
      expect(
        event?.fields.map(({ key }) => key),
        `${type}.${field}`,
      ).toContain(field);
  }
});

describe("a scrubber", () => {
  it("stops, and the air leaves as it came, until it is started", () => {
    const device = new Tried("deodorization");
    expect(Number(device.value("nh3_out"))).toBeLessThan(4);
    device.call("stop");
    expect(device.run(1)).toMatchObject({ state: "standby", pump: false, circ: 0 });
    expect(Number(device.value("nh3_out"))).toBeGreaterThan(0.9 * Number(device.value("nh3_in")));
    device.call("start");
    expect(device.run(1)).toMatchObject({ state: "running", pump: true });
  });
  it("drains for ten minutes with its pump off, counts what left and fills up again", () => {
    const device = new Tried("deodorization");
    const before = Number(device.value("discharge"));
    device.call("drain");
    expect(device.call("refill").success).toBe(false);
    expect(device.run(5)).toMatchObject({ state: "draining", pump: false });
    expect(device.run(7)).toMatchObject({ state: "refill", pump: true });
    expect(device.told("drain")).toHaveLength(1);
    expect(Number(device.value("discharge"))).toBeCloseTo(before + 0.3, 5);
    expect(Number(device.value("ec"))).toBeLessThan(100);
    expect(device.run(5).state).toBe("running");
    device.run(60);
    expect(device.told("hourly_record").map(({ discharge }) => discharge)).toEqual([0.3]);
  });
  it("doses what its tank holds; acid lowers the pH for a while", () => {
    const device = new Tried("deodorization");
    const [ph, agent] = [Number(device.value("ph")), Number(device.value("agent"))];
    expect(device.call("doseAgent", { litres: 10 }).success).toBe(true);
    expect(Number(device.value("ph"))).toBeCloseTo(ph - 0.2, 2);
    expect(Number(device.value("agent"))).toBeCloseTo(agent - 10, 0);
    expect(String(device.call("doseAgent", { litres: 100 }).error)).toContain("the tank holds");
    expect(Number(device.run(240).ph)).toBeGreaterThan(ph - 0.35);
    expect(device.told("agent_dose")).toHaveLength(1);
  });
});

describe("a dosing station", () => {
  it("delivers an ordered batch, tells it and rinses", () => {
    const device = new Tried("dosing-station");
    expect(device.value("state")).toBe("idle");
    device.call("startBatch", { recipe: "消毒", dest: "3", litres: 60 });
    expect(device.run(2)).toMatchObject({ state: "mixing", valve_1: true });
    expect(device.call("startBatch", { recipe: "x", dest: "1", litres: 5 }).success).toBe(false);
    expect(device.run(6)).toMatchObject({ state: "dispensing" });
    device.run(3);
    expect(device.told("batch")).toMatchObject([{ recipe: "消毒", dest: "3", target_l: 60, result: "ok" }]);
    expect(device.told("flush")).toHaveLength(1);
  });
  it("stops a batch, which is told with what was delivered", () => {
    const device = new Tried("dosing-station");
    device.call("startBatch", { recipe: "消毒", dest: "3", litres: 60 });
    device.run(5);
    device.call("stop");
    expect(device.run(1).state).toBe("idle");
    expect(device.told("batch")).toMatchObject([{ actual_l: 30, deviation: -50, result: "aborted" }]);
  });
  it("moves valves and pumps by hand as their interlocks allow", () => {
    const device = new Tried("dosing-station");
    expect(String(device.call("setPump", { pump: 1, hz: 30 }).error)).toContain("valves are closed");
    device.call("setValve", { valve: 3, open: true });
    expect(device.call("setPump", { pump: 1, hz: 30 }).success).toBe(true);
    expect(device.run(1)).toMatchObject({ state: "maint", valve_3: true, pump_1_hz: 30 });
    expect(Number(device.value("flow_1"))).toBeGreaterThan(300);
    expect(String(device.call("setValve", { valve: 3, open: false }).error)).toContain("a pump runs");
    device.call("emergencyStop");
    expect(device.run(1)).toMatchObject({ state: "estop", valve_3: false, pump_1_hz: 0 });
    expect(device.call("startBatch", { recipe: "x", dest: "1", litres: 5 }).success).toBe(false);
    device.call("resetEmergencyStop");
    expect(device.run(1).state).toBe("idle");
    expect(device.told("estop")).toHaveLength(1);
  });
});

describe("a water line", () => {
  it("flushes as long as it was told", () => {
    const device = new Tried("disinfect");
    device.call("startFlush", { minutes: 6 });
    expect(device.run(3).state).toBe("flushing");
    expect(device.run(4).state).not.toBe("flushing");
    expect(device.told("flush")).toMatchObject([{ duration_s: 360, litres: 150 }]);
  });
  it("takes a shock in an empty unit only", () => {
    expect(String(new Tried("disinfect", 300).call("startShock", { residual: 20, minutes: 60 }).error)).toContain(
      "300 pigs",
    );
    const empty = new Tried("disinfect", 0);
    empty.call("startShock", { residual: 20, minutes: 60 });
    expect(empty.run(50).state).toBe("shock");
    expect(Number(empty.value("free_cl"))).toBeGreaterThan(15);
    empty.run(12);
    expect(empty.told("shock")).toMatchObject([{ duration_s: 3600 }]);
  });
  it("without dosing it loses its chlorine within the hour", () => {
    const device = new Tried("disinfect");
    device.call("stopPump");
    expect(Number(device.run(60).free_cl)).toBeLessThan(0.2);
    expect(device.value("pump")).toBe(0);
    device.call("resetPump");
    expect(Number(device.run(60).free_cl)).toBeGreaterThan(0.6);
    expect(device.told("pump_stopped")).toMatchObject([{ reason: "command" }]);
  });
  it("follows a target that somebody set", () => {
    const device = new Tried("disinfect");
    device.set({ residual_target: 2 });
    expect(Number(device.run(90).free_cl)).toBeGreaterThan(1.7);
  });
});

describe("spray behind fans", () => {
  it("runs by hand until it is switched off, and that is told", () => {
    const device = new Tried("bungalow-deodorization");
    device.call("setPump", { on: true });
    expect(device.run(3)).toMatchObject({ pump: true, state: "running" });
    expect(device.run(3).pump).toBe(true);
    device.call("setPump", { on: false });
    expect(device.run(10).pump).toBe(false);
    expect(device.told("spray_run").filter(({ trigger }) => trigger === "manual")).toMatchObject([{ duration_s: 360 }]);
  });
  it("stays drained until it is filled again", () => {
    const device = new Tried("bungalow-deodorization");
    device.call("winterDrain");
    expect(device.run(60)).toMatchObject({ state: "drained", pump: false });
    device.call("setPump", { on: true });
    expect(device.run(1).state).toBe("running");
  });
  it("mixes at the ratio that was set", () => {
    const device = new Tried("bungalow-deodorization");
    device.call("setRatio", { ratio: 2 });
    expect(Number(device.value("conc"))).toBeGreaterThan(1.8);
  });
});

describe("other kinds", () => {
  it("a trolley goes on a round and breaks it off when told", () => {
    const device = new Tried("temperature");
    expect(device.value("state")).toBe("idle");
    expect(device.call("stopRound").success).toBe(false);
    device.call("startRound");
    expect(device.run(30)).toMatchObject({ state: "round" });
    expect(device.told("round_start")).toHaveLength(1);
    expect(device.told("scan").length).toBeGreaterThan(4);
    device.call("goHome");
    expect(device.run(1)).toMatchObject({ state: "idle", position: 0 });
    expect(device.told("round_end")).toHaveLength(1);
    device.call("startRound");
    device.run(95);
    expect(device.told("round_end")).toHaveLength(2);
    expect(new Set(device.events.map(({ id }) => id)).size).toBe(device.events.length);
  });
  it("a blackbody that is calibrated drifts from nothing", () => {
    const device = new Tried("temperature");
    device.call("calibrateBlackbody", { reference: 38 });
    expect(Number(device.value("bb_drift"))).toBeCloseTo(0, 5);
    expect(device.value("state")).toBe("calibrating");
  });
  it("a monitor whose baseline is reset learns for as many days as are set", () => {
    const device = new Tried("cough");
    device.set({ learning_days: 7 });
    device.call("resetBaseline");
    expect(device.run(10).state).toBe("learning");
    expect(device.run(7 * 1440).state).not.toBe("learning");
    device.set({ clip_upload: true });
    expect(device.call("requestClip", { seconds: 5 })).toMatchObject({ success: true, seconds: 5 });
  });
  it("an injector gives the dose that was set, by the route that was set, and sends its log again", () => {
    const device = new Tried("needleless", 800, Date.UTC(2026, 10, 10, 1));
    // A day on which people inject.
    for (let day = 0; day < 3 && device.value("state") !== "injecting"; day += 1) device.run(1440);
    device.events = [];
    device.call("setDose", { dose: 1.5 });
    device.call("setRoute", { route: "SC" });
    device.run(10);
    const shots = device.told("shot");
    expect(shots.length).toBeGreaterThan(5);
    for (const shot of shots) expect(shot).toMatchObject({ dose_set: 1.5, route: "SC" });
    const third = shots[2];
    device.events = [];
    const result = device.call("pullLog", { from: third?.shot_no });
    expect(result).toMatchObject({ success: true, shots: shots.length - 2 });
    expect(device.events).toEqual(shots.slice(2));
    device.call("lock", { locked: true });
    device.events = [];
    expect(device.run(10).state).toBe("locked");
    expect(device.told("shot")).toEqual([]);
  });
  it("a bathroom opens a door for a minute, sterilises for an hour and cuts off a shower", () => {
    const device = new Tried("bathroom");
    expect(device.call("unlock", { door: "C" }).success).toBe(false);
    device.call("unlock", { door: "B" });
    expect(device.value("door_b")).toBe(true);
    expect(device.run(2).door_b).toBe(false);
    device.call("sterilise");
    expect(device.run(30)).toMatchObject({ cabinet: "running" });
    expect(device.call("sterilise").success).toBe(false);
    device.run(31);
    expect(device.told("sterilise_done")).toMatchObject([{ held_s: 1800 }]);
    let waited = 0;
    for (; waited < 2000 && device.value("state") !== "showering"; waited += 1) device.run(1);
    expect(device.call("clean").success).toBe(false);
    device.events = [];
    device.call("shutWater");
    expect(device.value("flow")).toBe(0);
    device.run(16);
    expect(device.told("shower")[0]).toMatchObject({ result: "under_time" });
  });
});

describe("an environment controller", () => {
  it("switches one fan until it is automatic again", () => {
    const device = new Tried("environment");
    device.call("setGear", { gear: 9, minutes: 600 });
    const full = Number(device.run(2).vent);
    device.call("setFan", { fan: 2, on: false });
    expect(device.run(1)).toMatchObject({ fan_1: true, fan_2: false });
    expect(Number(device.value("vent"))).toBeLessThan(full);
    device.call("setFan", { fan: 11, on: true });
    expect(device.run(1)).toMatchObject({ fan_11: true });
    device.call("resumeAutomatic");
    device.call("setGear", { gear: 9, minutes: 600 });
    expect(device.run(2)).toMatchObject({ fan_2: true, vent: full });
  });
  it("has light by hand for some hours", () => {
    const device = new Tried("environment", 800, Date.UTC(2026, 10, 10, 16));
    expect(Number(device.value("lux"))).toBeLessThan(10);
    device.call("setLight", { on: true });
    expect(Number(device.run(1).lux)).toBeGreaterThan(25);
    expect(Number(device.run(241).lux)).toBeLessThan(10);
  });
  it("lights as it is set, and starts with what its stage wants", () => {
    // Noon in China.
    const device = new Tried("environment", 800, Date.UTC(2026, 10, 10, 4));
    const [usual] = initialParameters(device.virtual, device.state).lighting as { lux: number }[];
    expect(Math.abs(Number(device.value("lux")) - Number(usual?.lux))).toBeLessThan(5);
    const circuits = [
      { on: "08:00", off: "10:00", lux: 200, channel: 1 },
      { on: "11:00", off: "13:00", lux: 80, channel: 2 },
    ];
    device.set({ lighting: circuits });
    expect(initialParameters(device.virtual, device.state).lighting).toEqual(circuits);
    expect(Math.abs(Number(device.run(1).lux) - 80)).toBeLessThan(5);
    expect(Number(device.run(90).lux)).toBeLessThan(10);
  });
  it("washes in the gear that was set, or by the temperature outside", () => {
    const device = new Tried("environment");
    device.call("setMode", { mode: "washing", washFan: "manual", washGear: 9 });
    expect(device.run(2)).toMatchObject({ mode: "washing", gear: 9 });
    device.set({ wash_fan: "outdoor" });
    expect(Number(device.run(2).gear)).toBeLessThan(7);
    device.set({ wash_fan: "manual", wash_gear: 11 });
    expect(device.run(2).gear).toBe(11);
  });
});
