/**
 * Verdicts on values: the only place where a reading is compared with a limit, used by the browser and the server.
 * A verdict applies the thresholds of the alarm rules without their durations; it is no alarm, but what every figure on a
 * screen shows.
 */
import { climateTarget } from "./climate.ts";
import {
  limitValue,
  type Moment,
  mainComparison,
  type RuleBound,
  readingLookup,
  ruleBounds,
  ruleHolds,
  type ValueLookup,
} from "./conditions.ts";
import type {
  AlarmRule,
  Analytic,
  DeviceKind,
  Interval,
  KindPart,
  LocalText,
  ReportedValue,
  RuleContext,
  Severity,
  UnitMode,
} from "./device-kind.ts";
import { localUnit } from "./units.ts";

/** From good to bad in the order of alarm severities; `unknown` where there is no value to judge. */
export type ValueState = "ok" | "notice" | "minor" | "major" | "critical" | "unknown";
/** `stale`: older than three intervals; `offline`: older than the kind's limit. */
export type Freshness = "live" | "stale" | "offline";

/**
 * Position of a value in its range.
 * - `off-comfort`: up to half of the way from its band to the limit; `outside-comfort`: beyond that.
 * - `idle`: it counts only while something runs, which does not run now.
 * - `at-limit`: shows the same number as the limit, and no rule applies yet; `over-limit`: a rule applies.
 * - `unjudged`: there is nothing to compare it with.
 */
export const standings = [
  "fine",
  "off-comfort",
  "outside-comfort",
  "idle",
  "at-limit",
  "over-limit",
  "masked",
  "rejected",
  "stale",
  "unknown",
  "unjudged",
] as const;
export type Standing = (typeof standings)[number];

/** The range that a value is compared with, in its unit. */
export type VerdictRange = {
  /** Comfort band of the animals of the unit, as far as it lies within the limits. */
  readonly comfort?: Interval;
  /** Usual band of the value; only for values without a known comfort band. */
  readonly usual?: Interval;
  /** The exceeded limits, otherwise the nearest ones. */
  readonly low?: number;
  readonly high?: number;
};

export type Verdict = {
  readonly key: string;
  readonly value: ReportedValue | undefined;
  readonly standing: Standing;
  /** Severity by the alarm rules; a value outside its comfort band to which no rule applies is `ok`. */
  readonly state: ValueState;
  /** The range that it was compared with; empty where it was not compared. */
  readonly range: VerdictRange;
  /** Short, with numbers: "高于上限 20 ppm". */
  readonly reason: LocalText;
  /** Distance from the set-point, for kinds that declare one for this value. */
  readonly deviation?: number;
  /** The rule behind a bad state. */
  readonly rule?: AlarmRule;
  /** Its name with the part that it is about, where the values name one. */
  readonly named?: LocalText;
};

/** Text of a rejected reading. */
export type Rejected = { readonly text: string };

export type VerdictContext = RuleContext & {
  /** Age of the reading in seconds; Infinity when there never was one. */
  readonly ageS: number;
  /** Mode of the unit; where it is absent, the mode in the reading applies. */
  readonly mode?: UnitMode | undefined;
  /** Number of pigs in the unit; without pigs there is no comfort band. */
  readonly headCount?: number | undefined;
  /** The farm's rules; those of the kind where it is absent. */
  readonly rules?: readonly AlarmRule[] | undefined;
  /** Whether a person masked the alarms of a rule for this place and time. */
  readonly isMasked?: ((ruleId: string) => boolean) | undefined;
  /** Values whose newest reading was rejected. */
  readonly rejected?: Readonly<Record<string, Rejected>> | undefined;
};

/** Values of one moment by key. */
export type MomentValues = Readonly<Record<string, ReportedValue | null | undefined>>;

export type ReadingVerdicts = {
  readonly freshness: Freshness;
  /** Worst of the values; `unknown` while offline. */
  readonly state: ValueState;
  readonly values: readonly Verdict[];
};

/** What an alarm of a severity makes of a value, and of the place where it is open. */
export const stateOfSeverity = {
  WARN: "notice",
  MINOR: "minor",
  MAJOR: "major",
  CRITICAL: "critical",
} as const satisfies Readonly<Record<Severity, ValueState>>;
const rank: Readonly<Record<ValueState, number>> = { unknown: 0, ok: 1, notice: 2, minor: 3, major: 4, critical: 5 };

