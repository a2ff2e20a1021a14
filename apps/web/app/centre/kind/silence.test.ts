import { expect, test } from "vitest";
import { longestSilence } from "./silence.ts";

const hourMs = 3_600_000;
const at = (...hours: number[]): number[] => hours.map((hour) => hour * hourMs);

test("the longest stretch of hours without a report is found with its beginning", () => {
  expect(longestSilence(at(0, 1, 4, 5, 9), 0, 10.5 * hourMs)).toEqual({
    share: 0.5,
    lengthMs: 3 * hourMs,
    fromMs: 6 * hourMs,
  });
});

test("the running hour is no silence yet, and a silence up to it counts", () => {
  expect(longestSilence(at(0, 1), 0, 2.9 * hourMs)).toEqual({ share: 1, lengthMs: 0, fromMs: 0 });
  expect(longestSilence(at(0, 1), 0, 5.1 * hourMs)).toMatchObject({
    share: 0.4,
    lengthMs: 3 * hourMs,
    fromMs: 2 * hourMs,
  });
  expect(longestSilence([], 0, 3 * hourMs)).toMatchObject({ share: 0, lengthMs: 3 * hourMs });
});

test("hours before the span's first whole hour count for nothing", () => {
  expect(longestSilence(at(0, 1, 2), 0.5 * hourMs, 3 * hourMs)).toEqual({ share: 1, lengthMs: 0, fromMs: hourMs });
});
