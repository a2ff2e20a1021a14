import {
  analyticsDevices,
  type DeviceAnalytics,
  type DeviceKindId,
  type KindAnalytics,
  type kindAnalytics,
  type QueryOf,
} from "@herdwise/contract";
import { deviceKinds } from "@herdwise/device-kinds";
import { createGate } from "../../gate.ts";
import { refuse } from "../../http/errors.ts";
import { maskPerson } from "../../http/personal.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { DeviceService } from "../devices/index.ts";
import type { FarmService } from "../farms/index.ts";
import type { TelemetryService } from "../telemetry/index.ts";
import type { AnalyticsRepository } from "./analytics.repository.ts";
import {
  type AnalyticInput,
  dayMs,
  type HerdBooks,
  type HourPoint,
  type KindFormulas,
  type MinutePoint,
  minuteMs,
  type Neighbour,
  type ServedUnit,
} from "./formulas/formula.ts";
import { formulasOf } from "./formulas/index.ts";
import { reportCompleteness, reportWindowMs } from "./formulas/report-windows.ts";

/** Devices that are worked on at a time on this server: each reads up to a month by the minute. */
const atATime = 2;
/** Points that one question for series may have (telemetry/series.service.ts). */
const seriesPoints = 200_000;
const ordinaryDays = 7;
/** Devices of a kind on one farm that a report goes through. */
const mostOfFarm = 500;
const noBooks: HerdBooks = { plans: [], treatments: [], withdrawalDays: new Map() };

/** A device's results with people shortened. */
const shortened =
  (kind: DeviceKindId) =>
  (device: DeviceAnalytics): DeviceAnalytics => ({
    ...device,
    results: device.results.map((result) =>
      result.rows && deviceKinds[kind].analytics.find(({ id }) => id === result.id)?.personal
        ? { ...result, rows: result.rows.map((row) => ({ ...row, label: maskPerson(row.label) })) }
        : result,
    ),
  });

/** A span of time, ms since 1970. */
export interface Span {
  start: number;
  end: number;
}

interface PlacedDevice {
  deviceId: string;
  deviceName: string;
  farmId: string | null;
  unitId: string | null;
}

export interface AnalyticsDependencies {
  repository: AnalyticsRepository;
  telemetry: Pick<TelemetryService, "series">;
  devices: Pick<DeviceService, "placedOfKind" | "parameters">;
  farms: Pick<FarmService, "places">;
  now: () => number;
}

