import {
  type ComparedPlace,
  type ComparisonReply,
  comparedLimits,
  type comparisonDetail,
  deathsMeasure,
  type QueryOf,
} from "@herdwise/contract";
import { shanghaiDay, shanghaiMidnight } from "@herdwise/contract/shanghai";
import { type Channel, deviceKinds } from "@herdwise/device-kinds";
import { createGate } from "../../../gate.ts";
import { refuse } from "../../../http/errors.ts";
import type { TenantScope } from "../../../tenant-scope.ts";
import type { FarmService } from "../../farms/index.ts";
import type { AnalyticsDependencies } from "../analytics.service.ts";
import { dayMs, hourMs, mean, minuteMs } from "../formulas/formula.ts";
import type { HerdDayRepository } from "./herd-day.repository.ts";
import {
  answersOf,
  dayValues,
  growthPerDay,
  heldOver,
  listed,
  type Pair,
  type Point,
  sizeByHour,
  together,
} from "./lines.ts";

/** Comparisons that are worked on at a time on this server. */
const atATime = 2;
/** Points that one question for series may have (telemetry/series.service.ts), and its devices and series. */
const seriesPoints = 200_000;
const seriesDevices = 50;
const seriesCount = 200;
/** Up to so many days a point is an hour, beyond it a day. */
const mostDaysByHour = 30;
const ordinaryDays = 30;
/** A value of every kind that is in each report, whatever else changed. */
const heartbeat = "rssi";
/** Of a place with more devices the kind's other figures are not read, too. */
const mostForOthers = 40;

type Query = QueryOf<typeof comparisonDetail>;
type Unit = Awaited<ReturnType<FarmService["places"]>>["units"][number];

/** A place with the devices and units whose values it has. */
interface Place extends Omit<ComparedPlace, "isEarlier" | "series"> {
  deviceIds: readonly string[];
  unitIds: readonly string[];
}

/** Values of a place by key: as they are drawn, and as days are told by. */
interface Line extends ComparedPlace {
  measured: ReadonlyMap<string, readonly Point[]>;
}

const isSwitched = ({ type, step }: Channel): boolean => type === "boolean" || step === true;
/** Counts of single happenings, which few days have many of. */
const countUnits: readonly string[] = ["次"];

export interface ComparisonDependencies {
  herd: HerdDayRepository;
  telemetry: AnalyticsDependencies["telemetry"];
  devices: Pick<AnalyticsDependencies["devices"], "placedOfKind">;
  farms: AnalyticsDependencies["farms"];
  now: () => number;
}

