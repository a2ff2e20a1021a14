import { describe, expect, it } from "vitest";
import type { Parameter, Problem } from "./device-kind.ts";
import { gearTable } from "./gears.ts";
import { environment } from "./kinds/environment.ts";
import { minuteOfDay } from "./validation.ts";

const structure = (key: string): Extract<Parameter, { type: "structure" }> => {
  const found = environment.parameters.find((parameter) => parameter.key === key);
  if (found?.type !== "structure") throw new Error(`${key} is not a structure`);
  return found;
};
const check = (key: string, value: unknown): Problem[] => structure(key).validate(value);
const paths = (problems: Problem[]): string[] => problems.map(({ path }) => path);

describe("times", () => {
  it.each([
    ["00:00", 0],
    ["07:30", 450],
    ["24:00", 1440],
    ["24:01", undefined],
    ["7:30", undefined],
    ["12:60", undefined],
    ["", undefined],
    [730, undefined],
  ])("%s is minute %s", (value, minute) => {
    expect(minuteOfDay(value)).toBe(minute);
  });
});

describe("fan table", () => {
  const table = gearTable(20);
  const changed = (at: number, change: object) =>
    table.map((row, index) => (index === at ? { ...row, ...change } : row));
  it("takes the default table", () => expect(check("fan_table", table)).toEqual([]));
  it("takes 18 gears and refuses 19", () => {
    const nineteen = [...table, { ...table[17], gear: 19, t_up: 40, t_down: 39 }];
    expect(check("fan_table", nineteen).some(({ path, zh }) => path === "" && zh.includes("18"))).toBe(true);
  });
  it("refuses an empty table", () => expect(check("fan_table", [])).toHaveLength(1));
  it("must be complete", () => {
    expect(check("fan_table", changed(4, { damper: undefined }))).toEqual([
      { path: "4.damper", zh: "风门不能为空", en: "Inlet must not be empty" },
    ]);
  });
  it("needs ascending temperatures", () => {
    expect(paths(check("fan_table", changed(3, { t_up: table[2]?.t_up })))).toContain("3.t_up");
  });
  it("needs the down temperature below the up temperature", () => {
    expect(paths(check("fan_table", changed(3, { t_down: table[3]?.t_up })))).toEqual(["3.t_down"]);
  });
  it("counts gears from 1 without gaps", () => {
    expect(
      paths(
        check(
          "fan_table",
          table.filter(({ gear }) => gear !== 5),
        ),
      )[0],
    ).toBe("4.gear");
  });
  it("keeps to the fans there are", () => {
    expect(paths(check("fan_table", changed(0, { fans: 12 })))).toContain("0.fans");
    expect(paths(check("fan_table", changed(0, { fans: 1.5 })))).toEqual(["0.fans"]);
  });
  it("says so when it is no table at all", () => expect(check("fan_table", { gear: 1 })).toHaveLength(1));
});

describe("lighting", () => {
  const group = { on: "07:00", off: "18:00", lux: 60, channel: 1 };
  it("takes six groups and refuses seven", () => {
    expect(check("lighting", Array(6).fill(group))).toEqual([]);
    expect(check("lighting", Array(7).fill(group))).toHaveLength(1);
  });
  it("needs both times, closing not before opening; equal is allowed", () => {
    expect(check("lighting", [{ ...group, on: "" }])).toEqual([
      { path: "0.on", zh: "时间不能为空", en: "Time must not be empty" },
    ]);
    expect(paths(check("lighting", [{ ...group, off: "06:59" }]))).toEqual(["0.off"]);
    expect(check("lighting", [{ ...group, off: "07:00" }])).toEqual([]);
  });
});

describe("control periods", () => {
  const period = (on: string, off: string) => ({ on, off, t_offset: 1 });
  it("may touch but not overlap, in any order", () => {
    expect(check("control_periods", [period("08:00", "12:00"), period("12:00", "13:00")])).toEqual([]);
    expect(check("control_periods", [period("12:00", "13:00"), period("08:00", "12:01")])).toEqual([
      { path: "0.on", zh: "与第 2 组时段重叠", en: "Overlaps with period 2" },
    ]);
  });
  it("sees a period inside a longer, earlier one", () => {
    const spans = [period("00:00", "20:00"), period("01:00", "02:00"), period("03:00", "04:00")];
    expect(paths(check("control_periods", spans))).toEqual(["1.on", "2.on"]);
  });
});

describe("day curve and minimum ventilation", () => {
  const point = (day: number) => ({ day, t_target: 22 });
  it("takes ten ascending points, refuses eleven and equal days", () => {
    const ten = Array.from({ length: 10 }, (_, index) => point(index * 7));
    expect(check("day_curve", ten)).toEqual([]);
    expect(check("day_curve", [...ten, point(99)])).toHaveLength(1);
    expect(paths(check("day_curve", [point(1), point(1)]))).toEqual(["1.day"]);
  });
  it("refuses more than 100 % and an unknown basis", () => {
    const record = { basis: "percent", value: 20, on_s: 60, off_s: 240 };
    expect(check("min_ventilation", record)).toEqual([]);
    expect(paths(check("min_ventilation", { ...record, value: 101 }))).toEqual(["value"]);
    expect(paths(check("min_ventilation", { ...record, basis: "moon" }))).toEqual(["basis"]);
  });
});
