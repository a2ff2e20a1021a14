import type { Alarm } from "@herdwise/contract";
import { asksNow } from "@herdwise/contract/alarm-asking";
import type { MarkName } from "../../shared/icons/mark.tsx";
import { severityMarks } from "../../shared/icons/severity-marks.ts";
import { severityOrder } from "./alarm-marks.ts";

type PlacedAlarm = Pick<Alarm, "farmId" | "houseId" | "unitId" | "severity" | "state" | "known">;

/**
 * Mark of the worst alarm of a farm, house or unit that asks for somebody, or that all of them are known.
 * @param nowMs ms since 1970
 * @returns undefined where none of the alarms is there
 */
export function worstMark(alarms: readonly PlacedAlarm[], placeId: string, nowMs: number): MarkName | undefined {
  const there = alarms.filter(({ farmId, houseId, unitId }) => [farmId, houseId, unitId].includes(placeId));
  const asking = there.filter((alarm) => asksNow(alarm, nowMs));
  const worst = severityOrder.find((severity) => asking.some((alarm) => alarm.severity === severity));
  return worst === undefined ? (there.length > 0 ? "aside" : undefined) : severityMarks[worst];
}
