import { callService } from "../outside-service.ts";

/** What an SMS is about. Services send approved templates only, one per kind; its id is configured. */
export const smsKinds = [
  "login",
  "register",
  "reset-password",
  "reset-link",
  "verify-phone",
  "account-names",
  "no-account",
  "phone-change",
  "account-closing",
  "alarm",
  "contract-code",
  "contract-notice",
  "driver-link",
  "message",
] as const;
export type SmsKind = (typeof smsKinds)[number];

export interface SmsMessage {
  /** Mobile number of mainland China, 11 digits. */
  phone: string;
  kind: SmsKind;
  /** Values of the template's places by name, in the order of the template. */
  variables: Readonly<Record<string, string>>;
  /** The same for the English template, where the receiver reads English; without such a template the Chinese one goes out. */
  english?: Readonly<Record<string, string>>;
}

/** Sends SMS. */
export interface SmsSender {
  /** @throws {SmsFault} when the service refuses, fails, or does not answer within 3 s */
  send(message: SmsMessage): Promise<void>;
}

/** The message did not go out. The text names the service's reason, never the receiver or what was to be sent. */
export class SmsFault extends Error {
  override readonly name = "SmsFault";
}

/** The service took nothing because its money or its package is used up. */
export class OutOfMoney extends SmsFault {}

/** Codes by which Alibaba Cloud (a balance or bill) and Tencent Cloud (a package or balance) say so, for SMS and calls alike. */
const moneyCodes = /^isv\.(AMOUNT_NOT_ENOUGH|OUT_OF_SERVICE|BILLING_DEDUCTION_ERROR)$|InsufficientBalance/;

/** A refusal by a service, which its code tells of. */
export const refusedBy = (service: string, code = "no code"): SmsFault =>
  new (moneyCodes.test(code) ? OutOfMoney : SmsFault)(`${service} refused: ${code}`);

/** The texts as templates to be approved by a service, and as the outbox shows them. */
const texts: Record<SmsKind, string> = {
  login: "验证码 {code}，用于登录或注册，5 分钟内有效。请勿告诉他人。",
  register: "验证码 {code}，用于注册账号，5 分钟内有效。请勿告诉他人。",
  "reset-password": "验证码 {code}，用于重置密码，5 分钟内有效。如非本人操作，请忽略。",
  "reset-link":
    "管理员重置了您的密码，请在 30 分钟内打开 {portal}/findPass#{code} 设置新密码，请勿转发。如非您的要求，请联系客服。",
  "verify-phone": "验证码 {code}，用于验证手机号，5 分钟内有效。请勿告诉他人。",
  "account-names": "您的手机号绑定的账号：{names}。",
  "no-account": "您的手机号没有绑定账号，可直接注册。",
  "phone-change": "您的账号{when}把手机号换成 {phone}。如非本人操作，请在 7 天内打开 {portal}/phoneBack 撤回。",
  "contract-code": "验证码 {code}，用于签署合同，5 分钟内有效。请勿告诉他人。",
  "contract-notice": "合同 {number} 等您签署。详情：{portal}",
  "driver-link": "{plate} 的转运链接：{portal}/driver#{code} 只在第一部打开的手机上有效，请勿转发。",
  "account-closing": "您的账号注销：{what}。如非本人操作，请登录 {portal} 取回，并修改密码。",
  alarm: "{count} 条告警：{alarm}。详情：{portal}",
  message: "{count} 条消息：{title}。详情：{portal}",
};

/** Texts of the English templates; the other kinds have none. */
const englishTexts: Readonly<Partial<Record<SmsKind, string>>> = {
  alarm: "Alarms: {count}. {alarm}. Details: {portal}",
};

/**
 * @param sign name of the sender, which Chinese networks put in front
 * @param portal address of the portal, which stands in a service's template as it is
 */
export const smsText = (
  { kind, variables, english }: Omit<SmsMessage, "phone">,
  sign: string,
  portal: string,
): string => {
  const values: Readonly<Record<string, string>> = { ...(english ?? variables), portal };
  const text = (english && englishTexts[kind]) ?? texts[kind];
  return `【${sign}】${text.replace(/\{(\w+)\}/g, (_place, name: string) => values[name] ?? "")}`;
};

/** For an installation without a service: nothing is sent, and the caller is told. */
export const noSms: SmsSender = {
  async send() {
    throw new SmsFault("no SMS service is configured (SMS_PROVIDER)");
  },
};

/** Access to a cloud's service. */
export interface CloudAccount {
  /** Address of the service; another one than the real in tests. */
  endpoint: string;
  keyId: string;
  keySecret: string;
  now?: () => number;
}

/** What both services need. */
export interface SmsServiceOptions extends CloudAccount {
  signName: string;
  /** Ids of the approved templates. A kind without one can't be sent. */
  templates: Readonly<Partial<Record<SmsKind, string>>>;
  /** Those in English. */
  englishTemplates?: Readonly<Partial<Record<SmsKind, string>>>;
}

/** The template of a message with the values of its places. @throws {SmsFault} */
export function templateFor(
  { templates, englishTemplates = {} }: Pick<SmsServiceOptions, "templates" | "englishTemplates">,
  { kind, variables, english }: Omit<SmsMessage, "phone">,
): { template: string; values: Readonly<Record<string, string>> } {
  const inEnglish = englishTemplates[kind];
  if (english && inEnglish !== undefined) return { template: inEnglish, values: english };
  const template = templates[kind];
  if (template === undefined) throw new SmsFault(`no template is configured for ${kind}`);
  return { template, values: variables };
}

/** Calls a service and reads its JSON. @throws {SmsFault} with the reason, without the message */
export async function callSmsService(url: string, init: RequestInit): Promise<unknown> {
  try {
    const { status, text } = await callService(url, init);
    try {
      return JSON.parse(text);
    } catch {
      throw new SmsFault(`the service answered ${status} without JSON`);
    }
  } catch (error) {
    if (error instanceof SmsFault) throw error;
    const reason = error instanceof Error ? error.name : "unknown";
    throw new SmsFault(`the service does not answer: ${reason}`);
  }
}
