import type { BodyOf, SimulatorDetail, simulatorStart } from "@herdwise/contract";
import { isDeviceKindId } from "@herdwise/device-kinds";
import { refuse } from "../../http/errors.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { SimulatedDeviceRow, simulatorRepository } from "./simulator.repository.ts";
import type { SimulatorControl } from "./simulator-control.ts";

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

  const view = (rows: readonly SimulatedDeviceRow[]): SimulatorDetail => {
    if (!control?.running()) return { running: false, scenarios: [], devices: [] };
    const atMs = now();
    const bySerial = new Map(control.devices().map((device) => [device.serialNumber, device.running]));
    return {
      running: true,
      scenarios: control
        .catalogue()
        .map(({ kinds, ...scenario }) => ({ ...scenario, kinds: kinds.filter(isDeviceKindId) })),
      devices: rows.map((row) => ({
        ...row,
        runs: (bySerial.get(row.serialNumber) ?? [])
          // It tells when something is started or stopped; what ends by itself is known by its end.
          .filter(({ endsAtMs }) => endsAtMs === null || endsAtMs > atMs)
          .map(({ scenario, startedAtMs, endsAtMs }) => ({
            scenario,
            elapsedS: Math.max(0, Math.round((atMs - startedAtMs) / 1000)),
            leftS: endsAtMs === null ? -1 : Math.round((endsAtMs - atMs) / 1000),
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
    for (const { serialNumber } of fitting) {
      const problem = await control.ask(what, serialNumber, choice.scenario);
      if (problem !== undefined) throw refuse("simulator.failed", { values: { problem } });
    }
    return view(rows);
  };

  return {
    detail: async (scope: TenantScope): Promise<SimulatorDetail> => view(await listed(scope)),
    start: (scope: TenantScope, choice: Choice) => change(scope, "start", choice),
    stop: (scope: TenantScope, choice: Choice) => change(scope, "stop", choice),
  };
}
export type SimulatorService = ReturnType<typeof createSimulatorService>;
