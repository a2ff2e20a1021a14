import { gearTable } from "@herdwise/device-kinds";
import { describe, expect, it } from "vitest";
import { bathroomFormulas } from "./bathroom.ts";
import { bungalowDeodorizationFormulas } from "./bungalow-deodorization.ts";
import { coughFormulas } from "./cough.ts";
import { disinfectFormulas } from "./disinfect.ts";
import { dosingStationFormulas } from "./dosing-station.ts";
import { environmentFormulas } from "./environment.ts";
import {
  type AnalyticInput,
  correlation,
  dayMs,
  deviation,
  type EventRecord,
  type HerdBooks,
  type HourPoint,
  hourMs,
  type KindFormulas,
  type MinutePoint,
  midnightsIn,
  minuteMs,
  type Neighbour,
  type ServedUnit,
} from "./formula.ts";
import { needlelessFormulas } from "./needleless.ts";
import { reportCompleteness, reportWindowMs } from "./report-windows.ts";
import { temperatureFormulas } from "./temperature.ts";

/** Midnight in China. */
const midnight = Date.parse("2026-03-02T00:00:00+08:00");
const at = (hours: number): number => midnight + hours * hourMs;
const fattening: ServedUnit = {
  id: "1",
  name: "3 单元",
  label: "1 号舍 3 单元",
  pigstyType: "fattening",
  weightKg: 60,
  mode: "normal",
  pigs: 100,
  volumeM3: 500,
};
const asMap = (series: Record<string, MinutePoint[]> = {}) => new Map(Object.entries(series));
const input = (
  given: Partial<Omit<AnalyticInput, "series" | "past">> & {
    series?: Record<string, MinutePoint[]>;
    past?: Record<string, MinutePoint[]>;
  },
): AnalyticInput => ({
  startMs: midnight,
  endMs: midnight + dayMs,
  events: [],
  pigs: 100,
  units: [fattening],
  hourly: new Map(),
  beside: () => [],
  books: { plans: [], treatments: [], withdrawalDays: new Map() },
  alarms: [],
  parameter: () => undefined,
  isSet: () => true,
  ...given,
  series: asMap(given.series),
  past: asMap(given.past),
});
const event = (type: string, ts: number, body: Record<string, unknown> = {}): EventRecord => ({ type, ts, body });
const valuesOf = (formulas: KindFormulas, given: AnalyticInput) =>
  Object.fromEntries(formulas.compute(given).map(({ id, value }) => [id, value]));
const resultOf = (formulas: KindFormulas, given: AnalyticInput, id: string) =>
  formulas.compute(given).find((result) => result.id === id);
/** A value of each hour of a span, held by a word every half hour. */
const hourly = (from: number, to: number, valueAt: (hour: number) => number): MinutePoint[] =>
  Array.from({ length: (to - from) * 2 }, (_, half) => [at(from + half / 2), valueAt(from + Math.floor(half / 2))]);

