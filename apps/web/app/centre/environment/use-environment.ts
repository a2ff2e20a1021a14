import { type EnvironmentFarm, type EnvironmentUnit, environmentOverview } from "@herdwise/contract";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { ApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import type { StreamState } from "../../shared/api/live-stream.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { type LiveBatch, newestMs, useLiveReadings } from "./use-live-readings.ts";

export interface EnvironmentNow {
  farms: readonly EnvironmentFarm[] | undefined;
  error: ApiError | undefined;
  loading: boolean;
  reload: () => void;
  stream: StreamState;
  /** When the newest value on this page was measured. */
  newestAtMs: number | undefined;
}

/** A unit with a batch applied; the same object when nothing in the batch concerns it, so that its tile is not redrawn. */
function withBatch(unit: EnvironmentUnit, batch: LiveBatch): EnvironmentUnit {
  const readings = batch.readings.get(unit.deviceId);
  const status = batch.status.get(unit.deviceId);
  if (!readings && !status) return unit;
  const reportedAtMs = readings ? Math.max(unit.reportedAtMs ?? 0, newestMs(readings)) : unit.reportedAtMs;
  return {
    ...unit,
    ...(status ? { status } : {}),
    ...(readings ? { readings: { ...unit.readings, ...readings } } : {}),
    ...(reportedAtMs === undefined ? {} : { reportedAtMs }),
  };
}

const applyBatch = (farms: readonly EnvironmentFarm[], batch: LiveBatch): EnvironmentFarm[] =>
  farms.map((farm) => ({
    ...farm,
    houses: farm.houses.map((house) => ({ ...house, units: house.units.map((unit) => withBatch(unit, batch)) })),
  }));

/** All units of the tenant with their newest readings, kept up to date by the live stream. */
export function useEnvironment(): EnvironmentNow {
  const loaded = useLoad("environment", (signal) => call(environmentOverview, { signal, quiet: true }));
  const [farms, setFarms] = useState<readonly EnvironmentFarm[]>();
  useEffect(() => {
    if (loaded.value) setFarms(loaded.value);
  }, [loaded.value]);

  const ids = useMemo(
    () =>
      (loaded.value ?? []).flatMap((farm) =>
        farm.houses.flatMap((house) => house.units.map((unit) => unit.deviceId).filter((id) => id !== "")),
      ),
    [loaded.value],
  );
  const onBatch = useCallback((batch: LiveBatch) => setFarms((now) => now && applyBatch(now, batch)), []);
  const stream = useLiveReadings(ids, onBatch, loaded.reload);
  const newestAtMs = useMemo(() => {
    const newest = (farms ?? [])
      .flatMap((farm) => farm.houses.flatMap((house) => house.units))
      .reduce((latest, unit) => Math.max(latest, unit.reportedAtMs ?? 0), 0);
    return newest === 0 ? undefined : newest;
  }, [farms]);
  return { farms, error: loaded.error, loading: loaded.loading, reload: loaded.reload, stream, newestAtMs };
}
