/**
 * The declarative format of a device kind. Registry, ingest, alarms, charts, parameter forms and the simulator all read
 * these declarations; nothing in this file does anything but describe, and build what is described with fewer words.
 */
import type { DeviceKindId } from "./generated/kind-list.ts";
import type { KindContent, KindPages, LocalText } from "./kind-pages.ts";

/** A value as a device reports it. Numbers are in the unit of their channel. */
export type ReportedValue = number | boolean | string;

export { type DeviceKindId, deviceKindIds } from "./generated/kind-list.ts";
export type { KindContent, KindPage, KindPages, KindPart, LocalText, ParameterGroup } from "./kind-pages.ts";

/** Unit modes: normal feeding, empty unit (all alarms masked), unit washing (alarms masked, spray off). */
export const unitModes = ["normal", "empty", "washing"] as const;
export type UnitMode = (typeof unitModes)[number];

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
  /** How far the value can move in a minute; a larger jump is believed once three readings in a row agree on it. */
  readonly maxChangePerMinute?: number;
  /** Where the value usually lies; a band in charts. Always inside `valid`. */
  readonly normal?: Interval;
  /** The band of the climate table in which the animals of a unit are comfortable. */
  readonly comfort?: "temperatureComfort" | "humidityComfort";
  /** Seconds between two reports; a value older than three of these is stale. */
  readonly intervalS: number;
  /** Digits after the decimal point for display and for what the simulator sends. */
  readonly decimals: number;
  /** A counter that only grows (until it is reset); charts show its increase. */
  readonly cumulative?: true;
  /** A setting that is switched and not measured, such as a gear; charts draw steps and never a mean. */
  readonly step?: true;
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
  /** Names or marks a person; shown shortened. */
  readonly personal?: true;
  /** For texts with a fixed list of words. */
  readonly words?: readonly { readonly value: string; readonly name: LocalText }[];
  /** A time, written as ISO 8601. */
  readonly time?: true;
};

/** A record that is not a number in time; sent on v1/devices/me/events with a stable id. */
export type EventType = {
  readonly type: string;
  readonly name: LocalText;
  readonly fields: readonly EventField[];
  /** Somebody worked on the device: it stands in its maintenance log. */
  readonly maintenance?: true;
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
  /** What happens when it is carried out; a command that is to be confirmed has one. */
  readonly effect?: LocalText;
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

/** Detectors look at history; evaluate.ts answers them. Parameters carry their unit in the name; a farm may change the numbers. */
export type DetectorParameters = {
  /** Nothing was heard of the device, or of one of the named values, for so long. */
  readonly silence: { readonly after_s: number };
  /** A value that did not change by more than `deviation_below` over the window. */
  readonly stuck: { readonly window_s: number; readonly deviation_below: number };
  /** The newest reading of a value was rejected: its sensor or cable is broken. Values that an `unknown` rule covers as a whole are left to it. */
  readonly "out-of-range": Readonly<Record<never, never>>;
  /**
   * None of the named values had an accepted reading for three of its intervals, while the device went on sending. Values that it never sent
   * are none that it has, unless `always` says that every device has one of them.
   */
  readonly unknown: { readonly always?: "yes" };
  /** Each of the last windows lies above the mean of the baseline: by so many standard deviations, or by a fixed distance. */
  readonly "baseline-sigma": (
    | { readonly sigmas: number; readonly above_k?: never }
    | { readonly above_k: number; readonly sigmas?: never }
  ) & {
    readonly baseline_days: number;
    readonly windows: number;
    /** 1 h where it is absent. */
    readonly window_s?: number;
    /** Compares with the same hours of the days before. */
    readonly same_hour?: "yes";
  };
  /** The present window against windows of the same length before it: above or below so many times their median or mean. */
  readonly "baseline-ratio": (
    | { readonly window_s: number; readonly from?: never; readonly to?: never }
    /** A part of the day instead of a sliding window, local time "HH:mm". */
    | { readonly from: string; readonly to: string; readonly window_s?: never }
  ) &
    ({ readonly above: number; readonly below?: never } | { readonly below: number; readonly above?: never }) & {
      readonly against: "median" | "mean";
      readonly baseline_days: number;
    };
  /** Among the last events more than this share have one of the words (`of`, separated by |) in a field. */
  readonly "share-of-last": {
    readonly field: string;
    readonly of: string;
    readonly last: number;
    readonly above_percent: number;
  };
  /** Fewer than this share of the window's hours have a value. */
  readonly coverage: { readonly window_s: number; readonly least_percent: number };
  /** An event whose field has the same value as one within the window before. */
  readonly repeat: { readonly field: string; readonly window_s: number };
  /** An event that comes regularly is missing, or a number that counts up has left one out. */
  readonly gap:
    | { readonly every_s: number; readonly field?: never }
    | { readonly field: string; readonly every_s?: never };
  /** So long since the last event of its kind, or since what was planned was due. */
  readonly overdue: { readonly after_s: number };
  /** What left the tanks (gauges) and what passed the meters (counters) differ by more than this share. */
  readonly "mass-balance": { readonly window_s: number; readonly beyond_percent: number };
  /** The mean of a field over the last events is further from 0 than this. */
  readonly "window-mean": { readonly field: string; readonly last: number; readonly beyond_percent: number };
  /** The firmware is not the one that was assigned, for so long. */
  readonly "firmware-differs": { readonly after_s: number };
};
export type DetectorName = keyof DetectorParameters;

/** A statistical condition: `over` names channels, derived values or event types. */
export type DetectorCondition = {
  readonly [Name in DetectorName]: {
    readonly type: "detector";
    readonly detector: Name;
    readonly over: readonly string[];
    readonly parameters: DetectorParameters[Name];
  };
}[DetectorName];

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
  | DetectorCondition;

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
  /** Pushed even while a unit mode masks alarms: for what a mask itself may hide. */
  readonly pushedWhenMasked?: true;
  /** Where the threshold comes from, in words a user may read. */
  readonly sourceNote: LocalText;
  /** A farm wrote it; what it raises carries its name. */
  readonly own?: true;
  /** Values that this rule alone looks at. */
  readonly derived?: readonly DerivedValue[];
};

