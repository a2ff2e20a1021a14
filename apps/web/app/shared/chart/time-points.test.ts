import { describe, expect, it } from "vitest";
import { doubtsAt, drawnOf, gapsOf, silencesOf, spread, valueAt, withGaps } from "./time-points.ts";

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

describe("rejected readings", () => {
  it("break a line until the next value, and at its end for good", () => {
    const gaps = gapsOf(points, [
      { fromMs: 100, toMs: 200, readings: 3 },
      { fromMs: 420, toMs: 430, readings: 2 },
    ]);
    expect(gaps).toEqual([
      [99, 400],
      [419, Number.POSITIVE_INFINITY],
    ]);
    expect(withGaps(points, gaps, 460)).toEqual([
      [0, 1],
      [60, 2],
      [99, 2],
      [100, null],
      [400, 3],
      [419, 3],
    ]);
    expect([99, 100, 399, 400, 419, 420].map((atMs) => valueAt(points, atMs, gaps))).toEqual([
      2,
      undefined,
      undefined,
      3,
      3,
      undefined,
    ]);
  });
  it("beside accepted ones of the same span break nothing", () => {
    expect(gapsOf(points, [{ fromMs: 60, toMs: 120, readings: 3 }])).toEqual([]);
  });
  it("are found by a pointer that is near", () => {
    const doubts = [{ fromMs: 100, toMs: 200, readings: 3 }];
    expect([94, 95, 150, 205, 206].map((atMs) => doubtsAt(doubts, atMs, 5).length)).toEqual([0, 1, 1, 1, 0]);
  });
  it("that are stored as values are not drawn: no axis follows what cannot be measured", () => {
    const stored = [...points, { atMs: 300, value: -127 }, { atMs: 500, value: 1.2e19 }];
    const drawn = drawnOf(stored, [{ fromMs: 350, toMs: 360, readings: 1 }], [-40, 60]);
    expect(drawn.points).toEqual(points);
    expect(drawn.doubts.map(({ fromMs, readings }) => [fromMs, readings])).toEqual([
      [300, undefined],
      [350, 1],
      [500, undefined],
    ]);
    expect(drawnOf(points, [], [-40, 60])).toEqual({ points, doubts: [] });
  });
});

describe("names at the ends of lines", () => {
  it("stay where they are while there is room", () => {
    expect(spread([100, 20, undefined, 60], 30)).toEqual([0, 0, 0, 0]);
    expect(spread([], 30)).toEqual([]);
  });
  it("make room around their common middle, in the order of their lines", () => {
    expect(spread([100, 100], 30)).toEqual([-15, 15]);
    expect(spread([50, 40], 30)).toEqual([10, -10]);
  });
  it("a group that meets another moves with it", () => {
    const places = [100, 100, 75, 300];
    const moved = spread(places, 30).map((by, at) => (places[at] ?? 0) + by);
    const order = moved.toSorted((a, b) => a - b);
    expect(order.slice(1).every((place, at) => place - (order[at] ?? 0) >= 30 - 1e-9)).toBe(true);
    expect(moved[3]).toBe(300);
    expect(moved[2]).toBe(order[0]);
  });
});
