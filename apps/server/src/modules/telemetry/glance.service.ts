import type { DeviceGlance, deviceGlance, QueryOf } from "@herdwise/contract";
import { plainNumber } from "@herdwise/contract/plain-number";
import { shanghaiClock } from "@herdwise/contract/shanghai";
import {
  type Channel,
  type DeviceKind,
  deviceKinds,
  type Interval,
  type JudgedDevice,
  type LocalText,
  localUnit,
  ofFarm,
  rangeWords,
  shadedOf,
  trendChannelOf,
} from "@herdwise/device-kinds";
import { refuse } from "../../http/errors.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { DeviceService } from "../devices/index.ts";
import type { FarmService } from "../farms/index.ts";
import { judgeableOf, judgedDevices } from "./judged-now.ts";
import type { SeriesService } from "./series.service.ts";

const dayMs = 86_400_000;
/** A curve as wide as a phone needs no more points than this gives: 240. */
const bucketMs = 6 * 60_000;

const same = (word: string): LocalText => ({ zh: word, en: word });
const yes: LocalText = { zh: "是", en: "Yes" };
const no: LocalText = { zh: "否", en: "No" };

/** A figure as the pages of its kind write it. */
function figureOf(kind: DeviceKind, judged: JudgedDevice, key: string): DeviceGlance["figures"][number] {
  const of = [...kind.channels, ...kind.derived].find((one) => one.key === key);
  const verdict = judged.verdictOf(key);
  const { value, standing, state, reason, range } = verdict;
  const word = of && "words" in of ? of.words?.find((candidate) => candidate.value === value)?.name : undefined;
  const decimals = of?.decimals ?? 0;
  const text =
    typeof value === "number"
      ? same(plainNumber(value, decimals))
      : typeof value === "boolean"
        ? value
          ? yes
          : no
        : (word ?? same("--"));
  return {
    key,
    name: of?.name ?? same(key),
    unit: localUnit(of?.unit ?? "", typeof value === "number" ? value : undefined),
    value: text,
    standing,
    state,
    reason,
    range: rangeWords(range, decimals),
  };
}

/** Points of a curve, one for each bucket: its mean, or of a value that is switched its last. */
function thinned(points: readonly (readonly unknown[])[], column: number, isStep: boolean): [number, number][] {
  const buckets = new Map<number, { sum: number; count: number; atMs: number; last: number }>();
  for (const point of points) {
    const [atMs, value] = [point[0], point[column]];
    if (typeof atMs !== "number" || typeof value !== "number") continue;
    const bucket = Math.floor(atMs / bucketMs);
    const { sum, count } = buckets.get(bucket) ?? { sum: 0, count: 0 };
    buckets.set(bucket, { sum: sum + value, count: count + 1, atMs, last: value });
  }
  return [...buckets.values()].map(({ sum, count, atMs, last }) => [atMs, isStep ? last : sum / count]);
}

interface Box {
  /** ms since 1970; the box reaches a day back. */
  endMs: number;
  /** Break of the line, ms. */
  pauseMs: number;
  isStep: boolean;
}

/**
 * A day of points as the path of an SVG in a box of 1000 by 100; the band keeps away from the scale, as only its near edge matters.
 * @param points ascending, at least one
 */
function drawn(points: readonly [number, number][], { endMs, pauseMs, isStep }: Box, band: Interval | undefined) {
  const values = points.map(([, value]) => value);
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const free = 0.2 * Math.max(highest - lowest, Math.abs(highest) * 0.06, 1e-6);
  const tenth = (place: number): number => Math.round(place * 10) / 10;
  const y = (value: number): number =>
    tenth(Math.min(100, Math.max(0, 100 * (1 - (value - lowest + free) / (highest - lowest + 2 * free)))));
  const x = (atMs: number): number => tenth((1000 * (atMs - endMs + dayMs)) / dayMs);
  let before: number | undefined;
  const path = points.map(([atMs, value]) => {
    const goesOn = before !== undefined && atMs - before <= pauseMs;
    before = atMs;
    if (!goesOn) return `M${x(atMs)} ${y(value)}`;
    return isStep ? `H${x(atMs)}V${y(value)}` : `L${x(atMs)} ${y(value)}`;
  });
  const shaded = band && ([y(band[1]), y(band[0])] as [number, number]);
  return { lowest, highest, path: path.join(""), ...(shaded && shaded[1] > shaded[0] && { band: shaded }) };
}

