import { describe, expect, test } from "vitest";
import { alarmSentence } from "./alarm-sentence.ts";
import { problemSentence } from "./judge.ts";
import { disinfect } from "./kinds/disinfect.ts";
import { dosingStation } from "./kinds/dosing-station.ts";
import { verdictOf } from "./verdict.ts";

const ordered = (...open: readonly number[]) =>
  Object.fromEntries(
    [1, 2, 3, 4].flatMap((valve) => [
      [`valve_${valve}`, false],
      [`valve_${valve}_cmd`, open.includes(valve)],
    ]),
  );

describe("what is wrong in one sentence", () => {
  test("sets the limit off from the name of the rule", () => {
    const found = verdictOf(disinfect, "free_cl", { free_cl: 0.04, flow: 0.5 }, { ageS: 0 });
    expect(problemSentence(found)).toEqual({
      zh: "余氯低，低于下限 0.30 mg/L",
      en: "Residual low, below the lower limit 0.30 mg/L",
    });
  });

  test("names the valves that are not in place", () => {
    const say = (...open: readonly number[]) =>
      problemSentence(verdictOf(dosingStation, "valves_wrong", ordered(...open), { ageS: 0 }));
    expect(say(1).en).toBe("Valve 1 not in place");
    expect(say(2, 4).zh).toContain("2、4 号阀未到位");
  });

  test("an alarm keeps the name that it was raised with", () => {
    const named = { zh: "1 号阀未到位", en: "Valve 1 not in place" };
    expect(
      alarmSentence(dosingStation, "valve_not_in_place", { key: "valves_wrong", value: 1, limit: 0, named }),
    ).toEqual(named);
  });
});
