import type { CustomerAuthentication, CustomerKind, CustomerSecret, CustomerState } from "@herdwise/contract";
import type { StateFace } from "@herdwise/contract/resource";

export const kindWords: Readonly<Record<CustomerKind, string>> = { personal: "个人", enterprise: "企业" };
export const stateWords: Readonly<Record<CustomerState, StateFace>> = {
  active: { word: "正常", mark: "ok" },
  disabled: { word: "停用", mark: "minor" },
  cancelled: { word: "已注销", mark: "off" },
};
export const authenticationWords: Readonly<Record<CustomerAuthentication, StateFace>> = {
  none: { word: "未认证", mark: "empty" },
  reviewing: { word: "审核中", mark: "notice" },
  rejected: { word: "被退回", mark: "minor" },
  passed: { word: "已通过", mark: "ok" },
  suspended: { word: "已暂停", mark: "major" },
};
export const secretWords: Readonly<Record<CustomerSecret, string>> = {
  phone: "手机号",
  email: "邮箱",
  name: "姓名",
  address: "地址",
  idNumber: "证件号",
};
