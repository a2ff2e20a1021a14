import { describe, expect, test } from "vitest";
import { quietUntil } from "../messages/index.ts";
import type { LoggedAlarm } from "./alarm-log.repository.ts";
import { groupRows } from "./group-rules.service.ts";
import { causesAmong } from "./journal.service.ts";
import { trendOf } from "./trend.ts";

const minuteMs = 60_000;
const begin = Date.UTC(2026, 6, 1, 4);

describe("causes", () => {
  const alarm = (id: string, ruleId: string, minute: number, more: Partial<LoggedAlarm> = {}): LoggedAlarm => ({
    id,
    tenantId: "100002",
    deviceId: "7",
    farmId: "1",
    unitId: "2",
    kind: "environment",
    ruleId,
    severity: 3,
    suppressed: false,
    late: false,
    withdrawn: false,
    quiet: false,
    raisedMs: begin + minute * minuteMs,
    endedMs: null,
    endedBy: null,
    causeId: null,
    known: false,
    facts: {},
    ...more,
  });
  const trip = alarm("1", "fan_current", 0);
  const hot = alarm("2", "temperature_high", 10);
  const stress = alarm("3", "heat_stress", 60);

  test("a hot house follows from the fan, and what follows from the heat stands under the fan, too", () => {
    expect(causesAmong([trip, hot], [hot])).toEqual([{ id: "2", causeId: "1" }]);
    expect(causesAmong([trip, { ...hot, causeId: "1" }, stress], [stress])).toEqual([{ id: "3", causeId: "1" }]);
  });
  test("a cause that is found later takes what was there, unless that is long ago", () => {
    expect(
      causesAmong(
        [hot, { ...trip, raisedMs: hot.raisedMs + 5 * minuteMs }],
        [{ ...trip, raisedMs: hot.raisedMs + 5 * minuteMs }],
      ),
    ).toEqual([{ id: "2", causeId: "1" }]);
    const late = { ...trip, raisedMs: hot.raisedMs + 45 * minuteMs };
    expect(causesAmong([hot, late], [late])).toEqual([]);
  });
  test("nothing follows from another unit, and nothing from itself", () => {
    expect(causesAmong([{ ...trip, unitId: "9", deviceId: "8" }, hot], [hot])).toEqual([]);
    expect(causesAmong([hot], [hot])).toEqual([]);
  });
});

describe("trend", () => {
  const points = (perMinute: number) =>
    Array.from({ length: 11 }, (_, minute) => [begin + minute * minuteMs, 30 + perMinute * minute] as const);
  test("says when a dangerous value is reached at this rate", () => {
    expect(trendOf(points(0.12), 35)).toEqual({ perTenMinutes: 1.2, toward: 35, minutes: 32 });
  });
  test("promises nothing when it moves away, hardly moves, or has too few values", () => {
    expect(trendOf(points(-0.1), 35)).toEqual({ perTenMinutes: -1 });
    expect(trendOf(points(0.001), 35)).toEqual({ perTenMinutes: 0.01 });
    expect(trendOf(points(1).slice(0, 3), 35)).toBeUndefined();
  });
});

describe("quiet hours", () => {
  // 12:00 in Shanghai.
  test.each([
    [22 * 60, 6 * 60, 23, 7],
    [22 * 60, 6 * 60, 5, 1],
    [8 * 60, 9 * 60, 8, 1],
  ])("from minute %i to %i at %i:00 end in %i h", (from, to, hour, left) => {
    const at = begin + (hour - 12) * 60 * minuteMs;
    expect(quietUntil(at, from, to)).toBe(at + left * 60 * minuteMs);
  });
  test("are none outside, and none when both ends are the same", () => {
    expect(quietUntil(begin, 22 * 60, 6 * 60)).toBeUndefined();
    expect(quietUntil(begin, 0, 0)).toBeUndefined();
  });
});

test("rows of several devices are one stream: in the order of time, of one moment in one, values of others apart", () => {
  const row = (deviceId: string, atMs: number, values: Record<string, unknown> | null) => ({
    deviceId,
    atMs,
    values,
    type: values === null ? "shot" : null,
    eventId: null,
    body: null,
  });
  const rows = groupRows(
    [
      row("1", 10, { t: 1 }),
      row("1", 30, { t: 3 }),
      row("2", 20, { t: 2 }),
      row("2", 30, { t: 4 }),
      row("2", 31, null),
    ],
    "1",
  );
  expect(rows.map(({ deviceId, atMs, values }) => [deviceId, atMs, { ...values }])).toEqual([
    ["1", 10, { t: 1 }],
    ["1", 20, { "2:t": 2 }],
    ["1", 30, { t: 3, "2:t": 4 }],
  ]);
});
