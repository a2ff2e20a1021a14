/**
 * The declarative format of a device kind. Registry, ingest, alarms, charts, parameter forms and the simulator all read
 * these declarations; nothing in this file does anything but describe, and build what is described with fewer words.
 */

/** A text in both languages of the product. */
export type LocalText = { readonly zh: string; readonly en: string };

/** A value as a device reports it. Numbers are in the unit of their channel. */
export type ReportedValue = number | boolean | string;

/** The ids of all device kinds; they are stored in the registry and must not change. */
export const deviceKindIds = [
  "needleless",
  "cough",
  "environment",
  "bathroom",
  "disinfect",
  "deodorization",
  "bungalow-deodorization",
  "temperature",
  "dosing-station",
] as const;
export type DeviceKindId = (typeof deviceKindIds)[number];

/** The part of the menu a kind belongs to. */
export type MenuGroup = "environment" | "health" | "clean" | "biosafety" | "vet";

/** Alarm severities in rising order: 提示, 一般, 严重, 紧急. */
export const severities = ["WARN", "MINOR", "MAJOR", "CRITICAL"] as const;
export type Severity = (typeof severities)[number];

/** Closed interval, in the unit of the thing it belongs to. */
export type Interval = readonly [low: number, high: number];

/** A group of channels shown together on a unit page. */
export type ChannelSection = LocalText & { readonly id: string };

export type Channel = {
  /** Telemetry key on the wire. */
  readonly key: string;
  readonly name: LocalText;
  /** Unit for display, empty when there is none. */
  readonly unit: string;
  readonly type: "number" | "boolean" | "text";
  /** What the sensor can report at all; a value outside is a sensor fault. */
  readonly valid?: Interval;
  /** Where the value usually lies; a band in charts. Always inside `valid`. */
  readonly normal?: Interval;
  /** Seconds between two reports; a value older than three of these is stale. */
  readonly intervalS: number;
  /** Digits after the decimal point for display and for what the simulator sends. */
  readonly decimals: number;
  /** A counter that only grows (until it is reset); charts show its increase. */
  readonly cumulative?: true;
  /** For texts with a fixed list of words. */
  readonly words?: readonly { readonly value: string; readonly name: LocalText }[];
  readonly section: ChannelSection;
};

/** How a derived value comes from reported ones. */
export type Derivation =
  /** From the newest reading alone; undefined when a part is missing. */
  | {
      readonly from: "reading";
      readonly compute: (value: (key: string) => ReportedValue | undefined, context: RuleContext) => number | undefined;
    }
  /** Over a sliding window that ends now. `increase` is last minus first of a counter, `change` that of a gauge. */
  | {
      readonly from: "window";
      readonly of: string;
      readonly windowS: number;
      readonly aggregate: "change" | "increase" | "mean" | "deviation" | "median" | "maximum" | "minimum" | "count";
    };

/** A value the server works out and alarm rules may refer to like a channel. */
export type DerivedValue = {
  readonly key: string;
  readonly name: LocalText;
  readonly unit: string;
  readonly decimals: number;
  /** The keys it needs. */
  readonly of: readonly string[];
  readonly derivation: Derivation;
  /** The formula in words. */
  readonly formula: LocalText;
};

export type EventField = {
  readonly key: string;
  readonly name: LocalText;
  readonly unit: string;
  readonly type: "number" | "boolean" | "text";
};

/** A record that is not a number in time; sent on v1/devices/me/events with a stable id. */
export type EventType = {
  readonly type: string;
  readonly name: LocalText;
  readonly fields: readonly EventField[];
};

export type CommandField = {
  readonly key: string;
  readonly name: LocalText;
  readonly unit: string;
  readonly type: "number" | "boolean" | "text" | "choice";
  readonly range?: Interval;
  readonly choices?: readonly { readonly value: string; readonly name: LocalText }[];
  readonly required: boolean;
};

/** A call of the server to the device (RPC). */
export type Command = {
  readonly method: string;
  readonly name: LocalText;
  readonly fields: readonly CommandField[];
  /** Whether the person must confirm with the effect spelt out: the command moves machines or stops a protection. */
  readonly confirm: boolean;
};

/** What is wrong with an entered value, in words. `path` is dotted: "2.t_up", empty for the value as a whole. */
export type Problem = { readonly path: string; readonly zh: string; readonly en: string };

type ParameterBase = {
  /** Shared-attribute key on the wire. */
  readonly key: string;
  readonly name: LocalText;
  readonly unit: string;
  readonly sourceNote?: LocalText;
};

/** A setting of a device: desired by the server as a shared attribute, reported back by the device. */
export type Parameter =
  | (ParameterBase & { readonly type: "number"; readonly range: Interval; readonly default: number })
  | (ParameterBase & { readonly type: "boolean"; readonly default: boolean })
  | (ParameterBase & { readonly type: "text"; readonly maxLength: number; readonly default: string })
  | (ParameterBase & {
      readonly type: "choice";
      readonly choices: readonly { readonly value: string; readonly name: LocalText }[];
      readonly default: string;
    })
  | (ParameterBase & {
      readonly type: "structure";
      /** Most rows a table may have; absent for a single record. */
      readonly maxRows?: number;
      readonly columns: readonly CommandField[];
      readonly default: unknown;
      /** Problems in words; an empty list means the value can be sent to the device. */
      readonly validate: (value: unknown) => Problem[];
    });

