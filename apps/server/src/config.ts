import { readFileSync } from "node:fs";
import { isIP, isIPv4 } from "node:net";
import { resolve } from "node:path";
import { longestPassword, passwordFault, usualPasswordRule } from "@herdwise/contract";
import { type SmsKind, smsKinds } from "./providers/sms/sms.ts";
import type { VoiceServiceChoice } from "./providers/voice/voice.ts";
import { secretNames, type UnknownSetting, unknownSettings } from "./setting-names.ts";

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
type LogLevel = (typeof logLevels)[number];

/** Everything that the environment may say. This file is the only reader of the environment. */
export interface Config {
  /** TCP port of HTTP. PORT, default 8080; 0 takes a free one. */
  port: number;
  /** Address that HTTP and MQTT listen on. HOST, default 0.0.0.0; in demo mode, whose passwords are public, 127.0.0.1. */
  host: string;
  /** TCP port of the embedded MQTT broker. MQTT_PORT, default 1883; when taken, the next free one is used. */
  mqttPort: number;
  /** A second port of the embedded MQTT broker, with TLS. MQTT_TLS_PORT (0 takes a free one), MQTT_TLS_CERT_FILE, MQTT_TLS_KEY_FILE. */
  mqttTls?: MqttTlsConfig;
  /** Folder of everything that must survive a restart. DATA_DIR, default `data`. */
  dataDir: string;
  /** A PostgreSQL from 15 on instead of the embedded one. DATABASE_URL. */
  databaseUrl?: string;
  /** Redis or Valkey instead of memory. REDIS_URL. */
  redisUrl?: string;
  /** An outside MQTT broker instead of the embedded one. MQTT_URL. */
  mqttUrl?: string;
  /**
   * Whether servers share the subscription at the outside broker. MQTT_SHARED, default on; off for a single server whose broker forgets
   * shared subscriptions when it restarts.
   */
  mqttShared: boolean;
  /** Demo tenants, accounts and devices. DEMO, default off (npm start turns it on). */
  demo: boolean;
  /** A fleet of virtual devices. SIMULATOR, default as DEMO. */
  simulator: boolean;
  /** Whether the demo's documents and contracts get their PDFs, which takes some seconds of work after the first start. DEMO_DOCUMENTS, default as DEMO. */
  demoDocuments: boolean;
  /** Address under which visitors reach the portal, without a slash at the end. PUBLIC_URL, default http://localhost:PORT. */
  publicUrl: string;
  /** LOG_LEVEL, default info. */
  logLevel: LogLevel;
  /** Opens /metrics to callers beyond loopback that send `Authorization: Bearer <token>`. METRICS_TOKEN. */
  metricsToken?: string;
  /** Where traces are sent by OTLP over HTTP; without it nothing is traced. OTEL_EXPORTER_OTLP_ENDPOINT. */
  tracesUrl?: string;
  /** Name of the portal in page titles. BRAND_NAME, default 慧牧 Herdwise. */
  brandName: string;
  /** The company's name, behind the portal's in page titles. COMPANY_SUFFIX, default none. */
  companySuffix: string;
  /** Record of the website with the ministry, in the site's footer. ICP_NUMBER, default none. */
  icpNumber: string;
  /** Record of the website with the public security, in the site's footer. POLICE_NUMBER, default none. */
  policeNumber: string;
  /** Address of the mall, whose links open at its /pc/. MALL_URL; in demo mode without it there is no mall. */
  mallUrl?: string;
  /** Secret with which the mall's server turns a code into who is signed in. MALL_SECRET, at least 16 characters. */
  mallSecret?: string;
  /** Address of the customer-service chat. CUSTOMER_SERVICE_URL. */
  customerServiceUrl?: string;
  /** Machine translation. TRANSLATION_PROVIDER none (default), baidu (BAIDU_APP_ID, BAIDU_KEY) or libretranslate (LIBRETRANSLATE_URL, LIBRETRANSLATE_API_KEY). */
  translation?:
    | { provider: "baidu"; appId: string; key: string }
    | { provider: "libretranslate"; url: string; apiKey?: string };
  /** Characters that the machine translates within 24 hours, whoever asks. TRANSLATION_CHARACTERS_PER_DAY, 0 to 1,000,000,000, default 1,000,000. */
  translationCharactersPerDay: number;
  /** A bank's gateway for test remittances. REMITTANCE_URL and REMITTANCE_SECRET (at least 16 characters); without them nothing is sent. */
  remittance?: { url: string; secret: string };
  /** A payment gateway for customers' payments. PAYMENT_URL and PAYMENT_SECRET (at least 16 characters); without them the demo has a sandbox, others none. */
  payment?: { url: string; secret: string };
  /** Key that peppers password hashes, at least 32 characters. SECRET_KEY, default: made at the first start and kept in DATA_DIR. */
  secretKey?: string;
  /** Key of personal data at rest, at least 32 characters. PERSONAL_KEY, default: the secret key. */
  personalKey?: string;
  /** Earlier keys of personal data, which still open it. PERSONAL_KEYS_OLD, comma-separated. */
  personalKeysOld: readonly string[];
  /** Addresses or networks of proxies whose X-Forwarded-For is believed. TRUST_PROXY, comma-separated, default none. */
  trustProxy: readonly string[];
  /** Whether grant_type=password always needs a captcha. LOGIN_CAPTCHA: after-failures (default) or always. */
  loginCaptcha: "after-failures" | "always";
  /** Days after a log-in at which its session ends, however often it was renewed. SESSION_DAYS, 1 to 3650, default 90. */
  sessionDays: number;
  /** What an administrator's reset sets for who proved no phone; the next log-in asks for another. RESET_PASSWORD, default: a random one for each, shown once. */
  resetPassword?: string;
  /** A service that sends SMS. Without it the demo shows them at /dev/outbox, and others send none. */
  sms?: SmsConfig;
  /** A service that calls people with a critical alarm. VOICE_PROVIDER and what it needs; without it the demo shows calls at /dev/outbox. */
  voice?: VoiceServiceChoice;
  /** SMS that go out within 24 hours, to whomever. SMS_PER_DAY, 0 to 10,000,000, default 5000. */
  smsPerDay: number;
  /** A service that speaks S3 for files, instead of DATA_DIR/files. S3_BUCKET turns it on. */
  s3?: S3Config;
  /** A WeChat official account that tells people by template messages; without it WeChat is not offered. */
  wechat?: WechatConfig;
  /** A mail server, smtp:// or smtps:// with user and password. MAIL_URL. */
  mailUrl?: string;
  /** Networks of the own side that notices of alarms may be posted to, such as 10.1.0.0/16. WEBHOOK_NETWORKS, comma-separated, default none: only https on the internet. */
  webhookNetworks: readonly string[];
  /** Sender of mails without a name of its own. MAIL_FROM, default no-reply@ the host of PUBLIC_URL, with the name of the brand. */
  mailFrom: string;
  /** A variable of the environment without blanks around it; undefined where it is not set. Such a variable holds over a setting. */
  variable(name: string): string | undefined;
  /**
   * Seconds for which a server behind a balancer goes on working after SIGTERM while /readyz answers 503. STOP_DELAY_SECONDS, 0 to 60,
   * default 0.
   */
  stopDelaySeconds: number;
  /** Hours after which a newer backup is due. BACKUP_HOURS, 1 to 8760, default 24. */
  backupHours: number;
  /** Variables of the environment that look like settings and are none. */
  unknownSettings: readonly UnknownSetting[];
}

