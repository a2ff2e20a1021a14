/** Roll-ups: aggregates of many values of one key. Booleans count as 1 and 0; texts and JSON have none (docs/decisions/0024). */
import {
  type PackedRow,
  putNumber,
  putVarint,
  readAll,
  rejectedPrefix,
  takeValue,
  takeVarint,
  valuesOf,
  written,
} from "./packing.ts";

export const hourMs = 3_600_000;
export const minuteMs = 60_000;
/** Asia/Shanghai is UTC+8 all year. */
const shanghaiHours = 8;

export interface RollUp {
  count: number;
  /** Times of the first and the last value, ms since the start of the bucket. */
  firstMs: number;
  lastMs: number;
  sum: number;
  min: number;
  max: number;
  last: number;
  /** Time integral from the first to the last value, each value held until the next: value times seconds. */
  held: number;
}

/** Longest time for which a value counts as held between two hours of a day; after a longer silence the value is unknown. */
const longestHoldMs = 2 * hourMs;

/** A row with its time, ms since 1970. */
export interface RawRow extends PackedRow {
  at: number;
}

/** Day in Asia/Shanghai, in days since 1970, of an hour since 1970. */
export const dayOfHour = (hour: number): number => Math.floor((hour + shanghaiHours) / 24);
/** The first hour of a day in Asia/Shanghai, in hours since 1970. */
export const firstHourOf = (day: number): number => day * 24 - shanghaiHours;

/** Values of unknown keys beyond this are no measurements; in sums they would hide all other values. */
const largestMeasured = 1e15;

/** Number of a value; undefined where it has none. */
const measured = (value: unknown): number | undefined => {
  if (typeof value === "boolean") return Number(value);
  return typeof value === "number" && Math.abs(value) < largestMeasured ? value : undefined;
};

const begin = (value: number, atMs: number): RollUp => ({
  count: 1,
  firstMs: atMs,
  lastMs: atMs,
  sum: value,
  min: value,
  max: value,
  last: value,
  held: 0,
});

/** Adds a value that is not older than the last one. */
function add(to: RollUp, value: number, atMs: number): void {
  to.held += (to.last * (atMs - to.lastMs)) / 1000;
  to.count += 1;
  to.sum += value;
  if (value < to.min) to.min = value;
  if (value > to.max) to.max = value;
  to.last = value;
  to.lastMs = atMs;
}

/** Buckets by number since 1970, by key. */
export type RollUps = Map<string, Map<number, RollUp>>;

const bucketsOf = (of: RollUps, key: string): Map<number, RollUp> => {
  let held = of.get(key);
  if (held === undefined) {
    held = new Map();
    of.set(key, held);
  }
  return held;
};

/**
 * Calls `take` with the keys of a row's rejected readings, as stored; keys with an accepted reading of the same time, even a
 * later one, are skipped.
 */
export function rejectedOf(row: PackedRow, keys: readonly string[], take: (storedKey: string) => void): void {
  const accepted = new Set<string>();
  const rejected: string[] = [];
  valuesOf(
    row,
    keys,
    (key) => accepted.add(key),
    (key) => rejected.push(key),
  );
  for (const key of rejected) if (!accepted.has(key)) take(`${rejectedPrefix}${key}`);
}

/**
 * Rolls up rows of one device in the order of their times; the same rows give exactly the same results.
 * @param keys keys of the device in the order of their numbers
 * @param bucketMs sizes of buckets, each with its own result
 * @param only wanted keys; all of them where it is left out
 */
export function createRollUp(keys: readonly string[], bucketMs: readonly number[], only?: ReadonlySet<string>) {
  const bySize = bucketMs.map((size) => ({ size, rolled: new Map() as RollUps }));
  return {
    rolled: bySize.map(({ rolled }) => rolled),
    add(row: RawRow): void {
      const put = (key: string, number: number): void => {
        if (only !== undefined && !only.has(key)) return;
        for (const { size, rolled } of bySize) {
          const bucket = Math.floor(row.at / size);
          const atMs = row.at - bucket * size;
          const buckets = bucketsOf(rolled, key);
          const held = buckets.get(bucket);
          if (held === undefined) buckets.set(bucket, begin(number, atMs));
          else add(held, number, atMs);
        }
      };
      let hasRejected = false;
      valuesOf(
        row,
        keys,
        (key, value) => {
          const number = measured(value);
          if (number !== undefined) put(key, number);
        },
        () => {
          hasRejected = true;
        },
      );
      // Rejected readings are counted under their own key, which no reader of values uses.
      if (hasRejected) rejectedOf(row, keys, (key) => put(key, 1));
    },
  };
}

/**
 * Roll-up of a day from its hours.
 * @param hours ascending, by number since 1970
 */
export function rollUpDay(day: number, hours: Iterable<readonly [number, RollUp]>): RollUp | undefined {
  let whole: RollUp | undefined;
  for (const [hour, of] of hours) {
    const offsetMs = (hour - firstHourOf(day)) * hourMs;
    if (whole === undefined) {
      whole = { ...of, firstMs: of.firstMs + offsetMs, lastMs: of.lastMs + offsetMs };
      continue;
    }
    const pauseMs = of.firstMs + offsetMs - whole.lastMs;
    whole.held += (whole.last * Math.min(pauseMs, longestHoldMs)) / 1000 + of.held;
    whole.count += of.count;
    whole.sum += of.sum;
    whole.min = Math.min(whole.min, of.min);
    whole.max = Math.max(whole.max, of.max);
    whole.last = of.last;
    whole.lastMs = of.lastMs + offsetMs;
  }
  return whole;
}

/**
 * Packs the minutes of an hour. A minute has a head (its number in the hour * 16, 8 where it has several values, the format of
 * its last value), that value, and its time; with several values also their number, the time of the first, sum, min, max and
 * held.
 */
export function packMinutes(minutes: ReadonlyMap<number, RollUp>): Buffer {
  return written(() => {
    for (const [minute, { count, firstMs, lastMs, sum, min, max, last, held }] of minutes) {
      putNumber((((minute % 60) + 60) % 60) * 16 + (count > 1 ? 8 : 0), last);
      putVarint(lastMs);
      if (count === 1) continue;
      putVarint(count);
      putVarint(firstMs);
      for (const value of [sum, min, max, held]) putNumber(0, value);
    }
  });
}

/**
 * Minutes of an hour by number since 1970.
 * @param hour hour since 1970
 */
export function unpackMinutes(packed: Buffer, hour: number): Map<number, RollUp> {
  const minutes = new Map<number, RollUp>();
  const takeNumber = (): number => takeValue(packed, takeVarint(packed) & 7) as number;
  readAll(packed, (head) => {
    const last = takeValue(packed, head & 7) as number;
    const lastMs = takeVarint(packed);
    const minute = hour * 60 + (head >>> 4);
    if ((head & 8) === 0) {
      minutes.set(minute, begin(last, lastMs));
      return;
    }
    const count = takeVarint(packed);
    const firstMs = takeVarint(packed);
    const [sum, min, max, held] = [takeNumber(), takeNumber(), takeNumber(), takeNumber()];
    minutes.set(minute, { count, firstMs, lastMs, sum, min, max, last, held });
  });
  return minutes;
}
