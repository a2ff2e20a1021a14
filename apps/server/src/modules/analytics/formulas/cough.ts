import type { AnalyticGrid, CoughAdvice } from "@herdwise/contract";
import { shanghaiClock, shanghaiDay } from "@herdwise/contract/shanghai";
import { coughAdvice } from "./cough-advice.ts";
import {
  type AnalyticInput,
  correlation,
  countsBy,
  dayMs,
  deviation,
  figure,
  hourMs,
  type KindFormulas,
  mean,
  midnightsIn,
  minuteGrid,
  minuteMs,
  numberOf,
  quantile,
  sum,
  textOf,
  withGrid,
} from "./formula.ts";

/** Minutes that a device counts coughs over before it tells them. */
const windowMinutes = 5;
const baselineDays = 14;
/** Days that a baseline needs at least. */
const leastBaseline = 7;
/** A day of which fewer hours were heard says nothing. */
const leastHours = 16;
const mostLag = 7;
/** Pairs of days that a correlation needs at least. */
const leastPairs = 8;
const responseDays = 3;
/** Days before a record of the veterinarian in which an alarm counts as its warning. */
const warningDays = 14;

/** Coughs between two times, and how many hours of them were heard. */
type Count = (fromMs: number, toMs: number) => { coughs: number; hours: number };

/** What changes in every report, and tells that a device listened. */
const listening = "laeq";
/** So long a count that did not change need not be told again while the device reports, ms. */
const countHoldMs = 8 * hourMs;

/**
 * Coughs of each minute. A device counts five minutes and tells what changed: a count holds while anything else is heard of it.
 */
function counter({ past, endMs }: AnalyticInput): Count {
  const first = past.get("coughs")?.[0]?.[0] ?? endMs;
  const startMs = Math.floor(first / minuteMs) * minuteMs;
  const span = { startMs, endMs, series: past };
  const grid = minuteGrid(span, "coughs", countHoldMs);
  const heard = minuteGrid(span, listening);
  return (fromMs, toMs) => {
    let coughs = 0;
    let minutes = 0;
    const to = Math.min(grid.length, Math.round((toMs - startMs) / minuteMs));
    for (let at = Math.max(0, Math.round((fromMs - startMs) / minuteMs)); at < to; at += 1) {
      const held = grid[at] ?? Number.NaN;
      if (Number.isNaN(held) || Number.isNaN(heard[at] ?? Number.NaN)) continue;
      coughs += held / windowMinutes;
      minutes += 1;
    }
    return { coughs, hours: minutes / 60 };
  };
}

/** Coughs per pig in 24 hours; undefined where too little was heard. What was not heard is taken like the rest of the day. */
const indexOf = ({ coughs, hours }: ReturnType<Count>, pigs: number): number | undefined =>
  hours < leastHours || pigs <= 0 ? undefined : (coughs / pigs) * (24 / hours);

/** The index of the last 24 hours and of the days before, counted back from now, so that the running one is whole. */
function indexesOf(input: AnalyticInput) {
  const { endMs, pigs: herd, parameter } = input;
  const count = counter(input);
  const told = numberOf(parameter("pigs_covered"));
  const pigs = told !== undefined && (herd === 0 || told < herd) ? told : herd;
  const dayBack = (day: number): number | undefined =>
    indexOf(count(endMs - (day + 1) * dayMs, endMs - day * dayMs), pigs);
  const now = dayBack(0);
  const days = Array.from({ length: baselineDays }, (_, day) => dayBack(day + 1));
  const before = days.filter((index) => index !== undefined);
  const baseline = before.length < leastBaseline ? undefined : mean(before);
  const alert = baseline === undefined ? undefined : baseline + 3 * (deviation(before) ?? 0);
  return {
    /** Coughs and hours heard between two times. */
    count,
    pigs,
    now,
    /** Of the days before, the newest first; undefined where too little was heard. */
    days,
    /** Those of them that are known. */
    before,
    baseline,
    alert,
    /** The index of some time. */
    indexIn: (fromMs: number, toMs: number): number | undefined => indexOf(count(fromMs, toMs), pigs),
  };
}

/** Mean and range of hourly values of a day. */
function dayValues(points: readonly (readonly [number, number, number, number])[] | undefined) {
  const days = Map.groupBy(points ?? [], ([ts]) => shanghaiDay(ts));
  return (day: string) => {
    const held = days.get(day) ?? [];
    return held.length < leastHours
      ? undefined
      : {
          mean: mean(held.map(([, , middle]) => middle)) ?? 0,
          range: Math.max(...held.map(([, , , high]) => high)) - Math.min(...held.map(([, low]) => low)),
        };
  };
}

