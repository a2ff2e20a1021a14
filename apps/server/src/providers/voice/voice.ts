import { randomUUID } from "node:crypto";
import { signAcs3 } from "../sms/aliyun.ts";
import { callSmsService, SmsFault } from "../sms/sms.ts";
import { signTc3 } from "../sms/tencent.ts";

/** A call that reads an alarm out. */
export interface VoiceCall {
  /** Mobile number of mainland China, 11 digits. */
  phone: string;
  /** Values of the template's places by name, in the order of the template. */
  variables: Readonly<Record<string, string>>;
}

/** Calls people. */
export interface VoiceCaller {
  /** @throws {SmsFault} when the service refuses, fails, or does not answer within 3 s */
  call(call: VoiceCall): Promise<void>;
}

/** What is read out, as the template to be approved and as the outbox shows it. */
export const voiceText = ({ variables }: Pick<VoiceCall, "variables">): string =>
  `慧牧紧急告警：${variables.alarm ?? ""}。请尽快处理。`;

/** For an installation without a service: nobody is called, and the caller is told. */
export const noVoice: VoiceCaller = {
  async call() {
    throw new SmsFault("no voice service is configured (VOICE_PROVIDER)");
  },
};

export interface VoiceServiceChoice {
  provider: "aliyun" | "tencent";
  /** Default: the service's own. */
  endpoint?: string;
  keyId: string;
  keySecret: string;
  /** Id of the approved template, with the place `alarm`. */
  template: string;
  /** Number that is shown to who is called; of Alibaba Cloud, where it is not public. */
  showNumber: string;
  /** VoiceSdkAppid of Tencent Cloud's console. */
  appId: string;
  region: string;
  now?: () => number;
}

/** Alibaba Cloud Voice, action SingleCallByTts of version 2017-05-25. */
function aliyunVoice(choice: VoiceServiceChoice): VoiceCaller {
  const { endpoint = "https://dyvmsapi.aliyuncs.com", keyId, keySecret, template, showNumber, now = Date.now } = choice;
  const { host, origin } = new URL(endpoint);
  return {
    async call({ phone, variables }) {
      const { queryText, headers } = signAcs3({
        host,
        action: "SingleCallByTts",
        version: "2017-05-25",
        query: {
          CalledNumber: phone,
          ...(showNumber !== "" && { CalledShowNumber: showNumber }),
          PlayTimes: "2",
          TtsCode: template,
          TtsParam: JSON.stringify(variables),
        },
        date: new Date(now()).toISOString().replace(/\.\d{3}Z$/, "Z"),
        nonce: randomUUID(),
        keyId,
        keySecret,
      });
      const answer = (await callSmsService(`${origin}/?${queryText}`, {
        method: "POST",
        headers: { ...headers, Accept: "application/json" },
      })) as { Code?: string };
      if (answer.Code !== "OK") throw new SmsFault(`Alibaba Cloud refused: ${answer.Code ?? "no code"}`);
    },
  };
}

/** Tencent Cloud Voice, action SendTtsVoice of version 2020-09-02. */
function tencentVoice(choice: VoiceServiceChoice): VoiceCaller {
  const {
    endpoint = "https://vms.tencentcloudapi.com",
    keyId,
    keySecret,
    template,
    appId,
    region,
    now = Date.now,
  } = choice;
  const { host, origin } = new URL(endpoint);
  return {
    async call({ phone, variables }) {
      const payload = JSON.stringify({
        TemplateId: template,
        CalledNumber: `+86${phone}`,
        VoiceSdkAppid: appId,
        TemplateParamSet: Object.values(variables),
        PlayTimes: 2,
      });
      const timestamp = Math.floor(now() / 1000);
      const answer = (await callSmsService(`${origin}/`, {
        method: "POST",
        headers: {
          "Content-Type": "application/json; charset=utf-8",
          "X-TC-Action": "SendTtsVoice",
          "X-TC-Version": "2020-09-02",
          "X-TC-Region": region,
          "X-TC-Timestamp": String(timestamp),
          Authorization: signTc3({ host, service: "vms", payload, timestamp, keyId, keySecret }),
        },
        body: payload,
      })) as { Response?: { Error?: { Code?: string }; SendStatus?: { CallId?: string } } };
      const { Error: refused, SendStatus: sent } = answer.Response ?? {};
      if (refused !== undefined || sent?.CallId === undefined)
        throw new SmsFault(`Tencent Cloud refused: ${refused?.Code ?? "no code"}`);
    },
  };
}

/** The configured service. */
export const voiceService = (choice: VoiceServiceChoice): VoiceCaller =>
  choice.provider === "aliyun" ? aliyunVoice(choice) : tencentVoice(choice);
