import { expect, test } from "vitest";
import { regionMean } from "./region-mean.ts";

test("a province without a price of the day moves neither the change nor the price before", () => {
  const entered = [
    { shownFen: 1440, beforeFen: 1441 },
    { shownFen: 1444, beforeFen: 1445 },
  ];
  const mean = { before: 1443, now: 1442, change: -1 };
  expect(regionMean(entered)).toEqual(mean);
  expect(regionMean([...entered, { shownFen: undefined, beforeFen: 1200 }])).toEqual(mean);
});

test("a region of which nothing is entered says what it paid before", () => {
  const cells = [
    { shownFen: undefined, beforeFen: 1400 },
    { shownFen: undefined, beforeFen: 1402 },
  ];
  expect(regionMean(cells)).toEqual({ before: 1401, now: undefined, change: undefined });
});
