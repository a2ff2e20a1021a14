/**
 * The declarative format of a device kind, read by registry, ingest, alarms, charts, parameter forms and the simulator.
 * This file only contains types and short builders.
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

/** Closed interval, in the unit of the value that it belongs to. */
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
  /** Range of values that the sensor can report; a value outside is a sensor fault. */
  readonly valid?: Interval;
  /** Largest change of the value per minute; a larger jump is accepted once three readings in a row agree on it. */
  readonly maxChangePerMinute?: number;
  /** Usual range of the value, shown as a band in charts; always inside `valid`. */
  readonly normal?: Interval;
  /** Band of the climate table in which the animals of a unit are comfortable. */
  readonly comfort?: "temperatureComfort" | "humidityComfort";
  /** Seconds between two reports; a value older than three intervals is stale. */
  readonly intervalS: number;
  /** Digits after the decimal point for display and for what the simulator sends. */
  readonly decimals: number;
  /**
   * Step, in its unit, by which the value must go further beyond a limit before an alarm that somebody acknowledged asks again;
   * where it is left out, a multiple of the rule's hysteresis.
   */
  readonly worseBy?: number;
  /** A counter that only grows (until it is reset); charts show its increase. */
  readonly cumulative?: true;
  /** A switched value that is not measured, such as a gear; charts draw steps and never a mean. */
  readonly step?: true;
  /** For texts out of a fixed list of words. */
  readonly words?: readonly { readonly value: string; readonly name: LocalText }[];
  readonly section: ChannelSection;
};

/** How a derived value is computed from reported ones. */
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

/** A value that the server computes; alarm rules may refer to it like to a channel. */
export type DerivedValue = {
  readonly key: string;
  readonly name: LocalText;
  readonly unit: string;
  readonly decimals: number;
  /** As of a channel. */
  readonly worseBy?: number;
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
  /** Names or identifies a person; shortened for who may not see the users. */
  readonly personal?: true;
  /** For texts out of a fixed list of words. */
  readonly words?: readonly { readonly value: string; readonly name: LocalText }[];
  /** A time, written as ISO 8601. */
  readonly time?: true;
};

/** A record other than a number over time; sent on v1/devices/me/events with a stable id. */
export type EventType = {
  readonly type: string;
  readonly name: LocalText;
  readonly fields: readonly EventField[];
  /** A person worked on the device, so the record is in its maintenance log. */
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
  /** Whether the person must confirm the command after reading its effect, because it moves machines or stops a protection. */
  readonly confirm: boolean;
  /** Effect of the command; required for a command that must be confirmed. */
  readonly effect?: LocalText;
};

/** The problem of an entered value; `path` is dotted, as in "2.t_up", and empty for the value as a whole. */
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
      /** Checks a value and returns its problems; an empty list means that it can be sent to the device. */
      readonly validate: (value: unknown) => Problem[];
    });

/** Climate figures of a pigsty type that an alarm limit may refer to. */
export type PigstyLimitField = "temperatureLow" | "temperatureHigh" | "humidityLow" | "humidityHigh";

/** The limit that a value is compared with; offsets are in the unit of the value. */
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
  /** The lowest or highest of the limits that are known. */
  | { readonly from: "lowest" | "highest"; readonly of: readonly Limit[] };

export type Comparison = "gt" | "ge" | "lt" | "le" | "eq" | "ne";

/**
 * Parameters of the detectors, which look at history and are answered by evaluate.ts. Names carry their unit; a farm may change
 * the numbers.
 */
