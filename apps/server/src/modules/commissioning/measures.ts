import { randomInt } from "node:crypto";
import { type DeviceKind, deviceKinds, switchedS, trialS } from "@herdwise/device-kinds";
import { refuse } from "../../http/errors.ts";
import { accountScope, reachOf, type SystemScope, type TenantScope } from "../../tenant-scope.ts";
import type { CommandService } from "../commands/index.ts";
import type { MessageRepository } from "../messages/index.ts";
import { codeHashOf } from "./acts.ts";
import type { CommissioningRepository, ItemRow, TrialCommand } from "./commissioning.repository.ts";
import type { CommissioningService } from "./commissioning.service.ts";
import type { ReceiverRepository } from "./receiver.repository.ts";
import type { CommissioningParts, CommissioningProcess } from "./steps.ts";
import type { Trials } from "./trials.ts";

/** How long a test alarm is waited for, ms. */
const alarmWaitMs = 10 * 60_000;
/** Right of those to whom a test alarm can be sent: its message leads to the list. */
const viewCode = "commissioning_view";
const commissioningPath = "/selfCenter/equipmentManage/commissioning";

/** An SMS of a test alarm, as its job carries it. */
export interface TestSms {
  phoneEncrypted: string;
  text: string;
  textEn: string;
}

export interface MeasureDependencies {
  lists: CommissioningRepository;
  people: ReceiverRepository;
  process: CommissioningProcess;
  inTransaction: <T>(
    work: (
      parts: CommissioningParts & { messages: Pick<MessageRepository, "insert">; sms: (sms: TestSms) => Promise<void> },
    ) => Promise<T>,
  ) => Promise<T>;
  trials: Trials;
  commands: Pick<CommandService, "submit">;
  service: Pick<CommissioningService, "detail" | "settle">;
  /** Why a person is told, who has no session here. */
  towards: SystemScope;
  now: () => number;
  nextId: () => string;
}

/** The group of machines of an item. */
function groupOf({ kind, part }: ItemRow) {
  const declared: DeviceKind | undefined = kind === null ? undefined : deviceKinds[kind];
  return declared?.commissioning?.switched?.find(({ id }) => id === part);
}

/** Gives machines back to their controller, once for each trial. */
export const releaser =
  (commands: Pick<CommandService, "submit">) =>
  async (scope: TenantScope, { id, kind, deviceId, startMs }: ItemRow): Promise<void> => {
    const declared: DeviceKind | undefined = kind === null ? undefined : deviceKinds[kind];
    const method = declared?.commissioning?.release;
    if (method === undefined || deviceId === null) return;
    await commands.submit(scope, { deviceId, method, requestKey: `commissioning-${id}-${startMs}`, confirmed: true });
  };

