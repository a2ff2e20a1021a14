/** How much worse an alarm that somebody knows of must get before it asks again. */
import { mainComparison, readingLookup } from "./conditions.ts";
import type { AlarmRule, Channel, DerivedValue, DeviceKind, ReportedValue, RuleContext } from "./device-kind.ts";
import type { AlarmFigure } from "./evaluate.ts";
import { channelOfFigure } from "./own-rules.ts";

/** The value from which a known alarm asks again: at or above the one, or at or below the other. */
export type WorseFrom = { readonly above?: number; readonly below?: number };

/** Steps of values without one of their own: this many times the hysteresis of the rule. */
const absoluteTimes = 3;
const percentTimes = 2;
/** Hysteresis of rules that a farm wrote, in percent. */
const ownPercent = 10;

const declaredFor = ({ channels, derived }: DeviceKind, key: string): Channel | DerivedValue | undefined =>
  channels.find((channel) => channel.key === key) ?? derived.find((value) => value.key === key);

/** The step of a value, in its unit; never 0. */
function stepOf(declared: Channel | DerivedValue, rule: AlarmRule | undefined, limit: number): number {
  if (declared.worseBy !== undefined) return declared.worseBy;
  const hysteresis = rule?.hysteresis ?? { percent: ownPercent };
  const step =
    "absolute" in hysteresis
      ? hysteresis.absolute * absoluteTimes
      : (Math.abs(limit) * hysteresis.percent * percentTimes) / 100;
  return Math.max(step, 10 ** -declared.decimals);
}

/**
 * The value from which an alarm asks again although somebody knows of it: a declared step further beyond its limit than it was
 * when that person acknowledged it.
 * @param value the value at the acknowledgement; the figure's own where it is unknown
 * @returns nothing for an alarm whose figure is no number beyond a limit
 */
export function worseFrom(
  kind: DeviceKind,
  ruleId: string,
  figure: { readonly [Name in "key" | "value" | "limit"]?: unknown },
  value: unknown = figure.value,
): WorseFrom {
  const { limit } = figure;
  const key = typeof figure.key === "string" ? channelOfFigure(figure.key) : "";
  const declared = declaredFor(kind, key);
  if (declared === undefined || typeof figure.value !== "number" || typeof limit !== "number") return {};
  const rule = kind.alarmRules.find(({ id }) => id === ruleId);
  const op = rule && mainComparison(rule.condition)?.op;
  const isAbove = figure.value === limit ? op === "gt" || op === "ge" : figure.value > limit;
  if (figure.value === limit && (op === undefined || op === "eq" || op === "ne")) return {};
  const then = typeof value === "number" ? value : figure.value;
  const step = stepOf(declared, rule, limit);
  // A value that came back inside the limit is at it: only what is beyond counts.
  return isAbove ? { above: Math.max(then, limit) + step } : { below: Math.min(then, limit) - step };
}

/** Whether a value has reached the one from which its alarm asks again. */
export const isWorse = ({ above, below }: WorseFrom, value: unknown): boolean =>
  typeof value === "number" && ((above !== undefined && value >= above) || (below !== undefined && value <= below));

/** The present value of an alarm's figure by the newest readings; undefined for one that needs a history. */
export const figureNow = (
  kind: DeviceKind,
  key: AlarmFigure["key"],
  readings: Readonly<Record<string, { readonly value: ReportedValue } | undefined>>,
  context: RuleContext,
): ReportedValue | undefined =>
  readingLookup(
    kind,
    Object.fromEntries(Object.entries(readings).map(([name, reading]) => [name, reading?.value])),
    context,
  )(channelOfFigure(key));
