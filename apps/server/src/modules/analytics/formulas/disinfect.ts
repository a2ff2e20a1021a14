import {
  type AnalyticInput,
  clockHourOf,
  dayMs,
  dayOf,
  daysLeft,
  eachMinute,
  figure,
  increase,
  type KindFormulas,
  percent,
} from "./formula.ts";

/** What the residual must be while water flows, mg/L, from the channel's usual range of the declaration. */
const band = [0.5, 2] as const;
/** Below this flow, m³/h, nobody drinks and the residual says nothing. */
const leastFlow = 0.05;

/** Water lines: whether what the pigs drink is disinfected, how much they drink, and how long the stock lasts. */
export const disinfectFormulas: KindFormulas = {
  kind: "disinfect",
  events: [],
  keys: ["free_cl", "flow", "total", "stock", "acid"],
  compute(input: AnalyticInput) {
    let flowing = 0;
    let inBand = 0;
    const days = new Map<string, { flowing: number; inBand: number }>();
    eachMinute(input, ["flow", "free_cl"], ([flow = 0, residual = 0], ts) => {
      if (flow <= leastFlow) return;
      const good = residual >= band[0] && residual <= band[1];
      const day = days.get(dayOf(ts)) ?? { flowing: 0, inBand: 0 };
      days.set(dayOf(ts), day);
      flowing += 1;
      day.flowing += 1;
      if (good) {
        inBand += 1;
        day.inBand += 1;
      }
    });
    // From midnight to four nobody feeds: what runs then all the time runs out of a leak. The lowest of each night, of these the median.
    const nights = new Map<string, number>();
    let nightMinutes = 0;
    eachMinute(input, ["flow"], ([flow = 0], ts) => {
      if (clockHourOf(ts) >= 4) return;
      nightMinutes += 1;
      nights.set(dayOf(ts), Math.min(nights.get(dayOf(ts)) ?? Number.POSITIVE_INFINITY, flow));
    });
    const lowest = [...nights.values()].toSorted((a, b) => a - b);
    const leak = lowest[Math.floor((lowest.length - 1) / 2)];
    const points = input.series.get("total");
    const water = increase(points);
    const covered = points && points.length > 1 ? ((points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0)) / dayMs : 0;
    const stock = input.series.get("stock");
    const acid = input.series.get("acid");
    return [
      figure(
        "residual_compliance",
        percent(inBand, flowing),
        flowing,
        [...days].map(([label, day]) => ({ label, value: (day.inBand / day.flowing) * 100, count: day.flowing })),
      ),
      figure(
        "water_per_pig_day",
        water === undefined || input.pigs === 0 || covered < 0.25 ? undefined : (water * 1000) / (input.pigs * covered),
        points?.length ?? 0,
      ),
      figure("stock_days", daysLeft(stock), stock?.length ?? 0),
      figure("acid_days", daysLeft(acid), acid?.length ?? 0),
      figure("leak", leak === undefined ? undefined : leak * 1000, nightMinutes),
    ];
  },
};
