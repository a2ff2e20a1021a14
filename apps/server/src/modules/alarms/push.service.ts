import type { alarmPushSubmit, BodyOf } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import { WebhookFault, type WebhookSender } from "../../providers/webhook/webhook.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { AuditRepository } from "../audit/index.ts";
import type { PushRepository, PushRow } from "./push.repository.ts";
import { severityOf, severityRank } from "./severity.ts";

export interface PushDependencies {
  repository: PushRepository;
  inTransaction<T>(
    work: (transaction: { push: PushRepository; audit: Pick<AuditRepository, "append"> }) => Promise<T>,
  ): Promise<T>;
  webhook: WebhookSender;
  cipher: PersonalCipher;
  nextId: () => string;
}

/** What an entry of the audit trail says; never the address. */
const auditText = ({ enabled, leastSeverity, step }: PushRow): string =>
  `${enabled ? "on" : "off"}, from ${severityOf(leastSeverity)}, step ${step}`;

/** How people choose to be told of alarms. */
export function createPushService({ repository, inTransaction, webhook, cipher, nextId }: PushDependencies) {
  const addressOf = async (scope: TenantScope, channel: string): Promise<string> => {
    const held = (await repository.list(scope)).find((row) => row.channel === channel);
    if (held === undefined || held.addressEncrypted === "") throw refuse("push.no_address");
    return cipher.decrypt(held.addressEncrypted);
  };
  return {
    async list(scope: TenantScope) {
      const rows = await repository.list(scope);
      return rows.map(({ id: _id, addressEncrypted, leastSeverity, ...row }) => ({
        ...row,
        hasAddress: addressEncrypted !== "",
        leastSeverity: severityOf(leastSeverity),
      }));
    },

    async submit(scope: TenantScope, body: BodyOf<typeof alarmPushSubmit>): Promise<void> {
      const { channel, address, leastSeverity, farmIds = [], step = 1, quietFrom = 0, quietTo = 0, enabled } = body;
      const called = channel === "webhook" || channel === "wechat-robot";
      const held = (await repository.list(scope)).find((row) => row.channel === channel);
      let addressEncrypted = held?.addressEncrypted ?? "";
      if (called && address !== undefined && address !== "") {
        await webhook.check(address).catch((error: unknown) => {
          if (error instanceof WebhookFault) throw refuse("push.address", { field: "address" });
          throw error;
        });
        addressEncrypted = cipher.encrypt(address);
      }
      if (called && addressEncrypted === "") throw refuse("push.no_address", { field: "address" });
      const reached = await repository.farms(scope, farmIds);
      if (reached.length !== new Set(farmIds).size) throw refuse("push.farms", { field: "farmIds" });
      const row: PushRow = {
        id: nextId(),
        channel,
        addressEncrypted,
        leastSeverity: severityRank(leastSeverity),
        farmIds: reached,
        step,
        quietFrom,
        quietTo,
        enabled,
      };
      await inTransaction(async (to) => {
        await to.push.save(scope, row);
        const changes = [{ field: channel, before: held ? auditText(held) : "", after: auditText(row) }];
        const record = {
          resource: "alarm_push",
          rowId: held?.id ?? row.id,
          rowTitle: channel,
          action: "update",
          changes,
        } as const;
        await to.audit.append(scope.tenantId, scope, [record], nextId);
      });
    },

    /** @returns whether the test arrived, and what was wrong */
    async test(scope: TenantScope, channel: "webhook" | "wechat-robot"): Promise<{ arrived: boolean; fault: string }> {
      const address = await addressOf(scope, channel);
      try {
        if (channel === "webhook") await webhook.post(address, { type: "test" });
        else await webhook.robot(address, "Herdwise 慧牧 · test");
        return { arrived: true, fault: "" };
      } catch (error) {
        if (error instanceof WebhookFault) return { arrived: false, fault: error.message };
        throw error;
      }
    },
  };
}
export type PushService = ReturnType<typeof createPushService>;
