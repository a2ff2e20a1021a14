import { webhookDeliveryPage, webhookResend, webhookSecret, webhooks, webhookTry } from "@herdwise/contract";
import type { ServerModule } from "../../module.ts";
import { createWebhookSender } from "../../providers/webhook/webhook.ts";
import { type ResourceContext, resourceModule } from "../../resources/index.ts";
import { createSecretCipher } from "../../secret-cipher.ts";
import { accountScope, systemScope } from "../../tenant-scope.ts";
import type { HoldersOf } from "../access/index.ts";
import { auditRepository } from "../audit/index.ts";
import { messageRepository } from "../messages/index.ts";
import { type HeldSettings, networksOf } from "../settings/index.ts";
import { createDeliveries } from "./delivery.service.ts";
import { webhookRepository } from "./webhook.repository.ts";

export { retryWaitsS } from "./delivery.service.ts";

const editCode = "webhook_edit";
const managers = systemScope("who manages a tenant's webhooks is told that one was turned off");

/** Events of a tenant, sent to its addresses with a signature (decision 0710). */
export function createWebhooksModule(
  context: ResourceContext,
  { settings, holdersOf }: { settings: HeldSettings; holdersOf: HoldersOf },
): ServerModule {
  const { kysely, inTransaction, secretKey, now, nextId, warn } = context.platform;
  const deliveries = createDeliveries({
    repository: webhookRepository(kysely),
    inTransaction: inTransaction((db) => ({
      hooks: webhookRepository(db),
      audit: auditRepository(db),
      async tellManagers(tenantId: string, webhookId: string) {
        for (const accountId of await holdersOf(managers, tenantId, editCode, db))
          await messageRepository(db).insert(accountScope(managers, accountId), {
            id: nextId(),
            kind: "system",
            title: "一个推送地址停用了",
            content: "您的系统一直收不到消息。请检查接收地址，再重新启用。",
            link: `${webhooks.menu.path}?row=${webhookId}`,
          });
      },
    })),
    sender: createWebhookSender({ allowedNetworks: () => networksOf(settings) }),
    cipher: createSecretCipher(secretKey, "webhooks"),
    now,
    nextId,
    onError: warn("webhooks were not sent and are tried again"),
  });
  const list = resourceModule(context, webhooks);
  return {
    ...list,
    async routes(router, http) {
      await list.routes?.(router, http);
      router.on(webhookDeliveryPage, ({ scope, query }) => deliveries.page(scope, query));
      router.on(webhookSecret, ({ scope, body }) => deliveries.newSecret(scope, body.id));
      router.on(webhookTry, ({ scope, body }) => deliveries.tryOut(scope, body.id));
      router.on(webhookResend, ({ scope, body }) => deliveries.resend(scope, body));
    },
    jobs: [
      ...(list.jobs ?? []),
      { name: "webhooks.sweep", schedule: "55 3 * * *", retries: 1, timeoutS: 300, run: () => deliveries.sweep() },
    ],
    start: async () => deliveries.start(),
    stop: () => deliveries.stop(),
  };
}
