/**
 * The health of a value: in which state it is now, by the thresholds of the alarm rules without their durations. It is not
 * an alarm; it colours a figure on a screen. Runs in the browser and on the server.
 */
import { limitValue, mainComparison, readingLookup, ruleHolds, type ValueLookup } from "./conditions.ts";
import type {
  AlarmRule,
  DeviceKind,
  LocalText,
  ReportedValue,
  RuleContext,
  Severity,
  UnitMode,
} from "./device-kind.ts";
import { localUnit } from "./units.ts";

/** From good to bad; `unknown` where there is no value to judge. */
export type ValueState = "ok" | "notice" | "minor" | "major" | "critical" | "unknown";
/** `stale`: older than three intervals; `offline`: older than the kind's limit. */
export type Freshness = "live" | "stale" | "offline";

export type Assessment = {
  readonly key: string;
  readonly value: ReportedValue | undefined;
  readonly state: ValueState;
  /** Short and with numbers: "高 1.6，上限 20 ppm"; for a good temperature its distance from the target. */
  readonly reason: LocalText;
  /** The rule behind a bad state. */
  readonly ruleId?: string;
  /** Not judged because the unit is empty or being washed. */
  readonly masked: boolean;
};

export type ReadingAssessment = {
  readonly freshness: Freshness;
  /** Worst of the values; `unknown` while offline. */
  readonly state: ValueState;
  readonly values: readonly Assessment[];
};

export type ReadingContext = RuleContext & {
  /** Seconds since the reading was taken; Infinity when there never was one. */
  readonly ageS: number;
  /** Unit mode; the one in the reading applies where it is absent. */
  readonly mode?: UnitMode | undefined;
};

const stateOf: Readonly<Record<Severity, ValueState>> = {
  WARN: "notice",
  MINOR: "minor",
  MAJOR: "major",
  CRITICAL: "critical",
};
const rank: Readonly<Record<ValueState, number>> = { unknown: 0, ok: 1, notice: 2, minor: 3, major: 4, critical: 5 };

/** The worst of some states; `unknown` only when nothing is known. */
export function worstState(states: Iterable<ValueState>): ValueState {
  let worst: ValueState = "unknown";
  for (const state of states) if (rank[state] > rank[worst]) worst = state;
  return worst;
}

/** Freshness of a reading that is `ageS` seconds old. */
export function freshnessOf(kind: Pick<DeviceKind, "reportIntervalS" | "offlineAfterS">, ageS: number): Freshness {
  if (ageS > kind.offlineAfterS) return "offline";
  return ageS > 3 * kind.reportIntervalS ? "stale" : "live";
}

const ageText = (ageS: number): LocalText => {
  if (!Number.isFinite(ageS)) return { zh: "尚无上报", en: "no report yet" };
  const minutes = Math.round(ageS / 60);
  if (minutes < 60) return { zh: `离线 ${minutes} 分钟`, en: `offline for ${minutes} min` };
  const hours = Math.round(minutes / 60);
  return hours < 48
    ? { zh: `离线 ${hours} 小时`, en: `offline for ${hours} h` }
    : { zh: `离线 ${Math.round(hours / 24)} 天`, en: `offline for ${Math.round(hours / 24)} d` };
};

/** Text of a number with the decimals of its channel, no trailing "-0". */
const figure = (value: number, decimals: number): string => {
  const shown = value.toFixed(decimals);
  return Number(shown) === 0 ? (0).toFixed(decimals) : shown;
};

const good: LocalText = { zh: "正常", en: "normal" };

type Shown = { readonly decimals: number; readonly unit: string };

const shownAs = (kind: DeviceKind, key: string): Shown =>
  kind.channels.find((channel) => channel.key === key) ??
  kind.derived.find((value) => value.key === key) ?? { decimals: 1, unit: "" };

/** "高 1.6" against a base, which is the target for a temperature and the limit for everything else. */
const distance = (value: number, base: number, decimals: number): LocalText => {
  const apart = figure(Math.abs(value - base), decimals);
  if (Number(apart) === 0) return { zh: "平", en: "on target" };
  return value > base ? { zh: `高 ${apart}`, en: `${apart} above` } : { zh: `低 ${apart}`, en: `${apart} below` };
};

