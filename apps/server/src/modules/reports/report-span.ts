import type { ReportPeriod } from "@herdwise/contract";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** China has one zone and no daylight saving. */
const zoneMs = 8 * hourMs;

/** A day of the farms, yyyy-MM-dd in Asia/Shanghai. */
export const dayOf = (ms: number): string => new Date(ms + zoneMs).toISOString().slice(0, 10);
export const beginOf = (day: string): number => Date.parse(`${day}T00:00:00+08:00`);

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
  const given = beginOf(day);
  if (Number.isNaN(given) || given > nowMs || given < nowMs - 366 * dayMs) return undefined;
  // 1970-01-05 was a Monday.
  const sinceMonday = period === "day" ? 0 : (Math.floor((given + zoneMs) / dayMs) + 3) % 7;
  const from = given - sinceMonday * dayMs;
  const end = from + (period === "day" ? 1 : 7) * dayMs;
  const to = Math.min(end, Math.floor(nowMs / 60_000) * 60_000);
  return { day: dayOf(from), from, to: Math.max(to, from + 60_000), running: end > nowMs };
}