/** Paths of PEM files; they are read again when their content changes. */
interface MqttTlsConfig {
  port: number;
  certFile: string;
  keyFile: string;
}

/** WECHAT_APP_ID and what it needs. */
export interface WechatConfig {
  /** WECHAT_APP_ID, WECHAT_APP_SECRET: of the official account. */
  appId: string;
  appSecret: string;
  /** What signs the service's calls to /wechat/callback. WECHAT_TOKEN. */
  token: string;
  /** Id of the approved template. WECHAT_TEMPLATE. */
  templateId: string;
  /** Names of the template's places for title, content and time. WECHAT_TEMPLATE_FIELDS, default thing1,thing2,time3. */
  templateFields: readonly [string, string, string];
  /** WECHAT_ENDPOINT, default: the service's own address. */
  endpoint?: string;
}

const smsProviders = ["aliyun", "tencent"] as const;

/** Kinds of SMS without which an installation can do. */
const optionalSms: ReadonlySet<string> = new Set(["alarm", "contract-notice", "driver-link", "message"]);

/** SMS_PROVIDER and what it needs; the templates are SMS_TEMPLATE_LOGIN, _REGISTER, _RESET_PASSWORD, _RESET_LINK, _VERIFY_PHONE, _ACCOUNT_NAMES, _NO_ACCOUNT, _PHONE_CHANGE, _ACCOUNT_CLOSING, _CONTRACT_CODE, and _ALARM, _CONTRACT_NOTICE, _DRIVER_LINK and _MESSAGE, without which alarms, contracts, links of drivers and messages send no SMS; _ALARM_EN is the one for people who read English. */
export interface SmsConfig {
  provider: (typeof smsProviders)[number];
  /** SMS_KEY_ID, SMS_KEY_SECRET: the access key of the service. */
  keyId: string;
  keySecret: string;
  /** Approved name of the sender. SMS_SIGN_NAME. */
  signName: string;
  /** SMS_ENDPOINT, default: the service's own address. */
  endpoint?: string;
  /** SmsSdkAppId, Tencent only. SMS_APP_ID. */
  appId: string;
  /** Tencent only. SMS_REGION, default ap-guangzhou. */
  region: string;
  templates: Readonly<Partial<Record<SmsKind, string>>>;
  englishTemplates: Readonly<Partial<Record<SmsKind, string>>>;
}

