import type { AnalyticGrid, AnalyticResult, AnalyticRow, CoughAdvice, DeviceKindId } from "@herdwise/contract";
import { shanghaiClock, shanghaiDay, shanghaiMs } from "@herdwise/contract/shanghai";
import { consumptionOf, type PigstyType, type UnitMode } from "@herdwise/device-kinds";

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

/** `[ts of the hour's start, min, mean, max]`, ascending. */
export type HourPoint = readonly [ts: number, min: number, mean: number, max: number];

/** The unit that a device stands in. */
export interface ServedUnit {
  id: string;
  /** As injectors tell it: several houses may have a unit of the same name. */
  name: string;
  /** With its house. */
  label: string;
  pigstyType: PigstyType;
  /** Mean live weight in kg; undefined where nobody told it. */
  weightKg: number | undefined;
  mode: UnitMode;
  /** Heads in it now. */
  pigs: number;
  volumeM3: number | undefined;
}

/** A vaccination that was planned. */
interface Plan {
  task: string;
  unitId: string;
  medicine: string;
  /** Midnight of the day in Asia/Shanghai, ms since 1970. */
  plannedMs: number;
  /** What became of it until now, as the list of plans says it. */
  state: "planned" | "today" | "done" | "overdue" | "unheard";
}

/** What a veterinarian wrote down. */
interface Treatment {
  type: string;
  finding: string;
  medicine: string;
  /** Midnight of the day in Asia/Shanghai, ms since 1970. */
  dayMs: number;
}

/** What people keep in the books of the herd that a device serves. */
export interface HerdBooks {
  /** Of the units that are served, whenever. */
  plans: readonly Plan[];
  treatments: readonly Treatment[];
  /** Days of the withdrawal period by the name of the medicine. */
  withdrawalDays: ReadonlyMap<string, number>;
}

/** A device of another kind, or another of the same, that serves the same place: the unit, else the farm. */
export interface Neighbour {
  hourly: ReadonlyMap<string, readonly HourPoint[]>;
  events: readonly EventRecord[];
}

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
  /** Units that it serves: the one it stands in, else those of its farm. */
  units: readonly ServedUnit[];
  /** Values by the minute of the keys of `past`, which also reach before the span. */
  past: ReadonlyMap<string, readonly MinutePoint[]>;
  /** Values by the hour of the keys of `hourly`, which also reach before the span. */
  hourly: ReadonlyMap<string, readonly HourPoint[]>;
  /** Devices of a kind that `beside` names. */
  beside(kind: DeviceKindId): readonly Neighbour[];
  books: HerdBooks;
  /** When alarms of the device were raised, ms since 1970, ascending, with those of the `pastDays` before the span. */
  alarms: readonly number[];
  /** Settings as the device reported them, else as they are wanted; the declaration's default where neither is there. */
  parameter(key: string): unknown;
  /** Whether a setting was told or wanted at all; else `parameter` answers with the default. */
  isSet(key: string): boolean;
}