export interface GlanceDependencies {
  read: SeriesService["read"];
  devices: Pick<DeviceService, "placedOfKind" | "detail">;
  farms: Pick<FarmService, "units">;
  now: () => number;
}

/**
 * What the page of a unit or a device shows first, judged by the functions of its pages.
 * @throws {Refusal} 404 where the scope does not reach it
 */
export const createGlance =
  ({ read, devices, farms, now }: GlanceDependencies) =>
  async (scope: TenantScope, query: QueryOf<typeof deviceGlance>): Promise<DeviceGlance> => {
    const nowMs = now();
    const declared = deviceKinds[query.kind];
    const { unitId, id } = query;
    if (unitId === undefined && id === undefined) throw refuse("device.not_found");
    const placed = await devices.placedOfKind(scope, query.kind, unitId === undefined ? { deviceId: id } : { unitId });
    const placeId = unitId ?? placed[0]?.unitId;
    const [details, [unit]] = await Promise.all([
      Promise.all(placed.map(({ deviceId }) => devices.detail(scope, deviceId))),
      placeId ? farms.units(scope, { unitId: placeId }) : [],
    ]);
    if (unitId !== undefined && unit === undefined) throw refuse("unit.not_found");
    if (placed.length === 0 && unitId === undefined) await devices.detail(scope, id ?? "");
    const rows = placed.map(({ reportedAt, ...device }, at) => ({
      ...device,
      reportedAtMs: reportedAt?.getTime() ?? null,
      rejected: (details[at]?.rejected ?? []).map((one) => ({ ...one, lastAt: shanghaiClock(one.lastAt.getTime()) })),
    }));
    const [worst] = judgedDevices(query.kind, unit ? judgeableOf(unit) : ofFarm, rows, nowMs);
    const names = { houseName: unit?.houseName ?? "", unitName: unit?.name ?? "" };
    if (worst === undefined) return { deviceId: "", deviceName: "", ...names, state: "bare", figures: [] };
    const { deviceId, deviceName } = worst.device;
    const channel = trendChannelOf(declared, worst);
    const isStep = channel?.step === true;
    const { resolution, series } =
      channel === undefined
        ? { resolution: "raw", series: [] }
        : await read(scope, {
            ids: [deviceId],
            keys: [channel.key],
            start: nowMs - dayMs,
            end: nowMs,
            resolution: "auto",
          });
    const points = thinned(series[0]?.points ?? [], resolution === "raw" ? 1 : isStep ? 3 : 2, isStep);
    return {
      deviceId,
      deviceName,
      ...names,
      state: worst.state,
      figures: (declared.pages?.figures ?? []).map((key) => figureOf(declared, worst, key)),
      ...(channel && points.length > 0 && { trend: trendOf(channel, points) }),
    };

    function trendOf(
      { key, name, unit: of, decimals }: Channel,
      line: typeof points,
    ): NonNullable<DeviceGlance["trend"]> {
      const band = shadedOf(worst?.verdictOf(key).range ?? {});
      const pauseMs = Math.max(declared.offlineAfterS * 1000, 2 * bucketMs);
      const { lowest, highest, ...curve } = drawn(line, { endMs: nowMs, pauseMs, isStep }, band);
      const span = [...new Set([plainNumber(lowest, decimals), plainNumber(highest, decimals)])].join("–");
      return { key, name, unit: localUnit(of), span, ...curve };
    }
  };
export type Glance = ReturnType<typeof createGlance>;
