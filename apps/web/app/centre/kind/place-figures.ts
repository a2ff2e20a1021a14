import type { KindFarm, KindHouse, PlaceCounts } from "@herdwise/contract";
import type { UnitState } from "@herdwise/contract/unit-states";
import { severityOrder } from "../alarms/alarm-marks.ts";

/** A house whose units are not listed, or what serves a farm as a whole; in figures. */
export interface FiguredPlace {
  id: string;
  farm: KindFarm;
  /** Absent for what serves the farm as a whole. */
  house?: KindHouse;
  counts: PlaceCounts;
}

/** What the overview tells in figures. @param place id of a farm or a house */
export const unlistedIn = (farms: readonly KindFarm[], place?: string): FiguredPlace[] =>
  farms.flatMap((farm) => [
    ...(farm.unlisted && (place === undefined || place === farm.id)
      ? [{ id: farm.id, farm, counts: farm.unlisted }]
      : []),
    ...farm.houses.flatMap((house) =>
      house.unlisted && (place === undefined || place === farm.id || place === house.id)
        ? [{ id: house.id, farm, house, counts: house.unlisted }]
        : [],
    ),
  ]);

/** Units of a house, listed or not. */
export const unitCount = ({ units, unlisted }: Pick<KindHouse, "units" | "unlisted">): number =>
  unlisted?.units ?? units.length;

const zero: PlaceCounts = {
  units: 0,
  headCount: 0,
  devices: 0,
  online: 0,
  fault: 0,
  offline: 0,
  silent: 0,
  bare: 0,
  alarms: { WARN: 0, MINOR: 0, MAJOR: 0, CRITICAL: 0 },
};

/** Figures of several places together. */
export const sumOf = (places: readonly Pick<FiguredPlace, "counts">[]): PlaceCounts =>
  places.reduce(
    (sum, { counts }) => ({
      units: sum.units + counts.units,
      headCount: sum.headCount + counts.headCount,
      devices: sum.devices + counts.devices,
      online: sum.online + counts.online,
      fault: sum.fault + counts.fault,
      offline: sum.offline + counts.offline,
      silent: sum.silent + counts.silent,
      bare: sum.bare + counts.bare,
      alarms: {
        WARN: sum.alarms.WARN + counts.alarms.WARN,
        MINOR: sum.alarms.MINOR + counts.alarms.MINOR,
        MAJOR: sum.alarms.MAJOR + counts.alarms.MAJOR,
        CRITICAL: sum.alarms.CRITICAL + counts.alarms.CRITICAL,
      },
    }),
    zero,
  );

/** The state of a place as its open alarms and its devices say. Nothing is called good that nobody heard, as for units. */
export const stateOfCounts = ({ alarms, devices, fault, offline, silent, bare }: PlaceCounts): UnitState => {
  if (devices === 0) return "bare";
  if (alarms.CRITICAL > 0) return "critical";
  if (alarms.MAJOR > 0 || fault > 0) return "major";
  if (alarms.MINOR > 0) return "minor";
  if (offline > 0) return "offline";
  if (alarms.WARN > 0) return "notice";
  if (silent > 0) return "silent";
  return bare > 0 ? "bare" : "ok";
};

/** What needs a person most comes first: by the worst alarms, then by how many devices do not report, or never did. */
export function byWorstFigures({ counts: a }: FiguredPlace, { counts: b }: FiguredPlace): number {
  for (const severity of severityOrder)
    if (a.alarms[severity] !== b.alarms[severity]) return b.alarms[severity] - a.alarms[severity];
  return b.offline - a.offline || b.silent - a.silent || b.bare - a.bare;
}
