import type { RepairMode, WorkOrderCategory, WorkOrderEntry, WorkOrderState, WorkOrderType } from "@herdwise/contract";
import type { StateFace } from "@herdwise/contract/resource";

export const typeWords: Readonly<Record<WorkOrderType, string>> = {
  after_sales: "售后工单",
  complaint: "投诉",
  suggestion: "建议",
};

/** One of each, in a row of a list. */
export const oneOfType: Readonly<Record<WorkOrderType, string>> = {
  after_sales: "售后",
  complaint: "投诉单",
  suggestion: "建议单",
};

/** Screens of the customers. */
export const typePaths: Readonly<Record<WorkOrderType, { list: string; add: string }>> = {
  after_sales: { list: "/workOrder/orderService", add: "/workOrder/orderService/add" },
  complaint: { list: "/workOrder/complaintOrder", add: "/workOrder/complaintOrder/add" },
  suggestion: { list: "/workOrder/suggestion", add: "/service/propose" },
};

export const stateWords: Readonly<Record<WorkOrderState, StateFace>> = {
  pending: { word: "等待处理", mark: "notice" },
  in_process: { word: "处理中", mark: "notice" },
  waiting_customer: { word: "等客户答复", mark: "minor" },
  completed: { word: "已完成", mark: "ok" },
  closed: { word: "已关闭", mark: "off" },
  cancelled: { word: "已撤回", mark: "off" },
  merged: { word: "已并入", mark: "off" },
  adopted: { word: "已采纳", mark: "ok" },
  rejected: { word: "未采纳", mark: "off" },
};

export const repairWords: Readonly<Record<RepairMode, string>> = { remote: "远程指导", return_factory: "返厂维修" };
export const repairWord = (mode: string): string => repairWords[mode as RepairMode] ?? "";

export const categoryWords: Readonly<Record<WorkOrderCategory, string>> = {
  product: "产品与设备",
  service: "服务态度与质量",
  delivery: "物流与交付",
  price: "价格与合同",
  website: "网站与软件",
  other: "其他",
};
export const categoryWord = (category: string): string => categoryWords[category as WorkOrderCategory] ?? "";

/** What happened, where an entry is no words of somebody. `{name}` is who did it, `{other}` whom or what it is about. */
export const eventLines: Readonly<Partial<Record<WorkOrderEntry["what"], string>>> = {
  urge: "{name} 催了一次",
  receive: "{name} 收到了寄出的东西",
  cancel: "{name} 撤回了",
  rate: "{name} 给了 {rating} 星",
  claim: "{name} 接手",
  assign: "{name} 转给 {other}",
  arrive: "{name} 登记：工厂已收到寄回的设备",
  redirect: "{name} 把维修方式改为{other}",
  merge: "{name} 并入 {other}",
  absorb: "{name} 把 {other} 并到这里",
  publish: "{name} 改了是否公开",
  close: "7 天没有评价，自动关闭",
};

/** What words of somebody were for; absent where they speak for themselves. */
export const entryTags: Readonly<Partial<Record<WorkOrderEntry["what"], { word: string; tone: string }>>> = {
  ask: { word: "等答复", tone: "minor" },
  remote: { word: "远程指导", tone: "notice" },
  ship: { word: "寄出", tone: "notice" },
  complete: { word: "处理完成", tone: "ok" },
  reopen: { word: "重新打开", tone: "minor" },
  adopt: { word: "已采纳", tone: "ok" },
  reject: { word: "未采纳", tone: "" },
};
