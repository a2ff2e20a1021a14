import { deviceKinds } from "@herdwise/device-kinds";
import { describe, expect, it } from "vitest";
import { bathroomFormulas } from "./bathroom.ts";
import { bungalowDeodorizationFormulas } from "./bungalow-deodorization.ts";
import { deodorizationFormulas } from "./deodorization.ts";
import { disinfectFormulas } from "./disinfect.ts";
import { dosingStationFormulas } from "./dosing-station.ts";
import {
  type AnalyticInput,
  daysLeft,
  drawn,
  type EventRecord,
  hourMs,
  increase,
  type KindFormulas,
  type MinutePoint,
  minuteGrid,
  minuteMs,
  quantile,
  slopePerDay,
} from "./formula.ts";
import { allFormulas } from "./index.ts";
import { needlelessFormulas } from "./needleless.ts";
import { temperatureFormulas } from "./temperature.ts";
import { weighbridgeFormulas } from "./weighbridge.ts";

/** Midnight in China. */
const midnight = Date.parse("2026-03-02T00:00:00+08:00");
const dayMs = 24 * hourMs;

const input = (
  given: Partial<Omit<AnalyticInput, "series">> & { series?: Record<string, MinutePoint[]> },
): AnalyticInput => ({
  startMs: midnight,
  endMs: midnight + dayMs,
  events: [],
  pigs: 100,
  units: [],
  past: new Map(),
  hourly: new Map(),
  beside: () => [],
  books: { plans: [], treatments: [], withdrawalDays: new Map() },
  alarms: [],
  parameter: () => undefined,
  isSet: () => true,
  ...given,
  series: new Map(Object.entries(given.series ?? {})),
});
const event = (type: string, atMs: number, body: Record<string, unknown> = {}): EventRecord => ({
  type,
  ts: atMs,
  body,
});
const at = (hours: number): number => midnight + hours * hourMs;
const valuesOf = (formulas: KindFormulas, given: AnalyticInput) =>
  Object.fromEntries(formulas.compute(given).map(({ id, value }) => [id, value]));
const rowsOf = (formulas: KindFormulas, given: AnalyticInput, id: string) =>
  formulas.compute(given).find((result) => result.id === id)?.rows;

describe("tools", () => {
  it("hold a value until the next one and for 65 minutes at most", () => {
    const grid = minuteGrid(
      input({
        series: {
          x: [
            [at(1), 5],
            [at(1.5), 7],
          ],
        },
      }),
      "x",
    );
    expect(grid.length).toBe(1440);
    expect([grid[59], grid[60], grid[89], grid[90], grid[90 + 64], grid[90 + 65]]).toEqual([
      Number.NaN,
      5,
      5,
      7,
      7,
      Number.NaN,
    ]);
  });
  it("count what a counter grew by over a reset, and what was drawn over a refill", () => {
    const counter: MinutePoint[] = [
      [at(0), 10],
      [at(1), 14],
      [at(2), 3],
      [at(3), 5],
    ];
    // 4, then 2 of the new one: what passed before its first reading nobody counted.
    expect(increase(counter)).toBe(6);
    const level: MinutePoint[] = [
      [at(0), 50],
      [at(6), 30],
      [at(7), 90],
      [at(12), 80],
    ];
    expect(drawn(level)).toBe(30);
    // 30 in half a day are 60 a day; 80 are left.
    expect(daysLeft(level)).toBeCloseTo(80 / 60, 9);
    expect(
      daysLeft([
        [at(0), 50],
        [at(12), 50],
      ]),
    ).toBeUndefined();
  });
  it("find quantiles between two values and a slope per day", () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([10, 20], 0.1)).toBe(11);
    expect(
      slopePerDay([
        [at(0), 100],
        [at(12), 101],
        [at(24), 102],
      ]),
    ).toBeCloseTo(2, 9);
  });
});

describe("every formula", () => {
  it.each(allFormulas.map((formulas) => [formulas.kind, formulas] as const))(
    "of %s is declared, and says nothing of nothing",
    (kind, formulas) => {
      const declared = deviceKinds[kind].analytics.map(({ id }) => id);
      const results = formulas.compute(input({}));
      for (const { id } of results) expect(declared).toContain(id);
      // Without a record or a value there is no share, no mean and no day.
      for (const { id, value } of results) expect(value, id).toBeUndefined();
      const channels = new Set(deviceKinds[kind].channels.map(({ key }) => key));
      for (const key of formulas.keys) expect(channels, key).toContain(key);
      const types = new Set(deviceKinds[kind].events.map(({ type }) => type));
      for (const type of formulas.events) expect(types, type).toContain(type);
    },
  );
});

