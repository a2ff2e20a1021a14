import { describe, expect, test } from "vitest";
import {
  type DayFen,
  priceMove,
  priceSpread,
  type SellDaysInput,
  sellDayAfter,
  sellDays,
  sellDaysAhead,
  turningFall,
  usualConversion,
} from "./sell-days.ts";

const today = "2026-11-27";
const bands = [
  {
    from: today,
    bands: [
      { fromGrams: 90_000, toGrams: 120_000, adjustmentFen: 0 },
      { fromGrams: 120_000, toGrams: 135_000, adjustmentFen: -20 },
    ],
  },
];
/** 110 kg, 1 kg a day, 3.0 kg of feed for it at 3 yuan, 1 yuan beside it, 15 yuan for a kg. */
const plain: SellDaysInput = {
  today,
  weightGrams: 110_000,
  gains: Array.from({ length: sellDaysAhead }, () => 1000),
  feed: { nowThousandths: 3000, heavyThousandths: 3000, fenPerKg: 300 },
  otherFenPerDay: 100,
  price: { fen: 1500, changeFen: 0, spanDays: 14 },
  bands,
};
const on = (input: SellDaysInput, at: number) => {
  const day = sellDays(input).days[at];
  if (day === undefined) throw new Error("no such day");
  return day;
};

describe("margin of a day", () => {
  test("is the revenue of the gain less feed and other costs", () => {
    // A day brings 1 kg × 1500 = 1500, less 3 kg × 300 = 900 of feed, less 100: 500 fen.
    expect([0, 1, 9].map((at) => on(plain, at).marginFen)).toEqual([0, 500, 4500]);
    // The 10th day is in the next band: 120 kg × 1480 − 110 kg × 1500 = 12,600, less 9000 and 1000.
    expect(on(plain, 10)).toMatchObject({ weightGrams: 120_000, feedGrams: 30_000, marginFen: 2600 });
    // In it a day brings 480; 134 kg on the 24th one are the last ones with a price: 134 × 1480 − 165,000 − 21,600 − 2400.
    expect(sellDays(plain)).toMatchObject({
      best: { day: "2026-12-21", weightGrams: 134_000, marginFen: 9320 },
      window: { from: "2026-12-20", to: "2026-12-21" },
    });
    // Without the second band the best is 1 kg below it.
    const one = [{ from: today, bands: bands[0]?.bands.slice(0, 1) ?? [] }];
    expect(sellDays({ ...plain, bands: one }).best).toMatchObject({ day: "2026-12-06", marginFen: 4500 });
  });

  test("follows the curve of growth unless a gain is typed", () => {
    const slow = { ...plain, gains: plain.gains.map(() => 700) };
    expect(on(slow, 2).weightGrams).toBe(111_400);
    expect(on({ ...slow, gainGrams: 900 }, 2).weightGrams).toBe(111_800);
  });

  test("has a feed conversion that rises to the one at 120 kg and on", () => {
    // 110 kg: 3.0; 111 kg: 3.1; so on the second day 3000 + 3100 g were eaten.
    const rising = { ...plain, feed: { ...plain.feed, heavyThousandths: 4000 } };
    expect([1, 2, 3].map((at) => on(rising, at).feedGrams)).toEqual([3000, 6100, 9300]);
    expect(on({ ...rising, weightGrams: 125_000 }, 3).feedGrams).toBe(9000);
  });

  test("takes the price along its trend, and moved by percent", () => {
    // −14 fen in 14 days: 1490 on day 10, 1472 on day 28.
    const falling = { ...plain, price: { fen: 1500, changeFen: -14, spanDays: 14 } };
    expect([0, 10, 28].map((at) => on(falling, at).fenPerKg)).toEqual([1500, 1490, 1472]);
    expect(on({ ...plain, shiftPercent: -10 }, 5)).toMatchObject({ fenPerKg: 1350, marginFen: 5 * 350 });
  });

  test("has a range that grows with the root of the days, and none where the spread is not known", () => {
    // 28 fen in 14 days: 28 on day 14, and on day 7 28 × 0.707106 = 19.8, so 20.
    const spread = { ...plain, bands: [], price: { ...plain.price, bandFen: 28 } };
    const week = on(spread, 7);
    expect([week.lowFen, week.marginFen, week.highFen]).toEqual([3500 - 117 * 20, 3500, 3500 + 117 * 20]);
    const fortnight = on(spread, 14);
    expect([fortnight.lowFen, fortnight.highFen]).toEqual([7000 - 124 * 28, 7000 + 124 * 28]);
    expect(on(spread, 0)).toMatchObject({ lowFen: 0, highFen: 0 });
    expect(on(plain, 7).lowFen).toBeUndefined();
    expect(sellDays(plain).unsureFrom).toBeUndefined();
  });

  test("is not reliable from the day whose range has all of the best one's", () => {
    // Five days bring 500 each, then a day costs 100. The best one is 2500 ± 115 × 17, the day after it 2400 ± 115 × 18.
    const grown = {
      ...plain,
      bands: [],
      gains: plain.gains.map((gain, at) => (at < 5 ? gain : 0)),
      price: { ...plain.price, bandFen: 28 },
    };
    const { best, unsureFrom } = sellDays(grown);
    expect([best?.day, best?.lowFen, best?.highFen]).toEqual(["2026-12-02", 545, 4455]);
    expect(unsureFrom).toBe("2026-12-03");
    // Where a day costs 500, the range of the day after ends at 2070, that of the best one at 2455.
    expect(sellDays({ ...grown, otherFenPerDay: 500 })).not.toHaveProperty("unsureFrom");
  });

  test("is absent for a weight without a price, which says why", () => {
    expect(on(plain, 25)).toMatchObject({ weightGrams: 135_000, noPrice: "over" });
    expect(on(plain, 25).marginFen).toBeUndefined();
    expect(on({ ...plain, weightGrams: 80_000 }, 9).noPrice).toBe("under");
    expect(on({ ...plain, weightGrams: 50_000, bands: [] }, 9).noPrice).toBe("light");
    const gap = [
      { from: today, bands: bands[0]?.bands.map((one, at) => (at ? { ...one, fromGrams: 122_000 } : one)) ?? [] },
    ];
    expect(on({ ...plain, bands: gap }, 11).noPrice).toBe("gap");
    expect(sellDays({ ...plain, weightGrams: 80_000 }).base).toMatchObject({ day: "2026-12-07", marginFen: 0 });
    expect(sellDays({ ...plain, weightGrams: 140_000 })).not.toHaveProperty("best");
  });

  test("has the bands that hold on its day", () => {
    const later = { from: "2026-11-30", bands: [{ fromGrams: 0, toGrams: 200_000, adjustmentFen: 10 }] };
    const both = { ...plain, bands: [...bands, later] };
    expect([2, 3].map((at) => on(both, at).band?.adjustmentFen)).toEqual([0, 10]);
  });
});

