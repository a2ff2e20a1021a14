import { type LogoTheme, logoThemes, type PasswordRule } from "@herdwise/contract";
import {
  type SettingKey,
  settingDeclarations,
  settingList,
  settingOf,
  settingProblemOf,
} from "@herdwise/contract/setting-declarations";
import {
  type Config,
  readPayment,
  readSms,
  readVoice,
  readWechat,
  type SmsConfig,
  translationOf,
  type WechatConfig,
} from "../../config.ts";
import type { SecretCipher } from "../../secret-cipher.ts";
import type { SettingsRepository, StoredSetting } from "./settings.repository.ts";

/** Milliseconds after which a server that did not hear of a change reads settings again. */
export const rereadMs = 2000;

/** What an environment variable says of a setting, where it is not simply its text. */
const fromVariable: Readonly<Partial<Record<SettingKey, (text: string) => string>>> = {
  "brand.nameEn": () => "",
  "login.captchaAfter": (text) => (text === "always" ? "0" : settingDeclarations["login.captchaAfter"].fallback),
  "mail.host": (url) => new URL(url).hostname.replace(/^\[|\]$/g, ""),
  "mail.port": (url) => new URL(url).port || (new URL(url).protocol === "smtps:" ? "465" : "587"),
  "mail.security": (url) =>
    new URL(url).protocol === "smtps:" ? "tls" : new URL(url).searchParams.get("tls") === "off" ? "none" : "starttls",
  "mail.user": (url) => decodeURIComponent(new URL(url).username),
};

/** Key of the gateways that were set before; no setting, and stored beside the secrets of the settings. */
export const formerGatewaysKey = "payment.former";
/** How long a former gateway is asked about what was begun there, ms: as long as attempts to pay are looked at. */
const formerMs = 3 * 86_400_000;
/** Former gateways that are kept. */
const mostFormer = 5;

/** A payment gateway with the secret that it shares. */
export type PaymentGateway = NonNullable<Config["payment"]>;
interface FormerGateway extends PaymentGateway {
  untilMs: number;
}

const formerIn = (entered: EnteredTexts, nowMs: number): FormerGateway[] => {
  const text = entered.get(formerGatewaysKey);
  const kept = text === undefined ? [] : (JSON.parse(text) as FormerGateway[]);
  return kept.filter(({ untilMs }) => untilMs > nowMs);
};

/** What is kept of former gateways once this one is another; undefined where nothing changes. */
export function formerGatewaysAfter(
  entered: EnteredTexts,
  before: PaymentGateway | undefined,
  after: PaymentGateway | undefined,
  nowMs: number,
): string | undefined {
  if (before === undefined || (before.url === after?.url && before.secret === after.secret)) return undefined;
  const others = formerIn(entered, nowMs).filter(({ url, secret }) => url !== before.url || secret !== before.secret);
  return JSON.stringify([{ ...before, untilMs: nowMs + formerMs }, ...others].slice(0, mostFormer));
}

/** Settings as they hold on this server, read from memory. */
export interface HeldSettings {
  /** What holds: the environment's, else what was entered, else the default; "" for none. */
  text(key: SettingKey): string;
  /** Name of the brand in a language, Chinese by default. */
  brand(language?: "zh" | "en"): string;
  /** The whole number of a setting. */
  number(key: SettingKey): number;
  /** What new passwords must have. */
  passwordRule(): PasswordRule;
  /** The environment variable that holds instead of what is entered, or alone can set it; "" for none. */
  lockedBy(key: SettingKey): string;
  /** The mail server; undefined without one. */
  mail(): { url: string; from: string } | undefined;
  /** The service for SMS, complete with what it needs; undefined without one. */
  sms(): SmsConfig | undefined;
  /** The service for voice calls; undefined without one. */
  voice(): Config["voice"];
  /** The machine that translates; undefined without one. */
  translation(): Config["translation"];
  /** The official account that tells people by WeChat; undefined without one. */
  wechat(): WechatConfig | undefined;
  /** The gateway by which customers pay; undefined without one. */
  payment(): PaymentGateway | undefined;
  /** Gateways that were set before and may still tell of payments, newest first. */
  formerPayments(nowMs: number): readonly PaymentGateway[];
  /** Settings that a chosen service needs and that are missing. */
  missing(): SettingKey[];
}

/** What was entered, opened, by key. */
export type EnteredTexts = ReadonlyMap<string, string>;