describe("showers", () => {
  const shower = (hour: number, person: string, team: string, waterS: number, litres: number) =>
    event("shower", at(hour), {
      person,
      team,
      water_s: waterS,
      litres,
      result: waterS < 300 ? "under_time" : "passed",
      reason: waterS < 300 ? "water_time" : "",
    });
  const given = input({
    events: [
      shower(7, "P1", "A", 320, 50),
      shower(7.2, "P2", "A", 200, 30),
      shower(7.4, "P3", "B", 400, 60),
      event("bypass", at(9), { person: "P9", door: "B" }),
      shower(13, "P1", "A", 300, 44),
    ],
    series: {
      kwh: [
        [at(0), 100],
        [at(20), 106],
      ],
    },
  });
  it("come to 3 good ones of 5 entries, the bypass among the reasons", () => {
    expect(valuesOf(bathroomFormulas, given)).toMatchObject({
      compliance: 60,
      reasons: 2,
      // 200, 300, 320, 400
      duration: 310,
      bypasses: 1,
      peak_load: 3,
      use_per_shower: 46,
      energy_per_shower: 1.5,
      water_used: 184,
    });
    expect(valuesOf(bathroomFormulas, given).duration_p10).toBeCloseTo(230, 9);
    expect(rowsOf(bathroomFormulas, given, "compliance")).toEqual([
      { label: "A", value: (2 / 3) * 100, count: 3 },
      { label: "B", value: 100, count: 1 },
    ]);
    expect(rowsOf(bathroomFormulas, given, "reasons")).toEqual([
      { label: "bypass", value: 1, count: 1 },
      { label: "water_time", value: 1, count: 1 },
    ]);
    expect(rowsOf(bathroomFormulas, given, "peak_load")?.[0]).toEqual({
      label: "2026-03-02 07:00",
      value: 3,
      count: 3,
    });
    expect(rowsOf(bathroomFormulas, given, "compliance_by_person")?.map(({ label, value }) => [label, value])).toEqual([
      ["P2", 0],
      ["P9", 0],
      ["P1", 100],
      ["P3", 100],
    ]);
  });
});

/** A value that is told each minute of a stretch. */
const each = (fromH: number, toH: number, value: number): MinutePoint[] =>
  Array.from({ length: (toH - fromH) * 60 }, (_, minute): MinutePoint => [at(fromH) + minute * minuteMs, value]);

describe("a water line", () => {
  const given = input({
    pigs: 50,
    series: {
      // Two hours of flow, in the second of which the residual is too low; at night 0.02 m³/h run.
      flow: [...each(1, 2, 0.02), ...each(6, 8, 1.2), ...each(8, 9, 0)],
      free_cl: [...each(6, 7, 0.8), ...each(7, 9, 0.2)],
      total: [
        [at(0), 1000],
        [at(24) - minuteMs, 1003],
      ],
      stock: [
        [at(0), 60],
        [at(12), 54],
      ],
    },
  });
  it("is in its band for half of the minutes with flow", () => {
    const found = valuesOf(disinfectFormulas, given);
    expect(found.residual_compliance).toBe(50);
    // 3,000 L for 50 pigs in a day less one minute.
    expect(found.water_per_pig_day).toBeCloseTo((60 * 1440) / 1439, 6);
    // A second line of the farm has half of its pigs.
    const beside = () => [{ hourly: new Map(), events: [] }];
    expect(valuesOf(disinfectFormulas, { ...given, beside }).water_per_pig_day).toBeCloseTo((120 * 1440) / 1439, 6);
    // 6 % in half a day, 54 % are left.
    expect(found.stock_days).toBeCloseTo(4.5, 9);
    expect(found.leak).toBe(20);
    expect(found.acid_days).toBeUndefined();
  });
});

