import type { ServiceLogKind } from "@herdwise/contract";

/** The service's logs in the order in which somebody looks for a fault; keys of the translations. */
export const logNames: Readonly<Record<ServiceLogKind, { one: string; many: string }>> = {
  error: { one: "错误条目", many: "错误日志" },
  usual: { one: "拒绝的请求", many: "拒绝的请求" },
  api: { one: "接口条目", many: "接口日志" },
};
