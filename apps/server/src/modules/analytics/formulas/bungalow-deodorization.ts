import { fullFans, gearTable, isWithinLimits, rangeOf } from "@herdwise/device-kinds";
import { bungalowDeodorization } from "@herdwise/device-kinds/kinds/bungalow-deodorization";
import {
  type AnalyticInput,
  eachMinute,
  figure,
  type KindFormulas,
  minuteGrid,
  minuteMs,
  numberOf,
  percent,
  sum,
} from "./formula.ts";

/** What is measured at the boundary of a farm, and its ranges by the rules of the kind. */
const boundary = ["nh3_boundary", "h2s_boundary", "odour"] as const;
const ranges = boundary.map((key) => rangeOf(bungalowDeodorization, key, {}, { ageS: 0 }));

/** So long a curtain stays wet after it was sprayed, ms. */
const wetMs = 30 * minuteMs;

/** Air of each gear in full fans, of the ordinary table; a curtain is not told the table of its house. */
const fansOfGear = [0, ...gearTable(20).map(fullFans)];

/** Spray curtains: what they take out, whether the neighbours are spared, and how long they ran beside the fans. */
export const bungalowDeodorizationFormulas: KindFormulas = {
  kind: "bungalow-deodorization",
  events: ["spray_run"],
  keys: ["nh3_before", "nh3_after", "nh3_boundary", "h2s_boundary", "odour", "gear", "conc", "flow"],
  compute(input: AnalyticInput) {
    let before = 0;
    let after = 0;
    let minutes = 0;
    let wetUntil = Number.NEGATIVE_INFINITY;
    eachMinute(input, ["nh3_before", "nh3_after", "flow"], ([into = 0, out = 0, flow = 0], ts) => {
      if (flow > 0) wetUntil = ts + wetMs;
      if (ts > wetUntil) return;
      minutes += 1;
      before += into;
      after += out;
    });
    // An hour counts as good when all of its known minutes are.
    const hours = new Map<number, boolean>();
    eachMinute(input, boundary, (values, ts) => {
      const hour = Math.floor(ts / 3_600_000);
      const good = ranges.every((range, at) => isWithinLimits(range, values[at] ?? 0));
      hours.set(hour, (hours.get(hour) ?? true) && good);
    });
    let fans = 0;
    let air = 0;
    const fanM3h = numberOf(input.parameter("fan_capacity")) ?? 0;
    eachMinute(input, ["gear"], ([gear = 0]) => {
      if (gear > 0) fans += 1;
      air += ((fansOfGear[Math.round(gear)] ?? 0) * fanM3h) / 60;
    });
    const runs = input.events.filter(({ type }) => type === "spray_run");
    const seconds = sum(runs.map(({ body }) => numberOf(body.duration_s) ?? 0));
    // Of what is sprayed, the agent: at the concentration of its time, else as it is set.
    const concentration = minuteGrid(input, "conc");
    const ratio = numberOf(input.parameter("ratio")) ?? 0;
    const agent = sum(
      runs.map(({ ts, body }) => {
        const held = concentration[Math.floor((ts - input.startMs) / minuteMs)] ?? Number.NaN;
        return ((numberOf(body.litres) ?? 0) * (Number.isNaN(held) ? ratio : held)) / 100;
      }),
    );
    const litres = sum(runs.map(({ body }) => numberOf(body.litres) ?? 0));
    return [
      figure("removal", before > 0 ? (1 - after / before) * 100 : undefined, minutes),
      figure("boundary_compliance", percent([...hours.values()].filter(Boolean).length, hours.size), hours.size),
      figure("agent_per_air", air > 0 ? agent / (air / 1000) : undefined, runs.length),
      figure("spray_hours", seconds / 3600, runs.length),
      figure("spray_share", percent(seconds / 60, fans), fans),
      figure("spray_litres", litres, runs.length),
    ];
  },
};
