import type { CustomerFinding, CustomerRule } from "@herdwise/contract";
import type { MarkName } from "../icons/mark.tsx";
import type { Translate } from "../language/use-language.ts";

/** What a rule finds, how bad it is, and what to do about it. */
export const ruleWords: Readonly<Record<CustomerRule, { word: string; mark: MarkName; detail: string; next: string }>> =
  {
    licence_expired: {
      word: "执照已过期",
      mark: "critical",
      detail: "{detail} 到期",
      next: "请客户上传新的执照，重新认证前不能下单和绑定设备",
    },
    authentication_suspended: {
      word: "认证已暂停",
      mark: "major",
      detail: "",
      next: "到实名审核看暂停的原因，联系客户补资料",
    },
    complaint_overdue: { word: "投诉超时", mark: "major", detail: "{detail} 张", next: "先答复投诉，再说别的" },
    sign_in_locked: {
      word: "密码连续输错",
      mark: "minor",
      detail: "24 小时内锁了 {detail} 次",
      next: "问客户是不是本人；不是的话，请客户改密码",
    },
    phone_on_hold: {
      word: "换手机号在等待期",
      mark: "minor",
      detail: "{detail} 生效",
      next: "用旧号码联系客户，确认是本人要换",
    },
    device_silent: {
      word: "设备 7 天没有数据",
      mark: "minor",
      detail: "{detail} 台",
      next: "问现场是否断电断网，需要时转售后",
    },
    owner_disabled: { word: "没有人能登录", mark: "off", detail: "", next: "核对停用的原因，需要时在用户管理恢复" },
    licence_expiring: { word: "执照 7 天内到期", mark: "notice", detail: "{detail} 到期", next: "提醒客户提前换证" },
  };

export const ruleDetail = ({ rule, detail }: Pick<CustomerFinding, "rule" | "detail">, t: Translate): string =>
  ruleWords[rule].detail === "" ? "" : t(ruleWords[rule].detail, { detail });
