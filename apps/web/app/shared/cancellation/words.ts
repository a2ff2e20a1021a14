import type { CancellationEffect, CancellationReason, CancellationState, RetentionCategory } from "@herdwise/contract";
import type { StateFace } from "@herdwise/contract/resource";
import type { MarkName } from "../icons/mark.tsx";

export const cancellationWords: Readonly<Record<CancellationState, StateFace>> = {
  cooling: { word: "冷静期", mark: "minor" },
  waiting: { word: "等客服答复", mark: "notice" },
  accepted: { word: "已同意，等清除", mark: "major" },
  refused: { word: "没有同意", mark: "off" },
  taken_back: { word: "已取回", mark: "ok" },
  erased: { word: "已清除", mark: "off" },
};

export const reasonWords: Readonly<Record<CancellationReason, string>> = {
  no_farming: "不养了",
  other_account: "换用别的账号",
  privacy: "担心个人信息",
  service: "对服务不满意",
  other: "别的原因",
};

/** What a cancellation touches: how many, what that means, and where it can be settled. */
export const effectWords: Readonly<
  Record<CancellationEffect, { mark: MarkName; title: string; text: string; to?: string; action?: string }>
> = {
  devices: {
    mark: "critical",
    title: "{count} 台设备还绑着",
    text: "舍里照常通风，但高温、断电不再通知任何人。先解绑或转给别人。",
    to: "/selfCenter/equipmentManage/allDevices",
    action: "看设备",
  },
  work_orders: {
    mark: "major",
    title: "{count} 张工单没办完",
    text: "办完或撤回后才能注销。",
    to: "/workOrder/orderService",
    action: "看工单",
  },
  sole_owner: {
    mark: "major",
    title: "{count} 个企业只有您一位企业主",
    text: "先请别的成员当企业主，猪场才有人管。",
    to: "/selfCenter/members",
    action: "看成员",
  },
  phone_change: {
    mark: "major",
    title: "{count} 个手机号更换在等生效",
    text: "生效或停止后才能注销，免得别人借机注销您的账号。",
    to: "/selfCenter/safeManage",
    action: "看安全设置",
  },
  cards: { mark: "minor", title: "{count} 张银行卡会解绑", text: "卡号、户名和预留手机一起清掉。" },
  members: { mark: "minor", title: "{count} 名成员失去进入的路", text: "他们已收到或将收到消息。" },
  accounts: { mark: "minor", title: "{count} 个账号一起注销", text: "这些人不在别的企业，账号跟着清除。" },
  farms: { mark: "minor", title: "{count} 个猪场看不到了", text: "场区、猪舍和历史数据不再有人能打开。" },
  pigs: { mark: "minor", title: "{count} 头在养的猪没人记录", text: "存栏停在最后一次登记。" },
  subscriptions: { mark: "minor", title: "{count} 项提醒停止", text: "告警、价格和报告不再发给您。" },
  apps: { mark: "minor", title: "{count} 个应用的授权收回", text: "用{brand}账号登录的应用进不去了。" },
  files: { mark: "minor", title: "{count} 个文件删除", text: "上传的图片和导出的表。工单里的照片留下。" },
};

export const retentionWords: Readonly<Record<RetentionCategory, { what: string; basis: string }>> = {
  identity: { what: "认证资料与账号", basis: "电子商务法：交易信息不少于 3 年" },
  consents: { what: "同意过的协议", basis: "民法典：诉讼时效 3 年" },
  payments: { what: "汇款记录", basis: "会计档案管理办法：10 年" },
  log_ins: { what: "登录日志", basis: "网络安全法：不少于 6 个月" },
};

/** Why a small amount failed. */
export const cardFailureWords: Readonly<Record<string, string>> = {
  name_mismatch: "银行说户名与卡号不符",
  not_public: "银行说这张卡不能收款",
  no_account: "银行说没有这个卡号",
  refused: "银行退回了这笔汇款",
  tries: "金额错了 3 次",
};
