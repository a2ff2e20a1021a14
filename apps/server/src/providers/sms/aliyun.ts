import { createHash, createHmac, randomUUID } from "node:crypto";
import {
  type CloudAccount,
  callSmsService,
  refusedBy,
  type SmsSender,
  type SmsServiceOptions,
  templateFor,
} from "./sms.ts";

export const aliyunSmsEndpoint = "https://dysmsapi.aliyuncs.com";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** RFC 3986: encodeURIComponent leaves five characters that the signature wants encoded. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

export interface AcsRequest {
  host: string;
  action: string;
  version: string;
  query: Readonly<Record<string, string>>;
  /** ISO 8601 in UTC without milliseconds. */
  date: string;
  nonce: string;
  keyId: string;
  keySecret: string;
}

/**
 * Signs a call in Alibaba Cloud's signature V3 (ACS3-HMAC-SHA256) for POST to `/` with parameters in the query.
 * Source: help.aliyun.com/zh/sdk/product-overview/v3-request-structure-and-signature
 */
export function signAcs3({ host, action, version, query, date, nonce, keyId, keySecret }: AcsRequest) {
  const queryText = Object.keys(query)
    .sort()
    .map((name) => `${encode(name)}=${encode(query[name] ?? "")}`)
    .join("&");
  const bodyHash = sha256("");
  const signed: Record<string, string> = {
    host,
    "x-acs-action": action,
    "x-acs-content-sha256": bodyHash,
    "x-acs-date": date,
    "x-acs-signature-nonce": nonce,
    "x-acs-version": version,
  };
  const names = Object.keys(signed).join(";");
  const headerText = Object.entries(signed)
    .map(([name, value]) => `${name}:${value}\n`)
    .join("");
  const canonical = ["POST", "/", queryText, headerText, names, bodyHash].join("\n");
  const signature = createHmac("sha256", keySecret)
    .update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`)
    .digest("hex");
  const { host: _fetchSetsIt, ...headers } = signed;
  return {
    queryText,
    headers: {
      ...headers,
      Authorization: `ACS3-HMAC-SHA256 Credential=${keyId},SignedHeaders=${names},Signature=${signature}`,
    },
  };
}

/**
 * Calls an action of Alibaba Cloud, whose version is 2017-05-25 for SMS and for calls.
 * @throws {SmsFault} when it refuses, fails, or does not answer within 3 s
 */
export async function callAliyun(
  { endpoint, keyId, keySecret, now = Date.now }: CloudAccount,
  action: string,
  query: Readonly<Record<string, string>>,
): Promise<void> {
  const { host, origin } = new URL(endpoint);
  const { queryText, headers } = signAcs3({
    host,
    action,
    version: "2017-05-25",
    query,
    date: new Date(now()).toISOString().replace(/\.\d{3}Z$/, "Z"),
    nonce: randomUUID(),
    keyId,
    keySecret,
  });
  const answer = (await callSmsService(`${origin}/?${queryText}`, {
    method: "POST",
    headers: { ...headers, Accept: "application/json" },
  })) as { Code?: string };
  if (answer.Code !== "OK") throw refusedBy("Alibaba Cloud", answer.Code);
}

/** Alibaba Cloud SMS. */
export const aliyunSms = (options: SmsServiceOptions): SmsSender => ({
  async send(message) {
    const { template, values } = templateFor(options, message);
    await callAliyun(options, "SendSms", {
      PhoneNumbers: message.phone,
      SignName: options.signName,
      TemplateCode: template,
      TemplateParam: JSON.stringify(values),
    });
  },
});
