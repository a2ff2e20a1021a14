import { smsKinds } from "./providers/sms/sms.ts";

const cloudNames = (prefix: string): string[] =>
  ["PROVIDER", "KEY_ID", "KEY_SECRET", "ENDPOINT", "APP_ID", "REGION", "TEMPLATE_ALARM", "TEMPLATE_ALARM_EN"].map(
    (name) => `${prefix}_${name}`,
  );

/** Settings that hold secrets: `<NAME>_FILE` may name a file with the value instead. */
export const secretNames: ReadonlySet<string> = new Set(
  (
    "DATABASE_URL REDIS_URL MQTT_URL SECRET_KEY PERSONAL_KEY PERSONAL_KEYS_OLD METRICS_TOKEN MALL_SECRET PAYMENT_SECRET " +
    "REMITTANCE_SECRET S3_KEY_SECRET SMS_KEY_SECRET VOICE_KEY_SECRET WECHAT_APP_SECRET WECHAT_TOKEN MAIL_URL BAIDU_KEY LIBRETRANSLATE_API_KEY"
  ).split(" "),
);

/** Names of all settings that config.ts reads. */
export const settingNames: ReadonlySet<string> = new Set([
  ...[...secretNames].map((name) => `${name}_FILE`),
  ..."PORT HOST MQTT_PORT MQTT_URL MQTT_SHARED MQTT_TLS_PORT MQTT_TLS_CERT_FILE MQTT_TLS_KEY_FILE DATA_DIR DATABASE_URL".split(
    " ",
  ),
  ..."REDIS_URL DEMO SIMULATOR DEMO_DOCUMENTS PUBLIC_URL LOG_LEVEL METRICS_TOKEN BRAND_NAME COMPANY_SUFFIX".split(" "),
  ..."ICP_NUMBER POLICE_NUMBER MALL_URL MALL_SECRET CUSTOMER_SERVICE_URL TRANSLATION_PROVIDER BAIDU_APP_ID".split(" "),
  ..."BAIDU_KEY LIBRETRANSLATE_URL LIBRETRANSLATE_API_KEY TRANSLATION_CHARACTERS_PER_DAY REMITTANCE_URL".split(" "),
  ..."REMITTANCE_SECRET PAYMENT_URL PAYMENT_SECRET SECRET_KEY PERSONAL_KEY PERSONAL_KEYS_OLD TRUST_PROXY".split(" "),
  ..."LOGIN_CAPTCHA SESSION_DAYS RESET_PASSWORD SMS_PER_DAY S3_BUCKET S3_ENDPOINT S3_REGION S3_KEY_ID".split(" "),
  ..."S3_KEY_SECRET WECHAT_APP_ID WECHAT_APP_SECRET WECHAT_TOKEN WECHAT_TEMPLATE WECHAT_TEMPLATE_FIELDS".split(" "),
  ..."WECHAT_ENDPOINT MAIL_URL MAIL_FROM WEBHOOK_NETWORKS BACKUP_HOURS STOP_DELAY_SECONDS OTEL_EXPORTER_OTLP_ENDPOINT".split(
    " ",
  ),
  ...cloudNames("SMS"),
  "SMS_SIGN_NAME",
  ...smsKinds.map((kind) => `SMS_TEMPLATE_${kind.toUpperCase().replaceAll("-", "_")}`),
  ...cloudNames("VOICE"),
  "VOICE_SHOW_NUMBER",
]);

/** Beginnings that only settings of this program have on an ordinary machine. */
const ownBeginning =
  /^(MQTT|SMS|VOICE|WECHAT|S3|PAYMENT|REMITTANCE|MALL|PERSONAL|TRANSLATION|BAIDU|LIBRETRANSLATE|BACKUP)_/;
const shortestCompared = 6;
const mostEdits = 2;

/** How many letters differ, where one that is missing or added counts once. */
function editsBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1)
      row.push(
        Math.min((row[j - 1] ?? 0) + 1, (above[j] ?? 0) + 1, (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    above = row;
  }
  return above[b.length] ?? 0;
}

/** A variable of the environment that looks like a setting and is none. */
export interface UnknownSetting {
  readonly name: string;
  /** The setting that was probably meant. */
  readonly meant?: string;
}

/** Variables that nothing reads, though they look like settings: most are mistyped. */
export function unknownSettings(names: readonly string[]): UnknownSetting[] {
  return names.flatMap((name) => {
    if (settingNames.has(name) || name.length < shortestCompared) return [];
    const [nearest] = [...settingNames]
      .map((known) => ({ known, edits: editsBetween(name, known) }))
      .filter(({ known, edits }) => known.length >= shortestCompared && edits <= mostEdits)
      .sort((a, b) => a.edits - b.edits);
    if (nearest !== undefined) return [{ name, meant: nearest.known }];
    return ownBeginning.test(name) ? [{ name }] : [];
  });
}
