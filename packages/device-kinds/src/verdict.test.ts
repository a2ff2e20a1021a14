import { describe, expect, it } from "vitest";
import { withThresholds } from "./conditions.ts";
import { bathroom } from "./kinds/bathroom.ts";
import { deodorization } from "./kinds/deodorization.ts";
import { dosingStation } from "./kinds/dosing-station.ts";
import { environment } from "./kinds/environment.ts";
import { needleless } from "./kinds/needleless.ts";
import {
  faultOf,
  type MomentValues,
  problemsOf,
  rangeOf,
  shadedOf,
  shortfallOf,
  type VerdictContext,
  verdictOf,
  verdictsOf,
  worstState,
} from "./verdict.ts";

const calm = {
  t_in: 20.1,
  t1: 20,
  t2: 20.2,
  t3: 20.3,
  t4: 19.9,
  rh: 68,
  t_out: 8,
  nh3: 9,
  co2: 1900,
  h2s: 0.4,
  dp: 18,
  gear: 3,
  gear_cmd: 3,
  vfd: 40,
  fan_1: true,
  fan_2: true,
  fan_3: false,
  fan_1_a: 1.1,
  mains: true,
  mode: "normal",
  t_target: 19.5,
  pigs: 900,
};
const assessReading = (context: VerdictContext, values: MomentValues) => verdictsOf(environment, values, context);
const now: VerdictContext = { ageS: 20, pigstyType: "fattening", weightKg: 60 };
const one = (key: string, change: Record<string, number | boolean | string>, context = now) => {
  const found = assessReading(context, { ...calm, ...change }).values.find((value) => value.key === key);
  if (!found) throw new Error(`${key} is not assessed`);
  return found;
};

