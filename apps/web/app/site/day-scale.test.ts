import { expect, test } from "vitest";
import { gapsOf, piecesOf } from "./day-scale.ts";

const hour = 3_600_000;

test("hours without a value are gaps, and the line breaks there", () => {
  const points = [0, 1, 4].map((at): [number, number] => [at * hour, at]);
  expect(gapsOf(points, 0, 6 * hour)).toEqual([
    [2 * hour, 4 * hour],
    [5 * hour, 6 * hour],
  ]);
  expect(piecesOf(points).map((piece) => piece.map(([, value]) => value))).toEqual([[0, 1], [4]]);
  expect(gapsOf(points, 0, 2 * hour)).toEqual([]);
});
