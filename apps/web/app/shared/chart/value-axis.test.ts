import { describe, expect, it } from "vitest";
import { type ValueAxis, valueAxis } from "./value-axis.ts";

/** The marks of an axis as they are written. */
const marksOf = ({ min, max, step, decimals }: ValueAxis): string[] =>
  Array.from({ length: Math.round((max - min) / step) + 1 }, (_, at) => (min + at * step).toFixed(decimals));

describe("the axis of values", () => {
  it("has different marks where the values do not vary", () => {
    expect(marksOf(valueAxis({ values: [50, 50, 50], decimals: 0, steps: 4 }))).toEqual(["45", "50", "55"]);
    expect(marksOf(valueAxis({ values: [50.2, 50.2], decimals: 1, steps: 4 }))).toEqual(["40", "50", "60"]);
    expect(marksOf(valueAxis({ values: [0], decimals: 0, steps: 4 }))).toEqual(["0", "1"]);
    expect(marksOf(valueAxis({ values: [], decimals: 1, steps: 2 }))).toEqual(["0.0", "0.1"]);
  });

  it("is no finer than the values are written", () => {
    for (const decimals of [0, 1, 2])
      for (const spread of [0, 0.001, 0.3, 1, 7, 940, 99_999])
        for (const base of [-20, 0, 3, 50, 1234.5])
          for (const steps of [2, 4]) {
            const marks = marksOf(valueAxis({ values: [base, base + spread], decimals, steps }));
            expect(new Set(marks).size).toBe(marks.length);
            expect(marks.length).toBeLessThanOrEqual(steps + 3);
          }
  });

  it("has no mark near another one at its ends", () => {
    expect(marksOf(valueAxis({ values: [0, 3], decimals: 0, steps: 2, fromZero: true }))).toEqual(["0", "2", "4"]);
    expect(marksOf(valueAxis({ values: [31, 68], decimals: 1, steps: 2, valid: [30, 110] }))).toEqual([
      "20",
      "40",
      "60",
      "80",
    ]);
  });

  it("holds limits and ends where nothing can be measured", () => {
    expect(valueAxis({ values: [62, 96], limits: [50, 85], decimals: 0, steps: 4, valid: [0, 100] })).toEqual({
      min: 40,
      max: 100,
      step: 20,
      decimals: 0,
    });
    expect(valueAxis({ values: [18.2, 27.9], decimals: 1, steps: 4, stepOfAxis: 5 })).toMatchObject({
      min: 15,
      max: 30,
    });
    expect(
      valueAxis({ values: [0, 38_040], limits: [0, 120_000], decimals: 0, steps: 4, fromZero: true }),
    ).toMatchObject({
      min: 0,
      max: 40_000,
    });
    expect(valueAxis({ values: [-3, 4], decimals: 0, steps: 4 })).toMatchObject({ min: -4, max: 6, step: 2 });
  });
});
