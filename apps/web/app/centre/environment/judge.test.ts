import { environment } from "@herdwise/device-kinds";
import { describe, expect, it } from "vitest";
import { deviationTint, judgeUnit, worstUnitState } from "./judge.ts";
import { growthSince, pointsOf } from "./use-history.ts";

const nowMs = 1_800_000_000_000;
const unit = (values: Record<string, number | boolean | string>, more: object = {}, ageS = 20) => ({
  pigstyType: "fattening" as const,
  averageWeightGrams: 58_000,
  mode: "normal" as const,
  targetTemperature: 19.5,
  headCount: 480,
  deviceId: "1",
  status: "online" as const,
  reportedAtMs: nowMs - ageS * 1000,
  readings: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value, ts: nowMs - ageS * 1000 }])),
  ...more,
});
const good = {
  t_in: 20,
  t_target: 19.5,
  rh: 68,
  nh3: 9,
  co2: 1800,
  h2s: 0.4,
  dp: 18,
  gear: 4,
  gear_cmd: 4,
  mains: true,
  t_out: 10,
};

describe("judging a unit", () => {
  it("calls a good unit good, with its distance from the target", () => {
    const judged = judgeUnit(unit(good), nowMs, true);
    expect([judged.state, judged.comfortable, judged.deviation]).toEqual(["ok", true, 0.5]);
  });
  it("puts the worst first", () => {
    const judged = judgeUnit(unit({ ...good, nh3: 25, t_in: 15 }), nowMs, true);
    expect(judged.state).toBe("major");
    expect(judged.problems.map(({ key }) => key)).toEqual(["t_in", "nh3"]);
  });
  it("masks an empty unit and does not call it comfortable", () => {
    const judged = judgeUnit(unit({ ...good, t_in: 9 }, { mode: "empty", headCount: 0 }), nowMs, true);
    expect([judged.state, judged.comfortable, judged.problems.length]).toEqual(["empty", undefined, 0]);
  });
  it("calls silence offline when this page hears the devices, stale when it does not", () => {
    const silent = unit(good, {}, environment.offlineAfterS + 60);
    expect(judgeUnit(silent, nowMs, true).state).toBe("offline");
    expect(judgeUnit(silent, nowMs, false)).toMatchObject({ state: "ok", freshness: "stale" });
    expect(judgeUnit({ ...silent, status: "offline" }, nowMs, false).state).toBe("offline");
  });
  it("tells units without a controller and without a report apart", () => {
    expect(judgeUnit(unit({}, { deviceId: "" }), nowMs, true).state).toBe("bare");
    expect(judgeUnit(unit({}, { reportedAtMs: undefined }), nowMs, true).state).toBe("silent");
  });
  it("takes a self-reported fault seriously", () => {
    expect(judgeUnit(unit(good, { status: "fault" }), nowMs, true).state).toBe("major");
  });
  it("tints by distance, not by state", () => {
    expect([undefined, 0, 0.3, 0.7, -0.9, 9].map(deviationTint)).toEqual(["", "", "", "w1", "c1", "w4"]);
  });
  it("finds the worst of a house", () => {
    expect(worstUnitState([{ state: "ok" }, { state: "minor" }, { state: "empty" }])).toBe("minor");
    expect(worstUnitState([])).toBe("ok");
  });
});

describe("history", () => {
  it("takes raw values or the mean of buckets", () => {
    expect(pointsOf({ key: "x", resolution: "raw", points: [[1, 5]] })).toEqual([{ atMs: 1, value: 5 }]);
    expect(
      pointsOf({
        key: "x",
        resolution: "hour",
        points: [
          [1, 4, 5, 6],
          [2, null, null, null],
        ],
      }),
    ).toEqual([{ atMs: 1, value: 5 }]);
  });
  it("counts a meter's growth across its replacement", () => {
    const points = [10, 14, 20, 3, 5].map((value, atMs) => ({ atMs, value }));
    expect(growthSince(points, 0)).toBe(15);
    expect(growthSince(points, 1)).toBe(11);
    expect(growthSince(points, 4)).toBeUndefined();
  });
});
