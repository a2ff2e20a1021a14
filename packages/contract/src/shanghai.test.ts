import { expect, test } from "vitest";
import { shanghaiClock, shanghaiDay, shanghaiMidnight, shanghaiMoment } from "./shanghai.ts";

test("days and clock times are those of Asia/Shanghai", () => {
  const late = Date.UTC(2026, 10, 25, 16, 30, 5, 7);
  expect([shanghaiDay(late), shanghaiClock(late)]).toEqual(["2026-11-26", "2026-11-26T00:30:05.007"]);
  expect(shanghaiMidnight("2026-11-26")).toBe(Date.UTC(2026, 10, 25, 16));
  for (const text of ["2026-11-26 00:30:05", "2026-11-26T00:30:05"])
    expect(shanghaiMoment(text)).toBe(Date.UTC(2026, 10, 25, 16, 30, 5));
  expect(shanghaiMoment("2026-11-26 00:30")).toBe(Date.UTC(2026, 10, 25, 16, 30));
  expect([shanghaiMidnight("2026-02-31T"), shanghaiMoment("")]).toEqual([Number.NaN, Number.NaN]);
});
