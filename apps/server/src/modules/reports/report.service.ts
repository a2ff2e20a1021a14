import {
  type Alarm,
  type AnalyticResult,
  type BodyOf,
  type DeviceKindId,
  deviceKindIds,
  type FarmReport,
  type QueryOf,
  type reportDetail,
  reportedAnalytics,
  type reportSubscribe,
} from "@herdwise/contract";
import { shanghaiDay, shanghaiMidnight } from "@herdwise/contract/shanghai";
import { deviceKinds } from "@herdwise/device-kinds";
import { refuse } from "../../http/errors.ts";
import type { MemberScope, TenantScope } from "../../tenant-scope.ts";
import type { AnalyticsService } from "../analytics/index.ts";
import type { FarmService } from "../farms/index.ts";
import type { ReportRepository } from "./report.repository.ts";
import { spanOf } from "./report-span.ts";

/** Rows of a list of a report. */
const shown = 20;
/** Rows of a figure that a report shows; more stand on the pages of the kinds. */
const shownRows = 3;
const severities = ["WARN", "MINOR", "MAJOR", "CRITICAL"] as const;

export interface ReportDependencies {
  repository: ReportRepository;
  analytics: Pick<AnalyticsService, "ofFarm">;
  /** Alarms by their ids, as everybody sees them, in the order of the ids. */
  alarmsOf: (scope: TenantScope, ids: readonly string[]) => Promise<Alarm[]>;
  farms: Pick<FarmService, "places">;
  devices: {
    placedOfKind(scope: TenantScope, kind: DeviceKindId): Promise<{ deviceId: string; unitId: string | null }[]>;
  };
  nextId: () => string;
  now: () => number;
}

const seconds = (acknowledgeS: number | null, clearS: number | null) => ({
  ...(acknowledgeS !== null && { acknowledgeS }),
  ...(clearS !== null && { clearS }),
});

/** Those of a device's results that a report tells, in its order. */
function toldOf(kind: DeviceKindId, results: readonly AnalyticResult[]): AnalyticResult[] {
  return [...reportedAnalytics[kind], "report_completeness"].flatMap((id) => {
    const found = results.find((result) => result.id === id);
    if (found === undefined) return [];
    const { grid: _, rows, ...figure } = found;
    return [{ ...figure, ...(rows && { rows: rows.slice(0, shownRows) }) }];
  });
}

/** Kinds whose figures are of the pigs themselves. */
const ofPigs: ReadonlySet<DeviceKindId> = new Set(["cough", "temperature"]);

