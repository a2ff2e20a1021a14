import {
  type DeviceKindId,
  type deviceEventPage,
  type HistoryReply,
  isId,
  type QueryOf,
  type SeriesReply,
  type telemetryHistory,
  type telemetrySeries,
} from "@herdwise/contract";
import { deviceKinds } from "@herdwise/device-kinds";
import { createGate } from "../../gate.ts";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { writePersonal } from "../../http/personal.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { DeviceService } from "../devices/index.ts";
import { type FarmService, farmTreeOf } from "../farms/index.ts";
import type { HistoryRepository } from "./history.repository.ts";
import type { SeriesService } from "./series.service.ts";
import { createSnapshots } from "./snapshots.ts";
import type { TelemetryRepository } from "./telemetry.repository.ts";

/** What one question for series may name. */
const seriesLimits = { devices: 50, keys: 50, series: 200 } as const;
/** Devices that one live stream may follow. */
const liveDevices = 500;

/** Streams whose ids are checked at a time: thousands that open together leave the database's connections to requests. */
const checkedAtATime = 4;

export interface TelemetryDependencies {
  repository: Pick<TelemetryRepository, "valuesLastDay" | "newestReadings">;
  history: Pick<HistoryRepository, "eventPage">;
  read: SeriesService["read"];
  devices: DeviceService;
  farms: FarmService;
}

export function createTelemetryService({ repository, history, read, devices, farms }: TelemetryDependencies) {
  const snapshots = createSnapshots(repository.newestReadings);
  const checkInTurn = createGate(checkedAtATime);
  return {
    async history(scope: TenantScope, query: QueryOf<typeof telemetryHistory>): Promise<HistoryReply> {
      const { id, key, start, end, resolution: asked = "auto" } = query;
      const { resolution, series } = await read(scope, { ids: [id], keys: [key], start, end, resolution: asked });
      const [{ points, truncated } = { points: [] }] = series;
      return { key, resolution, points, ...(truncated && { truncated }) };
    },

    async series(scope: TenantScope, query: QueryOf<typeof telemetrySeries>): Promise<SeriesReply> {
      const { start, end, resolution = "auto" } = query;
      const ids = [...new Set(query.ids.split(",").filter(isId))];
      const keys = [...new Set(query.keys.split(",").filter((key) => key !== ""))];
      const { devices: mostDevices, keys: mostKeys, series: most } = seriesLimits;
      const count = ids.length * keys.length;
      if (count === 0 || ids.length > mostDevices || keys.length > mostKeys || count > most) {
        throw refuse("history.devices", { values: seriesLimits });
      }
      return read(scope, { ids, keys, start, end, resolution });
    },

    /** Records of a device with the fields that its kind declares; people's names are shortened. */
    async eventPage(scope: TenantScope, query: QueryOf<typeof deviceEventPage>) {
      const { kind } = await devices.detail(scope, query.id);
      const request = pageRequest(query, []);
      const { total, rows } = await history.eventPage(scope, query.id, query, request);
      const records = rows.map(({ eventId, type, ts, body }) => {
        const declared = deviceKinds[kind].events.find((event) => event.type === type)?.fields ?? [];
        const fields = declared.flatMap(({ key, personal }): [string, unknown][] => {
          const value = body[key];
          if (value === undefined) return [];
          return [[key, personal ? writePersonal("mask-name", value) : value]];
        });
        return { eventId, type, ts: ts.getTime(), fields: Object.fromEntries(fields) };
      });
      return pageOfRows(records, total, request);
    },

    /** What the server wants a device to run with, and what the device says it does. */
    async parameters(scope: TenantScope, id: string) {
      const { kind } = await devices.detail(scope, id);
      const { desired, reported } = await devices.parameters(scope, id);
      const declared = (held: Record<string, unknown>) =>
        Object.fromEntries(
          deviceKinds[kind].parameters.flatMap(({ key }) => (held[key] === undefined ? [] : [[key, held[key]]])),
        );
      return { desired: declared(desired), reported: declared(reported) };
    },

    /** All units with the newest readings of their devices of one kind. */
    async kindOverview(scope: TenantScope, kind: DeviceKindId) {
      const [{ farms: farmRows, units }, placed] = await Promise.all([
        farms.places(scope),
        devices.placedOfKind(scope, kind),
      ]);
      const shown = placed.map(({ reportedAt, ...device }) => ({
        ...device,
        reportedAtMs: reportedAt?.getTime() ?? null,
      }));
      const byUnit = Map.groupBy(shown, ({ unitId }) => unitId);
      const byFarm = Map.groupBy(byUnit.get(null) ?? [], ({ farmId }) => farmId);
      const none = { deviceId: "", deviceName: "", status: "unactivated" as const, reportedAtMs: null, readings: {} };
      const tree = farmTreeOf(
        farmRows,
        units.map((unit) => {
          const [first = none, ...more] = byUnit.get(unit.id) ?? [];
          // The unit's own ids stay: a device names its places as well.
          return { ...first, ...unit, more };
        }),
      );
      return tree.map((farm) => ({ ...farm, devices: byFarm.get(farm.id) ?? [] }));
    },

    /** Checks who may follow what. @returns the ids, each once */
    async liveIds(scope: TenantScope, list: string): Promise<string[]> {
      const ids = [...new Set(list.split(",").filter(isId))];
      if (ids.length === 0) throw refuse("live.no_devices");
      if (ids.length > liveDevices) throw refuse("live.too_many_devices", { values: { count: liveDevices } });
      await checkInTurn(() => devices.requireOwned(scope, ids));
      return ids;
    },

    /** The newest readings of devices that `liveIds` let through. */
    snapshot: snapshots.of,

    valuesLastDay: () => repository.valuesLastDay(),
  };
}
export type TelemetryService = ReturnType<typeof createTelemetryService>;
