import { shanghaiMoment } from "@herdwise/contract/shanghai";
import { expect, test } from "vitest";
import { outsideOf } from "./hour-days.ts";

const hours = (...known: number[]) => Array.from({ length: 24 }, (_, hour) => (known.includes(hour) ? 1 : undefined));

test("hours before the first report and those that are not over yet are not missing", () => {
  const days = [
    { day: "2026-11-30", hours: hours(22, 23) },
    { day: "2026-12-01", hours: hours(0, 2) },
  ];
  const isOutside = outsideOf(days, shanghaiMoment("2026-12-01T03:10:00"));
  expect(isOutside("2026-11-30", 21)).toBe(true);
  expect(isOutside("2026-11-30", 22)).toBe(false);
  expect(isOutside("2026-12-01", 1)).toBe(false);
  expect(isOutside("2026-12-01", 3)).toBe(true);
});
