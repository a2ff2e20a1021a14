import { rangeOf } from "@herdwise/device-kinds";
import { environment } from "@herdwise/device-kinds/kinds/environment";
import { describe, expect, it } from "vitest";
import {
  clockOf,
  events,
  isOver,
  limitPpm,
  minutesAbove,
  nightHouse,
  nightMinutes,
  withAlarm,
  without,
} from "./night-model.ts";

/** What 480 pigs at 0.2 g an hour come to in the air of so many fans of 5,700 m³ an hour, ppm at 0.7 mg/m³. */
const settled = (fans: number): number => (480 * 200) / (fans * 5700) / 0.7;

describe("the night of the home page", () => {
  it("has the limit of the rule", () => {
    expect(rangeOf(environment, "nh3", {}, { ageS: 0 }).high).toBe(limitPpm);
    expect([isOver(limitPpm), isOver(limitPpm + 0.1)]).toEqual([false, true]);
  });

  it("begins and ends in balance: what the pigs give off is what the fans take out", () => {
    expect(without[0]).toBeCloseTo(settled(2), 6);
    expect(without[events.failed]).toBeCloseTo(settled(2), 6);
    expect(without[events.foundAtDawn]).toBeCloseTo(settled(1), 4);
    expect(without[nightMinutes]).toBeCloseTo(settled(2), 2);
    expect(withAlarm[nightMinutes]).toBeCloseTo(settled(2), 6);
  });

  it("rises by the solution of the balance, worked out by hand for 20 minutes", () => {
    const twentyMinutes = settled(1) + (settled(2) - settled(1)) * Math.exp((-5700 / 1900) * (20 / 60));
    expect(without[events.failed + 20]).toBeCloseTo(twentyMinutes, 6);
    expect(nightHouse.cubicMeters).toBe(1900);
  });

  it("is over the limit for hours, or never", () => {
    expect(minutesAbove(without)).toBe(284);
    expect(minutesAbove(withAlarm)).toBe(0);
    expect(Math.max(...withAlarm)).toBeLessThan(15);
  });

  it("tells the time over midnight", () => {
    expect([0, events.failed, events.foundAtDawn, nightMinutes].map(clockOf)).toEqual([
      "20:00",
      "01:12",
      "06:13",
      "08:00",
    ]);
  });
});
