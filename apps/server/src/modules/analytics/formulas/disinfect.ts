import { isUsual, rangeOf } from "@herdwise/device-kinds";
import { disinfect } from "@herdwise/device-kinds/kinds/disinfect";
import {
  type AnalyticInput,
  clockHourOf,
  dayMs,
  daysInTurn,
  daysLeft,
  eachMinute,
  figure,
  increase,
  type KindFormulas,
  numberOf,
  percent,
  quantile,
} from "./formula.ts";

/** What the residual must be while water flows, mg/L. */
const residualRange = rangeOf(disinfect, "free_cl", {}, { ageS: 0 });
/** Below this flow, m³/h, nobody drinks and the residual says nothing. */
const leastFlow = 0.05;

/** Water lines: whether what the pigs drink is disinfected, how much they drink, and how long the stock lasts. */
export const disinfectFormulas: KindFormulas = {
  kind: "disinfect",
  events: [],
  keys: ["free_cl", "flow", "total", "stock", "acid", "pump"],
  beside: [{ kind: "disinfect" }],
  compute(input: AnalyticInput) {
    let flowing = 0;
    let inBand = 0;
    const days = new Map<string, { flowing: number; inBand: number }>();
    const dayOf = daysInTurn();
    eachMinute(input, ["flow", "free_cl"], ([flow = 0, residual = 0], ts) => {
      if (flow <= leastFlow) return;
      const good = isUsual(residualRange, residual);
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
    // Lines of one place share its pigs, as nobody told which pigs drink from which line.
    const pigs = input.pigs / (1 + input.beside("disinfect").length);
    const covered = points && points.length > 1 ? ((points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0)) / dayMs : 0;
    // What the pump gave, mL/min, at the strength of the stock solution, g/L; and for how long water stays in the contact volume.
    const strength = numberOf(input.parameter("stock_strength")) ?? 0;
    const contactM3 = numberOf(input.parameter("contact_volume")) ?? 0;
    let chlorineG = 0;
    let treatedM3 = 0;
    let dosedMinutes = 0;
    eachMinute(input, ["pump", "flow"], ([pump = 0, flow = 0]) => {
      dosedMinutes += 1;
      chlorineG += (pump / 1000) * strength;
      treatedM3 += flow / 60;
    });
    const contacts: number[] = [];
    const contactDays = new Map<string, number[]>();
    eachMinute(input, ["flow", "free_cl"], ([flow = 0, residual = 0], ts) => {
      if (flow <= leastFlow || contactM3 <= 0) return;
      const ct = residual * (contactM3 / flow) * 60;
      contacts.push(ct);
      const day = contactDays.get(dayOf(ts)) ?? [];
      contactDays.set(dayOf(ts), day);
      day.push(ct);
    });
    const stock = input.series.get("stock");
    const acid = input.series.get("acid");
    return [
      figure(
        "residual_compliance",
        percent(inBand, flowing),
        flowing,
        [...days].map(([label, day]) => ({ label, value: (day.inBand / day.flowing) * 100, count: day.flowing })),
      ),
      // The tenth of the minutes with the least tells whether the water is safe; the mean would hide them.
      figure(
        "ct",
        quantile(contacts, 0.1),
        contacts.length,
        [...contactDays].map(([label, held]) => ({ label, value: quantile(held, 0.1) ?? 0, count: held.length })),
      ),
      figure("chlorine_per_m3", treatedM3 > 0 && strength > 0 ? chlorineG / treatedM3 : undefined, dosedMinutes),
      figure(
        "water_per_pig_day",
        water === undefined || pigs === 0 || covered < 0.25 ? undefined : (water * 1000) / (pigs * covered),
        points?.length ?? 0,
      ),
      figure("stock_days", daysLeft(stock), stock?.length ?? 0),
      figure("acid_days", daysLeft(acid), acid?.length ?? 0),
      figure("leak", leak === undefined ? undefined : leak * 1000, nightMinutes),
    ];
  },
};
