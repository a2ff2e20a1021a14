import { messageCornerMark, messagePage, messageRemove, messageUpdateStatus } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { MessageService } from "./message.service.ts";

export function messageRoutes(router: Router, messages: MessageService): void {
  router.on(messagePage, ({ session, query }) => messages.page(session, query));
  router.on(messageUpdateStatus, async ({ session, query, body }) => {
    await messages.setStatus(session, query.ids ?? body.ids, query.status ?? body.status ?? 1);
    return {};
  });
  router.on(messageRemove, async ({ session, query, body }) => {
    await messages.remove(session, query.ids ?? body.ids);
    return {};
  });
  router.on(messageCornerMark, ({ session }) => messages.unread(session));
}
