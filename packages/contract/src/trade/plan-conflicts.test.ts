import { describe, expect, test } from "vitest";
import { type FieldDay, type PlannedLot, planConflicts, vehiclesFor } from "./plan-conflicts.ts";
import type { BandRow, LoadingSlot } from "./setting-rules.ts";

const slot = (more: Partial<LoadingSlot> = {}): LoadingSlot => ({
  rowId: "s",
  from: "08:00",
  to: "12:00",
  mostVehicles: 2,
  headsPerVehicle: 120,
  ...more,
});
/** Monday to Sunday; four vehicles a day, none on Sunday. */
const week = [
  "2026-11-30",
  "2026-12-01",
  "2026-12-02",
  "2026-12-03",
  "2026-12-04",
  "2026-12-05",
  "2026-12-06",
] as const;
const [mon, tue, wed, thu, , , sun] = week;
const days: readonly FieldDay[] = week.map((day) => ({
  field: "f",
  region: "north",
  day,
  slots: day === sun ? [] : [slot(), slot({ from: "13:00", to: "17:00" })],
}));
const band = (fromKg: number, toKg: number, more: Partial<BandRow> = {}): BandRow => ({
  saleRegion: null,
  category: "outer",
  fromGrams: fromKg * 1000,
  toGrams: toKg * 1000,
  adjustmentFen: 0,
  validFrom: "2026-01-01",
  status: "1",
  ...more,
});
const plan = (id: string, day: string, heads: number, more: Partial<PlannedLot> = {}): PlannedLot => ({
  id,
  field: "f",
  day,
  category: "outer",
  fromKg: 110,
  toKg: 120,
  heads,
  taken: 0,
  mode: "bidding",
  state: "draft",
  ...more,
});
const found = (plans: readonly PlannedLot[], bands: readonly BandRow[] = [band(100, 130)], today: string = mon) =>
  planConflicts({ plans, days, bands, today });
const told = (...given: Parameters<typeof found>) =>
  found(...given).map(({ kind, plans, vehicles, fix }) => [kind, plans.join(), vehicles, fix.act, fix.day ?? fix.plan]);

test("vehicles are counted by the smallest one of the day, and none on a day without slots", () => {
  expect(vehiclesFor(240, [slot(), slot({ headsPerVehicle: 100 })])).toBe(3);
  expect(vehiclesFor(240, [slot()])).toBe(2);
  expect(vehiclesFor(1, [slot()])).toBe(1);
  expect(vehiclesFor(240, [])).toBe(0);
});

describe("a day over its capacity", () => {
  test("the draft gives way to what was approved, and goes to the nearest day with room", () => {
    const full = plan("9", tue, 480);
    // Thursday is as near as Tuesday, and later.
    expect(told([full, plan("1", wed, 480), plan("2", wed, 120, { state: "approved" })])).toEqual([
      ["over_capacity", "1", 1, "move", thu],
    ]);
    expect(told([full, plan("1", wed, 480), plan("2", wed, 1, { state: "approved" }), plan("3", thu, 1)])).toEqual([
      ["over_capacity", "1", 1, "move", "2026-12-04"],
    ]);
  });

  test("what just fits is no conflict, and a smaller draft may take what a larger one leaves", () => {
    expect(told([plan("1", wed, 480)])).toEqual([]);
    expect(told([plan("1", wed, 481)])).toMatchObject([["over_capacity", "1", 1, "open", "1"]]);
    expect(told([plan("1", wed, 360), plan("2", wed, 240), plan("3", wed, 120)])).toMatchObject([
      ["over_capacity", "2", 2, "move", thu],
    ]);
  });

  test("nothing moves to a day that is over, and what was approved is not moved", () => {
    const later = week.slice(3, 6).map((day, at) => plan(`1${at}`, day, 480));
    const day = [plan("1", wed, 480), plan("2", wed, 120, { state: "approved" }), ...later];
    expect(told(day)).toEqual([["over_capacity", "1", 1, "move", tue]]);
    expect(told(day, undefined, wed)).toEqual([["over_capacity", "1", 1, "open", "1"]]);
    expect(told([plan("1", wed, 480, { state: "approved" }), plan("2", wed, 240, { state: "approved" })])).toEqual([
      ["over_capacity", "2", 2, "open", "2"],
    ]);
  });

  test("a closed plan keeps the vehicles of what was sold, and is itself no conflict", () => {
    const closed = plan("1", wed, 480, { state: "closed", taken: 240 });
    expect(told([closed, plan("2", wed, 240)])).toEqual([]);
    expect(told([{ ...closed, heads: 600, taken: 600 }])).toEqual([]);
    expect(told([closed, plan("2", wed, 360)])).toMatchObject([["over_capacity", "2", 1, "move", thu]]);
  });

  test("other fields do not count", () => {
    expect(told([plan("1", wed, 480), plan("2", wed, 480, { field: "g" })])).toEqual([]);
  });
});

test("nothing is loaded on the day", () => {
  expect(told([plan("1", sun, 120), plan("2", sun, 120, { state: "published" })])).toEqual([
    ["no_slot", "2,1", 0, "move", "2026-12-05"],
  ]);
  expect(told([plan("1", sun, 120, { state: "closed", taken: 120 })])).toEqual([]);
  expect(told([plan("1", sun, 120, { state: "approved" })])).toEqual([["no_slot", "1", 0, "open", "1"]]);
});

test("a fixed price is missing", () => {
  expect(
    told([
      plan("1", mon, 120, { mode: "fixed", pricePerKg: null }),
      plan("2", mon, 120, { mode: "fixed", state: "approved", pricePerKg: null }),
      plan("5", tue, 120, { mode: "contract", pricePerKg: null }),
      plan("3", mon, 120, { mode: "fixed", pricePerKg: 1475 }),
      plan("4", mon, 120, { mode: "bidding" }),
    ]),
  ).toEqual([
    ["no_price", "2", 0, "open", "2"],
    ["no_price", "1", 0, "price", "1"],
  ]);
});

describe("weight bands", () => {
  test.each<[name: string, bands: readonly BandRow[], conflicts: number]>([
    ["one covers all", [band(100, 120)], 0],
    ["several cover all", [band(115, 130), band(100, 115)], 0],
    ["a gap", [band(100, 114), band(115, 130)], 1],
    ["it ends too early", [band(100, 119)], 1],
    ["it begins too late", [band(111, 130)], 1],
    ["of another category", [band(100, 130, { category: "inner" })], 1],
    ["of another region", [band(100, 130, { saleRegion: "south" })], 1],
    ["the region's own replace those for all", [band(100, 130), band(100, 115, { saleRegion: "north" })], 1],
    ["not yet in force", [band(100, 130, { validFrom: "2027-01-01" })], 1],
    ["none", [], 1],
  ])("%s", (_name, bands, conflicts) => {
    expect(told([plan("1", mon, 120)], bands)).toEqual(conflicts === 0 ? [] : [["no_band", "1", 0, "bands", "1"]]);
  });
});

test("the worst comes first, then the sooner day", () => {
  const price = { mode: "fixed" } as const;
  expect(
    found([plan("1", sun, 120), plan("2", wed, 600), plan("3", tue, 120, price), plan("4", mon, 120, price)], []).map(
      ({ kind, severity, day }) => [kind, severity, day],
    ),
  ).toEqual([
    ["no_slot", "critical", sun],
    ["over_capacity", "major", wed],
    ["no_band", "minor", mon],
    ["no_band", "minor", tue],
    ["no_band", "minor", wed],
    ["no_band", "minor", sun],
    ["no_price", "minor", mon],
    ["no_price", "minor", tue],
  ]);
});
