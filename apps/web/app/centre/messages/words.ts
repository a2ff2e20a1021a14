import type { MessageChannel, MessageDelivery, MessageKind } from "@herdwise/contract";
import type { StateFace } from "@herdwise/contract/resource";
import type { IconName } from "../../shared/icons/icon.tsx";

/** What each kind is called, its sign, and why somebody gets it. */
export const kindWords: Readonly<Record<MessageKind, { name: string; icon: IconName; why: string; note: string }>> = {
  alarm: {
    name: "告警通知",
    icon: "bell",
    why: "您在告警推送里订阅了这些告警，或负责处理告警",
    note: "高温、断电、全停；短信和邮件在告警推送里设",
  },
  security: {
    name: "安全通知",
    icon: "shield",
    why: "这是您账号的安全记录，每个人都会收到",
    note: "登录、密码、手机号有变化",
  },
  service: {
    name: "服务通知",
    icon: "wrench",
    why: "您提交或负责这张工单，或客服改了您的资料",
    note: "工单有人回复、到时",
  },
  trade: { name: "交易通知", icon: "receipt", why: "您参与了这笔交易", note: "出价被超过、订单、结算" },
  contract: { name: "合同通知", icon: "book", why: "这份合同要您签，或快到期", note: "要签、到期" },
  real_name: { name: "认证通知", icon: "badge", why: "您提交了实名认证", note: "审核结果、执照到期" },
  price: { name: "行情提醒", icon: "chart", why: "您设了价格提醒", note: "到您设的价" },
  announcement: { name: "公告", icon: "chat", why: "集团发给您所在的客户或角色", note: "维护、活动、通知" },
  system: {
    name: "系统通知",
    icon: "gear",
    why: "您的任务做完了，或同事改了与您有关的设置",
    note: "导出完成、权限申请",
  },
};
export const channelWords: Readonly<Record<MessageChannel, string>> = {
  site: "站内",
  sms: "短信",
  mail: "邮件",
  wechat: "微信",
};
export const deliveryWords: Readonly<Record<MessageDelivery["state"], StateFace>> = {
  waiting: { word: "等待发送", mark: "notice" },
  sent: { word: "已发出", mark: "ok" },
  failed: { word: "没发出去", mark: "minor" },
  dropped: { word: "没有可用的地址", mark: "off" },
};
