/**
 * Evaluation of alarm conditions on one reading. Conditions that need history are passed to the caller; evaluate.ts answers
 * them.
 */
import { type ClimateTarget, climateTarget } from "./climate.ts";
import type {
  AlarmRule,
  Comparison,
  Condition,
  DetectorCondition,
  DeviceKind,
  Hysteresis,
  Limit,
  PigstyLimitField,
  ReportedValue,
  RuleContext,
} from "./device-kind.ts";
import { minuteOfDay } from "./validation.ts";

/** Looks up a channel or derived value of the reading. */
export type ValueLookup = (key: string) => ReportedValue | undefined;

/** Values of one reading, including derived values that need only that reading. */
export function readingLookup(
  kind: DeviceKind,
  values: Readonly<Record<string, ReportedValue | null | undefined>>,
  context: RuleContext,
): ValueLookup {
  const lookup: ValueLookup = (key) => {
    const reported = values[key];
    if (reported !== undefined && reported !== null) return reported;
    const derived = kind.derived.find((candidate) => candidate.key === key);
    return derived?.derivation.from === "reading" ? derived.derivation.compute(lookup, context) : undefined;
  };
  return lookup;
}

const pigstyField = (target: ClimateTarget, field: PigstyLimitField): number => {
  switch (field) {
    case "temperatureLow":
      return target.temperatureLimits[0];
    case "temperatureHigh":
      return target.temperatureLimits[1];
    case "humidityLow":
      return target.humidityLimits[0];
    case "humidityHigh":
      return target.humidityLimits[1];
  }
};

/**
 * Answer of a limit or condition for a reading. Compiled once for each rule, because a server evaluates every rule with every
 * message.
 */
type Asked<Answer> = (lookup: ValueLookup, context: RuleContext) => Answer;

function limitOf(kind: DeviceKind, limit: Limit): Asked<ReportedValue | undefined> {
  switch (limit.from) {
    case "constant":
      return () => limit.value;
    case "setPoint": {
      const { key, offset } = limit;
      return (lookup) => {
        const base = lookup(key);
        return typeof base === "number" ? base + offset : undefined;
      };
    }
    case "value": {
      const { key, factor, offset } = limit;
      return (lookup) => {
        const base = lookup(key);
        return typeof base === "number" ? base * factor + offset : undefined;
      };
    }
    case "pigsty":
      return (_lookup, context) =>
        context.pigstyType
          ? pigstyField(climateTarget(context.pigstyType, context.weightKg), limit.field) + limit.offset
          : undefined;
    case "parameter": {
      const declared = kind.parameters.find((parameter) => parameter.key === limit.key)?.default;
      return (_lookup, context) => {
        const base = context.parameters?.[limit.key] ?? declared;
        return typeof base === "number" ? base * limit.factor + limit.offset : undefined;
      };
    }
    case "lowest":
    case "highest": {
      const parts = limit.of.map((part) => limitOf(kind, part));
      const lowest = limit.from === "lowest";
      return (lookup, context) => {
        let found: number | undefined;
        for (const part of parts) {
          const value = part(lookup, context);
          if (typeof value !== "number") continue;
          if (found === undefined) found = value;
          else found = lowest ? Math.min(found, value) : Math.max(found, value);
        }
        return found;
      };
    }
  }
}

/** The current number or word of a limit; undefined when a part of it is unknown. */
export const limitValue = (
  kind: DeviceKind,
  limit: Limit,
  lookup: ValueLookup,
  context: RuleContext,
): ReportedValue | undefined => limitOf(kind, limit)(lookup, context);

const compare = (value: ReportedValue, op: Comparison, limit: ReportedValue): boolean => {
  if (op === "eq") return value === limit;
  if (op === "ne") return value !== limit;
  if (typeof value !== "number" || typeof limit !== "number") return false;
  if (op === "gt") return value > limit;
  if (op === "ge") return value >= limit;
  if (op === "lt") return value < limit;
  return value <= limit;
};

/** Moves a limit to the good side by the hysteresis, for an alarm that is already raised. */
const relaxed = (limit: ReportedValue, op: Comparison, hysteresis: Hysteresis): ReportedValue => {
  if (typeof limit !== "number" || op === "eq" || op === "ne") return limit;
  const by = "absolute" in hysteresis ? hysteresis.absolute : (Math.abs(limit) * hysteresis.percent) / 100;
  return op === "gt" || op === "ge" ? limit - by : limit + by;
};

/** Answers conditions on events and history. */
type AskHistory = (condition: Extract<Condition, { type: "event" | "detector" }>) => boolean | undefined;

/**
 * Whether a rule's condition holds for a reading. With `raised` the limits are moved by the hysteresis, so the answer tells
 * whether the alarm remains.
 * Undefined when a value is missing or history is needed.
 */
