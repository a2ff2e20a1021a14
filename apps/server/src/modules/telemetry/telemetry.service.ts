import {
  type DeviceKindId,
  type deviceEventPage,
  type HistoryReply,
  isId,
  mostListed,
  type PlaceCounts,
  type QueryOf,
  type SeriesReply,
  type telemetryHistory,
  type telemetrySeries,
} from "@herdwise/contract";
import { deviceKinds } from "@herdwise/device-kinds";
import { createGate } from "../../gate.ts";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { maskPerson } from "../../http/personal.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { DeviceService } from "../devices/index.ts";
import { type FarmOfHouses, type FarmService, farmTreeOf, type UnitRow } from "../farms/index.ts";
import type { HistoryRepository } from "./history.repository.ts";
import { judgedNow } from "./judged-now.ts";
import type { SeriesService } from "./series.service.ts";
import { createSnapshots } from "./snapshots.ts";
import type { TelemetryRepository } from "./telemetry.repository.ts";

/** Most devices, keys and series of one request. */
const seriesLimits = { devices: 50, keys: 50, series: 200 } as const;
/** Most devices of one live stream. */
const liveDevices = 500;

/** Units that an answer judges: a verdict takes some 50 µs, and beyond a few screens nobody waits for the first of them. */
const mostJudged = 200;

/** Streams whose ids are checked at a time, so that thousands opening together leave database connections to other requests. */
const checkedAtATime = 4;

type Places = Awaited<ReturnType<FarmService["houses"]>>;
type KindCounts = Awaited<ReturnType<DeviceService["countsOfKind"]>>;

/** Place whose units an overview lists: a house, a farm, or the devices that serve a farm as a whole. */
interface Listed {
  farmId?: string;
  houseId?: string | null;
}

/**
 * The place whose units an overview lists; for a farm that is too large only the devices that serve it as a whole; undefined
 * for none.
 */
function placeToList(
  placeId: string | undefined,
  farms: Places["farms"],
  houses: Places["houses"],
  counts: KindCounts,
): Listed | undefined {
  if (placeId === undefined) return undefined;
  if (houses.some(({ id }) => id === placeId) || counts.some(({ houseId }) => houseId === placeId))
    return { houseId: placeId };
  if (!farms.some(({ id }) => id === placeId)) return undefined;
  const size =
    houses.reduce((sum, { farmId, units }) => sum + (farmId === placeId ? units : 0), 0) +
    counts.reduce((sum, { farmId, devices }) => sum + (farmId === placeId ? devices : 0), 0);
  return size <= mostListed ? { farmId: placeId } : { farmId: placeId, houseId: null };
}

type PlacedCount = Omit<KindCounts[number], "farmId" | "houseId">;
const nothing: PlacedCount = {
  devices: 0,
  online: 0,
  fault: 0,
  offline: 0,
  silent: 0,
  equipped: 0,
  alarms: [0, 0, 0, 0],
};

/** Sum of the counts of two places. */
const together = (a: PlacedCount, b: PlacedCount): PlacedCount => ({
  devices: a.devices + b.devices,
  online: a.online + b.online,
  fault: a.fault + b.fault,
  offline: a.offline + b.offline,
  silent: a.silent + b.silent,
  equipped: a.equipped + b.equipped,
  alarms: a.alarms.map((count, at) => count + (b.alarms[at] ?? 0)) as PlacedCount["alarms"],
});

