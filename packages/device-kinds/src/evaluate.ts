/**
 * Runs the alarm rules of one device over its messages.
 * It is pure: times come with the input, and the state is plain data, so a server can store it, resume after a restart, and run
 * the same code over a recording.
 */
import type { RejectedReading, RejectedReadings } from "./acceptance.ts";
import { eventMatches, limitValue, mainComparison, type RuleTest, ruleTest, type ValueLookup } from "./conditions.ts";
import { consumptionOf } from "./counters.ts";
import {
  type DetectorView,
  detectorHolds,
  knownSinceMs,
  reachOf,
  seesWholeHours,
  unknownAfterMs,
} from "./detectors.ts";
import type {
  AlarmRule,
  Condition,
  DerivedValue,
  DetectorCondition,
  DeviceKind,
  LocalText,
  ReportedValue,
  RuleContext,
  Severity,
  UnitMode,
} from "./device-kind.ts";
import {
  addEvent,
  addSample,
  addToHours,
  deviationOf,
  dropHoursBefore,
  emptyHistory,
  firstAfter,
  floorHour,
  growthIn,
  type History,
  hourBefore,
  hoursIn,
  type KeptEvent,
  meanIn,
  meanOf,
  medianOf,
  rejectedNow,
  takenUp,
} from "./history.ts";

const hourMs = 3_600_000;
/** Windows up to this length are computed from single values, longer ones from hours. */
const sampledWindowS = 6 * 3600;
/** Number of report intervals after which a message counts as history. */
export const lateAfterIntervals = 2;
/** Most ends of durations that are judged one by one before the rest is left to the next message. */
const mostDue = 1000;

export type EvaluationInput =
  | {
      readonly type: "readings";
      /** The device's time. */
      readonly atMs: number;
      readonly values: Readonly<Record<string, ReportedValue | null | undefined>>;
      /** Rejected readings of the same message; they count as heard and have no value. */
      readonly rejected?: RejectedReadings;
    }
  | {
      readonly type: "event";
      readonly atMs: number;
      readonly event: { readonly type: string; readonly [field: string]: unknown };
    }
  /** No message, but time has passed: durations end and silence grows. */
  | { readonly type: "time" }
  /**
   * As `time`, but judges only durations that have ended, each at the moment of its end, so the result does not depend on how
   * often it is called.
   */
  | { readonly type: "due" };

export type EvaluationContext = Omit<RuleContext, "minuteOfDay"> & {
  /** Mode of the unit; where it is absent, the mode that the device reports applies. */
  readonly mode?: UnitMode | undefined;
  /** Firmware that was assigned to the device. */
  readonly targetFirmware?: string | undefined;
  /** Due times of planned work, by name in the rule. */
  readonly dueAtMs?: Readonly<Record<string, number>> | undefined;
  /** Whether a masking window covers a rule at a time; the safety class is never covered. */
  readonly maskedAt?: ((ruleId: string, atMs: number) => boolean) | undefined;
};

/** The measured value that an alarm is about, as it was when the alarm was raised. */
export type AlarmFigure = {
  /** Channel or derived value, or the type of the event that raised the alarm. */
  readonly key: string;
  readonly value?: ReportedValue;
  readonly limit?: ReportedValue;
  /** Fields of the event. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Name of the rule, for a rule that a farm wrote. */
  readonly name?: string;
  /** Name of the rule with the part that it was about. */
  readonly named?: LocalText;
};

export type AlarmChange = {
  readonly type: "raised" | "cleared";
  readonly ruleId: string;
  readonly severity: Severity;
  /** When it was raised or cleared, by the time of the message or duration that showed it. */
  readonly atMs: number;
  /** When the condition began to hold, or ceased to hold. */
  readonly sinceMs: number;
  /** The unit's mode or a masking window hides it: it is recorded and not shown as an alarm. */
  readonly suppressed: boolean;
  /** Shown although the mode masks other alarms, but not pushed. */
  readonly quiet?: true;
  /** The figure of a raised alarm; absent where the rule is about no single value. */
  readonly figure?: AlarmFigure;
};

type RuleState = {
  /** Raised; `suppressed` while the unit's mode masks it. */
  raised?: "open" | "suppressed";
  /** Time since which the condition has held without a break; while the alarm is not raised. */
  sinceMs?: number;
  /** Time since which the condition has not held; while the alarm is raised. */
  goneMs?: number;
};

