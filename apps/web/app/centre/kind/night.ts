import { shanghaiDay, shanghaiMidnight } from "@herdwise/contract/shanghai";

const hourMs = 3_600_000;
const beginsBeforeMidnightMs = 4 * hourMs;
const endsAfterMidnightMs = 6 * hourMs;

/** The night that led to this day, from 20:00 to 06:00 in Asia/Shanghai; before six in the morning it is still going on. */
export function lastNight(nowMs: number): { endMs: number; spanMs: number } {
  return {
    endMs: shanghaiMidnight(shanghaiDay(nowMs)) + endsAfterMidnightMs,
    spanMs: beginsBeforeMidnightMs + endsAfterMidnightMs,
  };
}