export type RuleTest = (
  lookup: ValueLookup,
  context: RuleContext,
  raised: boolean,
  ask: AskHistory,
) => boolean | undefined;

/** Compiles the test of a rule, for repeated use. */
export function ruleTest(kind: DeviceKind, rule: Pick<AlarmRule, "condition" | "hysteresis">): RuleTest {
  const testOf = (condition: Condition): RuleTest => {
    switch (condition.type) {
      case "compare": {
        const { key, op } = condition;
        const limitNow = limitOf(kind, condition.limit);
        return (lookup, context, raised) => {
          const value = lookup(key);
          if (value === undefined) return undefined;
          const limit = limitNow(lookup, context);
          if (limit === undefined) return undefined;
          return compare(value, op, raised ? relaxed(limit, op, rule.hysteresis) : limit);
        };
      }
      case "all":
      case "any": {
        // One part decides the result: a false one in `all`, a true one in `any`.
        const deciding = condition.type === "any";
        const parts = condition.of.map(testOf);
        return (lookup, context, raised, ask) => {
          let answer: boolean | undefined = !deciding;
          for (const part of parts) {
            const told = part(lookup, context, raised, ask);
            if (told === deciding) return deciding;
            if (told === undefined) answer = undefined;
          }
          return answer;
        };
      }
      case "during": {
        const from = minuteOfDay(condition.from);
        const to = minuteOfDay(condition.to);
        return (_lookup, { minuteOfDay: now }) => {
          if (from === undefined || to === undefined || now === undefined) return undefined;
          return from <= to ? now >= from && now < to : now >= from || now < to;
        };
      }
      case "event":
      case "detector":
        return (_lookup, _context, _raised, ask) => ask(condition);
    }
  };
  return testOf(rule.condition);
}

/**
 * Compiled tests by kind and rule or part, cached because several kinds share a rule and screens evaluate all rules with every
 * reading.
 */
const testsMade = new WeakMap<DeviceKind, WeakMap<object, RuleTest>>();
function testMade(kind: DeviceKind, of: Pick<AlarmRule, "condition" | "hysteresis"> | Condition): RuleTest {
  let ofKind = testsMade.get(kind);
  if (ofKind === undefined) {
    ofKind = new WeakMap();
    testsMade.set(kind, ofKind);
  }
  let test = ofKind.get(of);
  if (test === undefined) {
    test = ruleTest(kind, "condition" in of ? of : { condition: of, hysteresis: { absolute: 0 } });
    ofKind.set(of, test);
  }
  return test;
}

/** The answer of `ruleTest` for one reading. */
export const ruleHolds = (
  kind: DeviceKind,
  rule: Pick<AlarmRule, "condition" | "hysteresis">,
  lookup: ValueLookup,
  context: RuleContext,
  raised = false,
  ask: AskHistory = () => undefined,
): boolean | undefined => testMade(kind, rule)(lookup, context, raised, ask);

/** Whether an event record matches an event condition. */
export function eventMatches(
  condition: Condition,
  event: { readonly type: string; readonly [field: string]: unknown },
): boolean {
  if (condition.type === "any") return condition.of.some((part) => eventMatches(part, event));
  if (condition.type !== "event" || condition.event !== event.type) return false;
  return (condition.where ?? []).every(({ field, op, value }) => {
    const actual = event[field];
    return typeof actual === "number" || typeof actual === "boolean" || typeof actual === "string"
      ? compare(actual, op, value)
      : false;
  });
}

/** The values of one moment, which tell which part of a rule applies. */
export type Moment = { readonly kind: DeviceKind; readonly lookup: ValueLookup; readonly context: RuleContext };

/**
 * The main comparison of a rule: its first one; for `any` the first that holds.
 * @param now where it is left out, the first part of `any` is taken
 */
export function mainComparison(
  condition: Condition,
  now?: Moment,
): Extract<Condition, { type: "compare" }> | undefined {
  if (condition.type === "compare") return condition;
  if (condition.type !== "all" && condition.type !== "any") return undefined;
  const passed =
    condition.type === "any" && now !== undefined
      ? condition.of.find((part) => testMade(now.kind, part)(now.lookup, now.context, false, () => undefined) === true)
      : undefined;
  const parts = passed === undefined ? condition.of : [passed, ...condition.of];
  for (const part of parts) {
    const found = mainComparison(part, now);
    if (found) return found;
  }
  return undefined;
}

/** A limit in a rule, with the other conditions of the rule under which it applies. */
export type RuleBound = Pick<Extract<Condition, { type: "compare" }>, "op" | "limit"> & {
  readonly guards: readonly Pick<AlarmRule, "condition" | "hysteresis">[];
};

