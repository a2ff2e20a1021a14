import { describe, expect, it, test } from "vitest";
import type { RejectedReadings } from "./acceptance.ts";
import { allOf, days, derivedOverWindow, detect, hours, minutes, onEvent, rule, text, when } from "./declare.ts";
import type { AlarmRule, DeviceKind, ReportedValue } from "./device-kind.ts";
import { createEvaluator, type EvaluationContext, type Evaluator } from "./evaluate.ts";
import { deviceKinds } from "./generated/device-kinds.ts";
import { cough } from "./kinds/cough.ts";
import { environment } from "./kinds/environment.ts";
import { verdictOf } from "./verdict.ts";

/** Midnight in China. */
const begin = Date.UTC(2026, 9, 1, 16);
const s = 1000;
const min = 60 * s;
const hour = 60 * min;
const day = 24 * hour;

const kindWith = (rules: readonly AlarmRule[], more: Partial<DeviceKind> = {}): DeviceKind => ({
  ...cough,
  ...more,
  alarmRules: rules,
});

/** A device whose messages arrive as soon as they are sent, with the changes of its alarms. */
function device(kind: DeviceKind, context: EvaluationContext = {}) {
  const evaluator: Evaluator = createEvaluator(kind);
  const said: string[] = [];
  const note = (changes: ReturnType<Evaluator["take"]>) => {
    for (const { type, ruleId, atMs, suppressed } of changes)
      said.push(`${type} ${ruleId} +${(atMs - begin) / min} min${suppressed ? " (suppressed)" : ""}`);
  };
  return {
    evaluator,
    said,
    context,
    reads(atMs: number, values: Record<string, ReportedValue>, nowMs = atMs) {
      note(evaluator.take({ type: "readings", atMs, values }, nowMs, this.context));
    },
    rejects(atMs: number, rejected: RejectedReadings) {
      note(evaluator.take({ type: "readings", atMs, values: {}, rejected }, atMs, this.context));
    },
    tells(atMs: number, type: string, fields: Record<string, unknown> = {}, nowMs = atMs) {
      note(evaluator.take({ type: "event", atMs, event: { type, ...fields } }, nowMs, this.context));
    },
    passes(nowMs: number) {
      note(evaluator.take({ type: "time" }, nowMs, this.context));
    },
  };
}

test("an alarm that an event of another matter brings up carries nothing of that event", () => {
  const evaluator = createEvaluator(environment);
  evaluator.take({ type: "readings", atMs: begin, values: { t_in: 20 } }, begin, {});
  const event = { type: "gear_change", from: 3, to: 4, reason: "temperature" };
  const raised = [];
  // The other values go on 5 s before each event, so that the time after which a value is unknown ends with an event.
  for (let atMs = begin + 10 * s; atMs <= begin + 10 * min; atMs += 10 * s) {
    evaluator.take({ type: "readings", atMs: atMs - 5 * s, values: { rh: 60 } }, atMs - 5 * s, {});
    raised.push(...evaluator.take({ type: "event", atMs, event }, atMs, {}));
  }
  expect(raised.filter(({ ruleId }) => ruleId === "temperature_unknown").map(({ figure }) => figure)).toEqual([
    { key: "t_in" },
  ]);
});

describe("washing that nobody ends", () => {
  it("is told after a day and an hour, in the open although washing masks, and not when it ended before", () => {
    const forgotten = device(environment);
    const ended = device(environment);
    for (let at = 0; at <= 26 * 60; at += 1) {
      const t_in = 20 + (at % 2) / 10;
      forgotten.reads(begin + at * min, { mode: "washing", t_in });
      ended.reads(begin + at * min, { mode: at < 24 * 60 ? "washing" : "normal", t_in });
    }
    expect(forgotten.said).toEqual([`raised washing_forgotten +${25 * 60} min`]);
    expect(ended.said).toEqual([]);
  });
});

