import { shanghaiMidnight, shanghaiMs } from "@herdwise/contract/shanghai";

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** A day so many days later, or earlier. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** Days from one to another, 0 for the same. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs);

/** The instant of a minute of a day in Asia/Shanghai. */
export const minuteOf = (day: string, minute: number): Date => new Date(shanghaiMidnight(day) + minute * minuteMs);

/** Minute of the day of an instant in Asia/Shanghai. */
export const minuteOfDay = (at: Date): number => Math.floor(((at.getTime() + shanghaiMs) % dayMs) / minuteMs);
