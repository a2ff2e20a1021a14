import { describe, expect, test } from "vitest";
import { answersOf, dayValues, growthPerDay, type Pair, sizeByHour, together } from "./lines.ts";
import { dayCorrelation, effectiveDays, holm, mannWhitney, pairedT, welchT } from "./statistics.ts";

// Student's sleep data (Biometrika 6, 1908), as R holds it in datasets::sleep.
const first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
const other = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
/** Every other day: no two of them follow each other, so that each counts whole. */
const apart = (values: readonly number[]) => values.map((value, at) => [2 * at, value] as const);
const inRow = (values: readonly number[]) => values.map((value, at) => [at, value] as const);

describe("against the published results of R on Student's data", () => {
  test("the paired t-test", () => {
    const result = pairedT(apart(other.map((value, at) => value - (first[at] ?? 0))));
    expect(result.size).toBeCloseTo(1.58, 10);
    expect(result.p).toBeCloseTo(0.002833, 6);
    expect([result.low, result.high]).toEqual([expect.closeTo(0.7001142, 6), expect.closeTo(2.4598858, 6)]);
  });
  test("Welch's t-test", () => {
    const result = welchT(apart(first), apart(other));
    expect(result.p).toBeCloseTo(0.07939, 5);
    expect([result.low, result.high]).toEqual([expect.closeTo(-0.2054832, 6), expect.closeTo(3.3654832, 6)]);
  });
  test("the Mann-Whitney test with ties and continuity", () => {
    expect(mannWhitney(apart(first), apart(other)).p).toBeCloseTo(0.06933, 5);
  });
  test("Holm's correction", () => {
    expect(holm([0.03, 0.01, 0.04, 0.02])).toEqual([0.06, 0.04, 0.06, 0.06]);
    expect(holm([0.6, 0.9])).toEqual([1, 1]);
  });
});

test("days that resemble each other count for fewer", () => {
  expect(dayCorrelation(apart([1, 2, 3, 4, 5, 6]))).toBe(0);
  expect(dayCorrelation(inRow([1, 2, 3, 4, 5, 6, 7, 8, 9]))).toBeGreaterThan(0.6);
  expect(effectiveDays(30, 0.5)).toBe(10);
  expect(effectiveDays(3, 0.8)).toBe(2);
});

test("sides without any spread differ or do not", () => {
  expect(pairedT(inRow([0, 0, 0, 0, 0])).p).toBe(1);
  expect(pairedT(inRow([2, 2, 2, 2, 2]))).toMatchObject({ size: 2, low: 2, high: 2, p: 0 });
  expect(mannWhitney(inRow([0, 0, 0, 0, 0]), inRow([0, 0, 0, 0, 0])).p).toBe(1);
});

/** Numbers between 0 and 1 that are the same in every run (mulberry32). */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
/** Days of a herd that resemble the day before by `alike`, around 0 with a deviation of 1. */
function herd(next: () => number, days: number, alike: number): number[] {
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  let value = normal();
  return Array.from({ length: days }, () => {
    const told = value;
    value = alike * value + Math.sqrt(1 - alike ** 2) * normal();
    return told;
  });
}
const pairOf = (a: readonly number[], b: readonly number[], more: Partial<Pair>): Pair => ({
  key: "nh3",
  first: 0,
  other: 1,
  a: inRow(a),
  b: inRow(b),
  shared: true,
  counted: false,
  ...more,
});
const counts = (values: readonly number[]): number[] => values.map((value) => Math.round(Math.exp(value)));

