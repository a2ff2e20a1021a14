import type { CommissioningReading, CommissioningReason, CommissioningResult, JudgedBy } from "@herdwise/contract";
import { shanghaiMs } from "@herdwise/contract/shanghai";
import {
  type DeviceKind,
  deviceKinds,
  farmRules,
  knownForMs,
  type ReportedValue,
  type SensorTrial,
  settingsVerdict,
  switchedVerdict,
  type Verdict,
  verdictOf,
  warmedVerdict,
} from "@herdwise/device-kinds";
import type { TenantScope } from "../../tenant-scope.ts";
import type { CommandService } from "../commands/index.ts";
import type { DeviceService } from "../devices/index.ts";
import type { TelemetryService } from "../telemetry/index.ts";
import type { ItemRow } from "./commissioning.repository.ts";
import { linkKeysOf } from "./plan.ts";

/** What a trial found. */
export interface Finding {
  result: CommissioningResult;
  reason: CommissioningReason;
  readings: CommissioningReading[];
  said?: string;
}

/** How far back a reading may be that tells how it was before a trial, ms. */
const beforeMs = 10 * 60_000;

export interface TrialDependencies {
  devices: Pick<DeviceService, "detail" | "latest">;
  telemetry: Pick<TelemetryService, "series" | "parameters">;
  commands: Pick<CommandService, "detail">;
  now: () => number;
}

type PlacedItem = ItemRow & { deviceId: string; kind: NonNullable<ItemRow["kind"]> };
const isPlaced = (item: ItemRow): item is PlacedItem => item.deviceId !== null && item.kind !== null;

const isReported = (value: unknown): value is ReportedValue =>
  typeof value === "number" || typeof value === "boolean" || typeof value === "string";
const plainOf = (value: unknown): number | boolean | undefined =>
  typeof value === "number" || typeof value === "boolean" ? value : undefined;

/** The verdict on a device's value, by the rules of its kind and farm. Nothing is masked: a trial looks at the device, not at pigs. */
function judged(
  kind: DeviceKind,
  key: string,
  readings: Readonly<Record<string, { value: unknown }>>,
  toldMs: number,
  { judgedBy: by }: { judgedBy?: JudgedBy | undefined },
  nowMs: number,
): Verdict {
  const values = Object.fromEntries(
    Object.entries(readings).flatMap(([name, { value }]): [string, ReportedValue][] =>
      isReported(value) ? [[name, value]] : [],
    ),
  );
  return verdictOf(kind, key, values, {
    ageS: toldMs === 0 ? Number.POSITIVE_INFINITY : Math.max(0, (nowMs - toldMs) / 1000),
    mode: "normal",
    minuteOfDay: Math.floor((nowMs + shanghaiMs) / 60_000) % 1440,
    ...(by && { rules: farmRules(kind, by), parameters: by.parameters }),
  });
}

