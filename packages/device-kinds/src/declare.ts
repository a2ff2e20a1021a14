/** Short builders for the declarations of the kinds, so that a kind reads as a table. */
import type {
  AlarmRule,
  Analytic,
  Channel,
  ChannelSection,
  Command,
  CommandField,
  Comparison,
  Condition,
  DerivedValue,
  DetectorCondition,
  DetectorName,
  DetectorParameters,
  EventField,
  EventType,
  Hysteresis,
  Interval,
  Limit,
  LocalText,
  Parameter,
  Problem,
  ReportedValue,
  Severity,
} from "./device-kind.ts";

export const text = (zh: string, en: string): LocalText => ({ zh, en });

export const section = (id: string, zh: string, en: string): ChannelSection => ({ id, zh, en });

type NumberOptions = {
  readonly valid?: Interval;
  readonly maxChangePerMinute?: number;
  readonly normal?: Interval;
  readonly comfort?: Channel["comfort"];
  readonly intervalS?: number;
  readonly decimals?: number;
  readonly worseBy?: number;
  readonly cumulative?: true;
  readonly step?: true;
};

/** Channels of one section; the section's interval applies unless a channel has its own. */
export const channelsOf = (at: ChannelSection, intervalS: number) => ({
  number: (key: string, zh: string, en: string, unit: string, options: NumberOptions = {}): Channel => ({
    key,
    name: { zh, en },
    unit,
    type: "number",
    ...(options.valid ? { valid: options.valid } : {}),
    ...(options.maxChangePerMinute ? { maxChangePerMinute: options.maxChangePerMinute } : {}),
    ...(options.normal ? { normal: options.normal } : {}),
    ...(options.comfort ? { comfort: options.comfort } : {}),
    intervalS: options.intervalS ?? intervalS,
    decimals: options.decimals ?? 0,
    ...(options.worseBy ? { worseBy: options.worseBy } : {}),
    ...(options.cumulative ? { cumulative: true as const } : {}),
    ...(options.step ? { step: true as const } : {}),
    section: at,
  }),
  flag: (key: string, zh: string, en: string, ownIntervalS = intervalS): Channel => ({
    key,
    name: { zh, en },
    unit: "",
    type: "boolean",
    intervalS: ownIntervalS,
    decimals: 0,
    section: at,
  }),
  words: (
    key: string,
    zh: string,
    en: string,
    words?: readonly (readonly [value: string, zh: string, en: string])[],
    ownIntervalS = intervalS,
  ): Channel => ({
    key,
    name: { zh, en },
    unit: "",
    type: "text",
    intervalS: ownIntervalS,
    decimals: 0,
    ...(words ? { words: words.map(([value, wordZh, wordEn]) => ({ value, name: text(wordZh, wordEn) })) } : {}),
    section: at,
  }),
});

/** Named values: [value, zh, en]. */
export const named = (...list: readonly (readonly [value: string, zh: string, en: string])[]) =>
  list.map(([value, zh, en]) => ({ value, name: text(zh, en) }));

/** A value that is computed from one reading. */
export const derivedFromReading = (
  key: string,
  name: LocalText,
  unit: string,
  decimals: number,
  of: readonly string[],
  formula: LocalText,
  compute: Extract<DerivedValue["derivation"], { from: "reading" }>["compute"],
): DerivedValue => ({ key, name, unit, decimals, of, formula, derivation: { from: "reading", compute } });

/** A value over a sliding window of `windowS` seconds that ends now. */
export const derivedOverWindow = (
  key: string,
  name: LocalText,
  unit: string,
  decimals: number,
  of: string,
  windowS: number,
  aggregate: Extract<DerivedValue["derivation"], { from: "window" }>["aggregate"],
  formula: LocalText,
): DerivedValue => ({
  key,
  name,
  unit,
  decimals,
  of: [of],
  formula,
  derivation: { from: "window", of, windowS, aggregate },
});

type FieldRow = readonly [
  key: string,
  zh: string,
  en: string,
  unit?: string,
  type?: EventField["type"] | "time",
  words?: readonly (readonly [value: string, zh: string, en: string])[],
];

