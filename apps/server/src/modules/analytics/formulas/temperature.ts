import type { AnalyticGrid } from "@herdwise/contract";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import {
  type AnalyticInput,
  dayMs,
  deviation,
  figure,
  type HourPoint,
  type KindFormulas,
  mean,
  numberOf,
  percent,
  sum,
  textOf,
  withGrid,
} from "./formula.ts";

/** A round that met fewer than this share of the pigs, %, tells nothing of the herd. */
const leastScanned = 80;
const growthDays = 3;

/** Days against which the last one is compared, and how many of them are needed. */
const usualDays = 14;
const leastUsualDays = 7;
/** Days of the map of pens. */
const mapDays = 6;

/** Values of the 24 hours up to a time and of those before: the newest first. */
const dailyOf = (
  points: readonly HourPoint[],
  endMs: number,
  of: (held: readonly HourPoint[]) => number | undefined,
): (number | undefined)[] =>
  Array.from({ length: usualDays + 1 }, (_, day) => {
    const to = endMs - day * dayMs;
    const held = points.filter(([ts]) => ts >= to - dayMs && ts < to);
    return held.length === 0 ? undefined : of(held);
  });

/** How far the last day lies from the days before it, in their deviations. */
function standardScore([now, ...before]: readonly (number | undefined)[]): number | undefined {
  const usual = before.filter((value) => value !== undefined);
  const spread = deviation(usual);
  if (now === undefined || usual.length < leastUsualDays || spread === undefined || spread === 0) return undefined;
  return (now - (mean(usual) ?? 0)) / spread;
}

const meanOf = (held: readonly HourPoint[]): number | undefined => mean(held.map(([, , middle]) => middle));
const growthOf = (held: readonly HourPoint[]): number =>
  Math.max(...held.map(([, , , high]) => high)) - Math.min(...held.map(([, low]) => low));

/** Coughs, fever and less drinking together; each against its own two weeks. Only where all three are told. */
function respiratoryScore({ hourly, beside, endMs }: AnalyticInput) {
  const [monitor] = beside("cough");
  const [controller] = beside("environment");
  const parts = [
    { label: "cough", score: standardScore(dailyOf(monitor?.hourly.get("rdi") ?? [], endMs, meanOf)) },
    { label: "fever", score: standardScore(dailyOf(hourly.get("fever_share") ?? [], endMs, meanOf)) },
    { label: "water", score: standardScore(dailyOf(controller?.hourly.get("water") ?? [], endMs, growthOf)) },
  ];
  return parts.flatMap(({ label, score }) =>
    score === undefined ? [] : [{ label, value: label === "water" ? -score : score, count: usualDays }],
  );
}

/** Herd temperature: how many have fever, in which pens, and whether there are more of them. */
export const temperatureFormulas: KindFormulas = {
  kind: "temperature",
  events: ["scan", "round_end", "fever_case"],
  keys: [],
  pastDays: 15,
  hourly: ["fever_share"],
  beside: [
    { kind: "cough", hourly: ["rdi"] },
    { kind: "environment", hourly: ["water"] },
  ],
  compute(input: AnalyticInput) {
    const { events, endMs, startMs, pigs, parameter } = input;
    const rounds = events.filter(({ type }) => type === "round_end");
    const told = rounds.filter(({ body }) => (numberOf(body.scanned) ?? 0) >= leastScanned);
    const shareOf = (held: typeof rounds) => {
      const readings = sum(held.map(({ body }) => numberOf(body.n) ?? 0));
      return { readings, share: percent(sum(held.map(({ body }) => numberOf(body.fever) ?? 0)), readings) };
    };
    const all = shareOf(told);
    const curve = [...Map.groupBy(told, ({ ts }) => shanghaiDay(ts))].flatMap(([label, held]) => {
      const { share, readings } = shareOf(held);
      return share === undefined ? [] : [{ label, value: share, count: readings }];
    });
    const threshold = numberOf(parameter("fever_from")) ?? 40;
    const scans = events.filter(({ type, body }) => type === "scan" && numberOf(body.t_core_est) !== undefined);
    /** Readings of a pen, and how many of them were feverish; a scan that does not say is one reading. */
    const readingsOf = (held: readonly (typeof scans)[number][]) => {
      const told = held.map(({ body }) => {
        const [n, fever] = [numberOf(body.n), numberOf(body.fever)];
        return n === undefined || fever === undefined || fever < 0 || fever > n
          ? { n: 1, fever: Number((numberOf(body.t_core_est) ?? 0) >= threshold) }
          : { n, fever };
      });
      const count = sum(told.map(({ n }) => n));
      return { value: percent(sum(told.map(({ fever }) => fever)), count) ?? 0, count };
    };
    const pens = [...Map.groupBy(scans, ({ body }) => textOf(body.pen))]
      .filter(([label]) => label !== "")
      .map(([label, held]) => ({
        label,
        ...readingsOf(held),
      }))
      .toSorted((a, b) => b.value - a.value || b.count - a.count || Number(a.label) - Number(b.label));
    const mapped = [...new Set(scans.map(({ body }) => textOf(body.pen)))]
      .filter((pen) => pen !== "")
      .toSorted((a, b) => Number(a) - Number(b))
      .slice(0, 60);
    const scansByDay = Map.groupBy(scans, ({ ts }) => shanghaiDay(ts));
    const map: AnalyticGrid = {
      unit: "%",
      rows: [...scansByDay.keys()].slice(-mapDays),
      columns: mapped,
      cells: [...scansByDay.values()].slice(-mapDays).map((ofDay) => {
        const byPen = Map.groupBy(ofDay, ({ body }) => textOf(body.pen));
        return mapped.map((pen) => {
          const held = byPen.get(pen) ?? [];
          return held.length === 0 ? { count: 0 } : readingsOf(held);
        });
      }),
    };
    const score = respiratoryScore(input);
    const cases = events.filter(({ type }) => type === "fever_case");
    // Without marks of single pigs nobody can say how many different ones were ill.
    const ill = new Set(cases.map(({ body }) => textOf(body.pig)).filter((pig) => pig !== ""));
    const since = (fromMs: number, toMs: number): number => cases.filter(({ ts }) => ts >= fromMs && ts < toMs).length;
    const recent = since(endMs - growthDays * dayMs, endMs);
    const before = since(endMs - 2 * growthDays * dayMs, endMs - growthDays * dayMs);
    const wholeSpan = endMs - startMs >= 2 * growthDays * dayMs;
    const scanned = rounds.flatMap(({ body }) => numberOf(body.scanned) ?? []);
    return [
      figure("fever_curve", all.share, all.readings, curve),
      withGrid(figure("pen_map", pens[0]?.value, scans.length, pens), map),
      figure(
        "respiratory_score",
        score.length === 3 ? sum(score.map(({ value }) => value)) : undefined,
        score.length,
        score,
      ),
      figure("attack_rate", ill.size === 0 ? undefined : percent(ill.size, pigs), ill.size),
      figure("growth", wholeSpan && before > 0 ? recent / before : undefined, recent + before),
      figure("scan_coverage", mean(scanned), scanned.length),
      figure("rounds_unjudged", rounds.length - told.length, rounds.length),
    ];
  },
};