/** Reads and judges what a check is about. Nothing is written here. */
export function createTrials({ devices, telemetry, commands, now }: TrialDependencies) {
  /** Signal and clock; what did not come for three of its intervals is no value. */
  async function link(scope: TenantScope, { deviceId, kind: kindId }: PlacedItem): Promise<Finding> {
    const kind: DeviceKind = deviceKinds[kindId];
    const [device, latest] = await Promise.all([devices.detail(scope, deviceId), devices.latest(scope, deviceId)]);
    const newestMs = Math.max(0, ...Object.values(latest).map(({ ts }) => ts));
    const known = Object.fromEntries(
      Object.entries(latest).filter(([key, { ts }]) => newestMs - ts < knownForMs(kind, key)),
    );
    const found = linkKeysOf(kind).map((key) => ({ key, verdict: judged(kind, key, known, newestMs, device, now()) }));
    const isSilent = ({ state, standing }: Verdict): boolean => state === "unknown" || standing === "stale";
    const readings = found.map(({ key, verdict }): CommissioningReading => {
      const value = plainOf(verdict.value);
      const atMs = known[key]?.ts;
      return {
        deviceId,
        key,
        ...(value !== undefined && { after: value }),
        ...(atMs !== undefined && { atMs }),
        reason: verdict.reason,
        ...((isSilent(verdict) || verdict.state !== "ok") && { faulty: true }),
      };
    });
    if (!readings.some(({ faulty }) => faulty)) return { result: "passed", reason: "", readings };
    const reason = found.some(({ verdict }) => isSilent(verdict)) ? "no_value" : "out_of_limits";
    return { result: "failed", reason, readings };
  }

  async function settings(scope: TenantScope, { deviceId, kind: kindId }: PlacedItem): Promise<Finding> {
    const kind: DeviceKind = deviceKinds[kindId];
    const { desired, reported } = await telemetry.parameters(scope, deviceId);
    const verdict = settingsVerdict(kind.commissioning ?? {}, desired, reported);
    const others = verdict.result === "failed" ? (verdict.others ?? []) : [];
    const readings = (kind.commissioning?.settings ?? []).concat(others).map((key): CommissioningReading => {
      const value = plainOf(reported[key]);
      return {
        deviceId,
        key,
        ...(value !== undefined && { after: value }),
        ...(others.includes(key) && { faulty: true }),
      };
    });
    const shown = readings.filter(({ key }, at) => readings.findIndex((one) => one.key === key) === at);
    return verdict.result === "failed"
      ? { result: "failed", reason: verdict.reason, readings: shown }
      : { result: "passed", reason: "", readings: shown };
  }

  /** A sensor in a hand, beside all others of the unit; of stored values, so it does not matter when somebody looks. */
  async function probe(scope: TenantScope, item: PlacedItem, all: readonly ItemRow[]): Promise<Finding> {
    const startMs = item.startMs ?? now();
    const endMs = item.endMs ?? startMs;
    const sensors = all.filter(isPlaced).filter(({ check }) => check === "probe");
    const ids = [...new Set(sensors.map(({ deviceId }) => deviceId))];
    const keys = [...new Set(sensors.map(({ part }) => part))];
    const { series } = await telemetry.series(scope, {
      ids: ids.join(","),
      keys: keys.join(","),
      start: startMs - beforeMs,
      end: endMs + 1,
      resolution: "raw",
    });
    const trialOf = ({ deviceId, part }: PlacedItem): SensorTrial & { atMs?: number } => {
      const of = series.find(({ id, key }) => id === deviceId && key === part);
      const points = (of?.points ?? []).flatMap(([ts, value]): [number, number][] =>
        typeof ts === "number" && typeof value === "number" ? [[ts, value]] : [],
      );
      const after = points.filter(([ts]) => ts > startMs && ts <= endMs);
      const most = after.toSorted((a, b) => b[1] - a[1])[0];
      return {
        id: `${deviceId} ${part}`,
        before: points.findLast(([ts]) => ts <= startMs)?.[1],
        after: most?.[1],
        jumped: (of?.rejected ?? []).some(([, to]) => to > startMs),
        ...(most && { atMs: most[0] }),
      };
    };
    const trials = sensors.map((sensor) => ({ sensor, trial: trialOf(sensor) }));
    const own = trials.find(({ sensor }) => sensor.id === item.id)?.trial ?? trialOf(item);
    const others = trials.filter(({ sensor }) => sensor.id !== item.id).map(({ trial }) => trial);
    const verdict = warmedVerdict(own, others, now() > endMs + 5000);
    const faulty = new Set(verdict.result === "failed" ? (verdict.others ?? []) : []);
    const readings = trials.map(({ sensor, trial }): CommissioningReading => {
      const { after, before, atMs } = trial;
      const isFaulty = faulty.has(trial.id) || (verdict.result === "failed" && sensor.id === item.id);
      return {
        deviceId: sensor.deviceId,
        key: sensor.part,
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
        ...(atMs !== undefined && { atMs }),
        ...(isFaulty && { faulty: true }),
      };
    });
    return verdict.result === "failed"
      ? { result: "failed", reason: verdict.reason, readings }
      : { result: verdict.result, reason: "", readings };
  }

  /** Machines that commands switched on. */
  async function machines(scope: TenantScope, item: PlacedItem): Promise<Finding> {
    const { deviceId, commands: given, startMs, endMs } = item;
    const [latest, told] = await Promise.all([
      devices.latest(scope, deviceId),
      Promise.all(given.map(async (command) => ({ ...command, ...(await commands.detail(scope, command.commandId)) }))),
    ]);
    const sinceStart = (key: string | undefined): { value: unknown; ts: number } | undefined => {
      const reading = key === undefined ? undefined : latest[key];
      return reading && reading.ts >= (startMs ?? 0) ? reading : undefined;
    };
    const trials = told.map(({ key, currentKey, state }) => {
      const runs = sinceStart(key)?.value;
      const current = sinceStart(currentKey)?.value;
      return {
        id: key,
        accepted:
          state === "succeeded"
            ? true
            : ["failed", "timed_out", "expired", "cancelled"].includes(state)
              ? false
              : undefined,
        runs: typeof runs === "boolean" ? runs : undefined,
        currentA: typeof current === "number" ? current : undefined,
      };
    });
    // Whoever gave the commands died before they were written down.
    const isCut = given.length === 0 && now() > (endMs ?? 0);
    const verdict = isCut
      ? ({ result: "failed", reason: "command_failed" } as const)
      : given.length === 0
        ? ({ result: "running" } as const)
        : switchedVerdict(trials, now() > (endMs ?? 0));
    const others = new Set("others" in verdict ? verdict.others : []);
    const readings = trials.map(({ id, runs, currentA }): CommissioningReading => {
      const before = plainOf(item.readings.find(({ key }) => key === id)?.before);
      const atMs = sinceStart(id)?.ts;
      return {
        deviceId,
        key: id,
        ...(before !== undefined && { before }),
        ...(runs !== undefined && { after: runs }),
        ...(atMs !== undefined && { atMs }),
        ...(currentA !== undefined && { currentA }),
        ...(others.has(id) && { faulty: true }),
      };
    });
    if (verdict.result !== "failed") return { result: verdict.result, reason: "", readings };
    const said = told.find(({ error }) => error !== "")?.error ?? "";
    return { result: "failed", reason: verdict.reason, readings, said };
  }

  return {
    /**
     * What a check shows now.
     * @param all the items of its list, as a sensor is compared with the others of the unit
     */
    async find(scope: TenantScope, item: ItemRow, all: readonly ItemRow[]): Promise<Finding> {
      const unknown: Finding = { result: "running", reason: "", readings: [] };
      if (item.check === "alarm")
        return now() > (item.endMs ?? 0) ? { result: "failed", reason: "not_confirmed", readings: [] } : unknown;
      // The device left the unit's tenant meanwhile.
      if (!isPlaced(item)) return { result: "failed", reason: "no_value", readings: [] };
      if (item.check === "link") return link(scope, item);
      if (item.check === "settings") return settings(scope, item);
      if (item.check === "probe") return probe(scope, item, all);
      if (item.check === "machines") return machines(scope, item);
      return unknown;
    },

    /** What machines told before they are switched on. */
    async before(scope: TenantScope, deviceId: string, keys: readonly string[]): Promise<CommissioningReading[]> {
      const latest = await devices.latest(scope, deviceId);
      return keys.map((key) => {
        const value = plainOf(latest[key]?.value);
        return { deviceId, key, ...(value !== undefined && { before: value }) };
      });
    },
  };
}
export type Trials = ReturnType<typeof createTrials>;
