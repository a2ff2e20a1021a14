import type { PersonalCipher } from "../../personal-cipher.ts";
import type { MailSender } from "../../providers/mail/mail.ts";
import { type SmsSender, smsText } from "../../providers/sms/sms.ts";
import { type VoiceCaller, voiceText } from "../../providers/voice/voice.ts";
import type { WechatSender } from "../../providers/wechat/wechat.ts";
import type { OutboxRepository } from "./outbox.repository.ts";

export interface OutboxMessage {
  id: string;
  channel: string;
  to: string;
  text: string;
  createdAt: Date;
}

export interface OutboxDependencies {
  repository: OutboxRepository;
  cipher: PersonalCipher;
  nextId: () => string;
  /** Name of the sender in front of an SMS. */
  sign: (language?: "zh" | "en") => string;
  /** Address of the portal. */
  portal: string;
}

/** Takes SMS and mails of the demo instead of a service, to be read at /dev/outbox. */
export function createOutboxService({ repository, cipher, nextId, sign, portal }: OutboxDependencies) {
  const put = (channel: "sms" | "mail" | "wechat" | "voice", to: string, text: string) =>
    repository.insert({ id: nextId(), channel, messageEncrypted: cipher.encrypt(JSON.stringify({ to, text })) });
  const sms: SmsSender = { send: (message) => put("sms", message.phone, smsText(message, sign(), portal)) };
  const mail: MailSender = { send: ({ to, subject, text }) => put("mail", to, `${subject}\n\n${text}`) };
  const voice: VoiceCaller = { call: (call) => put("voice", call.phone, voiceText(call, sign)) };
  const wechat: WechatSender = {
    available: true,
    sandbox: true,
    send: ({ openId, title, content, url }) => put("wechat", openId, `${title}\n${content}\n${url}`),
    invite: async () => "",
  };
  return {
    sms,
    mail,
    voice,
    wechat,
    /** The newest messages, newest first. */
    async newest(limit = 50): Promise<OutboxMessage[]> {
      const rows = await repository.newest(limit);
      return rows.map(({ messageEncrypted, ...row }) => ({
        ...row,
        ...(JSON.parse(cipher.decrypt(messageEncrypted)) as { to: string; text: string }),
      }));
    },
  };
}
export type OutboxService = ReturnType<typeof createOutboxService>;
