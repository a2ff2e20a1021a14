import type { Contract, ContractHappening } from "@herdwise/contract";
import type { StateFace } from "@herdwise/contract/resource";

export const stateWords: Readonly<Record<Contract["state"], StateFace>> = {
  draft: { word: "草稿", mark: "off" },
  sent: { word: "等客户签", mark: "notice" },
  seen: { word: "客户已打开", mark: "notice" },
  signed: { word: "生效中", mark: "ok" },
  rejected: { word: "已退回", mark: "minor" },
  withdrawn: { word: "已撤回", mark: "off" },
  expired: { word: "过期没签", mark: "major" },
  ended: { word: "已结束", mark: "off" },
};

export const kindWords: Readonly<Record<string, string>> = {
  maintenance: "维护保养",
  purchase: "设备采购",
  pig_sale: "生猪购销",
  service: "技术服务",
  other: "其他",
};

/** What happened; `{name}` is who did it. */
export const happeningWords: Readonly<Record<ContractHappening["what"], string>> = {
  draft: "{name} 起草",
  revise: "{name} 修改",
  send: "{name} 代表集团签署并发出",
  see: "{name} 打开",
  sign: "{name} 签署",
  reject: "{name} 退回",
  withdraw: "{name} 撤回",
  expire: "签署期已过",
  end: "合同结束",
  download: "{name} 下载了文件",
  remind: "系统提醒了双方",
};

export const contractPaths = {
  list: "/selfCenter/contractManage",
  detail: "/selfCenter/contractManage/detail",
  history: "/selfCenter/contractManage/history",
  desk: "/customer/contract",
  deskDetail: "/customer/contract/detail",
  draft: "/customer/contract/draft",
  batch: "/customer/contract/batch",
} as const;
