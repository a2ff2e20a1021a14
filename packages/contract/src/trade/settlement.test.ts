import { describe, expect, test } from "vitest";
import { exactSum, exactText, halfEven } from "./money.ts";
import {
  lineArithmetic,
  type PricedBand,
  type Settled,
  SettlementError,
  type SettlementReason,
  settle,
  settlementBounds,
  type WeighedVehicle,
} from "./settlement.ts";

const band = (fromKg: number, toKg: number, adjustmentFen: number): PricedBand => ({
  fromGrams: fromKg * 1000,
  toGrams: toKg * 1000,
  adjustmentFen,
});
const outer = [band(90, 100, -30), band(100, 110, -10), band(110, 120, 0), band(120, 130, -10), band(130, 150, -40)];
const premium = [band(100, 130, 25)];

type Weighing = readonly [
  grossGrams: number,
  tareGrams: number,
  heads: number,
  less?: { dead?: number; share?: number; fixed?: number },
];
interface Terms {
  bands?: readonly PricedBand[];
  share?: number;
  fixed?: number;
  tax?: number;
  included?: boolean;
  paid?: readonly number[];
}
type Case = readonly [
  name: string,
  fenPerKg: number,
  vehicles: readonly Weighing[],
  terms: Terms,
  amounts: readonly number[],
  goods: number,
  tax: number,
  total: number,
  left: number,
];

const reason = "约定";
const vehicleOf = ([grossGrams, tareGrams, heads, less = {}]: Weighing, at: number): WeighedVehicle => ({
  plate: `豫R${at}`,
  grossGrams,
  tareGrams,
  heads,
  deductions: [
    ...(less.dead === undefined ? [] : [{ kind: "dead", heads: less.dead } as const]),
    ...(less.share === undefined ? [] : [{ kind: "share", basisPoints: less.share, reason } as const]),
    ...(less.fixed === undefined ? [] : [{ kind: "fixed", fen: less.fixed, reason } as const]),
  ],
});
const orderOf = ([
  ,
  fenPerKg,
  vehicles,
  { bands, share, fixed, tax = 0, included = false, paid = [] },
]: Case): Settled => ({
  vehicles: vehicles.map(vehicleOf),
  fenPerKg,
  ...(bands && { bands }),
  deductions: [
    ...(share === undefined ? [] : [{ kind: "share", basisPoints: share, reason } as const]),
    ...(fixed === undefined ? [] : [{ kind: "fixed", fen: fixed, reason } as const]),
  ],
  taxBasisPoints: tax,
  taxIncluded: included,
  paid: paid.map((fen) => ({ kind: "prepayment", fen })),
});

