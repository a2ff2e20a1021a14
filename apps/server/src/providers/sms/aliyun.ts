import { createHash, createHmac, randomUUID } from "node:crypto";
import { callSmsService, SmsFault, type SmsSender, type SmsServiceOptions, templateFor } from "./sms.ts";

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

interface SendSmsAnswer {
  Code?: string;
}

/** Alibaba Cloud SMS, action SendSms of version 2017-05-25. */
export function aliyunSms(options: SmsServiceOptions): SmsSender {
  const { endpoint, keyId, keySecret, signName, templates, now = Date.now } = options;
  const { host, origin } = new URL(endpoint);
  return {
    async send({ phone, kind, variables }) {
      const { queryText, headers } = signAcs3({
        host,
        action: "SendSms",
        version: "2017-05-25",
        query: {
          PhoneNumbers: phone,
          SignName: signName,
          TemplateCode: templateFor(templates, kind),
          TemplateParam: JSON.stringify(variables),
        },
        date: new Date(now()).toISOString().replace(/\.\d{3}Z$/, "Z"),
        nonce: randomUUID(),
        keyId,
        keySecret,
      });
      const answer = (await callSmsService(`${origin}/?${queryText}`, {
        method: "POST",
        headers: { ...headers, Accept: "application/json" },
      })) as SendSmsAnswer;
      if (answer.Code !== "OK") throw new SmsFault(`Alibaba Cloud refused: ${answer.Code ?? "no code"}`);
    },
  };
}