describe("a scrubber", () => {
  const good = { ph: 3.8, ec: 120, discharge: 0.3, dp: 80, kwh: 3 };
  const given = input({
    startMs: midnight,
    endMs: at(4),
    parameter: (key) => ({ ph_low: 1.5, ph_high: 4.5, ec_max: 250 })[key],
    events: [
      event("hourly_record", at(1), good),
      event("hourly_record", at(2), { ...good, ph: 5.1 }),
      event("hourly_record", at(3), { ...good, kwh: undefined }),
      event("agent_dose", at(3), { agent: "acid", litres: 0.12 }),
    ],
    series: {
      // Then the fans stand still.
      airflow: [...each(0, 1, 30_000), ...each(1, 2, 60_000), [at(2), 0]],
      nh3_in: each(0, 2, 20),
      // The larger flow counts twice: 1 − (30·2 + 60·8) ÷ (90·20)
      nh3_out: [...each(0, 1, 2), ...each(1, 2, 8)],
      gear: [...each(0, 2, 4), [at(2), 0]],
      pump: [...each(0, 1.5, 1), ...each(1.5, 2, 0)],
      kwh: [
        [at(0), 500],
        [at(2), 509],
      ],
      discharge: [
        [at(0), 10],
        [at(2), 10.45],
      ],
      dp: [
        [at(0), 100],
        [at(2), 101],
      ],
    },
  });
  it("removes 70 % by flow, and only one of four hours can be shown to be good", () => {
    const found = valuesOf(deodorizationFormulas, given);
    expect(found.ammonia_removal).toBeCloseTo(70, 9);
    // (30,000·18 + 60,000·12) m³·ppm · 0.7 mg/m³
    expect(found.ammonia_captured).toBeCloseTo(0.882, 9);
    expect(found.uptime).toBe(75);
    expect(found.compliant_hours).toBe(25);
    expect(found.missing_hours).toBe(1);
    expect(found.acid_per_ammonia).toBeCloseTo(0.12 / 0.882, 9);
    // 9 kWh and 450 L for 90,000 m³
    expect(found.energy_per_air).toBeCloseTo(0.1, 9);
    expect(found.use_per_air).toBeCloseTo(5, 9);
    // 1 Pa in two hours are 12 a day; 49 are left to 150.
    expect(found.pad_forecast).toBeCloseTo(49 / 12, 6);
  });
});

describe("a spray curtain", () => {
  const given = input({
    events: [
      event("spray_run", at(7), { duration_s: 720, litres: 52 }),
      event("spray_run", at(8), { duration_s: 1080, litres: 78 }),
    ],
    series: {
      nh3_before: each(6, 8, 10),
      nh3_after: [...each(6, 7, 4), ...each(7, 8, 6)],
      // The curtain stays wet for half of the second hour.
      flow: [...each(6, 7, 260), ...each(7, 8, 0)],
      nh3_boundary: [...each(6, 7, 1), ...each(7, 8, 1.6)],
      h2s_boundary: each(6, 8, 0.02),
      odour: each(6, 8, 40),
      gear: each(6, 8, 3),
    },
  });
  it("takes out ammonia while it is wet and keeps the limits at the boundary in one of two hours", () => {
    // The span ends with the values, so that none is held on.
    const found = valuesOf(bungalowDeodorizationFormulas, { ...given, endMs: at(8) });
    // 1 − (60 · 4 + 30 · 6) ÷ (90 · 10)
    expect(found.removal).toBeCloseTo(160 / 3, 9);
    expect(found).toMatchObject({
      boundary_compliance: 50,
      spray_hours: 0.5,
      spray_share: 25,
      spray_litres: 130,
    });
  });
});

describe("a dosing station", () => {
  const batch = (hour: number, target: number, actual: number, dest: string) =>
    event("batch", at(hour), {
      dest,
      target_l: target,
      actual_l: actual,
      deviation: (actual / target - 1) * 100,
      start: new Date(at(hour) - 20 * minuteMs).toISOString(),
      result: "ok",
    });
  const given = input({
    pigs: 40,
    parameter: (key) => (key === "schedule" ? [{ on: "08:30", off: "09:30" }] : undefined),
    events: [
      batch(9, 100, 98, "1"),
      event("flush", at(9) + 2 * minuteMs, { duration_s: 60 }),
      batch(15, 200, 220, "2"),
      event("flush", at(16), { duration_s: 60 }),
    ],
    series: {
      tank_1_l: [
        [at(0), 1000],
        [at(12), 670],
      ],
      tank_2_l: [
        [at(0), 500],
        [at(12), 490],
      ],
      valve_1_cycles: [
        [at(0), 99_000],
        [at(12), 99_020],
      ],
      valve_2_cycles: [[at(0), 4000]],
      flow_1_total: [
        [at(0), 100],
        [at(12), 432],
      ],
    },
  });
  it("comes to 94 % accuracy, and says which tank and which valve end first", () => {
    const found = valuesOf(dosingStationFormulas, given);
    // 98 % and 90 %
    expect(found.dose_accuracy).toBeCloseTo(94, 9);
    expect(found.batches_within).toBe(50);
    expect(found.on_schedule).toBe(50);
    expect(found.use).toBe(318);
    expect(found.use_per_pig).toBeCloseTo(7.95, 9);
    // 330 in half a day are 660 a day, of 670.
    expect(found.stock_days).toBeCloseTo(670 / 660, 9);
    expect(found.valve_life).toBe(980);
    // 340 out of the tanks, 332 through the meter
    expect(found.mass_balance).toBeCloseTo((8 / 332) * 100, 9);
    expect(found.flush_compliance).toBe(50);
    expect(rowsOf(dosingStationFormulas, given, "stock_days")?.map(({ label }) => label)).toEqual(["1", "2"]);
    expect(rowsOf(dosingStationFormulas, given, "use")).toEqual([
      { label: "2", value: 220, count: 1 },
      { label: "1", value: 98, count: 1 },
    ]);
  });
  it("says nothing of a plan that is not there", () => {
    expect(valuesOf(dosingStationFormulas, { ...given, parameter: () => [] }).on_schedule).toBeUndefined();
  });
});

