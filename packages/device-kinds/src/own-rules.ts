/**
 * Alarm rules that a farm writes itself, over values of one or several devices; they are converted to the same rules as those
 * of the kinds.
 */
import type { AlarmRule, Comparison, Condition, DerivedValue, DeviceKind, Severity } from "./device-kind.ts";
import { minuteOfDay } from "./validation.ts";

/** Another device whose value a part reads; the rule's own device where it is absent. */
type OfDevice = { readonly deviceId?: string };

/** One part of a farm's own rule; values are in the unit of the channel. */
export type OwnRulePart =
  | (OfDevice & {
      readonly type: "compare";
      readonly key: string;
      readonly op: Comparison;
      readonly value: number | boolean | string;
    })
  /** Change of a value over the last `windowS` seconds, at most 6 h. */
  | (OfDevice & {
      readonly type: "change";
      readonly key: string;
      readonly windowS: number;
      readonly op: "gt" | "lt";
      readonly value: number;
    })
  /** No reading of a value for this many seconds. */
  | (OfDevice & { readonly type: "absent"; readonly key: string; readonly afterS: number })
  /** Local time of day at the farm, "HH:mm". */
  | { readonly type: "during"; readonly from: string; readonly to: string };

/** The content of a farm's own rule. */
export type OwnRule = {
  /** Whether all parts must hold or any of them; a part about the time of day must always hold. */
  readonly joint: "all" | "any";
  readonly parts: readonly OwnRulePart[];
};

/** The problem of a part: its index from 0, and the field. */
export type OwnRuleProblem = {
  readonly part: number;
  readonly field: "deviceId" | "key" | "op" | "value" | "windowS" | "from";
};

/** Most parts of a farm's own rule. */
export const mostOwnRuleParts = 6;

/** Kinds of the other devices that a rule reads, by device id. */
export type OtherDevices = ReadonlyMap<string, DeviceKind>;
const alone: OtherDevices = new Map();

const ordered: readonly Comparison[] = ["gt", "ge", "lt", "le"];

/** Channels and derived values that a rule may read. */
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

/** Problems of a farm's own rule; an empty list means that it can be evaluated. */
export function ownRuleProblems(kind: DeviceKind, { parts }: OwnRule, others: OtherDevices = alone): OwnRuleProblem[] {
  return parts.flatMap((part, at): OwnRuleProblem[] => {
    const wrong = (field: OwnRuleProblem["field"]): OwnRuleProblem[] => [{ part: at, field }];
    if (part.type === "during") {
      const [from, to] = [minuteOfDay(part.from), minuteOfDay(part.to)];
      return from === undefined || to === undefined || from === to ? wrong("from") : [];
    }
    const of = part.deviceId === undefined ? kind : others.get(part.deviceId);
    if (of === undefined) return wrong("deviceId");
    const channels = new Set(of.channels.map(({ key }) => key));
    const value = ownRuleValues(of).find(({ key }) => key === part.key);
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

/** Ids of the other devices that a rule reads. */
export const otherDevicesOf = ({ parts }: OwnRule): string[] => [
  ...new Set(parts.flatMap((part) => (part.type === "during" || part.deviceId === undefined ? [] : [part.deviceId]))),
];

/** Key of another device's value in the evaluation of a rule. */
export const keyOfOther = (deviceId: string, key: string): string => `${deviceId}:${key}`;

const keyOf = ({ deviceId, key }: { deviceId?: string | undefined; key: string }): string =>
  deviceId === undefined ? key : keyOfOther(deviceId, key);

/** The channels of several devices as one kind, with separate keys for the other devices. */
export function kindOfGroup(kind: DeviceKind, others: OtherDevices): DeviceKind {
  const channels = [...others].flatMap(([id, other]) =>
    other.channels.map((channel) => ({ ...channel, key: keyOfOther(id, channel.key) })),
  );
  const derived = [...others].flatMap(([id, other]) =>
    other.derived.map(({ derivation, ...value }): DerivedValue => {
      const named = { ...value, key: keyOfOther(id, value.key), of: value.of.map((key) => keyOfOther(id, key)) };
      if (derivation.from === "window")
        return { ...named, derivation: { ...derivation, of: keyOfOther(id, derivation.of) } };
      const { compute } = derivation;
      return {
        ...named,
        derivation: {
          from: "reading",
          compute: (lookup, context) => compute((key) => lookup(keyOfOther(id, key)), context),
        },
      };
    }),
  );
  return { ...kind, channels: [...kind.channels, ...channels], derived: [...kind.derived, ...derived] };
}

/** Key of the derived value of a part that reads a change. */
const changeKey = (part: Extract<OwnRulePart, { type: "change" }>): string => `${keyOf(part)}~${part.windowS}`;

/** The channel of a figure in an alarm of a farm's own rule. */
export const channelOfFigure = (key: string): string => key.split("~")[0] ?? key;

const conditionOf = (part: OwnRulePart): Condition => {
  switch (part.type) {
    case "compare":
      return { type: "compare", key: keyOf(part), op: part.op, limit: { from: "constant", value: part.value } };
    case "change":
      return { type: "compare", key: changeKey(part), op: part.op, limit: { from: "constant", value: part.value } };
    case "absent":
      return { type: "detector", detector: "silence", over: [keyOf(part)], parameters: { after_s: part.afterS } };
    case "during":
      return part;
  }
};

/** A rule as a farm wrote it. */
export type WrittenRule = OwnRule & {
  readonly id: string;
  readonly name: string;
  readonly severity: Severity;
  readonly raiseAfterS: number;
  readonly clearAfterS: number;
};

/**
 * Converts a farm's own rule to an alarm rule.
 * @param kind the kind of its device, or the result of `kindOfGroup` for a rule over several devices
 * @param rule a rule without problems
 */
export function alarmRuleOf(kind: DeviceKind, rule: WrittenRule): AlarmRule {
  const values = new Map(ownRuleValues(kind).map((value) => [value.key, value]));
  const derived = rule.parts.flatMap((part): DerivedValue[] => {
    const value = part.type === "change" ? values.get(keyOf(part)) : undefined;
    if (part.type !== "change" || value === undefined) return [];
    return [
      {
        key: changeKey(part),
        name: value.name,
        unit: value.unit,
        decimals: value.decimals,
        of: [keyOf(part)],
        derivation: { from: "window", of: keyOf(part), windowS: part.windowS, aggregate: "change" },
        formula: value.name,
      },
    ];
  });
  const [timed, told] = [
    rule.parts.filter(({ type }) => type === "during"),
    // The alarm shows the first value of the device that the rule belongs to.
    rule.parts
      .filter((part) => part.type !== "during")
      .toSorted((a, b) => Number(a.deviceId !== undefined) - Number(b.deviceId !== undefined)),
  ];
  const joined: Condition = { type: rule.joint, of: told.map(conditionOf) };
  const first = told.find((part) => part.type === "compare" || part.type === "change");
  const unit = first && values.get(keyOf(first))?.unit;
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
