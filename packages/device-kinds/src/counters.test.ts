import { expect, test } from "vitest";
import { consumptionOf } from "./counters.ts";

test.each<[string, number[], number, boolean]>([
  ["grows", [10, 12, 15], 5, false],
  ["says 0 once while its controller restarts", [809_701, 0, 809_702], 1, false],
  ["says 0 three times", [809_701, 0, 0, 0, 809_703], 2, false],
  ["has a glitch to any value", [100, 37, 101], 1, false],
  ["says 0 and nothing else yet", [809_701, 0], 0, false],
  ["wraps at 2^16", [65_530, 4], 10, false],
  ["wraps at 2^32", [2 ** 32 - 3, 2], 5, false],
  ["is exchanged", [5000, 2, 3, 4, 6], 4, true],
  ["is exchanged for one that stands elsewhere", [5000, 1200, 1201, 1203, 1204, 1206], 6, true],
  ["is exchanged and passes the old one later", [5, 0, 1, 2, 3, 4, 9], 9, true],
  ["stands still", [7, 7, 7], 0, false],
  ["has one reading", [7], 0, false],
  ["has none", [], 0, false],
])("a counter that %s", (_what, readings, amount, atLeast) => {
  expect(consumptionOf(readings)).toEqual({ amount, atLeast });
});

test("consumption is never negative and never more than the highest reading and its wraps allow", () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  for (let round = 0; round < 300; round += 1) {
    let standing = Math.floor(random() * 1000);
    let used = 0;
    const readings = Array.from({ length: 50 }, (_, at) => {
      if (at > 0) {
        const step = Math.floor(random() * 5);
        standing += step;
        used += step;
      }
      // Single glitches, never two in a row and never at the ends.
      return at % 7 === 3 && random() < 0.5 ? Math.floor(random() * standing) : standing;
    });
    expect(consumptionOf(readings)).toEqual({ amount: used, atLeast: false });
  }
});
