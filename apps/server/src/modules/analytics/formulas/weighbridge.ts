import { shanghaiDay } from "@herdwise/contract/shanghai";
import {
  type AnalyticInput,
  clockHourOf,
  countsBy,
  type EventRecord,
  eachMinute,
  figure,
  hourMs,
  type KindFormulas,
  minuteMs,
  numberOf,
  percent,
  quantile,
  sum,
  textOf,
} from "./formula.ts";

/** A lorry that is away for longer is not the same visit. */
const visitWithinMs = 24 * hourMs;

/** Visits: a ticket in and the next ticket out of the same plate. */
function visitsOf(tickets: readonly EventRecord[]): { netG: number; ms: number }[] {
  const inside = new Map<string, EventRecord>();
  return tickets.flatMap((ticket) => {
    const { ts, body } = ticket;
    const plate = textOf(body.plate);
    if (plate === "") return [];
    if (body.phase === "in") {
      inside.set(plate, ticket);
      return [];
    }
    const came = inside.get(plate);
    inside.delete(plate);
    const [first, second] = [numberOf(came?.body.weight_g), numberOf(body.weight_g)];
    return came === undefined || first === undefined || second === undefined || ts - came.ts > visitWithinMs
      ? []
      : [{ netG: Math.abs(second - first), ms: ts - came.ts }];
  });
}

/** Weighbridges: what went over the scale, how long it took, and whether the tickets can be relied on. */
export const weighbridgeFormulas: KindFormulas = {
  kind: "weighbridge",
  events: ["weighed"],
  keys: ["zero_kg"],
  compute(input: AnalyticInput) {
    const { events } = input;
    const visits = visitsOf(events);
    const stable = events.filter(({ body }) => body.stability === "stable").length;
    const perHour = countsBy(events, ({ ts }) => `${shanghaiDay(ts)} ${String(clockHourOf(ts)).padStart(2, "0")}:00`);
    let minutes = 0;
    let worst = 0;
    eachMinute(input, ["zero_kg"], ([zero = 0]) => {
      minutes += 1;
      worst = Math.max(worst, Math.abs(zero));
    });
    return [
      figure(
        "weighings",
        events.length,
        events.length,
        countsBy(events, ({ body }) => textOf(body.phase)),
      ),
      figure("net_total", sum(visits.map(({ netG }) => netG)) / 1000, visits.length),
      figure(
        "turnaround",
        quantile(
          visits.map(({ ms }) => ms / minuteMs),
          0.5,
        ),
        visits.length,
      ),
      figure("stable_share", percent(stable, events.length), events.length),
      figure("peak_load", perHour[0]?.value, events.length, perHour.slice(0, 5)),
      figure("zero_worst", minutes === 0 ? undefined : worst, minutes),
    ];
  },
};