describe("health of values", () => {
  it("finds nothing in a calm unit, and says the distance from the target", () => {
    const calmReading = assessReading(now, calm);
    expect(calmReading.values.filter(({ state }) => state !== "ok" && state !== "unknown")).toEqual([]);
    expect(calmReading.state).toBe("ok");
    expect(calmReading.freshness).toBe("live");
    expect(one("t_in", {}).deviation).toBeCloseTo(0.6);
    expect(one("t_in", { t_in: 18.7 }).deviation).toBeCloseTo(-0.8);
  });

  it.each([
    ["t_in", { t_in: 22.4 }, "ok"],
    ["t_in", { t_in: 22.6 }, "major"],
    ["t_in", { t_in: 24.6 }, "critical"],
    ["t_in", { t_in: 16.4 }, "major"],
    ["rh", { rh: 86 }, "minor"],
    ["rh", { rh: 44 }, "minor"],
    ["nh3", { nh3: 20 }, "ok"],
    ["nh3", { nh3: 21.6 }, "minor"],
    ["nh3", { nh3: 36 }, "major"],
    ["co2", { co2: 3001 }, "minor"],
    ["co2", { co2: 5001 }, "major"],
    ["h2s", { h2s: 5.1 }, "major"],
    ["h2s", { h2s: 10.1 }, "critical"],
    ["dp", { dp: 4 }, "minor"],
    ["dp", { dp: 41 }, "minor"],
    ["gear", { gear: 2 }, "major"],
    ["mains", { mains: false }, "critical"],
    ["probe_spread", { t3: 25 }, "minor"],
    ["thi", { t_in: 30, t_out: 29, rh: 70 }, "notice"],
    ["thi", { t_in: 34, t_out: 33, rh: 75 }, "major"],
    ["fans_running", { fan_1: false, fan_2: false }, "critical"],
    ["fan_current_deviation", { vfd: 100, fan_1_a: 2.6 * 1.34 }, "major"],
    ["fan_current_deviation", { vfd: 100, fan_1_a: 2.6 * 1.2 }, "ok"],
  ])("%s with %o is %s", (key, change, state) => {
    expect(one(key, change as Record<string, number | boolean>).state).toBe(state);
  });

  it("says how much and against which limit", () => {
    expect(one("nh3", { nh3: 21.6 }).reason).toEqual({
      zh: "高于上限 20.0 ppm",
      en: "above the limit 20.0 ppm",
    });
    expect(one("t_in", { t_in: 23.6 }).reason.zh).toBe("高于上限 22.5 °C");
    expect(one("gear", { gear: 2 }).reason.zh).toBe("档位未到位");
  });

  it("lets the upper limit follow hot weather but not without reason", () => {
    expect(one("t_in", { t_in: 28, t_out: 26 }).state).toBe("ok");
    expect(one("t_in", { t_in: 33, t_out: 26 }).state).toBe("major");
    expect(one("t_in", { t_in: 28, t_out: 12 }).state).toBe("critical");
  });

  it("caps the offset by the pigsty's limit", () => {
    const boar: VerdictContext = { ...now, pigstyType: "boar" };
    expect(one("t_in", { t_target: 24, t_in: 25.5 }, boar).state).toBe("major");
    expect(one("t_in", { t_target: 24, t_in: 25.5 }, now).state).toBe("ok");
  });

  it("calls none of what must not be fine, and what is at any other limit at it", () => {
    const station = { state: "dispensing", valve_1: true, valve_1_cmd: true };
    const verdict = verdictOf(dosingStation, "valves_wrong", station, { ageS: 0 });
    expect(verdict).toMatchObject({ value: 0, standing: "fine", range: { high: 0 } });
    expect(one("nh3", { nh3: 20 }).standing).toBe("at-limit");
  });

  it("does not take the pause of the cycling fan for a failure", () => {
    expect(one("fans_running", { gear: 2, gear_cmd: 2, fan_1: false, fan_2: false }).state).toBe("ok");
  });

  it("does not take a wash for one that nobody ended", () => {
    expect(one("mode", { mode: "washing" })).toMatchObject({ state: "ok", standing: "fine" });
  });

  it("names the pump without a flow by its rule and asks for no lower limit of 0", () => {
    const station = { flow_1: 0, flow_2: 0, pump_1_hz: 40, valve_2: true, valve_2_cmd: true };
    const verdict = verdictOf(dosingStation, "flow_sum", station, { ageS: 0 });
    expect(verdict).toMatchObject({ state: "major", reason: { en: "pump on, no flow" }, range: {} });
  });

  it("tells a cause before what it leads to", () => {
    const station = {
      flow_1: 0,
      flow_2: 0,
      pump_1_hz: 40,
      valve_1: false,
      valve_1_cmd: true,
      valve_2: true,
      valve_2_cmd: true,
    };
    const { values } = verdictsOf(dosingStation, station, { ageS: 0 });
    expect(problemsOf(values, dosingStation.guides).map(({ rule }) => rule?.id)).toEqual([
      "valve_not_in_place",
      "no_flow",
    ]);
  });

  it("masks all but the safety class in empty and washing units", () => {
    for (const mode of ["empty", "washing"]) {
      const bad = { mode, t_in: 4, nh3: 40, mains: false, h2s: 6 };
      expect(one("t_in", bad)).toMatchObject({ state: "ok", standing: "masked" });
      expect(one("nh3", bad)).toMatchObject({ state: "ok", standing: "masked" });
      expect(one("mains", bad)).toMatchObject({ state: "critical", standing: "over-limit" });
      expect(one("h2s", bad)).toMatchObject({ state: "major", standing: "over-limit" });
    }
    expect(one("t_in", { t_in: 4 }, { ...now, mode: "empty" }).standing).toBe("masked");
  });

  it("grows stale after three intervals and offline after the limit", () => {
    const at = (ageS: number) => assessReading({ ...now, ageS }, { ...calm, t_in: 30 });
    expect(at(180)).toMatchObject({ freshness: "live", state: "critical" });
    expect(at(181)).toMatchObject({ freshness: "stale", state: "critical" });
    expect(at(301)).toMatchObject({ freshness: "offline", state: "unknown" });
    expect(at(720).values[0]?.reason.zh).toBe("离线 12 分钟");
    expect(at(Number.POSITIVE_INFINITY).values[0]?.reason.zh).toBe("尚无上报");
  });

  it("knows nothing of missing values, and they do not hide the rest", () => {
    const { t_in: _, ...rest } = calm;
    const reading = assessReading(now, { ...rest, nh3: null });
    expect(reading.values.find(({ key }) => key === "t_in")?.state).toBe("unknown");
    expect(reading.values.find(({ key }) => key === "nh3")?.state).toBe("unknown");
    expect(reading.state).toBe("ok");
    expect(assessReading({ ...now, mode: "empty" }, {}).state).toBe("unknown");
  });
});

