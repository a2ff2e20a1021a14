import { type UnitDetail, unitOverview } from "@herdwise/contract";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { ApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import type { StreamState } from "../../shared/api/live-stream.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { type LiveBatch, useLiveReadings } from "./use-live-readings.ts";
import { type DeviceNow, deviceNow, loadDevice, withLive } from "./use-unit.ts";

interface LoadedDevice {
  device: DeviceNow | undefined;
  /** Where it stands; undefined for a device of a farm. */
  unit: UnitDetail | undefined;
  error: ApiError | undefined;
  loading: boolean;
  reload: () => void;
  stream: StreamState;
}

/** One device with its newest readings, kept up to date by the live stream. */
export function useDevice(id: string): LoadedDevice {
  const loaded = useLoad(id === "" ? undefined : `device ${id}`, async (signal) => {
    const held = await loadDevice(id, signal);
    const { unitId } = held.device;
    // Limits depend on the pigs that the device stands with.
    const unit = unitId === "" ? undefined : await call(unitOverview, { query: { id: unitId }, signal, quiet: true });
    return { ...held, unit };
  });
  const [now, setNow] = useState(loaded.value);
  useEffect(() => setNow(loaded.value), [loaded.value]);
  const ids = useMemo(() => (loaded.value ? [loaded.value.device.id] : []), [loaded.value]);
  const onBatch = useCallback(
    (batch: LiveBatch) => setNow((before) => before && { ...before, ...withLive(before, batch) }),
    [],
  );
  const stream = useLiveReadings(ids, onBatch, loaded.reload);
  const shown = now?.device.id === id ? now : undefined;
  const device = useMemo(() => shown && deviceNow(shown), [shown]);
  return { device, unit: shown?.unit, error: loaded.error, loading: loaded.loading, reload: loaded.reload, stream };
}