/** Adds houses whose units are not listed, as counts, in display order. */
function withFigures<Farm extends FarmOfHouses<object & UnitRow>>(
  farms: readonly Farm[],
  houses: Places["houses"],
  counts: KindCounts,
  listed: Listed | undefined,
  standsInUnits: boolean,
) {
  const figures = (of: PlacedCount, units: number, headCount: number): PlaceCounts => {
    const { equipped, alarms, ...told } = of;
    const [WARN, MINOR, MAJOR, CRITICAL] = alarms;
    const bare = standsInUnits ? Math.max(0, units - equipped) : 0;
    return { units, headCount, ...told, bare, alarms: { WARN, MINOR, MAJOR, CRITICAL } };
  };
  const shown = new Set(houses.map(({ id }) => id));
  const countOf = new Map(counts.map((count) => [count.houseId, count]));
  return farms.map((farm) => {
    const isNamed = listed?.farmId === farm.id;
    const isListed = isNamed && listed.houseId === undefined;
    // Counts of a farm's own devices, and of devices in houses without units; one of the two may be listed.
    const whole = counts
      .filter(({ farmId, houseId }) => farmId === farm.id && !shown.has(houseId ?? ""))
      .filter(({ houseId }) => houseId !== listed?.houseId || (houseId === null && !isNamed))
      .reduce<PlacedCount>(together, nothing);
    return {
      ...farm,
      ...(whole.devices > 0 && !isListed && { unlisted: figures(whole, 0, 0) }),
      houses: houses
        .filter(({ farmId }) => farmId === farm.id)
        .map(({ id, name, pigstyType, units, headCount }) => {
          const house = farm.houses.find((of) => of.id === id) ?? { id, name, pigstyType, units: [] };
          const isOpen = isListed || listed?.houseId === id;
          return isOpen ? house : { ...house, unlisted: figures(countOf.get(id) ?? nothing, units, headCount) };
        }),
    };
  });
}

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
      const [{ points, truncated, rejected, unreliable } = { points: [] }] = series;
      return {
        key,
        resolution,
        points,
        ...(truncated && { truncated }),
        ...(rejected && { rejected }),
        ...(unreliable && { unreliable }),
      };
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

    /** Events of a device with the fields that its kind declares; people are shortened for who may not see the users. */
    async eventPage(scope: TenantScope, query: QueryOf<typeof deviceEventPage>, mayName: boolean) {
      const { kind } = await devices.detail(scope, query.id);
      const request = pageRequest(query, []);
      const { total, rows } = await history.eventPage(scope, query.id, query, request);
      const records = rows.map(({ eventId, type, ts, body }) => {
        const declared = deviceKinds[kind].events.find((event) => event.type === type)?.fields ?? [];
        const fields = declared.flatMap(({ key, personal }): [string, unknown][] => {
          const value = body[key];
          if (value === undefined) return [];
          return [[key, personal && !mayName ? maskPerson(String(value)) : value]];
        });
        return { eventId, type, ts: ts.getTime(), fields: Object.fromEntries(fields) };
      });
      return pageOfRows(records, total, request);
    },

    /** Desired settings of a device, and the values that it reports. */
    async parameters(scope: TenantScope, id: string) {
      const { kind } = await devices.detail(scope, id);
      const { desired, reported } = await devices.parameters(scope, id);
      const declared = (held: Record<string, unknown>) =>
        Object.fromEntries(
          deviceKinds[kind].parameters.flatMap(({ key }) => (held[key] === undefined ? [] : [[key, held[key]]])),
        );
      return { desired: declared(desired), reported: declared(reported) };
    },

    /**
     * Units with the newest readings of their devices of one kind. Where there are more than a page can show, houses are
     * returned as counts, with only the units of the named place.
     */
    async kindOverview(scope: TenantScope, kind: DeviceKindId, placeId?: string) {
      const [{ farms: farmRows, houses }, deviceCount] = await Promise.all([
        farms.houses(scope),
        devices.countOfKind(scope, kind),
      ]);
      const isAll = houses.reduce((sum, { units }) => sum + units, 0) + deviceCount <= mostListed;
      const counts = isAll ? [] : await devices.countsOfKind(scope, kind);
      const listed = isAll ? {} : placeToList(placeId, farmRows, houses, counts);
      const [units, placed] =
        listed === undefined
          ? [[], []]
          : await Promise.all([
              listed.houseId === null ? [] : farms.units(scope, listed),
              devices.placedOfKind(scope, kind, listed),
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
          // The unit's own ids last, because a device also has ids of its places.
          const judged = units.length <= mostJudged ? judgedNow(kind, unit, [first, ...more]) : null;
          return { ...first, ...unit, more, judged };
        }),
      );
      const farmsOfUnits = tree.map((farm) => ({ ...farm, devices: byFarm.get(farm.id) ?? [] }));
      return isAll
        ? farmsOfUnits
        : withFigures(farmsOfUnits, houses, counts, listed, deviceKinds[kind].pages?.ofFarm !== true);
    },

    /**
     * Checks which devices the caller may follow.
     * @returns the ids without duplicates
     */
    async liveIds(scope: TenantScope, list: string): Promise<string[]> {
      const ids = [...new Set(list.split(",").filter(isId))];
      if (ids.length === 0) throw refuse("live.no_devices");
      if (ids.length > liveDevices) throw refuse("live.too_many_devices", { values: { count: liveDevices } });
      await checkInTurn(() => devices.requireOwned(scope, ids));
      return ids;
    },

    /** Newest readings of devices that `liveIds` returned. */
    snapshot: snapshots.of,

    valuesLastDay: () => repository.valuesLastDay(),
  };
}
export type TelemetryService = ReturnType<typeof createTelemetryService>;