/** Worked out with decimal arithmetic in kg and yuan, by another program in another language. Weights in g, money in fen. */
// biome-ignore format: a table
const cases: readonly Case[] = [
  ["whole numbers", 1500, [[20_000_000, 8_000_000, 100]], {}, [18_000_000], 18_000_000, 0, 18_000_000, 18_000_000],
  ["the half goes up to the even fen", 1465, [[22_507_500, 8_000_000, 120]], {}, [21_253_488], 21_253_488, 0, 21_253_488, 21_253_488],
  ["half down: x.xx5 to even", 1, [[8_000_500, 8_000_000, 1]], {}, [0], 0, 0, 0, 0],
  ["half up: 1.5 fen to 2", 1, [[8_001_500, 8_000_000, 1]], {}, [2], 2, 0, 2, 2],
  ["half down: 2.5 fen to 2", 1, [[8_002_500, 8_000_000, 1]], {}, [2], 2, 0, 2, 2],
  ["half up: 3.5 fen to 4", 1, [[8_003_500, 8_000_000, 1]], {}, [4], 4, 0, 4, 4],
  ["just below a half", 1, [[8_002_499, 8_000_000, 1]], {}, [2], 2, 0, 2, 2],
  ["just above a half", 1, [[8_002_501, 8_000_000, 1]], {}, [3], 3, 0, 3, 3],
  ["one gram rounds to nothing", 1465, [[8_000_001, 8_000_000, 1]], {}, [1], 1, 0, 1, 1],
  ["a gram of 500 fen is half a fen, to 0", 500, [[8_000_001, 8_000_000, 1]], {}, [0], 0, 0, 0, 0],
  ["three grams of 500 fen are 1.5 fen, to 2", 500, [[8_000_003, 8_000_000, 1]], {}, [2], 2, 0, 2, 2],
  ["five grams of 500 fen are 2.5 fen, to 2", 500, [[8_000_005, 8_000_000, 1]], {}, [2], 2, 0, 2, 2],
  ["heaviest vehicle", 1537, [[100_000_000, 1, 900]], {}, [153_699_998], 153_699_998, 0, 153_699_998, 153_699_998],
  ["highest price", 100000, [[12_000_000, 8_000_000, 40]], {}, [400_000_000], 400_000_000, 0, 400_000_000, 400_000_000],
  ["odd price with grams", 1337, [[19_876_543, 8_123_456, 97]], {}, [15_713_877], 15_713_877, 0, 15_713_877, 15_713_877],
  ["piglets", 4280, [[9_510_000, 8_130_000, 92]], {}, [5_906_400], 5_906_400, 0, 5_906_400, 5_906_400],
  ["sow", 815, [[13_210_000, 8_200_000, 22]], {}, [4_083_150], 4_083_150, 0, 4_083_150, 4_083_150],
  ["lower border of 110 belongs to 110", 1460, [[19_000_000, 8_000_000, 100]], { bands: outer }, [16_060_000], 16_060_000, 0, 16_060_000, 16_060_000],
  ["a gram per head below 110", 1460, [[18_999_900, 8_000_000, 100]], { bands: outer }, [15_949_855], 15_949_855, 0, 15_949_855, 15_949_855],
  ["upper border of 120 belongs to 120", 1460, [[20_000_000, 8_000_000, 100]], { bands: outer }, [17_400_000], 17_400_000, 0, 17_400_000, 17_400_000],
  ["a gram per head below 120", 1460, [[19_999_900, 8_000_000, 100]], { bands: outer }, [17_519_854], 17_519_854, 0, 17_519_854, 17_519_854],
  ["mean rounds up to the border", 1460, [[19_999_960, 8_000_000, 100]], { bands: outer }, [17_399_942], 17_399_942, 0, 17_399_942, 17_399_942],
  ["mean of a half gram rounds to even, over the border", 1460, [[19_999_950, 8_000_000, 100]], { bands: outer }, [17_399_928], 17_399_928, 0, 17_399_928, 17_399_928],
  ["mean of a half gram rounds to even, below the border", 1460, [[19_999_850, 8_000_000, 100]], { bands: outer }, [17_519_781], 17_519_781, 0, 17_519_781, 17_519_781],
  ["lightest", 1460, [[17_000_000, 8_000_000, 100]], { bands: outer }, [12_870_000], 12_870_000, 0, 12_870_000, 12_870_000],
  ["nearly out of the heaviest", 1460, [[22_999_900, 8_000_000, 100]], { bands: outer }, [21_299_858], 21_299_858, 0, 21_299_858, 21_299_858],
  ["130 is the heaviest band", 1460, [[21_000_000, 8_000_000, 100]], { bands: outer }, [18_460_000], 18_460_000, 0, 18_460_000, 18_460_000],
  ["100 is the second band", 1460, [[18_000_000, 8_000_000, 100]], { bands: outer }, [14_500_000], 14_500_000, 0, 14_500_000, 14_500_000],
  ["one head", 1460, [[8_115_005, 8_000_000, 1]], { bands: outer }, [167_907], 167_907, 0, 167_907, 167_907],
  ["a premium", 1460, [[19_000_000, 8_000_000, 100]], { bands: premium }, [16_335_000], 16_335_000, 0, 16_335_000, 16_335_000],
  ["price falls to a fen", 31, [[17_500_000, 8_000_000, 100]], { bands: outer }, [9500], 9500, 0, 9500, 9500],
  ["dead heads at mean weight", 1460, [[19_700_000, 8_000_000, 101, { dead: 1 }]], {}, [16_912_871], 16_912_871, 0, 16_912_871, 16_912_871],
  ["dead weight that is half a gram, to even", 1460, [[8_000_005, 8_000_000, 2, { dead: 1 }]], {}, [4], 4, 0, 4, 4],
  ["all dead", 1460, [[19_700_000, 8_000_000, 100, { dead: 100 }]], {}, [0], 0, 0, 0, 0],
  ["dead heads count for the mean", 1460, [[20_100_000, 8_000_000, 100, { dead: 2 }]], { bands: outer }, [17_194_100], 17_194_100, 0, 17_194_100, 17_194_100],
  ["dirt", 1460, [[20_000_000, 8_000_000, 100, { share: 150 }]], {}, [17_257_200], 17_257_200, 0, 17_257_200, 17_257_200],
  ["dirt of half a gram, to even", 1460, [[8_000_050, 8_000_000, 1, { share: 100 }]], {}, [73], 73, 0, 73, 73],
  ["dirt of the order", 1460, [[20_000_000, 8_000_000, 100], [19_500_333, 8_000_000, 100]], { share: 75 }, [17_388_600, 16_664_558], 34_053_158, 0, 34_053_158, 34_053_158],
  ["dirt of vehicle and order rounded once", 1460, [[8_033_350, 8_000_000, 1, { share: 50 }]], { share: 50 }, [48_203], 48_203, 0, 48_203, 48_203],
  ["fixed amount of the vehicle", 1460, [[20_000_000, 8_000_000, 100, { fixed: 20_005 }]], {}, [17_499_995], 17_499_995, 0, 17_499_995, 17_499_995],
  ["fixed amount of the order", 1460, [[20_000_000, 8_000_000, 100]], { fixed: 100_001 }, [17_520_000], 17_520_000, 0, 17_419_999, 17_419_999],
  ["all deductions", 1465, [[20_123_456, 8_012_345, 104, { dead: 3, share: 120, fixed: 8888 }], [19_876_500, 8_000_000, 101, { share: 30 }]], { bands: outer, share: 25, fixed: 15_000 }, [16_964_809, 17_303_377], 34_268_186, 0, 34_253_186, 34_253_186],
  ["everything deducted", 1000, [[9_000_000, 8_000_000, 9, { fixed: 1_000_000 }]], {}, [0], 0, 0, 0, 0],
  ["9 % on top", 1465, [[22_507_500, 8_000_000, 120]], { tax: 900 }, [21_253_488], 21_253_488, 1_912_814, 23_166_302, 23_166_302],
  ["9 % within", 1465, [[22_507_500, 8_000_000, 120]], { tax: 900, included: true }, [21_253_488], 21_253_488, 1_754_875, 21_253_488, 21_253_488],
  ["tax of half a fen, to 0", 100, [[8_000_050, 8_000_000, 1]], { tax: 1000 }, [5], 5, 0, 5, 5],
  ["tax of one and a half fen, to 2", 100, [[8_000_150, 8_000_000, 1]], { tax: 1000 }, [15], 15, 2, 17, 17],
  ["tax of two and a half fen, to 2", 100, [[8_000_250, 8_000_000, 1]], { tax: 1000 }, [25], 25, 2, 27, 27],
  ["tax within of half a fen", 100, [[8_000_010, 8_000_000, 1]], { tax: 10000, included: true }, [1], 1, 0, 1, 1],
  ["tax within of one and a half fen", 100, [[8_000_030, 8_000_000, 1]], { tax: 10000, included: true }, [3], 3, 2, 3, 3],
  ["13 % within", 1537, [[23_456_789, 8_123_400, 131]], { tax: 1300, included: true }, [23_567_419], 23_567_419, 2_711_296, 23_567_419, 23_567_419],
  ["100 % on top", 1537, [[12_345_678, 8_000_000, 40]], { tax: 10000 }, [6_679_307], 6_679_307, 6_679_307, 13_358_614, 13_358_614],
  ["tax is of what is left of the goods", 1465, [[22_507_500, 8_000_000, 120]], { fixed: 51_234, tax: 900 }, [21_253_488], 21_253_488, 1_908_203, 23_110_457, 23_110_457],
  ["three halves are rounded each: to 2, 2 and 4 fen", 1, [[8_001_500, 8_000_000, 1], [8_002_500, 8_000_000, 1], [8_003_500, 8_000_000, 1]], {}, [2, 2, 4], 8, 0, 8, 8],
  ["two lines of half a fen are nothing", 500, [[8_000_001, 8_000_000, 1], [8_000_001, 8_000_000, 1]], {}, [0, 0], 0, 0, 0, 0],
  ["vehicles in different bands", 1460, [[19_500_000, 8_000_000, 100], [21_000_000, 8_000_000, 105], [18_222_250, 8_000_000, 98]], { bands: outer }, [16_790_000, 18_850_000, 14_822_262], 50_462_262, 0, 50_462_262, 50_462_262],
  ["one tax of three lines", 1465, [[19_505_500, 8_000_000, 100], [21_000_100, 8_000_000, 105], [18_222_250, 8_000_000, 98]], { bands: outer, tax: 900 }, [16_855_558, 18_915_146, 14_873_374], 50_644_078, 4_557_967, 55_202_045, 55_202_045],
  ["the same plate twice", 1460, [[20_000_000, 8_000_000, 100], [20_000_000, 8_000_000, 100]], {}, [17_520_000, 17_520_000], 35_040_000, 0, 35_040_000, 35_040_000],
  ["prepayment and deposit leave something", 1465, [[22_507_500, 8_000_000, 120]], { tax: 900, paid: [20_000_000, 1_200_000] }, [21_253_488], 21_253_488, 1_912_814, 23_166_302, 1_966_302],
  ["more was paid", 1465, [[22_507_500, 8_000_000, 120]], { paid: [25_000_000] }, [21_253_488], 21_253_488, 0, 21_253_488, -3_746_512],
  ["exactly paid", 1500, [[20_000_000, 8_000_000, 100]], { paid: [18_000_000] }, [18_000_000], 18_000_000, 0, 18_000_000, 0],
  ["everything at once", 1437, [[20_123_457, 8_012_345, 104, { dead: 3, share: 120, fixed: 8888 }], [19_876_500, 8_000_000, 101, { share: 30 }], [21_999_999, 7_999_001, 108]], { bands: outer, share: 25, fixed: 15_000, tax: 900, included: true, paid: [30_000_000, 2_400_000, 1] }, [16_640_398, 16_972_664, 19_929_476], 53_542_538, 4_419_705, 53_527_538, 21_127_537],
];

