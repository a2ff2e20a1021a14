/** What a demo shows by itself, so that each customer meets each severity. Chosen by the seed alone. */
import type { DeviceKindId } from "@herdwise/device-kinds";
import type { Fleet, FleetDevice } from "./fleet.ts";
import { mix, seedOf } from "./random.ts";

/** What a person should see first comes first: an owner of few units has only the first ones. */
const shown = ["blocked-inlets", "fan-worn", "ammonia", "silent-device", "sensor-stuck"] as const;

/** What the other kinds show: in the picture of their process a visitor sees where it is. */
const shownElsewhere: Readonly<Partial<Record<DeviceKindId, string>>> = {
  "dosing-station": "valve-stuck",
  disinfect: "stock-runs-out",
  deodorization: "clogged-pack",
  bathroom: "bath-tank-empty",
};

/** Of how many units one has a scenario, in a large fleet. */
const unitsPerScenario = 8;

/** Environment controllers of occupied units; the first one of an owner, which visitors are shown, stays healthy. */
function candidatesOf(devices: readonly FleetDevice[]): string[] {
  return devices
    .filter(
      ({ kind, unit }) => kind === "environment" && unit !== undefined && unit.mode === "normal" && unit.headCount > 0,
    )
    .map(({ serialNumber }) => serialNumber)
    .slice(1);
}

/**
 * Serial number → name of a scenario: each owner has each, as far as at least every second unit stays healthy, and one of each other
 * kind that it has several devices of.
 */
export function demoPlan(fleet: Fleet): ReadonlyMap<string, string> {
  const chosen = new Map<string, string>();
  for (const devices of Map.groupBy(fleet.devices, ({ owner }) => owner ?? "").values()) {
    const order = candidatesOf(devices).sort(
      (a, b) => mix(seedOf(a), fleet.seed, 1) - mix(seedOf(b), fleet.seed, 1) || (a < b ? -1 : 1),
    );
    const wanted = Math.min(
      Math.ceil(order.length / 2),
      Math.max(shown.length, Math.floor(order.length / unitsPerScenario)),
    );
    for (const [index, serialNumber] of order.slice(0, wanted).entries()) {
      const name = shown[index % shown.length];
      if (name !== undefined) chosen.set(serialNumber, name);
    }
    // Whoever has one alone keeps it healthy; of several the last one is in trouble.
    for (const [kind, ofKind] of Map.groupBy(devices, (device) => device.kind)) {
      const name = shownElsewhere[kind];
      const last = ofKind.at(-1);
      if (name !== undefined && last && ofKind.length > 1) chosen.set(last.serialNumber, name);
    }
  }
  return chosen;
}
