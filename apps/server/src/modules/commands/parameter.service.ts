import {
  type BodyOf,
  parameterExpiry,
  type parameterHistory,
  type parameterPeers,
  type parameterSubmit,
  type QueryOf,
  type unitModeSubmit,
  washingTime,
} from "@herdwise/contract";
import { checkParameter, type DeviceKindId, deviceKinds, isDeviceKindId, type Problem } from "@herdwise/device-kinds";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { type SystemScope, systemScope, type TenantScope } from "../../tenant-scope.ts";
import type { AuditRecord, AuditRepository } from "../audit/index.ts";
import type { DeviceService } from "../devices/index.ts";
import { wireProblems } from "./command.service.ts";
import type { ModeChange, ParameterChange, ParameterRepository } from "./parameter.repository.ts";

/** Characters of JSON of all settings of a device together: what fits into one message to it. */
const largestSettings = 64 * 1024;
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, held: unknown) =>
    typeof held === "object" && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1)))
      : held,
  );
const same = (a: unknown, b: unknown): boolean => canonical(a ?? null) === canonical(b ?? null);

interface Parts {
  parameters: ParameterRepository;
  audit: Pick<AuditRepository, "append">;
  /** Tells the owners of a unit's tenant that its mode ended by itself, in the same transaction. */
  announceEnd(change: ModeChange): Promise<void>;
}

export interface ParameterDependencies {
  repository: ParameterRepository;
  devices: Pick<DeviceService, "detail" | "requireOwned" | "page">;
  withAudit: <T>(work: (parts: Parts) => Promise<T>) => Promise<T>;
  nextId: () => string;
  /** Tells the servers that settings wait. */
  wake: (deviceId: string) => void;
  /** Something became of a device's settings. */
  onChanged: (deviceId: string) => void;
  /** Tells the owners of the tenant that the alarms of a unit are masked. */
  announceMode: (scope: TenantScope, what: { mode: string; unit: string; endsMs: number | undefined }) => Promise<void>;
}

/** Devices that settings are compared with at once. */
const mostPeers = 500;

/** Units whose washing ends in one transaction. */
const endedTogether = 50;
const byTheClock = systemScope("washing ends by itself in whichever unit its time is over");

/** Modes that mask alarms. */
const masks = (mode: unknown): boolean => mode === "empty" || mode === "washing";

