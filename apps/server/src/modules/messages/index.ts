import type { Platform, ServerModule } from "../../module.ts";
import { accountScope, systemScope } from "../../tenant-scope.ts";
import { messageRepository } from "./message.repository.ts";
import { messageRoutes } from "./message.routes.ts";
import { createMessageService, type MessageService } from "./message.service.ts";

export { type MessageRepository, messageRepository } from "./message.repository.ts";
export type { MessageService } from "./message.service.ts";

export interface MessagesModule extends ServerModule {
  readonly service: MessageService;
  /** Leaves a message about the security of an account. */
  notifyOfSecurity(accountId: string, title: string, content: string): Promise<void>;
}

const notices = systemScope("whose log-in was changed or locked is told, whoever did it");

export function createMessagesModule({ kysely, nextId }: Platform): MessagesModule {
  const messages = createMessageService(messageRepository(kysely), nextId);
  return {
    service: messages,
    notifyOfSecurity: (accountId, title, content) =>
      messages.send(accountScope(notices, accountId), "security", title, content),
    routes: (router) => messageRoutes(router, messages),
  };
}