export type DetectorParameters = {
  /** Nothing was received from the device, or no reading of one of the named values, for this long. */
  readonly silence: { readonly after_s: number };
  /** The value did not change by more than `deviation_below` over the window. */
  readonly stuck: { readonly window_s: number; readonly deviation_below: number };
  /**
   * The newest reading of a value was rejected, so its sensor or cable is broken; values covered by an `unknown` rule are left
   * to that rule.
   */
  readonly "out-of-range": Readonly<Record<never, never>>;
  /**
   * None of the named values had an accepted reading for three of its intervals, although the device kept sending.
   * Values that the device never sent are ignored, unless `always` says that every device has one of them.
   */
  readonly unknown: { readonly always?: "yes" };
  /** Each of the last windows is above the mean of the baseline by this many standard deviations, or by a fixed distance. */
  readonly "baseline-sigma": (
    | { readonly sigmas: number; readonly above_k?: never }
    | { readonly above_k: number; readonly sigmas?: never }
  ) & {
    readonly baseline_days: number;
    readonly windows: number;
    /** 1 h where it is left out. */
    readonly window_s?: number;
    /** Compares with the same hours of the days before. */
    readonly same_hour?: "yes";
  };
  /**
   * The current window compared with earlier windows of the same length: above or below this multiple of their median or mean.
   */
  readonly "baseline-ratio": (
    | { readonly window_s: number; readonly from?: never; readonly to?: never }
    /** A part of the day instead of a sliding window, local time "HH:mm". */
    | { readonly from: string; readonly to: string; readonly window_s?: never }
  ) &
    ({ readonly above: number; readonly below?: never } | { readonly below: number; readonly above?: never }) & {
      readonly against: "median" | "mean";
      readonly baseline_days: number;
    };
  /** More than this share of the last events has one of the words (`of`, separated by |) in a field. */
  readonly "share-of-last": {
    readonly field: string;
    readonly of: string;
    readonly last: number;
    readonly above_percent: number;
  };
  /** Less than this share of the window's hours has a value. */
  readonly coverage: { readonly window_s: number; readonly least_percent: number };
  /** Another event within the window before has the same value in this field. */
  readonly repeat: { readonly field: string; readonly window_s: number };
  /** A regular event is missing, or a sequence number was skipped. */
  readonly gap:
    | { readonly every_s: number; readonly field?: never }
    | { readonly field: string; readonly every_s?: never };
  /** This long since the last event of its type, or since the due time of planned work. */
  readonly overdue: { readonly after_s: number };
  /** The outflow of the tanks (gauges) and the flow through the meters (counters) differ by more than this share. */
  readonly "mass-balance": { readonly window_s: number; readonly beyond_percent: number };
  /** The mean of a field over the last events is further from 0 than this. */
  readonly "window-mean": { readonly field: string; readonly last: number; readonly beyond_percent: number };
  /** The firmware has differed from the assigned one for this long. */
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
  /** An event record arrived; with `where`, only one whose fields match. */
  | {
      readonly type: "event";
      readonly event: string;
      readonly where?: readonly { readonly field: string; readonly op: Comparison; readonly value: ReportedValue }[];
    }
  | DetectorCondition;

/** Distance by which a value must come back before the alarm clears. */
export type Hysteresis = { readonly absolute: number } | { readonly percent: number };

export type AlarmRule = {
  /** Unique inside its kind; never changed, because it is stored with overrides and alarms. */
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
  /** Pushed even while a unit mode masks alarms, for dangers that the mask itself may hide. */
  readonly pushedWhenMasked?: true;
  /** Source of the threshold, in words for users. */
  readonly sourceNote: LocalText;
  /** Written by a farm; its alarms carry its name. */
  readonly own?: true;
  /** Derived values that only this rule uses. */
  readonly derived?: readonly DerivedValue[];
  /** Its name with the part that it is about, by the values of the moment: "1 号阀未到位"; undefined where they name none. */
  readonly named?: (value: (key: string) => ReportedValue | undefined) => LocalText | undefined;
};

/** What can be done about an alarm from where it is read; guides/acts.ts says what each is. */
export type AlarmAct =
  | { readonly do: "command"; readonly method: string }
  | { readonly do: "parameters"; readonly group?: string }
  | { readonly do: "order" | "people" | "readings" };

export type AlarmStep = LocalText & { readonly act?: AlarmAct };

/** Explanation of an alarm, and instructions. */
export type AlarmGuide = {
  /** Id of the rule. */
  readonly rule: string;
  /** The most frequent cause. */
  readonly cause: LocalText;
  /** Where to look. */
  readonly part: LocalText;
  /** Consequence for the animals or the work if nobody acts. */
  readonly consequence: LocalText;
  /** Steps in this order; the first can be done at once. */
  readonly steps: readonly AlarmStep[];
  /** Rules of the same kind and unit whose alarms this one causes. */
  readonly leadsTo?: readonly string[];
  /** The dangerous value of the alarm's figure, in its unit; the trend is compared with it. */
  readonly danger?: number;
};

export type Analytic = {
  readonly id: string;
  readonly name: LocalText;
  readonly unit: string;
  readonly formula: LocalText;
  /** Least acceptable result, in its unit. */
  readonly least?: number;
  /** Analytic of the hours that count as missed here because nothing was recorded. */
  readonly gap?: string;
  /** Least acceptable result of one square of its grid, where that differs from the whole. */
  readonly leastOfSquare?: number;
  /** Its rows are persons, shortened for who may not see the users. */
  readonly personal?: true;
  /** Words of its rows, taken from a field of an event. */
  readonly labels?: { readonly event: string; readonly field: string };
  /** Words of its rows and grid columns that don't come from an event. */
  readonly words?: readonly { readonly value: string; readonly name: LocalText }[];
  /** Template for the name of a row, with {label} for its number or name. */
  readonly part?: LocalText;
  /** What its rows are and what they count, with {count} for the number: "{count} 天" and "{count} 次淋浴". */
  readonly counted?: { readonly rows: LocalText; readonly of: LocalText };
};

/** Machines that one trial switches on together by command. */
export type SwitchedGroup = {
  readonly id: string;
  readonly name: LocalText;
  /** A command of the kind for each machine, and the channel that tells that it runs. */
  readonly machines: readonly {
    readonly method: string;
    readonly params: Readonly<Record<string, number | boolean>>;
    readonly key: string;
    /** Channel with its current, which proves that it draws power. */
    readonly currentKey?: string;
  }[];
};

/** What of a kind can be tried on site. */
export type CommissioningParts = {
  /** Channels of temperature sensors that are warmed by hand, one after the other. */
  readonly warmed?: readonly string[];
  readonly switched?: readonly SwitchedGroup[];
  /** Command that gives the machines back to the controller. */
  readonly release?: string;
  /** Keys of settings that must be known and followed. */
  readonly settings?: readonly string[];
  /** A table that must have rows while its flag is on. */
  readonly curve?: { readonly flag: string; readonly table: string };
};

export type DeviceKind = {
  readonly kind: DeviceKindId;
  readonly name: LocalText;
  /** Order among the kinds in lists and menus, from 1. */
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
  /** Explanations beside the alarms of its rules; a rule without one shows its name, value and limit. */
  readonly guides?: readonly AlarmGuide[];
  readonly analytics: readonly Analytic[];
  readonly judging?: Judging;
  /** What is tried on site before animals depend on it, beside what is tried of every device. */
  readonly commissioning?: CommissioningParts;
};

/** Additions to the rules for judging the values of a kind. */
export type Judging = {
  /** Values to judge before all others that a rule compares, the most important first. */
  readonly keys?: readonly string[];
  /** Rules about another value are shown at this value. */
  readonly shownAt?: Readonly<Record<string, string>>;
  /** Rules that can't be judged without their duration. */
  readonly without?: readonly string[];
  /** Set-points by value; the reason tells the distance from them. */
  readonly targets?: Readonly<Record<string, string>>;
  /** Values that say something only while a condition holds, such as the pressure while a pump runs; idle otherwise. */
  readonly onlyWhile?: Readonly<Record<string, Condition>>;
  /** Settings of the device that derived values are computed with. */
  readonly parameters?: readonly string[];
};

/** Pigsty types of the product; each has a row in the climate table. */
export const pigstyTypes = ["boar", "reserve", "pregnancy", "nursing", "piglet", "fattening", "integrated"] as const;
export type PigstyType = (typeof pigstyTypes)[number];

/** Context that a rule may need besides the reading itself. */
export type RuleContext = {
  readonly pigstyType?: PigstyType | undefined;
  /** Mean live weight of the pigs in kg; only an integrated pigsty needs it for its limits. */
  readonly weightKg?: number | undefined;
  /** The device's own settings; where one is absent, its declared default applies. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  /** Minutes since local midnight at the farm, 0–1439. */
  readonly minuteOfDay?: number | undefined;
};