/** State of a device, as JSON. */
export type EvaluationState = {
  readonly history: History;
  readonly rules: Record<string, RuleState>;
  /** Time up to which rules were judged. */
  judgedMs?: number;
  /** Device time of the first and of the newest telemetry. */
  firstMs?: number;
  newestMs?: number;
  firstHeardMs?: number;
  lastHeardMs?: number;
  /** The newest event that was judged. */
  eventMs?: number;
  otherFirmwareSinceMs?: number;
};

export type Evaluator = {
  /**
   * Takes a message that arrived at `nowMs` by the server's clock.
   * A message that is older than the newest telemetry, or arrived more than two report intervals late, only fills the history
   * and changes no alarm.
   * Durations that ended before it are judged first, each at the moment of its end, so the alarms do not depend on how often it
   * is called.
   */
  take(input: EvaluationInput, nowMs: number, context?: EvaluationContext): AlarmChange[];
  /** Time at which a duration ends without a message, ms since 1970; undefined for none. */
  nextDueMs(context?: EvaluationContext): number | undefined;
  /** Time up to which rules were judged, ms since 1970. */
  judgedMs(): number | undefined;
  /** Forgets the alarm of a rule that a person ended, so that it can be raised again. */
  forget(ruleId: string): void;
  /** Ids of the rules whose alarms are raised. */
  raised(): string[];
  /** A copy of the state. */
  state(): EvaluationState;
};

const detectorsIn = (condition: Condition): DetectorCondition[] => {
  if (condition.type === "all" || condition.type === "any") return condition.of.flatMap(detectorsIn);
  return condition.type === "detector" ? [condition] : [];
};

/** Whether a condition is about events of a type; any event makes all rules be judged anew. */
function concernsEvent(condition: Condition, type: string): boolean {
  if (condition.type === "all" || condition.type === "any")
    return condition.of.some((part) => concernsEvent(part, type));
  if (condition.type === "event") return condition.event === type;
  return condition.type === "detector" && condition.over.includes(type);
}

function figureOf(
  kind: DeviceKind,
  rule: AlarmRule,
  lookup: ValueLookup,
  context: RuleContext,
  view: DetectorView,
): AlarmFigure | undefined {
  const { event, history } = view;
  const main = mainComparison(rule.condition, { kind, lookup, context });
  if (main !== undefined) {
    const value = lookup(main.key);
    const limit = limitValue(kind, main.limit, lookup, context);
    const named = rule.named?.(lookup);
    return {
      key: main.key,
      ...(value !== undefined && { value }),
      ...(limit !== undefined && { limit }),
      ...(named && { named }),
    };
  }
  if (event !== undefined && concernsEvent(rule.condition, event.type))
    return { key: event.type, fields: event.kept.fields };
  const [detector] = detectorsIn(rule.condition);
  const over = detector?.over[0];
  if (over === undefined) return undefined;
  if (detector?.detector === "unknown" || detector?.detector === "out-of-range") {
    const rejects = detector.over.flatMap((key) => {
      const rejected = rejectedNow(history, key);
      return rejected === undefined ? [] : [{ key, ...rejected }];
    });
    const newest = rejects.toSorted((a, b) => b.atMs - a.atMs)[0];
    const key = detector.detector === "out-of-range" ? (newest?.key ?? over) : over;
    return newest === undefined ? { key } : { key, fields: { reason: newest.reason, text: newest.text } };
  }
  // Of several sensors, the first that is stuck.
  const isStuck = (key: string): boolean =>
    detector?.detector === "stuck" && detectorHolds(view, { ...detector, over: [key] }) === true;
  const key = detector?.over.find(isStuck) ?? over;
  const value = lookup(key);
  return { key, ...(value !== undefined && { value }) };
}

/** Whether a detector can begin to hold without a message. */
const waitsForTime = ({ detector, parameters }: DetectorCondition): boolean =>
  detector === "silence" ||
  detector === "unknown" ||
  detector === "overdue" ||
  (detector === "gap" && parameters.every_s !== undefined);

const isWindow = (
  value: DerivedValue,
): value is DerivedValue & { derivation: Extract<DerivedValue["derivation"], { from: "window" }> } =>
  value.derivation.from === "window";

/**
 * Makes the evaluator of one device's alarm rules.
 * @param rules the kind's rules unless a farm changed some
 * @param state the stored state of an earlier evaluator of this device
 * @param utcOffsetMinutes offset of the farm's clock; China by default
 */
