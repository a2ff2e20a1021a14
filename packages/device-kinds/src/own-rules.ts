/** Alarm rules that a farm writes itself, from the values of one device; they become the same rules as those of the kinds. */
import type { AlarmRule, Comparison, Condition, DerivedValue, DeviceKind, Severity } from "./device-kind.ts";
import { minuteOfDay } from "./validation.ts";

/** One part of a rule of one's own. Values are in the unit of the channel. */
export type OwnRulePart =
  | {
      readonly type: "compare";
      readonly key: string;
      readonly op: Comparison;
      readonly value: number | boolean | string;
    }
  /** What a value changed by over the last `windowS` seconds, up to 6 h. */
  | {
      readonly type: "change";
      readonly key: string;
      readonly windowS: number;
      readonly op: "gt" | "lt";
      readonly value: number;
    }
  /** Nothing was heard of a value for so many seconds. */
  | { readonly type: "absent"; readonly key: string; readonly afterS: number }
  /** Local time of day at the farm, "HH:mm". */
  | { readonly type: "during"; readonly from: string; readonly to: string };

/** What a rule of one's own says. */
export type OwnRule = {
  /** Whether all parts must hold or one of them; a part of the day always must. */
  readonly joint: "all" | "any";
  readonly parts: readonly OwnRulePart[];
};

/** What is wrong with a part: its number from 0, and the field. */
export type OwnRuleProblem = { readonly part: number; readonly field: "key" | "op" | "value" | "windowS" | "from" };

/** A rule of one's own has at most so many parts. */
export const mostOwnRuleParts = 6;

const ordered: readonly Comparison[] = ["gt", "ge", "lt", "le"];

/** Channels and derived values that a rule may look at. */
export const ownRuleValues = (kind: DeviceKind) => [
  ...kind.channels.map(({ key, name, unit, type, decimals, words, valid }) => ({
    key,
    name,
    unit,
    type,
    decimals,
    words,
    valid,
  })),
  ...kind.derived.map(({ key, name, unit, decimals }) => ({
    key,
    name,
    unit,
    type: "number" as const,
    decimals,
    words: undefined,
    valid: undefined,
  })),
];

/** Problems of a rule of one's own with the values of its kind; an empty list means that it can be judged. */
export function ownRuleProblems(kind: DeviceKind, { parts }: OwnRule): OwnRuleProblem[] {
  const values = new Map(ownRuleValues(kind).map((value) => [value.key, value]));
  const channels = new Set(kind.channels.map(({ key }) => key));
  return parts.flatMap((part, at): OwnRuleProblem[] => {
    const wrong = (field: OwnRuleProblem["field"]): OwnRuleProblem[] => [{ part: at, field }];
    if (part.type === "during") {
      const [from, to] = [minuteOfDay(part.from), minuteOfDay(part.to)];
      return from === undefined || to === undefined || from === to ? wrong("from") : [];
    }
    const value = values.get(part.key);
    if (value === undefined) return wrong("key");
    if (part.type === "absent") return channels.has(part.key) ? [] : wrong("key");
    if (part.type === "change") {
      if (value.type !== "number" || !channels.has(part.key)) return wrong("key");
      return part.windowS >= 60 && part.windowS <= 6 * 3600 ? [] : wrong("windowS");
    }
    if (typeof part.value !== (value.type === "text" ? "string" : value.type)) return wrong("value");
    if (value.type !== "number" && ordered.includes(part.op)) return wrong("op");
    if (value.valid && typeof part.value === "number" && (part.value < value.valid[0] || part.value > value.valid[1]))
      return wrong("value");
    return [];
  });
}

/** Key of the derived value of a part that looks at a change. */
const changeKey = ({ key, windowS }: Extract<OwnRulePart, { type: "change" }>): string => `${key}~${windowS}`;

/** The channel that a figure of a rule of one's own is about. */
export const channelOfFigure = (key: string): string => key.split("~")[0] ?? key;

const conditionOf = (part: OwnRulePart): Condition => {
  switch (part.type) {
    case "compare":
      return { type: "compare", key: part.key, op: part.op, limit: { from: "constant", value: part.value } };
    case "change":
      return { type: "compare", key: changeKey(part), op: part.op, limit: { from: "constant", value: part.value } };
    case "absent":
      return { type: "detector", detector: "silence", over: [part.key], parameters: { after_s: part.afterS } };
    case "during":
      return part;
  }
};

/** The rule as the evaluation takes it. @param rule one without problems */
export function alarmRuleOf(
  kind: DeviceKind,
  rule: OwnRule & {
    readonly id: string;
    readonly name: string;
    readonly severity: Severity;
    readonly raiseAfterS: number;
    readonly clearAfterS: number;
  },
): AlarmRule {
  const values = new Map(ownRuleValues(kind).map((value) => [value.key, value]));
  const derived = rule.parts.flatMap((part): DerivedValue[] => {
    const value = part.type === "change" ? values.get(part.key) : undefined;
    if (part.type !== "change" || value === undefined) return [];
    return [
      {
        key: changeKey(part),
        name: value.name,
        unit: value.unit,
        decimals: value.decimals,
        of: [part.key],
        derivation: { from: "window", of: part.key, windowS: part.windowS, aggregate: "change" },
        formula: value.name,
      },
    ];
  });
  const [timed, told] = [
    rule.parts.filter(({ type }) => type === "during"),
    rule.parts.filter(({ type }) => type !== "during"),
  ];
  const joined: Condition = { type: rule.joint, of: told.map(conditionOf) };
  const first = rule.parts.find((part) => part.type === "compare" || part.type === "change");
  const unit = first && values.get(first.key)?.unit;
  return {
    id: rule.id,
    name: { zh: rule.name, en: rule.name },
    own: true,
    derived,
    severity: rule.severity,
    condition: timed.length === 0 ? joined : { type: "all", of: [...timed.map(conditionOf), joined] },
    raiseAfterS: rule.raiseAfterS,
    clearAfterS: rule.clearAfterS,
    hysteresis: unit === "°C" ? { absolute: 0.5 } : { percent: 10 },
    safety: false,
    sourceNote: { zh: "自定义规则", en: "Your own rule" },
  };
}
