import { type BodyOf, type commandPage, type commandSubmit, commandTimes, type QueryOf } from "@herdwise/contract";
import { type Command, checkCommandFields, deviceKinds, type Problem } from "@herdwise/device-kinds";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { AuditRepository } from "../audit/index.ts";
import type { DeviceService } from "../devices/index.ts";
import type { CommandRepository } from "./command.repository.ts";

/** Commands of one device that may be unfinished. */
const openCommands = 100;

/** What a kind says is wrong with a value, as the wire has it: the Chinese words, with the English beside them. */
export const wireProblems = (problems: readonly Problem[], reason: "command.invalid" | "parameter.problems") => ({
  values: { count: problems.length },
  problems: problems.map(({ path, zh }) => ({ field: path, reason, text: zh, values: {} })),
  more: { english: problems.map(({ path, en }) => ({ field: path, text: en })) },
});

export interface CommandDependencies {
  repository: CommandRepository;
  devices: Pick<DeviceService, "detail">;
  /** Runs in one transaction with its entry of the audit trail. */
  withAudit: <T>(
    work: (parts: { commands: CommandRepository; audit: Pick<AuditRepository, "append"> }) => Promise<T>,
  ) => Promise<T>;
  nextId: () => string;
  /** Tells the servers that a command waits. */
  wake: (deviceId: string) => void;
  onChanged: (deviceId: string, commandId: string, state: "queued" | "cancelled") => void;
  /** Tells the owners of the tenant that a machine in a barn was moved, or a protection stopped. */
  announce: (scope: TenantScope, what: { command: string; device: string }) => Promise<void>;
}

/** Commands that people give to devices. */
export function createCommandService(dependencies: CommandDependencies) {
  const { repository, devices, withAudit, nextId, wake, onChanged, announce } = dependencies;

  const found = async (scope: TenantScope, id: string) => {
    const command = await repository.detail(scope, id);
    if (command === undefined) throw refuse("command.not_found");
    return command;
  };

  /** @throws unless the kind declares the command, and it takes these parameters */
  const requireDeclared = (declared: Command | undefined, { method, params = {} }: BodyOf<typeof commandSubmit>) => {
    if (declared === undefined) throw refuse("command.unknown", { values: { method } });
    const problems: Problem[] = checkCommandFields(declared.fields, params);
    for (const key of Object.keys(params)) {
      if (!declared.fields.some((field) => field.key === key))
        problems.push({ path: key, zh: `没有参数“${key}”`, en: `There is no parameter “${key}”` });
    }
    if (problems.length > 0) throw refuse("command.invalid", wireProblems(problems, "command.invalid"));
    return declared;
  };

  return {
    /**
     * Queues a command. The same `requestKey` again answers the command that it gave.
     * @param quiet the owners are told of another command of the same piece of work
     * @throws when the kind does not declare it, a parameter is out of range, or it moves machines and was not confirmed
     */
    async submit(scope: TenantScope, body: BodyOf<typeof commandSubmit>, { quiet = false } = {}) {
      const device = await devices.detail(scope, body.deviceId);
      const { deviceId, method, params = {}, oneWay = false, requestKey } = body;
      const declared = requireDeclared(
        deviceKinds[device.kind].commands.find((command) => command.method === method),
        body,
      );
      if (requestKey !== undefined) {
        const held = await repository.byKey(scope, requestKey);
        if (held !== undefined) {
          if (held.deviceId !== deviceId || held.method !== method) throw refuse("command.duplicate_key");
          return held;
        }
      }
      if (declared.confirm && body.confirmed !== true)
        throw refuse("command.confirm", { values: { name: declared.name.zh }, field: "confirmed" });
      if ((await repository.open(scope, deviceId)) >= openCommands)
        throw refuse("command.too_many", { values: { max: openCommands } });
      const id = nextId();
      const { timeoutS = commandTimes.timeout.usual, expiresInS = commandTimes.expiry.usual } = body;
      const isNew = await withAudit(async ({ commands, audit }) => {
        const inserted = await commands.insert(scope, {
          id,
          deviceId,
          method,
          params,
          oneWay,
          timeoutS,
          expiresInS,
          requestKey,
        });
        if (inserted) {
          const changes = Object.entries({ method, ...params }).map(([field, after]) => ({
            field,
            before: null,
            after,
          }));
          const record = {
            resource: "device_command",
            rowId: deviceId,
            rowTitle: device.name,
            action: "create" as const,
          };
          await audit.append(scope.tenantId, scope, [{ ...record, changes }], nextId);
        }
        return inserted;
      });
      if (!isNew) {
        const held = requestKey === undefined ? undefined : await repository.byKey(scope, requestKey);
        if (held === undefined) throw refuse("device.not_found");
        return held;
      }
      onChanged(deviceId, id, "queued");
      wake(deviceId);
      if (declared.confirm && !quiet) await announce(scope, { command: declared.name.zh, device: device.name });
      return found(scope, id);
    },

    async page(scope: TenantScope, query: QueryOf<typeof commandPage>) {
      const request = pageRequest(query, []);
      const { rows, total } = await repository.page(scope, query, request);
      return pageOfRows(rows, total, request);
    },

    detail: found,

    async cancel(scope: TenantScope, id: string) {
      const { deviceId, deviceName, method } = await found(scope, id);
      const isCancelled = await withAudit(async ({ commands, audit }) => {
        if (!(await commands.cancel(scope, id))) return false;
        const record = { resource: "device_command", rowId: deviceId, rowTitle: deviceName, action: "undo" as const };
        const changes = [{ field: "method", before: method, after: null }];
        await audit.append(scope.tenantId, scope, [{ ...record, changes }], nextId);
        return true;
      });
      if (!isCancelled) throw refuse("command.not_open");
      onChanged(deviceId, id, "cancelled");
      wake(deviceId);
      return found(scope, id);
    },
  };
}
export type CommandService = ReturnType<typeof createCommandService>;
