import { worstFirst } from "@herdwise/contract/alarm-asking";
import { byWorst, type JudgedUnit, judgeUnit } from "@herdwise/device-kinds";
import { climateFacts } from "../environment/climate.ts";
import type { BarnAlarm, BarnUnit } from "./kept.ts";

export interface UnitWithAlarms extends Pick<BarnUnit, "houseName"> {
  judged: JudgedUnit;
  /** The worst first. */
  alarms: BarnAlarm[];
}

/** Whether the values of a unit are not the present ones, or there are none. */
export const isUnheard = ({ freshness, state }: Pick<JudgedUnit, "freshness" | "state">): boolean =>
  freshness !== "live" || state === "silent" || state === "bare";

/**
 * Units of a house, or of all, judged at a moment and with their alarms: by their worst alarm, and then those without one by their values.
 * @param following whether the server is heard, see `judgeDevice`
 */
export function unitsOf(
  units: readonly BarnUnit[],
  alarms: readonly BarnAlarm[],
  { houseId, nowMs, following }: { houseId: string; nowMs: number; following: boolean },
): UnitWithAlarms[] {
  const byUnit = Map.groupBy(alarms.toSorted(worstFirst(nowMs)), ({ unitId }) => unitId);
  const judged = units
    .filter((unit) => houseId === "" || unit.houseId === houseId)
    .map(({ houseName, unit }) => ({
      houseName,
      judged: judgeUnit(climateFacts, unit, nowMs, following),
      alarms: byUnit.get(unit.id) ?? [],
    }));
  const places = [...byUnit.keys()];
  const calm = judged.filter(({ judged: { unit } }) => !byUnit.has(unit.id));
  return [
    ...judged
      .filter(({ judged: { unit } }) => byUnit.has(unit.id))
      .toSorted((a, b) => places.indexOf(a.judged.unit.id) - places.indexOf(b.judged.unit.id)),
    ...calm.toSorted((a, b) => byWorst(a.judged, b.judged)),
  ];
}