/** Reports of farms. Their figures are those of the screens: nothing is worked out here that a screen works out, too. */
export function createReportService({
  repository,
  analytics,
  alarmsOf,
  farms,
  devices,
  nextId,
  now,
}: ReportDependencies) {
  const kindsOf = async (scope: TenantScope, farmId: string, span: { start: number; end: number }) => {
    const { units } = await farms.places(scope);
    const placeOf = new Map(units.map(({ id, houseName, name }) => [id, `${houseName} · ${name}`]));
    const told: FarmReport["kinds"] = [];
    // Empty now; those whose controller knew of pigs in that time were not empty then.
    const empty = new Set(units.filter(({ headCount }) => headCount === 0).map(({ id }) => id));
    const ids = deviceKindIds.toSorted((a, b) => deviceKinds[a].sort - deviceKinds[b].sort);
    // One kind after the other: a report may take its time, and others share the server with it.
    for (const kind of ids) {
      const [found, placed] = await Promise.all([
        analytics.ofFarm(scope, kind, farmId, span),
        devices.placedOfKind(scope, kind),
      ]);
      const unitOf = new Map(placed.map(({ deviceId, unitId }) => [deviceId, unitId]));
      if (found.length === 0) continue;
      if (kind === "environment")
        for (const { deviceId, results } of found)
          if (results.some(({ id, value }) => id === "comfort_time" && value !== undefined))
            empty.delete(unitOf.get(deviceId) ?? "");
      const isOfNoPigs = (deviceId: string): boolean => ofPigs.has(kind) && empty.has(unitOf.get(deviceId) ?? "");
      told.push({
        kind,
        devices: found.map(({ deviceId, deviceName, results, unreliable }) => ({
          deviceId,
          deviceName,
          place: placeOf.get(unitOf.get(deviceId) ?? "") ?? "",
          results: toldOf(kind, results).filter(({ id }) => id === "report_completeness" || !isOfNoPigs(deviceId)),
          ...(unreliable && { unreliable }),
        })),
      });
    }
    return told;
  };

  /** @returns the farm's name @throws {Refusal} 404 for a farm that the scope does not reach */
  const requireFarm = async (scope: TenantScope, farmId: string): Promise<string> => {
    const farmName = await repository.farmName(scope, farmId);
    if (farmName === undefined) throw refuse("farm.not_found");
    return farmName;
  };

  return {
    requireFarm,

    /**
     * The report of a farm for a day or the week that holds it.
     * @throws {Refusal} 404 for a farm that the scope does not reach, 400 for a time that has not begun or is too long ago
     */
    async detail(scope: TenantScope, { farmId, period, day }: QueryOf<typeof reportDetail>): Promise<FarmReport> {
      const farmName = await requireFarm(scope, farmId);
      const span = spanOf(period, day, now());
      if (span === undefined) throw refuse("report.day", { field: "day" });
      const range = { farmId, from: new Date(span.from), to: new Date(span.to) };
      const [{ units }, worst, counts, causes, offline, kinds] = await Promise.all([
        farms.places(scope),
        repository.worst(scope, range),
        repository.counts(scope, range),
        repository.causes(scope, range),
        repository.offline(scope, range),
        kindsOf(scope, farmId, { start: span.from, end: span.to }),
      ]);
      const own = units.filter((unit) => unit.farmId === farmId);
      const bySeverity = Object.fromEntries(
        severities.map((name, index) => [
          name,
          counts.severities.find(({ severity }) => severity === index + 1)?.count ?? 0,
        ]),
      ) as Record<(typeof severities)[number], number>;
      return {
        farmId,
        farmName,
        period,
        ...span,
        units: own.length,
        headCount: own.reduce((all, { headCount }) => all + headCount, 0),
        wrong: await alarmsOf(scope, worst),
        alarms: {
          total: counts.total,
          acknowledged: counts.acknowledged,
          ...bySeverity,
          ...seconds(counts.acknowledgeS, counts.clearS),
          causes: causes.map(({ severity, acknowledgeS, clearS, ...cause }) => ({
            ...cause,
            severity: severities[severity - 1] ?? "WARN",
            ...seconds(acknowledgeS, clearS),
          })),
        },
        offline: offline.slice(0, shown),
        offlineS: offline.reduce((all, device) => all + device.seconds, 0),
        kinds,
      };
    },

    subscriptions: (scope: MemberScope) => repository.subscriptions(scope),

    /** @throws {Refusal} 404 for a farm that the scope does not reach */
    async subscribe(
      scope: TenantScope,
      { farmId, period, minute, enabled }: BodyOf<typeof reportSubscribe>,
    ): Promise<void> {
      if ((await repository.farmName(scope, farmId)) === undefined) throw refuse("farm.not_found");
      if (!enabled) return repository.unsubscribe(scope, farmId, period);
      // The first one comes at its next time, and not for a time that has passed already.
      const nowMs = now();
      const today = shanghaiDay(nowMs);
      const begun = nowMs >= shanghaiMidnight(today) + minute * 60_000;
      const due = period === "day" ? today : (spanOf("week", today, nowMs)?.day ?? today);
      const passed = period === "day" ? begun : due < today || begun;
      const toldOn = passed ? due : shanghaiDay(shanghaiMidnight(due) - 1);
      await repository.subscribe(scope, { id: nextId(), farmId, period, minute, toldOn });
    },
  };
}
export type ReportService = ReturnType<typeof createReportService>;
