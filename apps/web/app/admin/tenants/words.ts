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

/** How a tenant stands. */
export const stateOf = ({ status, isClosed }: Pick<Tenant, "status" | "isClosed">): StateFace =>
  isClosed
    ? { word: "已注销", mark: "off" }
    : status === 1
      ? { word: "正常", mark: "ok" }
      : { word: "已停用", mark: "off" };
