import type { SendServices, SendState } from "@herdwise/contract";

const words: Readonly<Record<keyof SendServices, Readonly<Record<Exclude<SendState, "works">, string>>>> = {
  sms: {
    missing: "短信服务没有接通：紧急告警发不出短信。",
    "out-of-money": "短信服务说余额用完了：紧急告警发不出短信。",
  },
  voice: {
    missing: "电话服务没有接通：没人确认时打不出电话。",
    "out-of-money": "电话服务说余额用完了：没人确认时打不出电话。",
  },
};

/** What is wrong with the services that wake people; Chinese, keys of the translations. */
export const serviceFaults = (services: SendServices): string[] =>
  (["sms", "voice"] as const).flatMap((channel) => {
    const state = services[channel];
    return state === "works" ? [] : [words[channel][state]];
  });
