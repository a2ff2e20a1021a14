import { type DeviceKindId, deviceKindIds, deviceKinds, environment, verdictsOf } from "@herdwise/device-kinds";
import { describe, expect, it } from "vitest";
import { chooseScenarios } from "./choose.ts";
import { demoPlan } from "./demo-plan.ts";
import { type Fleet, type FleetDevice, parseFleet } from "./fleet.ts";
import type { DeviceEvent } from "./other-state.ts";
import { drift, mix, normal } from "./random.ts";
import {
  applyAttributes,
  entryFor,
  fullEntry,
  handleCommand,
  initialState,
  reported,
  reportTimeBefore,
  stateTime,
  stepDevice,
  type TelemetryEntry,
  virtualDevice,
} from "./virtual-device.ts";

const from = Date.UTC(2026, 10, 10);
const deviceOf = (kind: DeviceKindId, serialNumber = `HW-${kind}`): FleetDevice => ({
  token: `token-${serialNumber}`,
  serialNumber,
  kind,
  firmwareVersion: "1.4.2",
  unit: { id: "u1", pigstyType: "fattening", headCount: 800, ageDays: 110, weightGrams: 60_000, mode: "normal" },
  latitude: 33,
  longitude: 112.5,
});

function record(
  device: FleetDevice,
  seed: number,
  hours: number,
): { entries: TelemetryEntry[]; events: DeviceEvent[] } {
  const virtual = virtualDevice(device, seed);
  let state = initialState(virtual, reportTimeBefore(virtual, from));
  const entries: TelemetryEntry[] = [];
  const events: DeviceEvent[] = [];
  for (let minute = 0; minute < hours * 60; minute++) {
    const step = stepDevice(virtual, state);
    entries.push(fullEntry(virtual, stateTime(step.state), step.read()));
    events.push(...step.events);
    state = reported(step.state);
  }
  return { entries, events };
}

/** Usual ranges that hold only while lamps burn, water runs, a pump doses or the herd is well; the models show the rest, too. */
const outsideByNature = new Set([
  "environment lux",
  "bathroom water_t",
  "dosing-station mix_ec",
  "bungalow-deodorization p",
  "temperature p95",
  "temperature fever_share",
]);

describe.each(deviceKindIds.map((kind) => [kind]))("%s", (kind) => {
  const { entries, events } = record(deviceOf(kind), 1, 72);
  const declared = deviceKinds[kind];

  it("reports every channel of its kind, of its type, inside the valid range", () => {
    const faults = new Set<string>();
    for (const { values } of entries) {
      for (const { key, type, valid } of declared.channels) {
        const value = values[key];
        if (typeof value !== (type === "text" ? "string" : type)) faults.add(`${key} is ${String(value)}`);
        if (typeof value === "number" && valid && (value < valid[0] || value > valid[1]))
          faults.add(`${key} = ${value}`);
      }
    }
    expect([...faults]).toEqual([]);
  });

  it("stays mostly in the normal range", () => {
    for (const { key, normal: usual } of declared.channels) {
      if (!usual) continue;
      const inside = entries.filter(({ values }) => {
        const value = Number(values[key]);
        // A stopped machine reads zero, which is outside of what is usual for a running one.
        return value === 0 || (value >= usual[0] && value <= usual[1]);
      });
      if (outsideByNature.has(`${kind} ${key}`)) continue;
      expect(inside.length / entries.length, key).toBeGreaterThan(0.85);
    }
  });

  it("lets counters only grow", () => {
    for (const { key, cumulative } of declared.channels) {
      if (!cumulative) continue;
      let last = Number.NEGATIVE_INFINITY;
      for (const { values } of entries) {
        expect(Number(values[key]), key).toBeGreaterThanOrEqual(last);
        last = Number(values[key]);
      }
    }
  });

  it("moves, and is not the same day and night", () => {
    const moving = declared.channels.filter(({ key }) => new Set(entries.map(({ values }) => values[key])).size > 20);
    const own = declared.channels.filter(({ type, section }) => type === "number" && section.id !== "device");
    // Beside its own channels a device has its radio.
    expect(moving.length).toBeGreaterThanOrEqual(Math.min(4, own.length + 1));
  });

  it("sends declared events with stable, unique ids and declared fields", () => {
    expect(events.length).toBeGreaterThan(0);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    for (const { ts, type, id: _, ...fields } of events) {
      const event = declared.events.find((candidate) => candidate.type === type);
      expect(event, type).toBeDefined();
      const known = event?.fields.map(({ key }) => key) ?? [];
      for (const field of Object.keys(fields)) expect(known, `${type}.${field}`).toContain(field);
      expect(ts).toBeGreaterThan(from - 600_000);
    }
  });

  it("gives the same for the same seed and another for another", () => {
    expect(record(deviceOf(kind), 1, 72)).toEqual({ entries, events });
    expect(record(deviceOf(kind), 2, 2).entries).not.toEqual(entries.slice(0, 120));
  });
});

