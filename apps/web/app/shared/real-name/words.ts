import type { RealNameEvent, RealNameItem, RealNameReason, RealNameState, RemittanceFailure } from "@herdwise/contract";
import { licenceWithoutEnd, type RealNameKind, realNameItems } from "@herdwise/contract/real-name-checks";
import type { StateFace } from "@herdwise/contract/resource";
import type { Translate } from "../language/use-language.ts";

export const kindWords: Readonly<Record<RealNameKind, string>> = { personal: "个人", enterprise: "企业" };

export const stateWords: Readonly<Record<RealNameState, StateFace>> = {
  remitting: { word: "等 0.01 元验证", mark: "notice" },
  waiting: { word: "等审核", mark: "notice" },
  second_look: { word: "等复核", mark: "notice" },
  rejected: { word: "退回修改", mark: "critical" },
  passed: { word: "已通过", mark: "ok" },
  suspended: { word: "执照到期，已暂停", mark: "major" },
  replaced: { word: "已由新的代替", mark: "off" },
  withdrawn: { word: "已撤回", mark: "off" },
};

/** Reasons of product.md 4. Of a person there is no enterprise to disagree. */
export const reasonWord = (reason: RealNameReason, kind: RealNameKind): string =>
  ({
    mismatch: kind === "enterprise" ? "企业信息不一致" : "个人信息不一致",
    seal: "印章名称不一致",
    missing: "资料缺失",
    expired: "营业执照已过期",
    expiring: "营业执照 7 日内到期",
    none: "无异议",
  })[reason];

export const eventWords: Readonly<Record<RealNameEvent["what"], string>> = {
  submitted: "提交申请",
  resubmitted: "重新提交",
  remitted: "测试汇款已汇出",
  arrived: "测试汇款已到账",
  confirmed: "金额确认无误",
  remittance_failed: "测试汇款没有成功",
  remittance_expired: "测试汇款过期",
  first_look: "初审通过，等复核",
  rejected: "退回修改",
  passed: "审核通过",
  reminded: "提醒执照快到期",
  suspended: "执照到期，暂停",
  replaced: "由新的认证代替",
  withdrawn: "撤回申请",
};

export const failureWords: Readonly<Record<RemittanceFailure, string>> = {
  name_mismatch: "银行说户名与账号不符",
  not_public: "银行说这不是对公账户",
  no_account: "银行说没有这个账号",
  refused: "银行退回了这笔汇款",
  tries: "金额错了 3 次，这笔汇款作废",
};

/** Name of an item, a key of the translations. */
export const labelOf = (kind: RealNameKind, field: string): string =>
  realNameItems[kind].find((item) => item.field === field)?.label ?? field;

/** An item's value as it is read. */
export const valueWord = ({ field, value }: Pick<RealNameItem, "field" | "value">, t: Translate): string =>
  field === "licenceUntil" && value === licenceWithoutEnd ? t("长期") : value;