describe("what is remembered", () => {
  it("of rules that do not hold is nothing, of one that begins to hold its begin", () => {
    const it = device(environment);
    it.reads(begin, { t_in: 20, rh: 65, mains: true });
    expect(it.evaluator.state().rules).toEqual({});
    it.reads(begin + min, { t_in: 20, rh: 65, mains: false });
    expect(it.evaluator.state().rules).toEqual({ mains_loss: { sinceMs: begin + min } });
    it.reads(begin + min + s, { t_in: 20, rh: 65, mains: true });
    expect(it.evaluator.state().rules).toEqual({});
  });

  it("of each key is the newest value, whatever a device calls it", () => {
    const it = device(environment);
    for (const [at, value] of [1, 2].entries()) it.reads(begin + at * min, { constructor: value, t_in: 20 + value });
    const { values } = it.evaluator.state().history;
    expect(Object.entries(values)).toEqual([
      ["constructor", { atMs: begin + min, value: 2 }],
      ["t_in", { atMs: begin + min, value: 22 }],
    ]);
    // A late reading replaces nothing, and a copy of the state does not change afterwards.
    it.reads(begin + min - 1, { t_in: 5 });
    it.reads(begin + 2 * min, { t_in: 30 });
    expect(values.t_in).toEqual({ atMs: begin + min, value: 22 });
    expect(it.evaluator.state().history.values.t_in?.value).toBe(30);
  });

  it("with a state of before, in which every rule has an entry, goes on as it was", () => {
    const before = createEvaluator(environment, {
      state: {
        history: { values: { mains: { atMs: begin, value: false } }, rejects: {}, hours: {}, samples: {}, events: {} },
        rules: { temperature_high: {}, mains_loss: { sinceMs: begin } },
        judgedMs: begin,
      },
    });
    expect(before.nextDueMs()).toBe(begin + 30 * s);
    const raised = before.take({ type: "readings", atMs: begin + 30 * s, values: { mains: false } }, begin + 30 * s);
    expect(raised).toMatchObject([{ type: "raised", ruleId: "mains_loss", sinceMs: begin }]);
  });
});

describe("durations and hysteresis", () => {
  const loud = rule("loud", "响", "Loud", "MINOR", when("laeq", "gt", 85), {
    after: minutes(5),
    clearAfter: minutes(2),
    hysteresis: { absolute: 3 },
  });

  it("raises when the condition has held for its time, not before, and once", () => {
    const it = device(kindWith([loud]));
    for (let at = 0; at <= 8; at += 1) it.reads(begin + at * min, { laeq: 90 });
    expect(it.said).toEqual(["raised loud +5 min"]);
  });

  it("begins anew after a break, also one that can't be told", () => {
    const it = device(kindWith([loud]));
    it.reads(begin, { laeq: 90 });
    it.reads(begin + 4 * min, { laeq: 80 });
    it.reads(begin + 5 * min, { laeq: 90 });
    it.reads(begin + 9 * min, { laeq: 90 });
    expect(it.said).toEqual([]);
    it.reads(begin + 10 * min, { laeq: 90 });
    expect(it.said).toEqual(["raised loud +10 min"]);
    const gaps = device(kindWith([loud]));
    gaps.reads(begin, { laeq: 90 });
    // After three intervals without a value nobody knows whether it was loud in between.
    gaps.passes(begin + 4 * min);
    gaps.reads(begin + 6 * min, { laeq: 90 });
    expect(gaps.said).toEqual([]);
  });

  it("stays through values inside the hysteresis, and clears after its time beyond it", () => {
    const it = device(kindWith([loud]));
    for (const at of [0, 1, 2, 3, 4, 5]) it.reads(begin + at * min, { laeq: 90 });
    for (const at of [6, 7, 8, 9]) it.reads(begin + at * min, { laeq: 83 });
    expect(it.said).toEqual(["raised loud +5 min"]);
    for (const at of [10, 11]) it.reads(begin + at * min, { laeq: 81 });
    // One value back inside the limit restarts the clearing time.
    it.reads(begin + 12 * min - 1, { laeq: 84 });
    for (const at of [13, 14, 15]) it.reads(begin + at * min, { laeq: 81 });
    expect(it.said).toEqual(["raised loud +5 min", "cleared loud +15 min"]);
  });

  it("lets a duration end without another message, and never clears on silence", () => {
    const it = device(kindWith([rule("hot", "热", "Hot", "MAJOR", when("t", "gt", 30), { after: 90 })]));
    it.reads(begin, { t: 35 });
    it.passes(begin + 89 * s);
    expect(it.said).toEqual([]);
    it.passes(begin + 2 * min);
    it.passes(begin + 5 * hour);
    expect(it.said).toEqual(["raised hot +1.5 min"]);
  });

  it("goes on after a restart from what it remembered", () => {
    const kind = kindWith([loud]);
    const first = createEvaluator(kind);
    first.take({ type: "readings", atMs: begin, values: { laeq: 90 } }, begin);
    const state = JSON.parse(JSON.stringify(first.state()));
    const second = createEvaluator(kind, { state });
    for (let at = 1; at < 5; at += 1)
      expect(second.take({ type: "readings", atMs: begin + at * min, values: { laeq: 90 } }, begin + at * min)).toEqual(
        [],
      );
    const [change] = second.take({ type: "readings", atMs: begin + 5 * min, values: { laeq: 90 } }, begin + 5 * min);
    expect(change).toMatchObject({ type: "raised", ruleId: "loud", sinceMs: begin });
  });
});