describe("what the models tell", () => {
  it("showers by day, long enough", () => {
    const { events } = record(deviceOf("bathroom"), 1, 24 * 14);
    const showers = events.filter(({ type }) => type === "shower");
    const short = showers.filter(({ result }) => result === "under_time");
    expect(showers.length).toBeGreaterThan(80);
    expect(short).toEqual([]);
  });
  it("numbers shots without gaps", () => {
    const { events } = record(deviceOf("needleless"), 1, 72);
    const numbers = events.filter(({ type }) => type === "shot").map(({ shot_no }) => Number(shot_no));
    expect(numbers.length).toBeGreaterThan(50);
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  });
  it("writes the hourly record of the scrubber every hour", () => {
    const { events } = record(deviceOf("deodorization"), 1, 72);
    expect(events.filter(({ type }) => type === "hourly_record")).toHaveLength(72);
  });
});

describe("reports", () => {
  const virtual = virtualDevice(deviceOf("environment"), 1);
  const step = stepDevice(virtual, initialState(virtual, from));
  it("carry slow channels at their own interval only", () => {
    const minutes = Array.from({ length: 10 }, (_, index) => entryFor(virtual, from + index * 60_000, step.read(), 60));
    expect(minutes.filter(({ values }) => "t_in" in values)).toHaveLength(10);
    expect(minutes.filter(({ values }) => "kwh" in values)).toHaveLength(2);
  });
  it("are spread over the minute", () => {
    const phases = Array.from(
      { length: 150 },
      (_, index) => virtualDevice(deviceOf("environment", `E${index}`), 1).phaseMs,
    );
    for (let quarter = 0; quarter < 4; quarter++) {
      const inside = phases.filter((phase) => Math.floor(phase / 15_000) === quarter);
      expect(inside.length).toBeGreaterThan(20);
    }
  });
});

