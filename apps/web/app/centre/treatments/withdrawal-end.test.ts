import { expect, test } from "vitest";
import { withdrawalEnd } from "./withdrawal-end.ts";

test.each([
  ["2026-11-26", 1, 3, "2026-11-29"],
  ["2026-11-27", 5, 3, "2026-12-04"],
  ["2026-11-22", 1, 28, "2026-12-20"],
  ["2028-02-27", 2, 1, "2028-02-29"],
  ["2026-12-31", 1, 0, "2026-12-31"],
])("given from %s on %i days with a period of %i days ends on %s", (day, given, days, end) => {
  expect(withdrawalEnd(day, given, days)).toBe(end);
});
