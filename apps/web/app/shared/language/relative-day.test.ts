import { describe, expect, it } from "vitest";
import { createFormats, parseWireDateTime } from "./format.ts";
import { relativeDay } from "./relative-day.ts";

const at = (text: string): number => Date.parse(`${text}+08:00`);
const now = at("2026-11-21T00:05:00");

describe("relative day", () => {
  it.each([
    ["2026-11-19T23:59:00", "前日"],
    ["2026-11-20T00:00:00", "昨日"],
    ["2026-11-21T23:59:00", "当日"],
    ["2026-11-22T08:30:00", "次日"],
    ["2026-11-23T08:30:00", "后日"],
    ["2026-11-18T23:59:59", undefined],
    ["2026-11-24T00:00:00", undefined],
  ])("%s is %s", (text, word) => {
    expect(relativeDay(at(text), now).word).toBe(word);
  });

  it("crosses months and years by the calendar", () => {
    expect(relativeDay(at("2026-12-31T23:00:00"), at("2027-01-01T01:00:00")).word).toBe("昨日");
  });

  it("keeps time and date", () => {
    expect(relativeDay(at("2026-03-02T09:05:00"), now)).toEqual({ word: undefined, date: "2026-03-02", time: "09:05" });
  });
});

describe("formats", () => {
  const { dayTime, number, age } = createFormats("zh", (text, fillings) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => String(fillings?.[name])),
  );
  it("shows '--' for nothing", () => {
    expect(dayTime(undefined)).toBe("--");
    expect(dayTime(parseWireDateTime(""))).toBe("--");
  });
  it("reads wire times as Shanghai time", () => {
    expect(parseWireDateTime("2026-11-21 08:00:00")).toBe(Date.UTC(2026, 10, 21));
    expect(parseWireDateTime("nonsense")).toBeUndefined();
  });
  it("writes the days of English so that they stand after 'by', and every date alike", () => {
    const english = createFormats("en", (text) => text);
    const dayMs = 86_400_000;
    expect(english.dayTime(Date.now() + 2 * dayMs)).toMatch(/^(Sun|Mon|Tue|Wed|Thu|Fri|Sat) \d\d:\d\d$/);
    expect(english.dayTime(Date.now() - 2 * dayMs)).toMatch(/^(Sun|Mon|Tue|Wed|Thu|Fri|Sat) /);
    expect(english.dayTime(Date.now())).toMatch(/^当日 /);
    for (const { dateTime, time } of [english, createFormats("zh", (text) => text)]) {
      expect(dateTime(at("2026-03-02T09:05:00"))).toBe("2026-03-02 09:05");
      expect(time(at("2026-03-02T09:05:00"))).toBe("09:05");
    }
  });
  it("never shows a negative zero", () => {
    expect(number(-0.04, 1)).toBe("0.0");
    expect(number(1860)).toBe("1,860");
  });
  it("tells the age in the largest fitting unit", () => {
    expect([0, 59_999, 60_000, 3_600_000, 90_000_000].map(age)).toEqual([
      "0 秒前",
      "59 秒前",
      "1 分钟前",
      "1 小时前",
      "1 天前",
    ]);
  });
});