describe("commands", () => {
  const virtual = virtualDevice(deviceOf("environment"), 1);
  const settle = (start: ReturnType<typeof initialState>, minutes: number) => {
    let state = start;
    for (let minute = 0; minute < minutes; minute++) state = stepDevice(virtual, state).state;
    return state;
  };
  const start = settle(initialState(virtual, from), 120);
  const call = (method: string, params: unknown) => handleCommand(virtual, start, method, params, from);
  const unitOf = (state: typeof start) => {
    if (state.of !== "unit") throw new Error("not a unit");
    return state.unit;
  };

  it("setMode empties the house: fans and heater stop", () => {
    const outcome = call("setMode", { mode: "empty" });
    expect(outcome.result).toEqual({ success: true, mode: "empty" });
    expect(outcome.events.map(({ type }) => type)).toEqual(["mode_change"]);
    const later = unitOf(settle(outcome.state, 30));
    expect([later.gear, later.ventilation, later.heater]).toEqual([0, 0, 0]);
  });
  it("setTargetTemperature moves the temperature", () => {
    const warmer = unitOf(settle(call("setTargetTemperature", { temperature: 26 }).state, 360));
    expect(warmer.temperatureC).toBeGreaterThan(unitOf(settle(start, 360)).temperatureC + 3);
  });
  it("setGear holds a gear by hand and lets go after its time", () => {
    const outcome = call("setGear", { gear: 9, minutes: 30 });
    expect(unitOf(settle(outcome.state, 29)).gear).toBe(9);
    expect(unitOf(settle(outcome.state, 90)).gear).toBeLessThan(9);
    const automatic = handleCommand(virtual, outcome.state, "resumeAutomatic", {}, from);
    expect(unitOf(settle(automatic.state, 60)).gear).toBeLessThan(9);
  });
  it("refuses what it does not know and what is out of range, and stays as it was", () => {
    for (const [method, params] of [
      ["fly", {}],
      ["setMode", { mode: "party" }],
      ["setMode", undefined],
      ["setTargetTemperature", { temperature: 99 }],
      ["setGear", { gear: 19 }],
    ] as const) {
      const outcome = call(method, params);
      expect(outcome.result, method).toMatchObject({ success: false, error: expect.any(String) });
      expect(outcome.state).toBe(start);
    }
    const other = virtualDevice(deviceOf("cough"), 1);
    expect(handleCommand(other, initialState(other, from), "setMode", { mode: "empty" }, from).result).toMatchObject({
      success: false,
    });
  });
  it("applies desired parameters, keeps valid ones it does not simulate, drops invalid ones", () => {
    const outcome = applyAttributes(
      virtual,
      start,
      { t_target: 21, rh_max: 80, fan_table: [], nonsense: 1, wash_gear: 99 },
      from,
    );
    expect(outcome.changed).toEqual({ t_target: 21, rh_max: 80 });
    expect(unitOf(outcome.state).targetC).toBe(21);
  });
  it("masks everything but safety once the unit is empty", () => {
    const state = unitOf(settle(call("setMode", { mode: "empty" }).state, 60));
    const values = stepDevice(virtual, { of: "unit", unit: state }).read();
    const context = { ageS: 1, pigstyType: "fattening", weightKg: 60 } as const;
    expect(verdictsOf(environment, { ...values, pigs: 0 }, context).state).toBe("ok");
    // Pigs in a unit that is set to empty are a matter of safety.
    const bad = verdictsOf(environment, values, context).values.filter((one) => one.state === "critical");
    expect(bad.map(({ key, rule }) => [key, rule?.id])).toEqual([["mode", "empty_with_pigs"]]);
  });
});

describe("what the demo shows", () => {
  const fleet: Fleet = {
    seed: 7,
    devices: Array.from({ length: 30 }, (_, index) => deviceOf("environment", `E${index}`)),
  };
  it("are of each kind once for each owner, on different devices, the same for the same seed", () => {
    const chosen = demoPlan(fleet);
    expect([...chosen.values()].sort()).toEqual([
      "ammonia",
      "blocked-inlets",
      "fan-worn",
      "sensor-stuck",
      "silent-device",
    ]);
    expect(demoPlan(fleet)).toEqual(chosen);
    expect([...demoPlan({ ...fleet, seed: 8 }).keys()]).not.toEqual([...chosen.keys()]);
  });
  it("leave the first device of an owner and half of the others healthy", () => {
    const few = fleet.devices.slice(0, 7).map((device) => ({ ...device, owner: "small" }));
    const both = demoPlan({ ...fleet, devices: [...fleet.devices.slice(7), ...few] });
    expect(
      few
        .map(({ serialNumber }) => both.get(serialNumber))
        .filter(Boolean)
        .sort(),
    ).toEqual(["ammonia", "blocked-inlets", "fan-worn"]);
    expect([both.get("E0"), both.get("E7")]).toEqual([undefined, undefined]);
  });
  it("are one of each other kind of which an owner has several", () => {
    const stations = ["D1", "D2", "D3"].map((name) => deviceOf("dosing-station", name));
    const lines = [{ ...deviceOf("disinfect", "W1"), owner: "small" }];
    const chosen = demoPlan({ seed: 1, devices: [...stations, ...lines] });
    expect([...chosen]).toEqual([["D3", "valve-stuck"]]);
  });
});