describe("late data", () => {
  const hot = rule("hot", "热", "Hot", "MAJOR", when("t", "gt", 30));

  it("never raises: neither what is older than the newest, nor what was held back", () => {
    const it = device(kindWith([hot]));
    it.reads(begin, { t: 20 });
    it.reads(begin - min, { t: 40 }, begin + s);
    // A buffer is sent in order after hours of silence; its last reading is current.
    for (let at = 1; at < 60; at += 1) it.reads(begin + at * min, { t: 40 }, begin + 3 * hour);
    it.passes(begin + 3 * hour + s);
    expect(it.said).toEqual([]);
    it.reads(begin + 3 * hour, { t: 20 }, begin + 3 * hour + s);
    expect(it.said).toEqual([]);
    it.reads(begin + 3 * hour + min, { t: 40 });
    expect(it.said).toEqual(["raised hot +181 min"]);
  });

  it("never clears either, and a late event is no alarm", () => {
    const it = device(kindWith([hot, rule("fit", "发作", "Fit", "WARN", onEvent("episode"))]));
    it.reads(begin, { t: 40 });
    it.reads(begin - 2 * min, { t: 20 }, begin + s);
    it.tells(begin - hour, "episode", {}, begin + 2 * s);
    it.passes(begin + 3 * min);
    expect(it.said).toEqual(["raised hot +0 min"]);
  });

  it("fills the history that windows are made of", () => {
    const kind = kindWith([rule("rising", "升", "Rising", "MAJOR", when("rise", "gt", 2))], {
      derived: [derivedOverWindow("rise", text("升", "Rise"), "K", 1, "t", minutes(10), "change", text("升", "Rise"))],
    });
    const it = device(kind);
    it.reads(begin + 5 * min, { t: 21 });
    it.reads(begin + 10 * min - s, { t: 20 });
    it.reads(begin, { t: 17 }, begin + 10 * min - s);
    it.reads(begin + 10 * min, { t: 20 });
    expect(it.said).toEqual(["raised rising +10 min"]);
  });
});

describe("unit modes", () => {
  it("mask all but the safety class: a record is kept, and it becomes an alarm when the mask goes", () => {
    const rules = [
      rule("hot", "热", "Hot", "MAJOR", when("t", "gt", 30)),
      rule("dark", "断电", "Dark", "CRITICAL", when("mic_ok", "eq", false), { safety: true }),
    ];
    const it = device(kindWith(rules), { mode: "empty" });
    it.reads(begin, { t: 35, mic_ok: false });
    expect(it.said).toEqual(["raised hot +0 min (suppressed)", "raised dark +0 min"]);
    it.reads(begin + min, { t: 35, mic_ok: false });
    it.context = { mode: "normal" };
    it.reads(begin + 2 * min, { t: 35, mic_ok: false });
    expect(it.said.slice(2)).toEqual(["raised hot +2 min"]);
  });
});

