import type { ReportPeriod } from "@herdwise/contract";
import { shanghaiDay, shanghaiMidnight, shanghaiMs } from "@herdwise/contract/shanghai";

const dayMs = 86_400_000;

export interface ReportSpan {
  /** First day. */
  day: string;
  from: number;
  /** The end, or now for a period that still runs. */
  to: number;
  running: boolean;
}

/** The period that holds a day: the day itself, or Monday to Sunday. undefined for one that has not begun, or lies over a year back. */
export function spanOf(period: ReportPeriod, day: string, nowMs: number): ReportSpan | undefined {
  const given = shanghaiMidnight(day);
  if (Number.isNaN(given) || given > nowMs || given < nowMs - 366 * dayMs) return undefined;
  // 1970-01-05 was a Monday.
  const sinceMonday = period === "day" ? 0 : (Math.floor((given + shanghaiMs) / dayMs) + 3) % 7;
  const from = given - sinceMonday * dayMs;
  const end = from + (period === "day" ? 1 : 7) * dayMs;
  const to = Math.min(end, Math.floor(nowMs / 60_000) * 60_000);
  return { day: shanghaiDay(from), from, to: Math.max(to, from + 60_000), running: end > nowMs };
}
