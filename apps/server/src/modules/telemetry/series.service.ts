import type { Resolution } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { BucketPoint, HistoryRepository, HistoryRow, Reached, ReachedDevice } from "./history.repository.ts";
import { type HourRange, hoursWithin } from "./hour-ranges.ts";
import { rejectedPrefix, valuesOf } from "./packing.ts";
import type { Retention } from "./retention.service.ts";
import {
  createRollUp,
  dayOfHour,
  firstHourOf,
  hourMs,
  minuteMs,
  type RollUp,
  type RollUps,
  rejectedOf,
  rollUpDay,
  unpackMinutes,
} from "./roll-up.ts";

const dayMs = 24 * hourMs;

/** A resolution of stored values; `auto` chooses one of them. */
export type StoredResolution = Exclude<Resolution, "auto">;
/** From fine to coarse. */
const resolutions = ["raw", "minute", "hour", "day"] as const satisfies readonly StoredResolution[];

/** Longest range for each resolution, so that an answer has at most about 50,000 points. */
const longestRangeMs = { raw: 7 * dayMs, minute: 31 * dayMs, hour: 5 * 366 * dayMs, day: 100 * 366 * dayMs } as const;
/** Interval between two points; for raw values the usual report interval of devices. */
const spacingMs = { raw: minuteMs, minute: minuteMs, hour: hourMs, day: dayMs } as const;
/** Most points of an answer, and most raw values of one series. */
const answerPoints = 200_000;
const rawPoints = 100_000;
/** Raw rows in memory at a time. */
const rowsAtOnce = 20_000;

export interface SeriesOrder {
  ids: readonly string[];
  keys: readonly string[];
  /** ms since 1970; buckets that overlap [start, end) are returned whole. */
  start: number;
  end: number;
  resolution: Resolution;
}

/** `[ts, value]`, or for buckets `[start, min, mean, max]`. */
type SeriesPoint = [number, unknown] | BucketPoint;
export interface Series {
  id: string;
  key: string;
  points: SeriesPoint[];
  /** There are more raw values than an answer may contain. */
  truncated?: true;
  /** Intervals with rejected readings, and their number: `[from, to, readings]`. */
  rejected?: [number, number, number][];
  /** Days without buckets, because their remaining values are not reliable: `[from, to)`. */
  unreliable?: [number, number][];
}

/** The finest resolution that a screen can show: at most about 2,200 points of a device that reports every minute. */
function fittingResolution(rangeMs: number): StoredResolution {
  if (rangeMs <= 26 * hourMs) return "raw";
  if (rangeMs <= 1.5 * dayMs) return "minute";
  return rangeMs <= 90 * dayMs ? "hour" : "day";
}

/**
 * Resolution of an answer.
 * @throws {Refusal} when the requested one has too many points
 */
function resolutionOf(
  { ids, keys, start, end, resolution }: SeriesOrder,
  retention: Retention,
  now: number,
): StoredResolution {
  const rangeMs = end - start;
  const fits = (one: StoredResolution): boolean =>
    rangeMs <= longestRangeMs[one] && (rangeMs / spacingMs[one]) * ids.length * keys.length <= answerPoints;
  if (resolution !== "auto") {
    if (!fits(resolution)) throw refuse("history.range_too_long");
    return resolution;
  }
  const keptMs = { raw: retention.rawMs, minute: retention.minuteMs, hour: retention.hourMs, day: Infinity };
  const fitting = resolutions.indexOf(fittingResolution(rangeMs));
  const found = resolutions.find((one, at) => at >= fitting && fits(one) && start >= now - keptMs[one]);
  return found ?? "day";
}

const nameOf = (id: string, key: string): string => `${id} ${key}`;

/**
 * Checks that all devices are reached.
 * @throws {Refusal} 404 when one is not
 * @returns the devices in the requested order
 */
function allReached(ids: readonly string[], reached: Reached): Reached {
  return new Map(
    ids.map((id) => {
      const device = reached.get(id);
      if (device === undefined) throw refuse("device.not_found");
      return [id, device];
    }),
  );
}

/** Points of series: roll-ups, and points computed from raw rows, which replace them. */
class Points {
  private readonly rolled = new Map<string, BucketPoint[]>();
  private readonly made = new Map<string, Map<number, BucketPoint>>();

  /** @param points ascending */
  addRolled(id: string, key: string, points: readonly BucketPoint[]): void {
    const held = this.rolled.get(nameOf(id, key));
    if (held === undefined) this.rolled.set(nameOf(id, key), [...points]);
    else for (const point of points) held.push(point);
  }

  addMade(id: string, key: string, ts: number, { min, max, sum, count }: RollUp): void {
    const name = nameOf(id, key);
    const held = this.made.get(name) ?? new Map<number, BucketPoint>();
    this.made.set(name, held.set(ts, [ts, min, sum / count, key.startsWith(rejectedPrefix) ? count : max]));
  }

