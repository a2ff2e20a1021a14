import type { UnitState } from "@herdwise/contract/unit-states";
import type { MarkName } from "../../shared/icons/mark.tsx";

export const stateNames: Readonly<Record<UnitState, string>> = {
  critical: "紧急",
  major: "严重",
  minor: "一般",
  notice: "提示",
  offline: "离线",
  silent: "无数据",
  bare: "未绑定",
  washing: "冲洗",
  empty: "空栏",
  ok: "正常",
};

/** How many are in a state, in words. */
export const stateCounts = {
  critical: "{count} 紧急",
  major: "{count} 严重",
  minor: "{count} 一般",
  offline: "{count} 离线",
  silent: "{count} 尚无上报",
  empty: "{count} 空栏",
  washing: "{count} 冲洗",
  bare: "{count} 未绑定",
} as const;

/** Mark and colour class. */
export interface StateLook {
  readonly mark: MarkName;
  readonly tone: string;
}

export const stateMarks: Readonly<Record<UnitState, StateLook>> = {
  critical: { mark: "critical", tone: "critical" },
  major: { mark: "major", tone: "major" },
  minor: { mark: "minor", tone: "minor" },
  notice: { mark: "notice", tone: "notice" },
  offline: { mark: "off", tone: "off" },
  silent: { mark: "off", tone: "off" },
  bare: { mark: "empty", tone: "off" },
  washing: { mark: "washing", tone: "off" },
  empty: { mark: "empty", tone: "off" },
  ok: { mark: "ok", tone: "ok" },
};

/** The worst open alarm of a place: what it makes of the place, and its rule. */
export interface WorstAlarm {
  readonly state: UnitState;
  readonly ruleId: string;
  /** Of a rule that the farm wrote itself; empty for those of the kind. */
  readonly ruleName: string;
}
