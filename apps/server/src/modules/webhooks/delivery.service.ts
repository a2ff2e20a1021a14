import type { WebhookBody, WebhookFaultReason } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { WebhookFault, type WebhookSender } from "../../providers/webhook/webhook.ts";
import { repeat } from "../../repeat.ts";
import type { SecretCipher } from "../../secret-cipher.ts";
import { systemScope, type TenantScope } from "../../tenant-scope.ts";
import type { AuditRepository } from "../audit/index.ts";
import { newSecret, signedHeaders } from "./signature.ts";
import type { DeliveryRow, DueDelivery, Outcome, WebhookRepository } from "./webhook.repository.ts";

interface Parts {
  hooks: WebhookRepository;
  audit: Pick<AuditRepository, "append">;
  /** Leaves a message for everybody in the tenant who manages its webhooks. */
  tellManagers(tenantId: string, webhookId: string): Promise<void>;
}

export interface DeliveryDependencies {
  repository: WebhookRepository;
  inTransaction<T>(work: (parts: Parts) => Promise<T>): Promise<T>;
  sender: Pick<WebhookSender, "deliver">;
  cipher: SecretCipher;
  now: () => number;
  nextId: () => string;
  onError: (error: unknown) => void;
}

/** Seconds until the next try after each failed one; after the last the message has failed. */
export const retryWaitsS = [10, 60, 300, 1800, 7200, 21_600, 43_200, 86_400] as const;
/** A webhook that has not worked for so many days is turned off. */
const failingDays = 5;
const lookMs = 1000;
/** Messages under way on this server, and of one webhook, so that one that hangs holds up no other. */
const mostAtOnce = 50;
const mostOfHook = 4;
/** No other server takes a message for this time, which is longer than a try takes; after a kill it is sent again then. */
const leaseS = 60;
/** Presence of devices is compared every so many looks. */
const looksToPresence = 5;

const outbox = systemScope("what happened is told to the addresses of its tenant, whoever did it");

