import type { DeviceKindId, ReportedValue } from "@herdwise/device-kinds";
import type { FleetDevice } from "../../apps/simulator/src/fleet.ts";
import {
  fullEntry,
  initialState,
  reported,
  reportTimeBefore,
  stateTime,
  stepDevice,
  virtualDevice,
} from "../../apps/simulator/src/virtual-device.ts";

export type Values = Record<string, ReportedValue>;
const beganMs = Date.UTC(2026, 10, 10);
const hour = 60;

/** What a device of a kind reports, every 20 minutes for some hours, with a scenario from the first hour on. */
export function simulated(kind: DeviceKindId, scenario?: string): Values[] {
  const device: FleetDevice = {
    token: "token",
    serialNumber: `HW-${kind}`,
    kind,
    firmwareVersion: "1.4.2",
    unit: { id: "u1", pigstyType: "fattening", headCount: 800, ageDays: 110, weightGrams: 60_000, mode: "normal" },
    latitude: 33,
    longitude: 112.5,
  };
  const runs = scenario === undefined ? [] : [{ name: scenario, fromMs: beganMs + 3_600_000, untilMs: null }];
  const virtual = virtualDevice(device, 1, runs);
  let state = initialState(virtual, reportTimeBefore(virtual, beganMs));
  const found: Values[] = [];
  for (let minute = 0; minute < 4 * hour; minute++) {
    const step = stepDevice(virtual, state);
    if (minute % 20 === 0) found.push(fullEntry(virtual, stateTime(step.state), step.read()).values);
    state = reported(step.state);
  }
  return found;
}

/** A device of the demo for each kind; those of kinds that stand in units stand in one. */
export const demoDevices: Readonly<Record<DeviceKindId, string>> = {
  environment: "ENV-ZJY-06",
  needleless: "INJ-ZJY-01",
  cough: "COU-ZJY-06",
  temperature: "TMP-ZJY-01",
  bathroom: "BAT-ZJY-01",
  disinfect: "WAT-ZJY-01",
  deodorization: "DEO-ZJY-01",
  "bungalow-deodorization": "BDE-LHF-01",
  "dosing-station": "DOS-ZJY-01",
  weighbridge: "WBR-ZJY-01",
};