describe.each([
  ["paired", { shared: true }],
  ["spans", { shared: false }],
  ["counts", { counted: true }],
] as const)("planted herds, %s", (_name, how) => {
  const seeds = Array.from({ length: 600 }, (_, seed) => seed + 1);
  const shape = "counted" in how ? counts : (values: readonly number[]) => values;
  test.each([7, 14, 30])("say no difference where there is none, over %i days", (days) => {
    for (const alike of [0, 0.3, 0.6]) {
      const alarms = seeds.filter((seed) => {
        const next = numbersOf(seed);
        const pair = pairOf(shape(herd(next, days, alike)), shape(herd(next, days, alike)), how);
        return answersOf([pair])[0]?.verdict === "different";
      });
      // 5 %, and three standard errors of 600 seeds.
      expect(alarms.length / seeds.length).toBeLessThan(0.077);
    }
  });
  test("say the difference that was planted", () => {
    const found = seeds.slice(0, 200).filter((seed) => {
      const next = numbersOf(seed);
      const raised = herd(next, 30, 0.3).map((value) => value + 2);
      const [answer] = answersOf([pairOf(shape(herd(next, 30, 0.3)), shape(raised), how)]);
      return answer?.verdict === "different" && (answer.size ?? 0) > 0 && (answer.low ?? 0) > 0;
    });
    expect(found.length / 200).toBeGreaterThan(0.9);
  });
});

test("several comparisons are corrected together, and few days are no verdict", () => {
  const next = numbersOf(7);
  const noise = () => pairOf(herd(next, 20, 0.2), herd(next, 20, 0.2), {});
  const few = pairOf([1, 2, 3, 4], [5, 6, 7, 8], {});
  const answers = answersOf([noise(), few, noise(), noise()]);
  expect(answers[1]).toEqual({ key: "nh3", first: 0, other: 1, verdict: "too-few", test: "paired-t", days: [4, 4] });
  const [alone] = answersOf([pairOf(herd(numbersOf(7), 20, 0.2), [], {})]);
  expect(alone?.verdict).toBe("too-few");
  const raw = answersOf([pairOf([1, 2, 1, 2, 1], [2, 3, 2, 3, 2.1], {})])[0]?.p ?? 1;
  const corrected = answersOf([pairOf([1, 2, 1, 2, 1], [2, 3, 2, 3, 2.1], {}), noise(), noise()])[0]?.p ?? 0;
  expect(corrected).toBeCloseTo(Math.min(1, raw * 3), 10);
});

describe("values of places", () => {
  const dayMs = 86_400_000;
  const hourMs = 3_600_000;
  test("a counter is told by what it gains a day; the day of a new meter is a gap", () => {
    const highest = [100, 130, 10].map((value, at) => [at * dayMs, value] as const);
    expect(growthPerDay([...highest, [2.5 * dayMs, 15]]).map(([, value]) => value)).toEqual([30, 10]);
  });
  test("a mean of devices stands where half of them tell", () => {
    const all = [[[0, 10] as const, [1, 10] as const, [2, 10] as const], [[0, 20] as const], [[0, 30] as const], []];
    expect(together(all)).toEqual([[0, 20]]);
    expect(together([[[5, 1]], []])).toEqual([[5, 1]]);
  });
  test("a day counts with 16 hours of it, by the days of Asia/Shanghai", () => {
    const midnight = Date.UTC(2026, 5, 1, 16);
    const hours = (count: number, from: number) =>
      Array.from({ length: count }, (_, at) => [midnight + (from + at) * hourMs, from] as const);
    const days = dayValues([...hours(15, -24), ...hours(16, 0), ...hours(24, 24)], "time", "hour");
    expect(days.map(([, value]) => value)).toEqual([0, 24]);
    expect(days.length === 2 && (days[1]?.[0] ?? 0) - (days[0]?.[0] ?? 0)).toBe(1);
  });
  test("what lies apart by the hour of the day", () => {
    const at = Date.UTC(2026, 5, 1, 15);
    expect(
      sizeByHour(
        [
          [at, 1],
          [at + hourMs, 5],
        ],
        [
          [at, 3],
          [at + hourMs, 5],
          [at + 2 * hourMs, 9],
        ],
      ),
    ).toEqual([
      [0, 0],
      [23, 2],
    ]);
  });
});
