import { expect, test } from "vitest";
import { laterDay, mondayOf, weekNumber } from "./week.ts";

test("the Monday of a day, and of today where the text is no day", () => {
  for (const day of ["2026-11-30", "2026-12-02", "2026-12-06"]) expect(mondayOf(day, "2020-01-01")).toBe("2026-11-30");
  for (const text of ["", "2026-02-30", "2026-13-01", "next week"])
    expect(mondayOf(text, "2026-12-06")).toBe("2026-11-30");
});

test("days over the ends of months and years", () => {
  expect(laterDay("2026-12-28", 7)).toBe("2027-01-04");
  expect(laterDay("2026-03-02", -7)).toBe("2026-02-23");
});

test("weeks are numbered by ISO 8601", () => {
  expect(["2026-03-23", "2025-12-29", "2026-12-28", "2027-01-04", "2024-12-30"].map(weekNumber)).toEqual([
    13, 1, 53, 1, 1,
  ]);
});
