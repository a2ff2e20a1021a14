import { expect, test } from "vitest";
import { type PastLine, type PastOrder, type PastSale, previewBands, previewModel } from "./setting-preview.ts";

const sale = (id: string, heads: number, depositFen = 0): PastSale => ({
  id,
  number: `DD-${id}`,
  day: "2026-03-01",
  heads,
  depositFen,
});

test("a model accepts from the least to the most heads, and asks its deposit of those alone", () => {
  const draft = { leastHeads: 20, mostHeads: 100, depositFen: 5000 };
  const preview = previewModel(draft, [
    sale("1", 19, 19 * 4000),
    sale("2", 20, 20 * 4000),
    sale("3", 100, 100 * 4000),
    sale("4", 101, 101 * 4000),
  ]);
  expect(preview.rows.map(({ verdict, wouldBeFen }) => [verdict, wouldBeFen])).toEqual([
    ["too_few", 0],
    ["accepted", 100_000],
    ["accepted", 500_000],
    ["too_many", 0],
  ]);
  expect(preview).toMatchObject({ accepted: 2, refused: 2, depositFen: 240 * 4000, wouldBeFen: 600_000 });
});

test("a model without a deposit, and no past sales", () => {
  expect(previewModel({ leastHeads: 1, mostHeads: 9, depositFen: null }, [sale("1", 5, 700)])).toMatchObject({
    depositFen: 700,
    wouldBeFen: 0,
  });
  expect(previewModel({ leastHeads: 1, mostHeads: 9, depositFen: 1 }, [])).toEqual({
    rows: [],
    accepted: 0,
    refused: 0,
    depositFen: 0,
    wouldBeFen: 0,
  });
});

const line = (meanGrams: number, more: Partial<PastLine> = {}): PastLine => ({
  meanGrams,
  paidGrams: 10_000_000,
  fenPerKg: 1475,
  adjustmentFen: 0,
  goodsFen: 14_750_000,
  ...more,
});
const order = (id: string, lines: readonly PastLine[]): PastOrder => ({
  id,
  number: `DD-${id}`,
  day: "2026-03-01",
  heads: 80,
  lines,
});
const bands = [
  { fromGrams: 90_000, toGrams: 120_000, adjustmentFen: 0 },
  { fromGrams: 120_000, toGrams: 130_000, adjustmentFen: -10 },
];

test("an order costs by the bands what its weights cost, to the fen and half-even", () => {
  const preview = previewBands(
    () => bands,
    [
      // 10,000 kg at 14.75, and at 14.65 because 120 kg belong to the upper band.
      order("1", [line(119_999), line(120_000)]),
      // 14,507.5 kg at 14.65 are 212,534.875 yuan, which rounds to the even fen.
      order("2", [line(125_000, { paidGrams: 14_507_500, adjustmentFen: -10, goodsFen: 21_253_488 })]),
    ],
  );
  expect(preview.rows).toMatchObject([
    { goodsFen: 29_500_000, wouldBeFen: 29_400_000, differenceFen: -100_000, changed: 1, unsettled: 0 },
    { goodsFen: 21_253_488, wouldBeFen: 21_253_488, differenceFen: 0, changed: 0, unsettled: 0 },
  ]);
  expect(preview).toMatchObject({
    unsettled: 0,
    goodsFen: 50_753_488,
    wouldBeFen: 50_653_488,
    differenceFen: -100_000,
  });
});

test("an order that no band covers, or two cover, counts in no sum", () => {
  const twice = [...bands, { fromGrams: 125_000, toGrams: 140_000, adjustmentFen: -30 }];
  const preview = previewBands(
    () => twice,
    [order("1", [line(110_000), line(89_999)]), order("2", [line(127_000)]), order("3", [line(110_000)])],
  );
  expect(preview.rows.map(({ unsettled, differenceFen }) => [unsettled, differenceFen])).toEqual([
    [1, undefined],
    [1, undefined],
    [0, 0],
  ]);
  expect(preview).toMatchObject({ unsettled: 2, goodsFen: 14_750_000, differenceFen: 0 });
});

test("an adjustment that takes the whole price away can't be settled, and without bands the agreed price stays", () => {
  const free = [{ fromGrams: 0, toGrams: 200_000, adjustmentFen: -1475 }];
  expect(previewBands(() => free, [order("1", [line(110_000)])]).unsettled).toBe(1);
  const none = previewBands(() => [], [order("1", [line(110_000, { adjustmentFen: -10, goodsFen: 14_650_000 })])]);
  expect(none.rows).toMatchObject([{ wouldBeFen: 14_750_000, differenceFen: 100_000, changed: 1 }]);
});
