import { type BodyOf, mobilePhonePattern, normalizePhone, type settingTry } from "@herdwise/contract";
import { servicesWithoutReceiver } from "@herdwise/contract/setting-declarations";
import { refuse } from "../../http/errors.ts";
import { type FileStorage, tryStorage } from "../../providers/files/storage.ts";
import type { MailSender } from "../../providers/mail/mail.ts";
import type { PaymentProvider } from "../../providers/payment/payment.ts";
import type { SmsSender } from "../../providers/sms/sms.ts";
import type { Translator } from "../../providers/translation/translator.ts";
import type { VoiceCaller } from "../../providers/voice/voice.ts";
import type { WebhookSender } from "../../providers/webhook/webhook.ts";
import type { OfficialAccount } from "../../providers/wechat/official-account.ts";
import type { HeldSettings } from "./held-settings.ts";

/** Makes the services as they are set at the moment. */
export interface TrialServices {
  mail(): MailSender;
  sms(): SmsSender;
  voice(): VoiceCaller;
  translation(): Translator | undefined;
  webhook(): WebhookSender;
  wechat(): OfficialAccount | undefined;
  payment(): PaymentProvider | undefined;
  files(): Promise<FileStorage>;
}

/** An order that no gateway has. */
const noOrder = "0";

const mailAddress = /^[^@\s<>]+@[^@\s<>]+\.[^@\s<>]+$/;

/** Sends something real by a service, and tells what came of it. Faults of the services name reasons, never secrets or receivers. */
export function createSettingTrials(services: TrialServices, held: HeldSettings, now: () => number) {
  const brand = (): string => held.text("brand.name");
  const tries: Readonly<Record<BodyOf<typeof settingTry>["service"], (to: string) => Promise<string>>> = {
    async mail(to) {
      if (!mailAddress.test(to)) throw refuse("setting.try_mail", { field: "to" });
      const text = `${brand()}：这是一封试发的邮件。\n\nThis mail was sent to try the mail server.`;
      await services.mail().send({ to, subject: `${brand()}：试发邮件 / Test mail`, text });
      return "the mail server took the mail";
    },
    async sms(to) {
      const phone = normalizePhone(to);
      if (!mobilePhonePattern.test(phone)) throw refuse("setting.try_phone", { field: "to" });
      // The one template that asks nothing of its receiver and holds no code.
      await services.sms().send({ phone, kind: "no-account", variables: {} });
      return "the service took the SMS";
    },
    async voice(to) {
      const phone = normalizePhone(to);
      if (!mobilePhonePattern.test(phone)) throw refuse("setting.try_phone", { field: "to" });
      await services.voice().call({ phone, variables: { alarm: "这是一次测试" } });
      return "the service took the call";
    },
    async translation(text) {
      const translator = services.translation();
      if (translator === undefined) throw new Error("no translation service is configured");
      const isChinese = /\p{Script=Han}/u.test(text);
      const [answer = ""] = await translator.translate([text], isChinese ? "en" : "zh");
      return answer;
    },
    async webhook(to) {
      await services.webhook().post(to, { type: "test", brand: brand(), sentAt: new Date(now()).toISOString() });
      return "the address answered with success";
    },
    async wechat() {
      const account = services.wechat();
      if (account === undefined) throw new Error("no official account is configured");
      await account.check();
      return "the service took the secret, and the account has the template with its places";
    },
    async payment() {
      const gateway = services.payment();
      if (gateway === undefined) throw new Error("no payment gateway is configured");
      const { state } = await gateway.standing({ id: noOrder });
      if (state !== "unknown") throw new Error("the gateway knows an order that nobody made");
      return "the gateway took the signature";
    },
    async files() {
      await tryStorage(await services.files());
      return "a file was stored, read again and removed";
    },
  };
  return {
    /** @throws {Refusal} only for a receiver that can't be; what the service says is the answer. */
    async run({ service, to }: BodyOf<typeof settingTry>): Promise<{ ok: boolean; answer: string; tookMs: number }> {
      const receiver = to.replace(/\s+/g, " ").trim();
      if (receiver === "" && !servicesWithoutReceiver.includes(service))
        throw refuse("setting.try_receiver", { field: "to" });
      const begun = performance.now();
      const done = (ok: boolean, answer: string) => ({
        ok,
        answer: answer.slice(0, 500),
        tookMs: Math.round(performance.now() - begun),
      });
      try {
        return done(true, await tries[service](receiver));
      } catch (error) {
        if (error instanceof Error && error.name !== "Refusal") return done(false, error.message);
        throw error;
      }
    },
  };
}
export type SettingTrials = ReturnType<typeof createSettingTrials>;
