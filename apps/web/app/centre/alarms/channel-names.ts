import type { AlarmChannel } from "@herdwise/contract";

/** Ways of being told of alarms; Chinese, keys of the translations. Calls can't be chosen: they follow an SMS. */
export const channelNames: Readonly<Record<AlarmChannel | "voice", string>> & Readonly<Record<string, string>> = {
  site: "站内消息",
  sms: "短信",
  voice: "语音电话",
  mail: "邮件",
  "wechat-robot": "企业微信群机器人",
  webhook: "网络钩子（Webhook）",
};
