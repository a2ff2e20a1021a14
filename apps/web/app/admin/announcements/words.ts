import type { AnnouncementAudience, AnnouncementState, TenantType } from "@herdwise/contract";
import type { StateFace } from "@herdwise/contract/resource";

export const audienceWords: Readonly<Record<AnnouncementAudience, string>> = {
  all: "所有人，包括员工",
  customers: "全部客户",
  chosen: "按条件选择",
};
export const kindWords: Readonly<Record<TenantType, string>> = {
  group: "集团员工",
  enterprise: "企业客户",
  personal: "个人客户",
};
export const stateWords: Readonly<Record<AnnouncementState, StateFace>> = {
  draft: { word: "草稿", mark: "empty" },
  scheduled: { word: "等待发送", mark: "notice" },
  sending: { word: "正在发送", mark: "notice" },
  sent: { word: "已发送", mark: "ok" },
  ended: { word: "已结束", mark: "off" },
  withdrawn: { word: "已收回", mark: "off" },
};
/** Roles that customers and the group begin with. */
export const roleWords: Readonly<Record<string, string>> = {
  owner: "企业主",
  farm_manager: "场长",
  veterinarian: "兽医",
  worker: "饲养员",
  finance: "财务",
  administrator: "管理员",
  customer_service: "客服",
  auditor: "实名审核员",
  device_engineer: "设备工程师",
  sales: "销售",
  content_editor: "内容编辑",
};
