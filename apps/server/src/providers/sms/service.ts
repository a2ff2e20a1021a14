import { aliyunSms, aliyunSmsEndpoint } from "./aliyun.ts";
import type { SmsSender, SmsServiceOptions } from "./sms.ts";
import { tencentSms, tencentSmsEndpoint } from "./tencent.ts";

export interface SmsServiceChoice extends Omit<SmsServiceOptions, "endpoint"> {
  provider: "aliyun" | "tencent";
  /** Default: the service's own. */
  endpoint?: string;
  appId: string;
  region: string;
}

/** The configured service. */
export const smsService = (choice: SmsServiceChoice): SmsSender =>
  choice.provider === "aliyun"
    ? aliyunSms({ ...choice, endpoint: choice.endpoint ?? aliyunSmsEndpoint })
    : tencentSms({ ...choice, endpoint: choice.endpoint ?? tencentSmsEndpoint });
