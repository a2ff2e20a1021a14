import {
  type DeviceDetail,
  deviceDetail,
  deviceLatest,
  type EnvironmentUnit,
  type Readings,
  type UnitDetail,
  unitDetail,
} from "@herdwise/contract";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { ApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import type { StreamState } from "../../shared/api/live-stream.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { type LiveBatch, newestMs, useLiveReadings } from "./use-live-readings.ts";

/** A unit as the judge takes it, with its controller. */
export type UnitNow = UnitDetail & Pick<EnvironmentUnit, "deviceId" | "status" | "readings" | "reportedAtMs">;

export interface LoadedUnit {
  unit: UnitNow | undefined;
  device: DeviceDetail | undefined;
  error: ApiError | undefined;
  loading: boolean;
  reload: () => void;
  stream: StreamState;
}

interface Loaded {
  unit: UnitDetail;
  device: DeviceDetail | undefined;
  readings: Readings;
}

async function load(id: string, signal: AbortSignal): Promise<Loaded> {
  const unit = await call(unitDetail, { query: { id }, signal, quiet: true });
  const deviceId = unit.environmentDeviceId;
  if (deviceId === "") return { unit, device: undefined, readings: {} };
  const [device, readings] = await Promise.all([
    call(deviceDetail, { query: { id: deviceId }, signal, quiet: true }),
    call(deviceLatest, { query: { id: deviceId }, signal, quiet: true }),
  ]);
  return { unit, device, readings };
}

/** One unit with the newest readings of its controller, kept up to date by the live stream. */
export function useUnit(id: string): LoadedUnit {
  const loaded = useLoad(id === "" ? undefined : `unit ${id}`, (signal) => load(id, signal));
  const [now, setNow] = useState<Loaded>();
  useEffect(() => setNow(loaded.value), [loaded.value]);
  const deviceId = now?.unit.environmentDeviceId ?? "";
  const ids = useMemo(() => (deviceId === "" ? [] : [deviceId]), [deviceId]);
  const onBatch = useCallback(
    ({ readings, status }: LiveBatch) =>
      setNow((before) => {
        if (!before) return before;
        const fresh = readings.get(deviceId);
        const newStatus = status.get(deviceId);
        return {
          ...before,
          readings: fresh ? { ...before.readings, ...fresh } : before.readings,
          device: before.device && newStatus ? { ...before.device, status: newStatus } : before.device,
        };
      }),
    [deviceId],
  );
  const stream = useLiveReadings(ids, onBatch, loaded.reload);
  const shown = now?.unit.id === id ? now : undefined;
  const unit = useMemo((): UnitNow | undefined => {
    if (!shown) return undefined;
    const reportedAtMs = newestMs(shown.readings);
    return {
      ...shown.unit,
      deviceId: shown.unit.environmentDeviceId,
      status: shown.device?.status ?? "unactivated",
      readings: shown.readings,
      ...(reportedAtMs > 0 ? { reportedAtMs } : {}),
    };
  }, [shown]);
  return { unit, device: shown?.device, error: loaded.error, loading: loaded.loading, reload: loaded.reload, stream };
}