/** The worst of several states; `unknown` only when all are unknown. */
export function worstState(states: Iterable<ValueState>): ValueState {
  let worst: ValueState = "unknown";
  for (const state of states) if (rank[state] > rank[worst]) worst = state;
  return worst;
}

/** How many of some rules lead to this one, by the guides of their kind: a cause stands before what it leads to. */
export const causesWithin = (guides: DeviceKind["guides"], ruleId: string, others: readonly string[]): number =>
  (guides ?? []).filter(({ rule, leadsTo }) => leadsTo?.includes(ruleId) && others.includes(rule)).length;

/** The verdicts that are not good, worst first, among equally bad ones the cause first. */
export function problemsOf(verdicts: readonly Verdict[], guides?: DeviceKind["guides"]): Verdict[] {
  const problems = verdicts.filter(({ state }) => rank[state] > rank.ok);
  const ids = problems.map(({ rule }) => rule?.id ?? "");
  const causesOf = ({ rule }: Verdict): number => causesWithin(guides, rule?.id ?? "", ids);
  return problems.toSorted((a, b) => rank[b.state] - rank[a.state] || causesOf(a) - causesOf(b));
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

const words = {
  normal: { zh: "正常", en: "normal" },
  comfort: { zh: "舒适", en: "comfortable" },
  usual: { zh: "在通常范围", en: "as usual" },
  limits: { zh: "在限内", en: "within limits" },
  idle: { zh: "停着", en: "idle" },
  unknown: { zh: "无数据", en: "no value" },
  rejected: { zh: "读数已剔除", en: "reading rejected" },
  stale: { zh: "过时", en: "out of date" },
  masked: { zh: "已屏蔽", en: "masked" },
  empty: { zh: "空栏，已屏蔽", en: "empty, masked" },
  washing: { zh: "冲洗，已屏蔽", en: "washing, masked" },
} as const satisfies Record<string, LocalText>;

const bands = {
  comfort: { zh: "舒适", en: "comfort" },
  usual: { zh: "通常", en: "the usual" },
} as const satisfies Record<string, LocalText>;

/** On which side of a band a value lies, and how far: "比通常低 6". */
const beside = (of: keyof typeof bands, apart: string, isBelow: boolean): LocalText => ({
  zh: `比${bands[of].zh}${isBelow ? "低" : "高"} ${apart}`,
  en: `${apart} ${isBelow ? "below" : "above"} ${bands[of].en}`,
});

const declaredOf = (kind: DeviceKind, key: string) => {
  const channel = kind.channels.find((candidate) => candidate.key === key);
  return channel ?? kind.derived.find((value) => value.key === key) ?? { decimals: 1, unit: "" };
};

/** On which side of the limit that is named next; undefined where the shown numbers are the same. */
const side = (value: number, limit: number, decimals: number): LocalText | undefined => {
  if (Number(figure(Math.abs(value - limit), decimals)) === 0) return undefined;
  return value > limit ? { zh: "高于", en: "above the " } : { zh: "低于", en: "below the " };
};

/** A limit with its name: "上限 20.0 ppm". */
function limitText(upper: boolean, limit: number, decimals: number, unit: string): LocalText {
  const of = localUnit(unit);
  const shown = figure(limit, decimals);
  return upper
    ? { zh: `上限 ${shown} ${of.zh}`.trim(), en: `limit ${shown} ${of.en}`.trim() }
    : { zh: `下限 ${shown} ${of.zh}`.trim(), en: `lower limit ${shown} ${of.en}`.trim() };
}

/** One alternative of a rule that compares a value, with the limits in it. */
type Comparing = {
  readonly rule: AlarmRule;
  readonly test: Pick<AlarmRule, "condition" | "hysteresis">;
  readonly bounds: readonly RuleBound[];
};

/** Rules of a state that hold after more seconds than these are told by the alarm alone. */
const longestStateS = 3600;

const comparingMade = new WeakMap<DeviceKind, WeakMap<readonly AlarmRule[], ReadonlyMap<string, Comparing[]>>>();

/** Rules by the value that they compare; computed once for each list of rules. */
function comparingOf(kind: DeviceKind, rules: readonly AlarmRule[]): ReadonlyMap<string, readonly Comparing[]> {
  let ofKind = comparingMade.get(kind);
  if (ofKind === undefined) {
    ofKind = new WeakMap();
    comparingMade.set(kind, ofKind);
  }
  const made = ofKind.get(rules);
  if (made !== undefined) return made;
  const found = new Map<string, Comparing[]>();
  const { shownAt, without } = kind.judging ?? {};
  for (const rule of rules) {
    if (without?.includes(rule.id)) continue;
    for (const { key, condition, bounds } of ruleBounds(rule)) {
      // A state that is a fault only after hours, as washing, is none at once.
      if (bounds.length === 0 && rule.raiseAfterS > longestStateS) continue;
      const test = { condition, hysteresis: rule.hysteresis };
      const at = shownAt?.[key];
      // A rule that is shown at another value has limits in other units, so they are left out.
      const comparing = { rule, test, bounds: at === undefined ? bounds : [] };
      found.set(at ?? key, [...(found.get(at ?? key) ?? []), comparing]);
    }
  }
  ofKind.set(rules, found);
  return found;
}

/** Keys that a kind's devices are judged by: every value that a rule compares, those of the overview first. */
export function judgedKeys(kind: DeviceKind, rules: readonly AlarmRule[] = kind.alarmRules): readonly string[] {
  const compared = comparingOf(kind, rules);
  const first = kind.judging?.keys ?? kind.pages?.figures?.filter((key) => compared.has(key)) ?? [];
  return [...new Set([...first, ...compared.keys()])];
}

/** The rule that raises an alarm for an unknown value, provided that all values that could replace it are unknown, too. */
const unknownRuleOf = (rules: readonly AlarmRule[], key: string, lookup: ValueLookup): AlarmRule | undefined =>
  rules.find(
    ({ condition }) =>
      condition.type === "detector" &&
      condition.detector === "unknown" &&
      condition.parameters.always === "yes" &&
      condition.over[0] === key &&
      condition.over.every((other) => lookup(other) === undefined),
  );

/** The nearest limits of a value that can be exceeded now; an exceeded limit takes precedence over others on its side. */
function limitsOf(
  { kind, lookup, context }: Moment,
  comparing: readonly Comparing[],
  passed: Comparing | undefined,
): Pick<VerdictRange, "low" | "high"> {
  const limits: { low?: number; high?: number } = {};
  for (const [of, isPassed] of [...comparing.map((each) => [each, false] as const), [passed, true] as const]) {
    const main = isPassed && of ? mainComparison(of.test.condition, { kind, lookup, context }) : undefined;
    for (const { op, limit, guards } of of?.bounds ?? []) {
      if (isPassed && main?.limit !== limit) continue;
      if (!guards.every((guard) => ruleHolds(kind, guard, lookup, context) === true)) continue;
      const value = limitValue(kind, limit, lookup, context);
      // That nothing flows or runs is no lower limit of 0.
      if (typeof value !== "number" || (op === "le" && value === 0)) continue;
      const upper = op === "gt" || op === "ge";
      const side = upper ? "high" : "low";
      const before = isPassed ? undefined : limits[side];
      if (before === undefined) limits[side] = value;
      else limits[side] = upper ? Math.min(before, value) : Math.max(before, value);
    }
  }
  return limits;
}

/** The comfort or usual band of a value within its limits; a part beyond a limit is cut off. */
function bandOf(
  kind: DeviceKind,
  key: string,
  context: VerdictContext,
  { low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY }: Pick<VerdictRange, "low" | "high">,
): Pick<VerdictRange, "comfort" | "usual"> {
  const channel = kind.channels.find((candidate) => candidate.key === key);
  const within = ([from, to]: Interval): Interval | undefined =>
    Math.max(from, low) < Math.min(to, high) ? [Math.max(from, low), Math.min(to, high)] : undefined;
  if (channel?.comfort && context.pigstyType) {
    const comfort =
      context.headCount === 0
        ? undefined
        : within(climateTarget(context.pigstyType, context.weightKg)[channel.comfort]);
    return comfort ? { comfort } : {};
  }
  const usual = channel?.normal && within(channel.normal);
  return usual ? { usual } : {};
}

/**
 * Position of a number in a range to which no rule applies; the displayed, rounded numbers are compared, so that mark and
 * number agree.
 */
function standingIn(value: number, range: VerdictRange, decimals: number): { standing: Standing; reason: LocalText } {
  const shown = Number(figure(value, decimals));
  const { low, high } = range;
  const band = range.comfort ?? range.usual;
  const isAt = (limit: number | undefined): boolean => limit !== undefined && shown === Number(figure(limit, decimals));
  // A value of 0 whose upper limit is 0 is good: no valve is wrong.
  const isAtHigh = high !== 0 && isAt(high);
  if (isAt(low) || isAtHigh) {
    const of = isAtHigh ? { zh: "到上限", en: "at the limit" } : { zh: "到下限", en: "at the lower limit" };
    return { standing: "at-limit", reason: of };
  }
  if (band === undefined) {
    if (low === undefined && high === undefined) return { standing: "unjudged", reason: words.normal };
    return { standing: "fine", reason: words.limits };
  }
  const [edge, limit] = shown < band[0] ? [band[0], low] : shown > band[1] ? [band[1], high] : [undefined, undefined];
  const of = range.comfort ? "comfort" : "usual";
  if (edge === undefined) return { standing: "fine", reason: words[of] };
  const apart = Math.abs(shown - edge);
  const standing = limit !== undefined && apart * 2 <= Math.abs(limit - edge) ? "off-comfort" : "outside-comfort";
  // A band may end between two displayed numbers, so the distance has at least one decimal.
  return { standing, reason: beside(of, String(Number(apart.toFixed(Math.max(decimals, 1)))), shown < edge) };
}

/** How a value is judged now: the rules that compare it, the worst that applies, and the resulting range. */
function comparisonOf(moment: Moment, key: string, context: VerdictContext) {
  const { kind, lookup } = moment;
  const mode = context.mode ?? lookup("mode");
  const masking: "empty" | "washing" | undefined = mode === "empty" || mode === "washing" ? mode : undefined;
  const all = comparingOf(kind, context.rules ?? kind.alarmRules).get(key) ?? [];
  const comparing = all.filter(({ rule }) => (!masking || rule.safety) && !context.isMasked?.(rule.id));
  const isMasked = comparing.length === 0 && (masking !== undefined || all.length > 0);
  let worst: Comparing | undefined;
  for (const one of comparing) {
    if (worst && rank[stateOfSeverity[one.rule.severity]] <= rank[stateOfSeverity[worst.rule.severity]]) continue;
    if (ruleHolds(kind, one.test, lookup, context) === true) worst = one;
  }
  const limits = limitsOf(moment, comparing, worst);
  const range: VerdictRange = isMasked
    ? {}
    : { ...(masking === undefined ? bandOf(kind, key, context, limits) : {}), ...limits };
  return { masking, isMasked, comparing, worst, range };
}

/** Judges a value of a moment with a prepared lookup. */
function judge(kind: DeviceKind, key: string, lookup: ValueLookup, context: VerdictContext): Verdict {
  const told = lookup(key);
  const channel = kind.channels.find((candidate) => candidate.key === key);
  // A number channel's value that can't be read as a number counts as no value.
  const value = channel?.type === "number" && typeof told !== "number" ? undefined : told;
  const moment = { kind, lookup, context };
  const { masking, isMasked, comparing, worst, range } = comparisonOf(moment, key, context);
  const freshness = freshnessOf(kind, context.ageS);
  if (freshness === "offline")
    return { key, value, standing: "stale", state: "unknown", range, reason: ageText(context.ageS) };
  if (value === undefined) {
    const standing = context.rejected?.[key] === undefined ? "unknown" : "rejected";
    const vital = masking ? undefined : unknownRuleOf(context.rules ?? kind.alarmRules, key, lookup);
    if (vital === undefined || context.isMasked?.(vital.id))
      return { key, value, standing, state: "unknown", range, reason: words[standing] };
    return { key, value, standing, state: stateOfSeverity[vital.severity], range, reason: vital.name, rule: vital };
  }
  const targetKey = kind.judging?.targets?.[key];
  const target = targetKey === undefined ? undefined : lookup(targetKey);
  const base = typeof target === "number" ? target : undefined;
  const deviation = typeof value === "number" && base !== undefined ? { deviation: value - base } : {};
  const found = { key, value, range, state: "ok" as const, ...deviation };
  if (isMasked) return { ...found, standing: "masked", reason: words[masking ?? "masked"] };
  if (worst) {
    const { rule } = worst;
    const reason = reasonFor(moment, key, worst);
    const named = rule.named?.(lookup);
    return {
      ...found,
      standing: "over-limit",
      state: stateOfSeverity[rule.severity],
      reason,
      rule,
      ...(named && { named }),
    };
  }
  const running = kind.judging?.onlyWhile?.[key];
  const isIdle =
    running !== undefined &&
    ruleHolds(kind, { condition: running, hysteresis: { absolute: 0 } }, lookup, context) === false;
  const stands: { standing: Standing; reason: LocalText } = isIdle
    ? { standing: "idle", reason: words.idle }
    : typeof value === "number"
      ? standingIn(value, range, declaredOf(kind, key).decimals)
      : { standing: comparing.length > 0 ? "fine" : "unjudged", reason: words.normal };
  // A stale reading is never called good; a bad one keeps its verdict.
  const isOld = freshness === "stale" && (stands.standing === "fine" || stands.standing === "unjudged");
  return { ...found, ...(isOld ? { standing: "stale" as const, reason: words.stale } : stands) };
}

/** Reason for a value that exceeds the limit of a rule; where there is no limit to keep to, the rule's name. */
function reasonFor(moment: Moment, key: string, { rule, test }: Comparing): LocalText {
  const { kind, lookup, context } = moment;
  const main = mainComparison(test.condition, moment);
  const value = main ? lookup(main.key) : undefined;
  const limit = main ? limitValue(kind, main.limit, lookup, context) : undefined;
  const named = { zh: rule.name.zh, en: rule.name.en.toLowerCase() };
  if (
    main?.key !== key ||
    typeof value !== "number" ||
    typeof limit !== "number" ||
    main.op === "eq" ||
    main.op === "ne"
  )
    return named;
  const { decimals, unit } = declaredOf(kind, main.key);
  const stands = side(value, limit, decimals);
  if (!stands && limit === 0) return named;
  const edge = limitText(main.op === "gt" || main.op === "ge", limit, decimals, unit);
  return stands ? { zh: `${stands.zh}${edge.zh}`, en: `${stands.en}${edge.en}` } : edge;
}

/** The verdict on a value, with the range that it was compared with. */
export const verdictOf = (kind: DeviceKind, key: string, reading: MomentValues, context: VerdictContext): Verdict =>
  judge(kind, key, readingLookup(kind, reading, context), context);

/**
 * Verdicts on the values of a reading.
 * @param keys values to judge; those that the kind's devices are judged by where it is absent
 */
export function verdictsOf(
  kind: DeviceKind,
  reading: MomentValues,
  context: VerdictContext,
  keys: readonly string[] = judgedKeys(kind, context.rules),
): ReadingVerdicts {
  const lookup = readingLookup(kind, reading, context);
  const values = keys.map((key) => judge(kind, key, lookup, context));
  return {
    freshness: freshnessOf(kind, context.ageS),
    state: worstState(values.map(({ state }) => state)),
    values,
  };
}

/** The range that a value would be compared with, whatever the value is; for the band behind its history. */
export const rangeOf = (kind: DeviceKind, key: string, reading: MomentValues, context: VerdictContext): VerdictRange =>
  comparisonOf({ kind, lookup: readingLookup(kind, reading, context), context }, key, context).range;

/** The part of a range that a chart shades: the value's band, otherwise the space between its limits. */
export function shadedOf({ comfort, usual, low, high }: VerdictRange): Interval | undefined {
  const band = comfort ?? usual;
  if (band !== undefined || (low === undefined && high === undefined)) return band;
  return [low ?? 0, high ?? Number.MAX_SAFE_INTEGER];
}

const lies = (value: number, low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY): boolean =>
  value >= low && value <= high;

/** Whether a value is within the limits of a range. */
export const isWithinLimits = ({ low, high }: VerdictRange, value: number): boolean => lies(value, low, high);

/** Whether a value lies in the band of a range. */
export const isUsual = ({ comfort, usual }: VerdictRange, value: number): boolean =>
  lies(value, ...(comfort ?? usual ?? []));

/** The least result of an analytic, where the actual result is lower. */
export const shortfallOf = ({ least }: Pick<Analytic, "least">, value: number | undefined): number | undefined =>
  least !== undefined && value !== undefined && value < least ? least : undefined;

/** The field that makes a record bad; undefined for a good record. */
export function faultOf(
  { good, within, least }: Pick<Extract<KindPart, { type: "records" }>, "good" | "within" | "least">,
  { fields }: { readonly fields: Readonly<Record<string, unknown>> },
): string | undefined {
  const word = good && fields[good.field];
  if (good && typeof word === "string" && word !== "" && !good.words.includes(word)) return good.field;
  const apart = within && fields[within.field];
  if (within && typeof apart === "number" && Math.abs(apart) > within.percent) return within.field;
  const reached = least && fields[least.field];
  return least && typeof reached === "number" && reached < least.value ? least.field : undefined;
}
