import {
  type AnalyticResult,
  analyticsDevices,
  type DeviceAnalytics,
  type KindAnalytics,
  type kindAnalytics,
  type QueryOf,
} from "@herdwise/contract";
import { deviceKinds } from "@herdwise/device-kinds";
import { createGate } from "../../gate.ts";
import { refuse } from "../../http/errors.ts";
import { writePersonal } from "../../http/personal.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { DeviceService } from "../devices/index.ts";
import type { FarmService } from "../farms/index.ts";
import type { TelemetryService } from "../telemetry/index.ts";
import type { AnalyticsRepository } from "./analytics.repository.ts";
import { dayMs, type KindFormulas, type MinutePoint, minuteMs } from "./formulas/formula.ts";
import { formulasOf } from "./formulas/index.ts";

/** Devices that are worked on at a time on this server: each reads up to a month by the minute. */
const atATime = 2;
/** Points that one question for series may have (telemetry/series.service.ts). */
const seriesPoints = 200_000;
const ordinaryDays = 7;

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
    { start, end }: { start: number; end: number },
  ): Promise<Map<string, MinutePoint[]>> => {
    const atOnce = Math.max(1, Math.floor(seriesPoints / ((end - start) / minuteMs + 1)));
    const found = new Map<string, MinutePoint[]>();
    for (let at = 0; at < keys.length; at += atOnce) {
      const part = keys.slice(at, at + atOnce).join();
      const { series } = await telemetry.series(scope, { ids: id, keys: part, start, end, resolution: "minute" });
      for (const { key, points } of series) {
        found.set(
          key,
          points.map(([ts, , mean]): MinutePoint => [Number(ts), Number(mean)]),
        );
      }
    }
    return found;
  };

  const resultsOf = async (
    scope: TenantScope,
    formulas: KindFormulas,
    { deviceId, pigs }: { deviceId: string; pigs: number },
    span: { start: number; end: number },
  ): Promise<AnalyticResult[]> => {
    const kind = deviceKinds[formulas.kind];
    const [events, series, { desired, reported }] = await Promise.all([
      repository.events(scope, deviceId, formulas.events, { fromMs: span.start, toMs: span.end }),
      seriesOf(scope, deviceId, formulas.keys, span),
      devices.parameters(scope, deviceId),
    ]);
    const defaults = new Map(kind.parameters.map((parameter) => [parameter.key, parameter.default]));
    const results = formulas.compute({
      startMs: span.start,
      endMs: span.end,
      events,
      series,
      pigs,
      parameter: (key) => reported[key] ?? desired[key] ?? defaults.get(key),
    });
    const personal = new Set(kind.analytics.filter((analytic) => analytic.personal).map(({ id }) => id));
    return results.map((result) =>
      result.rows && personal.has(result.id)
        ? {
            ...result,
            rows: result.rows.map((row) => ({ ...row, label: String(writePersonal("mask-name", row.label)) })),
          }
        : result,
    );
  };

  return {
    /**
     * Analytics of the devices of a kind over the days before now; nothing of kinds whose analytics have no formulas here.
     * @throws {Refusal} 404 for a device that the scope does not reach
     */
    async list(scope: TenantScope, query: QueryOf<typeof kindAnalytics>): Promise<KindAnalytics> {
      const { kind, days = ordinaryDays, farmId, deviceId } = query;
      const end = Math.floor(now() / minuteMs) * minuteMs;
      const span = { start: end - days * dayMs, end };
      const formulas = formulasOf.get(kind);
      const [placed, { units }] = await Promise.all([devices.placedOfKind(scope, kind), farms.places(scope)]);
      const wanted = placed.filter(
        (device) =>
          (farmId === undefined || device.farmId === farmId) &&
          (deviceId === undefined || device.deviceId === deviceId),
      );
      if (deviceId !== undefined && wanted.length === 0) throw refuse("device.not_found");
      if (formulas === undefined) return { ...span, devices: [], omitted: 0 };
      const shown = wanted.slice(0, analyticsDevices);
      const found = await Promise.all(
        shown.map((device): Promise<DeviceAnalytics> => {
          const served = units.filter((unit) =>
            device.unitId === null ? unit.farmId === device.farmId : unit.id === device.unitId,
          );
          const pigs = served.reduce((all, { headCount }) => all + headCount, 0);
          return inTurn(async () => ({
            deviceId: device.deviceId,
            deviceName: device.deviceName,
            farmId: device.farmId ?? "",
            results: await resultsOf(scope, formulas, { deviceId: device.deviceId, pigs }, span),
          }));
        }),
      );
      return { ...span, devices: found, omitted: wanted.length - shown.length };
    },
  };
}