test("the days of a withdrawal period are blocked, its last one too", () => {
  const held = sellDays({ ...plain, withdrawalUntil: "2026-12-06" });
  expect(held.days.filter(({ blocked }) => blocked)).toHaveLength(10);
  // What is left begins in the second band, where a day brings 480.
  expect(held.best).toMatchObject({ day: "2026-12-21", marginFen: 2600 + 14 * 480 });
  expect(held.window?.from).toBe("2026-12-20");
  expect(sellDays({ ...plain, withdrawalUntil: "2027-01-31" })).not.toHaveProperty("best");
});

test("a fall of prices that makes an earlier day the best one is told by its percent", () => {
  // A kg costs 900 of feed and 100 beside it. 1060 × 0.95 = 1007 pays for it, 1060 × 0.94 = 996 does not.
  const near = { ...plain, price: { ...plain.price, fen: 1060 }, bands: [] };
  expect(turningFall(near)).toEqual({ percent: 6, day: today });
  expect(turningFall({ ...plain, bands: [] })).toBeUndefined();
});

describe("prices", () => {
  const prices = (fenOf: (at: number) => number, days: number): DayFen[] =>
    Array.from({ length: days }, (_, at) => ({ day: sellDayAfter("2026-01-01", at), fen: fenOf(at) }));

  test("move from the oldest one within 14 days to the newest one", () => {
    expect(priceMove(prices((at) => 1500 - 2 * at, 30))).toEqual({
      day: "2026-01-30",
      fen: 1442,
      changeFen: -28,
      spanDays: 14,
    });
    expect(priceMove(prices(() => 1500, 1))).toMatchObject({ changeFen: 0, spanDays: 1 });
    expect(priceMove([])).toBeUndefined();
  });

  test("spread by four of five of their moves over 14 days, where there are enough", () => {
    // 74 days are 60 pairs; of 60 moves the 48th is the quantile: prices that grow by their day square move by 14 × (2 at + 14).
    expect(priceSpread(prices((at) => at * at, 74))).toEqual({ pairs: 60, bandFen: 14 * (2 * 47 + 14) });
    expect(priceSpread(prices((at) => at * at, 73))).toEqual({ pairs: 59 });
    // A missing day takes the pairs that it is in.
    expect(priceSpread(prices((at) => at, 74).filter((_, at) => at !== 20))).toEqual({ pairs: 58 });
  });
});

