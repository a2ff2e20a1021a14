import { shanghaiMs } from "@herdwise/contract/shanghai";
import { faultOf } from "@herdwise/device-kinds";
import { dosingStation, dosingTanks, dosingValves } from "@herdwise/device-kinds/kinds/dosing-station";
import {
  type AnalyticInput,
  daysLeft,
  drawn,
  type EventRecord,
  figure,
  hourMs,
  increase,
  type KindFormulas,
  mean,
  minuteMs,
  numberOf,
  percent,
  sum,
  textOf,
} from "./formula.ts";

/** A flush counts to a batch when it came within this time after its end. */
const flushWithinMs = 10 * minuteMs;
/** A valve is replaced after so many cycles (devices.md). */
const valveCycles = 100_000;

/** How far a batch may be off, as the table of batches has it. */
const [deviating = {}] = (dosingStation.pages?.parts ?? []).flatMap((part) =>
  part.type === "records" && part.within?.field === "deviation" ? { within: part.within } : [],
);

/** Minutes since midnight in Asia/Shanghai; NaN of what is no time. */
const minuteOfDay = (text: unknown): number => {
  const [, hours, minutes] = /^(\d{2}):(\d{2})$/.exec(textOf(text)) ?? [];
  return hours === undefined ? Number.NaN : Number(hours) * 60 + Number(minutes);
};

/** Begin of a batch: as it says, else the time of its record. */
const beginOf = ({ ts, body }: EventRecord): number => {
  const begun = Date.parse(textOf(body.start));
  return Number.isNaN(begun) ? ts : begun;
};

const accuracy = ({ body }: EventRecord): number | undefined => {
  const [target, actual] = [numberOf(body.target_l), numberOf(body.actual_l)];
  return target === undefined || actual === undefined || target <= 0
    ? undefined
    : (1 - Math.abs(actual - target) / target) * 100;
};

/** Dosing stations: whether what was sent out was what was ordered, and what is left. */
export const dosingStationFormulas: KindFormulas = {
  kind: "dosing-station",
  events: ["batch", "flush"],
  keys: [
    ...dosingTanks.flatMap((tank) => [`tank_${tank}_l`]),
    ...dosingValves.map((valve) => `valve_${valve}_cycles`),
    "flow_1_total",
    "flow_2_total",
  ],
  compute({ events, series, pigs, units, parameter }: AnalyticInput) {
    const volumeM3 = sum(units.map((unit) => unit.volumeM3 ?? 0));
    const batches = events.filter(({ type }) => type === "batch");
    const flushes = events.filter(({ type }) => type === "flush").map(({ ts }) => ts);
    const accurate = batches.flatMap((batch) => accuracy(batch) ?? []);
    const actual = batches.flatMap(({ body }) => numberOf(body.actual_l) ?? []);
    const within = batches.filter(
      ({ body }) => numberOf(body.deviation) !== undefined && faultOf(deviating, { fields: body }) === undefined,
    );
    const flushed = batches.filter(({ ts }) => flushes.some((flush) => flush >= ts && flush - ts <= flushWithinMs));
    const plan = parameter("schedule");
    const periods = (Array.isArray(plan) ? plan : []).flatMap((row: unknown) => {
      const { on, off } = (row ?? {}) as { on?: unknown; off?: unknown };
      const period = [minuteOfDay(on), minuteOfDay(off)] as const;
      return period.some(Number.isNaN) ? [] : [period];
    });
    const planned = batches.filter((batch) => {
      const at = Math.floor(((beginOf(batch) + shanghaiMs) % (24 * hourMs)) / minuteMs);
      return periods.some(([from, to]) => at >= from && at <= to);
    });
    const dests = [...Map.groupBy(batches, ({ body }) => textOf(body.dest))].map(([label, held]) => ({
      label,
      value: sum(held.flatMap(({ body }) => numberOf(body.actual_l) ?? [])),
      count: held.length,
    }));
    const tanks = dosingTanks.flatMap((tank) => {
      const value = daysLeft(series.get(`tank_${tank}_l`));
      return value === undefined
        ? []
        : [{ label: String(tank), value, count: series.get(`tank_${tank}_l`)?.length ?? 0 }];
    });
    const valves = dosingValves.flatMap((valve) => {
      const cycles = series.get(`valve_${valve}_cycles`)?.at(-1)?.[1];
      return cycles === undefined ? [] : [{ label: String(valve), value: Math.max(0, valveCycles - cycles), count: 1 }];
    });
    const passed = [increase(series.get("flow_1_total")), increase(series.get("flow_2_total"))].flatMap(
      (part) => part ?? [],
    );
    const taken = dosingTanks.flatMap((tank) => drawn(series.get(`tank_${tank}_l`)) ?? []);
    const flow = sum(passed);
    const least = (rows: readonly { value: number }[]): number | undefined =>
      rows.length === 0 ? undefined : Math.min(...rows.map(({ value }) => value));
    return [
      figure("dose_accuracy", mean(accurate), accurate.length),
      figure("batches_within", percent(within.length, batches.length), batches.length),
      figure("on_schedule", periods.length === 0 ? undefined : percent(planned.length, batches.length), batches.length),
      figure(
        "use",
        sum(actual),
        actual.length,
        dests.toSorted((a, b) => b.value - a.value),
      ),
      figure("use_per_pig", pigs === 0 ? undefined : sum(actual) / pigs, actual.length),
      figure("use_per_volume", volumeM3 === 0 ? undefined : sum(actual) / volumeM3, actual.length),
      figure(
        "stock_days",
        least(tanks),
        tanks.length,
        tanks.toSorted((a, b) => a.value - b.value),
      ),
      figure(
        "valve_life",
        least(valves),
        valves.length,
        valves.toSorted((a, b) => a.value - b.value),
      ),
      figure("mass_balance", flow > 0 ? ((sum(taken) - flow) / flow) * 100 : undefined, passed.length),
      figure("flush_compliance", percent(flushed.length, batches.length), batches.length),
    ];
  },
};
