import { randomBytes } from "node:crypto";
import {
  type BodyOf,
  type MessageChannel,
  messageChannels,
  messageKinds,
  type messageSettingsSubmit,
  noDigest,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import { spend } from "../../providers/budget.ts";
import { MailFault, type MailSender } from "../../providers/mail/mail.ts";
import { SmsFault, type SmsSender } from "../../providers/sms/sms.ts";
import type { Store } from "../../providers/store.ts";
import type { WechatEvent } from "../../providers/wechat/callback.ts";
import { WechatFault, type WechatSender } from "../../providers/wechat/wechat.ts";
import { type AccountScope, accountScope, type SystemScope } from "../../tenant-scope.ts";
import type { ChannelRepository } from "./channel.repository.ts";

export interface ChannelDependencies {
  channels: ChannelRepository;
  inOne<T>(work: (channels: ChannelRepository) => Promise<T>): Promise<T>;
  sms: SmsSender;
  mail: MailSender;
  wechat: WechatSender;
  /** What the installation can send by. */
  sends: { readonly sms: boolean; readonly mail: boolean };
  store: Store;
  cipher: PersonalCipher;
  nextId: () => string;
  now: () => number;
  /** Address of the portal, without a slash at the end. */
  portal: string;
  /** Leaves a message in the list. */
  tellInside(to: AccountScope, title: string, content: string): Promise<void>;
  /** Work without a session: what the service of WeChat tells, keys that changed. */
  scope: SystemScope;
}

/** Tries that an account may send itself in a day by a channel that costs. */
const testsADay = 5;
/** How long a QR code binds, s. */
const bindS = 600;
const testTitle = "这是一条测试消息";
const testContent = "收到它，就能收到消息。不用处理。";
const sceneKey = (scene: string): string => `wechat:bind:${scene}`;
/** How people choose to be told, and how they bind their WeChat. Everything but the service's calls is limited to one account. */
export function createChannelService(dependencies: ChannelDependencies) {
  const { channels, inOne, sms, mail, wechat, sends, store, cipher, nextId, now, portal, tellInside, scope } =
    dependencies;

  const opened = (encrypted: string): string => (encrypted === "" ? "" : cipher.decrypt(encrypted));
  const bind = (owner: AccountScope, openId: string): Promise<void> =>
    channels.bindWechat(owner, cipher.encrypt(openId), cipher.index(openId));

  /** What sends a try. @throws {Refusal} where there is nowhere to send it to */
  const testOf = async (owner: AccountScope, channel: MessageChannel): Promise<() => Promise<void>> => {
    if (channel === "site") return () => tellInside(owner, testTitle, testContent);
    const { phoneEncrypted, emailEncrypted, openIdEncrypted } = await channels.contacts(owner);
    const to = { sms: phoneEncrypted, mail: emailEncrypted, wechat: openIdEncrypted }[channel];
    if (to === "")
      throw refuse(
        ({ sms: "messages.no_phone", mail: "messages.no_mail", wechat: "messages.no_wechat" } as const)[channel],
      );
    if (!(await spend(store, `message-test:${channel}:${owner.accountId}`, [{ max: testsADay, windowS: 86_400 }])))
      throw refuse("messages.tests_used", { values: { most: testsADay } });
    switch (channel) {
      case "sms":
        return () => sms.send({ phone: opened(to), kind: "message", variables: { count: "1", title: testTitle } });
      case "mail":
        return () => mail.send({ to: opened(to), subject: testTitle, text: `${testContent}\n${portal}` });
      case "wechat":
        return () =>
          wechat.send({
            openId: opened(to),
            title: testTitle,
            content: testContent,
            at: new Date(now()),
            url: `${portal}/selfCenter/news`,
            messageId: nextId(),
          });
    }
  };

  return {
    async detail(owner: AccountScope) {
      const [choices, settings, contacts, tries] = await Promise.all([
        channels.choices(owner),
        channels.settings(owner),
        channels.contacts(owner),
        channels.lastTries(owner),
      ]);
      const bound: Readonly<Record<MessageChannel, boolean>> = {
        site: true,
        sms: contacts.phoneEncrypted !== "",
        mail: contacts.emailEncrypted !== "",
        wechat: contacts.openIdEncrypted !== "",
      };
      const available: Readonly<Record<MessageChannel, boolean>> = { site: true, ...sends, wechat: wechat.available };
      return {
        kinds: messageKinds.map((kind) => ({
          kind,
          channels: messageChannels.flatMap((channel) => {
            const choice = choices.find((one) => one.kind === kind && one.channel === channel);
            return choice ? [{ channel, enabled: choice.enabled, locked: choice.locked }] : [];
          }),
        })),
        channels: messageChannels.map((channel) => {
          const last = tries.find((one) => one.channel === channel);
          return {
            channel,
            available: available[channel],
            bound: bound[channel],
            phone: channel === "sms" ? opened(contacts.phoneEncrypted) : "",
            email: channel === "mail" ? opened(contacts.emailEncrypted) : "",
            lastTime: last?.lastTime ?? null,
            failed: last?.failed ?? false,
          };
        }),
        quietFrom: settings.quietFrom,
        quietTo: settings.quietTo,
        digestAt: settings.digestAt ?? noDigest,
      };
    },

    async submit(owner: AccountScope, body: BodyOf<typeof messageSettingsSubmit>): Promise<void> {
      await inOne(async (to) => {
        const offered = await to.choices(owner);
        for (const { kind, channel, enabled } of body.choices ?? []) {
          const of = offered.find((one) => one.kind === kind && one.channel === channel);
          if (of === undefined) throw refuse("messages.not_offered");
          if (of.locked && !enabled) throw refuse("messages.locked");
          if (!of.locked) await to.choose(owner, kind, channel, enabled);
        }
        const { quietFrom, quietTo, digestAt } = body;
        if (quietFrom === undefined && quietTo === undefined && digestAt === undefined) return;
        const held = await to.settings(owner);
        await to.saveSettings(owner, {
          quietFrom: quietFrom ?? held.quietFrom,
          quietTo: quietTo ?? held.quietTo,
          digestAt: digestAt === undefined ? held.digestAt : digestAt === noDigest ? null : digestAt,
        });
        await to.hurry(owner);
      });
    },

    /** Sends a try. @returns whether it was taken, and what was wrong */
    async test(owner: AccountScope, channel: MessageChannel): Promise<{ arrived: boolean; fault: string }> {
      const send = await testOf(owner, channel);
      try {
        await send();
        return { arrived: true, fault: "" };
      } catch (error) {
        if (error instanceof SmsFault || error instanceof MailFault || error instanceof WechatFault)
          return { arrived: false, fault: error.message };
        throw error;
      }
    },

    async bindBegin(owner: AccountScope) {
      if (!wechat.available) throw refuse("messages.wechat_off");
      if (wechat.sandbox) {
        await bind(owner, `demo-${owner.accountId}`);
        return { ticket: "", code: "", expiresIn: bindS };
      }
      const scene = randomBytes(24).toString("base64url");
      await store.set(sceneKey(scene), owner.accountId, bindS);
      return { ticket: scene, code: await wechat.invite(scene, bindS), expiresIn: bindS };
    },

    bindCheck: async (owner: AccountScope) => ({ bound: (await channels.contacts(owner)).openIdEncrypted !== "" }),

    unbind: (owner: AccountScope): Promise<void> => channels.unbindWechat(owner),

    /** What the service tells of a user: a scanned code binds once, who leaves is told nothing more. */
    async heard({ openId, event, scene }: WechatEvent): Promise<void> {
      const indexes = cipher.indexes(openId);
      if (event === "unsubscribe") return channels.setFollowing(scope, indexes, false);
      if (event !== "subscribe" && event !== "SCAN") return;
      await channels.setFollowing(scope, indexes, true);
      const accountId = scene === "" ? undefined : await store.take(sceneKey(scene));
      if (accountId !== undefined) await bind(accountScope(scope, accountId), openId);
    },
  };
}
export type ChannelService = ReturnType<typeof createChannelService>;
