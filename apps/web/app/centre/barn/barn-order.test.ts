import { describe, expect, test } from "vitest";
import { isUnheard, unitsOf } from "./barn-order.ts";
import type { BarnAlarm, BarnUnit } from "./kept.ts";

describe("units in a barn", () => {
  const unit = (id: string, houseId: string, temperature = 20): BarnUnit => ({
    farmName: "",
    houseId,
    houseName: "",
    unit: {
      id,
      name: id,
      capacity: 900,
      pigstyType: "fattening",
      mode: "normal",
      headCount: 800,
      targetTemperature: 20,
      deviceId: `d${id}`,
      deviceName: "",
      status: "online",
      reportedAtMs: 0,
      readings: { t_in: { value: temperature, ts: 0 }, t_target: { value: 20, ts: 0 } },
      more: [],
    },
  });
  const alarm = (id: string, unitId: string, severity: BarnAlarm["severity"], raisedMs: number): BarnAlarm => ({
    id,
    kind: "environment",
    ruleId: "offline",
    ruleName: "",
    sentence: { zh: "", en: "" },
    severity,
    unitId,
    houseName: "",
    unitName: "",
    deviceName: "",
    raisedMs,
    state: "open",
  });
  const all = { houseId: "", nowMs: 0, following: true };
  const idsOf = (...given: Parameters<typeof unitsOf>) => unitsOf(...given).map(({ judged }) => judged.unit.id);

  test("stand by their worst alarm", () => {
    const alarms = [alarm("a", "3", "MINOR", 5), alarm("b", "2", "CRITICAL", 9), alarm("c", "3", "MINOR", 1)];
    const units = [unit("1", "h"), unit("2", "h"), unit("3", "h"), unit("4", "k")];
    const shown = unitsOf(units, alarms, { ...all, houseId: "h" });
    expect(shown.map(({ judged }) => judged.unit.id)).toEqual(["2", "3", "1"]);
    expect(shown[1]?.alarms.map(({ id }) => id)).toEqual(["c", "a"]);
    // What somebody knows of does not stand before what asks.
    const known = alarms.map((one) => (one.id === "b" ? { ...one, known: { untilMs: 10, by: "" } } : one));
    expect(idsOf(units.slice(0, 3), known, { ...all, nowMs: 9 })).toEqual(["3", "2", "1"]);
    expect(idsOf(units.slice(0, 3), known, { ...all, nowMs: 10 })).toEqual(["2", "3", "1"]);
  });

  test("without an alarm stand by their values", () => {
    expect(idsOf([unit("1", "h"), unit("2", "h", 34), unit("3", "k", 21)], [], all)).toEqual(["2", "3", "1"]);
  });

  test("are not heard when their values are old, without the network too", () => {
    const heard = (nowMs: number, following: boolean) =>
      unitsOf([unit("1", "h", 34)], [], { ...all, nowMs, following }).map(({ judged }) => [
        isUnheard(judged),
        judged.state,
      ]);
    expect(heard(0, true)).toEqual([[false, "critical"]]);
    expect(heard(3_600_000, true)).toEqual([[true, "offline"]]);
    expect(heard(3_600_000, false)[0]?.[0]).toBe(true);
  });
});
