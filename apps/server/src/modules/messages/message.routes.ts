import {
  messageChannelTest,
  messageCornerMark,
  messageCounts,
  messageDetail,
  messageGroups,
  messagePage,
  messageRemove,
  messageSettings,
  messageSettingsSubmit,
  messageUpdateStatus,
  wechatBindBegin,
  wechatBindCheck,
  wechatUnbind,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { ChannelService } from "./channel.service.ts";
import type { MessageService } from "./message.service.ts";

export function messageRoutes(router: Router, messages: MessageService, channels: ChannelService): void {
  router.on(messagePage, ({ session, query }) => messages.page(session, query));
  router.on(messageGroups, ({ session, query }) => messages.groups(session, query));
  router.on(messageDetail, ({ session, query }) => messages.detail(session, query.id));
  router.on(messageCounts, ({ session }) => messages.counts(session));
  router.on(messageUpdateStatus, async ({ session, query, body }) => {
    const { status = 1, ...named } = { ...body, ...query };
    await messages.setStatus(session, named, status);
    return {};
  });
  router.on(messageRemove, async ({ session, query, body }) => {
    await messages.remove(session, { ...body, ...query });
    return {};
  });
  router.on(messageCornerMark, ({ session }) => messages.unread(session));

  router.on(messageSettings, ({ session }) => channels.detail(session));
  router.on(messageSettingsSubmit, async ({ session, body }) => {
    await channels.submit(session, body);
    return {};
  });
  router.on(messageChannelTest, ({ session, body }) => channels.test(session, body.channel));
  router.on(wechatBindBegin, ({ session }) => channels.bindBegin(session));
  router.on(wechatBindCheck, ({ session }) => channels.bindCheck(session));
  router.on(wechatUnbind, async ({ session }) => {
    await channels.unbind(session);
    return {};
  });
}