/** Sends what the outbox of webhooks holds, and serves its log. */
export function createDeliveries({
  repository,
  inTransaction,
  sender,
  cipher,
  now,
  nextId,
  onError,
}: DeliveryDependencies) {
  const underWay = new Map<Promise<void>, string>();
  let looks = 0;
  let end: (() => Promise<void>) | undefined;

  /** One try. */
  const attempt = async ({ id, body, attempts, address, sealedSecret }: DueDelivery): Promise<Outcome> => {
    const text = JSON.stringify(body);
    const headers = signedHeaders(cipher.decrypt(sealedSecret), `msg_${id}`, Math.floor(now() / 1000), text);
    const begunMs = performance.now();
    const took = () => Math.round(performance.now() - begunMs);
    const retryS = retryWaitsS[attempts - 1];
    try {
      const { status, text: answer } = await sender.deliver(address, text, headers);
      // PostgreSQL stores no zero byte.
      const shown = answer.replaceAll("\0", "");
      return { delivered: status >= 200 && status <= 299, status, answer: shown, tookMs: took(), retryS };
    } catch (error) {
      if (!(error instanceof WebhookFault)) throw error;
      return { delivered: false, status: 0, answer: error.reason, tookMs: took(), retryS };
    }
  };

  const send = async (due: DueDelivery): Promise<void> => {
    const outcome = await attempt(due);
    const gone = outcome.status === 410;
    await inTransaction(async ({ hooks, tellManagers }) => {
      await hooks.settle(outbox, due.id, outcome);
      await hooks.noteHealth(outbox, due.webhookId, outcome.delivered);
      if (outcome.delivered) return;
      if (await hooks.stop(outbox, due.webhookId, { days: failingDays, gone }))
        await tellManagers(due.tenantId, due.webhookId);
    });
  };

  const look = async (): Promise<void> => {
    if (looks % looksToPresence === 0) await repository.tellPresence(outbox);
    looks += 1;
    const limit = mostAtOnce - underWay.size;
    if (limit <= 0) return;
    const counts = Map.groupBy(underWay.values(), (hook) => hook);
    const busy = [...counts].flatMap(([hook, of]) => (of.length >= mostOfHook ? [hook] : []));
    for (const due of await repository.take(outbox, { leaseS, limit, perHook: mostOfHook, busy })) {
      const work: Promise<void> = send(due)
        .catch(onError)
        .finally(() => underWay.delete(work));
      underWay.set(work, due.webhookId);
    }
  };

  const view = ({ createdAt, triedAt, nextAt, body, ...row }: DeliveryRow) => ({
    ...row,
    id: `msg_${row.id}`,
    createTime: createdAt,
    triedTime: triedAt,
    nextTime: row.state === "waiting" ? nextAt : null,
    body: JSON.stringify(body),
    // Where there was no answer, its place holds the reason.
    answer: row.status === 0 ? "" : row.answer,
    fault: (row.status === 0 ? row.answer : "") as WebhookFaultReason | "",
  });

  /** Tries a message at once and answers how that went; what waited goes on waiting where it fails. */
  const tryNow = async (scope: TenantScope, webhookId: string, id: string) => {
    const held = await repository.find(scope, id);
    const due = held && (await repository.takeOne(scope, id, webhookId, leaseS));
    if (held === undefined || due === undefined) throw refuse("row.not_found");
    const { retryS, ...outcome } = await attempt(due);
    await repository.settle(outbox, id, { ...outcome, retryS: held.state === "waiting" ? retryS : undefined });
    const row = await repository.find(scope, id);
    if (row === undefined) throw refuse("row.not_found");
    return view(row);
  };

  const hookOf = async (scope: TenantScope, id: string) => {
    const hook = await repository.nameOf(scope, id);
    if (hook === undefined) throw refuse("row.not_found");
    return hook;
  };
  const requireSecret = async (scope: TenantScope, id: string): Promise<void> => {
    if (!(await hookOf(scope, id)).hasSecret) throw refuse("webhook.no_secret");
  };

  return {
    look,
    async page(
      scope: TenantScope,
      query: Parameters<typeof pageRequest>[0] & Parameters<WebhookRepository["page"]>[1],
    ) {
      const request = pageRequest(query, []);
      const { rows, total } = await repository.page(scope, query, request);
      return pageOfRows(rows.map(view), total, request);
    },

    /** @returns the new secret, which is stored sealed and shown never again */
    async newSecret(scope: TenantScope, id: string): Promise<{ secret: string }> {
      const { name } = await hookOf(scope, id);
      const secret = newSecret();
      await inTransaction(async ({ hooks, audit }) => {
        if (!(await hooks.setSecret(scope, id, cipher.encrypt(secret)))) throw refuse("row.not_found");
        const changes = [{ field: "secret", before: null, after: "new" }];
        await audit.append(
          scope.tenantId,
          scope,
          [{ resource: "webhook", rowId: id, rowTitle: name, action: "update" as const, changes }],
          nextId,
        );
      });
      return { secret };
    },

    async tryOut(scope: TenantScope, id: string) {
      await requireSecret(scope, id);
      const body: WebhookBody = { type: "test", timestamp: new Date(now()).toISOString(), data: { webhookId: id } };
      const made = await repository.addTest(scope, id, body);
      if (made === undefined) throw refuse("row.not_found");
      return tryNow(scope, id, made);
    },

    async resend(scope: TenantScope, { id, webhookId }: { id: string; webhookId: string }) {
      await requireSecret(scope, webhookId);
      return tryNow(scope, webhookId, id.replace(/^msg_/, ""));
    },

    sweep: () => repository.sweep(outbox),
    start(): void {
      end = repeat(look, lookMs, onError);
    },
    async stop(): Promise<void> {
      await end?.();
      await Promise.all(underWay.keys());
    },
  };
}
