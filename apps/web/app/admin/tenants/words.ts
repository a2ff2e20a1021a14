import type { Tenant } from "@herdwise/contract";
import type { StateFace } from "@herdwise/contract/resource";

export const typeWords: Readonly<Record<string, string>> = { group: "集团", enterprise: "企业", personal: "个人" };

/** What is told of the end of a tenant's time; nothing while it is far away. */
export const expiryWords: Readonly<Record<Tenant["expiry"], StateFace | undefined>> = {
  past: { word: "已到期", mark: "critical" },
  near: { word: "快到期", mark: "minor" },
  later: undefined,
  none: undefined,
};

export const statusWords: Readonly<Record<number, StateFace>> = {
  1: { word: "正常", mark: "ok" },
  0: { word: "已停用", mark: "off" },
};