/** Puts together what was entered and what the environment says. */
export function settingsFrom(config: Pick<Config, "variable" | "mailFrom">, entered: () => EnteredTexts): HeldSettings {
  const lockedBy = (key: SettingKey): string => {
    const { env, fixed } = settingOf(key);
    return env !== undefined && (fixed || config.variable(env) !== undefined) ? env : "";
  };
  const text = (key: SettingKey): string => {
    const declaration = settingOf(key);
    const variable = declaration.env === undefined ? undefined : config.variable(declaration.env);
    if (variable !== undefined) return fromVariable[key]?.(variable) ?? variable;
    const own = declaration.fixed ? undefined : entered().get(key);
    // Whatever wrote the parameter, a value that can't be does not hold.
    return own === undefined || settingProblemOf(declaration, own) !== undefined ? declaration.fallback : own;
  };
  /** A variable of the environment, or what a setting has in its place. */
  const variable = (name: string): string | undefined => {
    const own = config.variable(name);
    if (own !== undefined) return own;
    const setting = settingList.find(({ env }) => env === name);
    return setting === undefined ? undefined : text(setting.key) || undefined;
  };
  const withProblems = <Value>(read: (of: typeof variable, problems: string[]) => Value) => {
    const problems: string[] = [];
    const value = read(variable, problems);
    return { value: problems.length === 0 ? value : undefined, problems };
  };
  const brand = (language: "zh" | "en" = "zh"): string =>
    (language === "en" && text("brand.nameEn")) || text("brand.name");
  return {
    text,
    brand,
    number: (key) => Number(text(key)),
    passwordRule: () => ({ least: Number(text("password.least")), kinds: Number(text("password.kinds")) }),
    lockedBy,
    mail() {
      // A comma or sign of an address in the name must not end it.
      const from = text("mail.from") || `"${brand("en").replace(/["\\]/g, "")}" <${config.mailFrom}>`;
      const url = config.variable("MAIL_URL");
      if (url !== undefined) return { url, from };
      const host = text("mail.host");
      if (host === "") return undefined;
      const security = text("mail.security");
      const user = encodeURIComponent(text("mail.user"));
      const login = user === "" ? "" : `${user}:${encodeURIComponent(text("mail.password"))}@`;
      const place = `${login}${host.includes(":") ? `[${host}]` : host}:${text("mail.port")}`;
      return {
        url: `${security === "tls" ? "smtps" : "smtp"}://${place}${security === "none" ? "?tls=off" : ""}`,
        from,
      };
    },
    sms: () => withProblems(readSms).value,
    voice: () => withProblems(readVoice).value,
    translation: () => withProblems(translationOf).value,
    wechat: () => withProblems(readWechat).value,
    payment: () => withProblems(readPayment).value,
    formerPayments: (nowMs) => formerIn(entered(), nowMs),
    missing() {
      const said = [readSms, readVoice, readWechat, readPayment, translationOf]
        .flatMap((read) => withProblems<unknown>(read).problems)
        .join("\n");
      return settingList
        .filter(({ env, key }) => env !== undefined && text(key) === "" && new RegExp(`\\b${env}\\b`).test(said))
        .map(({ key }) => key);
    },
  };
}

/** The configuration with the services and the brand that hold now, where administrators set them and the environment names none. */
export const withServices = <Of extends Config>(config: Of, held: HeldSettings): Of => {
  const [sms, mail, voice, translation] = [held.sms(), held.mail(), held.voice(), held.translation()];
  const [wechat, payment] = [held.wechat(), held.payment()];
  return {
    ...config,
    brandName: [...new Set([held.text("brand.name"), held.text("brand.nameEn")])].join(" ").trim(),
    companySuffix: held.text("brand.companySuffix"),
    ...(sms && { sms }),
    ...(voice && { voice }),
    ...(mail && { mailUrl: mail.url, mailFrom: mail.from }),
    ...(translation && { translation }),
    ...(wechat && { wechat }),
    ...(payment && { payment }),
  };
};

/** Opens what is stored. A secret of another secret key counts as not entered, and the log says so. */
export function openedTexts(
  rows: readonly StoredSetting[],
  cipher: SecretCipher,
  onUnreadable: (error: unknown) => void,
): EnteredTexts {
  return new Map(
    rows.flatMap(({ key, text, sealed }): [string, string][] => {
      const isSecret = key === formerGatewaysKey || settingList.find((setting) => setting.key === key)?.secret === true;
      if (!isSecret) return [[key, text]];
      if (sealed === null) return [];
      try {
        return [[key, cipher.decrypt(sealed)]];
      } catch (error) {
        onUnreadable(error);
        return [];
      }
    }),
  );
}

export interface SettingsMemoryDependencies {
  config: Pick<Config, "variable" | "mailFrom">;
  repository: Pick<SettingsRepository, "stored" | "logos">;
  cipher: SecretCipher;
  /** Tells that something is another than before. */
  onChanged: () => void;
  onUnreadable: (error: unknown) => void;
}

/** Keeps the settings in memory and reads them again. */
export function createSettingsMemory({
  config,
  repository,
  cipher,
  onChanged,
  onUnreadable,
}: SettingsMemoryDependencies) {
  let held: EnteredTexts | undefined;
  let logos: Readonly<Record<string, string>> = {};
  let begun = 0;
  let taken = 0;
  const keys = [...settingList.map(({ key }) => key), formerGatewaysKey];
  return {
    settings: settingsFrom(config, () => held ?? new Map()),
    /** Hash of the brand's own logo by theme; "" for none. */
    logo: (theme: LogoTheme): string => logos[theme] ?? "",
    /** Of two that overlap, what the one begun later read holds. */
    async refresh(): Promise<void> {
      begun += 1;
      const turn = begun;
      const readLogos = Object.fromEntries((await repository.logos()).map(({ theme, hash }) => [theme, hash]));
      const read = openedTexts(await repository.stored(keys), cipher, onUnreadable);
      if (turn < taken) return;
      taken = turn;
      const isSame =
        held !== undefined &&
        read.size === held.size &&
        [...read].every(([key, text]) => held?.get(key) === text) &&
        logoThemes.every((theme) => logos[theme] === readLogos[theme]);
      const isFirst = held === undefined;
      held = read;
      logos = readLogos;
      if (!isSame && !isFirst) onChanged();
    },
  };
}