/** How the analytics of a kind are worked out. */
export interface KindFormulas {
  kind: DeviceKindId;
  /** Types of the records that are read. */
  events: readonly string[];
  /** Keys of the values that are read. */
  keys: readonly string[];
  /** Days up to the end of the span that `past`, `hourly`, `alarms` and what stands beside reach, at least the span; at most 30. */
  pastDays?: number;
  past?: readonly string[];
  hourly?: readonly string[];
  /** What else serves the same place, and which of its records and hourly values are read. */
  beside?: readonly { kind: DeviceKindId; events?: readonly string[]; hourly?: readonly string[] }[];
  /** Whether plans, treatments and withdrawal periods are read. */
  books?: true;
  /** Whether it is read when alarms were raised. */
  alarms?: true;
  compute(input: AnalyticInput): AnalyticResult[];
  /** What is to be done today. */
  advise?(input: AnalyticInput): CoughAdvice | undefined;
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

/** A figure with a grid beside its value. */
export const withGrid = (result: AnalyticResult, grid: AnalyticGrid): AnalyticResult =>
  grid.rows.length === 0 || grid.columns.length === 0 ? result : { ...result, grid };

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

/** The days of times one after the other, by the clock of China: a day is written once, not for each of its minutes. */
export function daysInTurn(): (ms: number) => string {
  let day = "";
  let number = Number.NaN;
  return (ms) => {
    const now = Math.floor((ms + shanghaiMs) / dayMs);
    if (now !== number) {
      number = now;
      day = shanghaiDay(ms);
    }
    return day;
  };
}

/** Hour of the day by the clock of China, 0–23. */
export const clockHourOf = (ts: number): number => Number(shanghaiClock(ts).slice(11, 13));

/**
 * A value holds until the next one, and no longer than this: devices repeat what did not change at least once an hour, and of who is
 * silent for longer nothing is known.
 */
const longestHoldMs = 65 * minuteMs;

/** Grids that were made of the same series: several figures go through the same values. */
const madeGrids = new WeakMap<AnalyticInput["series"], Map<string, Float64Array>>();

/**
 * One value for each minute of the span; NaN where nothing is known. Not to be changed.
 * @param holdMs how long a value holds without another word
 */
export function minuteGrid(
  input: Pick<AnalyticInput, "startMs" | "endMs" | "series">,
  key: string,
  holdMs = longestHoldMs,
): Float64Array {
  const made = madeGrids.get(input.series) ?? new Map<string, Float64Array>();
  madeGrids.set(input.series, made);
  const name = `${key} ${input.startMs} ${input.endMs} ${holdMs}`;
  const grid = made.get(name) ?? newGrid(input, key, holdMs);
  made.set(name, grid);
  return grid;
}

function newGrid(
  { startMs, endMs, series }: Pick<AnalyticInput, "startMs" | "endMs" | "series">,
  key: string,
  holdMs: number,
): Float64Array {
  const first = Math.floor(startMs / minuteMs) * minuteMs;
  const grid = new Float64Array(Math.max(0, Math.floor((endMs - first) / minuteMs))).fill(Number.NaN);
  const points = series.get(key) ?? [];
  for (const [index, [ts, value]] of points.entries()) {
    const until = Math.min(points[index + 1]?.[0] ?? Number.POSITIVE_INFINITY, ts + holdMs, endMs);
    const from = Math.max(0, Math.floor((ts - first) / minuteMs));
    for (let at = from; at < grid.length && first + at * minuteMs < until; at += 1) grid[at] = value;
  }
  return grid;
}

/**
 * Goes through the minutes at which all keys are known.
 * @param each gets the values in the order of the keys, and the minute; the list is the same one for each minute
 */
export function eachMinute(
  input: AnalyticInput,
  keys: readonly string[],
  each: (values: readonly number[], tsMs: number) => void,
): void {
  const grids = keys.map((key) => minuteGrid(input, key));
  const first = Math.floor(input.startMs / minuteMs) * minuteMs;
  const minutes = grids[0]?.length ?? 0;
  // A month of a device is 43,200 minutes, which ten figures go through: nothing is made for each of them.
  const values = grids.map(() => Number.NaN);
  for (let at = 0; at < minutes; at += 1) {
    let known = true;
    for (let key = 0; known && key < grids.length; key += 1) {
      const value = grids[key]?.[at] ?? Number.NaN;
      values[key] = value;
      known = !Number.isNaN(value);
    }
    if (known) each(values, first + at * minuteMs);
  }
}

/** What a counter says was used; undefined with fewer than two values. */
export const increase = (points: readonly MinutePoint[] | undefined): number | undefined =>
  points === undefined || points.length < 2 ? undefined : consumptionOf(points.map(([, value]) => value)).amount;

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

/** Deviation of a sample; undefined of fewer than two values. */
export function deviation(values: readonly number[]): number | undefined {
  const middle = mean(values);
  if (middle === undefined || values.length < 2) return undefined;
  return Math.sqrt(sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1));
}

/** Correlation by Pearson; undefined of fewer than `least` pairs, and where one side never changes. */
export function correlation(pairs: readonly (readonly [a: number, b: number])[], least: number): number | undefined {
  if (pairs.length < least) return undefined;
  const [left, right] = [pairs.map(([a]) => a), pairs.map(([, b]) => b)];
  const [middleA, middleB] = [mean(left) ?? 0, mean(right) ?? 0];
  const together = sum(pairs.map(([a, b]) => (a - middleA) * (b - middleB)));
  const spread = Math.sqrt(sum(left.map((a) => (a - middleA) ** 2)) * sum(right.map((b) => (b - middleB) ** 2)));
  return spread === 0 ? undefined : together / spread;
}

/** Midnights in China that lie in [startMs, endMs), ms since 1970. */
export function midnightsIn(startMs: number, endMs: number): number[] {
  const first = Math.ceil((startMs + shanghaiMs) / dayMs) * dayMs - shanghaiMs;
  const found: number[] = [];
  for (let at = first; at < endMs; at += dayMs) found.push(at);
  return found;
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
