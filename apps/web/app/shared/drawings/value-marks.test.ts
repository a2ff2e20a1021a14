import { expect, test } from "vitest";
import { marksOf } from "./value-marks.ts";

test("a scale has round marks and holds all values", () => {
  expect(marksOf([1.6, 13.2])).toEqual([0, 5, 10, 15]);
  expect(marksOf([20.1, 21.9])).toEqual([20, 21, 22]);
  expect(marksOf([5])).toEqual([5, 5.2]);
  expect(marksOf([0])).toHaveLength(2);
  for (const values of [
    [-3, 8],
    [0.001, 0.0042],
    [99_000, 101_000],
  ]) {
    const marks = marksOf(values);
    expect(marks.length).toBeGreaterThanOrEqual(2);
    expect(marks.length).toBeLessThanOrEqual(6);
    const [first = Number.NaN, last = Number.NaN] = [marks[0], marks.at(-1)];
    expect([first <= Math.min(...values), last >= Math.max(...values)]).toEqual([true, true]);
  }
});
