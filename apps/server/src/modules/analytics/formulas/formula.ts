import type { AnalyticResult, AnalyticRow, DeviceKindId } from "@herdwise/contract";

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A record of a device. */
export interface EventRecord {
  type: string;
  /** Of the device, ms since 1970. */
  ts: number;
  body: Readonly<Record<string, unknown>>;
}

/** `[ts of the minute's start, mean]`, ascending. */
export type MinutePoint = readonly [ts: number, mean: number];

/** What a formula works with: one device over one span. */
export interface AnalyticInput {
  startMs: number;
  endMs: number;
  /** Of the types that the formulas of the kind name, ascending by time. */
  events: readonly EventRecord[];
  /** Values by key; a device sends a value when it changes. */
  series: ReadonlyMap<string, readonly MinutePoint[]>;
  /** Pigs that the device serves: of its unit, else of its farm. */
  pigs: number;
  /** Settings as the device reported them, else as they are wanted; the declaration's default where neither is there. */
  parameter(key: string): unknown;
}

/** How the analytics of a kind are worked out. */
export interface KindFormulas {
  kind: DeviceKindId;
  /** Types of the records that are read. */
  events: readonly string[];
  /** Keys of the values that are read. */
  keys: readonly string[];
  compute(input: AnalyticInput): AnalyticResult[];
}

/** Most rows of an answer. */
const mostRows = 50;

/** A figure; without a value where it rests on nothing. */
export function figure(
  id: string,
  value: number | undefined,
  count: number,
  rows?: readonly AnalyticRow[],
): AnalyticResult {
  const known = value !== undefined && Number.isFinite(value) && count > 0;
  return {
    id,
    ...(known && { value }),
    count,
    ...(rows && rows.length > 0 && { rows: rows.slice(0, mostRows) }),
  };
}

/** A share in %; undefined of nothing. */
export const percent = (part: number, whole: number): number | undefined =>
  whole > 0 ? (part / whole) * 100 : undefined;

export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : "";

export const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
export const mean = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : sum(values) / values.length;

/** Between two values in order by their distance; 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number | undefined {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? 0;
  return low + ((sorted[Math.ceil(at)] ?? low) - low) * (at - Math.floor(at));
}

/** Rows of a part each: a share of what is good, worst first. */
export function sharesBy<Item>(
  items: readonly Item[],
  labelOf: (item: Item) => string,
  isGood: (item: Item) => boolean,
): AnalyticRow[] {
  return [...Map.groupBy(items, labelOf)]
    .filter(([label]) => label !== "")
    .map(([label, held]) => ({ label, value: (held.filter(isGood).length / held.length) * 100, count: held.length }))
    .toSorted((a, b) => a.value - b.value || b.count - a.count || (a.label < b.label ? -1 : 1));
}

/** Rows of a count each, the most first. */
export function countsBy<Item>(items: readonly Item[], labelOf: (item: Item) => string): AnalyticRow[] {
  return [...Map.groupBy(items, labelOf)]
    .filter(([label]) => label !== "")
    .map(([label, held]) => ({ label, value: held.length, count: held.length }))
    .toSorted((a, b) => b.value - a.value || (a.label < b.label ? -1 : 1));
}

/** Day by the clock of China, yyyy-MM-dd. */
export const dayOf = (ts: number): string => new Date(ts + 8 * hourMs).toISOString().slice(0, 10);
/** Hour of the day by the clock of China, 0–23. */
export const clockHourOf = (ts: number): number => new Date(ts + 8 * hourMs).getUTCHours();

/**
 * A value holds until the next one, and no longer than this: devices repeat what did not change at least once an hour, and of who is
 * silent for longer nothing is known.
 */
const longestHoldMs = 65 * minuteMs;

/** One value for each minute of the span; NaN where nothing is known. */
export function minuteGrid({ startMs, endMs, series }: AnalyticInput, key: string): Float64Array {
  const first = Math.floor(startMs / minuteMs) * minuteMs;
  const grid = new Float64Array(Math.max(0, Math.floor((endMs - first) / minuteMs))).fill(Number.NaN);
  const points = series.get(key) ?? [];
  for (const [index, [ts, value]] of points.entries()) {
    const until = Math.min(points[index + 1]?.[0] ?? Number.POSITIVE_INFINITY, ts + longestHoldMs, endMs);
    const from = Math.max(0, Math.floor((ts - first) / minuteMs));
    for (let at = from; at < grid.length && first + at * minuteMs < until; at += 1) grid[at] = value;
  }
  return grid;
}

/** Goes through the minutes at which all keys are known. @param each gets the values in the order of the keys, and the minute */
export function eachMinute(
  input: AnalyticInput,
  keys: readonly string[],
  each: (values: readonly number[], tsMs: number) => void,
): void {
  const grids = keys.map((key) => minuteGrid(input, key));
  const first = Math.floor(input.startMs / minuteMs) * minuteMs;
  for (let at = 0; at < (grids[0]?.length ?? 0); at += 1) {
    const values = grids.map((grid) => grid[at] ?? Number.NaN);
    if (values.every((value) => !Number.isNaN(value))) each(values, first + at * minuteMs);
  }
}

/** What a counter grew by; a step back is a counter that began anew. undefined with fewer than two values */
export function increase(points: readonly MinutePoint[] | undefined): number | undefined {
  if (points === undefined || points.length < 2) return undefined;
  let grown = 0;
  for (const [index, [, value]] of points.entries()) {
    const before = points[index - 1]?.[1];
    if (before !== undefined) grown += value >= before ? value - before : value;
  }
  return grown;
}

/** What was taken out of a tank: the sum of all its falls. What is filled in is no use of it. */
export function drawn(points: readonly MinutePoint[] | undefined): number | undefined {
  if (points === undefined || points.length < 2) return undefined;
  let used = 0;
  for (const [index, [, value]] of points.entries()) {
    const before = points[index - 1]?.[1];
    if (before !== undefined && value < before) used += before - value;
  }
  return used;
}

/** Days that the values of a key cover, from its first to its last. */
const daysOf = (points: readonly MinutePoint[]): number => ((points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0)) / dayMs;

/** How many days the rest of a tank lasts at the use of the span; undefined where nothing was used. */
export function daysLeft(points: readonly MinutePoint[] | undefined): number | undefined {
  const used = drawn(points);
  const days = points === undefined ? 0 : daysOf(points);
  const left = points?.at(-1)?.[1];
  if (used === undefined || left === undefined || used <= 0 || days < 0.25) return undefined;
  return left / (used / days);
}

/** The slope of values over time by least squares, per day. */
export function slopePerDay(points: readonly MinutePoint[]): number | undefined {
  if (points.length < 2) return undefined;
  const middle = mean(points.map(([ts]) => ts)) ?? 0;
  const level = mean(points.map(([, value]) => value)) ?? 0;
  const spread = sum(points.map(([ts]) => (ts - middle) ** 2));
  if (spread === 0) return undefined;
  return (sum(points.map(([ts, value]) => (ts - middle) * (value - level))) / spread) * dayMs;
}
