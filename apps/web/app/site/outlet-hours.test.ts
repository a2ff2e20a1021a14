import { expect, test } from "vitest";
import { outletState } from "./outlet-hours.ts";

const hours = { weekdayHours: "08:30-12:00,14:00-18:00", weekendHours: "" };
const half = { ...hours, weekendHours: "09:00-12:00" };
/** 2026-11-23 is a Monday. */
const at = (clock: string, day = "2026-11-23") => Date.parse(`${day}T${clock}:00+08:00`);
const week = [true, true, true, true, true, false, false].map((worked) => ({ worked }));
const from = (first: number) => [...week.slice(first), ...week, ...week];

test.each([
  ["08:29", { kind: "closed", because: "early", next: { daysAhead: 0, at: "08:30" } }],
  ["08:30", { kind: "open", closesAt: "12:00", minutesLeft: 210 }],
  ["11:59", { kind: "open", closesAt: "12:00", minutesLeft: 1 }],
  ["12:00", { kind: "closed", because: "break", next: { daysAhead: 0, at: "14:00" } }],
  ["17:40", { kind: "open", closesAt: "18:00", minutesLeft: 20 }],
  ["18:00", { kind: "closed", because: "late", next: { daysAhead: 1, at: "08:30" } }],
])("on a working day at %s", (clock, state) => {
  expect(outletState(hours, from(0), at(clock))).toEqual(state);
});

test("over a weekend the next opening is Monday's, or that of the weekend's own hours", () => {
  expect(outletState(hours, from(4), at("18:30"))).toEqual({
    kind: "closed",
    because: "late",
    next: { daysAhead: 3, at: "08:30" },
  });
  expect(outletState(hours, from(5), at("10:00"))).toEqual({
    kind: "closed",
    because: "restDay",
    next: { daysAhead: 2, at: "08:30" },
  });
  expect(outletState(half, from(5), at("10:00"))).toEqual({ kind: "open", closesAt: "12:00", minutesLeft: 120 });
});

test("a worked weekend has the hours of weekdays, a long holiday none that is known", () => {
  expect(outletState(hours, [{ worked: true }], at("15:00")).kind).toBe("open");
  const off = Array.from({ length: 15 }, () => ({ worked: false }));
  expect(outletState(hours, off, at("15:00"))).toEqual({ kind: "closed", because: "restDay" });
});

test("the hour is Shanghai's wherever the server stands", () => {
  expect(outletState(hours, from(0), Date.parse("2026-11-23T00:30:00Z")).kind).toBe("open");
});
