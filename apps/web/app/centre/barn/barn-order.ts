import type { BarnAlarm, BarnUnit } from "./kept.ts";

const ranks = { WARN: 1, MINOR: 2, MAJOR: 3, CRITICAL: 4 } as const;

/** Alarms by what matters: the worst first, then the oldest. */
export const byWorst = (alarms: readonly BarnAlarm[]): BarnAlarm[] =>
  alarms.toSorted((a, b) => ranks[b.severity] - ranks[a.severity] || a.sinceMs - b.sinceMs);

export interface UnitWithAlarms {
  unit: BarnUnit;
  /** The worst first. */
  alarms: BarnAlarm[];
}

/** Units of a house, or of all, with their alarms: those that need somebody first. */
export function unitsOf(units: readonly BarnUnit[], alarms: readonly BarnAlarm[], houseId: string): UnitWithAlarms[] {
  return units
    .filter((unit) => houseId === "" || unit.houseId === houseId)
    .map((unit) => ({ unit, alarms: byWorst(alarms.filter(({ unitId }) => unitId === unit.id)) }))
    .map((held, at) => ({ ...held, at, rank: held.alarms[0] ? ranks[held.alarms[0].severity] : 0 }))
    .toSorted((a, b) => b.rank - a.rank || a.at - b.at)
    .map(({ unit, alarms: of }) => ({ unit, alarms: of }));
}
