import type { WorkOrderSnapshot } from "@herdwise/contract";
import { channelOfFigure, deviceKinds, severities } from "@herdwise/device-kinds";
import type { TenantScope } from "../../tenant-scope.ts";

import type { DeviceService } from "../devices/index.ts";
import type { TelemetryService } from "../telemetry/index.ts";
import type { EntryRepository } from "./entry.repository.ts";

/** How far back a snapshot reaches, and how far its points stand apart at least, ms. */
const spanMs = 24 * 3_600_000;
const stepMs = 600_000;
/** Values that one snapshot has. */
const mostKeys = 40;

export interface SnapshotDependencies {
  devices: Pick<DeviceService, "detail">;
  telemetry: Pick<TelemetryService, "series">;
  entries: Pick<EntryRepository, "surroundings">;
  now: () => number;
  /** Values could not be read; the order is raised all the same. */
  onFault: (error: unknown) => void;
}

/** Means of what lies in each step; the last value of what is switched. @param points `[ts, value]` or `[ts, min, mean, max]` */
function thinned(points: readonly (readonly unknown[])[], switched: boolean): [number, number][] {
  const steps = new Map<number, number[]>();
  for (const point of points) {
    const [at, ...values] = point;
    const value = values.length === 3 ? values[switched ? 2 : 1] : values[0];
    const number = typeof value === "boolean" ? Number(value) : value;
    if (typeof at !== "number" || typeof number !== "number" || !Number.isFinite(number)) continue;
    const step = Math.floor(at / stepMs) * stepMs;
    const held = steps.get(step);
    if (held) held.push(number);
    else steps.set(step, [number]);
  }
  return [...steps]
    .sort(([a], [b]) => a - b)
    .map(([at, held]) => [
      at,
      switched ? (held.at(-1) as number) : Number((held.reduce((sum, one) => sum + one, 0) / held.length).toFixed(3)),
    ]);
}

/** How a device of the caller's stands, and how it did in the last 24 hours. */
export function createSnapshots({ devices, telemetry, entries, now, onFault }: SnapshotDependencies) {
  return {
    /** @throws {Refusal} 404 where the caller has no such device */
    async take(scope: TenantScope, deviceId: string): Promise<WorkOrderSnapshot> {
      const device = await devices.detail(scope, deviceId);
      const endMs = now();
      const startMs = endMs - spanMs;
      const { unit, alarms } = await entries.surroundings(scope, deviceId, new Date(startMs));
      const kind = deviceKinds[device.kind];
      const channels = new Map(
        kind.channels.filter(({ type }) => type !== "text").map((channel) => [channel.key, channel]),
      );
      const alarmed = alarms.flatMap(({ facts }) => (facts.key ? [channelOfFigure(facts.key)] : []));
      const keys = [...new Set([...alarmed, ...(kind.pages?.figures ?? []), ...channels.keys()])]
        .filter((key) => channels.has(key))
        .slice(0, mostKeys);
      const series = await telemetry
        .series(scope, { ids: deviceId, keys: keys.join(), start: startMs, end: endMs, resolution: "minute" })
        .then(
          (read) => read.series,
          (error: unknown) => {
            onFault(error);
            return [];
          },
        );
      return {
        startMs,
        endMs,
        deviceId,
        deviceName: device.name,
        serialNumber: device.serialNumber,
        kind: device.kind,
        firmwareVersion: device.firmwareVersion ?? "",
        status: device.status,
        place: [device.farmName, device.houseName, device.unitName].filter(Boolean).join(" / "),
        mode: unit?.mode ?? "",
        ...(unit && { headCount: unit.headCount }),
        series: series.flatMap(({ key, points }) => {
          const channel = channels.get(key);
          const kept = thinned(points, channel?.step === true || channel?.type === "boolean");
          return kept.length > 0 ? [{ key, points: kept }] : [];
        }),
        alarms: alarms.map(({ ruleId, ruleName, severity, raisedAt, endedAt }) => ({
          ruleId,
          ruleName,
          severity: severities[severity - 1] ?? "WARN",
          raisedMs: raisedAt.getTime(),
          ...(endedAt && { endedMs: endedAt.getTime() }),
        })),
      };
    },
  };
}
export type SnapshotService = ReturnType<typeof createSnapshots>;