describe("worst of states", () => {
  it("ranks them", () => {
    expect(worstState(["ok", "minor", "unknown"])).toBe("minor");
    expect(worstState(["unknown", "ok"])).toBe("ok");
    expect(worstState(["critical", "major"])).toBe("critical");
    expect(worstState([])).toBe("unknown");
  });

  it("says so loudly when nobody knows how warm it is, and not while the unit is empty", () => {
    const { t_in: _one, t1: _two, t2: _three, t3: _four, t4: _five, ...cold } = calm;
    const found = assessReading(now, cold);
    expect(found.values.find(({ key }) => key === "t_in")).toMatchObject({
      state: "critical",
      rule: { id: "temperature_unknown" },
      reason: { zh: "舍温未知" },
    });
    expect(found.state).toBe("critical");
    expect(assessReading({ ...now, mode: "empty" }, cold).state).not.toBe("critical");
    // One probe is enough to know the value.
    expect(assessReading(now, { ...cold, t2: 20 }).values.find(({ key }) => key === "t_in")?.state).toBe("unknown");
  });
});

describe("how a value stands, with the range that it was compared with", () => {
  const rh = (value: number, context = now) => verdictOf(environment, "rh", { ...calm, rh: value }, context);

  it.each([
    [68, "fine", "舒适"],
    [65, "fine", "舒适"],
    [64.6, "fine", "舒适"],
    [62, "off-comfort", "比舒适低 3"],
    [55, "off-comfort", "比舒适低 10"],
    [52, "outside-comfort", "比舒适低 13"],
    [79, "off-comfort", "比舒适高 4"],
    [45.4, "at-limit", "到下限"],
    [85, "at-limit", "到上限"],
    [86, "over-limit", "高于上限 85 %"],
  ])("humidity of %d is %s", (value, standing, reason) => {
    const found = rh(value);
    expect([found.standing, found.reason.zh]).toEqual([standing, reason]);
    expect(found.range).toEqual({ comfort: [65, 75], low: 45, high: 85 });
  });

  it("follows the stage of the pigs, and knows no comfort without them", () => {
    expect(rh(62, { ...now, pigstyType: "pregnancy" })).toMatchObject({
      standing: "fine",
      range: { comfort: [60, 70] },
    });
    expect(rh(52, { ...now, headCount: 0 })).toMatchObject({ standing: "fine", range: { low: 45, high: 85 } });
    const nursery = { ...now, pigstyType: "integrated", weightKg: 20 } as const;
    const grown = { ...nursery, weightKg: 60 };
    const comfort = (context: VerdictContext) => rangeOf(environment, "t_in", { t_target: 22 }, context).comfort;
    expect([comfort(nursery), comfort(grown)]).toEqual([
      [20, 25],
      [19, 23],
    ]);
  });

  it("has no comfort beyond a limit", () => {
    const { range, standing } = verdictOf(environment, "t_in", { ...calm, t_in: 22.6 }, now);
    expect([range, standing]).toEqual([{ comfort: [16.5, 22.5], low: 16.5, high: 22.5 }, "over-limit"]);
  });

  it("judges by the rules and the settings of the farm", () => {
    const rules = environment.alarmRules.map((rule) =>
      rule.id === "humidity_high" ? withThresholds(rule, { "rh.gt": 70 }) : rule,
    );
    expect(rh(72, { ...now, rules })).toMatchObject({ standing: "over-limit", range: { comfort: [65, 70], high: 70 } });
    expect(rh(86, { ...now, rules: [] })).toMatchObject({ standing: "outside-comfort", range: { comfort: [65, 75] } });
    const ph = (parameters: Record<string, number>) =>
      verdictOf(deodorization, "ph", { ph: 5 }, { ageS: 0, parameters });
    expect(ph({ ph_low: 1, ph_high: 4 })).toMatchObject({ standing: "over-limit", range: { low: 1, high: 4 } });
    expect(ph({ ph_low: 1, ph_high: 6 })).toMatchObject({ standing: "fine", range: { low: 1, high: 6 } });
  });

  it("names the limit that was passed, not the one before it", () => {
    const found = verdictOf(environment, "nh3", { ...calm, nh3: 40 }, now);
    expect(found).toMatchObject({ state: "major", range: { high: 35 }, reason: { zh: "高于上限 35.0 ppm" } });
  });

  it("counts a limit only while the rest of its rule holds", () => {
    const dp = (gear: number) => verdictOf(environment, "dp", { ...calm, dp: 2, gear }, now);
    expect(dp(3)).toMatchObject({ standing: "over-limit", range: { low: 5, high: 40 } });
    expect(dp(0).range).toEqual({ usual: [10, 30], high: 40 });
  });

  it("judges each value of a rule that names several", () => {
    const low = { tank: 10, disinfectant: 9 };
    for (const key of ["tank", "disinfectant"])
      expect(verdictOf(bathroom, key, low, { ageS: 0 })).toMatchObject({ standing: "over-limit", range: { low: 15 } });
  });

  it("calls nothing good that is old, masked, rejected or unreadable", () => {
    expect(rh(68, { ...now, ageS: 181 }).standing).toBe("stale");
    expect(rh(90, { ...now, ageS: 181 }).standing).toBe("over-limit");
    expect(rh(68, { ...now, ageS: 301 })).toMatchObject({ standing: "stale", state: "unknown" });
    expect(rh(90, { ...now, isMasked: (id) => id === "humidity_high" })).toMatchObject({ standing: "outside-comfort" });
    expect(rh(90, { ...now, isMasked: () => true })).toMatchObject({ standing: "masked", range: {} });
    const { rh: _, ...rest } = calm;
    const rejected = { rh: { text: "-127" } };
    expect(verdictOf(environment, "rh", rest, { ...now, rejected }).standing).toBe("rejected");
    expect(rh(68, { ...now, rejected }).standing).toBe("fine");
    expect(verdictOf(environment, "rh", { ...calm, rh: "36,5" }, now).standing).toBe("unknown");
    expect(verdictOf(environment, "pigs", calm, now).standing).toBe("unjudged");
  });

  it("shades the band, else what the limits leave", () => {
    expect(shadedOf({ comfort: [1, 2], high: 3 })).toEqual([1, 2]);
    expect(shadedOf({ high: 3 })).toEqual([0, 3]);
    expect(shadedOf({})).toBeUndefined();
  });

  it("knows what an analytic should have come to, and which record is bad", () => {
    expect([shortfallOf({ least: 98 }, 97.9), shortfallOf({ least: 98 }, 98), shortfallOf({}, 1)]).toEqual([
      98,
      undefined,
      undefined,
    ]);
    const part = { type: "records", title: { zh: "", en: "" }, event: "e", columns: [] } as const;
    expect(faultOf({ ...part, within: { field: "x", percent: 5 } }, { fields: { x: -6 } })).toBe("x");
  });
});

describe("a value that counts only while something runs", () => {
  const peak = (state: string, p_peak: number) => verdictOf(needleless, "p_peak", { state, p_peak }, { ageS: 10 });

  it("of a shower says nothing while no water runs, and keeps the alarm of water that scalds", () => {
    const water = (flow: number, water_t: number) => verdictOf(bathroom, "water_t", { flow, water_t }, { ageS: 20 });
    expect(water(0, 25)).toMatchObject({ standing: "idle", state: "ok" });
    expect(water(8, 25).standing).not.toBe("idle");
    expect(water(0, 49)).toMatchObject({ standing: "over-limit", state: "critical" });
  });

  it("is idle while it does not run, and judged while it does", () => {
    expect(peak("ready", 0)).toMatchObject({ standing: "idle", state: "ok", reason: { zh: "停着", en: "idle" } });
    expect(peak("injecting", 0).standing).toBe("outside-comfort");
    expect(peak("injecting", 20).standing).toBe("fine");
  });
});