/** Farms, houses and devices of a kind beside each other, with what is to be said of their difference. */
export function createComparisonService({ herd, telemetry, devices, farms, now }: ComparisonDependencies) {
  const inTurn = createGate(atATime);

  /** @throws {Refusal} 404 for a place that the scope does not reach */
  const placesOf = async (scope: TenantScope, kind: Query["kind"], ids: readonly string[]): Promise<Place[]> => {
    const [{ farms: allFarms, units }, placed] = await Promise.all([
      farms.places(scope),
      devices.placedOfKind(scope, kind),
    ]);
    const ageOf = (of: readonly Unit[]): Pick<Place, "ageDays"> => {
      const age = mean(of.flatMap(({ ageDays }) => ageDays ?? []));
      return age === undefined ? {} : { ageDays: Math.round(age) };
    };
    const empty = { farmName: "", houseName: "", unitName: "", deviceName: "" };
    const wide = (
      of: string,
      level: "farm" | "house",
      names: Partial<typeof empty>,
      its: readonly Unit[],
      own: typeof placed,
    ) => {
      const deviceIds = own.slice(0, comparedLimits.devices).map(({ deviceId }) => deviceId);
      return {
        ...{ of, level, ...empty, ...names, ...ageOf(its), deviceIds, unitIds: its.map(({ id }) => id) },
        devices: deviceIds.length,
        omitted: own.length - deviceIds.length,
      };
    };
    return ids.map((of): Place => {
      const id = of.replace(/^[fh]/, "");
      if (of.startsWith("f")) {
        const farm = allFarms.find((one) => one.id === id);
        if (farm === undefined) throw refuse("farm.not_found");
        const its = units.filter(({ farmId }) => farmId === id);
        return wide(
          of,
          "farm",
          { farmName: farm.name },
          its,
          placed.filter(({ farmId }) => farmId === id),
        );
      }
      if (of.startsWith("h")) {
        const its = units.filter(({ houseId }) => houseId === id);
        const [first] = its;
        if (first === undefined) throw refuse("farm.not_found");
        const { farmName, houseName } = first;
        return wide(
          of,
          "house",
          { farmName, houseName },
          its,
          placed.filter(({ houseId }) => houseId === id),
        );
      }
      const device = placed.find(({ deviceId }) => deviceId === id);
      if (device === undefined) throw refuse("device.not_found");
      const unit = units.find((one) => one.id === device.unitId);
      const farm = allFarms.find((one) => one.id === device.farmId);
      const names = {
        farmName: farm?.name ?? "",
        houseName: unit?.houseName ?? "",
        unitName: unit?.name ?? "",
        deviceName: device.deviceName,
      };
      const its = unit === undefined ? [] : [unit];
      return {
        of,
        level: "device",
        ...names,
        ...ageOf(its),
        devices: 1,
        omitted: 0,
        deviceIds: [id],
        unitIds: its.map((one) => one.id),
      };
    });
  };

  /** Deaths of each whole day of 1,000 heads that stood there in the morning, and of the running one. */
  const deathsOf = async (
    scope: TenantScope,
    unitIds: readonly string[],
    start: number,
    end: number,
  ): Promise<Point[]> => {
    const from = shanghaiMidnight(shanghaiDay(start));
    const { heads: stood, days } = await herd.days(scope, unitIds, { fromMs: from, toMs: end });
    const changes = new Map(days.map((day) => [day.dayMs, day]));
    const found: Point[] = [];
    let heads = stood;
    for (let day = from; day < end; day += dayMs) {
      const change = changes.get(day);
      if (heads > 0) found.push([day, ((change?.deaths ?? 0) / heads) * 1000]);
      heads += change?.heads ?? 0;
    }
    return found;
  };

  const lineOf = async (
    scope: TenantScope,
    { deviceIds, unitIds, ...place }: Place,
    channels: readonly Channel[],
    { keys, withDeaths, start, end, resolution, byMs, isEarlier }: Span,
  ): Promise<Line> => {
    const drawn = new Map<string, Point[]>();
    const measured = new Map<string, Point[]>();
    const doubts = new Map<string, Pick<ComparedPlace["series"][number], "rejected" | "unreliable">>();
    const byKey = new Map<string, { drawn: Point[][]; measured: Point[][] }>();
    if (channels.length > 0) {
      const asked = [...channels.map(({ key }) => key), heartbeat];
      const buckets = (end - start) / (resolution === "hour" ? hourMs : dayMs) + 1;
      const each = Math.min(seriesDevices, seriesCount / asked.length, seriesPoints / (buckets * asked.length));
      const atOnce = Math.max(1, Math.floor(each));
      for (let at = 0; at < deviceIds.length; at += atOnce) {
        const ids = deviceIds.slice(at, at + atOnce).join();
        const { series } = await telemetry.series(scope, { ids, keys: asked.join(), start, end, resolution });
        const heard = Map.groupBy(series, ({ id }) => id);
        for (const { id, key, points, rejected = [], unreliable = [] } of series) {
          const channel = channels.find((one) => one.key === key);
          if (channel === undefined) continue;
          const isDoubted = (ms: number): boolean =>
            [...rejected, ...unreliable].some(([from, to]) => ms + hourMs > from && ms <= to);
          const hours = new Set(
            (heard.get(id) ?? []).flatMap((of) => of.points.map(([ms]) => Number(ms))).filter((ms) => !isDoubted(ms)),
          );
          const told = (column: 2 | 3): Point[] => {
            const known = points.flatMap((row): Point[] =>
              typeof row[column] === "number" ? [[Number(row[0]), row[column]]] : [],
            );
            return resolution === "hour" ? heldOver(known, hours) : known;
          };
          const placed = (of: readonly Point[]) => of.map(([ms, value]): Point => [ms + byMs, value]);
          const held = byKey.get(key) ?? { drawn: [], measured: [] };
          byKey.set(key, held);
          const isCounter = channel.cumulative === true;
          const highest = isSwitched(channel) || isCounter ? told(3) : told(2);
          held.drawn.push(placed(isCounter ? growthPerDay(highest) : highest));
          held.measured.push(placed(isCounter ? growthPerDay(highest) : told(2)));
          if (place.level === "device")
            doubts.set(key, {
              rejected: rejected.map(([from, to, count]) => [from + byMs, to + byMs, count]),
              unreliable: unreliable.map(([from, to]) => [from + byMs, to + byMs]),
            });
        }
      }
    }
    for (const [key, of] of byKey) {
      drawn.set(key, together(of.drawn));
      measured.set(key, together(of.measured));
    }
    if (withDeaths) {
      const days = (await deathsOf(scope, unitIds, start, end)).map(([ms, value]): Point => [ms + byMs, value]);
      drawn.set(deathsMeasure, days);
      measured.set(deathsMeasure, days);
    }
    const series = keys.map((key) => ({
      key,
      points: (drawn.get(key) ?? []).map(([ms, value]): [number, number] => [ms, value]),
      ...doubts.get(key),
    }));
    return { ...place, isEarlier, series, measured };
  };

  const compared = async (scope: TenantScope, query: Query, mayDeaths: boolean): Promise<ComparisonReply> => {
    const { kind, days = ordinaryDays, align = "time", earlier = "none" } = query;
    const declared = deviceKinds[kind];
    const [usual = ""] = declared.pages?.figures ?? [];
    const keys = listed(query.show ?? usual, comparedLimits.measures);
    const channelOf = (key: string) => declared.channels.find((one) => one.key === key && one.type !== "text");
    const places = await placesOf(scope, kind, listed(query.ids));
    const at = Math.floor(now() / minuteMs) * minuteMs;
    const resolution = days <= mostDaysByHour ? "hour" : "day";
    const asked = keys.flatMap((key) => channelOf(key) ?? []);
    const figures = (declared.pages?.figures ?? []).flatMap((key) =>
      keys.includes(key) ? [] : (channelOf(key) ?? []),
    );
    const isSmall = places.every(({ devices: count }) => count <= mostForOthers);
    const beside = isSmall ? figures.filter(({ type }) => type === "number") : [];
    const withDeaths = mayDeaths && keys.includes(deathsMeasure);
    const agoMs = align === "age" || earlier === "none" ? 0 : earlier === "year" ? 365 * dayMs : days * dayMs;
    const lines: Line[] = [];
    for (const place of places) {
      for (const ago of agoMs > 0 ? [0, agoMs] : [0]) {
        // On the axis of ages the pigs of now end at their age; on that of time an earlier span ends now.
        const byMs = align === "age" ? (place.ageDays ?? 0) * dayMs - at : ago;
        const span = { start: Math.max(0, at - ago - days * dayMs), end: at - ago };
        lines.push(
          await lineOf(scope, place, [...asked, ...beside], {
            keys,
            withDeaths,
            ...span,
            resolution,
            byMs,
            isEarlier: ago > 0,
          }),
        );
      }
    }
    const against = lines.flatMap((line, other): [number, number][] =>
      line.isEarlier ? [[other, other - 1]] : other === 0 || agoMs > 0 ? [] : [[0, other]],
    );
    const pairOf = (key: string, [first, other]: readonly [number, number]): Pair => {
      const fineness = key === deathsMeasure ? "day" : resolution;
      // The running day of deaths is not over.
      const today = shanghaiMidnight(shanghaiDay(at));
      const valuesOf = (line: Line | undefined) =>
        dayValues(
          (line?.measured.get(key) ?? []).filter(([ms]) => key !== deathsMeasure || align === "age" || ms < today),
          align,
          fineness,
        );
      return {
        key,
        first,
        other,
        a: valuesOf(lines[first]),
        b: valuesOf(lines[other]),
        shared: align === "time" && lines[first]?.isEarlier === lines[other]?.isEarlier,
        counted: key === deathsMeasure || countUnits.includes(channelOf(key)?.unit ?? ""),
      };
    };
    const answers = answersOf(keys.flatMap((key) => against.map((pair) => pairOf(key, pair))));
    const [lead] = answers;
    const others = lead ? answersOf(beside.map(({ key }) => pairOf(key, [lead.first, lead.other]))) : [];
    const byHour = answers.map((answer) => {
      const pair = [lines[answer.first], lines[answer.other]].map((line) => line?.measured.get(answer.key) ?? []);
      const isHourly = align === "time" && resolution === "hour" && answer.key !== deathsMeasure;
      const hours = isHourly && answer.verdict !== "too-few" ? sizeByHour(pair[0] ?? [], pair[1] ?? []) : [];
      return hours.length === 24 ? { ...answer, hours } : answer;
    });
    const ages = lines.flatMap(({ ageDays }) => ageDays ?? []);
    const axis =
      align === "time"
        ? { start: at - days * dayMs, end: at }
        : {
            start: Math.max(0, (ages.length === 0 ? days : Math.min(...ages)) - days) * dayMs,
            end: (ages.length === 0 ? days : Math.max(...ages)) * dayMs,
          };
    return { ...axis, at, resolution, lines: lines.map(({ measured: _, ...line }) => line), answers: byHour, others };
  };

  return {
    /**
     * @param mayDeaths whether the session may read the book of heads; without it deaths have no points
     * @throws {Refusal} 404 for a place that the scope does not reach
     */
    detail: (scope: TenantScope, query: Query, mayDeaths: boolean): Promise<ComparisonReply> =>
      inTurn(() => compared(scope, query, mayDeaths)),
  };
}
export type ComparisonService = ReturnType<typeof createComparisonService>;

interface Span {
  keys: readonly string[];
  withDeaths: boolean;
  start: number;
  end: number;
  resolution: "hour" | "day";
  /** What moments are moved by onto the shared axis, ms. */
  byMs: number;
  isEarlier: boolean;
}