/** Trials that the server begins: machines, test alarms, and what is read at once. */
export function createMeasures(dependencies: MeasureDependencies) {
  const { lists, people, process, inTransaction, trials, commands, service, towards, now, nextId } = dependencies;

  async function machines(scope: TenantScope, listId: string, item: ItemRow): Promise<void> {
    const group = groupOf(item);
    if (group === undefined || item.deviceId === null || item.kind === null) throw refuse("commissioning.act");
    const { deviceId } = item;
    const startMs = now();
    const keys = group.machines.map(({ key }) => key);
    const readings = await trials.before(scope, deviceId, keys);
    const endMs = startMs + trialS(deviceKinds[item.kind], switchedS) * 1000;
    const begin = (given: readonly TrialCommand[]) =>
      inTransaction(async (parts) => {
        const trial = { startMs, endMs, commands: given, reach: reachOf(scope) };
        const change = {
          id: item.id,
          by: scope.accountId,
          result: "running" as const,
          reason: "" as const,
          readings,
          trial,
        };
        await process.act(parts, {
          by: scope,
          party: "crew",
          row: listId,
          event: "begin_trial",
          take: () => ({ change: { item: change } }),
        });
      });
    // It stands there before anything moves: whoever dies in between leaves a trial that is ended, and its machines given back.
    await begin([]);
    const given: TrialCommand[] = [];
    for (const [at, { method, params, key, currentKey }] of group.machines.entries()) {
      const command = await commands.submit(
        scope,
        {
          deviceId,
          method,
          params,
          confirmed: true,
          timeoutS: switchedS,
          expiresInS: switchedS,
          requestKey: `commissioning-${item.id}-${key}-${startMs}`,
        },
        // One message for the group is enough.
        { quiet: at > 0 },
      );
      given.push({ key, ...(currentKey !== undefined && { currentKey }), commandId: command.id });
    }
    await begin(given);
  }

  async function alarm(scope: TenantScope, listId: string, item: ItemRow, accountId: string): Promise<void> {
    const person = (await people.receivers(scope, listId, viewCode)).find((one) => one.accountId === accountId);
    if (person === undefined) throw refuse("commissioning.receiver", { field: "accountId" });
    const code = String(randomInt(1000, 10_000));
    const startMs = now();
    await inTransaction(async (parts) => {
      const trial = {
        startMs,
        endMs: startMs + alarmWaitMs,
        reach: reachOf(scope),
        receiverId: accountId,
        codeHash: codeHashOf(code),
      };
      const change = { id: item.id, by: scope.accountId, result: "running" as const, reason: "" as const, trial };
      const { row } = await process.act(parts, {
        by: scope,
        party: "crew",
        row: listId,
        event: "begin_trial",
        take: () => ({ change: { item: change } }),
      });
      const place = `${row.houseName} ${row.unitName}`;
      const text = `【测试】${place} 的测试告警，不是真的。收到请点开消息确认，或把验证码 ${code} 告诉现场的人`;
      const textEn = `[TEST] Test alarm of ${place}, nothing is wrong. Open the message to confirm it, or tell the code ${code} to whoever is on site`;
      await parts.messages.insert(accountScope(towards, accountId), {
        id: nextId(),
        kind: "alarm",
        urgent: true,
        title: "【测试】测试告警",
        titleEn: "[TEST] Test alarm",
        content: text,
        contentEn: textEn,
        link: `${commissioningPath}?confirm=${item.id}`,
      });
      if (person.hasPhone) await parts.sms({ phoneEncrypted: person.phoneEncrypted, text, textEn });
    });
  }

  return {
    /** @throws {Refusal} without the right to give commands, or a confirmation, for machines */
    async measure(
      scope: TenantScope,
      { itemId, accountId = "", confirmed = false }: { itemId: string; accountId?: string; confirmed?: boolean },
      mayCommand: boolean,
    ) {
      const listId = await lists.listOf(scope, itemId);
      if (listId === undefined) throw refuse("commissioning.not_found");
      const [row, items] = await Promise.all([lists.find(scope, listId), lists.items(scope, listId)]);
      const item = items.find(({ id }) => id === itemId);
      if (row === undefined || item === undefined) throw refuse("commissioning.not_found");
      if (row.state !== "open") throw refuse("commissioning.state");
      switch (item.check) {
        case "link":
        case "settings":
          await service.settle(scope, listId, item, items, "crew");
          break;
        case "machines":
          if (!mayCommand) throw refuse("commissioning.no_commands");
          if (!confirmed) throw refuse("commissioning.confirm", { field: "confirmed" });
          if (item.result === "running") throw refuse("commissioning.running");
          await machines(scope, listId, item);
          break;
        case "alarm":
          await alarm(scope, listId, item, accountId);
          break;
        default:
          throw refuse("commissioning.act");
      }
      return service.detail(scope, listId);
    },

    receivers: async (scope: TenantScope, id: string) =>
      (await people.receivers(scope, id, viewCode)).map(({ phoneEncrypted: _phone, ...person }) => person),
  };
}