/** Climate figures of a pigsty type that an alarm limit may refer to. */
export type PigstyLimitField = "temperatureLow" | "temperatureHigh" | "humidityLow" | "humidityHigh";

/** What a value is compared with. Offsets are in the unit of the value. */
export type Limit =
  | { readonly from: "constant"; readonly value: ReportedValue }
  /** The set-point reported under `key`, plus an offset. */
  | { readonly from: "setPoint"; readonly key: string; readonly offset: number }
  /** A limit of the climate table for the unit's pigsty type. */
  | { readonly from: "pigsty"; readonly field: PigstyLimitField; readonly offset: number }
  /** A parameter of the device, e.g. a rated current. */
  | { readonly from: "parameter"; readonly key: string; readonly factor: number; readonly offset: number }
  /** Another channel or derived value. */
  | { readonly from: "value"; readonly key: string; readonly factor: number; readonly offset: number }
  /** The lowest or highest of those that are known. */
  | { readonly from: "lowest" | "highest"; readonly of: readonly Limit[] };

export type Comparison = "gt" | "ge" | "lt" | "le" | "eq" | "ne";

/** Named statistical detectors that need history; the server implements one function per name. */
export const detectorNames = [
  "silence",
  "stuck",
  "out-of-range",
  "baseline-sigma",
  "baseline-ratio",
  "share-of-last",
  "coverage",
  "repeat",
  "gap",
  "overdue",
  "mass-balance",
  "window-mean",
  "firmware-differs",
] as const;
export type DetectorName = (typeof detectorNames)[number];

export type Condition =
  | { readonly type: "compare"; readonly key: string; readonly op: Comparison; readonly limit: Limit }
  | { readonly type: "all" | "any"; readonly of: readonly Condition[] }
  /** Local time of day at the farm, "HH:mm"; `from` after `to` runs over midnight. */
  | { readonly type: "during"; readonly from: string; readonly to: string }
  /** An event record arrived; with `where`, only one whose fields compare so. */
  | {
      readonly type: "event";
      readonly event: string;
      readonly where?: readonly { readonly field: string; readonly op: Comparison; readonly value: ReportedValue }[];
    }
  /** A statistical rule: `over` names channels, derived values or event types; parameters carry their unit in the name. */
  | {
      readonly type: "detector";
      readonly detector: DetectorName;
      readonly over: readonly string[];
      readonly parameters: Readonly<Record<string, number | string>>;
    };

/** How far a value must come back before the alarm clears. */
export type Hysteresis = { readonly absolute: number } | { readonly percent: number };

export type AlarmRule = {
  /** Unique inside its kind; stored with overrides and alarms, must not change. */
  readonly id: string;
  readonly name: LocalText;
  readonly severity: Severity;
  readonly condition: Condition;
  /** Seconds the condition must hold before the alarm is raised; 0 raises at once. */
  readonly raiseAfterS: number;
  /** Seconds the condition must be gone (with hysteresis) before the alarm clears. */
  readonly clearAfterS: number;
  readonly hysteresis: Hysteresis;
  /** Safety class: shown even while a unit mode masks alarms (but not pushed). */
  readonly safety: boolean;
  /** Where the threshold comes from, in words a user may read. */
  readonly sourceNote: LocalText;
};

export type Analytic = {
  readonly id: string;
  readonly name: LocalText;
  readonly unit: string;
  readonly formula: LocalText;
};

export type DeviceKind = {
  readonly kind: DeviceKindId;
  readonly name: LocalText;
  readonly group: MenuGroup;
  /** Seconds between two telemetry reports in the ordinary state. */
  readonly reportIntervalS: number;
  /** Seconds without a report after which the device counts as offline. */
  readonly offlineAfterS: number;
  readonly states: readonly { readonly value: string; readonly name: LocalText }[];
  readonly channels: readonly Channel[];
  readonly derived: readonly DerivedValue[];
  readonly events: readonly EventType[];
  readonly commands: readonly Command[];
  readonly parameters: readonly Parameter[];
  readonly alarmRules: readonly AlarmRule[];
  readonly analytics: readonly Analytic[];
};

/** Pigsty types of the product; each has a row in the climate table. */
export const pigstyTypes = ["boar", "reserve", "pregnancy", "nursing", "piglet", "fattening", "integrated"] as const;
export type PigstyType = (typeof pigstyTypes)[number];

/** What a rule may need besides the reading itself. */
export type RuleContext = {
  readonly pigstyType?: PigstyType | undefined;
  /** Mean live weight of the pigs in kg; only the integrated pigsty needs it for its limits. */
  readonly weightKg?: number | undefined;
  /** The device's own settings; the default of the declaration applies where one is absent. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  /** Minutes since local midnight at the farm, 0–1439. */
  readonly minuteOfDay?: number | undefined;
};
