import {
  type DeviceDetail,
  type DeviceKindId,
  deviceDetail,
  deviceLatest,
  devicePage,
  type KindDevice,
  type Readings,
  type UnitDetail,
  unitOverview,
} from "@herdwise/contract";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { ApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import type { StreamState } from "../../shared/api/live-stream.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { type LiveBatch, newestMs, useLiveReadings } from "./use-live-readings.ts";

/** A device with its newest readings, as the judge takes it as well. */
export type DeviceNow = DeviceDetail & KindDevice;

/** A unit with its devices of a kind; the fields of a device are those of the first one, "" and empty without any. */
export type UnitNow = UnitDetail &
  KindDevice &
  Pick<DeviceDetail, "rejected"> & { readonly devices: readonly DeviceNow[]; more: KindDevice[] };

export interface LoadedUnit {
  unit: UnitNow | undefined;
  error: ApiError | undefined;
  loading: boolean;
  reload: () => void;
  stream: StreamState;
}

interface HeldDevice {
  device: DeviceDetail;
  readings: Readings;
}

/** Most devices of one kind in a unit; a unit of 500 pigs has two or three microphones. */
const mostDevices = 50;

export async function loadDevice(id: string, signal: AbortSignal): Promise<HeldDevice> {
  const [device, readings] = await Promise.all([
    call(deviceDetail, { query: { id }, signal, quiet: true }),
    call(deviceLatest, { query: { id }, signal, quiet: true }),
  ]);
  return { device, readings };
}

/** A device as the pages show it. */
export function deviceNow({ device, readings }: HeldDevice): DeviceNow {
  const reportedAtMs = newestMs(readings);
  return {
    ...device,
    deviceId: device.id,
    deviceName: device.name,
    readings,
    ...(reportedAtMs > 0 ? { reportedAtMs } : {}),
  };
}

/** A device with what came since it was loaded. */
export function withLive(held: HeldDevice, { readings, status }: LiveBatch): HeldDevice {
  const fresh = readings.get(held.device.id);
  const newStatus = status.get(held.device.id);
  if (!fresh && !newStatus) return held;
  return {
    device: newStatus ? { ...held.device, status: newStatus } : held.device,
    readings: fresh ? { ...held.readings, ...fresh } : held.readings,
  };
}

interface Loaded {
  unit: UnitDetail;
  devices: HeldDevice[];
}

async function load(kind: DeviceKindId, id: string, signal: AbortSignal): Promise<Loaded> {
  const query = { kind, unitId: id, current: 1, size: mostDevices };
  const [unit, page] = await Promise.all([
    call(unitOverview, { query: { id }, signal, quiet: true }),
    call(devicePage, { query, signal, quiet: true }),
  ]);
  const devices = await Promise.all(page.records.map((device) => loadDevice(device.id, signal)));
  return { unit, devices };
}

const noDevice: KindDevice = { deviceId: "", deviceName: "", status: "unactivated", readings: {} };

/** One unit with the newest readings of its devices of a kind, kept up to date by the live stream. */
export function useUnit(kind: DeviceKindId, id: string): LoadedUnit {
  const loaded = useLoad(id === "" ? undefined : `${kind} of unit ${id}`, (signal) => load(kind, id, signal));
  const [now, setNow] = useState<Loaded>();
  useEffect(() => setNow(loaded.value), [loaded.value]);
  const ids = useMemo(() => (loaded.value?.devices ?? []).map(({ device }) => device.id), [loaded.value]);
  const onBatch = useCallback(
    (batch: LiveBatch) =>
      setNow((before) => before && { ...before, devices: before.devices.map((held) => withLive(held, batch)) }),
    [],
  );
  const stream = useLiveReadings(ids, onBatch, loaded.reload);
  const shown = now?.unit.id === id ? now : undefined;
  const unit = useMemo((): UnitNow | undefined => {
    if (!shown) return undefined;
    const devices = shown.devices.map(deviceNow);
    const [first, ...more] = devices;
    const { deviceId, deviceName, status, readings, reportedAtMs, judgedBy } = first ?? noDevice;
    return {
      ...shown.unit,
      deviceId,
      deviceName,
      status,
      readings,
      ...(reportedAtMs === undefined ? {} : { reportedAtMs }),
      ...(judgedBy && { judgedBy }),
      rejected: first?.rejected ?? [],
      devices,
      more,
    };
  }, [shown]);
  return { unit, error: loaded.error, loading: loaded.loading, reload: loaded.reload, stream };
}
