import { type CoughAdvice, type CoughState, type CoughStep, coughLimits } from "@herdwise/contract";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { deviceKinds } from "@herdwise/device-kinds";
import { type AnalyticInput, countsBy, dayMs, type HourPoint, mean, sum, textOf } from "./formula.ts";

/** A day of a controller of which fewer hours are known says nothing. */
const leastHours = 16;
const usualDays = 14;
/** A cough is placed in a zone from so many of them on. */
const leastCoughs = 10;

/** The number that a rule compares with, so that the advice and the alarm never differ. */
function limitOf(kind: "cough" | "environment", ruleId: string): number {
  const condition = deviceKinds[kind].alarmRules.find(({ id }) => id === ruleId)?.condition;
  const limit =
    condition?.type === "detector"
      ? (condition.parameters as { above?: number }).above
      : condition?.type === "compare" && condition.limit.from === "constant"
        ? condition.limit.value
        : undefined;
  if (typeof limit !== "number") throw new Error(`${kind} has no rule ${ruleId} with a number`);
  return limit;
}
const doubled = limitOf("cough", "index_doubled");
const fourfold = limitOf("cough", "index_fourfold");
const ammoniaLimit = limitOf("environment", "ammonia_high");

/** Coughs per pig and 24 hours of a place. */
interface Indexes {
  /** Of the last 24 hours, and of the days before, the newest first; undefined where too little was heard. */
  now: number | undefined;
  days: readonly (number | undefined)[];
  baseline: number | undefined;
  alert: number | undefined;
  pigs: number;
  indexIn: (fromMs: number, toMs: number) => number | undefined;
}

/** A figure of the last 24 hours, and its mean over those before. */
function dayFigure(
  points: readonly HourPoint[] | undefined,
  endMs: number,
  of: (day: readonly HourPoint[]) => number,
): { now: number; before: number | undefined; day: readonly HourPoint[] } | undefined {
  const dayBack = (back: number) =>
    (points ?? []).filter(([ts]) => ts >= endMs - (back + 1) * dayMs && ts < endMs - back * dayMs);
  const day = dayBack(0);
  if (day.length < leastHours) return undefined;
  const earlier = Array.from({ length: usualDays }, (_, at) => dayBack(at + 1)).filter(
    ({ length }) => length >= leastHours,
  );
  return { now: of(day), before: mean(earlier.map(of)), day };
}
const meanOfDay = (day: readonly HourPoint[]): number => sum(day.map(([, , middle]) => middle)) / day.length;
const rangeOfDay = (day: readonly HourPoint[]): number =>
  Math.max(...day.map(([, , , high]) => high)) - Math.min(...day.map(([, low]) => low));

/**
 * What to do today about coughing in a place, from its trend, its air and what was given.
 * @returns undefined where nothing can cough: all units are empty or are being washed
 */