/** Where files lie when S3_BUCKET is set. */
interface S3Config {
  /** S3_BUCKET; private, and nobody else's. */
  bucket: string;
  /** S3_ENDPOINT, default: Amazon's of the region. */
  endpoint?: string;
  /** S3_REGION, default us-east-1. */
  region: string;
  /** S3_KEY_ID, S3_KEY_SECRET. */
  keyId: string;
  keySecret: string;
}

/** Thrown with one line per mistake, so that all can be mended at once. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? "a mistake" : "mistakes"}:\n${problems.map((p) => `  - ${p}`).join("\n")}`,
    );
    this.name = "ConfigError";
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

const flag = (name: string, text: string | undefined, fallback: boolean, problems: string[]): boolean => {
  if (text === undefined) return fallback;
  if (["1", "true", "on", "yes"].includes(text.toLowerCase())) return true;
  if (["0", "false", "off", "no"].includes(text.toLowerCase())) return false;
  problems.push(`${name} is "${text}", but must be one of on, off, true, false, 1, 0`);
  return fallback;
};

const wholeNumber = (
  name: string,
  text: string | undefined,
  { least, most, fallback }: { least: number; most: number; fallback: number },
  problems: string[],
): number => {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return value;
  problems.push(`${name} is "${text}", but must be a whole number from ${least} to ${most}`);
  return fallback;
};

const port = (name: string, text: string | undefined, fallback: number, problems: string[]): number =>
  wholeNumber(name, text, { least: 0, most: 65_535, fallback }, problems);

const url = (name: string, text: string | undefined, protocols: string[], problems: string[]): string | undefined => {
  if (text === undefined) return undefined;
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text;
  problems.push(`${name} must be an address that begins with ${protocols.map((p) => `${p}//`).join(" or ")}`);
  return undefined;
};

/** Ranges that TRUST_PROXY may name instead of writing them out. */
const namedRanges: readonly string[] = ["loopback", "linklocal", "uniquelocal"];
/** Whether a text is an address or a network, such as 10.1.0.0/16, or the name of a range. */
export function isAddressOrNetwork(text: string): boolean {
  if (namedRanges.includes(text)) return true;
  const [address = "", length, ...more] = text.split("/");
  if (isIP(address) === 0 || more.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (isIPv4(address) ? 32 : 128));
}

