import type { HistoryReply, QueryOf, Readings, telemetryHistory } from "@herdwise/contract";
import { rejected } from "../../http/errors.ts";
import type { Session } from "../../http/session.ts";
import type { DeviceService } from "../devices/index.ts";
import { type FarmService, farmTreeOf } from "../farms/index.ts";
import type { TelemetryRepository } from "./telemetry.repository.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The longest range that each resolution may be asked for, so that an answer stays below about 50,000 points. */
const longestRangeMs = { raw: 7 * dayMs, minute: 31 * dayMs, hour: 5 * 366 * dayMs, day: 100 * 366 * dayMs } as const;
const rawPoints = 100_000;
/** Devices that one live stream may follow. */
const liveDevices = 500;

type Resolution = HistoryReply["resolution"];

/** The finest resolution that a screen can show: at most about 2,200 points of a device that reports each minute. */
export function fittingResolution(rangeMs: number): Resolution {
  if (rangeMs <= 26 * hourMs) return "raw";
  if (rangeMs <= 1.5 * dayMs) return "minute";
  return rangeMs <= 90 * dayMs ? "hour" : "day";
}

export function createTelemetryService(repository: TelemetryRepository, devices: DeviceService, farms: FarmService) {
  return {
    async history(session: Session, query: QueryOf<typeof telemetryHistory>): Promise<HistoryReply> {
      const { id, key, start, end } = query;
      await devices.requireOwned(session, [id]);
      if (end <= start) throw rejected("history.empty_range", "结束时间必须晚于开始时间");
      const asked = query.resolution ?? "auto";
      const resolution = asked === "auto" ? fittingResolution(end - start) : asked;
      if (end - start > longestRangeMs[resolution]) {
        throw rejected("history.range_too_long", "时间范围过大，请缩短范围或改用更粗的粒度");
      }
      const from = new Date(start);
      const to = new Date(end);
      const points =
        resolution === "raw"
          ? await repository.raw(id, key, from, to, rawPoints)
          : await repository.bucketed(id, key, from, to, resolution);
      return { key, resolution, points };
    },

    /** All units of the tenant with the newest readings of their environment controllers. */
    async environmentOverview(session: Session) {
      const [{ farms: farmRows, units }, controllers] = await Promise.all([
        farms.places(session),
        devices.environmentControllers(session),
      ]);
      const byUnit = new Map(controllers.map((controller) => [controller.unitId, controller]));
      return farmTreeOf(
        farmRows,
        units.map((unit) => {
          const controller = byUnit.get(unit.id);
          return {
            ...unit,
            deviceId: controller?.deviceId ?? "",
            deviceName: controller?.deviceName ?? "",
            status: controller?.status ?? ("unactivated" as const),
            reportedAtMs: controller?.reportedAt?.getTime() ?? null,
            readings: controller?.readings ?? {},
          };
        }),
      );
    },

    /** Checks who may follow what. @returns the ids, each once */
    async liveIds(session: Session, list: string): Promise<string[]> {
      const ids = [...new Set(list.split(",").filter((id) => /^\d{1,19}$/.test(id)))];
      if (ids.length === 0) throw rejected("live.no_devices", "请至少选择一台设备");
      if (ids.length > liveDevices) throw rejected("live.too_many_devices", `一次最多订阅 ${liveDevices} 台设备`);
      await devices.requireOwned(session, ids);
      return ids;
    },

    snapshot: async (session: Session, ids: readonly string[]): Promise<Map<string, Readings>> =>
      devices.readingsOf(session, ids),

    valuesLastDay: () => repository.valuesLastDay(),
  };
}
export type TelemetryService = ReturnType<typeof createTelemetryService>;
