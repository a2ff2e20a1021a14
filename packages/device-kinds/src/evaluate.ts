/**
 * Runs the alarm rules of one device over the stream of what it tells. Pure: times come with the input, and what is remembered is
 * plain data, so that a server can keep it, take it up after a restart, and run the same code over a recording.
 */
import { eventMatches, ruleHolds, type ValueLookup } from "./conditions.ts";
import { type DetectorView, detectorHolds, reachOf } from "./detectors.ts";
import type {
  AlarmRule,
  Condition,
  DerivedValue,
  DetectorCondition,
  DeviceKind,
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
  floorHour,
  growthIn,
  growthOf,
  type History,
  type KeptEvent,
  meanIn,
  meanOf,
  medianOf,
} from "./history.ts";

const hourMs = 3_600_000;
/** Windows up to this length are worked out from single values, longer ones from hours. */
const sampledWindowS = 6 * 3600;

export type EvaluationInput =
  | {
      readonly type: "readings";
      /** The device's time. */
      readonly atMs: number;
      readonly values: Readonly<Record<string, ReportedValue | null | undefined>>;
    }
  | {
      readonly type: "event";
      readonly atMs: number;
      readonly event: { readonly type: string; readonly [field: string]: unknown };
    }
  /** Nothing came, but time has passed: durations end and silence grows. */
  | { readonly type: "time" };

export type EvaluationContext = Omit<RuleContext, "minuteOfDay"> & {
  /** Unit mode; the one that the device reports applies where it is absent. */
  readonly mode?: UnitMode | undefined;
  /** Firmware that was assigned to the device. */
  readonly targetFirmware?: string | undefined;
  /** When what was planned is due, by its name in the rule. */
  readonly dueAtMs?: Readonly<Record<string, number>> | undefined;
};

export type AlarmChange = {
  readonly type: "raised" | "cleared";
  readonly ruleId: string;
  readonly severity: Severity;
  /** When it was raised or cleared, by the time of what showed it. */
  readonly atMs: number;
  /** Since when the condition had held, or had not held any more. */
  readonly sinceMs: number;
  /** The unit's mode masks it: it is kept as a record and not shown as an alarm. */
  readonly suppressed: boolean;
};

type RuleState = {
  /** Raised; `suppressed` while the unit's mode masks it. */
  raised?: "open" | "suppressed";
  /** Since when the condition has held without a break; before it is raised. */
  sinceMs?: number;
  /** Since when it has not held any more; while it is raised. */
  goneMs?: number;
};

/** What is remembered of a device; JSON. */
export type EvaluationState = {
  readonly history: History;
  readonly rules: Record<string, RuleState>;
  /** The moment up to which rules were judged. */
  judgedMs?: number;
  /** Device time of the newest telemetry. */
  newestMs?: number;
  firstHeardMs?: number;
  lastHeardMs?: number;
  otherFirmwareSinceMs?: number;
};

export type Evaluator = {
  /**
   * Takes what came at `nowMs` by the server's clock. What is older than the newest telemetry, or came later than three reports
   * would, fills the history and changes no alarm: what was wrong then is no news now.
   */
  take(input: EvaluationInput, nowMs: number, context?: EvaluationContext): AlarmChange[];
  /** A copy of what is remembered. */
  state(): EvaluationState;
};

const detectorsIn = (condition: Condition): DetectorCondition[] => {
  if (condition.type === "all" || condition.type === "any") return condition.of.flatMap(detectorsIn);
  return condition.type === "detector" ? [condition] : [];
};

const isWindow = (
  value: DerivedValue,
): value is DerivedValue & { derivation: Extract<DerivedValue["derivation"], { from: "window" }> } =>
  value.derivation.from === "window";

/**
 * @param rules those of the kind unless a farm changed some
 * @param state what an earlier evaluator of this device remembered
 * @param utcOffsetMinutes of the farm; China by default
 */