/** Reads the machine translation. @param text gives a variable, or what a setting has in its place */
export function translationOf(text: (name: string) => string | undefined, problems: string[]): Config["translation"] {
  const provider = text("TRANSLATION_PROVIDER") ?? "none";
  if (provider === "none") return undefined;
  if (provider === "baidu") {
    const [appId, key] = [text("BAIDU_APP_ID"), text("BAIDU_KEY")];
    if (appId !== undefined && key !== undefined) return { provider, appId, key };
    problems.push("TRANSLATION_PROVIDER is baidu, which needs BAIDU_APP_ID and BAIDU_KEY");
    return undefined;
  }
  if (provider === "libretranslate") {
    const address = url("LIBRETRANSLATE_URL", text("LIBRETRANSLATE_URL"), ["http:", "https:"], problems);
    const apiKey = text("LIBRETRANSLATE_API_KEY");
    if (address !== undefined) return { provider, url: address, ...(apiKey && { apiKey }) };
    problems.push("TRANSLATION_PROVIDER is libretranslate, which needs LIBRETRANSLATE_URL");
    return undefined;
  }
  problems.push(`TRANSLATION_PROVIDER is "${provider}", but must be one of none, baidu, libretranslate`);
  return undefined;
}

function readMqttTls(
  text: (name: string) => string | undefined,
  mqttUrl: string | undefined,
  problems: string[],
): MqttTlsConfig | undefined {
  const names = ["MQTT_TLS_PORT", "MQTT_TLS_CERT_FILE", "MQTT_TLS_KEY_FILE"] as const;
  const [portText, certFile, keyFile] = names.map(text);
  const given = names.filter((name) => text(name) !== undefined);
  if (given.length === 0) return undefined;
  if (mqttUrl !== undefined)
    problems.push(`${given.join(", ")} are of the embedded MQTT broker, but MQTT_URL names another`);
  if (portText === undefined || certFile === undefined || keyFile === undefined) {
    const missing = names.filter((name) => text(name) === undefined);
    problems.push(`${given.join(" and ")} ${given.length > 1 ? "need" : "needs"} ${missing.join(" and ")}`);
    return undefined;
  }
  return { port: port("MQTT_TLS_PORT", portText, 0, problems), certFile: resolve(certFile), keyFile: resolve(keyFile) };
}

/**
 * Reads what access to a cloud's service needs, as SMS and calls have it.
 * @param prefix of the settings' names
 */
function readCloud(prefix: "SMS" | "VOICE", text: (name: string) => string | undefined, problems: string[]) {
  const given = text(`${prefix}_PROVIDER`);
  if (given === undefined) return undefined;
  const provider = smsProviders.find((known) => known === given);
  if (provider === undefined) {
    problems.push(`${prefix}_PROVIDER is "${given}", but must be one of ${smsProviders.join(", ")}`);
    return undefined;
  }
  const needed = (name: string): string => {
    const value = text(`${prefix}_${name}`);
    if (value === undefined) problems.push(`${prefix}_PROVIDER=${provider} needs ${prefix}_${name}`);
    return value ?? "";
  };
  const endpoint = url(`${prefix}_ENDPOINT`, text(`${prefix}_ENDPOINT`), ["https:", "http:"], problems);
  const account = {
    provider,
    keyId: needed("KEY_ID"),
    keySecret: needed("KEY_SECRET"),
    ...(endpoint && { endpoint }),
    appId: provider === "tencent" ? needed("APP_ID") : "",
    region: text(`${prefix}_REGION`) ?? "ap-guangzhou",
  };
  return { account, needed };
}

