/** Scripted incidents, so that the alarms have something to find. Chosen by the seed alone. */
import type { Fleet, FleetDevice } from "./fleet.ts";
import { mix, seedOf } from "./random.ts";

/**
 * - blocked-inlets: the inlets hardly open, so that little of the fans' air gets in and the house grows hot
 * - fan-current: fan 1 draws 34 % over the expected current
 * - ammonia: the pit is stirred up, and ammonia stays above its limit
 * - offline: silent for 3 h of every 4 h
 * - low-drinking: the pigs drink less than half
 */
export type Incident = "blocked-inlets" | "fan-current" | "ammonia" | "offline" | "low-drinking";

/** What a person should see first comes first: an owner of few units has only the first ones. */
const incidents: readonly Incident[] = ["blocked-inlets", "fan-current", "ammonia", "offline", "low-drinking"];

/** Of how many units one has an incident, in a large fleet. */
const unitsPerIncident = 8;

/** Environment controllers of occupied units; the first one of an owner, which visitors are shown, stays healthy. */
function candidatesOf(devices: readonly FleetDevice[]): string[] {
  return devices
    .filter(
      ({ kind, unit }) => kind === "environment" && unit !== undefined && unit.mode === "normal" && unit.headCount > 0,
    )
    .map(({ serialNumber }) => serialNumber)
    .slice(1);
}

/** Serial number → incident: each owner has each kind, as far as at least every second unit stays healthy. */
export function incidentsOf(fleet: Fleet): ReadonlyMap<string, Incident> {
  const chosen = new Map<string, Incident>();
  for (const devices of Map.groupBy(fleet.devices, ({ owner }) => owner ?? "").values()) {
    const order = candidatesOf(devices).sort(
      (a, b) => mix(seedOf(a), fleet.seed, 1) - mix(seedOf(b), fleet.seed, 1) || (a < b ? -1 : 1),
    );
    const wanted = Math.min(
      Math.ceil(order.length / 2),
      Math.max(incidents.length, Math.floor(order.length / unitsPerIncident)),
    );
    for (const [index, serialNumber] of order.slice(0, wanted).entries()) {
      const incident = incidents[index % incidents.length];
      if (incident !== undefined) chosen.set(serialNumber, incident);
    }
  }
  return chosen;
}

const periodMs = 4 * 3_600_000;
const silentMs = 3 * 3_600_000;

/** Whether a device with the offline incident is silent at a time; the offset keeps it away from full hours. */
export function isSilent(incident: Incident | undefined, seed: number, atMs: number): boolean {
  return incident === "offline" && (atMs + (seed % periodMs)) % periodMs < silentMs;
}
