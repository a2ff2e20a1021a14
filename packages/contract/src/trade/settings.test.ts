import { describe, expect, test } from "vitest";
import { type BandRow, bandsOf, type ModelRow, modelOf, type SlotRow, slotsOf } from "./setting-rules.ts";

describe("slots of a day", () => {
  const row = (id: string, weekday: string, times: string, more: Partial<SlotRow> = {}): SlotRow => ({
    id,
    weekday,
    onDay: null,
    kind: times === "" ? "closed" : "open",
    times,
    mostVehicles: 1,
    headsPerVehicle: 120,
    validFrom: "2026-01-01",
    status: "1",
    ...more,
  });
  const daily = row("daily", "daily", "08:00-10:00,13:00-15:00");
  const sunday = row("sunday", "7", "");
  const monday = row("monday", "1", "09:00-11:00", { mostVehicles: 3 });
  /** A Monday. */
  const day = "2026-11-30";
  const shown = (on: string, rows: readonly SlotRow[]) =>
    slotsOf(on, rows).map(({ rowId, from, to }) => `${rowId} ${from}-${to}`);

  test.each<[name: string, day: string, rows: readonly SlotRow[], slots: readonly string[]]>([
    ["nothing is set up", day, [], []],
    ["every day, earliest first", "2026-12-01", [daily], ["daily 08:00-10:00", "daily 13:00-15:00"]],
    ["the day of the week replaces every day", day, [daily, monday], ["monday 09:00-11:00"]],
    ["a closed day of the week", "2026-11-29", [daily, sunday, monday], []],
    ["another day of the week", "2026-12-01", [daily, sunday, monday], ["daily 08:00-10:00", "daily 13:00-15:00"]],
    [
      "a single day replaces its day of the week",
      "2026-11-29",
      [daily, sunday, row("date", "date", "06:00-07:00", { onDay: "2026-11-29" })],
      ["date 06:00-07:00"],
    ],
    ["a single closed day", day, [daily, monday, row("date", "date", "", { onDay: day })], []],
    ["another single day", day, [monday, row("date", "date", "", { onDay: "2026-12-01" })], ["monday 09:00-11:00"]],
    [
      "the newest version that has begun",
      day,
      [
        monday,
        row("newer", "1", "10:00-12:00", { validFrom: day }),
        row("later", "1", "11:00-12:00", { validFrom: "2026-12-01" }),
      ],
      ["newer 10:00-12:00"],
    ],
    ["a version that begins tomorrow", day, [row("later", "1", "11:00-12:00", { validFrom: "2026-12-01" })], []],
    [
      "rows out of use do not count",
      day,
      [monday, row("newer", "1", "10:00-12:00", { validFrom: day, status: "0" })],
      ["monday 09:00-11:00"],
    ],
    [
      "several rows of one version",
      day,
      [row("late", "1", "14:00-15:00"), monday],
      ["monday 09:00-11:00", "late 14:00-15:00"],
    ],
    ["to the end of the day", day, [row("night", "1", "22:00-24:00")], ["night 22:00-24:00"]],
  ])("%s", (_name, on, rows, slots) => expect(shown(on, rows)).toEqual(slots));

  test("a slot tells vehicles and heads", () => {
    expect(slotsOf(day, [monday])).toEqual([
      { rowId: "monday", from: "09:00", to: "11:00", mostVehicles: 3, headsPerVehicle: 120 },
    ]);
  });
});

describe("bands of a day", () => {
  const row = (fromKg: number, toKg: number, more: Partial<BandRow> = {}): BandRow => ({
    saleRegion: null,
    category: "outer",
    fromGrams: fromKg * 1000,
    toGrams: toKg * 1000,
    adjustmentFen: 0,
    validFrom: "2026-01-01",
    status: "1",
    ...more,
  });
  const general = [row(110, 120), row(90, 110)];
  const newer = row(100, 130, { validFrom: "2026-11-01" });
  const own = row(80, 140, { saleRegion: "7", validFrom: "2026-06-01" });
  const shown = (day: string, region: string, rows: readonly BandRow[]) =>
    bandsOf(day, region, "outer", rows).map(({ fromGrams, toGrams }) => `${fromGrams / 1000}-${toGrams / 1000}`);

  test.each<[name: string, day: string, region: string, rows: readonly BandRow[], bands: readonly string[]]>([
    ["nothing is set up", "2026-11-30", "", [], []],
    ["lightest first", "2026-10-31", "", [...general, newer], ["90-110", "110-120"]],
    ["a newer version replaces all of the older one", "2026-11-01", "", [...general, newer], ["100-130"]],
    ["before the first version", "2025-12-31", "", general, []],
    ["a region's own come before newer general ones", "2026-11-30", "7", [...general, newer, own], ["80-140"]],
    ["a region's own that have not begun", "2026-05-31", "7", [...general, own], ["90-110", "110-120"]],
    ["another region's", "2026-11-30", "8", [...general, own], ["90-110", "110-120"]],
    ["no region has the general ones", "2026-11-30", "", [...general, own], ["90-110", "110-120"]],
    ["out of use", "2026-11-30", "", [...general, { ...newer, status: "0" }], ["90-110", "110-120"]],
    ["another category", "2026-11-30", "", [row(5, 7, { category: "piglet" })], []],
  ])("%s", (_name, day, region, rows, bands) => expect(shown(day, region, rows)).toEqual(bands));
});

describe("the model of a sale", () => {
  const row = (name: string, more: Partial<ModelRow> = {}) => ({
    name,
    saleRegion: "",
    category: "outer",
    mode: "bidding",
    validFrom: "2026-01-01",
    status: "1",
    ...more,
  });
  const general = row("general");
  const newer = row("newer", { validFrom: "2026-11-01" });
  const own = row("own", { saleRegion: "7" });

  test.each<[name: string, day: string, region: string, rows: readonly ReturnType<typeof row>[], found?: string]>([
    ["none", "2026-11-30", "", []],
    ["the newest", "2026-11-30", "", [general, newer], "newer"],
    ["that of the day", "2026-10-31", "", [general, newer], "general"],
    ["the region's own", "2026-11-30", "7", [newer, own], "own"],
    ["another region's", "2026-11-30", "8", [own]],
    ["another mode", "2026-11-30", "", [row("fixed", { mode: "fixed" })]],
    ["another category", "2026-11-30", "", [row("sow", { category: "sow" })]],
    ["out of use", "2026-11-30", "", [general, { ...newer, status: "0" }], "general"],
  ])("%s", (_name, day, region, rows, found) =>
    expect(modelOf(day, region, "outer", "bidding", rows)?.name).toBe(found),
  );
});