/** Cough monitors: how much is coughed against what is usual, when, where, and what it goes along with. */
export const coughFormulas: KindFormulas = {
  kind: "cough",
  events: ["cough", "episode"],
  keys: [],
  pastDays: 30,
  past: ["coughs", listening],
  beside: [{ kind: "environment", hourly: ["nh3", "t_in"] }],
  books: true,
  alarms: true,
  compute(input: AnalyticInput) {
    const { events, startMs, endMs, books, alarms } = input;
    const { count, pigs, now, before, baseline, alert } = indexesOf(input);

    const midnights = midnightsIn(startMs - dayMs + 1, endMs).slice(-31);
    const heatmap: AnalyticGrid = {
      unit: "次",
      rows: midnights.map(shanghaiDay),
      columns: Array.from({ length: 24 }, (_, hour) => String(hour)),
      cells: midnights.map((midnight) =>
        Array.from({ length: 24 }, (_, hour) => {
          const from = midnight + hour * hourMs;
          const { coughs, hours } = count(Math.max(from, startMs), Math.min(from + hourMs, endMs));
          // Half of an hour tells of it; less is not heard.
          return hours < 0.5 ? { count: 0 } : { value: Math.round(coughs / hours), count: Math.round(hours * 60) };
        }),
      ),
    };
    const heardHours = heatmap.cells.flat().filter(({ value }) => value !== undefined).length;

    const episodes = events.filter(({ type }) => type === "episode");
    const episodeGrid: AnalyticGrid = {
      unit: "",
      rows: episodes.map(({ body, ts }) => {
        const onset = Date.parse(textOf(body.onset));
        return shanghaiClock(Number.isNaN(onset) ? ts : onset)
          .slice(0, 16)
          .replace("T", " ");
      }),
      columns: ["peak", "duration_h", "excess"],
      cells: episodes.map(({ body, ts }) => {
        const hours = numberOf(body.duration_h);
        const peak = numberOf(body.peak);
        const during = hours === undefined ? undefined : count(ts - hours * hourMs, ts);
        // Area under the curve above what is usual: coughs per pig beyond the baseline.
        const excess =
          during === undefined || baseline === undefined || pigs <= 0
            ? undefined
            : during.coughs / pigs - (baseline / 24) * during.hours;
        return [peak, hours, excess].map((value) => ({ ...(value !== undefined && { value }), count: 1 }));
      }),
    };

    const pastMidnights = midnightsIn(endMs - 30 * dayMs, endMs - dayMs);
    const indexByDay = pastMidnights.map((midnight) => indexOf(count(midnight, midnight + dayMs), pigs));
    const [controller] = input.beside("environment");
    const lags = (["nh3", "t_in"] as const).flatMap((key) => {
      const airOf = dayValues(controller?.hourly.get(key));
      return Array.from({ length: mostLag }, (_, index) => index + 1).flatMap((lag) => {
        const pairs = pastMidnights.flatMap((midnight, at): [number, number][] => {
          const cough = indexByDay[at];
          const air = airOf(shanghaiDay(midnight - lag * dayMs));
          return cough === undefined || air === undefined ? [] : [[cough, key === "nh3" ? air.mean : air.range]];
        });
        const value = correlation(pairs, leastPairs);
        return value === undefined ? [] : [{ label: `${key} ${lag}`, value, count: pairs.length }];
      });
    });
    const strongest = lags.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value));

    const responses = books.treatments
      .filter(({ type, dayMs: day }) => type === "treatment" && day >= startMs - dayMs && day < endMs)
      .flatMap(({ dayMs: day, medicine }) => {
        const after = indexOf(count(day + dayMs, day + (1 + responseDays) * dayMs), pigs);
        const earlier = indexOf(count(day - responseDays * dayMs, day), pigs);
        if (after === undefined || earlier === undefined || earlier === 0 || day + (1 + responseDays) * dayMs > endMs)
          return [];
        const label = [shanghaiDay(day), medicine].filter(Boolean).join(" · ");
        return [{ label, value: (after / earlier - 1) * 100, count: 2 * responseDays }];
      });

    const leads = books.treatments
      .filter(({ type, dayMs: day }) => type === "diagnosis" && day >= startMs - dayMs && day < endMs)
      .flatMap(({ dayMs: day }) => {
        const first = alarms.find((at) => at >= day - warningDays * dayMs && at < day + dayMs);
        return first === undefined
          ? []
          : [{ label: shanghaiDay(day), value: Math.max(0, (day - first) / hourMs), count: 1 }];
      });

    const coughs = events.filter(({ type }) => type === "cough");
    return [
      figure(
        "index_against_baseline",
        now,
        before.length + 1,
        now === undefined
          ? []
          : [
              { label: "now", value: now, count: 1 },
              ...(baseline === undefined
                ? []
                : [
                    { label: "baseline", value: baseline, count: before.length },
                    { label: "alert", value: alert ?? baseline, count: before.length },
                  ]),
            ],
      ),
      withGrid(figure("heatmap", sum(heatmap.cells.flat().map(({ value = 0 }) => value)), heardHours), heatmap),
      figure(
        "zone_map",
        undefined,
        coughs.length,
        countsBy(coughs, ({ body }) => textOf(body.zone)),
      ),
      withGrid(figure("episodes", episodes.length, heardHours + episodes.length), episodeGrid),
      figure("lag_correlation", strongest[0]?.value, lags.length, strongest),
      figure("treatment_response", mean(responses.map(({ value }) => value)), responses.length, responses),
      figure(
        "lead_time",
        quantile(
          leads.map(({ value }) => value),
          0.5,
        ),
        leads.length,
        leads,
      ),
    ];
  },
  advise: (input): CoughAdvice | undefined => coughAdvice(input, indexesOf(input)),
};
