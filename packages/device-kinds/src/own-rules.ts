/** Alarm rules that a farm writes itself, from the values of one device or of several; they become the same rules as those of the kinds. */
import type { AlarmRule, Comparison, Condition, DerivedValue, DeviceKind, Severity } from "./device-kind.ts";
import { minuteOfDay } from "./validation.ts";

/** Another device whose value a part looks at; the rule's own device where it is absent. */
type OfDevice = { readonly deviceId?: string };

/** One part of a rule of one's own. Values are in the unit of the channel. */
export type OwnRulePart =
  | (OfDevice & {
      readonly type: "compare";
      readonly key: string;
      readonly op: Comparison;
      readonly value: number | boolean | string;
    })
  /** What a value changed by over the last `windowS` seconds, up to 6 h. */
  | (OfDevice & {
      readonly type: "change";
      readonly key: string;
      readonly windowS: number;
      readonly op: "gt" | "lt";
      readonly value: number;
    })
  /** Nothing was heard of a value for so many seconds. */
  | (OfDevice & { readonly type: "absent"; readonly key: string; readonly afterS: number })
  /** Local time of day at the farm, "HH:mm". */
  | { readonly type: "during"; readonly from: string; readonly to: string };

/** What a rule of one's own says. */
export type OwnRule = {
  /** Whether all parts must hold or one of them; a part of the day always must. */
  readonly joint: "all" | "any";
  readonly parts: readonly OwnRulePart[];
};

/** What is wrong with a part: its number from 0, and the field. */
export type OwnRuleProblem = {
  readonly part: number;
  readonly field: "deviceId" | "key" | "op" | "value" | "windowS" | "from";
};

/** A rule of one's own has at most so many parts. */
export const mostOwnRuleParts = 6;

/** Kinds of the other devices that a rule looks at, by their ids. */
export type OtherDevices = ReadonlyMap<string, DeviceKind>;
const alone: OtherDevices = new Map();

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

/** Problems of a rule of one's own with the values of its devices; an empty list means that it can be judged. */
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

/** Ids of the other devices that a rule looks at. */
export const otherDevicesOf = ({ parts }: OwnRule): string[] => [
  ...new Set(parts.flatMap((part) => (part.type === "during" || part.deviceId === undefined ? [] : [part.deviceId]))),
];

/** Under what a value of another device is known in the evaluation of a rule. */
export const keyOfOther = (deviceId: string, key: string): string => `${deviceId}:${key}`;

const keyOf = ({ deviceId, key }: { deviceId?: string | undefined; key: string }): string =>
  deviceId === undefined ? key : keyOfOther(deviceId, key);

/** The values of several devices as if they were one's: those of the others under keys of their own. */
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

/** Key of the derived value of a part that looks at a change. */
const changeKey = (part: Extract<OwnRulePart, { type: "change" }>): string => `${keyOf(part)}~${part.windowS}`;

/** The channel that a figure of a rule of one's own is about. */
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
 * The rule as the evaluation takes it.
 * @param kind of its device; of a rule that looks at several devices what `kindOfGroup` makes
 * @param rule one without problems
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
    // The alarm shows the first value of the device that it stands at.
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