test.each(cases)("%s", (...one) => {
  const [, , , , amounts, goods, tax, total, left] = one;
  const settled = settle(orderOf(one));
  expect(settled.lines.map(({ amountFen }) => amountFen)).toEqual(amounts);
  expect([settled.goodsFen, settled.taxFen, settled.totalFen]).toEqual([goods, tax, total]);
  expect([settled.dueFen, settled.refundFen]).toEqual(left < 0 ? [0, -left] : [left, 0]);
});

const refused = (order: Settled): [SettlementReason, string | undefined, string | undefined] => {
  try {
    settle(order);
  } catch (error) {
    if (error instanceof SettlementError) return [error.reason, error.field, error.plate];
    throw error;
  }
  throw new Error("was settled");
};
const right: Case = ["", 1500, [[20_000_000, 8_000_000, 100]], { bands: outer }, [], 0, 0, 0, 0];
const withVehicle = (...weighing: Weighing): Settled => ({ ...orderOf(right), vehicles: [vehicleOf(weighing, 0)] });

test.each<[name: string, order: Settled, reason: SettlementReason, field?: string]>([
  ["tare as heavy as gross", withVehicle(8_000_000, 8_000_000, 100), "tare_not_below_gross"],
  ["tare heavier than gross", withVehicle(8_000_000, 8_000_001, 100), "tare_not_below_gross"],
  ["no heads", withVehicle(20_000_000, 8_000_000, 0), "no_heads"],
  ["lighter than every band", withVehicle(16_999_900, 8_000_000, 100), "no_band"],
  ["as heavy as the end of the last band", withVehicle(23_000_000, 8_000_000, 100), "no_band"],
  ["no band at all", { ...orderOf(right), bands: [] }, "no_band"],
  ["two bands for one weight", { ...orderOf(right), bands: [...outer, band(119, 121, 5)] }, "bands_overlap"],
  [
    "a price that its band takes away",
    { ...withVehicle(17_500_000, 8_000_000, 100), fenPerKg: 30 },
    "price_not_positive",
  ],
  ["more dead heads than heads", withVehicle(20_000_000, 8_000_000, 100, { dead: 101 }), "deduction_too_large"],
  [
    "dead heads and dirt beyond the weight",
    withVehicle(20_000_000, 8_000_000, 100, { dead: 60, share: 5000 }),
    "deduction_too_large",
  ],
  [
    "a fixed amount beyond the goods",
    withVehicle(20_000_000, 8_000_000, 100, { fixed: 18_000_001 }),
    "deduction_too_large",
  ],
  ["half a gram", withVehicle(20_000_000.5, 8_000_000, 100), "not_integer", "grossGrams"],
  ["a number beyond safe integers", withVehicle(2 ** 53, 8_000_000, 100), "not_integer", "grossGrams"],
  ["a weight that is none", withVehicle(20_000_000, Number.NaN, 100), "not_integer", "tareGrams"],
  ["negative heads", withVehicle(20_000_000, 8_000_000, -1), "out_of_bounds", "heads"],
  ["a vehicle of more than 100 t", withVehicle(100_000_001, 8_000_000, 100), "out_of_bounds", "grossGrams"],
  ["a negative deduction", withVehicle(20_000_000, 8_000_000, 100, { fixed: -1 }), "out_of_bounds", "fixedFen"],
  ["a negative share", withVehicle(20_000_000, 8_000_000, 100, { share: -1 }), "out_of_bounds", "basisPoints"],
])("%s is refused", (_name, order, expected, field) => {
  expect(refused(order)).toEqual([expected, field, "豫R0"]);
});