describe("the choice of scenarios", () => {
  const fleet: Fleet = {
    seed: 1,
    devices: [deviceOf("environment", "E1"), deviceOf("environment", "E2"), deviceOf("cough", "C1")],
  };
  it("is for one device, or for all that a scenario fits", () => {
    expect(chooseScenarios("heat-wave, cough-episode@C1", fleet)).toEqual([
      { serialNumber: "E1", scenario: "heat-wave" },
      { serialNumber: "E2", scenario: "heat-wave" },
      { serialNumber: "C1", scenario: "cough-episode" },
    ]);
    expect(chooseScenarios("", fleet)).toEqual([]);
  });
  it.each([
    ["heatwave", /no scenario "heatwave". There are:\n {2}heat-wave/],
    ["heat-wave@C1", /can't run on C1. It can on E1, E2/],
    ["shower-bypass", /no device for the scenario "shower-bypass", which is for bathroom/],
  ])("tells what there is instead of %s", (text, told) => {
    expect(chooseScenarios(text, fleet)).toMatch(told);
  });
});

describe("noise", () => {
  it("has mean 0 and deviation 1, and does not follow its index", () => {
    const draws = Array.from({ length: 20_000 }, (_, index) => normal(3, index, 4));
    const mean = draws.reduce((sum, each) => sum + each, 0) / draws.length;
    const deviation = Math.sqrt(draws.reduce((sum, each) => sum + (each - mean) ** 2, 0) / draws.length);
    const follow = draws.slice(1).reduce((sum, each, index) => sum + each * (draws[index] ?? 0), 0) / draws.length;
    expect(Math.abs(mean)).toBeLessThan(0.03);
    expect(deviation).toBeCloseTo(1, 1);
    expect(Math.abs(follow)).toBeLessThan(0.03);
    expect(new Set(Array.from({ length: 10_000 }, (_, index) => mix(1, index, 2))).size).toBeGreaterThan(9990);
  });
  it("drifts without jumps", () => {
    for (let minute = 0; minute < 600; minute++) {
      const step = drift(1, from + (minute + 1) * 60_000, 3600, 2) - drift(1, from + minute * 60_000, 3600, 2);
      expect(Math.abs(step)).toBeLessThan(0.11);
    }
  });
});

describe("fleet file", () => {
  const good = { seed: 1, devices: [deviceOf("environment"), deviceOf("cough")] };
  it("takes a good one", () => expect(parseFleet(good).devices).toHaveLength(2));
  it.each([
    [{ ...good, seed: "x" }, "fleet.seed"],
    [{ seed: 1 }, "fleet.devices must be a list"],
    [
      { seed: 1, devices: [{ ...deviceOf("cough"), kind: "toaster" }] },
      "devices[0].kind is not a device kind: toaster",
    ],
    [{ seed: 1, devices: [deviceOf("cough"), deviceOf("cough")] }, "devices[1].token is there twice"],
    [{ seed: 1, devices: [{ ...deviceOf("environment"), unit: undefined }] }, "devices[0].unit is missing"],
    [
      {
        seed: 1,
        devices: [{ ...deviceOf("environment"), unit: { ...deviceOf("environment").unit, weightGrams: 60.5 } }],
      },
      "devices[0].unit.weightGrams must be a whole number",
    ],
    [{ seed: 1, devices: [{ ...deviceOf("cough"), latitude: 91 }] }, "devices[0].latitude"],
    ["nonsense", "must hold an object"],
  ])("names the fault of %#", (fleet, message) => {
    expect(() => parseFleet(fleet)).toThrow(message);
  });
});
