import type { DeviceEventRecord } from "@herdwise/contract";
import { deodorization } from "@herdwise/device-kinds/kinds/deodorization";
import { describe, expect, test } from "vitest";
import { levelOf } from "../../shared/chart/heat-map.tsx";
import { daysOfHours } from "./hour-days.ts";
import { hoursOfDay, recordFault, sumsOf } from "./register-hours.ts";

const midnight = Date.parse("2026-03-02T00:00:00+08:00");
const hourMs = 3_600_000;

describe("hours of days", () => {
  test("stand by the clock of the farms; a counter tells what it grew by", () => {
    const points = [
      [midnight, 1, 2, 5],
      [midnight + 23 * hourMs, 5, 6, 9],
      [midnight + 24 * hourMs, 9, 9, 10],
    ];
    const days = daysOfHours(points, false);
    expect(days.map(({ day }) => day)).toEqual(["2026-03-02", "2026-03-03"]);
    expect([days[0]?.hours[0], days[0]?.hours[1], days[0]?.hours[23], days[1]?.hours[0]]).toEqual([2, undefined, 6, 9]);
    expect(daysOfHours(points, true)[0]?.hours[0]).toBe(4);
  });
  test("have five steps of colour, and none for nothing", () => {
    expect([0, 0.1, 2, 2.1, 10, 12].map((value) => levelOf(value, 10))).toEqual([0, 1, 1, 2, 5, 5]);
    expect(levelOf(3, 0)).toBe(0);
  });
});

describe("the hourly register", () => {
  const record = (hour: number, fields: Record<string, unknown>): DeviceEventRecord => ({
    eventId: `e${hour}`,
    type: "hourly_record",
    ts: midnight + (hour + 1) * hourMs,
    fields,
  });
  const settings = { desired: { ec_max: 250 }, reported: { ph_low: 1.5, ph_high: 4.5 } };
  const good = record(0, { ph: 4, ec: 120, dp: 90, discharge: 0.1, kwh: 2.5 });
  const bad = record(2, { ph: 5.6, ec: 120, dp: 90, discharge: 0, kwh: 3 });
  test("has a row for each hour, knows what is missing and what is not over yet", () => {
    const hours = hoursOfDay([bad, good], midnight, midnight + 4 * hourMs);
    expect(hours).toHaveLength(24);
    expect(hours.map(({ record: held }) => held?.eventId).slice(0, 4)).toEqual(["e0", undefined, "e2", undefined]);
    expect(hours.filter(({ due }) => due)).toHaveLength(4);
    const isGood = (held: DeviceEventRecord) => recordFault(deodorization, held, settings) === undefined;
    expect(sumsOf(hours, isGood)).toEqual({ due: 4, kept: 2, good: 1, discharge: 0.1, kwh: 5.5 });
  });
  test("names the first figure beyond its limit, which is set, else the kind's", () => {
    expect(recordFault(deodorization, bad, settings)).toMatchObject({
      key: "ph",
      value: 5.6,
      range: { low: 1.5, high: 4.5 },
    });
    const most = deodorization.parameters.find(({ key }) => key === "ec_max")?.default as number;
    const salty = record(0, { ...good.fields, ec: most + 1 });
    expect(recordFault(deodorization, salty, { desired: {}, reported: {} })).toMatchObject({
      key: "ec",
      range: { high: most },
    });
    expect(recordFault(deodorization, record(1, { ph: 4, ec: 10, dp: 151 }), settings)).toMatchObject({ key: "dp" });
  });
});