/** Reads the service for SMS. @param text gives a variable, or what a setting has in its place */
export function readSms(text: (name: string) => string | undefined, problems: string[]): SmsConfig | undefined {
  const cloud = readCloud("SMS", text, problems);
  const alarmInEnglish = text("SMS_TEMPLATE_ALARM_EN");
  return (
    cloud && {
      ...cloud.account,
      signName: cloud.needed("SIGN_NAME"),
      templates: Object.fromEntries(
        smsKinds.flatMap((kind) => {
          const name = `TEMPLATE_${kind.toUpperCase().replaceAll("-", "_")}`;
          const template = optionalSms.has(kind) ? text(`SMS_${name}`) : cloud.needed(name);
          return template === undefined ? [] : [[kind, template]];
        }),
      ),
      englishTemplates: alarmInEnglish === undefined ? {} : { alarm: alarmInEnglish },
    }
  );
}

/** Reads the service for calls. @param text gives a variable, or what a setting has in its place */
export function readVoice(
  text: (name: string) => string | undefined,
  problems: string[],
): VoiceServiceChoice | undefined {
  const cloud = readCloud("VOICE", text, problems);
  const englishTemplate = text("VOICE_TEMPLATE_ALARM_EN");
  return (
    cloud && {
      ...cloud.account,
      template: cloud.needed("TEMPLATE_ALARM"),
      ...(englishTemplate !== undefined && { englishTemplate }),
      showNumber: text("VOICE_SHOW_NUMBER") ?? "",
    }
  );
}

/** Reads the payment gateway. @param text gives a variable, or what a setting has in its place */
export function readPayment(text: (name: string) => string | undefined, problems: string[]): Config["payment"] {
  const address = url("PAYMENT_URL", text("PAYMENT_URL"), ["http:", "https:"], problems);
  const secret = text("PAYMENT_SECRET") ?? "";
  if (address === undefined) return undefined;
  if (secret.length < 16) problems.push("PAYMENT_URL needs PAYMENT_SECRET with at least 16 characters");
  return { url: address.replace(/\/+$/, ""), secret };
}

/** Reads the WeChat official account. @param text gives a variable, or what a setting has in its place */
export function readWechat(text: (name: string) => string | undefined, problems: string[]): WechatConfig | undefined {
  const appId = text("WECHAT_APP_ID");
  if (appId === undefined) return undefined;
  const needed = (name: string): string => {
    const value = text(name);
    if (value === undefined) problems.push(`WECHAT_APP_ID needs ${name}`);
    return value ?? "";
  };
  const fields = (text("WECHAT_TEMPLATE_FIELDS") ?? "thing1,thing2,time3").split(",").map((name) => name.trim());
  const [title = "", content = "", time = ""] = fields;
  if (fields.length !== 3 || !fields.every((name) => /^[a-z_]+\d*$/.test(name)))
    problems.push("WECHAT_TEMPLATE_FIELDS must name three places of the template, such as thing1,thing2,time3");
  const endpoint = url("WECHAT_ENDPOINT", text("WECHAT_ENDPOINT"), ["https:", "http:"], problems);
  return {
    appId,
    appSecret: needed("WECHAT_APP_SECRET"),
    token: needed("WECHAT_TOKEN"),
    templateId: needed("WECHAT_TEMPLATE"),
    templateFields: [title, content, time],
    ...(endpoint && { endpoint: endpoint.replace(/\/+$/, "") }),
  };
}

