import { type DeviceKindId, type KindDevice, type KindFarm, type KindUnit, kindOverview } from "@herdwise/contract";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { ApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import type { StreamState } from "../../shared/api/live-stream.ts";
import { addressOf } from "../../shared/api/send.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { isAskedAhead } from "../../shared/session/asked-ahead.ts";
import { readSession } from "../../shared/session/storage.ts";
import { useNow } from "../../shared/states/use-now.ts";
import { unlistedIn } from "./place-figures.ts";
import { type LiveBatch, newestMs, useLiveReadings } from "./use-live-readings.ts";

/** States change with age, too; every five seconds is often enough to say so. */
const judgeEveryMs = 5000;

/** The moment for which an overview is judged. */
export const useJudgedAt = (): number => Math.floor(useNow() / judgeEveryMs) * judgeEveryMs;

export interface OverviewNow {
  farms: readonly KindFarm[] | undefined;
  error: ApiError | undefined;
  loading: boolean;
  reload: () => void;
  stream: StreamState;
  /** Whether there is a device to follow. */
  followed: boolean;
  /** When the newest value on this page was measured. */
  newestAtMs: number | undefined;
}

/** A device with a batch applied; the same object when nothing in the batch concerns it, so that its tile is not redrawn. */
function withBatch<Device extends KindDevice>(device: Device, batch: LiveBatch): Device {
  const readings = batch.readings.get(device.deviceId);
  const status = batch.status.get(device.deviceId);
  if (!readings && !status) return device;
  const reportedAtMs = readings ? Math.max(device.reportedAtMs ?? 0, newestMs(readings)) : device.reportedAtMs;
  return {
    ...device,
    ...(status ? { status } : {}),
    ...(readings ? { readings: { ...device.readings, ...readings } } : {}),
    ...(reportedAtMs === undefined ? {} : { reportedAtMs }),
  };
}

function unitWithBatch(unit: KindUnit, batch: LiveBatch): KindUnit {
  const first = withBatch(unit, batch);
  const more = unit.more.map((device) => withBatch(device, batch));
  return more.every((device, at) => device === unit.more[at]) ? first : { ...first, more };
}

const applyBatch = (farms: readonly KindFarm[], batch: LiveBatch): KindFarm[] =>
  farms.map((farm) => ({
    ...farm,
    devices: farm.devices.map((device) => withBatch(device, batch)),
    houses: farm.houses.map((house) => ({ ...house, units: house.units.map((unit) => unitWithBatch(unit, batch)) })),
  }));

/** All devices of some farms, those of units and those of whole farms. */
const devicesOf = (farms: readonly KindFarm[]): KindDevice[] =>
  farms.flatMap((farm) => [
    ...farm.devices,
    ...farm.houses.flatMap((house) => house.units.flatMap((unit) => [unit, ...unit.more])),
  ]);

/** Figures of houses are asked for again this often: nothing tells of each device in them. */
const figuresEveryMs = 30_000;

/** So long a first picture waits for its values; without them it shows where they will be. */
const patienceMs = 1500;

/** The answer that the document asked for while the scripts were on their way, until a screen shows it. */
let ahead: { kind: DeviceKindId; answer: Promise<KindFarm[]>; farms?: KindFarm[] } | undefined;

/**
 * For the loader of the screen that is opened first: drawing it with its values at once is one drawing less than before them and
 * anew with them, which takes a phone a third of a second. Any other screen waits for nothing.
 */
export async function overviewAhead(kind: DeviceKindId): Promise<void> {
  if (!isAskedAhead(addressOf(kindOverview, { kind }), readSession()?.token)) return;
  const asked: typeof ahead = { kind, answer: call(kindOverview, { query: { kind }, quiet: true }) };
  ahead = asked;
  const known = asked.answer
    .then((farms) => {
      asked.farms = farms;
    })
    .catch(() => {
      // The screen asks again, and tells what is wrong.
      ahead = undefined;
    });
  await Promise.race([known, new Promise((resolve) => setTimeout(resolve, patienceMs))]);
}

const isTooLarge = (farms: readonly KindFarm[]): boolean => unlistedIn(farms).length > 0;

/**
 * All units of the tenant with the newest readings of a kind's devices, kept up to date by the live stream. Where there are too many, the units of a
 * place, and the others in figures.
 * @param place id of a farm or a house
 */
export function useOverview(kind: DeviceKindId, place?: string): OverviewNow {
  const first = ahead?.kind === kind ? ahead : undefined;
  const [isLarge, setLarge] = useState(isTooLarge(first?.farms ?? []));
  const asked = isLarge ? place : undefined;
  // What was asked for ahead names no place.
  const whole = asked === undefined ? first : undefined;
  const loaded = useLoad(
    `overview ${kind} ${asked ?? ""}`,
    (signal) =>
      whole?.answer ??
      call(kindOverview, { query: { kind, ...(asked !== undefined && { place: asked }) }, signal, quiet: true }),
    whole?.farms,
  );
  const [farms, setFarms] = useState<readonly KindFarm[] | undefined>(first?.farms);
  // What comes later is asked for anew.
  useEffect(() => {
    ahead = undefined;
  }, []);
  useEffect(() => {
    if (!loaded.value) return;
    setFarms(loaded.value);
    if (isTooLarge(loaded.value)) setLarge(true);
  }, [loaded.value]);
  const { reload } = loaded;
  useEffect(() => {
    if (!isLarge) return;
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), figuresEveryMs);
    return () => clearInterval(timer);
  }, [isLarge, reload]);

  const ids = useMemo(
    () => devicesOf(loaded.value ?? []).flatMap(({ deviceId }) => (deviceId === "" ? [] : [deviceId])),
    [loaded.value],
  );
  const onBatch = useCallback((batch: LiveBatch) => setFarms((now) => now && applyBatch(now, batch)), []);
  const stream = useLiveReadings(ids, onBatch, loaded.reload);
  const newestAtMs = useMemo(() => {
    const newest = devicesOf(farms ?? []).reduce((latest, device) => Math.max(latest, device.reportedAtMs ?? 0), 0);
    return newest === 0 ? undefined : newest;
  }, [farms]);
  return {
    farms,
    error: loaded.error,
    loading: loaded.loading,
    reload: loaded.reload,
    stream,
    followed: ids.length > 0,
    newestAtMs,
  };
}