describe("windows", () => {
  const over = (aggregate: "increase" | "mean" | "maximum", windowS: number, of: string, limit: number) =>
    kindWith([rule("beyond", "超", "Beyond", "MINOR", when("window", "gt", limit))], {
      channels: [
        ...cough.channels,
        { ...(cough.channels[0] as (typeof cough.channels)[number]), key: "meter", cumulative: true },
      ],
      derived: [derivedOverWindow("window", text("窗", "Window"), "", 1, of, windowS, aggregate, text("窗", "Window"))],
    });

  it("an increase counts across the replacement of a meter", () => {
    const it = device(over("increase", minutes(30), "meter", 12));
    for (const [at, value] of [
      [0, 100],
      [10, 108],
      [20, 2],
      [30, 4],
    ] as const)
      it.reads(begin + at * min, { meter: value });
    expect(it.said).toEqual([]);
    it.reads(begin + 30 * min + s, { meter: 7 });
    expect(it.said).toHaveLength(1);
  });

  it("a mean over a day is made of hours, and there is none before half of them are there", () => {
    const it = device(over("mean", days(1), "laeq", 70));
    for (let at = 0; at < 11; at += 1) it.reads(begin + at * hour, { laeq: 90 });
    expect(it.said).toEqual([]);
    it.reads(begin + 12 * hour, { laeq: 90 });
    expect(it.said).toEqual(["raised beyond +720 min"]);
  });

  it("a growth over days is known when the days have passed, and not before", () => {
    const standing = kindWith([rule("still", "停", "Still", "MINOR", when("window", "le", 0))], {
      channels: [
        ...cough.channels,
        { ...(cough.channels[0] as (typeof cough.channels)[number]), key: "meter", cumulative: true },
      ],
      derived: [
        derivedOverWindow("window", text("窗", "Window"), "", 1, "meter", days(7), "increase", text("窗", "Window")),
      ],
    });
    const it = device(standing);
    for (let at = 0; at <= 169; at += 1) it.reads(begin + at * hour, { meter: 5 });
    expect(it.said).toEqual([`raised still +${167 * 60} min`]);
  });

  it("a window that has only begun says nothing", () => {
    const it = device(over("maximum", minutes(30), "laeq", 70));
    it.reads(begin, { laeq: 90 });
    it.reads(begin + 10 * min, { laeq: 90 });
    expect(it.said).toEqual([]);
    it.reads(begin + 30 * min, { laeq: 60 });
    expect(it.said).toEqual(["raised beyond +30 min"]);
  });
});

/** One rule with one detector. */
const detecting = (...[name, overKeys, parameters]: Parameters<typeof detect>) =>
  kindWith([rule("found", "发现", "Found", "MINOR", detect(name, overKeys, parameters))], {
    channels: [
      ...cough.channels,
      { ...(cough.channels[0] as (typeof cough.channels)[number]), key: "meter", cumulative: true },
    ],
  });
const raisedAt = ({ said }: ReturnType<typeof device>) => said.filter((line) => line.startsWith("raised"));