/** What devices shall run with: the desired values, which go to the devices as shared attributes. */
export function createParameterService(dependencies: ParameterDependencies) {
  const { repository, devices, withAudit, nextId, wake, onChanged, announceMode } = dependencies;

  /**
   * Writes the changes of one device into the transaction. What the device did not follow counts as a change, too.
   * @param expiresInS how long the device is waited for; undefined waits without an end
   * @returns how many there were
   */
  const write = async (
    { parameters }: Pick<Parts, "parameters">,
    scope: TenantScope | SystemScope,
    device: { id: string; name: string },
    values: Readonly<Record<string, unknown>>,
    records: AuditRecord[],
    expiresInS: number | undefined,
  ): Promise<number> => {
    const desired = await parameters.desired(scope, device.id);
    if (desired === undefined) throw refuse("device.not_found");
    const again = new Set(await parameters.unfollowed(scope, device.id));
    const changes: ParameterChange[] = Object.entries(values)
      .filter(([key, value]) => !same(desired[key], value) || again.has(key))
      .map(([key, value]) => ({ id: nextId(), key, before: desired[key], after: value ?? undefined }));
    if (changes.length === 0) return 0;
    if (JSON.stringify({ ...desired, ...values }).length > largestSettings)
      throw refuse("parameter.too_large", { values: { max: largestSettings / 1024 } });
    await parameters.change(scope, device.id, changes, expiresInS);
    records.push({
      resource: "device_parameter",
      rowId: device.id,
      rowTitle: device.name,
      action: "update",
      changes: changes.map(({ key, before, after }) => ({ field: key, before: before ?? null, after: after ?? null })),
    });
    return changes.length;
  };

  /** Wants the controllers of a unit to run in its mode. @returns their ids */
  const tellControllers = async (
    parts: Pick<Parts, "parameters">,
    scope: TenantScope | SystemScope,
    unitId: string,
    mode: string,
    records: AuditRecord[],
  ): Promise<string[]> => {
    const told: string[] = [];
    for (const device of await parts.parameters.devicesOfUnit(scope, unitId)) {
      if (!isDeviceKindId(device.kind) || !deviceKinds[device.kind].parameters.some(({ key }) => key === "mode"))
        continue;
      // The unit is in its new mode from now on: its controllers follow whenever they come.
      await write(parts, scope, device, { mode }, records, undefined);
      told.push(device.id);
    }
    return told;
  };
  const hurry = (deviceIds: readonly string[]): void => {
    for (const deviceId of deviceIds) {
      onChanged(deviceId);
      wake(deviceId);
    }
  };

  /** Without what devices are told beside their settings, such as which firmware is offered. */
  const declaredOf = (kind: DeviceKindId) => new Set(deviceKinds[kind].parameters.map(({ key }) => key));
  const statusOf = async (scope: TenantScope, deviceId: string, kind: DeviceKindId) => {
    const declared = declaredOf(kind);
    return (await repository.status(scope, deviceId)).filter(({ key }) => declared.has(key));
  };

  return {
    /** @throws when a key is none of the kind's, a value breaks its rules, or nothing is different */
    async submit(scope: TenantScope, body: BodyOf<typeof parameterSubmit>) {
      const { deviceId, values, confirmed, expiresInS = parameterExpiry.usual } = body;
      const { kind, name, unitId } = await devices.detail(scope, deviceId);
      const problems: Problem[] = [];
      for (const [key, value] of Object.entries(values)) {
        const parameter = deviceKinds[kind].parameters.find((declared) => declared.key === key);
        if (parameter === undefined) throw refuse("parameter.unknown", { values: { key }, field: key });
        if (value === null) continue;
        for (const { path, ...words } of checkParameter(parameter, value))
          problems.push({ path: path === "" ? key : `${key}.${path}`, ...words });
      }
      if (problems.length > 0) throw refuse("parameter.problems", wireProblems(problems, "parameter.problems"));
      // The unit's mode masks and ends; a device that masks by itself would be forgotten.
      if (masks(values.mode) && unitId) throw refuse("parameter.mode_of_unit", { field: "mode" });
      if (masks(values.mode) && confirmed !== true) throw refuse("parameter.confirm", { field: "confirmed" });
      await withAudit(async (parts) => {
        const records: AuditRecord[] = [];
        if ((await write(parts, scope, { id: deviceId, name }, values, records, expiresInS)) === 0)
          throw refuse("parameter.unchanged");
        await parts.audit.append(scope.tenantId, scope, records, nextId);
      });
      onChanged(deviceId);
      wake(deviceId);
      if (masks(values.mode)) await announceMode(scope, { mode: String(values.mode), unit: name, endsMs: undefined });
      return statusOf(scope, deviceId, kind);
    },

    async status(scope: TenantScope, deviceId: string) {
      const { kind } = await devices.detail(scope, deviceId);
      return statusOf(scope, deviceId, kind);
    },

    async history(scope: TenantScope, query: QueryOf<typeof parameterHistory>) {
      await devices.requireOwned(scope, [query.id]);
      const request = pageRequest(query, []);
      const { rows, total } = await repository.history(scope, query.id, request);
      return pageOfRows(rows, total, request);
    },

    async peers(scope: TenantScope, { kind }: QueryOf<typeof parameterPeers>) {
      const declared = declaredOf(kind);
      const only = (values: Record<string, unknown>) =>
        Object.fromEntries(Object.entries(values).filter(([key]) => declared.has(key)));
      const { records } = await devices.page(scope, { kind, current: 1, size: mostPeers });
      const held = await repository.values(
        scope,
        records.map(({ id }) => id),
      );
      const byDevice = new Map(held.map((values) => [values.deviceId, values]));
      return records.flatMap(({ id, name, farmName, houseName, unitName, status }) => {
        const values = byDevice.get(id);
        if (values === undefined) return [];
        const { deviceId: _device, desired, reported, ...counts } = values;
        const place = { farmName: farmName ?? "", houseName: houseName ?? "", unitName: unitName ?? "" };
        return [{ id, name, ...place, status, desired: only(desired), reported: only(reported), ...counts }];
      });
    },

    /** Changes a unit's mode and what its controllers are wanted to run in, all or nothing. */
    async setUnitMode(scope: TenantScope, { unitId, mode, confirmed, endsInS }: BodyOf<typeof unitModeSubmit>) {
      if (masks(mode) && confirmed !== true) throw refuse("parameter.confirm", { field: "confirmed" });
      if (mode !== "washing" && endsInS !== undefined) throw refuse("parameter.ends_washing", { field: "endsInS" });
      const washesS = mode === "washing" ? (endsInS ?? washingTime.usual) : undefined;
      const unit = await withAudit(async (parts) => {
        const changed = await parts.parameters.setUnitMode(scope, unitId, mode, washesS);
        if (changed === undefined) throw refuse("unit.not_found");
        const records: AuditRecord[] = [
          {
            resource: "unit_mode",
            rowId: unitId,
            rowTitle: changed.name,
            action: "update",
            changes: [
              { field: "mode", before: changed.before, after: mode },
              ...(washesS === undefined ? [] : [{ field: "endsInS", before: null, after: washesS }]),
            ],
          },
        ];
        const told = await tellControllers(parts, scope, unitId, mode, records);
        await parts.audit.append(scope.tenantId, scope, records, nextId);
        return { ...changed, told };
      });
      hurry(unit.told);
      const endsMs = unit.endsMs ?? undefined;
      if (masks(mode) && (unit.before !== mode || endsMs !== undefined))
        await announceMode(scope, { mode, unit: unit.name, endsMs });
      return { unitId, mode, ...(endsMs !== undefined && { modeEndsMs: endsMs }), deviceIds: unit.told };
    },

    /** Ends washing whose time is over: the unit, its controllers, the audit trail and the message to its owners in one. */
    async endModes(): Promise<void> {
      for (let ended = endedTogether; ended === endedTogether; ) {
        const told: string[] = [];
        ended = await withAudit(async (parts) => {
          const changes = await parts.parameters.endModes(byTheClock, endedTogether);
          for (const change of changes) {
            const { id, tenantId, name, before, after } = change;
            const records: AuditRecord[] = [
              {
                resource: "unit_mode",
                rowId: id,
                rowTitle: name,
                action: "update",
                changes: [{ field: "mode", before, after }],
              },
            ];
            told.push(...(await tellControllers(parts, byTheClock, id, after, records)));
            await parts.audit.append(tenantId, byTheClock, records, nextId);
            await parts.announceEnd(change);
          }
          return changes.length;
        });
        hurry(told);
      }
    },
  };
}
export type ParameterService = ReturnType<typeof createParameterService>;
