import type { BodyOf, DeviceKindId, SimulatorDetail, simulatorStart } from "@herdwise/contract";
import { deviceKinds, isDeviceKindId } from "@herdwise/device-kinds";
import { refuse } from "../../http/errors.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { SimulatedDeviceRow, simulatorRepository } from "./simulator.repository.ts";
import type { SimulatorControl } from "./simulator-control.ts";

type CatalogueEntry = ReturnType<SimulatorControl["catalogue"]>[number];
type Choice = BodyOf<typeof simulatorStart>;

export interface SimulatorServiceDependencies {
  repository: ReturnType<typeof simulatorRepository>;
  /** Absent on a server that starts no simulator. */
  control: SimulatorControl | undefined;
  now: () => number;
}

export function createSimulatorService({ repository, control, now }: SimulatorServiceDependencies) {
  const listed = (scope: TenantScope): Promise<SimulatedDeviceRow[]> =>
    control?.running()
      ? repository.devices(
          scope,
          control.devices().map(({ serialNumber }) => serialNumber),
        )
      : Promise.resolve([]);

  const expected = (
    kinds: readonly DeviceKindId[],
    { alarms, minutes }: Pick<CatalogueEntry, "alarms" | "minutes">,
  ): SimulatorDetail["scenarios"][number]["expects"] =>
    kinds.flatMap((kind) =>
      alarms.flatMap(({ rule, severity, under = "", suppressed = false }) => {
        const declared = deviceKinds[kind].alarmRules.find(({ id }) => id === rule);
        if (declared === undefined) return [];
        const { name, severity: usual } = declared;
        const afterMin = minutes[kind]?.[rule] ?? -1;
        return [{ kind, rule, name, severity: severity ?? usual, under, suppressed, afterMin }];
      }),
    );

  const view = async (scope: TenantScope, rows: readonly SimulatedDeviceRow[]): Promise<SimulatorDetail> => {
    if (!control?.running()) return { running: false, scenarios: [], devices: [] };
    const atMs = now();
    const catalogue = control.catalogue();
    const rulesOf = new Map(catalogue.map(({ name, alarms }) => [name, new Set(alarms.map(({ rule }) => rule))]));
    // It tells when something is started or stopped; what ends by itself is known by its end.
    const bySerial = new Map(
      control
        .devices()
        .map(({ serialNumber, running }) => [
          serialNumber,
          running.filter(({ endsAtMs }) => endsAtMs === null || endsAtMs > atMs),
        ]),
    );
    const since = rows.flatMap(({ id, serialNumber }) => {
      const begun = (bySerial.get(serialNumber) ?? []).map(({ startedAtMs }) => startedAtMs);
      return begun.length > 0 ? [{ deviceId: id, atMs: Math.min(...begun) }] : [];
    });
    const raised = since.length === 0 ? [] : await repository.alarmsSince(scope, since);
    const raisedOn = Map.groupBy(raised, ({ deviceId }) => deviceId);
    return {
      running: true,
      scenarios: catalogue.map(({ alarms, minutes, ...scenario }) => {
        const kinds = scenario.kinds.filter(isDeviceKindId);
        return { ...scenario, kinds, expects: expected(kinds, { alarms, minutes }) };
      }),
      devices: rows.map((row) => ({
        ...row,
        runs: (bySerial.get(row.serialNumber) ?? []).map(({ scenario, speed, startedAtMs, endsAtMs }) => ({
          scenario,
          speed,
          elapsedS: Math.max(0, Math.round((atMs - startedAtMs) / 1000)),
          leftS: endsAtMs === null ? -1 : Math.round((endsAtMs - atMs) / 1000),
          raised: (raisedOn.get(row.id) ?? [])
            .filter(({ ruleId, raisedMs }) => raisedMs >= startedAtMs && rulesOf.get(scenario)?.has(ruleId))
            .map(({ ruleId, id, raisedMs, ended }) => ({
              rule: ruleId,
              id,
              afterS: Math.round((raisedMs - startedAtMs) / 1000),
              ended,
            })),
        })),
      })),
    };
  };

  const change = async (scope: TenantScope, what: "start" | "stop", choice: Choice): Promise<SimulatorDetail> => {
    if (!control?.running()) throw refuse("simulator.not_running");
    const rows = await listed(scope);
    const scenario = control.catalogue().find(({ name }) => name === choice.scenario);
    if (scenario === undefined) throw refuse("simulator.unknown_scenario", { values: { name: choice.scenario } });
    const chosen = rows.filter(
      ({ id, unitId }) =>
        id === choice.deviceId || (choice.unitId !== undefined && choice.unitId !== "" && unitId === choice.unitId),
    );
    if (chosen.length === 0) throw refuse("simulator.device");
    const fitting = chosen.filter(({ kind }) => scenario.kinds.includes(kind));
    if (fitting.length === 0) throw refuse("simulator.unsuitable");
    if ((choice.speed ?? 1) !== 1 && !scenario.hastens) throw refuse("simulator.no_faster");
    for (const { serialNumber } of fitting) {
      const problem = await control.ask(what, serialNumber, choice.scenario, choice.speed);
      if (problem !== undefined) throw refuse("simulator.failed", { values: { problem } });
    }
    return view(scope, rows);
  };

  return {
    detail: async (scope: TenantScope): Promise<SimulatorDetail> => view(scope, await listed(scope)),
    start: (scope: TenantScope, choice: Choice) => change(scope, "start", choice),
    stop: (scope: TenantScope, choice: Choice) => change(scope, "stop", choice),
  };
}
export type SimulatorService = ReturnType<typeof createSimulatorService>;