/** Keys of fields that name or identify a person, in all kinds. */
const personalFields = new Set(["person", "operator", "card"]);

/** An event type; a field is a number when it has a unit, else a text, unless its row says otherwise. */
export const event = (type: string, zh: string, en: string, ...rows: readonly FieldRow[]): EventType => ({
  type,
  name: { zh, en },
  fields: rows.map(([key, fieldZh, fieldEn, unit = "", fieldType, words]) => ({
    key,
    name: text(fieldZh, fieldEn),
    unit,
    type: fieldType === "time" ? "text" : (fieldType ?? (unit === "" ? "text" : "number")),
    ...(personalFields.has(key) ? { personal: true as const } : {}),
    ...(fieldType === "time" ? { time: true as const } : {}),
    ...(words ? { words: named(...words) } : {}),
  })),
});

/** As `event`, for an event by which a device reports that a person worked on it. */
export const maintenance = (...parts: Parameters<typeof event>): EventType => ({
  ...event(...parts),
  maintenance: true,
});

export const numberField = (
  key: string,
  zh: string,
  en: string,
  unit: string,
  range: Interval,
  required = true,
): CommandField => ({ key, name: { zh, en }, unit, type: "number", range, required });

export const flagField = (key: string, zh: string, en: string, required = true): CommandField => ({
  key,
  name: { zh, en },
  unit: "",
  type: "boolean",
  required,
});

export const textField = (key: string, zh: string, en: string, required = true): CommandField => ({
  key,
  name: { zh, en },
  unit: "",
  type: "text",
  required,
});

export const choiceField = (
  key: string,
  zh: string,
  en: string,
  choices: readonly (readonly [value: string, zh: string, en: string])[],
): CommandField => ({ key, name: { zh, en }, unit: "", type: "choice", choices: named(...choices), required: true });

/** @param effect what the command does, for one that moves machines or stops a protection; the person must then confirm it */
export const command = (
  method: string,
  zh: string,
  en: string,
  effect: LocalText | false,
  ...fields: readonly CommandField[]
): Command => ({ method, name: { zh, en }, fields, confirm: effect !== false, ...(effect && { effect }) });

export const numberParameter = (
  key: string,
  zh: string,
  en: string,
  unit: string,
  range: Interval,
  initial: number,
  sourceNote?: LocalText,
): Parameter => ({
  key,
  name: { zh, en },
  unit,
  type: "number",
  range,
  default: initial,
  ...(sourceNote ? { sourceNote } : {}),
});

export const flagParameter = (key: string, zh: string, en: string, initial: boolean): Parameter => ({
  key,
  name: { zh, en },
  unit: "",
  type: "boolean",
  default: initial,
});

export const textParameter = (key: string, zh: string, en: string, maxLength: number, initial: string): Parameter => ({
  key,
  name: { zh, en },
  unit: "",
  type: "text",
  maxLength,
  default: initial,
});

export const choiceParameter = (
  key: string,
  zh: string,
  en: string,
  choices: readonly (readonly [value: string, zh: string, en: string])[],
  initial: string,
): Parameter => ({ key, name: { zh, en }, unit: "", type: "choice", choices: named(...choices), default: initial });

export const structureParameter = (
  key: string,
  zh: string,
  en: string,
  shape: {
    readonly maxRows?: number;
    readonly columns: readonly CommandField[];
    readonly default: unknown;
    readonly validate: (value: unknown) => Problem[];
  },
): Parameter => ({ key, name: { zh, en }, unit: "", type: "structure", ...shape });

