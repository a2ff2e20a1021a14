import { expect, test } from "vitest";
import { isWeightDispute } from "./weight-difference.ts";

test("a difference of 2 % is none yet, a gram more is one, in both directions", () => {
  expect(isWeightDispute(10_000_000, 9_801_000)).toBe(false);
  expect(isWeightDispute(10_000_000, 9_800_000)).toBe(false);
  expect(isWeightDispute(10_000_000, 9_799_999)).toBe(true);
  expect(isWeightDispute(10_000_000, 10_200_000)).toBe(false);
  expect(isWeightDispute(10_000_000, 10_200_001)).toBe(true);
});

test("weights that have no whole percent are compared exactly", () => {
  // 2 % of 14,507,549 g are 290,150.98 g.
  expect(isWeightDispute(14_507_549, 14_507_549 - 290_150)).toBe(false);
  expect(isWeightDispute(14_507_549, 14_507_549 - 290_151)).toBe(true);
});
