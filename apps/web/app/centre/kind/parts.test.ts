import { faultOf, type KindPart } from "@herdwise/device-kinds";
import { describe, expect, it } from "vitest";
import { scaleOf } from "./analytics-card.tsx";
import { stretchesOf } from "./stretches.ts";

const part = (judged: Partial<Extract<KindPart, { type: "records" }>>): Extract<KindPart, { type: "records" }> => ({
  type: "records",
  title: { zh: "记录", en: "Records" },
  event: "batch",
  columns: [],
  ...judged,
});

describe("a full bar", () => {
  const days = [
    { label: "12-01", value: 17 },
    { label: "12-02", value: 19 },
  ];
  const of = (today: number, unit = "mg") => scaleOf({ unit }, [...days, { label: "12-03", value: today }], "12-03");
  it("is the longest of all days, of which the one that goes on may be twice the others at most", () => {
    expect([of(10), of(35.5), of(113)]).toEqual([19, 35.5, 38]);
    expect(of(35.5, "%")).toBe(100);
  });
});

describe("what makes a record bad", () => {
  it("is a word that is none of the good ones; a word that is missing says nothing", () => {
    const judged = part({ good: { field: "result", words: ["ok"] } });
    expect(faultOf(judged, { fields: { result: "ok" } })).toBeUndefined();
    expect(faultOf(judged, { fields: { result: "timeout" } })).toBe("result");
    expect(faultOf(judged, { fields: {} })).toBeUndefined();
  });
  it("is a number too far from zero either way, or below the least", () => {
    const judged = part({ within: { field: "deviation", percent: 5 }, least: { field: "coverage", value: 98 } });
    expect(faultOf(judged, { fields: { deviation: -5, coverage: 98 } })).toBeUndefined();
    expect(faultOf(judged, { fields: { deviation: -5.1 } })).toBe("deviation");
    expect(faultOf(judged, { fields: { deviation: 0, coverage: 97.9 } })).toBe("coverage");
  });
  it("is nothing where nothing is judged", () => {
    expect(faultOf(part({}), { fields: { result: "timeout" } })).toBeUndefined();
  });
});

describe("stretches of a day", () => {
  const hour = 3_600_000;
  it("join equal words, hold a word for little more than an hour, and end with the day", () => {
    const points = [
      [0, "idle"],
      [0.5 * hour, "idle"],
      [hour, "dosing"],
      // Four hours of silence: nothing is known of three of them.
      [5 * hour, "dosing"],
      [5.5 * hour, 7],
      [5.8 * hour, "idle"],
    ];
    expect(stretchesOf(points, 6 * hour)).toEqual([
      { value: "idle", fromMs: 0, toMs: hour },
      { value: "dosing", fromMs: hour, toMs: 2.1 * hour },
      { value: "dosing", fromMs: 5 * hour, toMs: 5.5 * hour },
      { value: "idle", fromMs: 5.8 * hour, toMs: 6 * hour },
    ]);
  });
  it("tell of what is on or off, too", () => {
    expect(
      stretchesOf(
        [
          [0, true],
          [60_000, false],
        ],
        120_000,
      ).map(({ value }) => value),
    ).toEqual(["true", "false"]);
  });
});
