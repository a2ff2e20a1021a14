import { deviceKinds, gearTable } from "@herdwise/device-kinds";
import { expect, test } from "vitest";
import { differencesOf, sameValue, startValue, typedNumber } from "./parameter-values.ts";

const parameter = (key: string) => {
  const found = deviceKinds.environment.parameters.find((declared) => declared.key === key);
  if (!found) throw new Error(key);
  return found;
};

test("a table differs cell by cell, and by its rows", () => {
  const before = gearTable(20).slice(0, 3);
  const after = before.map((row) => (row.gear === 2 ? { ...row, t_up: 20.5, damper: 15 } : row));
  expect(differencesOf(parameter("fan_table"), before, after)).toEqual([
    { row: 2, column: "t_up", before: 20, after: 20.5 },
    { row: 2, column: "damper", before: 12, after: 15 },
  ]);
  expect(differencesOf(parameter("fan_table"), before, before.slice(0, 2))).toEqual([
    { row: 3, column: "", before: before[2], after: undefined },
  ]);
  expect(differencesOf(parameter("t_target"), 20, 21)).toEqual([{ column: "", before: 20, after: 21 }]);
  expect(differencesOf(parameter("min_ventilation"), { basis: "head", value: 1 }, { value: 2, basis: "head" })).toEqual(
    [{ column: "value", before: 1, after: 2 }],
  );
});

test("the order of fields makes no difference, and nothing is null", () => {
  expect(sameValue({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
  expect(sameValue(undefined, null)).toBe(true);
  expect(sameValue([1], [2])).toBe(false);
});

test("a form starts from what is wanted, then from what is reported, then from the kind", () => {
  const target = parameter("t_target");
  expect(startValue(target, { desired: { t_target: 23 }, reported: { t_target: 22 } })).toBe(23);
  expect(startValue(target, { desired: {}, reported: { t_target: 22 } })).toBe(22);
  expect(startValue(target, { desired: {}, reported: {} })).toBe(20);
});

test("a number is read as it is typed", () => {
  expect([typedNumber(" 2.5 "), typedNumber(""), typedNumber("warm"), typedNumber("-0")]).toEqual([
    2.5,
    null,
    "warm",
    -0,
  ]);
});
