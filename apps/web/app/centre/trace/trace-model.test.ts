import type { TraceContact } from "@herdwise/contract";
import { expect, test } from "vitest";
import { linksOf, placesOf, readChoice, spread, visitorsOf } from "./trace-model.ts";

const contact = (more: Partial<TraceContact>): TraceContact => ({
  key: JSON.stringify(more),
  lane: "person",
  side: "here",
  who: "P001",
  farmId: "1",
  farmName: "A",
  unitName: "",
  atMs: 0,
  heads: 0,
  steps: 1,
  sameDriver: false,
  faults: [],
  refersTo: { kind: "device", id: "1" },
  ...more,
});

test("the closest contact of each carrier and place is linked to the visit beside it", () => {
  const contacts = [
    contact({ atMs: 10 }),
    contact({ atMs: 100 }),
    contact({ side: "after", farmName: "B", atMs: 140, gapHours: 40 }),
    contact({ side: "after", farmName: "B", atMs: 120, gapHours: 20 }),
    contact({ side: "before", farmName: "C", atMs: 1, gapHours: 9 }),
    contact({ lane: "pigs", side: "after", who: "H U", farmName: "A", unitName: "H U", steps: 2, atMs: 130 }),
    contact({ who: "P002", atMs: 50 }),
  ];
  const links = linksOf({ contacts }, "both");
  expect(links.map(({ number, contact: of, here }) => [number, of.side, of.farmName, of.gapHours, here?.atMs])).toEqual(
    [
      [1, "after", "B", 20, 100],
      [2, "after", "A", undefined, undefined],
      [3, "before", "C", 9, 10],
    ],
  );
  expect(placesOf(links, "after").map(({ name }) => name)).toEqual(["B", "A H U"]);
  expect(linksOf({ contacts }, "before")).toHaveLength(1);
  expect(visitorsOf({ contacts }).map(({ first, visits }) => [first.who, visits.length])).toEqual([
    ["P001", 2],
    ["P002", 1],
  ]);
});

test("an address is read with what it lacks", () => {
  expect(readChoice(new URLSearchParams("unit=5&days=30&to=after"))).toEqual({
    kind: "unit",
    value: "5",
    days: 30,
    direction: "after",
  });
  expect(readChoice(new URLSearchParams("from=plate&days=9"))).toEqual({
    kind: "plate",
    value: "",
    days: 14,
    direction: "both",
  });
});

test("numbers in a lane do not cover each other", () => {
  const dots = [97, 98, 20, 99].map((x, at) => ({ number: at + 1, row: 1, x }));
  const xs = [...spread([...dots, { number: 5, row: 2, x: 98 }])].sort(([a], [b]) => a - b).map(([, x]) => x);
  expect(xs).toEqual([86, 92, 20, 98, 98]);
});