export function coughAdvice(input: AnalyticInput, indexes: Indexes): CoughAdvice | undefined {
  const { endMs, events, books, units, beside } = input;
  if (units.length > 0 && units.every(({ mode, pigs }) => mode !== "normal" || pigs === 0)) return undefined;
  const { now, days, baseline, alert, pigs, indexIn } = indexes;
  const known = (of: readonly (number | undefined)[]) => mean(of.filter((value) => value !== undefined));
  const [late, early] = [known([now, ...days.slice(0, 2)]), known(days.slice(2, 6))];
  const ratio = late !== undefined && early !== undefined && early > 0 ? late / early : undefined;
  // A trend whose last day goes against it is over.
  const before = known(days.slice(0, 2)) ?? now;
  const isUp = now === undefined || before === undefined || now >= before;
  const isDown = now === undefined || before === undefined || now <= before;
  const trend =
    ratio === undefined
      ? undefined
      : ratio >= coughLimits.rising && isUp
        ? "rising"
        : ratio <= 1 / coughLimits.rising && isDown
          ? "falling"
          : "steady";
  const times = now !== undefined && baseline !== undefined && baseline > 0 ? now / baseline : undefined;

  const [controller] = beside("environment");
  const ammonia = dayFigure(controller?.hourly.get("nh3"), endMs, meanOfDay);
  const swing = dayFigure(controller?.hourly.get("t_in"), endMs, rangeOfDay);
  const hoursAbove = ammonia?.day.filter(([, , middle]) => middle > ammoniaLimit).length ?? 0;

  const coughs = events.filter(({ type, ts }) => type === "cough" && ts >= endMs - dayMs);
  const [most] = countsBy(coughs, ({ body }) => textOf(body.zone));
  const zone =
    most === undefined || most.label === "" || coughs.length < leastCoughs
      ? undefined
      : { zone: most.label, share: (most.value / coughs.length) * 100 };

  const given = books.treatments.findLast(
    ({ type, dayMs: day }) => type === "treatment" && day < endMs && day >= endMs - usualDays * dayMs,
  );
  const beforeGiven = given && indexIn(given.dayMs - 3 * dayMs, given.dayMs);
  const change =
    now === undefined || beforeGiven === undefined || beforeGiven === 0 ? undefined : (now / beforeGiven - 1) * 100;
  const daysAgo = given ? Math.floor((endMs - given.dayMs) / dayMs) : undefined;

  const isSwinging = (swing?.now ?? 0) > coughLimits.swing;
  const isBadAir = hoursAbove > 0 || isSwinging;
  const state: CoughState =
    now === undefined
      ? "unknown"
      : times !== undefined && times >= fourfold
        ? "act-now"
        : (times !== undefined && times >= doubled) || (alert !== undefined && now > alert)
          ? "act"
          : trend === "rising" || isBadAir
            ? "watch"
            : "calm";
  const isMore = state === "act" || state === "act-now";
  const isGrave = times !== undefined && times >= doubled;
  const fails =
    daysAgo !== undefined && daysAgo >= coughLimits.treatmentDays && (change ?? 0) > -coughLimits.treatmentFall;
  const wanted: Readonly<Record<CoughStep, boolean>> = {
    "check-microphone": state === "unknown",
    "call-vet": isGrave && given === undefined,
    "stop-moves": state === "act-now",
    "look-at-pens": isMore || trend === "rising",
    "measure-temperature": isMore,
    "lower-ammonia": hoursAbove > 0,
    "even-temperature": isSwinging,
    "review-treatment": isMore && fails,
    "wait-for-treatment": daysAgo !== undefined && daysAgo < coughLimits.treatmentDays,
    "keep-treatment": daysAgo !== undefined && daysAgo >= coughLimits.treatmentDays && !fails,
    "look-again": state === "watch" && trend === "rising",
  };
  return {
    state,
    steps: (Object.keys(wanted) as CoughStep[]).filter((step) => wanted[step]),
    place: units.length === 1 ? (units[0]?.label ?? "") : "",
    unitId: units.length === 1 ? (units[0]?.id ?? "") : "",
    pigs,
    ...(now !== undefined && { index: now }),
    ...(baseline !== undefined && { baseline }),
    ...(alert !== undefined && { alert }),
    days: [now, ...days]
      .map((value, back) => ({ end: endMs - back * dayMs, ...(value !== undefined && { value }) }))
      .toReversed(),
    ...(trend && { trend }),
    ...(ammonia && {
      ammonia: { mean: ammonia.now, hoursAbove, ...(ammonia.before !== undefined && { before: ammonia.before }) },
    }),
    ...(swing && { swing: { range: swing.now, ...(swing.before !== undefined && { before: swing.before }) } }),
    ...(zone && { zone }),
    ...(given && {
      treatment: {
        day: shanghaiDay(given.dayMs),
        daysAgo: daysAgo ?? 0,
        medicine: given.medicine,
        ...(change !== undefined && { change }),
      },
    }),
  };
}
