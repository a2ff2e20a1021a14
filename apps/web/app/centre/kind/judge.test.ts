import type { KindDevice, KindUnit } from "@herdwise/contract";
import type { UnitState } from "@herdwise/contract/unit-states";
import {
  climateOf,
  environment,
  judgeUnit as judgeOfKind,
  numberIn,
  outlookOf,
  placeState,
  problemName,
  worstUnitState,
} from "@herdwise/device-kinds";
import { cough } from "@herdwise/device-kinds/kinds/cough";
import { describe, expect, it } from "vitest";
import { climateFacts, deviationTint, isComfortable } from "../environment/climate.ts";
import { growthSince, pointsOf } from "./use-history.ts";

const nowMs = 1_800_000_000_000;
const readingsOf = (values: Record<string, number | boolean | string>, ageS = 20) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value, ts: nowMs - ageS * 1000 }]));
const unit = (
  values: Record<string, number | boolean | string>,
  change: Partial<KindUnit> = {},
  ageS = 20,
): KindUnit => ({
  id: "7",
  name: "1 单元",
  capacity: 500,
  pigstyType: "fattening",
  averageWeightGrams: 58_000,
  mode: "normal",
  targetTemperature: 19.5,
  headCount: 480,
  deviceId: "1",
  deviceName: "one",
  status: "online",
  reportedAtMs: nowMs - ageS * 1000,
  readings: readingsOf(values, ageS),
  more: [],
  ...change,
});
const judgeUnit = (of: KindUnit, following = true) => judgeOfKind(climateFacts, of, nowMs, following);
const silent = ({ reportedAtMs: _reported, ...rest }: KindUnit): KindUnit => rest;
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
    const judged = judgeUnit(unit(good));
    const { deviation } = climateOf(judged.unit, judged);
    expect([judged.state, isComfortable(judged), deviation]).toEqual(["ok", true, 0.5]);
  });
  it("puts the worst first", () => {
    const judged = judgeUnit(unit({ ...good, nh3: 25, t_in: 15 }));
    expect(judged.state).toBe("major");
    expect(judged.problems.map(({ key }) => key)).toEqual(["t_in", "nh3"]);
  });
  it("masks an empty unit and does not call it comfortable", () => {
    const judged = judgeUnit(unit({ ...good, t_in: 9 }, { mode: "empty", headCount: 0 }));
    expect([judged.state, isComfortable(judged), judged.problems.length]).toEqual(["empty", undefined, 0]);
  });
  it("calls silence offline when this page hears the devices, stale when it does not", () => {
    const quiet = unit(good, {}, environment.offlineAfterS + 60);
    expect(judgeUnit(quiet).state).toBe("offline");
    expect(judgeUnit(quiet, false)).toMatchObject({ state: "ok", freshness: "stale" });
    expect(judgeUnit({ ...quiet, status: "offline" }, false).state).toBe("offline");
  });
  it("tells units without a controller and without a report apart", () => {
    expect(judgeUnit(unit({}, { deviceId: "" })).state).toBe("bare");
    expect(judgeUnit(silent(unit({}))).state).toBe("silent");
  });
  it("judges by what its farm changed and masked", () => {
    const judgedBy = {
      rules: [{ ruleId: "humidity_high", enabled: true, thresholds: { "rh.gt": 66 } }],
      written: [],
      masked: [],
      parameters: {},
    };
    const changed = judgeUnit(unit(good, { judgedBy }));
    expect([changed.state, changed.verdictOf("rh").range.high]).toEqual(["minor", 66]);
    const masked = [{ ruleIds: ["humidity_high"], startsMs: nowMs - 1, endsMs: nowMs + 1 }];
    expect(judgeUnit(unit(good, { judgedBy: { ...judgedBy, masked } })).state).toBe("ok");
    const over = masked.map((one) => ({ ...one, endsMs: nowMs }));
    expect(judgeUnit(unit(good, { judgedBy: { ...judgedBy, masked: over } })).state).toBe("minor");
  });
  it("judges by the rules that its farm wrote, at their time of day", () => {
    const at = (from: string, to: string) => ({
      id: "own-1",
      name: "夜里干",
      severity: "MAJOR" as const,
      raiseAfterS: 0,
      clearAfterS: 0,
      joint: "all" as const,
      parts: [
        { type: "compare" as const, key: "rh_out", op: "lt" as const, value: 30 },
        { type: "during" as const, from, to },
      ],
    });
    const judged = (from: string, to: string) =>
      judgeUnit(
        unit({ ...good, rh_out: 25 }, { judgedBy: { rules: [], written: [at(from, to)], masked: [], parameters: {} } }),
      );
    // 16:00 in Asia/Shanghai
    const found = judged("15:00", "17:00");
    expect([found.state, ...found.problems.map(({ key, range }) => [key, range.low])]).toEqual([
      "major",
      ["rh_out", 30],
    ]);
    expect(found.problems.map(problemName)).toEqual([{ zh: "夜里干", en: "夜里干" }]);
    expect(judged("17:00", "15:00").state).toBe("ok");
  });
  it("tells a rejected reading from one that does not come", () => {
    const { rh: _, ...rest } = good;
    const wire = (atMs: number): string => new Date(atMs + 8 * 3_600_000).toISOString().slice(0, 19).replace("T", " ");
    const device = (lastMs: number) => ({
      ...unit(rest),
      rejected: [{ key: "rh", reason: "range" as const, count: 1, lastText: "-127", lastAt: wire(lastMs) }],
    });
    const standing = (lastMs: number) => judgeUnit(device(lastMs)).verdictOf("rh").standing;
    expect([standing(nowMs - 60_000), standing(nowMs - 3_600_000)]).toEqual(["rejected", "unknown"]);
  });
  it("takes a self-reported fault seriously", () => {
    expect(judgeUnit(unit(good, { status: "fault" })).state).toBe("major");
  });
  it("tints by distance, not by state", () => {
    expect([undefined, 0, 0.9, 1, -2.4, 9].map(deviationTint)).toEqual(["", "", "", "w1", "c2", "w4"]);
  });
  it("finds the worst of a house", () => {
    expect(worstUnitState([{ state: "ok" }, { state: "minor" }, { state: "empty" }])).toBe("minor");
    expect(worstUnitState([])).toBe("bare");
  });
  it("calls no place normal that is heard in part", () => {
    expect(placeState([{ state: "ok" }, { state: "silent" }])).toBe("silent");
    expect(placeState([{ state: "ok" }, { state: "bare" }])).toBe("ok");
    expect(placeState([{ state: "bare" }])).toBe("bare");
  });
  it("calls no place better than the worst alarm open there", () => {
    const alarms = { WARN: 1, MINOR: 0, MAJOR: 2, CRITICAL: 0 };
    expect(placeState([{ state: "ok" }, { state: "offline" }], alarms)).toBe("major");
    expect(placeState([{ state: "critical" }], alarms)).toBe("critical");
    expect(placeState([{ state: "ok" }], { ...alarms, MAJOR: 0 })).toBe("notice");
    expect(placeState([{ state: "ok" }], { ...alarms, MAJOR: 0, WARN: 0 })).toBe("ok");
  });
  it("calls all good only what was heard", () => {
    const of = (...states: UnitState[]) => outlookOf(states.map((state) => ({ state })));
    expect(of("ok", "washing", "notice")).toEqual({ attention: 0, silent: 0, bare: 0, heard: 3, allGood: true });
    expect(of("silent", "silent")).toEqual({ attention: 0, silent: 2, bare: 0, heard: 0, allGood: false });
    expect(of("ok", "silent", "bare")).toEqual({ attention: 0, silent: 1, bare: 1, heard: 1, allGood: false });
    expect(of("ok", "offline", "critical")).toEqual({ attention: 2, silent: 0, bare: 0, heard: 3, allGood: false });
    expect(of().allGood).toBe(false);
  });
});