test.each<[name: string, change: Partial<Settled>, reason: SettlementReason, field?: string]>([
  ["no vehicle", { vehicles: [] }, "no_vehicle"],
  ["no price", { fenPerKg: 0 }, "out_of_bounds", "fenPerKg"],
  ["a price with half a fen", { fenPerKg: 1500.5 }, "not_integer", "fenPerKg"],
  ["a tax beyond all", { taxBasisPoints: 10_001 }, "out_of_bounds", "taxBasisPoints"],
  ["a negative payment", { paid: [{ kind: "deposit", fen: -1 }] }, "out_of_bounds", "paidFen"],
  ["an adjustment of half a fen", { bands: [band(110, 130, 0.5)] }, "not_integer", "adjustmentFen"],
  ["a band of half a gram", { bands: [band(110, 129.9995, 0)] }, "not_integer", "bandGrams"],
  [
    "a fixed amount beyond all goods",
    { deductions: [{ kind: "fixed", fen: 18_000_001, reason }] },
    "deduction_too_large",
  ],
])("%s is refused", (_name, change, expected, field) => {
  expect(refused({ ...orderOf(right), bands: outer, ...change })).toEqual([expected, field, undefined]);
});

describe("rounding", () => {
  test.each([
    [5, 2, 2],
    [7, 2, 4],
    [-5, 2, -2],
    [-7, 2, -4],
    [-1, 2, 0],
    [0, 3, 0],
    [10, 3, 3],
    [11, 3, 4],
    [-10, 3, -3],
    [2n ** 70n, 2n ** 69n, 2],
  ])("%s / %s is %s", (numerator, denominator, expected) => {
    expect(halfEven(numerator, denominator)).toBe(expected);
  });

  test.each([
    [1.5, 1],
    [1, 0],
    [1, -2],
    [Number.NaN, 1],
    [2n ** 53n, 1],
  ])("%s / %s is refused", (numerator, denominator) => {
    expect(() => halfEven(numerator, denominator)).toThrow(RangeError);
  });
});

