/** History of a device for the detectors: values by hour, the newest single values, and events, as plain data. */
import type { RejectedReading } from "./acceptance.ts";
import { consumptionOf } from "./counters.ts";
import type { ReportedValue } from "./device-kind.ts";

const hourMs = 3_600_000;

/** The values of one key in one hour. */
export type HourOfValues = {
  readonly startMs: number;
  count: number;
  sum: number;
  min: number;
  max: number;
  firstAtMs: number;
  first: number;
  lastAtMs: number;
  last: number;
};

export type KeptEvent = {
  readonly atMs: number;
  readonly fields: Readonly<Record<string, unknown>>;
};

/** The newest value of a key; it is overwritten with every message. */
type NewestValue = { atMs: number; value: ReportedValue };

/** A value with its time. */
type Sample = readonly [atMs: number, value: number];

/** The newest rejected reading of a key. */
type RejectedValue = RejectedReading & { readonly atMs: number };

/** The newest reading of a key, where it was rejected. */
export function rejectedNow({ rejects, values }: History, key: string): RejectedValue | undefined {
  const rejected = Object.hasOwn(rejects, key) ? rejects[key] : undefined;
  const accepted = values[key];
  return rejected !== undefined && accepted !== undefined && accepted.atMs >= rejected.atMs ? undefined : rejected;
}

/** History of a device; it can be stored as JSON and resumed. */
export type History = {
  /** Newest value per key. */
  readonly values: Record<string, NewestValue>;
  readonly rejects: Record<string, RejectedValue>;
  readonly hours: Record<string, HourOfValues[]>;
  readonly samples: Record<string, Sample[]>;
  readonly events: Record<string, KeptEvent[]>;
};

export const emptyHistory = (): History => ({ values: {}, rejects: {}, hours: {}, samples: {}, events: {} });

/** Start of the hour that contains a time, ms since 1970. */
export const floorHour = (atMs: number): number => Math.floor(atMs / hourMs) * hourMs;

/** Inserts an entry into a list that is in the order of time. */
function insert<Entry>(list: Entry[], entry: Entry, timeOf: (entry: Entry) => number): void {
  let at = list.length;
  while (at > 0 && timeOf(list[at - 1] as Entry) > timeOf(entry)) at -= 1;
  list.splice(at, 0, entry);
}

/**
 * Every hour is made here with the same property order, which takes a third of the memory; a server holds hundreds of
 * thousands.
 */
const hourOf = (
  startMs: number,
  count: number,
  sum: number,
  min: number,
  max: number,
  firstAtMs: number,
  first: number,
  lastAtMs: number,
  last: number,
): HourOfValues => ({ startMs, count, sum, min, max, firstAtMs, first, lastAtMs, last });

/** A copy of a stored history; histories of earlier versions have no rejected readings. */
export const takenUp = (kept: History): History => ({
  ...structuredClone(kept),
  rejects: structuredClone(kept.rejects ?? {}),
  hours: Object.fromEntries(
    Object.entries(kept.hours).map(([key, hours]) => [
      key,
      hours.map((hour) =>
        hourOf(
          hour.startMs,
          hour.count,
          hour.sum,
          hour.min,
          hour.max,
          hour.firstAtMs,
          hour.first,
          hour.lastAtMs,
          hour.last,
        ),
      ),
    ]),
  ),
});

/** Takes a number into the hours of its key. */
export function addToHours(history: History, key: string, atMs: number, value: number): void {
  history.hours[key] ??= [];
  const hours = history.hours[key];
  const startMs = floorHour(atMs);
  // A current value belongs to the last hour, so that is checked first.
  const last = hours.at(-1);
  const hour = last?.startMs === startMs ? last : hours.find((candidate) => candidate.startMs === startMs);
  if (hour === undefined) {
    const made = hourOf(startMs, 1, value, value, value, atMs, value, atMs, value);
    insert(hours, made, (entry) => entry.startMs);
    return;
  }
  hour.count += 1;
  hour.sum += value;
  hour.min = Math.min(hour.min, value);
  hour.max = Math.max(hour.max, value);
  if (atMs < hour.firstAtMs) {
    hour.firstAtMs = atMs;
    hour.first = value;
  }
  if (atMs >= hour.lastAtMs) {
    hour.lastAtMs = atMs;
    hour.last = value;
  }
}

/** Keeps a single sample for short windows. */
export function addSample(history: History, key: string, atMs: number, value: number, keptMs: number): void {
  history.samples[key] ??= [];
  const samples = history.samples[key];
  if ((samples.at(-1)?.[0] ?? atMs) <= atMs) samples.push([atMs, value]);
  else insert<Sample>(samples, [atMs, value], ([at]) => at);
  // One sample before the window is kept, because it is the value at the begin of the window.
  const from = (samples.at(-1)?.[0] ?? atMs) - keptMs;
  while ((samples[1]?.[0] ?? Number.POSITIVE_INFINITY) <= from) samples.shift();
}

/** Index of the first sample later than a moment; the length of the list when there is none. */
export function firstAfter(samples: readonly Sample[], atMs: number): number {
  let [low, high] = [0, samples.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((samples[middle] as Sample)[0] <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adds an event in the order of time; of more than `most` events of a type the oldest are dropped. */
export function addEvent(history: History, type: string, event: KeptEvent, most: number): void {
  history.events[type] ??= [];
  const events = history.events[type];
  insert(events, event, ({ atMs }) => atMs);
  if (events.length > most) events.splice(0, events.length - most);
}

/** Removes hours of a key that no window reaches any more, except the newest of them, which has a counter's base value. */
export function dropHoursBefore(history: History, key: string, beforeMs: number): void {
  const hours = history.hours[key];
  if (hours === undefined) return;
  const first = placeOf(hours, beforeMs) - 1;
  if (first > 0) hours.splice(0, first);
}

/** Index of the first hour that begins at or after a time. */
function placeOf(hours: readonly HourOfValues[], atMs: number): number {
  let [low, high] = [0, hours.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hours[middle] as HourOfValues).startMs < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The hours of a key in [from, to). */
export function hoursIn(history: History, key: string, fromMs: number, toMs: number): HourOfValues[] {
  const hours = history.hours[key] ?? [];
  return hours.slice(placeOf(hours, fromMs), placeOf(hours, toMs));
}

/** The last hour of a key that began before a time. */
export function hourBefore(history: History, key: string, atMs: number): HourOfValues | undefined {
  const hours = history.hours[key] ?? [];
  return hours[placeOf(hours, atMs) - 1];
}

/** Growth of a counter in [from, to), measured from its value before; undefined without two values. */
export function growthIn(history: History, key: string, fromMs: number, toMs: number): number | undefined {
  const inside = hoursIn(history, key, fromMs, toMs);
  const before = hourBefore(history, key, fromMs);
  const steps = [...(before ? [before.last] : []), ...inside.flatMap(({ first, last }) => [first, last])];
  return steps.length < 2 || inside.length === 0 ? undefined : consumptionOf(steps).amount;
}

/** The mean of a value in [from, to); undefined where less than half of the hours have one. */
export function meanIn(history: History, key: string, fromMs: number, toMs: number): number | undefined {
  const inside = hoursIn(history, key, fromMs, toMs);
  if (inside.length * 2 * hourMs < toMs - fromMs) return undefined;
  return inside.reduce((sum, hour) => sum + hour.sum, 0) / inside.reduce((sum, hour) => sum + hour.count, 0);
}

/** Arithmetic mean; NaN for an empty list. */
export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Median; NaN for an empty list. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Population standard deviation (divided by n); NaN for an empty list. */
export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
}
