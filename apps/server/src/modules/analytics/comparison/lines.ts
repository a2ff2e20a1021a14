import { type ComparisonAnswer, comparedLimits } from "@herdwise/contract";
import { shanghaiMs } from "@herdwise/contract/shanghai";
import { consumptionOf } from "@herdwise/device-kinds/counters";
import { dayMs, hourMs, mean } from "../formulas/formula.ts";
import { type Difference, holm, leastDays, mannWhitney, pairedT, significance, welchT } from "./statistics.ts";

/** A value on the shared axis. */
export type Point = readonly [ms: number, value: number];
/** A value of each whole day of the axis, ascending. */
export type DayValues = readonly (readonly [day: number, value: number])[];

/** A day of which fewer hours are known says nothing. */
const leastHours = 16;
/** So long a value that did not change need not be told again while the device reports, ms; as for coughs. */
const longestHold = 8 * hourMs;
/** Of a place's devices so many must tell a value, so that it does not jump where one falls silent. */
const leastShare = 0.5;

/**
 * What a counter grew by in each bucket, in its unit a day: from the highest of one bucket to that of the next; the day of a new
 * meter is left out.
 * @param highest of each bucket, ascending in time
 */
export function growthPerDay(highest: readonly Point[]): Point[] {
  return highest.flatMap(([ms, value], at): Point[] => {
    const before = highest[at - 1];
    if (before === undefined || ms <= before[0]) return [];
    const { amount } = consumptionOf([before[1], value]);
    // Of the day on which a meter was exchanged nobody knows.
    if (value < before[1] && amount === 0) return [];
    return [[ms, amount / ((ms - before[0]) / dayMs)]];
  });
}

/**
 * What a device tells by the hour, held over hours in which it reported and this value did not change: only changes are sent.
 * @param heard hours in which anything was told
 */
export function heldOver(points: readonly Point[], heard: ReadonlySet<number>): Point[] {
  return points.flatMap((point, at): Point[] => {
    const until = Math.min(points[at + 1]?.[0] ?? Number.POSITIVE_INFINITY, point[0] + longestHold + hourMs);
    const held: Point[] = [point];
    for (let ms = point[0] + hourMs; ms < until && held.length <= longestHold / hourMs; ms += hourMs)
      if (heard.has(ms)) held.push([ms, point[1]]);
    return held;
  });
}

/** Means of several devices at each moment at which at least half of those that tell anything in the span tell a value. */
export function together(devices: readonly (readonly Point[])[]): Point[] {
  const telling = devices.filter((points) => points.length > 0);
  const [only] = telling;
  if (telling.length <= 1) return [...(only ?? [])];
  const sums = new Map<number, { sum: number; count: number }>();
  for (const points of telling)
    for (const [ms, value] of points) {
      const held = sums.get(ms) ?? { sum: 0, count: 0 };
      held.sum += value;
      held.count += 1;
      sums.set(ms, held);
    }
  return [...sums]
    .filter(([, { count }]) => count >= telling.length * leastShare)
    .map(([ms, { sum, count }]): Point => [ms, sum / count])
    .sort(([a], [b]) => a - b);
}

/** When days begin on each axis, ms after a multiple of a day: midnight in Asia/Shanghai on that of moments, 0 on that of ages. */
const dayBegins = { time: -shanghaiMs, age: 0 } as const;
type Axis = keyof typeof dayBegins;

const dayOf = (ms: number, axis: Axis): number => Math.floor((ms - dayBegins[axis]) / dayMs);

/** Means of days of which at least 16 hours are known; of values by the day, all of them. */
export function dayValues(points: readonly Point[], axis: Axis, resolution: "hour" | "day"): DayValues {
  const days = Map.groupBy(points, ([ms]) => dayOf(ms, axis));
  return [...days]
    .filter(([, held]) => resolution === "day" || held.length >= leastHours)
    .map(([day, held]) => [day, mean(held.map(([, value]) => value)) ?? 0] as const)
    .sort(([a], [b]) => a - b);
}

/** What is to be tested, before the correction for several of them. */
export interface Pair {
  key: string;
  first: number;
  other: number;
  a: DayValues;
  b: DayValues;
  /** Days of both sides are the same of the calendar. */
  shared: boolean;
  /** Skewed counts, which no t-test is for. */
  counted: boolean;
}

const meanOf = (days: DayValues): number => mean(days.map(([, value]) => value)) ?? 0;

function tested({ a, b, shared, counted }: Pair): { difference: Difference; means: [number, number] } {
  if (counted) return { difference: mannWhitney(a, b), means: [meanOf(a), meanOf(b)] };
  if (!shared) return { difference: welchT(a, b), means: [meanOf(a), meanOf(b)] };
  const held = new Map(a);
  const both = b.filter(([day]) => held.has(day));
  const firsts = both.map(([day]) => [day, held.get(day) ?? 0] as const);
  const apart = both.map(([day, value]) => [day, value - (held.get(day) ?? 0)] as const);
  return { difference: pairedT(apart), means: [meanOf(firsts), meanOf(both)] };
}

/** How many days of either side a test would have. */
function daysOf({ a, b, shared, counted }: Pair): [number, number] {
  if (counted || !shared) return [a.length, b.length];
  const held = new Set(a.map(([day]) => day));
  const count = b.filter(([day]) => held.has(day)).length;
  return [count, count];
}

/** The answers of pairs, corrected by Holm for all of them that have enough days. */
export function answersOf(pairs: readonly Pair[]): ComparisonAnswer[] {
  const enough = pairs.filter((pair) => Math.min(...daysOf(pair)) >= leastDays);
  const results = enough.map(tested);
  const corrected = holm(results.map(({ difference }) => difference.p));
  return pairs.map((pair): ComparisonAnswer => {
    const { key, first, other, counted, shared } = pair;
    const at = enough.indexOf(pair);
    const result = results[at];
    if (result === undefined) {
      const test = counted ? "mann-whitney" : shared ? "paired-t" : "welch-t";
      return { key, first, other, verdict: "too-few", test, days: daysOf(pair) };
    }
    const { test, days, size, low, high } = result.difference;
    const p = Math.min(1, Math.max(0, corrected[at] ?? 1));
    const verdict = p < significance ? "different" : "noise";
    return { key, first, other, verdict, test, days: [...days], means: result.means, size, low, high, p };
  });
}

/** Mean of what the other line is above the first, by hour of the day in Asia/Shanghai, over hours that both know. */
export function sizeByHour(first: readonly Point[], other: readonly Point[]): [hour: number, size: number][] {
  const held = new Map(first);
  const apart = other.flatMap(([ms, value]): [number, number][] => {
    const before = held.get(ms);
    return before === undefined ? [] : [[Math.floor((ms + shanghaiMs) / hourMs) % 24, value - before]];
  });
  const hours = Map.groupBy(apart, ([hour]) => hour);
  return [...hours]
    .map(([hour, of]): [number, number] => [hour, mean(of.map(([, size]) => size)) ?? 0])
    .sort(([a], [b]) => a - b);
}

/** The words of a list in an address, each once. @param most further ones are left out */
export const listed = (text: string, most: number = comparedLimits.places): string[] =>
  [...new Set(text.split(",").filter((one) => one !== ""))].slice(0, most);
