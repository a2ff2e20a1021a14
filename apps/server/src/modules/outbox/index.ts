import type { Platform, ServerModule } from "../../module.ts";
import { type MailSender, noMail, smtpMail } from "../../providers/mail/mail.ts";
import { smsService } from "../../providers/sms/service.ts";
import { noSms, type SmsSender } from "../../providers/sms/sms.ts";
import { noVoice, type VoiceCaller, voiceService } from "../../providers/voice/voice.ts";
import { officialAccount, wechatEndpoint } from "../../providers/wechat/official-account.ts";
import { noWechat, type WechatSender } from "../../providers/wechat/wechat.ts";
import { outboxRepository } from "./outbox.repository.ts";
import { outboxRoutes } from "./outbox.routes.ts";
import { createOutboxService } from "./outbox.service.ts";

export interface OutboxModule extends ServerModule {
  readonly sms: SmsSender;
  readonly mail: MailSender;
  readonly voice: VoiceCaller;
  readonly wechat: WechatSender;
  /** What the installation can send by, or shows in the outbox. */
  readonly sends: { readonly sms: boolean; readonly mail: boolean };
  /** Whether /dev/outbox shows what would have been sent. */
  readonly shown: boolean;
}

/** How SMS and mails leave the server: by the configured services, or into the outbox of the demo. */
export function createOutboxModule({ config, kysely, personalCipher, nextId, now }: Platform): OutboxModule {
  const outbox = createOutboxService({
    repository: outboxRepository(kysely),
    cipher: personalCipher,
    nextId,
    sign: "慧牧",
    portal: config.publicUrl,
  });
  // Without a service the demo shows what it would send; a real installation refuses rather than pretends.
  const shown = config.demo && config.sms === undefined && config.mailUrl === undefined;
  const unsent = shown ? outbox : { sms: noSms, mail: noMail, voice: noVoice, wechat: noWechat };
  return {
    sms: config.sms === undefined ? unsent.sms : smsService(config.sms),
    mail: config.mailUrl === undefined ? unsent.mail : smtpMail(config.mailUrl, config.mailFrom),
    voice: config.voice === undefined ? unsent.voice : voiceService(config.voice),
    wechat:
      config.wechat === undefined
        ? unsent.wechat
        : officialAccount({ ...config.wechat, endpoint: config.wechat.endpoint ?? wechatEndpoint, now }),
    sends: { sms: shown || config.sms !== undefined, mail: shown || config.mailUrl !== undefined },
    shown,
    routes: (_router, http) => outboxRoutes(http, outbox, shown),
  };
}