describe("tools", () => {
  it("tell deviations, correlations and midnights", () => {
    expect(deviation([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(Math.sqrt(32 / 7), 12);
    expect(deviation([1])).toBeUndefined();
    expect(
      correlation(
        [
          [1, 2],
          [2, 4],
          [3, 6],
        ],
        3,
      ),
    ).toBeCloseTo(1, 12);
    // 1·2 + 0·(−1) + (−1)·(−1) over √(2·6)
    expect(
      correlation(
        [
          [3, 5],
          [2, 2],
          [1, 2],
        ],
        3,
      ),
    ).toBeCloseTo(3 / Math.sqrt(2 * 6), 12);
    expect(correlation([[1, 2]], 2)).toBeUndefined();
    expect(midnightsIn(midnight - 1, midnight + dayMs)).toEqual([midnight]);
    expect(midnightsIn(midnight, midnight + 2 * dayMs)).toEqual([midnight, midnight + dayMs]);
  });
});

describe("reports of a device", () => {
  it("are due in windows of a third of what counts as offline, and of five minutes at least", () => {
    expect(reportWindowMs(300)).toBe(5 * minuteMs);
    expect(reportWindowMs(1800)).toBe(10 * minuteMs);
    expect(reportWindowMs(86_400)).toBe(8 * hourMs);
    // 6 windows of 10 minutes in an hour, of which 3 had one.
    expect(reportCompleteness(3, at(0), at(1), 10 * minuteMs)).toEqual({
      id: "report_completeness",
      value: 50,
      count: 6,
    });
    expect(reportCompleteness(0, at(0), at(1), 10 * minuteMs).value).toBeUndefined();
  });
});

describe("the climate of a unit", () => {
  const table = gearTable(20);
  // 12 h at 20 °C and 75 % (comfort of 60 kg is 15–23), then 12 h at 30 °C; gear 3 all day, which is right for 20 °C (up at 20.7: gear 2).
  const series: Record<string, MinutePoint[]> = {
    t_in: hourly(0, 24, (hour) => (hour < 12 ? 20 : 30)),
    rh: hourly(0, 24, () => 80),
    t_target: hourly(0, 24, () => 20),
    pigs: hourly(0, 24, () => 100),
    gear: hourly(0, 24, () => 3),
    vent: hourly(0, 24, (hour) => (hour < 6 ? 3000 : 2000)),
    nh3: hourly(0, 24, (hour) => (hour < 3 ? 25 : 10)),
    t1: hourly(0, 24, (hour) => (hour < 12 ? 20.5 : 30)),
    t2: hourly(0, 24, (hour) => (hour < 6 ? 23 : hour < 12 ? 20 : 30)),
    lux: hourly(0, 24, (hour) => (hour >= 7 && hour < 18 ? 60 : 0)),
    water: [
      [at(0), 1000],
      [at(12), 1400],
      [at(24) - minuteMs, 1800],
    ],
    kwh: [
      [at(0), 10],
      [at(24) - minuteMs, 31],
    ],
  };
  const parameter = (key: string): unknown =>
    ({
      fan_table: table,
      min_ventilation: { basis: "weight", value: 0.4 },
      lighting: [{ on: "07:00", off: "18:00", lux: 60, channel: 1 }],
    })[key];
  const given = input({
    series,
    parameter,
    events: [event("manual_override_start", at(2)), event("manual_override_end", at(4.5))],
  });

  it("comes to half a day of comfort and of what the controller should do", () => {
    const found = valuesOf(environmentFormulas, given);
    expect(found.comfort_time).toBe(50);
    // 30 °C and 80 %: (1.8·30 + 32) − (0.55 − 0.44)(1.8·30 − 26) = 86 − 3.08 = 82.92: danger; 20 °C: 68 − 1.1 = 66.9.
    expect(found.thi_hours).toBe(12);
    expect(resultOf(environmentFormulas, given, "thi_hours")?.rows?.map(({ label, value }) => [label, value])).toEqual([
      ["normal", 12],
      ["alert", 0],
      ["danger", 12],
      ["emergency", 0],
    ]);
    // At 20 °C the table has gear 2, and 3 is within one; 0.4 · 60 · 100 = 2400 m³/h are moved in the first six hours only.
    expect(found.ventilation_compliance).toBe(25);
    expect(found.gear_histogram).toBe(24);
    // 12 h of 10 K, of which 3 are free.
    expect(found.degree_hours).toBeCloseTo(84, 9);
    const [above, below] = resultOf(environmentFormulas, given, "degree_hours")?.rows ?? [];
    expect(above?.value).toBeCloseTo(84, 9);
    expect(below?.value).toBe(0);
    expect(found.daily_range).toBe(10);
    expect(found.ammonia_hours).toBe(3);
    expect(found.override_hours).toBe(2.5);
    // 800 L and 21 kWh of 100 pigs in (almost) a day.
    expect(found.water_per_pig_day).toBeCloseTo(8 / ((24 * 60 - 1) / (24 * 60)), 9);
    expect(found.energy_per_pig_day).toBeCloseTo(0.21 / ((24 * 60 - 1) / (24 * 60)), 9);
    // Probe 2 was 3 K off for six hours of 24.
    expect(found.probe_health).toBe(75);
    // Eleven hours of 60 lx, as it is set.
    expect(found.light_compliance).toBe(100);
  });

  it("counts no minute of an empty unit, and no air where nobody knows the weight", () => {
    const empty = input({ series, parameter, events: [event("mode_change", at(6), { from: "empty", to: "normal" })] });
    // From 6:00 on: six hours of comfort in eighteen.
    expect(valuesOf(environmentFormulas, empty).comfort_time).toBeCloseTo(100 / 3, 9);
    const unknown = input({ series, parameter, units: [{ ...fattening, weightKg: undefined }] });
    expect(valuesOf(environmentFormulas, unknown).ventilation_compliance).toBeUndefined();
    const dark = input({ series: { ...series, lux: hourly(0, 24, (hour) => (hour < 8 ? 60 : 0)) }, parameter });
    expect(valuesOf(environmentFormulas, dark).light_compliance).toBe(0);
  });
});

describe("coughs", () => {
  // One in each five minutes for a fortnight: 288 a day; on the last day three.
  const endMs = midnight + 16 * dayMs;
  const coughs = (fromDay: number, toDay: number, valueAt: (hourOfAll: number) => number): MinutePoint[] =>
    hourly(fromDay * 24, toDay * 24, valueAt);
  const usual = coughs(0, 16, (hour) => (hour >= 15 * 24 ? 3 : hour % 48 < 24 ? 1 : 2));
  const given = (more: Parameters<typeof input>[0] = {}) =>
    input({
      startMs: endMs - 7 * dayMs,
      endMs,
      pigs: 100,
      past: { coughs: usual, laeq: coughs(0, 16, () => 60) },
      ...more,
    });

  it("are told against the fourteen days before, by hour and by day", () => {
    const index = resultOf(coughFormulas, given(), "index_against_baseline");
    expect(index?.value).toBeCloseTo(8.64, 9);
    const rows = new Map(index?.rows?.map(({ label, value }) => [label, value]));
    // Seven days of 2.88 and seven of 5.76.
    expect(rows.get("baseline")).toBeCloseTo(4.32, 9);
    expect(rows.get("alert")).toBeCloseTo(4.32 + 3 * Math.sqrt((14 * 1.44 ** 2) / 13), 9);
    const map = resultOf(coughFormulas, given(), "heatmap");
    expect(map?.grid?.rows.at(-1)).toBe("2026-03-17");
    expect(map?.grid?.rows).toHaveLength(7);
    expect(map?.grid?.cells.at(-1)?.[5]).toEqual({ value: 36, count: 60 });
    expect(map?.grid?.cells.at(-2)?.[5]?.value).toBe(12);
  });

  it("of a device that heard too little are not told", () => {
    const short = given({ past: { coughs: usual, laeq: coughs(15.5, 16, () => 60) } });
    expect(resultOf(coughFormulas, short, "index_against_baseline")?.value).toBeUndefined();
    // A count that did not change is not told again, and holds as long as anything is heard.
    const quiet = given({
      past: {
        coughs: [
          [at(15 * 24), 2],
          [at(15 * 24 + 7), 2],
          [at(15 * 24 + 14), 2],
          [at(15 * 24 + 20), 2],
        ],
        laeq: coughs(15, 16, () => 60),
      },
    });
    expect(resultOf(coughFormulas, quiet, "index_against_baseline")?.value).toBeCloseTo(5.76, 9);
  });

  it("are set against the air of the days before, against treatments and against the first warning", () => {
    // Ammonia of a day is what the coughs of the next one are.
    const nh3: HourPoint[] = Array.from({ length: 16 * 24 }, (_, hour): HourPoint => {
      const next = Math.floor(hour / 24) + 1;
      const value = next === 15 ? 30 : next % 2 === 0 ? 10 : 20;
      return [at(hour), value, value, value];
    });
    const neighbour: Neighbour = { hourly: new Map([["nh3", nh3]]), events: [] };
    const found = given({
      beside: () => [neighbour],
      startMs: endMs - 14 * dayMs,
      books: {
        plans: [],
        withdrawalDays: new Map(),
        treatments: [
          { type: "treatment", finding: "", medicine: "泰万菌素", dayMs: midnight + 6 * dayMs },
          { type: "diagnosis", finding: "", medicine: "", dayMs: midnight + 8 * dayMs },
        ],
      },
      alarms: [midnight + 7 * dayMs, midnight + 9 * dayMs],
    });
    const correlations = resultOf(coughFormulas, found, "lag_correlation");
    expect(correlations?.rows?.find(({ label }) => label === "nh3 1")?.value).toBeCloseTo(1, 6);
    // Days 3, 4, 5 before: 2, 1, 2; days 7, 8, 9 after: 2, 1, 2.
    expect(valuesOf(coughFormulas, found).treatment_response).toBeCloseTo(0, 9);
    expect(valuesOf(coughFormulas, found).lead_time).toBe(24);
  });

  it("come by zones and in episodes with what lies above the baseline", () => {
    const found = given({
      events: [
        event("cough", endMs - hourMs, { zone: "A" }),
        event("cough", endMs - hourMs, { zone: "B" }),
        event("cough", endMs - hourMs, { zone: "B" }),
        event("episode", endMs, { onset: new Date(endMs - dayMs).toISOString(), peak: 36, duration_h: 24 }),
      ],
    });
    expect(resultOf(coughFormulas, found, "zone_map")?.rows).toEqual([
      { label: "B", value: 2, count: 2 },
      { label: "A", value: 1, count: 1 },
    ]);
    const episodes = resultOf(coughFormulas, found, "episodes");
    expect(episodes?.value).toBe(1);
    expect(episodes?.grid?.rows).toEqual(["2026-03-17 00:00"]);
    // 864 coughs of 100 pigs less 4.32.
    expect(episodes?.grid?.cells[0]?.map(({ value }) => Math.round((value ?? 0) * 100) / 100)).toEqual([36, 24, 4.32]);
  });
});

describe("a herd's books", () => {
  const unit = (name: string, pigs: number): ServedUnit => ({
    ...fattening,
    id: name,
    name,
    label: `1 号舍 ${name}`,
    pigs,
  });
  const plan = (
    task: string,
    unitName: string,
    medicine: string,
    day: number,
    state: HerdBooks["plans"][number]["state"],
  ) => ({
    state,
    task,
    unitId: unitName,
    medicine,
    plannedMs: midnight + day * dayMs,
  });
  const shot = (day: number, task: string, tag: string, vaccine = "CSF") =>
    event("shot", midnight + day * dayMs + 9 * hourMs, { task, ear_tag: tag, vaccine, result: "ok" });
  const given = input({
    startMs: midnight,
    endMs: midnight + 10 * dayMs,
    pigs: 30,
    units: [unit("1 单元", 4), unit("2 单元", 4), unit("3 单元", 4)],
    events: [
      shot(1, "T1", "A"),
      shot(1, "T1", "B"),
      shot(1, "T1", "B"),
      event("session_closed", midnight + dayMs + 10 * hourMs, { task: "T1", coverage: 50 }),
    ],
    beside: (kind) =>
      kind === "needleless"
        ? [
            {
              hourly: new Map(),
              events: [shot(1, "T1", "C"), event("session_closed", midnight + 9 * dayMs, { task: "T2" })],
            },
          ]
        : [],
    books: {
      plans: [
        plan("T1", "1 单元", "CSF", 0, "done"),
        plan("T2", "2 单元", "CSF", 2, "done"),
        plan("T3", "3 单元", "PCV2", 1, "overdue"),
        plan("T4", "3 单元", "CSF", 12, "planned"),
      ],
      treatments: [],
      withdrawalDays: new Map([["CSF", 14]]),
    },
  });

  it("tell what was done in time, and what another injector did too late", () => {
    const result = resultOf(needlelessFormulas, given, "on_time");
    // Of three that were due, T1 came a day late, which is in time; T2 a week late, T3 not at all.
    expect(result?.value).toBeCloseTo(100 / 3, 9);
    expect(result?.rows?.map(({ label }) => label)).toEqual(["T2", "T3"]);
  });

  it("tell how long a unit has to wait, and whom each vaccine reached", () => {
    const waits = resultOf(needlelessFormulas, given, "withdrawal");
    // Injected on 3 March, 14 days: until the 17th; now it is the 12th.
    expect(waits?.value).toBe(5);
    expect(waits?.rows?.every(({ value }) => value > 0)).toBe(true);
    expect(waits?.rows?.[0]?.label).toBe("1 号舍 1 单元 · CSF · 2026-03-17");
    const grid = resultOf(needlelessFormulas, given, "coverage")?.grid;
    expect(grid?.rows).toEqual(["1 号舍 1 单元", "1 号舍 2 单元", "1 号舍 3 单元"]);
    expect(grid?.columns).toEqual(["CSF", "PCV2"]);
    expect(grid?.cells[0]?.[0]).toEqual({ value: 75, count: 4, day: "2026-03-03" });
    expect(grid?.cells[1]?.[0]).toEqual({ count: 0, day: "2026-03-04", state: "done" });
    expect(grid?.cells[2]?.[1]).toEqual({ count: 0, day: "2026-03-03", state: "overdue" });
    expect(grid?.cells[2]?.[0]).toEqual({ count: 0, day: "2026-03-14", state: "planned" });
    expect(grid?.cells[0]?.[1]).toEqual({ count: 0 });
  });
});

describe("fever and its surroundings", () => {
  const endMs = midnight + 15 * dayMs;
  /** Values of fifteen days, one an hour: mean in all columns but for a counter, which grows within its day. */
  const days = (values: readonly number[], counter = false): HourPoint[] =>
    values.flatMap((value, day) =>
      Array.from({ length: 24 }, (_, hour): HourPoint => {
        const ts = midnight + day * dayMs + hour * hourMs;
        return counter ? [ts, 1000, 1000 + value / 2, hour === 0 ? 1000 : 1000 + value] : [ts, value, value, value];
      }),
    );
  const flat = Array.from({ length: 14 }, (_, day) => (day % 2 === 0 ? 9 : 11));
  const near: Readonly<Record<string, Neighbour>> = {
    cough: { hourly: new Map([["rdi", days([...flat, 13])]]), events: [] },
    environment: { hourly: new Map([["water", days([...flat, 8], true)]]), events: [] },
  };
  const given = (without = "") =>
    input({
      startMs: endMs - 7 * dayMs,
      endMs,
      hourly: new Map([["fever_share", days([...flat, 12])]]),
      beside: (kind) => (kind !== without && near[kind] ? [near[kind]] : []),
      events: [
        event("scan", endMs - 2 * dayMs, { pen: 2, t_core_est: 39 }),
        event("scan", endMs - hourMs, { pen: 10, t_core_est: 40.2 }),
        event("scan", endMs - hourMs, { pen: 2, t_core_est: 39 }),
        event("scan", endMs - hourMs, { pen: 2, t_core_est: 41 }),
      ],
    });
  it("come to one score of three, and to none of two", () => {
    const spread = Math.sqrt(14 / 13);
    const score = resultOf(temperatureFormulas, given(), "respiratory_score");
    // 3 coughs, 2 of fever and 2 less water, in deviations of the fortnight.
    expect(score?.value).toBeCloseTo((3 + 2 + 2) / spread, 9);
    expect(resultOf(temperatureFormulas, given("cough"), "respiratory_score")?.value).toBeUndefined();
  });
  it("are counted by the readings of a scan where it says how many there were", () => {
    const scan = (pen: number, n: number, fever: number) =>
      event("scan", endMs - hourMs, { pen: String(pen), t_core_est: 39, n, fever });
    const rows = resultOf(
      temperatureFormulas,
      input({ events: [scan(1, 25, 1), scan(1, 25, 0), scan(2, 24, 0)] }),
      "pen_map",
    )?.rows;
    expect(rows).toEqual([
      { label: "1", value: 2, count: 50 },
      { label: "2", value: 0, count: 24 },
    ]);
  });
  it("stand in their pens day by day", () => {
    const grid = resultOf(temperatureFormulas, given(), "pen_map")?.grid;
    expect(grid?.columns).toEqual(["2", "10"]);
    expect(grid?.cells).toEqual([
      [{ value: 0, count: 1 }, { count: 0 }],
      [
        { value: 50, count: 2 },
        { value: 100, count: 1 },
      ],
    ]);
  });
});

describe("what settings of a farm make possible", () => {
  it("chlorine per water and contact by the strength of the stock and the contact volume", () => {
    const found = valuesOf(
      disinfectFormulas,
      input({
        series: {
          // 2 m³/h and 40 mL/min for 12 h, then nothing.
          flow: hourly(0, 24, (hour) => (hour < 12 ? 2 : 0)),
          pump: hourly(0, 24, (hour) => (hour < 12 ? 40 : 0)),
          free_cl: hourly(0, 24, () => 0.8),
        },
        parameter: (key) => ({ stock_strength: 0.5, contact_volume: 0.5 })[key],
      }),
    );
    // 40 mL/min · 720 min · 0.5 g/L = 14.4 g in 24 m³.
    expect(found.chlorine_per_m3).toBeCloseTo(0.6, 9);
    // 0.5 m³ at 2 m³/h are 15 min, with 0.8 mg/L.
    expect(found.ct).toBeCloseTo(12, 9);
  });

  it("agent per air by the gear and the air of a fan", () => {
    const found = valuesOf(
      bungalowDeodorizationFormulas,
      input({
        series: { gear: hourly(0, 24, (hour) => (hour < 12 ? 18 : 0)), conc: hourly(0, 12, () => 0.5) },
        events: [
          event("spray_run", at(3), { litres: 100, duration_s: 60 }),
          event("spray_run", at(20), { litres: 50 }),
        ],
        parameter: (key) => ({ fan_capacity: 10_000, ratio: 1 })[key],
      }),
    );
    // Half a litre at 0.5 %, half a litre at the set 1 %; eleven fans of 10,000 m³/h for 12 h.
    expect(found.agent_per_air).toBeCloseTo(1 / 1320, 12);
  });

  it("showers by shift, and agents by the volume that they clean", () => {
    const shower = (hour: number, result: string) => event("shower", at(hour), { result });
    const rows = resultOf(
      bathroomFormulas,
      input({ events: [shower(7, "passed"), shower(8, "under_time"), shower(15, "passed"), shower(23, "under_time")] }),
      "compliance_by_shift",
    )?.rows;
    expect(rows).toEqual([
      { label: "night", value: 0, count: 1 },
      { label: "early", value: 50, count: 2 },
      { label: "late", value: 100, count: 1 },
    ]);
    const use = valuesOf(dosingStationFormulas, input({ events: [event("batch", at(3), { actual_l: 250 })] }));
    expect(use.use_per_volume).toBe(0.5);
  });
});