describe("detectors", () => {
  it("silence: of the whole device by when it was heard, of a value by its own time", () => {
    const whole = device(detecting("silence", [], { after_s: 300 }));
    whole.passes(begin - day);
    expect(whole.said).toEqual([]);
    whole.reads(begin, { t: 20 });
    whole.passes(begin + 5 * min);
    expect(whole.said).toEqual([]);
    whole.passes(begin + 5 * min + s);
    expect(raisedAt(whole)).toHaveLength(1);
    // A buffered message ends the silence, although it raises and clears no alarm itself.
    whole.reads(begin + 2 * min, { t: 20 }, begin + 9 * min);
    whole.passes(begin + 9 * min + s);
    whole.passes(begin + 10 * min + 2 * s);
    expect(whole.said.at(-1)).toContain("cleared");
    const one = device(detecting("silence", ["t", "laeq"], { after_s: 600 }));
    one.reads(begin, { t: 20, laeq: 50 });
    for (let at = 1; at <= 12; at += 1) one.reads(begin + at * min, { t: 20 });
    expect(raisedAt(one)).toEqual([`raised found +${(10 * min + 1) / min} min`]);
  });

  it("stuck: no change over the whole window, and not before it is full", () => {
    const it = device(detecting("stuck", ["t", "rh"], { window_s: hours(6), deviation_below: 1e-9 }));
    for (let at = 0; at < 6 * 60; at += 1) it.reads(begin + at * min, { t: 20.5, rh: at % 7 });
    expect(raisedAt(it)).toEqual(["raised found +300 min"]);
    const moving = device(detecting("stuck", ["t"], { window_s: hours(6), deviation_below: 1e-9 }));
    for (let at = 0; at < 9 * 60; at += 1) moving.reads(begin + at * min, { t: at === 200 ? 20.6 : 20.5 });
    expect(raisedAt(moving)).toEqual(["raised found +540 min"].slice(1));
  });

  it("silence of a value says nothing of a device that is silent as a whole", () => {
    const it = device(detecting("silence", ["t"], { after_s: 600 }));
    it.reads(begin, { t: 20 });
    it.passes(begin + 2 * hour);
    expect(it.said).toEqual([]);
  });

  it("mass-balance: a refill is no loss", () => {
    const station = deviceKinds["dosing-station"];
    const only = station.alarmRules.filter(({ id }) => id === "mass_balance");
    const litres = (leak: number) => {
      const it = device({ ...station, alarmRules: only });
      for (let at = 0; at <= 30; at += 1) {
        // Ten litres per hour pass the meter; a person fills the tank in the tenth hour.
        const filled = at >= 10 ? 500 : 0;
        const tank = 600 - (10 + leak) * at + filled;
        it.reads(begin + at * hour, {
          tank_1_l: tank,
          tank_2_l: 50,
          tank_3_l: 50,
          flow_1_total: 10 * at,
          flow_2_total: 0,
        });
      }
      return it.said.length;
    };
    expect([litres(0), litres(1)]).toEqual([0, 1]);
  });

  it("out-of-range: the newest reading of a sensor was rejected, until one is believed again", () => {
    const it = device(detecting("out-of-range", ["t", "rh"], {}));
    it.reads(begin, { t: 20, rh: 100 });
    expect(it.said).toEqual([]);
    it.rejects(begin + min, { t: { reason: "range", text: "-99.9" } });
    expect(raisedAt(it)).toEqual(["raised found +1 min"]);
    for (let at = 2; at < 5; at += 1) it.reads(begin + at * min, { t: 20, rh: 60 });
    expect(it.said.at(-1)).toMatch(/^cleared found/);
  });

  /** One value per hour for days, then `present`. */
  const days14 = (
    kind: DeviceKind,
    count: number,
    usual: (hourOfRun: number) => number,
    present: readonly number[],
  ) => {
    const it = device(kind);
    for (let at = 0; at < count * 24; at += 1) it.reads(begin + at * hour + 30 * min, { rdi: usual(at) });
    it.said.length = 0;
    for (const [at, value] of present.entries()) it.reads(begin + count * day + at * hour + 30 * min, { rdi: value });
    it.passes(begin + count * day + present.length * hour + min);
    return it;
  };

  it("baseline-sigma: both of two windows beyond three deviations; one is not enough", () => {
    const kind = detecting("baseline-sigma", ["rdi"], { baseline_days: 14, sigmas: 3, windows: 2, window_s: hours(6) });
    const usual = (at: number) => 1 + (Math.floor(at / 24) % 3) * 0.1;
    expect(raisedAt(days14(kind, 14, usual, Array(12).fill(1.3)))).toHaveLength(0);
    expect(raisedAt(days14(kind, 14, usual, [...Array(6).fill(1.1), ...Array(6).fill(3)]))).toHaveLength(0);
    expect(raisedAt(days14(kind, 14, usual, Array(12).fill(3)))).toHaveLength(1);
    // With less than half of the baseline, it is still learning.
    expect(raisedAt(days14(kind, 3, usual, Array(12).fill(3)))).toHaveLength(0);
  });

  it("baseline-sigma: by a fixed distance against the same hours of the days before", () => {
    const kind = detecting("baseline-sigma", ["rdi"], { baseline_days: 7, same_hour: "yes", above_k: 0.5, windows: 2 });
    // Afternoons are always warmer, which is no alarm.
    const usual = (at: number) => (at % 24 >= 12 ? 40 : 38);
    expect(raisedAt(days14(kind, 7, usual, [38.4, 38.4]))).toHaveLength(0);
    expect(raisedAt(days14(kind, 7, usual, [38.6, 38.6]))).toHaveLength(1);
    expect(raisedAt(days14(kind, 7, usual, [38.4, 38.6]))).toHaveLength(0);
  });

  it("baseline-ratio: above and below so many times the median or mean of like windows", () => {
    const above = detecting("baseline-ratio", ["rdi"], {
      against: "median",
      baseline_days: 7,
      above: 2,
      window_s: hours(24),
    });
    // One extreme day does not move the median.
    const usual = (at: number) => (Math.floor(at / 24) === 3 ? 9 : 1);
    expect(raisedAt(days14(above, 8, usual, Array(24).fill(1.9)))).toHaveLength(0);
    expect(raisedAt(days14(above, 8, usual, Array(24).fill(2.2)))).toHaveLength(1);
    const below = detecting("baseline-ratio", ["rdi"], {
      against: "mean",
      baseline_days: 7,
      below: 0.7,
      window_s: hours(24),
    });
    expect(raisedAt(days14(below, 8, () => 1, Array(24).fill(0.8)))).toHaveLength(0);
    expect(raisedAt(days14(below, 8, () => 1, Array(24).fill(0.6)))).toHaveLength(1);
    // Twice zero is still zero.
    expect(raisedAt(days14(above, 8, () => 0, Array(24).fill(5)))).toHaveLength(0);
  });

  it("baseline-ratio: a part of the day over midnight, by a meter, at the farm's clock", () => {
    const kind = detecting("baseline-ratio", ["meter"], {
      from: "22:00",
      to: "05:00",
      against: "median",
      baseline_days: 7,
      above: 2,
    });
    const nightUse = (last: number) => {
      const it = device(kind);
      let meter = 0;
      for (let at = 0; at < 8 * 24 + 4; at += 1) {
        const clock = at % 24;
        const night = clock >= 22 || clock < 5;
        // The day's use is three times as high, and is not compared.
        meter += night ? (at >= 7 * 24 + 22 ? last : 10) : 30;
        it.reads(begin + at * hour + 30 * min, { meter });
      }
      return it;
    };
    expect(raisedAt(nightUse(15))).toHaveLength(0);
    const [first] = raisedAt(nightUse(30));
    // At the end of the first full hour of the night, which began at 22:00 in China.
    expect(first).toBe(`raised found +${(7 * 24 + 23) * 60 + 30} min`);
  });

  it("share-of-last: among exactly the last so many", () => {
    const it = device(
      detecting("share-of-last", ["shot"], { field: "result", of: "misfire|wet", last: 50, above_percent: 5 }),
    );
    for (let at = 0; at < 49; at += 1) it.tells(begin + at * s, "shot", { result: at < 3 ? "wet" : "ok" });
    expect(it.said).toEqual([]);
    it.tells(begin + 50 * s, "shot", { result: "ok" });
    expect(raisedAt(it)).toHaveLength(1);
    const fewer = device(
      detecting("share-of-last", ["shot"], { field: "result", of: "misfire|wet", last: 50, above_percent: 5 }),
    );
    for (let at = 0; at < 80; at += 1) fewer.tells(begin + at * s, "shot", { result: at % 40 === 0 ? "wet" : "ok" });
    expect(fewer.said).toEqual([]);
  });

  it("coverage: fewer hours with a value than asked, of a device that was there all the time", () => {
    const kind = detecting("coverage", ["coughs"], { window_s: hours(24), least_percent: 80 });
    const heard = (skipped: (hourOfDay: number) => boolean) => {
      const it = device(kind);
      for (let at = 0; at <= 24; at += 1)
        it.reads(begin + at * hour, skipped(at) ? { laeq: 60 } : { laeq: 60, coughs: 1 });
      return raisedAt(it);
    };
    expect(heard((at) => at % 6 === 5)).toHaveLength(0);
    expect(heard((at) => at % 3 === 2)).toHaveLength(1);
    const young = device(kind);
    for (let at = 0; at < 20; at += 1) young.reads(begin + at * hour, { laeq: 60 });
    expect(young.said).toEqual([]);
  });

  it("repeat: the same value of a field within the window, told at that event", () => {
    const it = device(detecting("repeat", ["shot"], { field: "ear_tag", window_s: hours(24) }));
    it.tells(begin, "shot", { ear_tag: "A" });
    it.tells(begin + hour, "shot", { ear_tag: "B" });
    it.tells(begin + 2 * hour, "shot", { ear_tag: "" });
    it.tells(begin + 3 * hour, "shot", { ear_tag: "" });
    it.tells(begin + 25 * hour, "shot", { ear_tag: "A" });
    expect(it.said).toEqual([]);
    it.tells(begin + 26 * hour, "shot", { ear_tag: "A" });
    expect(raisedAt(it)).toHaveLength(1);
  });

  it("gap: a record that does not come, and a number that is left out", () => {
    const hourly = device(detecting("gap", ["hourly_record"], { every_s: hours(1) }));
    hourly.tells(begin, "hourly_record");
    hourly.reads(begin + 80 * min, { t: 20 });
    expect(hourly.said).toEqual([]);
    hourly.reads(begin + 91 * min, { t: 20 });
    expect(raisedAt(hourly)).toHaveLength(1);
    // Nobody knows whether a silent device writes records.
    const away = device(detecting("gap", ["hourly_record"], { every_s: hours(1) }));
    away.tells(begin, "hourly_record");
    away.passes(begin + 5 * hour);
    expect(away.said).toEqual([]);
    const numbered = device(detecting("gap", ["shot"], { field: "shot_no" }));
    for (const number of [1, 2, 3]) numbered.tells(begin + number * s, "shot", { shot_no: number });
    expect(numbered.said).toEqual([]);
    numbered.tells(begin + 9 * s, "shot", { shot_no: 5 });
    expect(raisedAt(numbered)).toHaveLength(1);
  });

  it("overdue: since the last event, or since what was planned was due", () => {
    const calibrated = device(detecting("overdue", ["calibration"], { after_s: days(30) }));
    calibrated.tells(begin, "calibration");
    calibrated.passes(begin + 30 * day);
    expect(calibrated.said).toEqual([]);
    calibrated.passes(begin + 30 * day + s);
    expect(raisedAt(calibrated)).toHaveLength(1);
    const planned = device(detecting("overdue", ["task"], { after_s: days(3) }), { dueAtMs: { task: begin } });
    planned.passes(begin + 2 * day);
    expect(planned.said).toEqual([]);
    planned.passes(begin + 4 * day);
    expect(raisedAt(planned)).toHaveLength(1);
  });

  it("mass-balance: what left the tank against what passed the meter", () => {
    const kind = detecting("mass-balance", ["rdi", "meter"], { window_s: hours(24), beyond_percent: 3 });
    const run = (perHour: number) => {
      const it = device(kind);
      for (let at = 0; at <= 24; at += 1) {
        it.reads(begin + at * hour + s, { rdi: 100 - at, meter: at * perHour });
        it.reads(begin + at * hour + 59 * min, { rdi: 100 - at - 59 / 60, meter: (at + 59 / 60) * perHour });
      }
      return raisedAt(it);
    };
    expect(run(1)).toHaveLength(0);
    expect(run(1.02)).toHaveLength(0);
    expect(run(1.1)).toHaveLength(1);
    expect(run(0.9)).toHaveLength(1);
  });

  it("window-mean: the mean of the last so many, to both sides", () => {
    const kind = detecting("window-mean", ["shot"], { field: "dose_deviation", last: 10, beyond_percent: 5 });
    const run = (deviation: (at: number) => number) => {
      const it = device(kind);
      for (let at = 0; at < 10; at += 1) it.tells(begin + at * s, "shot", { dose_deviation: deviation(at) });
      return raisedAt(it);
    };
    expect(run((at) => (at % 2 === 0 ? 9 : -9))).toHaveLength(0);
    expect(run(() => 6)).toHaveLength(1);
    expect(run(() => -6)).toHaveLength(1);
  });

  it("firmware-differs: another one than assigned, for its time; nothing is asked where none is assigned", () => {
    const kind = detecting("firmware-differs", ["fw"], { after_s: days(1) });
    const it = device(kind, { targetFirmware: "1.5.0" });
    for (let at = 0; at < 24; at += 1) it.reads(begin + at * hour, { fw: "1.4.2" });
    expect(it.said).toEqual([]);
    it.reads(begin + 24 * hour, { fw: "1.4.2" });
    expect(raisedAt(it)).toHaveLength(1);
    it.reads(begin + 25 * hour, { fw: "1.5.0" });
    it.reads(begin + 26 * hour, { fw: "1.5.0" });
    expect(it.said.at(-1)).toContain("cleared");
    const free = device(kind);
    for (let at = 0; at < 30; at += 1) free.reads(begin + at * hour, { fw: "1.4.2" });
    expect(free.said).toEqual([]);
  });

  it("may stand beside other conditions", () => {
    const kind = kindWith([
      rule(
        "found",
        "发现",
        "Found",
        "MINOR",
        allOf(detect("silence", ["laeq"], { after_s: 300 }), when("pigs", "gt", 0)),
      ),
    ]);
    for (const [pigs, count] of [
      [0, 0],
      [200, 1],
    ] as const) {
      const it = device(kind);
      it.reads(begin, { laeq: 60, pigs });
      for (let at = 1; at < 10; at += 1) it.reads(begin + at * min, { pigs });
      expect(raisedAt(it)).toHaveLength(count);
    }
  });
});