const constant = (value: ReportedValue): Limit => ({ from: "constant", value });
/** Limit: the set-point reported under `key` plus an offset in the unit of the value. */
export const setPoint = (key: string, offset: number): Limit => ({ from: "setPoint", key, offset });
/** Limit: a limit of the climate table for the unit's pigsty type, plus an offset. */
export const pigstyLimit = (field: Extract<Limit, { from: "pigsty" }>["field"], offset = 0): Limit => ({
  from: "pigsty",
  field,
  offset,
});
/** Limit: a parameter of the device times `factor`, plus an offset. */
export const parameterLimit = (key: string, factor = 1, offset = 0): Limit => ({
  from: "parameter",
  key,
  factor,
  offset,
});
/** Limit: another channel or derived value times `factor`, plus an offset. */
export const valueLimit = (key: string, factor = 1, offset = 0): Limit => ({ from: "value", key, factor, offset });
export const lowestOf = (...of: readonly Limit[]): Limit => ({ from: "lowest", of });
export const highestOf = (...of: readonly Limit[]): Limit => ({ from: "highest", of });

const isLimit = (limit: ReportedValue | Limit): limit is Limit => typeof limit === "object";

/** `when("nh3", "gt", 20)` */
export const when = (key: string, op: Comparison, limit: ReportedValue | Limit): Condition => ({
  type: "compare",
  key,
  op,
  limit: isLimit(limit) ? limit : constant(limit),
});
export const allOf = (...of: readonly Condition[]): Condition => ({ type: "all", of });
export const anyOf = (...of: readonly Condition[]): Condition => ({ type: "any", of });
/** Holds in a part of the day, "HH:mm" in the farm's local time; it runs over midnight where `from` is after `to`. */
export const during = (from: string, to: string): Condition => ({ type: "during", from, to });
/** Holds for an event record of a type whose fields meet all comparisons. */
export const onEvent = (
  name: string,
  ...where: readonly (readonly [field: string, op: Comparison, value: ReportedValue])[]
): Condition => ({
  type: "event",
  event: name,
  ...(where.length > 0 ? { where: where.map(([field, op, value]) => ({ field, op, value })) } : {}),
});
export const detect = <Name extends DetectorName>(
  detector: Name,
  over: readonly string[],
  parameters: DetectorParameters[Name],
): Condition => ({ type: "detector", detector, over, parameters }) as DetectorCondition;

/** Our own default, no outside source. */
export const ownDefault = text("平台默认值，可修改", "Default of the portal, can be changed");
/** A reference value recalled from a standard and not verified; the user sees that it is only a reference. */
export const reference = (standard: string): LocalText => text(`参考值：${standard}`, `Reference value: ${standard}`);
/** Taken from a public source. */
export const published = (source: string): LocalText => text(`依据：${source}`, `Source: ${source}`);

type RuleOptions = {
  readonly after?: number;
  readonly clearAfter?: number;
  readonly hysteresis?: Hysteresis;
  readonly safety?: true;
  readonly pushedWhenMasked?: true;
  readonly source?: LocalText;
  readonly named?: AlarmRule["named"];
};

/** An alarm rule. Unless said otherwise: raised at once, cleared after 60 s, hysteresis 10 %, our own default. */
export const rule = (
  id: string,
  zh: string,
  en: string,
  severity: Severity,
  condition: Condition,
  options: RuleOptions = {},
): AlarmRule => ({
  id,
  name: { zh, en },
  severity,
  condition,
  raiseAfterS: options.after ?? 0,
  clearAfterS: options.clearAfter ?? 60,
  hysteresis: options.hysteresis ?? { percent: 10 },
  safety: options.safety ?? false,
  ...(options.pushedWhenMasked && { pushedWhenMasked: true as const }),
  sourceNote: options.source ?? ownDefault,
  ...(options.named && { named: options.named }),
});

export const analytic = (
  id: string,
  zh: string,
  en: string,
  unit: string,
  formulaZh: string,
  formulaEn: string,
  more: Pick<Analytic, "least" | "gap" | "leastOfSquare" | "personal" | "labels" | "words" | "part" | "counted"> = {},
): Analytic => ({ id, name: { zh, en }, unit, formula: text(formulaZh, formulaEn), ...more });

/** Seconds of some minutes. */
export const minutes = (count: number): number => count * 60;
/** Seconds of some hours. */
export const hours = (count: number): number => count * 3600;
/** Seconds of some days. */
export const days = (count: number): number => count * 86400;
