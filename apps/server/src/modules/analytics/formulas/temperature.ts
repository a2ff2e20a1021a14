import {
  type AnalyticInput,
  dayMs,
  dayOf,
  figure,
  type KindFormulas,
  mean,
  numberOf,
  percent,
  sum,
  textOf,
} from "./formula.ts";

/** A round that met fewer than this share of the pigs, %, tells nothing of the herd. */
const leastScanned = 80;
const growthDays = 3;

/** Herd temperature: how many have fever, in which pens, and whether there are more of them. */
export const temperatureFormulas: KindFormulas = {
  kind: "temperature",
  events: ["scan", "round_end", "fever_case"],
  keys: [],
  compute({ events, endMs, startMs, pigs, parameter }: AnalyticInput) {
    const rounds = events.filter(({ type }) => type === "round_end");
    const told = rounds.filter(({ body }) => (numberOf(body.scanned) ?? 0) >= leastScanned);
    const shareOf = (held: typeof rounds) => {
      const readings = sum(held.map(({ body }) => numberOf(body.n) ?? 0));
      return { readings, share: percent(sum(held.map(({ body }) => numberOf(body.fever) ?? 0)), readings) };
    };
    const all = shareOf(told);
    const curve = [...Map.groupBy(told, ({ ts }) => dayOf(ts))].flatMap(([label, held]) => {
      const { share, readings } = shareOf(held);
      return share === undefined ? [] : [{ label, value: share, count: readings }];
    });
    const threshold = numberOf(parameter("fever_from")) ?? 40;
    const scans = events.filter(({ type, body }) => type === "scan" && numberOf(body.t_core_est) !== undefined);
    const feverish = (scan: (typeof scans)[number]): boolean => (numberOf(scan.body.t_core_est) ?? 0) >= threshold;
    const pens = [...Map.groupBy(scans, ({ body }) => textOf(body.pen))]
      .filter(([label]) => label !== "")
      .map(([label, held]) => ({
        label,
        value: (held.filter(feverish).length / held.length) * 100,
        count: held.length,
      }))
      .toSorted((a, b) => b.value - a.value || b.count - a.count || Number(a.label) - Number(b.label));
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
      figure("pen_map", pens[0]?.value, scans.length, pens),
      figure("attack_rate", ill.size === 0 ? undefined : percent(ill.size, pigs), ill.size),
      figure("growth", wholeSpan && before > 0 ? recent / before : undefined, recent + before),
      figure("scan_coverage", mean(scanned), scanned.length),
      figure("rounds_unjudged", rounds.length - told.length, rounds.length),
    ];
  },
};