export function createEvaluator(
  kind: DeviceKind,
  {
    rules = kind.alarmRules,
    state: given,
    utcOffsetMinutes = 480,
  }: { rules?: readonly AlarmRule[]; state?: EvaluationState; utcOffsetMinutes?: number } = {},
): Evaluator {
  const state: EvaluationState = given ? structuredClone(given) : { history: emptyHistory(), rules: {} };
  const { history } = state;
  const statistical = rules.flatMap(({ condition }) => detectorsIn(condition));
  const windows = kind.derived.filter(isWindow);
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
  const keptHours = Math.max(
    2,
    ...statistical.map((condition) => reachOf(condition).hours),
    ...windows.map(({ derivation }) => Math.ceil(derivation.windowS / 3600) + 2),
  );
  const keptEvents = Math.max(2, ...statistical.map((condition) => reachOf(condition).events));
  const lateAfterMs = 3 * kind.reportIntervalS * 1000;
  const intervalMs = new Map(kind.channels.map(({ key, intervalS }) => [key, intervalS * 1000]));

  function overWindow({ derivation }: (typeof windows)[number], atMs: number): number | undefined {
    const { of, windowS, aggregate } = derivation;
    const from = atMs - windowS * 1000;
    if (windowS > sampledWindowS) {
      if (aggregate === "increase") return growthIn(history, of, floorHour(from), floorHour(atMs) + hourMs);
      return aggregate === "mean" ? meanIn(history, of, floorHour(from) + hourMs, floorHour(atMs) + hourMs) : undefined;
    }
    const samples = history.samples[of] ?? [];
    const before = samples.findLast(([at]) => at <= from);
    const inside = samples.filter(([at]) => at > from && at <= atMs);
    const spanned = before === undefined ? inside : [before, ...inside];
    const [first] = spanned;
    // What began only now has no window yet.
    if (first === undefined || first[0] > from + windowS * 200) return undefined;
    const values = spanned.map(([, value]) => value);
    switch (aggregate) {
      case "change":
        return (values.at(-1) ?? 0) - (values[0] ?? 0);
      case "increase":
        return growthOf(values);
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
      case "count":
        return inside.length;
    }
  }

  function lookupAt(atMs: number, context: RuleContext): ValueLookup {
    const lookup: ValueLookup = (key) => {
      const newest = history.values[key];
      if (newest !== undefined) {
        const interval = intervalMs.get(key) ?? kind.reportIntervalS * 1000;
        return atMs - newest.atMs <= 3 * Math.max(interval, kind.reportIntervalS * 1000) ? newest.value : undefined;
      }
      const derived = kind.derived.find((candidate) => candidate.key === key);
      if (derived === undefined) return undefined;
      return derived.derivation.from === "reading"
        ? derived.derivation.compute(lookup, context)
        : overWindow(derived as (typeof windows)[number], atMs);
    };
    return lookup;
  }

  /** Moves a rule on. @param holds whether its condition holds now */
  function step(rule: AlarmRule, holds: boolean | undefined, masked: boolean, atMs: number): AlarmChange[] {
    state.rules[rule.id] ??= {};
    const now = state.rules[rule.id] as RuleState;
    const { id: ruleId, severity } = rule;
    if (now.raised === undefined) {
      if (holds !== true) {
        // What can't be told breaks a duration as well: the condition was not seen to hold through it.
        delete now.sinceMs;
        return [];
      }
      now.sinceMs ??= atMs;
      if (atMs - now.sinceMs < rule.raiseAfterS * 1000) return [];
      const { sinceMs } = now;
      state.rules[ruleId] = { raised: masked ? "suppressed" : "open", sinceMs };
      return [{ type: "raised", ruleId, severity, atMs, sinceMs, suppressed: masked }];
    }
    if (holds === true) {
      delete now.goneMs;
      if (now.raised === "open" || masked) return [];
      // The mask is gone and the trouble is not.
      now.raised = "open";
      return [{ type: "raised", ruleId, severity, atMs, sinceMs: now.sinceMs ?? atMs, suppressed: false }];
    }
    if (holds === undefined) return [];
    now.goneMs ??= atMs;
    if (atMs - now.goneMs < rule.clearAfterS * 1000) return [];
    const { goneMs: sinceMs, raised } = now;
    delete state.rules[ruleId];
    return [{ type: "cleared", ruleId, severity, atMs, sinceMs, suppressed: raised === "suppressed" }];
  }

  function judge(atMs: number, nowMs: number, context: EvaluationContext, event: DetectorView["event"]): AlarmChange[] {
    const minuteOfDay = Math.floor(((atMs / 60_000 + utcOffsetMinutes) % 1440) + 1440) % 1440;
    const ruleContext: RuleContext = { ...context, minuteOfDay };
    const lookup = lookupAt(atMs, ruleContext);
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
      targetFirmware: context.targetFirmware,
      dueAtMs: context.dueAtMs ?? {},
      otherFirmwareSinceMs: state.otherFirmwareSinceMs,
    };
    return rules.flatMap((rule) => {
      const raised = state.rules[rule.id]?.raised !== undefined;
      const holds = ruleHolds(kind, rule, lookup, ruleContext, raised, (condition) => {
        if (condition.type === "detector") return detectorHolds(view, condition);
        return event !== undefined && eventMatches(condition, { ...event.kept.fields, type: event.type });
      });
      return step(rule, holds, masking && !rule.safety, atMs);
    });
  }

  /** Takes readings into the history. */
  function remember(values: Readonly<Record<string, ReportedValue | null | undefined>>, atMs: number): void {
    for (const [key, value] of Object.entries(values)) {
      if (value === null || value === undefined) continue;
      if (atMs >= (history.values[key]?.atMs ?? Number.NEGATIVE_INFINITY)) history.values[key] = { atMs, value };
      if (typeof value !== "number") continue;
      if (inHours.has(key)) addToHours(history, key, atMs, value);
      const sampled = sampledMs.get(key);
      if (sampled !== undefined) addSample(history, key, atMs, value, sampled);
    }
  }

  function watchFirmware(target: string | undefined, atMs: number): void {
    const reported = history.values.fw?.value;
    if (target === undefined || reported === undefined || reported === target) delete state.otherFirmwareSinceMs;
    else state.otherFirmwareSinceMs ??= atMs;
  }

  return {
    take(input, nowMs, context = {}) {
      let event: DetectorView["event"];
      let late = false;
      let atMs = nowMs;
      if (input.type !== "time") {
        state.firstHeardMs ??= nowMs;
        state.lastHeardMs = Math.max(state.lastHeardMs ?? nowMs, nowMs);
        atMs = input.atMs;
        late = nowMs - atMs > lateAfterMs;
      }
      if (input.type === "readings") {
        late ||= atMs < (state.newestMs ?? Number.NEGATIVE_INFINITY);
        remember(input.values, atMs);
        state.newestMs = Math.max(state.newestMs ?? atMs, atMs);
      }
      if (input.type === "event") {
        const { type, ...fields } = input.event;
        const kept: KeptEvent = { atMs, fields };
        addEvent(history, type, kept, keptEvents);
        event = { type, kept };
      }
      if (late) return [];
      atMs = Math.max(atMs, state.judgedMs ?? Number.NEGATIVE_INFINITY);
      state.judgedMs = atMs;
      dropHoursBefore(history, floorHour(atMs) - keptHours * hourMs);
      watchFirmware(context.targetFirmware, atMs);
      return judge(atMs, nowMs, context, event);
    },
    state: () => structuredClone(state),
  };
}