export function createEvaluator(
  kind: DeviceKind,
  {
    rules = kind.alarmRules,
    state: given,
    utcOffsetMinutes = 480,
  }: { rules?: readonly AlarmRule[]; state?: EvaluationState; utcOffsetMinutes?: number } = {},
): Evaluator {
  const state: EvaluationState = given
    ? { ...structuredClone(given), history: takenUp(given.history) }
    : { history: emptyHistory(), rules: {} };
  const { history } = state;
  const statistical = rules.flatMap(({ condition }) => detectorsIn(condition));
  const derivedValues = [...kind.derived, ...rules.flatMap((rule) => rule.derived ?? [])];
  const windows = derivedValues.filter(isWindow);
  const sampledMs = new Map<string, number>();
  for (const { derivation } of windows) {
    if (derivation.windowS > sampledWindowS) continue;
    const { of, windowS } = derivation;
    sampledMs.set(of, Math.max(sampledMs.get(of) ?? 0, windowS * 1000));
  }
  const inHours = new Set([
    ...statistical.flatMap(({ over }) => over),
    ...windows.filter(({ derivation }) => derivation.windowS > sampledWindowS).map(({ derivation }) => derivation.of),
  ]);
  /** Hours to keep by key: most values are needed for some hours, a few for two weeks. */
  const keptHours = new Map<string, number>();
  const keepHours = (key: string, hours: number): void => {
    keptHours.set(key, Math.max(keptHours.get(key) ?? 2, hours));
  };
  for (const condition of statistical) for (const key of condition.over) keepHours(key, reachOf(condition).hours);
  for (const { derivation } of windows) keepHours(derivation.of, Math.ceil(derivation.windowS / 3600) + 2);
  const keptEvents = Math.max(2, ...statistical.map((condition) => reachOf(condition).events));
  const lateAfterMs = lateAfterIntervals * kind.reportIntervalS * 1000;
  const tested = rules.map((rule) => ({ rule, test: ruleTest(kind, rule) satisfies RuleTest }));
  const ruleById = new Map(rules.map((rule) => [rule.id, rule]));
  /** Rules with detectors that can begin to hold without a message. */
  const timed = rules
    .map((rule) => ({ rule, detectors: detectorsIn(rule.condition).filter(waitsForTime) }))
    .filter(({ detectors }) => detectors.length > 0);
  const reportMs = kind.reportIntervalS * 1000;
  /** Milliseconds for which a value counts as the current one: three reports. */
  const freshMs = new Map(
    kind.channels.map(({ key, intervalS }) => [key, 3 * Math.max(intervalS * 1000, reportMs)] as const),
  );
  const derivedByKey = new Map(derivedValues.map((derived) => [derived.key, derived]));
  /** Answers of detectors for an hour, valid until the data that they read change. */
  const hourAnswers = new Map<DetectorCondition, { hour: number; answer: boolean | undefined }>();
  let answeredHour = Number.NEGATIVE_INFINITY;
  /**
   * Next due time; it is read after each message and by the clock, and only changes when a rule is judged, a message arrives or
   * the plan changes.
   */
  let dueMs: { readonly ms: number | undefined; readonly planned: EvaluationContext["dueAtMs"] } | undefined;
  let droppedAtMs = Number.NaN;

  function overWindow({ derivation }: (typeof windows)[number], atMs: number): number | undefined {
    const { of, windowS, aggregate } = derivation;
    const from = atMs - windowS * 1000;
    if (windowS > sampledWindowS) {
      if (aggregate === "increase") {
        const since = floorHour(from);
        // As for short windows: a counter whose first reading is too new has no window yet.
        const known = hourBefore(history, of, since) ?? hoursIn(history, of, since, floorHour(atMs) + hourMs)[0];
        if (known === undefined || known.startMs > since + hourMs) return undefined;
        return growthIn(history, of, since, floorHour(atMs) + hourMs);
      }
      return aggregate === "mean" ? meanIn(history, of, floorHour(from) + hourMs, floorHour(atMs) + hourMs) : undefined;
    }
    const samples = history.samples[of];
    if (samples === undefined) return undefined;
    const inside = firstAfter(samples, from);
    const end = firstAfter(samples, atMs);
    // Includes the last sample before the window, which is the value at its begin.
    const begin = inside === 0 ? 0 : inside - 1;
    const first = samples[begin];
    // A value whose first reading is too new has no window yet.
    if (begin >= end || first === undefined || first[0] > from + windowS * 200) return undefined;
    if (aggregate === "change") return (samples[end - 1]?.[1] ?? 0) - first[1];
    if (aggregate === "count") return end - inside;
    const values = samples.slice(begin, end).map(([, value]) => value);
    switch (aggregate) {
      case "increase":
        return consumptionOf(values).amount;
      case "mean":
        return meanOf(values);
      case "median":
        return medianOf(values);
      case "deviation":
        return deviationOf(values);
      case "maximum":
        return Math.max(...values);
      case "minimum":
        return Math.min(...values);
    }
  }

  /** The moment that is being judged, and its values. */
  let lookedAtMs = 0;
  let lookedContext: RuleContext = {};
  /** Derived values of the moment, cached because several rules use them; null stands for an unknown one. */
  const worked = new Map<string, ReportedValue | null>();
  const lookup: ValueLookup = (key) => {
    const newest = history.values[key];
    if (newest !== undefined) {
      return lookedAtMs - newest.atMs <= (freshMs.get(key) ?? 3 * reportMs) ? newest.value : undefined;
    }
    const derived = derivedByKey.get(key);
    if (derived === undefined) return undefined;
    const known = worked.get(key);
    if (known !== undefined) return known ?? undefined;
    const value =
      derived.derivation.from === "reading"
        ? derived.derivation.compute(lookup, lookedContext)
        : overWindow(derived as (typeof windows)[number], lookedAtMs);
    worked.set(key, value ?? null);
    return value;
  };

  /** The answer of a detector; one that only reads whole hours is evaluated once an hour. */
  function askDetector(view: DetectorView, condition: DetectorCondition): boolean | undefined {
    if (!seesWholeHours(condition)) return detectorHolds(view, condition);
    const hour = floorHour(view.atMs);
    const held = hourAnswers.get(condition);
    if (held?.hour === hour) return held.answer;
    const answer = detectorHolds(view, condition);
    hourAnswers.set(condition, { hour, answer });
    answeredHour = Math.max(answeredHour, hour);
    return answer;
  }

  /**
   * Advances the state of a rule; most rules have nothing to remember, and so no state.
   * @param holds whether its condition holds now
   * @param masked only called where the answer matters
   */
  function step(
    rule: AlarmRule,
    holds: boolean | undefined,
    masked: () => boolean,
    atMs: number,
  ): AlarmChange | undefined {
    const now = state.rules[rule.id];
    const { id: ruleId, severity } = rule;
    if (now?.raised === undefined) {
      if (holds !== true) {
        // An unknown answer ends a duration, because the condition was not seen to hold throughout.
        if (now !== undefined) delete state.rules[ruleId];
        return undefined;
      }
      const sinceMs = now?.sinceMs ?? atMs;
      if (atMs - sinceMs < rule.raiseAfterS * 1000) {
        if (now === undefined) state.rules[ruleId] = { sinceMs };
        else now.sinceMs = sinceMs;
        return undefined;
      }
      const suppressed = masked();
      state.rules[ruleId] = { raised: suppressed ? "suppressed" : "open", sinceMs };
      return { type: "raised", ruleId, severity, atMs, sinceMs, suppressed };
    }
    if (holds === true) {
      if (now.goneMs !== undefined) delete now.goneMs;
      if (now.raised === "open" || masked()) return undefined;
      // The mask ended while the condition still holds.
      now.raised = "open";
      return { type: "raised", ruleId, severity, atMs, sinceMs: now.sinceMs ?? atMs, suppressed: false };
    }
    if (holds === undefined) return undefined;
    now.goneMs ??= atMs;
    if (atMs - now.goneMs < rule.clearAfterS * 1000) return undefined;
    const { goneMs: sinceMs, raised } = now;
    delete state.rules[ruleId];
    return { type: "cleared", ruleId, severity, atMs, sinceMs, suppressed: raised === "suppressed" };
  }

  function judge(atMs: number, nowMs: number, context: EvaluationContext, event: DetectorView["event"]): AlarmChange[] {
    dueMs = undefined;
    const minuteOfDay = Math.floor(((atMs / 60_000 + utcOffsetMinutes) % 1440) + 1440) % 1440;
    const ruleContext: RuleContext = { ...context, minuteOfDay };
    lookedAtMs = atMs;
    lookedContext = ruleContext;
    worked.clear();
    const mode = context.mode ?? lookup("mode");
    const masking = mode === "empty" || mode === "washing";
    const view: DetectorView = {
      kind,
      history,
      atMs,
      nowMs,
      event,
      utcOffsetMinutes,
      firstHeardMs: state.firstHeardMs,
      lastHeardMs: state.lastHeardMs,
      firstMs: state.firstMs,
      newestMs: state.newestMs,
      targetFirmware: context.targetFirmware,
      dueAtMs: context.dueAtMs ?? {},
      otherFirmwareSinceMs: state.otherFirmwareSinceMs,
    };
    const changes: AlarmChange[] = [];
    const ask = (condition: Extract<Condition, { type: "event" | "detector" }>): boolean | undefined => {
      if (condition.type === "detector") return askDetector(view, condition);
      return event !== undefined && eventMatches(condition, { ...event.kept.fields, type: event.type });
    };
    for (const { rule, test } of tested) {
      const now = state.rules[rule.id];
      const holds = test(lookup, ruleContext, now?.raised !== undefined, ask);
      // The condition neither holds now nor held before, which is the case for nearly all rules and messages.
      if (now === undefined && holds !== true) continue;
      const masked = () => !rule.safety && (masking || context.maskedAt?.(rule.id, atMs) === true);
      const change = step(rule, holds, masked, atMs);
      if (change === undefined) continue;
      let figure = change.type === "raised" ? figureOf(kind, rule, lookup, ruleContext, view) : undefined;
      if (change.type === "raised" && rule.own) figure = { key: "", ...figure, name: rule.name.zh };
      const quiet = change.type === "raised" && masking && rule.safety && rule.pushedWhenMasked !== true;
      changes.push({ ...change, ...(figure !== undefined && { figure }), ...(quiet && { quiet: true as const }) });
    }
    return changes;
  }

  /** Reports the times at which a detector can begin to hold without a message; it runs with every message. */
  function tellDue(
    { detector, over, parameters }: DetectorCondition,
    context: EvaluationContext,
    tell: (atMs: number) => void,
  ): void {
    const newestOf = (type: string): number => history.events[type]?.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY;
    if (detector === "silence") {
      if (over.length === 0) tell((state.lastHeardMs ?? Number.NaN) + parameters.after_s * 1000 + 1);
      else for (const key of over) tell((history.values[key]?.atMs ?? Number.NaN) + parameters.after_s * 1000 + 1);
    } else if (detector === "unknown") {
      const knownMs = knownSinceMs(history, over);
      tell((Number.isFinite(knownMs) ? knownMs : (state.firstMs ?? Number.NaN)) + unknownAfterMs(kind, over));
    } else if (detector === "gap" && parameters.every_s !== undefined) {
      let last = Number.NEGATIVE_INFINITY;
      for (const type of over) last = Math.max(last, newestOf(type));
      tell((Number.isFinite(last) ? last : (state.firstHeardMs ?? Number.NaN)) + parameters.every_s * 1500 + 1);
    } else if (detector === "overdue") {
      for (const name of over) tell((context.dueAtMs?.[name] ?? newestOf(name)) + parameters.after_s * 1000 + 1);
    }
  }

  function nextDueMs(context: EvaluationContext = {}): number | undefined {
    if (dueMs === undefined || dueMs.planned !== context.dueAtMs)
      dueMs = { ms: findDueMs(context), planned: context.dueAtMs };
    return dueMs.ms;
  }

  function findDueMs(context: EvaluationContext): number | undefined {
    const judged = state.judgedMs;
    if (judged === undefined) return undefined;
    let next = Number.POSITIVE_INFINITY;
    // NaN, the time of an event that never happened, fails both comparisons.
    const consider = (atMs: number): void => {
      if (atMs > judged && atMs < next) next = atMs;
    };
    for (const { rule, detectors } of timed) {
      const now = state.rules[rule.id];
      if (now?.raised !== undefined || now?.sinceMs !== undefined) continue;
      for (const condition of detectors) tellDue(condition, context, consider);
    }
    for (const ruleId in state.rules) {
      const rule = ruleById.get(ruleId);
      const now = state.rules[ruleId];
      if (rule === undefined || now === undefined) continue;
      if (now.raised === undefined) {
        if (now.sinceMs !== undefined) consider(now.sinceMs + rule.raiseAfterS * 1000);
      } else if (now.goneMs !== undefined) consider(now.goneMs + rule.clearAfterS * 1000);
      // An alarm that an event raised ends right after the event.
      else if (state.eventMs !== undefined) consider(state.eventMs + 1);
    }
    return next === Number.POSITIVE_INFINITY ? undefined : next;
  }

  /** Judges at the end of every duration up to a time, in the order of time. */
  function passTo(untilMs: number, context: EvaluationContext): AlarmChange[] {
    const changes: AlarmChange[] = [];
    for (let times = 0; times < mostDue; times += 1) {
      const nextMs = nextDueMs(context);
      if (nextMs === undefined || nextMs > untilMs) break;
      state.judgedMs = nextMs;
      changes.push(...judge(nextMs, nextMs, context, undefined));
    }
    return changes;
  }

  /** Adds readings to the history; of late readings only those within a window that is still used. */
  function remember(
    values: Readonly<Record<string, ReportedValue | null | undefined>>,
    atMs: number,
    nowMs: number,
  ): void {
    const ageHours = (floorHour(nowMs) - floorHour(atMs)) / hourMs;
    for (const key in values) {
      const value = values[key];
      if (value === null || value === undefined) continue;
      const newest = history.values[key];
      // An inherited property, as for the key "constructor", is no stored value.
      if (newest?.atMs === undefined) history.values[key] = { atMs, value };
      else if (atMs >= newest.atMs) {
        newest.atMs = atMs;
        newest.value = value;
      }
      if (typeof value !== "number") continue;
      if (inHours.has(key) && ageHours <= (keptHours.get(key) ?? 0)) {
        addToHours(history, key, atMs, value);
        // A changed hour makes the stored answers of detectors invalid.
        if (atMs < answeredHour) hourAnswers.clear();
      }
      const sampled = sampledMs.get(key);
      if (sampled !== undefined) addSample(history, key, atMs, value, sampled);
    }
  }

  function noteRejected(rejected: RejectedReadings | undefined, atMs: number): void {
    for (const key in rejected) {
      const { reason, text } = rejected[key] as RejectedReading;
      const newest = Object.hasOwn(history.rejects, key) ? history.rejects[key] : undefined;
      if (newest === undefined || atMs >= newest.atMs) history.rejects[key] = { atMs, reason, text };
    }
  }

  function watchFirmware(target: string | undefined, atMs: number): void {
    const reported = history.values.fw?.value;
    if (target === undefined || reported === undefined || reported === target) delete state.otherFirmwareSinceMs;
    else state.otherFirmwareSinceMs ??= atMs;
  }

  return {
    take(input, nowMs, context = {}) {
      if (input.type === "due") return passTo(nowMs, context);
      if (input.type === "time") {
        const changes = passTo(nowMs, context);
        const atMs = Math.max(nowMs, state.judgedMs ?? nowMs);
        state.judgedMs = atMs;
        changes.push(...judge(atMs, nowMs, context, undefined));
        return changes;
      }
      const { atMs } = input;
      let late = nowMs - atMs > lateAfterMs;
      if (input.type === "readings") late ||= atMs < (state.newestMs ?? Number.NEGATIVE_INFINITY);
      // Durations that ended before this message are judged without it.
      const changes = late ? [] : passTo(atMs, context);
      state.firstHeardMs ??= nowMs;
      state.lastHeardMs = Math.max(state.lastHeardMs ?? nowMs, nowMs);
      let event: DetectorView["event"];
      if (input.type === "readings") {
        remember(input.values, atMs, nowMs);
        noteRejected(input.rejected, atMs);
        state.firstMs = Math.min(state.firstMs ?? atMs, atMs);
        state.newestMs = Math.max(state.newestMs ?? atMs, atMs);
      } else {
        const { type, ...fields } = input.event;
        const kept: KeptEvent = { atMs, fields };
        addEvent(history, type, kept, keptEvents);
        event = { type, kept };
      }
      dueMs = undefined;
      if (late) return [];
      const judgedMs = Math.max(atMs, state.judgedMs ?? Number.NEGATIVE_INFINITY);
      state.judgedMs = judgedMs;
      if (floorHour(judgedMs) !== droppedAtMs) {
        droppedAtMs = floorHour(judgedMs);
        for (const [key, hours] of keptHours) dropHoursBefore(history, key, droppedAtMs - hours * hourMs);
      }
      watchFirmware(context.targetFirmware, judgedMs);
      if (event !== undefined) state.eventMs = judgedMs;
      changes.push(...judge(judgedMs, Math.max(nowMs, judgedMs), context, event));
      return changes;
    },
    nextDueMs,
    judgedMs: () => state.judgedMs,
    forget: (ruleId) => {
      delete state.rules[ruleId];
      dueMs = undefined;
    },
    raised: () => Object.keys(state.rules).filter((ruleId) => state.rules[ruleId]?.raised !== undefined),
    state: () => structuredClone(state),
  };
}