const mentions = (condition: Condition, key: string): boolean =>
  condition.type === "all" || condition.type === "any"
    ? condition.of.some((part) => mentions(part, key))
    : condition.type === "compare" && condition.key === key;

function boundsIn(condition: Condition, key: string, guards: RuleBound["guards"]): RuleBound[] {
  if (condition.type === "compare") {
    const { op, limit } = condition;
    return condition.key !== key || op === "eq" || op === "ne" ? [] : [{ op, limit, guards }];
  }
  if (condition.type === "any") return condition.of.flatMap((part) => boundsIn(part, key, guards));
  if (condition.type !== "all") return [];
  const about = condition.of.filter((part) => mentions(part, key));
  const others = condition.of.filter((part) => !about.includes(part));
  // Several limits of the same value joined by `all` leave no side that is good.
  if (about.length !== 1) return [];
  const more = others.map((part) => ({ condition: part, hysteresis: { absolute: 0 } }));
  return about.flatMap((part) => boundsIn(part, key, [...guards, ...more]));
}

/** The alternatives of a rule, each with the value that it compares and the limits of that value. */
export function ruleBounds({ condition }: Pick<AlarmRule, "condition">): {
  key: string;
  condition: Condition;
  bounds: RuleBound[];
}[] {
  if (condition.type === "any") return condition.of.flatMap((part) => ruleBounds({ condition: part }));
  const key = mainComparison(condition)?.key;
  return key === undefined ? [] : [{ key, condition, bounds: boundsIn(condition, key, []) }];
}

/** One number of a rule that a farm may change; `id` is its position in the rule and is stored with the override. */
export type RuleThreshold = {
  readonly id: string;
  /** The channel, derived value or event it belongs to; the detector's name for a detector's parameter. */
  readonly of: string;
  readonly op: Comparison | "parameter";
  readonly value: number;
};

function rewrite(condition: Condition, change: (threshold: RuleThreshold) => number): Condition {
  const seen = new Map<string, number>();
  const place = (base: string): string => {
    const times = (seen.get(base) ?? 0) + 1;
    seen.set(base, times);
    return times === 1 ? base : `${base}.${times}`;
  };
  const limit = (part: Limit, of: string, op: Comparison): Limit => {
    switch (part.from) {
      case "constant":
        return typeof part.value === "number"
          ? { ...part, value: change({ id: place(`${of}.${op}`), of, op, value: part.value }) }
          : part;
      case "setPoint":
      case "pigsty":
        return { ...part, offset: change({ id: place(`${of}.${op}.${part.from}`), of, op, value: part.offset }) };
      case "parameter":
      case "value":
        return part.factor === 1
          ? { ...part, offset: change({ id: place(`${of}.${op}.${part.from}`), of, op, value: part.offset }) }
          : { ...part, factor: change({ id: place(`${of}.${op}.factor`), of, op, value: part.factor }) };
      case "lowest":
      case "highest":
        return { ...part, of: part.of.map((each) => limit(each, of, op)) };
    }
  };
  const walk = (part: Condition): Condition => {
    switch (part.type) {
      case "compare":
        return { ...part, limit: limit(part.limit, part.key, part.op) };
      case "all":
      case "any":
        return { ...part, of: part.of.map(walk) };
      case "during":
        return part;
      case "event":
        return part.where
          ? {
              ...part,
              where: part.where.map((each) =>
                typeof each.value === "number"
                  ? {
                      ...each,
                      value: change({
                        id: place(`${each.field}.${each.op}`),
                        of: each.field,
                        op: each.op,
                        value: each.value,
                      }),
                    }
                  : each,
              ),
            }
          : part;
      case "detector":
        // A number is only replaced by a number, so the parameters keep the type of their detector.
        return {
          ...part,
          parameters: Object.fromEntries(
            Object.entries(part.parameters).map(([key, value]) => [
              key,
              typeof value === "number"
                ? change({ id: place(`${part.detector}.${key}`), of: part.detector, op: "parameter", value })
                : value,
            ]),
          ),
        } as DetectorCondition;
    }
  };
  return walk(condition);
}

/** All numbers of a rule that an override may replace, in the order of the condition. */
export function ruleThresholds(rule: Pick<AlarmRule, "condition">): RuleThreshold[] {
  const found: RuleThreshold[] = [];
  rewrite(rule.condition, (threshold) => {
    found.push(threshold);
    return threshold.value;
  });
  return found;
}

/** The rule with some numbers replaced by threshold id; unknown ids are ignored. */
export function withThresholds<Rule extends Pick<AlarmRule, "condition">>(
  rule: Rule,
  overrides: Readonly<Record<string, number>>,
): Rule {
  return { ...rule, condition: rewrite(rule.condition, ({ id, value }) => overrides[id] ?? value) };
}
