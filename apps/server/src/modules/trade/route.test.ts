import { expect, test } from "vitest";
import { flagsOf, isTooFast, metresBetween, type Position, wayOf } from "./route.ts";

const minute = 60_000;
const start = Date.parse("2026-03-23T06:00:00Z");
/** A position so many minutes after the start and km to the north. */
const at = (minutes: number, km: number, accuracyM = 10): Position => ({
  atMs: start + minutes * minute,
  latitude: 33_000_000 + Math.round((km / 111.195) * 1_000_000),
  longitude: 112_000_000,
  accuracyM,
});
const farm = { id: "7", latitude: at(0, 20).latitude, longitude: 112_008_000 };
const way = (more: Partial<Parameters<typeof flagsOf>[0]> = {}) =>
  flagsOf({
    positions: [],
    farms: [farm],
    departedMs: start,
    arrivedMs: undefined,
    washedUntilMs: start + 600 * minute,
    nowMs: start + 60 * minute,
    ...more,
  }).map(({ kind, fromMs, toMs, farm: near, metres }) => [
    kind,
    (fromMs - start) / minute,
    (toMs - start) / minute,
    ...(near ? [near, metres] : []),
  ]);

test("distances are those of the earth", () => {
  expect(Math.round(metresBetween(at(0, 0), at(0, 10)))).toBe(10_000);
  // Nanyang to Zhengzhou.
  const far = metresBetween(
    { latitude: 32_990_000, longitude: 112_528_000 },
    { latitude: 34_746_000, longitude: 113_625_000 },
  );
  expect(Math.round(far / 1000)).toBe(220);
});

test("a jump is what no vehicle drives, less what the phone may be wrong by", () => {
  expect(isTooFast(at(0, 0), at(3, 9.9))).toBe(false);
  expect(isTooFast(at(0, 0), at(3, 10.1))).toBe(true);
  expect(isTooFast(at(3, 10.1), at(0, 0))).toBe(true);
  expect(isTooFast(at(0, 0, 100), at(3, 10.1))).toBe(false);
});

test("a stop of more than 15 minutes within 1 km of another farm is told, and no other one", () => {
  const stop = (minutes: number, km: number) => [at(3, 5), at(20, km), at(20 + minutes, km), at(30 + minutes, 40)];
  expect(way({ positions: stop(16, 20) })).toEqual([["stop", 20, 36, "7", 745]]);
  expect(way({ positions: stop(15, 20) })).toEqual([]);
  // 2 km off.
  expect(way({ positions: stop(16, 22) })).toEqual([]);
  // Driving past is no stop.
  expect(way({ positions: [at(3, 18), at(9, 19.4), at(20, 20.2), at(30, 21)] })).toEqual([]);
  // A phone that is wrong by some metres still stands.
  expect(way({ positions: [at(3, 5), at(20, 20), at(26, 20.1), at(32, 19.9), at(37, 20.05), at(50, 40)] })).toEqual([
    ["stop", 20, 37, "7", 745],
  ]);
});

test("more than 30 minutes without a position are a break, between departure and arrival", () => {
  const positions = [at(-40, 0), at(2, 1), at(33, 30), at(58, 50)];
  expect(way({ positions })).toEqual([["gap", 2, 33]]);
  expect(way({ positions: [at(-40, 0), at(2, 1), at(32, 30)] })).toEqual([]);
  // It goes on as long as nothing comes.
  expect(way({ positions: [at(2, 1)], nowMs: start + 90 * minute })).toEqual([["gap", 2, 90]]);
  expect(way({ positions: [at(2, 1)], arrivedMs: start + 20 * minute, nowMs: start + 900 * minute })).toEqual([]);
  // Before the departure there is no way, and without any position no break.
  expect(way({ positions: [at(-90, 0), at(-10, 0)], departedMs: undefined })).toEqual([]);
  expect(way({ nowMs: start + 900 * minute })).toEqual([]);
});

test("a certificate that was over at departure is told", () => {
  expect(way({ washedUntilMs: start - 5 * minute })).toEqual([["wash", -5, 0]]);
  expect(way({ washedUntilMs: start })).toEqual([["wash", 0, 0]]);
  expect(way({ washedUntilMs: start + 1 })).toEqual([]);
});

test("the way adds up what was driven", () => {
  expect(wayOf([at(0, 0), at(10, 10), at(20, 5)]).map(({ metres }) => Math.round(metres / 1000))).toEqual([0, 10, 15]);
});
