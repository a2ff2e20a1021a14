import { shanghaiDay } from "@herdwise/contract/shanghai";
import {
  type AnalyticInput,
  clockHourOf,
  countsBy,
  type EventRecord,
  figure,
  increase,
  type KindFormulas,
  mean,
  numberOf,
  percent,
  quantile,
  sharesBy,
  sum,
  textOf,
} from "./formula.ts";

const passed = ({ type, body }: EventRecord): boolean => type === "shower" && body.result === "passed";

/** Shifts of a day by the hour in which a shower ends, Asia/Shanghai. */
const shiftOf = ({ ts }: EventRecord): string => {
  const hour = clockHourOf(ts);
  return hour >= 6 && hour < 14 ? "early" : hour >= 14 && hour < 22 ? "late" : "night";
};

/** Showers: who went through with a good one, why others did not, and what a shower takes. */
export const bathroomFormulas: KindFormulas = {
  kind: "bathroom",
  events: ["shower", "bypass"],
  keys: ["kwh"],
  compute({ events, series }: AnalyticInput) {
    const showers = events.filter(({ type }) => type === "shower");
    const bypasses = events.filter(({ type }) => type === "bypass");
    // Whoever went round the shower came in, too.
    const good = showers.filter(passed).length;
    const waterS = showers.flatMap(({ body }) => numberOf(body.water_s) ?? []);
    const litres = showers.flatMap(({ body }) => numberOf(body.litres) ?? []);
    const perHour = countsBy(showers, ({ ts }) => `${shanghaiDay(ts)} ${String(clockHourOf(ts)).padStart(2, "0")}:00`);
    const reasons = [
      ...showers.filter((shower) => !passed(shower)).map(({ body }) => textOf(body.reason) || textOf(body.result)),
      ...bypasses.map(() => "bypass"),
    ];
    const kwh = increase(series.get("kwh"));
    return [
      figure(
        "compliance",
        percent(good, events.length),
        events.length,
        sharesBy(events, ({ body }) => textOf(body.team), passed),
      ),
      figure(
        "compliance_by_day",
        undefined,
        events.length,
        sharesBy(events, ({ ts }) => shanghaiDay(ts), passed).toSorted((a, b) => (a.label < b.label ? -1 : 1)),
      ),
      figure("compliance_by_shift", undefined, events.length, sharesBy(events, shiftOf, passed)),
      figure(
        "compliance_by_person",
        undefined,
        events.length,
        sharesBy(events, ({ body }) => textOf(body.person), passed),
      ),
      figure(
        "reasons",
        reasons.length,
        events.length,
        countsBy(reasons, (reason) => reason),
      ),
      figure("duration", quantile(waterS, 0.5), waterS.length),
      figure("duration_p10", quantile(waterS, 0.1), waterS.length),
      figure("bypasses", bypasses.length, events.length),
      figure("peak_load", perHour[0]?.value, showers.length, perHour.slice(0, 5)),
      figure("use_per_shower", mean(litres), litres.length),
      figure(
        "energy_per_shower",
        kwh === undefined || showers.length === 0 ? undefined : kwh / showers.length,
        showers.length,
      ),
      figure("water_used", sum(litres), litres.length),
    ];
  },
};
