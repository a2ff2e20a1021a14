import { describe, expect, it } from "vitest";
import { eventMatches, readingLookup, ruleHolds, ruleThresholds, withThresholds } from "./conditions.ts";
import { allOf, during, onEvent, rule, when } from "./declare.ts";
import { environment } from "./kinds/environment.ts";

const ruleById = (id: string) => {
  const found = environment.alarmRules.find((candidate) => candidate.id === id);
  if (!found) throw new Error(id);
  return found;
};
const holds = (id: string, values: Record<string, number | boolean | string>, raised = false) =>
  ruleHolds(environment, ruleById(id), readingLookup(environment, values, {}), {}, raised);

describe("alarm conditions", () => {
  it("keep a raised alarm inside the hysteresis", () => {
    expect(holds("ammonia_high", { nh3: 19 })).toBe(false);
    expect(holds("ammonia_high", { nh3: 19 }, true)).toBe(true);
    expect(holds("ammonia_high", { nh3: 17.9 }, true)).toBe(false);
    expect(holds("temperature_low", { t_in: 17.3, t_target: 20 })).toBe(false);
    expect(holds("temperature_low", { t_in: 17.3, t_target: 20 }, true)).toBe(true);
  });
  it("are undefined when a value is missing, unless another part decides", () => {
    expect(holds("ammonia_high", {})).toBeUndefined();
    expect(holds("all_fans_off", { fan_1: false, pigs: 0 })).toBe(false);
    expect(holds("all_fans_off", { fan_1: false, pigs: 10, mode: "normal" })).toBeUndefined();
    expect(holds("all_fans_off", { fan_1: false, pigs: 10, mode: "normal", gear_cmd: 4 })).toBe(true);
  });
  it("do not answer for detectors", () => {
    expect(holds("water_at_night", { water: 1 })).toBeUndefined();
  });
  it("know the time of day, also over midnight", () => {
    const night = rule("x", "夜", "night", "WARN", allOf(during("22:00", "05:00"), when("rh", "gt", 0)));
    const at = (minuteOfDay: number) => ruleHolds(environment, night, () => 1, { minuteOfDay });
    expect([at(21 * 60 + 59), at(22 * 60), at(0), at(5 * 60)]).toEqual([false, true, true, false]);
  });
  it("match events by type and fields", () => {
    const shower = onEvent("shower", ["water_s", "lt", 300]);
    expect(eventMatches(shower, { type: "shower", water_s: 200 })).toBe(true);
    expect(eventMatches(shower, { type: "shower", water_s: 300 })).toBe(false);
    expect(eventMatches(shower, { type: "other", water_s: 200 })).toBe(false);
  });
});

describe("thresholds", () => {
  it("can be listed and replaced", () => {
    const ammonia = ruleById("ammonia_high");
    expect(ruleThresholds(ammonia)).toEqual([{ id: "nh3.gt", of: "nh3", op: "gt", value: 20 }]);
    const stricter = withThresholds(ammonia, { "nh3.gt": 15, "other.gt": 1 });
    expect(ruleHolds(environment, stricter, () => 16, {})).toBe(true);
    expect(ruleHolds(environment, ammonia, () => 16, {})).toBe(false);
  });
  it("have unique ids inside every rule", () => {
    for (const each of environment.alarmRules) {
      const ids = ruleThresholds(each).map(({ id }) => id);
      expect(new Set(ids).size, each.id).toBe(ids.length);
    }
  });
});