/** What a person needs to know of an alarm and do about it. */
export type AlarmGuide = {
  /** Id of the rule. */
  readonly rule: string;
  /** Why it happens, most often. */
  readonly cause: LocalText;
  /** Where to look. */
  readonly part: LocalText;
  /** What it leads to for the animals or the work, when nobody acts. */
  readonly consequence: LocalText;
  /** What to do, in this order; the first can be done at once. */
  readonly steps: readonly LocalText[];
  /** Rules of the same kind and unit whose alarms follow from this one. */
  readonly leadsTo?: readonly string[];
  /** A value of the alarm's figure at which it becomes dangerous, in the figure's unit; the trend is told against it. */
  readonly danger?: number;
};

export type Analytic = {
  readonly id: string;
  readonly name: LocalText;
  readonly unit: string;
  readonly formula: LocalText;
  /** What it should at least come to, in its unit. */
  readonly least?: number;
  /** Its parts are persons; their names are shortened. */
  readonly personal?: true;
  /** Words of its parts: those of a field of an event. */
  readonly labels?: { readonly event: string; readonly field: string };
  /** Words of its parts, and of the columns of its grid, where they are none of an event. */
  readonly words?: readonly { readonly value: string; readonly name: LocalText }[];
  /** What a part is called, with {label} for its number or name. */
  readonly part?: LocalText;
};

export type DeviceKind = {
  readonly kind: DeviceKindId;
  readonly name: LocalText;
  /** Place among the kinds in lists and menus, from 1. */
  readonly sort: number;
  /** Kinds without it have no screens of their own; their devices are found in the list of all devices. */
  readonly pages?: KindPages & KindContent;
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
  /** What stands beside the alarms of its rules; a rule without one shows its name, value and limit. */
  readonly guides?: readonly AlarmGuide[];
  readonly analytics: readonly Analytic[];
  readonly judging?: Judging;
};

/** How the values of a kind are judged, where its rules do not say it all. */
export type Judging = {
  /** The values to judge, most telling first; every value that a rule compares where it is absent. */
  readonly keys?: readonly string[];
  /** Rules about another value are shown at the value given here. */
  readonly shownAt?: Readonly<Record<string, string>>;
  /** Rules that mean nothing without their duration. */
  readonly without?: readonly string[];
  /** Set-points: the reason gives the distance from them. */
  readonly targets?: Readonly<Record<string, string>>;
  /** Settings of the device that derived values are worked out with. */
  readonly parameters?: readonly string[];
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
