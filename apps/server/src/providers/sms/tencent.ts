import { createHash, createHmac } from "node:crypto";
import { callSmsService, SmsFault, type SmsSender, type SmsServiceOptions, templateFor } from "./sms.ts";

export const tencentSmsEndpoint = "https://sms.tencentcloudapi.com";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const contentType = "application/json; charset=utf-8";

interface Tc3Request {
  host: string;
  service: string;
  payload: string;
  /** Seconds since 1970. */
  timestamp: number;
  keyId: string;
  keySecret: string;
}

/**
 * Signs a POST of JSON to `/` with TC3-HMAC-SHA256.
 * Source: cloud.tencent.com/document/api/382/52071 (signature method v3)
 */
export function signTc3({ host, service, payload, timestamp, keyId, keySecret }: Tc3Request): string {
  const date = new Date(timestamp * 1000).toISOString().slice(0, 10);
  const scope = `${date}/${service}/tc3_request`;
  const canonical = [
    "POST",
    "/",
    "",
    `content-type:${contentType}\nhost:${host}\n`,
    "content-type;host",
    sha256(payload),
  ].join("\n");
  const text = ["TC3-HMAC-SHA256", timestamp, scope, sha256(canonical)].join("\n");
  const key = hmac(hmac(hmac(`TC3${keySecret}`, date), service), "tc3_request");
  const signature = createHmac("sha256", key).update(text).digest("hex");
  return `TC3-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=content-type;host, Signature=${signature}`;
}

interface SendSmsAnswer {
  Response?: { Error?: { Code?: string }; SendStatusSet?: { Code?: string }[] };
}

export interface TencentSmsOptions extends SmsServiceOptions {
  /** SmsSdkAppId of the console. */
  appId: string;
  region: string;
}

/** Tencent Cloud SMS, action SendSms of version 2021-01-11. */
export function tencentSms(options: TencentSmsOptions): SmsSender {
  const { endpoint, keyId, keySecret, signName, templates, appId, region, now = Date.now } = options;
  const { host, origin } = new URL(endpoint);
  return {
    async send({ phone, kind, variables }) {
      const payload = JSON.stringify({
        PhoneNumberSet: [`+86${phone}`],
        SmsSdkAppId: appId,
        SignName: signName,
        TemplateId: templateFor(templates, kind),
        TemplateParamSet: Object.values(variables),
      });
      const timestamp = Math.floor(now() / 1000);
      const answer = (await callSmsService(`${origin}/`, {
        method: "POST",
        headers: {
          "Content-Type": contentType,
          "X-TC-Action": "SendSms",
          "X-TC-Version": "2021-01-11",
          "X-TC-Region": region,
          "X-TC-Timestamp": String(timestamp),
          Authorization: signTc3({ host, service: "sms", payload, timestamp, keyId, keySecret }),
        },
        body: payload,
      })) as SendSmsAnswer;
      const code = answer.Response?.Error?.Code ?? answer.Response?.SendStatusSet?.[0]?.Code ?? "no code";
      if (code !== "Ok") throw new SmsFault(`Tencent Cloud refused: ${code}`);
    },
  };
}
