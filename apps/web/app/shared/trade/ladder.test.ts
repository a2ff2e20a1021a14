import { describe, expect, test } from "vitest";
import { ladderOf } from "./ladder.ts";

const band = (fromGrams: number, toGrams: number) => ({
  category: "outer",
  fromGrams,
  toGrams,
  adjustmentFen: 0,
  validFrom: "2026-01-01",
  status: "1",
});

describe("A ladder of weight bands", () => {
  test("has the bands alone where they meet", () => {
    expect(ladderOf([band(90, 100), band(100, 110)]).map(({ kind }) => kind)).toEqual(["band", "band"]);
  });

  test("shows weights that no band has, and weights that two of them have", () => {
    const steps = ladderOf([band(90, 100), band(105, 115), band(110, 120)]);
    expect(steps.filter(({ kind }) => kind !== "band")).toEqual([
      { kind: "gap", fromGrams: 100, toGrams: 105 },
      { kind: "overlap", fromGrams: 110, toGrams: 115 },
    ]);
  });

  test("is empty without bands", () => {
    expect(ladderOf([])).toEqual([]);
  });
});