export function createAnalyticsService({ repository, telemetry, devices, farms, now }: AnalyticsDependencies) {
  const inTurn = createGate(atATime);

  /** Values of a device by the minute. */
  const seriesOf = async (
    scope: TenantScope,
    id: string,
    keys: readonly string[],
    { start, end }: Span,
    unreliable: Set<string>,
  ): Promise<Map<string, MinutePoint[]>> => {
    const atOnce = Math.max(1, Math.floor(seriesPoints / ((end - start) / minuteMs + 1)));
    const found = new Map<string, MinutePoint[]>();
    for (let at = 0; at < keys.length; at += atOnce) {
      const part = keys.slice(at, at + atOnce).join();
      const { series } = await telemetry.series(scope, { ids: id, keys: part, start, end, resolution: "minute" });
      for (const { key, points, unreliable: days } of series) {
        if (days) unreliable.add(key);
        found.set(
          key,
          points.map(([ts, , mean]): MinutePoint => [Number(ts), Number(mean)]),
        );
      }
    }
    return found;
  };

  /** Values of a device by the hour. */
  const hoursOf = async (
    scope: TenantScope,
    id: string,
    keys: readonly string[],
    { start, end }: Span,
    unreliable: Set<string>,
  ): Promise<Map<string, HourPoint[]>> => {
    if (keys.length === 0) return new Map();
    const { series } = await telemetry.series(scope, { ids: id, keys: keys.join(), start, end, resolution: "hour" });
    for (const { key, unreliable: days } of series) if (days) unreliable.add(key);
    return new Map(
      series.map(({ key, points }) => [
        key,
        points.map(([ts, low, middle, high]): HourPoint => [Number(ts), Number(low), Number(middle), Number(high)]),
      ]),
    );
  };

  /** What the other devices of a place tell, by their kinds. */
  const neighboursOf = async (
    scope: TenantScope,
    { beside = [] }: KindFormulas,
    near: ReadonlyMap<DeviceKindId, readonly string[]>,
    span: Span,
    past: Span,
  ): Promise<Map<DeviceKindId, Neighbour[]>> => {
    const found = new Map<DeviceKindId, Neighbour[]>();
    for (const { kind, events = [], hourly = [] } of beside) {
      const neighbours: Neighbour[] = [];
      for (const id of near.get(kind) ?? []) {
        const [told, hours] = await Promise.all([
          repository.events(scope, id, events, { fromMs: span.start, toMs: span.end }),
          hoursOf(scope, id, hourly, past, new Set()),
        ]);
        neighbours.push({ events: told, hourly: hours });
      }
      found.set(kind, neighbours);
    }
    return found;
  };

  const resultsOf = async (
    scope: TenantScope,
    formulas: KindFormulas,
    { deviceId, units }: { deviceId: string; units: readonly ServedUnit[] },
    near: ReadonlyMap<DeviceKindId, readonly string[]>,
    span: Span,
  ): Promise<Pick<DeviceAnalytics, "results" | "advice" | "unreliable">> => {
    const unreliable = new Set<string>();
    const kind = deviceKinds[formulas.kind];
    const range = { fromMs: span.start, toMs: span.end };
    const past = { start: Math.min(span.start, span.end - (formulas.pastDays ?? 0) * dayMs), end: span.end };
    const windowMs = reportWindowMs(kind.offlineAfterS);
    const [events, series, earlier, hourly, neighbours, books, alarms, reports, { desired, reported }] =
      await Promise.all([
        repository.events(scope, deviceId, formulas.events, range),
        seriesOf(scope, deviceId, formulas.keys, span, unreliable),
        seriesOf(scope, deviceId, formulas.past ?? [], past, unreliable),
        hoursOf(scope, deviceId, formulas.hourly ?? [], past, unreliable),
        neighboursOf(scope, formulas, near, span, past),
        formulas.books
          ? repository.books(
              scope,
              units.map(({ id }) => id),
            )
          : noBooks,
        formulas.alarms ? repository.alarms(scope, deviceId, { fromMs: past.start, toMs: past.end }) : [],
        repository.reports(scope, deviceId, range, windowMs),
        devices.parameters(scope, deviceId),
      ]);
    const defaults = new Map(kind.parameters.map((parameter) => [parameter.key, parameter.default]));
    const input: AnalyticInput = {
      startMs: span.start,
      endMs: span.end,
      events,
      series,
      pigs: units.reduce((all, { pigs }) => all + pigs, 0),
      units,
      past: earlier,
      hourly,
      beside: (other) => neighbours.get(other) ?? [],
      books,
      alarms,
      parameter: (key) => reported[key] ?? desired[key] ?? defaults.get(key),
      isSet: (key) => (reported[key] ?? desired[key]) !== undefined,
    };
    const results = formulas.compute(input);
    const advice = formulas.advise?.(input);
    if (reports !== undefined) results.push(reportCompleteness(reports.received, reports.fromMs, span.end, windowMs));
    return { results, ...(advice && { advice }), ...(unreliable.size > 0 && { unreliable: [...unreliable] }) };
  };

  /** Analytics of devices of a kind over a span, two devices at a time. */
  const over = async (
    scope: TenantScope,
    kind: DeviceKindId,
    span: Span,
    wanted: (device: PlacedDevice) => boolean,
    most: number,
  ): Promise<{ devices: DeviceAnalytics[]; omitted: number }> => {
    const formulas = formulasOf.get(kind);
    if (formulas === undefined) return { devices: [], omitted: 0 };
    const kinds = [...new Set([kind, ...(formulas.beside ?? []).map((beside) => beside.kind)])];
    const [lists, { units }] = await Promise.all([
      Promise.all(kinds.map((one) => devices.placedOfKind(scope, one))),
      farms.places(scope),
    ]);
    const placed = new Map(kinds.map((one, at) => [one, lists[at] ?? []]));
    const all = (placed.get(kind) ?? []).filter(wanted);
    const found = await Promise.all(
      all.slice(0, most).map((device): Promise<DeviceAnalytics> => {
        const isNear = (place: { farmId: string | null; id?: string; unitId?: string | null }): boolean =>
          device.unitId === null ? place.farmId === device.farmId : (place.unitId ?? place.id) === device.unitId;
        const served = units
          .filter(({ id, farmId }) => isNear({ id, farmId }))
          .map(
            (unit): ServedUnit => ({
              id: unit.id,
              name: unit.name,
              label: `${unit.houseName} · ${unit.name}`,
              pigstyType: unit.pigstyType,
              weightKg: unit.averageWeightGrams === null ? undefined : unit.averageWeightGrams / 1000,
              mode: unit.mode,
              pigs: unit.headCount,
              volumeM3: unit.volumeCubicMeters ?? undefined,
            }),
          );
        const near = new Map(
          (formulas.beside ?? []).map(({ kind: other }) => [
            other,
            (placed.get(other) ?? [])
              .filter((one) => one.deviceId !== device.deviceId && isNear(one))
              .map(({ deviceId }) => deviceId),
          ]),
        );
        return inTurn(async () => ({
          deviceId: device.deviceId,
          deviceName: device.deviceName,
          farmId: device.farmId ?? "",
          ...(await resultsOf(scope, formulas, { deviceId: device.deviceId, units: served }, near, span)),
        }));
      }),
    );
    return { devices: found, omitted: all.length - Math.min(all.length, most) };
  };

  return {
    /**
     * Analytics of the devices of a kind over the days before now.
     * @param mayName whether people are told as devices call them, not shortened
     * @throws {Refusal} 404 for a device that the scope does not reach
     */
    async list(scope: TenantScope, query: QueryOf<typeof kindAnalytics>, mayName: boolean): Promise<KindAnalytics> {
      const { kind, days = ordinaryDays, farmId, deviceId } = query;
      const end = Math.floor(now() / minuteMs) * minuteMs;
      const span = { start: end - days * dayMs, end };
      const found = await over(
        scope,
        kind,
        span,
        (device) =>
          (farmId === undefined || device.farmId === farmId) &&
          (deviceId === undefined || device.deviceId === deviceId),
        analyticsDevices,
      );
      if (deviceId !== undefined && found.devices.length === 0) throw refuse("device.not_found");
      return { ...span, ...found, devices: mayName ? found.devices : found.devices.map(shortened(kind)) };
    },

    /** Analytics of all devices of a kind on a farm over any span. */
    ofFarm: (scope: TenantScope, kind: DeviceKindId, farmId: string, span: Span) =>
      over(scope, kind, span, (device) => device.farmId === farmId, mostOfFarm).then(({ devices: all }) =>
        all.map(shortened(kind)),
      ),
  };
}
export type AnalyticsService = ReturnType<typeof createAnalyticsService>;
