import { expect, test } from "vitest";
import { worstMark } from "./worst-mark.ts";

const alarm = (unitId: string, severity: "MINOR" | "MAJOR", untilMs?: number) => ({
  farmId: "farm",
  houseId: "house",
  unitId,
  severity,
  state: "open" as const,
  ...(untilMs !== undefined && { known: { untilMs, by: "Li Min" } }),
});

test("a place bears the mark of its worst alarm that nobody knows of", () => {
  const alarms = [alarm("1", "MAJOR", 200), alarm("2", "MINOR"), alarm("3", "MAJOR")];
  expect(["1", "2", "house", "4"].map((place) => worstMark(alarms, place, 100))).toEqual([
    "aside",
    "minor",
    "major",
    undefined,
  ]);
  expect(worstMark(alarms, "1", 300)).toBe("major");
});