function reasonFor(
  kind: DeviceKind,
  rule: AlarmRule,
  lookup: ValueLookup,
  context: RuleContext,
  base: number | undefined,
): LocalText {
  const main = mainComparison(rule.condition, { kind, lookup, context });
  const value = main ? lookup(main.key) : undefined;
  const limit = main ? limitValue(kind, main.limit, lookup, context) : undefined;
  if (!main || typeof value !== "number" || typeof limit !== "number" || main.op === "eq" || main.op === "ne") {
    return { zh: rule.name.zh, en: rule.name.en.toLowerCase() };
  }
  const { decimals, unit } = shownAs(kind, main.key);
  const apart = distance(value, base ?? limit, Math.max(decimals, base === undefined ? 0 : 1));
  const upper = main.op === "gt" || main.op === "ge";
  const words = localUnit(unit);
  const edge = (of: string) => `${figure(limit, decimals)} ${of}`.trim();
  // A value at its limit is beyond it, too, where the rule says so; "on target" it is not.
  const far = base === undefined && Number(figure(Math.abs(value - limit), decimals)) === 0 ? undefined : apart;
  return upper
    ? {
        zh: `${far ? `${far.zh}，` : ""}上限 ${edge(words.zh)}`,
        en: `${far ? `${far.en}, ` : ""}limit ${edge(words.en)}`,
      }
    : {
        zh: `${far ? `${far.zh}，` : ""}下限 ${edge(words.zh)}`,
        en: `${far ? `${far.en}, ` : ""}lower limit ${edge(words.en)}`,
      };
}

/** The rule by which a value that is not known is an alarm of its own: none of those that could stand for it is known either. */
function unknownRuleOf(kind: DeviceKind, key: string, lookup: ValueLookup): AlarmRule | undefined {
  return kind.alarmRules.find(
    ({ condition }) =>
      condition.type === "detector" &&
      condition.detector === "unknown" &&
      condition.parameters.always === "yes" &&
      condition.over[0] === key &&
      condition.over.every((other) => lookup(other) === undefined),
  );
}

export type AssessOptions = {
  /** The values to judge, in this order. */
  readonly keys: readonly string[];
  /** Rules about another key are shown at the key given here. */
  readonly shownAt?: Readonly<Record<string, string>>;
  /** Rules that mean nothing without their duration. */
  readonly without?: readonly string[];
  /** Set-points: the reason gives the distance from them. */
  readonly targets?: Readonly<Record<string, string>>;
};

/** Judges chosen values of any kind of device. */
export function assessValues(
  kind: DeviceKind,
  options: AssessOptions,
  context: ReadingContext,
  values: Readonly<Record<string, ReportedValue | null | undefined>>,
): ReadingAssessment {
  const freshness = freshnessOf(kind, context.ageS);
  const lookup = readingLookup(kind, values, context);
  if (freshness === "offline") {
    const reason = ageText(context.ageS);
    return {
      freshness,
      state: "unknown",
      values: options.keys.map((key) => ({ key, value: lookup(key), state: "unknown", reason, masked: false })),
    };
  }
  const mode = context.mode ?? lookup("mode");
  const masking = mode === "empty" || mode === "washing";
  const assessed = options.keys.map((key): Assessment => {
    const value = lookup(key);
    if (value === undefined) {
      const vital = masking ? undefined : unknownRuleOf(kind, key, lookup);
      if (vital !== undefined)
        return { key, value, state: stateOf[vital.severity], reason: vital.name, ruleId: vital.id, masked: false };
      return { key, value, state: "unknown", reason: { zh: "无数据", en: "no value" }, masked: false };
    }
    const own = kind.alarmRules.filter((rule) => {
      const about = mainComparison(rule.condition, { kind, lookup, context })?.key;
      return about !== undefined && (options.shownAt?.[about] ?? about) === key && !options.without?.includes(rule.id);
    });
    const judged = masking ? own.filter((rule) => rule.safety) : own;
    const targetKey = options.targets?.[key];
    const target = targetKey === undefined ? undefined : lookup(targetKey);
    const base = typeof target === "number" ? target : undefined;
    let worst: AlarmRule | undefined;
    for (const rule of judged) {
      if (ruleHolds(kind, rule, lookup, context) !== true) continue;
      if (!worst || rank[stateOf[rule.severity]] > rank[stateOf[worst.severity]]) worst = rule;
    }
    if (worst) {
      const reason = reasonFor(kind, worst, lookup, context, base);
      return { key, value, state: stateOf[worst.severity], reason, ruleId: worst.id, masked: false };
    }
    if (masking && judged.length === 0) {
      const reason =
        mode === "empty" ? { zh: "空栏，已屏蔽", en: "empty, masked" } : { zh: "冲洗，已屏蔽", en: "washing, masked" };
      return { key, value, state: "ok", reason, masked: true };
    }
    const reason = typeof value === "number" && base !== undefined ? distance(value, base, 1) : good;
    return { key, value, state: "ok", reason, masked: false };
  });
  return { freshness, state: worstState(assessed.map(({ state }) => state)), values: assessed };
}

/** What a kind's devices are judged by: every value that a rule compares, those of its overview first. */
export function judgedKeys(kind: DeviceKind): string[] {
  const compared = kind.alarmRules.flatMap(({ condition }) => mainComparison(condition)?.key ?? []);
  return [...new Set([...(kind.pages?.figures ?? []).filter((key) => compared.includes(key)), ...compared])];
}
