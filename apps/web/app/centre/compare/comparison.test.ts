import { describe, expect, test } from "vitest";
import { compareLines, readComparison, readSaved, writeComparison } from "./comparison.ts";

const dayMs = 86_400_000;
const line = (fromDay: number, ...values: number[]) =>
  values.map((value, at) => ({ atMs: (fromDay + at) * dayMs, value }));

describe("the address of a comparison", () => {
  test("holds all of it and nothing that is usual", () => {
    const search = "kind=cough&of=12%2Ch34&show=rdi%2Claeq&days=90&align=age&earlier=year";
    const read = readComparison(new URLSearchParams(search));
    expect(read).toEqual({
      kind: "cough",
      places: ["12", "h34"],
      measures: ["rdi", "laeq"],
      days: 90,
      align: "age",
      earlier: "year",
    });
    expect(writeComparison(read)).toBe(search);
    expect(writeComparison(readComparison(new URLSearchParams("days=30&align=time&earlier=none")))).toBe(
      "kind=environment",
    );
  });
  test("leaves out what is unknown, doubled or too much", () => {
    const of = (search: string) => readComparison(new URLSearchParams(search));
    expect(of("kind=boiler&of=1,x,1,f2,h3,4,5&show=a,b,c,d,A b&days=8").places).toEqual(["1", "f2", "h3", "4"]);
    expect(of("of=1,2,3,4&earlier=before").places).toEqual(["1", "2"]);
    expect(of("show=a,b,c,d").measures).toEqual(["a", "b", "c"]);
    expect(of("kind=boiler&days=8")).toMatchObject({ kind: "environment", days: 30 });
  });
});

describe("lines beside each other", () => {
  test("are compared where both have values, each day alike", () => {
    const hours = Array.from({ length: 24 }, (_, at) => ({ atMs: 2 * dayMs + at * 3_600_000, value: 30 }));
    // Days 2 and 3 are shared: (30 + 20) / 2 and (10 + 12) / 2.
    const [first, other] = compareLines([[...hours, ...line(3, 20)], line(0, 1, 2, 10, 12, 99).slice(0, 4)], "age");
    expect(first).toMatchObject({ mean: 25, lowest: 20, highest: 30 });
    expect(other).toMatchObject({ mean: 11, lowest: 10, highest: 12 });
  });
  test("the days of moments are those of Asia/Shanghai", () => {
    const midnight = Date.UTC(2026, 5, 1, 16);
    const hours = Array.from({ length: 30 }, (_, at) => ({
      atMs: midnight + (at - 6) * 3_600_000,
      value: at < 6 ? 10 : 30,
    }));
    expect(compareLines([hours], "time")[0]?.mean).toBe(20);
  });
  test("one without values has no figures and takes none from the others", () => {
    const [first, none] = compareLines([line(0, 4, 6), []], "age");
    expect(first?.mean).toBe(5);
    expect(none).toEqual({ mean: undefined, lowest: undefined, highest: undefined });
  });
});

test("what was kept is read whatever wrote it", () => {
  expect(readSaved([{ name: "热应激", search: "kind=environment" }, { name: "" }, 3, null])).toEqual([
    { name: "热应激", search: "kind=environment" },
  ]);
  expect(readSaved({})).toEqual([]);
});
