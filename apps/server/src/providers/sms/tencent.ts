import { createHash, createHmac } from "node:crypto";
import {
  type CloudAccount,
  callSmsService,
  refusedBy,
  type SmsFault,
  type SmsSender,
  type SmsServiceOptions,
  templateFor,
} from "./sms.ts";

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
function signTc3({ host, service, payload, timestamp, keyId, keySecret }: Tc3Request): string {
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

/** A call of an action of Tencent Cloud. */
interface TencentCall {
  /** Name of the product in the signature. */
  service: string;
  action: string;
  version: string;
  region: string;
  body: Readonly<Record<string, unknown>>;
}

/**
 * Calls an action of Tencent Cloud.
 * @returns its Response, which may hold an Error
 * @throws {SmsFault} when it fails, or does not answer within 3 s
 */
export async function callTencent<Answer>(
  { endpoint, keyId, keySecret, now = Date.now }: CloudAccount,
  { service, action, version, region, body }: TencentCall,
): Promise<Partial<Answer> & { Error?: { Code?: string } }> {
  const { host, origin } = new URL(endpoint);
  const payload = JSON.stringify(body);
  const timestamp = Math.floor(now() / 1000);
  const answer = (await callSmsService(`${origin}/`, {
    method: "POST",
    headers: {
      "Content-Type": contentType,
      "X-TC-Action": action,
      "X-TC-Version": version,
      "X-TC-Region": region,
      "X-TC-Timestamp": String(timestamp),
      Authorization: signTc3({ host, service, payload, timestamp, keyId, keySecret }),
    },
    body: payload,
  })) as { Response?: Partial<Answer> & { Error?: { Code?: string } } };
  return answer.Response ?? ({} as Partial<Answer>);
}

/** What the service says was refused. */
export const refusedByTencent = (code: string | undefined): SmsFault => refusedBy("Tencent Cloud", code);

export interface TencentSmsOptions extends SmsServiceOptions {
  /** SmsSdkAppId of the console. */
  appId: string;
  region: string;
}

/** Tencent Cloud SMS, action SendSms of version 2021-01-11. */
export const tencentSms = (options: TencentSmsOptions): SmsSender => ({
  async send(message) {
    const { template, values } = templateFor(options, message);
    const { Error: refused, SendStatusSet: sent } = await callTencent<{ SendStatusSet: { Code?: string }[] }>(options, {
      service: "sms",
      action: "SendSms",
      version: "2021-01-11",
      region: options.region,
      body: {
        PhoneNumberSet: [`+86${message.phone}`],
        SmsSdkAppId: options.appId,
        SignName: options.signName,
        TemplateId: template,
        TemplateParamSet: Object.values(values),
      },
    });
    const code = refused?.Code ?? sent?.[0]?.Code;
    if (code !== "Ok") throw refusedByTencent(code);
  },
});