  /** Points in [from, to), ascending. */
  of(id: string, key: string, from: number, to: number): BucketPoint[] {
    const made = this.made.get(nameOf(id, key));
    const rolled = (this.rolled.get(nameOf(id, key)) ?? []).filter(([ts]) => ts >= from && ts < to && !made?.has(ts));
    if (made === undefined) return rolled;
    for (const point of made.values()) if (point[0] >= from && point[0] < to) rolled.push(point);
    return rolled.sort(([a], [b]) => a - b);
  }
}

export interface SeriesDependencies {
  history: HistoryRepository;
  retention: () => Retention;
  now: () => number;
}

/**
 * Values over time, raw or rolled up. The current hour, and hours with rows that are newer than their roll-up, are computed
 * from raw rows, so an answer includes the last commit.
 */
export function createSeries({ history, retention, now }: SeriesDependencies) {
  async function* rawPages(scope: TenantScope, id: string, fromMs: number, toMs: number): AsyncGenerator<HistoryRow[]> {
    for (let afterUs: number | undefined; ; ) {
      const page = await history.rawRows(scope, id, { fromMs, toMs, afterUs }, rowsAtOnce);
      yield page;
      if (page.length < rowsAtOnce) return;
      afterUs = page.at(-1)?.us;
    }
  }

  const raw = async (
    scope: TenantScope,
    { keys, start, end }: SeriesOrder,
    id: string,
    device: ReachedDevice,
  ): Promise<Series[]> => {
    const series = new Map(keys.map((key): [string, Series] => [key, { id, key, points: [] }]));
    /** An interval of rejected readings ends with the next accepted value. */
    const rejects = (key: string, at: number): void => {
      const of = series.get(key);
      if (of === undefined || of.truncated) return;
      of.rejected ??= [];
      const last = of.rejected.at(-1);
      if (last === undefined || (of.points.at(-1)?.[0] ?? 0) > last[1]) of.rejected.push([at, at, 1]);
      else {
        last[1] = at;
        last[2] += 1;
      }
    };
    for await (const page of rawPages(scope, id, start, end)) {
      for (const row of page) {
        let hasRejected = false;
        valuesOf(
          row,
          device.keys,
          (key, value) => {
            const of = series.get(key);
            if (of === undefined) return;
            if (of.points.length < rawPoints) of.points.push([row.at, value]);
            else of.truncated = true;
          },
          () => {
            hasRejected = true;
          },
        );
        if (hasRejected) rejectedOf(row, device.keys, (key) => rejects(key.slice(rejectedPrefix.length), row.at));
      }
      if ([...series.values()].every(({ points }) => points.length >= rawPoints)) break;
    }
    return [...series.values()];
  };

  /** Roll-ups of a device's hours that have none yet, computed from raw rows. */
  const fresh = async (
    scope: TenantScope,
    keys: readonly string[],
    id: string,
    device: ReachedDevice,
    hours: readonly HourRange[],
    bucketMs: number,
  ): Promise<RollUps> => {
    const rollUp = createRollUp(device.keys, [bucketMs], new Set(keys));
    for (const [from, to] of hours) {
      for await (const page of rawPages(scope, id, from * hourMs, to * hourMs)) for (const row of page) rollUp.add(row);
    }
    return rollUp.rolled[0] ?? new Map();
  };

  const unrolledIn = (device: ReachedDevice | undefined, range: HourRange) =>
    hoursWithin(device?.unrolled ?? [], range);

  const byHourOrMinute = async (
    scope: TenantScope,
    { ids, keys, start, end }: SeriesOrder,
    bucketMs: number,
  ): Promise<Points> => {
    const range: HourRange = [Math.floor(start / hourMs), Math.ceil(end / hourMs)];
    const points = new Points();
    const rolled = async (): Promise<Reached> => {
      if (bucketMs === hourMs) {
        const { reached, series } = await history.hourPoints(scope, ids, keys, range);
        for (const of of series) points.addRolled(of.deviceId, of.key, of.points);
        return reached;
      }
      const { reached, minutes } = await history.minutes(scope, ids, keys, range);
      for (const { deviceId, key, hour, minutes: packed } of minutes) {
        const ofHour = [...unpackMinutes(packed, hour)].map(
          ([minute, { min, max, sum, count }]): BucketPoint => [
            minute * minuteMs,
            min,
            sum / count,
            key.startsWith(rejectedPrefix) ? count : max,
          ],
        );
        points.addRolled(deviceId, key, ofHour);
      }
      return reached;
    };
    const reached = allReached(ids, await rolled());
    const unrolled = [...reached].map(async ([id, device]) => {
      const hours = unrolledIn(device, range);
      if (hours.length === 0) return;
      for (const [key, buckets] of await fresh(scope, keys, id, device, hours, bucketMs)) {
        for (const [bucket, of] of buckets) points.addMade(id, key, bucket * bucketMs, of);
      }
    });
    await Promise.all(unrolled);
    return points;
  };

  /** Days with missing hours are composed of their hours, as the job does it. */
  const freshDays = async (
    scope: TenantScope,
    keys: readonly string[],
    id: string,
    device: ReachedDevice,
    hours: readonly HourRange[],
    put: (key: string, day: number, of: RollUp) => void,
  ): Promise<void> => {
    const days = [...new Set(hours.flatMap(([from, to]) => [dayOfHour(from), dayOfHour(to - 1)]))];
    const [low, high] = [Math.min(...days), Math.max(...days)];
    const span: HourRange = [firstHourOf(low), firstHourOf(high + 1)];
    const [held, made] = await Promise.all([
      history.hours(scope, id, keys, span),
      fresh(scope, keys, id, device, hoursWithin(device.unrolled, span), hourMs),
    ]);
    const heldByKey = Map.groupBy(held, ({ key }) => key);
    for (const key of keys) {
      const ofHours = [
        ...new Map([
          ...(heldByKey.get(key) ?? []).map(({ hour, ...of }): [number, RollUp] => [hour, of]),
          ...(made.get(key) ?? []),
        ]),
      ].sort(([a], [b]) => a - b);
      for (const [day, of] of Map.groupBy(ofHours, ([hour]) => dayOfHour(hour))) {
        const whole = rollUpDay(day, of);
        if (whole !== undefined) put(key, day, whole);
      }
    }
  };

  const byDay = async (scope: TenantScope, { ids, keys, start, end }: SeriesOrder): Promise<Points> => {
    const from = dayOfHour(Math.floor(start / hourMs));
    const to = dayOfHour(Math.ceil(end / hourMs) - 1) + 1;
    const range: HourRange = [firstHourOf(from), firstHourOf(to)];
    const points = new Points();
    const startOf = (day: number) => firstHourOf(day) * hourMs;
    const { reached, series } = await history.dayPoints(scope, ids, keys, from, to);
    allReached(ids, reached);
    for (const of of series) points.addRolled(of.deviceId, of.key, of.points);
    await Promise.all(
      [...reached].map(async ([id, device]) => {
        const hours = unrolledIn(device, range);
        if (hours.length === 0) return;
        await freshDays(scope, keys, id, device, hours, (key, day, of) => points.addMade(id, key, startOf(day), of));
      }),
    );
    return points;
  };

  return {
    /**
     * Series of keys of devices.
     * @throws {Refusal} 404 when the scope does not reach one of the devices; 400 for a range that is empty or has too many
     * points
     */
    async read(scope: TenantScope, order: SeriesOrder): Promise<{ resolution: StoredResolution; series: Series[] }> {
      const { ids, keys, start, end } = order;
      let resolution: StoredResolution;
      try {
        if (end <= start) throw refuse("history.empty_range");
        resolution = resolutionOf(order, retention(), now());
      } catch (error) {
        // Checked first, so that nothing is revealed about devices outside the scope.
        allReached(ids, await history.reached(scope, ids));
        throw error;
      }
      if (resolution === "raw") {
        const reached = allReached(ids, await history.reached(scope, ids));
        const lists = await Promise.all([...reached].map(([id, device]) => raw(scope, order, id, device)));
        return { resolution, series: lists.flat() };
      }
      const both = { ...order, keys: keys.flatMap((key) => [key, `${rejectedPrefix}${key}`]) };
      const points =
        resolution === "day" ? await byDay(scope, both) : await byHourOrMinute(scope, both, spacingMs[resolution]);
      const unreliable = await history.unreliableDays(
        scope,
        ids,
        keys,
        dayOfHour(Math.floor(start / hourMs)),
        dayOfHour(Math.ceil(end / hourMs) - 1) + 1,
      );
      const unreliableOf = Map.groupBy(unreliable, ({ deviceId, key }) => nameOf(deviceId, key));
      // Buckets that overlap the range are returned whole.
      const first =
        resolution === "day"
          ? firstHourOf(dayOfHour(Math.floor(start / hourMs))) * hourMs
          : Math.floor(start / spacingMs[resolution]) * spacingMs[resolution];
      const bucketMs = spacingMs[resolution];
      const seriesOf = (id: string, key: string): Series => {
        const days = new Set(unreliableOf.get(nameOf(id, key))?.map(({ day }) => day));
        const rejected = points
          .of(id, `${rejectedPrefix}${key}`, first, end)
          .map(([ts, , , readings]): [number, number, number] => [ts, ts + bucketMs, readings]);
        const all = points.of(id, key, first, end);
        return {
          id,
          key,
          points: days.size === 0 ? all : all.filter(([ts]) => !days.has(dayOfHour(Math.floor(ts / hourMs)))),
          ...(rejected.length > 0 && { rejected }),
          ...(days.size > 0 && {
            unreliable: [...days].map((day): [number, number] => [
              firstHourOf(day) * hourMs,
              firstHourOf(day + 1) * hourMs,
            ]),
          }),
        };
      };
      const series = ids.flatMap((id) => keys.map((key) => seriesOf(id, key)));
      return { resolution, series };
    },
  };
}
export type SeriesService = ReturnType<typeof createSeries>;