function readS3(text: (name: string) => string | undefined, problems: string[]): S3Config | undefined {
  const bucket = text("S3_BUCKET");
  if (bucket === undefined) return undefined;
  const needed = (name: string): string => {
    const value = text(name);
    if (value === undefined) problems.push(`S3_BUCKET needs ${name}`);
    return value ?? "";
  };
  const endpoint = url("S3_ENDPOINT", text("S3_ENDPOINT"), ["https:", "http:"], problems);
  return {
    bucket,
    ...(endpoint && { endpoint }),
    region: text("S3_REGION") ?? "us-east-1",
    keyId: needed("S3_KEY_ID"),
    keySecret: needed("S3_KEY_SECRET"),
  };
}

/** Reads variables, and secrets from the files that `<NAME>_FILE` names, once for each. */
function readVariables(environment: Environment, problems: string[]): (name: string) => string | undefined {
  const plain = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const fromFiles = new Map<string, string>();
  for (const name of secretNames) {
    const file = plain(`${name}_FILE`);
    if (file === undefined) continue;
    if (plain(name) !== undefined) problems.push(`${name} and ${name}_FILE are both set; leave one of them out`);
    try {
      const value = readFileSync(file, "utf8").trim();
      if (value === "") problems.push(`${name}_FILE names ${file}, which is empty`);
      else fromFiles.set(name, value);
    } catch (error) {
      problems.push(`${name}_FILE names ${file}, which can't be read: ${(error as NodeJS.ErrnoException).code}`);
    }
  }
  return (name) => plain(name) ?? fromFiles.get(name);
}

/**
 * Reads the configuration.
 * @throws {ConfigError} that names every variable that is wrong and what it may be; values of secrets are never repeated.
 */