describe("a kind by its declaration alone", () => {
  const facts = { kind: cough };
  const monitor = (deviceId: string, values: Record<string, number | boolean>, ageS = 20): KindDevice => ({
    deviceId,
    deviceName: deviceId,
    status: "online",
    reportedAtMs: nowMs - ageS * 1000,
    readings: readingsOf(values, ageS),
  });
  const calm = { rdi: 0.2, rehs: 88, coughs: 1, laeq: 62, mic_ok: true, pigs: 220 };
  const withMonitors = (first: KindDevice, ...more: KindDevice[]): KindUnit => ({ ...unit({}), ...first, more });

  it("is judged by every value that its rules compare", () => {
    const judged = judgeOfKind(facts, withMonitors(monitor("1", { ...calm, rehs: 55, laeq: 90 })), nowMs, true);
    expect(judged.state).toBe("minor");
    expect(judged.problems.map(({ rule }) => rule?.id).sort()).toEqual(["health_score_low", "noise"]);
    expect(judgeOfKind(facts, withMonitors(monitor("1", calm)), nowMs, true).state).toBe("ok");
  });

  it("stands in a unit by the worst of its devices, wherever that comes in the list", () => {
    const judged = judgeOfKind(
      facts,
      withMonitors(monitor("1", calm), monitor("2", { ...calm, mic_ok: false }), monitor("3", calm, 3600)),
      nowMs,
      true,
    );
    expect([judged.state, judged.device.deviceId]).toEqual(["major", "2"]);
    expect(judged.devices.map(({ state }) => state)).toEqual(["major", "offline", "ok"]);
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
  it("takes the highest of a bucket of what is switched: a mean of gears never ran", () => {
    const points = [[1, 3, 6.5, 10]];
    expect(pointsOf({ key: "gear", resolution: "hour", points }, true)).toEqual([{ atMs: 1, value: 10 }]);
    expect(pointsOf({ key: "fan", resolution: "raw", points: [[1, true]] }, true)).toEqual([{ atMs: 1, value: 1 }]);
  });
  it("counts a meter's growth across its replacement, of which the first reading is where counting begins", () => {
    const points = [10, 14, 20, 3, 5].map((value, atMs) => ({ atMs, value }));
    expect(growthSince(points, 0)).toBe(12);
    expect(growthSince(points, 1)).toBe(8);
    expect(growthSince(points, 4)).toBeUndefined();
  });
});

it("a number that did not come for three intervals while others did is none; of a device that fell silent all stay", () => {
  const atMs = Date.UTC(2026, 10, 28, 6);
  const readings = { t_in: { value: 21.1, ts: atMs }, rh: { value: 52, ts: atMs + 179_000 } };
  expect(numberIn(environment, readings, "t_in")).toBe(21.1);
  const later = { ...readings, rh: { value: 53, ts: atMs + 180_000 } };
  expect(numberIn(environment, later, "t_in")).toBeUndefined();
  expect(numberIn(environment, later, "rh")).toBe(53);
});
