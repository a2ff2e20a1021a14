import {
  type SettingKey,
  settingDeclarations,
  settingList,
  settingOf,
  settingProblemOf,
} from "@herdwise/contract/setting-declarations";
import { type Config, readSms, type SmsConfig, translationOf } from "../../config.ts";
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

/** Settings as they hold on this server, read from memory. */
export interface HeldSettings {
  /** What holds: the environment's, else what was entered, else the default; "" for none. */
  text(key: SettingKey): string;
  /** The whole number of a setting. */
  number(key: SettingKey): number;
  /** The environment variable that holds instead of what is entered; "" for none. */
  lockedBy(key: SettingKey): string;
  /** The mail server; undefined without one. */
  mail(): { url: string; from: string } | undefined;
  /** The service for SMS, complete with what it needs; undefined without one. */
  sms(): SmsConfig | undefined;
  /** The machine that translates; undefined without one. */
  translation(): Config["translation"];
  /** Settings that a chosen service needs and that are missing. */
  missing(): SettingKey[];
}

/** What was entered, opened, by key. */
export type EnteredTexts = ReadonlyMap<string, string>;

/** Puts together what was entered and what the environment says. */
export function settingsFrom(config: Pick<Config, "variable" | "mailFrom">, entered: () => EnteredTexts): HeldSettings {
  const lockedBy = (key: SettingKey): string => {
    const { env } = settingOf(key);
    return env !== undefined && config.variable(env) !== undefined ? env : "";
  };
  const text = (key: SettingKey): string => {
    const declaration = settingOf(key);
    const variable = declaration.env === undefined ? undefined : config.variable(declaration.env);
    if (variable !== undefined) return fromVariable[key]?.(variable) ?? variable;
    const own = entered().get(key);
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
  return {
    text,
    number: (key) => Number(text(key)),
    lockedBy,
    mail() {
      const from = text("mail.from") || config.mailFrom;
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
    translation: () => withProblems(translationOf).value,
    missing() {
      const said = [...withProblems(readSms).problems, ...withProblems(translationOf).problems].join("\n");
      return settingList
        .filter(({ env, key }) => env !== undefined && text(key) === "" && new RegExp(`\\b${env}\\b`).test(said))
        .map(({ key }) => key);
    },
  };
}

/** The configuration with the services that administrators set where the environment names none. */
export const withServices = <Of extends Config>(config: Of, held: HeldSettings): Of => {
  const [sms, mail, translation] = [held.sms(), held.mail(), held.translation()];
  return {
    ...config,
    ...(sms && { sms }),
    ...(mail && { mailUrl: mail.url, mailFrom: mail.from }),
    ...(translation && { translation }),
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
      const isSecret = settingList.find((setting) => setting.key === key)?.secret === true;
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
  repository: Pick<SettingsRepository, "stored">;
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
  const keys = settingList.map(({ key }) => key);
  return {
    settings: settingsFrom(config, () => held ?? new Map()),
    async refresh(): Promise<void> {
      const read = openedTexts(await repository.stored(keys), cipher, onUnreadable);
      const isSame =
        held !== undefined && read.size === held.size && [...read].every(([key, text]) => held?.get(key) === text);
      const isFirst = held === undefined;
      held = read;
      if (!isSame && !isFirst) onChanged();
    },
  };
}