export function readConfig(environment: Environment): Config {
  const problems: string[] = [];
  const text = readVariables(environment, problems);
  const demo = flag("DEMO", text("DEMO"), false, problems);
  const httpPort = port("PORT", text("PORT"), 8080, problems);
  const logLevel = text("LOG_LEVEL") ?? "info";
  if (!(logLevels as readonly string[]).includes(logLevel)) {
    problems.push(`LOG_LEVEL is "${logLevel}", but must be one of ${logLevels.join(", ")}`);
  }
  const secretKey = text("SECRET_KEY");
  if (secretKey !== undefined && secretKey.length < 32) problems.push("SECRET_KEY must have at least 32 characters");
  const databaseUrl = url("DATABASE_URL", text("DATABASE_URL"), ["postgres:", "postgresql:"], problems);
  const redisUrl = url("REDIS_URL", text("REDIS_URL"), ["redis:", "rediss:"], problems);
  const mqttUrl = url("MQTT_URL", text("MQTT_URL"), ["mqtt:", "mqtts:"], problems);
  const mqttTls = readMqttTls(text, mqttUrl, problems);
  const mqttShared = flag("MQTT_SHARED", text("MQTT_SHARED"), true, problems);
  if (!mqttShared && redisUrl !== undefined)
    problems.push("MQTT_SHARED=off is for a single server, but REDIS_URL says that there are several");
  const publicUrl = url("PUBLIC_URL", text("PUBLIC_URL"), ["http:", "https:"], problems);
  const mallUrl = url("MALL_URL", text("MALL_URL"), ["http:", "https:"], problems);
  const customerServiceUrl = url("CUSTOMER_SERVICE_URL", text("CUSTOMER_SERVICE_URL"), ["http:", "https:"], problems);
  const mallSecret = text("MALL_SECRET");
  if (mallSecret !== undefined && mallSecret.length < 16) problems.push("MALL_SECRET must have at least 16 characters");
  const translation = translationOf(text, problems);
  const metricsToken = text("METRICS_TOKEN");
  const traces = text("OTEL_EXPORTER_OTLP_ENDPOINT");
  const tracesUrl = url("OTEL_EXPORTER_OTLP_ENDPOINT", traces, ["http:", "https:"], problems);
  const personalKey = text("PERSONAL_KEY");
  if (personalKey !== undefined && personalKey.length < 32)
    problems.push("PERSONAL_KEY must have at least 32 characters");
  const list = (name: string) =>
    (text(name) ?? "")
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
  const loginCaptcha = text("LOGIN_CAPTCHA") ?? "after-failures";
  if (loginCaptcha !== "after-failures" && loginCaptcha !== "always") {
    problems.push(`LOGIN_CAPTCHA is "${loginCaptcha}", but must be after-failures or always`);
  }
  const remittanceUrl = url("REMITTANCE_URL", text("REMITTANCE_URL"), ["http:", "https:"], problems);
  const remittanceSecret = text("REMITTANCE_SECRET") ?? "";
  if (remittanceUrl !== undefined && remittanceSecret.length < 16)
    problems.push("REMITTANCE_URL needs REMITTANCE_SECRET with at least 16 characters");
  const payment = readPayment(text, problems);
  const resetPassword = text("RESET_PASSWORD");
  if (resetPassword !== undefined && passwordFault(resetPassword, usualPasswordRule) !== undefined)
    problems.push(
      `RESET_PASSWORD must have ${usualPasswordRule.least} to ${longestPassword} letters, digits and punctuation marks of two classes`,
    );
  const webhookNetworks = list("WEBHOOK_NETWORKS");
  if (webhookNetworks.some((entry) => namedRanges.includes(entry) || !isAddressOrNetwork(entry))) {
    problems.push("WEBHOOK_NETWORKS must hold addresses or networks such as 10.1.0.0/16");
  }
  const trustProxy = list("TRUST_PROXY");
  const noAddress = trustProxy.find((entry) => !isAddressOrNetwork(entry));
  if (noAddress !== undefined)
    problems.push(
      `TRUST_PROXY holds "${noAddress}", but must be addresses or networks such as 10.0.0.1,10.0.0.0/8 or ${namedRanges.join(", ")}`,
    );
  const host = text("HOST");
  if (host !== undefined && isIP(host) === 0 && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host))
    problems.push(`HOST is "${host}", but must be an address or a name of this machine, without a port`);
  const sms = readSms(text, problems);
  const voice = readVoice(text, problems);
  const wechat = readWechat(text, problems);
  const s3 = readS3(text, problems);
  const mailUrl = url("MAIL_URL", text("MAIL_URL"), ["smtp:", "smtps:"], problems);
  const reachedAt = (publicUrl ?? `http://localhost:${httpPort}`).replace(/\/+$/, "");
  const config: Config = {
    port: httpPort,
    host: host ?? (demo ? "127.0.0.1" : "0.0.0.0"),
    mqttShared,
    mqttPort: port("MQTT_PORT", text("MQTT_PORT"), 1883, problems),
    dataDir: resolve(text("DATA_DIR") ?? "data"),
    ...(databaseUrl && { databaseUrl }),
    ...(redisUrl && { redisUrl }),
    ...(mqttUrl && { mqttUrl }),
    ...(mqttTls && { mqttTls }),
    demo,
    brandName: text("BRAND_NAME") ?? "慧牧 Herdwise",
    companySuffix: text("COMPANY_SUFFIX") ?? "",
    icpNumber: text("ICP_NUMBER") ?? "",
    policeNumber: text("POLICE_NUMBER") ?? "",
    simulator: flag("SIMULATOR", text("SIMULATOR"), demo, problems),
    demoDocuments: flag("DEMO_DOCUMENTS", text("DEMO_DOCUMENTS"), demo, problems) && demo,
    publicUrl: reachedAt,
    logLevel: logLevel as LogLevel,
    ...(mallUrl && { mallUrl: mallUrl.replace(/\/+$/, "") }),
    ...(mallSecret && { mallSecret }),
    ...(customerServiceUrl && { customerServiceUrl }),
    ...(translation && { translation }),
    ...(remittanceUrl && { remittance: { url: remittanceUrl.replace(/\/+$/, ""), secret: remittanceSecret } }),
    ...(payment && { payment }),
    ...(metricsToken && { metricsToken }),
    ...(tracesUrl && { tracesUrl }),
    ...(secretKey && { secretKey }),
    ...(personalKey && { personalKey }),
    personalKeysOld: list("PERSONAL_KEYS_OLD"),
    trustProxy,
    webhookNetworks,
    sessionDays: wholeNumber("SESSION_DAYS", text("SESSION_DAYS"), { least: 1, most: 3650, fallback: 90 }, problems),
    translationCharactersPerDay: wholeNumber(
      "TRANSLATION_CHARACTERS_PER_DAY",
      text("TRANSLATION_CHARACTERS_PER_DAY"),
      { least: 0, most: 1_000_000_000, fallback: 1_000_000 },
      problems,
    ),
    smsPerDay: wholeNumber(
      "SMS_PER_DAY",
      text("SMS_PER_DAY"),
      { least: 0, most: 10_000_000, fallback: 5000 },
      problems,
    ),
    loginCaptcha: loginCaptcha === "always" ? "always" : "after-failures",
    ...(resetPassword && { resetPassword }),
    ...(sms && { sms }),
    ...(voice && { voice }),
    ...(wechat && { wechat }),
    ...(s3 && { s3 }),
    ...(mailUrl && { mailUrl }),
    variable: text,
    mailFrom: text("MAIL_FROM") ?? `no-reply@${new URL(reachedAt).hostname}`,
    stopDelaySeconds: wholeNumber(
      "STOP_DELAY_SECONDS",
      text("STOP_DELAY_SECONDS"),
      { least: 0, most: 60, fallback: 0 },
      problems,
    ),
    backupHours: wholeNumber("BACKUP_HOURS", text("BACKUP_HOURS"), { least: 1, most: 8760, fallback: 24 }, problems),
    unknownSettings: unknownSettings(Object.keys(environment)),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** The process environment, for the entry points; everything else takes a `Config`. */
export const processEnvironment = (): Environment => process.env;

/** The configuration as it may be logged: credentials in addresses and keys are replaced. */
export function describeConfig(config: Config): Record<string, unknown> {
  const withoutCredentials = (address: string | undefined) => {
    if (address === undefined) return undefined;
    const parsed = new URL(address);
    if (parsed.username || parsed.password) {
      parsed.username = "***";
      parsed.password = "";
    }
    parsed.search = "";
    return parsed.href;
  };
  return {
    ...config,
    variable: undefined,
    databaseUrl: withoutCredentials(config.databaseUrl),
    redisUrl: withoutCredentials(config.redisUrl),
    mqttUrl: withoutCredentials(config.mqttUrl),
    metricsToken: config.metricsToken ? "***" : undefined,
    tracesUrl: withoutCredentials(config.tracesUrl),
    mallSecret: config.mallSecret ? "***" : undefined,
    translation: config.translation?.provider,
    payment: config.payment && { url: withoutCredentials(config.payment.url), secret: "***" },
    remittance: config.remittance && { url: withoutCredentials(config.remittance.url), secret: "***" },
    secretKey: config.secretKey ? "***" : undefined,
    resetPassword: config.resetPassword ? "***" : undefined,
    personalKey: config.personalKey ? "***" : undefined,
    personalKeysOld: config.personalKeysOld.map(() => "***"),
    mailUrl: withoutCredentials(config.mailUrl),
    s3: config.s3 && { ...config.s3, endpoint: withoutCredentials(config.s3.endpoint), keyId: "***", keySecret: "***" },
    wechat: config.wechat && { ...config.wechat, appSecret: "***", token: "***" },
    sms: config.sms && { ...config.sms, keyId: "***", keySecret: "***" },
    voice: config.voice && { ...config.voice, keyId: "***", keySecret: "***" },
  };
}