describe("real kinds", () => {
  it("an event raises at once and clears when it is over", () => {
    const it = device(kindWith([rule("fit", "发作", "Fit", "WARN", onEvent("episode", ["peak", "ge", 30]))]));
    it.tells(begin, "episode", { peak: 20 });
    expect(it.said).toEqual([]);
    it.tells(begin + min, "episode", { peak: 40 });
    it.passes(begin + min + s);
    it.passes(begin + 3 * min);
    expect(it.said).toEqual(["raised fit +1 min", `cleared fit +${(2 * min + 1) / min} min`]);
  });

  it("environment: a fan failure is raised by its declaration, with its duration", () => {
    const it = device(environment, { pigstyType: "fattening" });
    const good = {
      t_in: 20,
      t_target: 20,
      rh: 65,
      pigs: 400,
      mode: "normal",
      gear_cmd: 6,
      gear: 6,
      fan_1: true,
      fan_2: true,
      dp: 20,
    };
    for (let at = 0; at < 5; at += 1) it.reads(begin + at * min, good);
    expect(it.said).toEqual([]);
    for (let at = 5; at < 8; at += 1) it.reads(begin + at * min, { ...good, fan_1: false, fan_2: false });
    expect(it.said).toEqual(["raised all_fans_off +7 min"]);
  });

  it.each([
    ["disinfect", "ph_off", { ph: 9 }, { key: "ph", value: 9, limit: 8.5 }],
    ["disinfect", "ph_off", { ph: 5 }, { key: "ph", value: 5, limit: 5.5 }],
    ["bathroom", "tank_low", { tank: 80, disinfectant: 9 }, { key: "disinfectant", value: 9, limit: 15 }],
    ["bathroom", "water_temperature", { flow: 6, water_t: 46 }, { key: "water_t", value: 46, limit: 45 }],
    ["bathroom", "water_temperature", { flow: 6, water_t: 30 }, { key: "water_t", value: 30, limit: 34 }],
  ] as const)("%s: %s names the limit that was passed, of %o", (id, ruleId, values, figure) => {
    const evaluator = createEvaluator(deviceKinds[id]);
    const told = Array.from({ length: 15 }, (_, at) =>
      evaluator.take({ type: "readings", atMs: begin + at * min, values }, begin + at * min),
    ).flat();
    expect(told.find((change) => change.ruleId === ruleId)).toMatchObject({ type: "raised", figure });
    const about = verdictOf(deviceKinds[id], figure.key, values, { ageS: 0 });
    expect(about.rule?.id).toBe(ruleId);
    expect(about.reason.zh).toContain(`${figure.value > figure.limit ? "上限" : "下限"} ${figure.limit}`);
  });

  it.each(Object.values(deviceKinds).map((kind) => [kind.kind, kind] as const))(
    "%s: a day of ordinary values raises no threshold, and the state stays JSON",
    (_id, kind) => {
      const it = device(kind, { pigstyType: "fattening" });
      for (let at = 0; at < 48; at += 1) {
        const values: Record<string, ReportedValue> = {};
        for (const { key, type, normal } of kind.channels)
          if (type === "number" && normal) values[key] = (normal[0] + normal[1]) / 2 + (at % 3) * 1e-3;
        it.reads(begin + at * 30 * min, values);
      }
      const state = it.evaluator.state();
      expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    },
  );
});
