import type { AlarmTrend } from "@herdwise/contract";

/** A value with its time in ms since 1970. */
export type TrendPoint = readonly [atMs: number, value: number];

/** With fewer values there is no trend. */
const leastPoints = 4;
/** Longest forecast, in minutes. */
const longestMinutes = 240;

/**
 * Trend of values: a least-squares line, and when it reaches a dangerous value.
 * @param danger the dangerous value, above or below
 * @returns undefined with too few values
 */
export function trendOf(points: readonly TrendPoint[], danger: number | undefined): AlarmTrend | undefined {
  const [first] = points;
  const last = points.at(-1);
  if (points.length < leastPoints || first === undefined || last === undefined || last[0] === first[0])
    return undefined;
  const minutes = points.map(([atMs]) => (atMs - last[0]) / 60_000);
  const meanAt = minutes.reduce((sum, at) => sum + at, 0) / points.length;
  const meanValue = points.reduce((sum, [, value]) => sum + value, 0) / points.length;
  let [over, under] = [0, 0];
  for (const [index, [, value]] of points.entries()) {
    const apart = (minutes[index] as number) - meanAt;
    over += apart * (value - meanValue);
    under += apart * apart;
  }
  const perMinute = over / under;
  const trend: AlarmTrend = { perTenMinutes: Math.round(perMinute * 1000) / 100 };
  if (danger === undefined || perMinute === 0) return trend;
  const left = (danger - last[1]) / perMinute;
  if (left <= 0 || left > longestMinutes) return trend;
  return { ...trend, toward: danger, minutes: Math.round(left) };
}
