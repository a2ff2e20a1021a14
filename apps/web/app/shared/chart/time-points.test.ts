import { describe, expect, it } from "vitest";
import { silencesOf, valueAt, withGaps } from "./time-points.ts";

const points = [
  { atMs: 0, value: 1 },
  { atMs: 60, value: 2 },
  { atMs: 400, value: 3 },
];

describe("points of a chart", () => {
  it("a silence is a pause of everything that the device sends, not of one value", () => {
    expect(silencesOf([400, 0, 60, 120, 300, 240, 180], 100)).toEqual([]);
    expect(silencesOf([0, 60, 400], 100)).toEqual([[60, 400]]);
    expect(silencesOf([], 100)).toEqual([]);
  });
  it("no line crosses a silence; a value holds until it begins, and the last one until the device was heard", () => {
    expect(withGaps(points, [[120, 400]], 460)).toEqual([
      [0, 1],
      [60, 2],
      [120, 2],
      [121, null],
      [400, 3],
      [460, 3],
    ]);
    expect(withGaps(points, [], undefined)).toEqual(points.map(({ atMs, value }) => [atMs, value]));
    expect(withGaps([], [], 5)).toEqual([]);
  });
  it("tell the value that held at a moment, and none inside or across a silence", () => {
    expect([-1, 0, 59, 60, 119].map((atMs) => valueAt(points, atMs, [[120, 400]]))).toEqual([undefined, 1, 1, 2, 2]);
    expect(valueAt(points, 200, [[120, 400]])).toBeUndefined();
    expect(valueAt(points, 390, [[120, 380]])).toBeUndefined();
    expect(valueAt(points, 401, [[120, 400]])).toBe(3);
  });
});
