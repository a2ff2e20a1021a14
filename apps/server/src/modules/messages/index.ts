import type { Platform, ServerModule } from "../../module.ts";
import type { MailSender } from "../../providers/mail/mail.ts";
import type { SmsSender } from "../../providers/sms/sms.ts";
import type { WechatSender } from "../../providers/wechat/wechat.ts";
import { accountScope, systemScope } from "../../tenant-scope.ts";
import type { HeldSettings } from "../settings/index.ts";
import { channelRepository } from "./channel.repository.ts";
import { createChannelService } from "./channel.service.ts";
import { deliveryRepository } from "./delivery.repository.ts";
import { createDeliveries } from "./delivery.service.ts";
import { messageRepository } from "./message.repository.ts";
import { messageRoutes } from "./message.routes.ts";
import { createMessageService, type MessageService } from "./message.service.ts";
import { wechatRoutes } from "./wechat.routes.ts";

export { type MessageRepository, messageRepository } from "./message.repository.ts";
export type { MessageService } from "./message.service.ts";
export { quietUntil } from "./quiet.ts";

export interface MessagesModule extends ServerModule {
  readonly service: MessageService;
  /** Leaves a message about the security of an account. @param link path in the portal; none where it is left out */
  notifyOfSecurity(accountId: string, title: string, content: string, link?: string): Promise<void>;
}

export interface MessagesModuleDependencies {
  sms: SmsSender;
  mail: MailSender;
  wechat: WechatSender;
  sends: { readonly sms: boolean; readonly mail: boolean };
  settings: HeldSettings;
}

const notices = systemScope("whose log-in was changed or locked is told, whoever did it");
const told = systemScope("what stands in a person's list is told by the ways that they chose, whoever wrote it");

/** Messages inside the portal, and the ways by which people are told of them outside. */
export function createMessagesModule(
  { config, kysely, inTransaction, store, personalCipher, nextId, now, warn }: Platform,
  { sms, mail, wechat, sends, settings }: MessagesModuleDependencies,
): MessagesModule {
  const messages = createMessageService(messageRepository(kysely), nextId);
  const shared = { sms, mail, wechat, cipher: personalCipher, nextId, now, portal: config.publicUrl };
  const channels = createChannelService({
    ...shared,
    channels: channelRepository(kysely),
    inOne: inTransaction(channelRepository),
    sends,
    store,
    tellInside: (to, title, content) => messages.send(to, "system", title, content),
    scope: told,
  });
  const deliveries = createDeliveries({
    ...shared,
    deliveries: deliveryRepository(kysely, told),
    onLeft: (openId) => channelRepository(kysely).setFollowing(told, personalCipher.indexes(openId), false),
    onError: warn("a message was not told outside the portal and is tried again"),
  });
  return {
    service: messages,
    notifyOfSecurity: (accountId, title, content, link) =>
      messages.send(accountScope(notices, accountId), "security", title, content, link),
    routes(router, http) {
      messageRoutes(router, messages, channels);
      wechatRoutes(router, http, { token: () => settings.wechat()?.token, now, heard: channels.heard });
    },
    jobs: [
      {
        name: "messages.sweep",
        schedule: "40 3 * * *",
        retries: 1,
        timeoutS: 300,
        run: () =>
          deliveryRepository(kysely, told).sweep(
            new Date(now() - settings.number("retention.messageDays") * 86_400_000),
          ),
      },
    ],
    async start() {
      deliveries.start();
    },
    stop: () => deliveries.stop(),
  };
}
