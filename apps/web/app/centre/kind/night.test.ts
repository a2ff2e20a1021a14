import { describe, expect, test } from "vitest";
import { lastNight } from "./night.ts";

const at = (text: string): number => Date.parse(`${text}+08:00`);
const nightAt = (text: string): [string, string] => {
  const { endMs, spanMs } = lastNight(at(text));
  return [new Date(endMs - spanMs).toISOString(), new Date(endMs).toISOString()];
};

describe("the last night", () => {
  const night = [new Date(at("2026-11-29T20:00")).toISOString(), new Date(at("2026-11-30T06:00")).toISOString()];

  test.each(["2026-11-30T00:00", "2026-11-30T05:59", "2026-11-30T08:00", "2026-11-30T23:59"])(
    "at %s is the one that led to this day",
    (now) => {
      expect(nightAt(now)).toEqual(night);
    },
  );

  test("is the next one from midnight on", () => {
    expect(nightAt("2026-12-01T00:00")).not.toEqual(night);
  });
});
