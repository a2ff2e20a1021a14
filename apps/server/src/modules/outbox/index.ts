import type { SendServices } from "@herdwise/contract";
import type { WechatConfig } from "../../config.ts";
import type { Platform, ServerModule } from "../../module.ts";
import { type MailSender, noMail, smtpMail } from "../../providers/mail/mail.ts";
import { smsService } from "../../providers/sms/service.ts";
import { noSms, OutOfMoney, type SmsSender } from "../../providers/sms/sms.ts";
import { noVoice, type VoiceCall, type VoiceCaller, voiceService } from "../../providers/voice/voice.ts";
import { officialAccount, wechatEndpoint } from "../../providers/wechat/official-account.ts";
import { noWechat, type WechatSender } from "../../providers/wechat/wechat.ts";
import type { HeldSettings } from "../settings/index.ts";
import { moneyRepository } from "./money.repository.ts";
import { outboxRepository } from "./outbox.repository.ts";
import { outboxRoutes } from "./outbox.routes.ts";
import { createOutboxService } from "./outbox.service.ts";
import { outcomeRepository } from "./outcome.repository.ts";

export interface OutboxModule extends ServerModule {
  readonly sms: SmsSender;
  readonly mail: MailSender;
  readonly voice: VoiceCaller;
  readonly wechat: WechatSender;
  /** What the installation can send by, or shows in the outbox. */
  readonly sends: { readonly sms: boolean; readonly mail: boolean };
  /** How the services stand by which alarms wake people. */
  services(): Promise<SendServices>;
  /** Whether /dev/outbox shows what would have been sent. */
  readonly shown: boolean;
}

/** Makes something anew only when what it is made of is another. */
function remade<Of, Made>(make: (of: Of) => Made): (of: Of) => Made {
  let held: { from: string; made: Made } | undefined;
  return (of) => {
    const from = JSON.stringify(of);
    if (held?.from !== from) held = { from, made: make(of) };
    return held.made;
  };
}

/** How SMS and mails leave the server: by the configured services, or into the outbox of the demo. */
export function createOutboxModule(
  { config, kysely, personalCipher, nextId, now, warn }: Platform,
  settings: HeldSettings,
): OutboxModule {
  const outbox = createOutboxService({
    repository: outboxRepository(kysely),
    cipher: personalCipher,
    nextId,
    sign: settings.brand,
    portal: config.publicUrl,
  });
  // Without a service the demo shows what it would send; a real installation refuses rather than pretends.
  const shown = config.demo && config.sms === undefined && config.mailUrl === undefined;
  const unsent = shown ? outbox : { sms: noSms, mail: noMail, voice: noVoice, wechat: noWechat };
  const money = moneyRepository(kysely);
  const outcomes = outcomeRepository(kysely);
  const unnotedOutcome = warn("how a service answered was not noted");
  const unnoted = warn("whether a service has money was not noted");
  /** The same, with what the service says of its money noted for whoever can mend it. */
  const noting =
    <Message>(channel: "sms" | "voice", send: (message: Message) => Promise<void>) =>
    async (message: Message): Promise<void> => {
      try {
        await send(message);
      } catch (error) {
        if (error instanceof OutOfMoney) await money.note(channel, error.message).catch(unnoted);
        throw error;
      }
      // What was sent stays sent, whether or not the note goes.
      await money.forget(channel).catch(unnoted);
    };
  const smsBy = remade(smsService);
  const mailBy = remade(({ url, from }: { url: string; from: string }) => smtpMail(url, from));
  // Looked up at each message, because administrators set the services while the server runs.
  const smsNow = (): SmsSender => {
    const choice = settings.sms();
    return choice === undefined ? unsent.sms : smsBy(choice);
  };
  const mailNow = (): MailSender => {
    const server = settings.mail();
    return server === undefined ? unsent.mail : mailBy(server);
  };
  /** The same, with how the service answered noted for the checks of the installation. */
  const watched =
    <Message>(service: string, send: (message: Message) => Promise<void>) =>
    async (message: Message): Promise<void> => {
      try {
        await send(message);
      } catch (error) {
        await outcomes.failed(service, (error as Error).message).catch(unnotedOutcome);
        throw error;
      }
      await outcomes.succeeded(service).catch(unnotedOutcome);
    };
  const voiceBy = remade(voiceService);
  const voiceNow = (): VoiceCaller => {
    const choice = settings.voice();
    return choice === undefined ? unsent.voice : voiceBy(choice);
  };
  const noteSms = noting("sms", (message: Parameters<SmsSender["send"]>[0]) => smsNow().send(message));
  const noteVoice = noting("voice", (call: VoiceCall) => voiceNow().call(call));
  const wechatBy = remade((of: WechatConfig) =>
    officialAccount({ ...of, endpoint: of.endpoint ?? wechatEndpoint, now }),
  );
  const wechatNow = (): WechatSender => {
    const account = settings.wechat();
    return account === undefined ? unsent.wechat : wechatBy(account);
  };
  return {
    sms: { send: (message) => (settings.sms() === undefined ? noteSms : watched("sms", noteSms))(message) },
    mail: {
      send: (mail) => (settings.mail() === undefined ? unsent.mail.send(mail) : watched("mail", mailNow().send)(mail)),
    },
    voice: { call: (call) => (settings.voice() === undefined ? noteVoice : watched("voice", noteVoice))(call) },
    wechat: {
      get available() {
        return wechatNow().available;
      },
      get sandbox() {
        return wechatNow().sandbox;
      },
      send(message) {
        const { send } = wechatNow();
        return (settings.wechat() === undefined ? send : watched("wechat", send))(message);
      },
      invite: (scene, lifetimeS) => wechatNow().invite(scene, lifetimeS),
    },
    sends: {
      get sms() {
        return shown || settings.sms() !== undefined;
      },
      get mail() {
        return shown || settings.mail() !== undefined;
      },
    },
    async services() {
      const spent = await money.spent();
      const choice = settings.sms();
      const stateOf = (channel: "sms" | "voice", there: boolean) =>
        !there ? "missing" : spent.includes(channel) ? "out-of-money" : "works";
      return {
        // Without a template for alarms a service sends none.
        sms: stateOf("sms", choice === undefined ? shown : choice.templates.alarm !== undefined),
        voice: stateOf("voice", shown || settings.voice() !== undefined),
      };
    },
    shown,
    routes: (_router, http) => outboxRoutes(http, outbox, shown),
  };
}
