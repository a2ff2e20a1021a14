import { callAliyun } from "../sms/aliyun.ts";
import { type CloudAccount, SmsFault } from "../sms/sms.ts";
import { callTencent, refusedByTencent } from "../sms/tencent.ts";

/** A call that reads an alarm out. */
export interface VoiceCall {
  /** Mobile number of mainland China, 11 digits. */
  phone: string;
  /** Values of the template's places by name, in the order of the template. */
  variables: Readonly<Record<string, string>>;
  /** The same for the English template, where the receiver speaks English; without such a template the Chinese one is read. */
  english?: Readonly<Record<string, string>>;
}

/** Calls people. */
export interface VoiceCaller {
  /** @throws {SmsFault} when the service refuses, fails, or does not answer within 3 s */
  call(call: VoiceCall): Promise<void>;
}

/** What is read out, as the template to be approved and as the outbox shows it. */
export const voiceText = (
  { variables, english }: Omit<VoiceCall, "phone">,
  brand: (language: "zh" | "en") => string,
): string =>
  english
    ? `${brand("en")}, critical alarm: ${english.alarm ?? ""}. Please act now.`
    : `${brand("zh")}紧急告警：${variables.alarm ?? ""}。请尽快处理。`;

/** For an installation without a service: nobody is called, and the caller is told. */
export const noVoice: VoiceCaller = {
  async call() {
    throw new SmsFault("no voice service is configured (VOICE_PROVIDER)");
  },
};

export interface VoiceServiceChoice extends Omit<CloudAccount, "endpoint"> {
  provider: "aliyun" | "tencent";
  /** Default: the service's own. */
  endpoint?: string;
  /** Id of the approved template, with the place `alarm`. */
  template: string;
  /** Id of the one in English. */
  englishTemplate?: string;
  /** Number that is shown to who is called; of Alibaba Cloud, where it is not public. */
  showNumber: string;
  /** VoiceSdkAppid of Tencent Cloud's console. */
  appId: string;
  region: string;
}

/** The template of a call with the values of its places. */
const spoken = (
  { template, englishTemplate }: VoiceServiceChoice,
  { variables, english }: VoiceCall,
): { template: string; values: Readonly<Record<string, string>> } =>
  english && englishTemplate !== undefined
    ? { template: englishTemplate, values: english }
    : { template, values: variables };

/** Alibaba Cloud Voice. */
function aliyunVoice(choice: VoiceServiceChoice): VoiceCaller {
  const account = { ...choice, endpoint: choice.endpoint ?? "https://dyvmsapi.aliyuncs.com" };
  return {
    async call(call) {
      const { template, values } = spoken(choice, call);
      await callAliyun(account, "SingleCallByTts", {
        CalledNumber: call.phone,
        ...(choice.showNumber !== "" && { CalledShowNumber: choice.showNumber }),
        PlayTimes: "2",
        TtsCode: template,
        TtsParam: JSON.stringify(values),
      });
    },
  };
}

/** Tencent Cloud Voice, action SendTtsVoice of version 2020-09-02. */
function tencentVoice(choice: VoiceServiceChoice): VoiceCaller {
  const account = { ...choice, endpoint: choice.endpoint ?? "https://vms.tencentcloudapi.com" };
  return {
    async call(call) {
      const { template, values } = spoken(choice, call);
      const { Error: refused, SendStatus: sent } = await callTencent<{ SendStatus: { CallId?: string } }>(account, {
        service: "vms",
        action: "SendTtsVoice",
        version: "2020-09-02",
        region: choice.region,
        body: {
          TemplateId: template,
          CalledNumber: `+86${call.phone}`,
          VoiceSdkAppid: choice.appId,
          TemplateParamSet: Object.values(values),
          PlayTimes: 2,
        },
      });
      if (refused !== undefined || sent?.CallId === undefined) throw refusedByTencent(refused?.Code);
    },
  };
}

/** The configured service. */
export const voiceService = (choice: VoiceServiceChoice): VoiceCaller =>
  choice.provider === "aliyun" ? aliyunVoice(choice) : tencentVoice(choice);