test("usual feed conversion is a line by weight within bounds", () => {
  expect([10_000, 60_000, 90_000, 120_000, 300_000].map(usualConversion)).toEqual([2033, 2700, 3100, 3500, 4500]);
});

describe("whatever the numbers are", () => {
  let seed = 7;
  /** An integer between two, both included; the same ones at each run. */
  const some = (min: number, max: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return min + Math.floor((seed / 2_147_483_648) * (max - min + 1));
  };
  const maybe = <Value>(value: Value): Value | undefined => (some(0, 1) === 0 ? undefined : value);
  const madeInput = (): SellDaysInput => ({
    today,
    weightGrams: some(40_000, 150_000),
    gains: Array.from({ length: sellDaysAhead }, () => some(0, 1500)),
    gainGrams: maybe(some(500, 1200)),
    feed: { nowThousandths: some(1500, 4500), heavyThousandths: some(1500, 4500), fenPerKg: some(100, 600) },
    otherFenPerDay: some(0, 1000),
    price: { fen: some(300, 6000), changeFen: some(-300, 300), spanDays: some(1, 14), bandFen: maybe(some(0, 500)) },
    shiftPercent: some(-10, 10),
    bands: some(0, 1) === 0 ? bands : [],
    withdrawalUntil: maybe(sellDayAfter(today, some(-5, 40))),
  });
  const inputs = Array.from({ length: 2000 }, madeInput);

  test("the best day and its window are never blocked, and have a price", () => {
    for (const input of inputs) {
      const { best, window, days } = sellDays(input);
      const sold = days.filter(({ blocked, marginFen }) => !blocked && marginFen !== undefined);
      expect(best === undefined).toBe(sold.length === 0);
      if (best === undefined || window === undefined) continue;
      const within = days.filter(({ day }) => day >= window.from && day <= window.to);
      expect(within).toContain(best);
      expect(within.some(({ blocked, noPrice }) => blocked || noPrice !== undefined)).toBe(false);
      expect(Math.max(...sold.map(({ marginFen = 0 }) => marginFen))).toBe(best.marginFen);
    }
  });

  test("a higher price of feed never moves the best day later", () => {
    let earlier = 0;
    for (const input of inputs) {
      const best = sellDays(input).best?.day ?? "";
      const dearer = { ...input, feed: { ...input.feed, fenPerKg: input.feed.fenPerKg + some(1, 600) } };
      const then = sellDays(dearer).best?.day ?? "";
      expect(then <= best).toBe(true);
      if (then < best) earlier += 1;
    }
    expect(earlier).toBeGreaterThan(100);
  });

  test("a weight over the last band has no price and is told as such", () => {
    const over = inputs
      .flatMap((input) => sellDays({ ...input, bands }).days)
      .filter(({ weightGrams }) => weightGrams >= 135_000);
    expect(over.length).toBeGreaterThan(1000);
    expect(new Set(over.map(({ noPrice, marginFen }) => `${noPrice} ${marginFen}`))).toEqual(
      new Set(["over undefined"]),
    );
  });
});
