/** Changes that farms make to the rules of a kind, and settings of devices that limits refer to. */
import { withThresholds } from "./conditions.ts";
import type { AlarmRule, Condition, DeviceKind, Limit, Severity } from "./device-kind.ts";
import { alarmRuleOf, type WrittenRule } from "./own-rules.ts";

/** A farm's change of a rule; an absent field keeps the kind's declaration. */
export type ChangedRule = {
  readonly ruleId: string;
  readonly enabled: boolean;
  readonly severity?: Severity;
  readonly raiseAfterS?: number;
  readonly thresholds: Readonly<Record<string, number>>;
};

/**
 * The rules of a kind with a farm's changes; disabled rules are left out.
 * @param changes the first change of a rule applies
 */
export const changedRules = (kind: DeviceKind, changes: readonly ChangedRule[]): readonly AlarmRule[] =>
  changes.length === 0
    ? kind.alarmRules
    : kind.alarmRules.flatMap((rule) => {
        const change = changes.find(({ ruleId }) => ruleId === rule.id);
        if (change === undefined) return [rule];
        if (!change.enabled) return [];
        const { severity = rule.severity, raiseAfterS = rule.raiseAfterS, thresholds } = change;
        return [{ ...withThresholds(rule, thresholds), severity, raiseAfterS }];
      });

/** All rules of a farm for a device of a kind: the kind's rules with the farm's changes, and the farm's own. */
export const farmRules = (
  kind: DeviceKind,
  { rules, written }: { readonly rules: readonly ChangedRule[]; readonly written: readonly WrittenRule[] },
): readonly AlarmRule[] => {
  const changed = changedRules(kind, rules);
  return written.length === 0 ? changed : [...changed, ...written.map((rule) => alarmRuleOf(kind, rule))];
};

const inLimit = (limit: Limit): string[] =>
  limit.from === "parameter"
    ? [limit.key]
    : limit.from === "lowest" || limit.from === "highest"
      ? limit.of.flatMap(inLimit)
      : [];
const inCondition = (condition: Condition): string[] =>
  condition.type === "compare"
    ? inLimit(condition.limit)
    : condition.type === "all" || condition.type === "any"
      ? condition.of.flatMap(inCondition)
      : [];

/** Keys of the settings that the limits of a kind refer to. */
export const judgedParameters = (kind: DeviceKind): string[] => [
  ...new Set([
    ...(kind.judging?.parameters ?? []),
    ...kind.alarmRules.flatMap(({ condition }) => inCondition(condition)),
  ]),
];