describe("weighbridges", () => {
  const weighed = (atMs: number, plate: string, phase: string, weightG: number, stability = "stable") =>
    event("weighed", atMs, { plate, phase, weight_g: weightG, stability });
  it("pair a ticket in with the next one out of a plate", () => {
    const found = valuesOf(
      weighbridgeFormulas,
      input({
        events: [
          weighed(at(8), "A", "in", 14_000_000),
          weighed(at(8.2), "B", "in", 30_000_000),
          weighed(at(8.5), "A", "out", 28_000_000),
          weighed(at(9), "B", "out", 14_500_000, "unstable"),
          // Neither came in before.
          weighed(at(9.5), "A", "out", 28_000_000),
          weighed(at(10), "", "out", 28_000_000),
        ],
        series: {
          zero_kg: [
            [at(1), 2],
            [at(2), -7.5],
            [at(3), 4],
          ],
        },
      }),
    );
    expect(found).toMatchObject({ weighings: 6, net_total: 29_500, turnaround: 39, peak_load: 3, zero_worst: 7.5 });
    expect(found.stable_share).toBeCloseTo((100 * 5) / 6, 9);
  });
});

describe("herd temperature", () => {
  const round = (atMs: number, n: number, fever: number, scanned: number) =>
    event("round_end", atMs, { n, fever, scanned });
  const scan = (pen: number, core: number) => event("scan", at(30), { pen, t_core_est: core });
  const caseAt = (day: number, pig: string) => event("fever_case", midnight + day * dayMs + hourMs, { pen: 1, pig });
  const given = input({
    endMs: midnight + 7 * dayMs,
    pigs: 200,
    parameter: (key) => (key === "fever_from" ? 40 : undefined),
    events: [
      round(at(6), 100, 2, 90),
      round(at(14), 100, 4, 95),
      // Too few pigs were met: it counts for the coverage and for nothing else.
      round(at(21), 40, 20, 40),
      round(at(30), 200, 30, 99),
      scan(1, 40.2),
      scan(1, 39),
      scan(2, 39.1),
      caseAt(2, "a"),
      caseAt(2, "b"),
      caseAt(4, "a"),
      caseAt(5, "c"),
      caseAt(6, "d"),
    ],
  });
  it("comes to 9 % of the readings, and half as many cases again", () => {
    const found = valuesOf(temperatureFormulas, given);
    // 36 of 400
    expect(found.fever_curve).toBe(9);
    expect(rowsOf(temperatureFormulas, given, "fever_curve")).toEqual([
      { label: "2026-03-02", value: 3, count: 200 },
      { label: "2026-03-03", value: 15, count: 200 },
    ]);
    expect(found.pen_map).toBe(50);
    // Four pigs of 200.
    expect(found.attack_rate).toBe(2);
    expect(found.growth).toBe(1.5);
    expect(found.scan_coverage).toBe(81);
    expect(found.rounds_unjudged).toBe(1);
  });
});

describe("an injector", () => {
  const shot = (minute: number, tag: string, given: number, result = "ok", operator = "OP1") =>
    event("shot", at(9) + minute * minuteMs, {
      ear_tag: tag,
      dose_set: 2,
      dose_act: given,
      result,
      operator,
      vaccine: "CSF",
      lot: "L1",
    });
  const given = input({
    pigs: 8,
    events: [
      event("session_open", at(9)),
      shot(5, "A", 2),
      shot(10, "B", 1.9),
      shot(15, "B", 2),
      shot(20, "C", 1.5, "wet", "OP2"),
      event("session_closed", at(9.5), { coverage: 97 }),
    ],
  });
  it("reached two of eight pigs, a quarter of them with 1.5 mL lost", () => {
    const found = valuesOf(needlelessFormulas, given);
    expect(found.coverage).toBe(25);
    expect(found.session_coverage).toBe(97);
    expect(found.valid_shots).toBe(75);
    // 100, 95, 100
    expect(found.dose_accuracy).toBeCloseTo(295 / 3, 9);
    expect(found.waste).toBe(1.5);
    expect(found.rate).toBe(8);
    expect(rowsOf(needlelessFormulas, given, "lot_trace")).toEqual([{ label: "CSF · L1", value: 2, count: 3 }]);
    expect(rowsOf(needlelessFormulas, given, "operators")).toEqual([
      { label: "OP2", value: 0, count: 1 },
      { label: "OP1", value: 100, count: 3 },
    ]);
  });
});
