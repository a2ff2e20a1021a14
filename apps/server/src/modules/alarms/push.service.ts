import {
  type AlarmChannel,
  type alarmPushSubmit,
  type BodyOf,
  type LessWoken,
  mostLessWoken,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import { spend } from "../../providers/budget.ts";
import { MailFault, type MailSender } from "../../providers/mail/mail.ts";
import { SmsFault, type SmsSender } from "../../providers/sms/sms.ts";
import type { Store } from "../../providers/store.ts";
import { WebhookFault, type WebhookSender } from "../../providers/webhook/webhook.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { AuditRepository } from "../audit/index.ts";
import type { PushRepository, PushRow } from "./push.repository.ts";
import { type ReceiverRepository, type WakingRow, wakes } from "./receiver.repository.ts";
import { severityOf, severityRank } from "./severity.ts";

interface PushTransaction {
  push: PushRepository;
  receivers: ReceiverRepository;
  audit: Pick<AuditRepository, "append">;
}

export interface PushDependencies {
  repository: PushRepository;
  inTransaction<T>(work: (transaction: PushTransaction) => Promise<T>): Promise<T>;
  webhook: WebhookSender;
  sms: SmsSender;
  mail: MailSender;
  store: Store;
  /** Adds a message in the portal for the scope's account. */
  tellInside(scope: TenantScope, message: { title: string; content: string }): Promise<void>;
  cipher: PersonalCipher;
  /** Name of the brand. */
  brand: () => string;
  nextId: () => string;
}

/** Most tests by SMS, and by mail, that an account may send to itself per day. */
const testsADay = 5;
const testTitle = "这是一条测试通知";
const testContent = "收到它，就能收到告警。不用处理。";

/** Text of the audit trail, without the address. */
const auditText = ({ enabled, leastSeverity, step }: PushRow): string =>
  `${enabled ? "on" : "off"}, from ${severityOf(leastSeverity)}, step ${step}`;

/** Default subscriptions of people who may handle alarms; choosing another channel first does not change them. */
const firstChoices = [
  { channel: "site", leastSeverity: severityRank("MINOR") },
  { channel: "sms", leastSeverity: severityRank("CRITICAL") },
] as const satisfies readonly Pick<PushRow, "channel" | "leastSeverity">[];

/** A subscription for all farms from the first step, without quiet hours. */
const unlimited = { addressEncrypted: "", farmIds: [], step: 1, quietFrom: 0, quietTo: 0, enabled: true };

/**
 * What somebody has after a choice: what they had, with what people who may handle alarms and chose nothing begin with.
 * @param changed by channel
 */
export function afterChoice(
  held: readonly PushRow[],
  handles: boolean,
  changed: readonly PushRow[],
  nextId: () => string,
): PushRow[] {
  const first =
    handles && held.length === 0 && changed.length > 0
      ? firstChoices.map((one) => ({ ...unlimited, ...one, id: nextId() }))
      : [];
  return [...new Map([...held, ...first, ...changed].map((row) => [row.channel, row])).values()];
}

/** Farms for which an account was woken by a channel that no longer wakes it. */
function lessWoken(before: readonly WakingRow[], after: readonly WakingRow[]): { farmId: string; farmName: string }[] {
  const keyOf = ({ farmId, step, channel }: WakingRow): string => `${farmId}/${step}/${channel}`;
  const kept = new Set(after.map(keyOf));
  const lost = before.filter((row) => !kept.has(keyOf(row)));
  return [...new Map(lost.map(({ farmId, farmName }) => [farmId, { farmId, farmName }])).values()];
}

/** Names the people who are still woken for farms besides the scope's account, for the confirmation of a smaller choice. */
async function whoRemains(
  { receivers }: PushTransaction,
  scope: TenantScope,
  farms: readonly { farmId: string; farmName: string }[],
): Promise<LessWoken[]> {
  const named = farms.slice(0, mostLessWoken);
  const rows = await receivers.receivers(
    scope,
    named.map(({ farmId }) => farmId),
  );
  const others = rows.filter(({ accountId, channel }) => accountId !== scope.accountId && wakes(channel));
  const names = new Map(
    (await receivers.people(scope, [...new Set(others.map(({ accountId }) => accountId))])).map(
      ({ accountId, personName }) => [accountId, personName],
    ),
  );
  return named.map(({ farmId, farmName }) => {
    const ids = new Set(others.filter((row) => row.farmId === farmId).map(({ accountId }) => accountId));
    return { farmId, farmName, woken: [...ids].map((id) => names.get(id) ?? "").toSorted() };
  });
}

/** Subscriptions of people to alarms. */
export function createPushService({
  repository,
  inTransaction,
  webhook,
  sms,
  mail,
  store,
  tellInside,
  cipher,
  brand,
  nextId,
}: PushDependencies) {
  const addressOf = async (scope: TenantScope, channel: string): Promise<string> => {
    const held = (await repository.list(scope)).find((row) => row.channel === channel);
    if (held === undefined || held.addressEncrypted === "") throw refuse("push.no_address");
    return cipher.decrypt(held.addressEncrypted);
  };
  /** Contact of the account for a test; tests by SMS and mail cost money or trust, so they are limited. */
  const contactFor = async (scope: TenantScope, channel: "sms" | "mail"): Promise<string> => {
    const { phoneEncrypted, emailEncrypted } = await repository.contacts(scope);
    const held = channel === "sms" ? phoneEncrypted : emailEncrypted;
    if (held === "") throw refuse(channel === "sms" ? "push.no_phone" : "push.no_mail");
    if (!(await spend(store, `alarm-test:${channel}:${scope.accountId}`, [{ max: testsADay, windowS: 86_400 }])))
      throw refuse("push.tests_used", { values: { most: testsADay } });
    return cipher.decrypt(held);
  };

  /**
   * Makes the function that sends a test by a channel.
   * @throws Refusal without an address to send it to
   */
  const testOf = async (scope: TenantScope, channel: AlarmChannel): Promise<() => Promise<void>> => {
    switch (channel) {
      case "site":
        return () => tellInside(scope, { title: testTitle, content: testContent });
      case "sms": {
        const phone = await contactFor(scope, channel);
        return () => sms.send({ phone, kind: "alarm", variables: { count: "1", alarm: testTitle } });
      }
      case "mail": {
        const to = await contactFor(scope, channel);
        return () => mail.send({ to, subject: testTitle, text: testContent });
      }
      case "webhook": {
        const address = await addressOf(scope, channel);
        return () => webhook.post(address, { type: "test" });
      }
      case "wechat-robot": {
        const address = await addressOf(scope, channel);
        return () => webhook.robot(address, `${brand()} · test`);
      }
    }
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
      const { confirmed = false } = body;
      const called = channel === "webhook" || channel === "wechat-robot";
      const rows = await repository.list(scope);
      const held = rows.find((row) => row.channel === channel);
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
        const before = await to.receivers.ownWaking(scope);
        for (const saved of afterChoice(rows, before.handles, [row], nextId))
          if (!rows.includes(saved)) await to.push.save(scope, saved);
        if (before.handles && !confirmed) {
          const less = lessWoken(before.rows, (await to.receivers.ownWaking(scope)).rows);
          if (less.length > 0)
            // The choice was only saved to compute its effect, and is rolled back with the transaction.
            throw refuse("push.confirm", {
              field: "confirmed",
              more: { farms: await whoRemains(to, scope, less), farmCount: less.length },
            });
        }
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

    /**
     * Sends a test of what an alarm would send.
     * @returns whether it was accepted, and what failed
     */
    async test(scope: TenantScope, channel: AlarmChannel): Promise<{ arrived: boolean; fault: string }> {
      const send = await testOf(scope, channel);
      try {
        await send();
        return { arrived: true, fault: "" };
      } catch (error) {
        if (error instanceof WebhookFault || error instanceof SmsFault || error instanceof MailFault)
          return { arrived: false, fault: error.message };
        throw error;
      }
    },
  };
}
export type PushService = ReturnType<typeof createPushService>;
