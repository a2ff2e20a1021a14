import type { PlaceCounts } from "@herdwise/contract";
import type { UnitState } from "@herdwise/contract/unit-states";
import { expect, test } from "vitest";
import { stateOfCounts } from "./place-figures.ts";

const well: PlaceCounts = {
  units: 50,
  headCount: 20_000,
  devices: 50,
  online: 50,
  fault: 0,
  offline: 0,
  silent: 0,
  bare: 0,
  alarms: { WARN: 0, MINOR: 0, MAJOR: 0, CRITICAL: 0 },
};

test.each([
  ["all report", {}, "ok"],
  ["none ever reported", { online: 0, silent: 50 }, "silent"],
  ["one never reported", { online: 49, silent: 1 }, "silent"],
  ["no device", { devices: 0, online: 0, bare: 50 }, "bare"],
  ["a unit without one", { devices: 49, online: 49, bare: 1 }, "bare"],
  ["one is silent now, another always was", { online: 48, offline: 1, silent: 1 }, "offline"],
  ["a fault without an alarm", { online: 49, fault: 1 }, "major"],
  ["a hint", { alarms: { ...well.alarms, WARN: 1 }, silent: 1 }, "notice"],
  ["an alarm among silent ones", { silent: 49, online: 1, alarms: { ...well.alarms, CRITICAL: 1 } }, "critical"],
] as const satisfies readonly (readonly [string, Partial<PlaceCounts>, UnitState])[])(
  "a house in figures, %s: %o is %s",
  (_name, change, state) => {
    expect(stateOfCounts({ ...well, ...change })).toBe(state);
  },
);