test.each([
  [1, "14,507.5 kg × 14.65 = 212,534.875 → 212,534.88"],
  [0, "12,000 kg × 15.00 = 180,000.00"],
])("the arithmetic of case %s can be printed", (at, expected) => {
  const [line] = settle(orderOf(cases[at] as Case)).lines;
  expect(line && lineArithmetic(line)).toBe(expected);
});

test.each([
  [-1_234_567n, 2, 2, "-12,345.67"],
  [5, 3, 0, "0.005"],
  [1_000_000, 3, 0, "1,000"],
  [120, 2, 0, "1.2"],
])("%s with %s decimals and at least %s reads %s", (value, decimals, least, expected) => {
  expect(exactText(value, decimals, least)).toBe(expected);
});

describe("of 2,000 orders made at random", () => {
  /** Numbers from 0 to 1 that are the same in every run. */
  let state = 20261129;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const orders = Array.from(
    { length: 2000 },
    (): Settled => ({
      vehicles: Array.from({ length: between(1, 6) }, (_, at) => {
        const heads = between(1, 130);
        const tareGrams = between(3_000_000, 15_000_000);
        const net = heads * between(90_000, 149_998) + between(0, heads);
        const less = { dead: between(0, Math.min(2, heads - 1)), share: between(0, 300), fixed: between(0, 100) };
        return vehicleOf([tareGrams + net, tareGrams, heads, less], at);
      }),
      fenPerKg: between(1000, 2500),
      bands: outer,
      deductions: [{ kind: "share", basisPoints: between(0, 200), reason }],
      taxBasisPoints: between(0, 1300),
      taxIncluded: random() < 0.5,
      paid: [{ kind: "prepayment", fen: between(0, 10_000_000) }],
    }),
  );
  const settled = orders.map(settle);

  test("each total is the sum of its lines, and what is left adds up", () => {
    for (const [at, one] of settled.entries()) {
      expect(one.goodsFen).toBe(one.lines.reduce((sum, { amountFen }) => sum + amountFen, 0));
      expect(one.beforeTaxFen + one.taxFen).toBe(one.totalFen);
      expect(one.totalFen).toBe(one.paidFen + one.dueFen - one.refundFen);
      expect(orders[at]?.taxIncluded ? one.totalFen : one.beforeTaxFen).toBe(one.taxedFen);
    }
  });

  test("no line is off by more than half a fen, and each is the nearest fen to its operands", () => {
    for (const { paidGrams, unitFen, goodsFen, netGrams, deadGrams, shareGrams } of settled.flatMap(
      ({ lines }) => lines,
    )) {
      const off = BigInt(goodsFen) * 1000n - BigInt(paidGrams) * BigInt(unitFen);
      expect(off >= -500n && off <= 500n).toBe(true);
      if (off === 500n || off === -500n) expect(goodsFen % 2).toBe(0);
      expect(netGrams - deadGrams - shareGrams).toBe(paidGrams);
    }
  });

  test("the order of the vehicles changes nothing but that of the lines", () => {
    for (const [at, order] of orders.entries()) {
      const turned = settle({ ...order, vehicles: order.vehicles.toReversed() });
      expect({ ...turned, lines: turned.lines.toReversed() }).toEqual(settled[at]);
    }
  });

  test("a period is the sum of its lines, however it is cut", () => {
    const lines = settled.flatMap((one) => one.lines.map(({ amountFen }) => amountFen));
    const months = Array.from({ length: 12 }, (_, month) =>
      exactSum(settled.filter((_one, at) => at % 12 === month).map(({ goodsFen }) => goodsFen)),
    );
    expect(exactSum(months)).toBe(exactSum(lines));
  });
});

test("what is largest in every way stays exact", () => {
  const [, most] = settlementBounds.grossGrams;
  const order: Settled = {
    vehicles: Array.from({ length: settlementBounds.vehicles[1] }, (_, at) => vehicleOf([most, 0, 1000], at)),
    fenPerKg: settlementBounds.fenPerKg[1],
    bands: [{ fromGrams: 0, toGrams: most, adjustmentFen: settlementBounds.adjustmentFen[1] }],
    taxBasisPoints: settlementBounds.taxBasisPoints[1],
    taxIncluded: false,
    paid: Array.from({ length: settlementBounds.items[1] }, () => ({
      kind: "deposit",
      fen: settlementBounds.paidFen[1],
    })),
  };
  expect(settle(order)).toMatchObject({
    goodsFen: 20_000_000_000_000,
    totalFen: 40_000_000_000_000,
    refundFen: 960_000_000_000_000,
  });
  const one = { ...order, vehicles: [...order.vehicles, ...order.vehicles.slice(0, 1)] };
  expect(refused(one)).toEqual(["out_of_bounds", "vehicles", undefined]);
});
