/** Scripted incidents, so that the alarms have something to find. Chosen by the seed alone. */
import type { Fleet } from "./fleet.ts";
import { mix, seedOf } from "./random.ts";

/**
 * - fan-current: fan 1 draws 34 % over the expected current
 * - ammonia: the pit gives off more than twice the usual ammonia
 * - low-drinking: the pigs drink less than half
 * - offline: silent for 20 min every 8 h
 */
export type Incident = "fan-current" | "ammonia" | "low-drinking" | "offline";

const incidents: readonly Incident[] = ["fan-current", "ammonia", "low-drinking", "offline"];

/** Of how many units one has an incident, in a large fleet. */
const unitsPerIncident = 8;

/** Serial number → incident: each kind at least once, among the environment controllers of occupied units. */
export function incidentsOf(fleet: Fleet): ReadonlyMap<string, Incident> {
  const order = fleet.devices
    .filter(
      ({ kind, unit }) => kind === "environment" && unit !== undefined && unit.mode === "normal" && unit.headCount > 0,
    )
    .map(({ serialNumber }) => serialNumber)
    .sort((a, b) => mix(seedOf(a), fleet.seed, 1) - mix(seedOf(b), fleet.seed, 1) || (a < b ? -1 : 1));
  const chosen = new Map<string, Incident>();
  // A fleet of a few devices keeps at least every second one healthy.
  const wanted = Math.max(incidents.length, Math.floor(order.length / unitsPerIncident));
  for (let index = 0; index < wanted; index++) {
    const serialNumber = order[index * 2];
    const incident = incidents[index % incidents.length];
    if (serialNumber !== undefined && incident !== undefined) chosen.set(serialNumber, incident);
  }
  return chosen;
}

const periodMs = 8 * 3_600_000;
const silentMs = 20 * 60_000;

/** Whether a device with the offline incident is silent at a time; the offset keeps it away from full hours. */
export function isSilent(incident: Incident | undefined, seed: number, atMs: number): boolean {
  return incident === "offline" && (atMs + (seed % periodMs)) % periodMs < silentMs;
}
