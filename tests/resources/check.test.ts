import {
  checkField,
  checkRow,
  choice,
  choices,
  date,
  type Field,
  number,
  onOff,
  reference,
  type TextRule,
  text,
} from "@herdwise/contract";
import { describe, expect, test } from "vitest";
import { rightValues, wrongValues } from "./sample-values.ts";

const rules: readonly TextRule[] = ["mobile", "phone", "email", "code", "time-ranges", "region", "path"];
const options = [
  ["a", "甲"],
  ["b", "乙"],
] as const;
/** Fields of all kinds and rules, whether or not a resource has one. */
const fields: [string, Field][] = [
  ["a text", text("名称", { required: true, min: 2, max: 12 })],
  ["a text of lines", text("备注", { max: 12, lines: 3 })],
  ...rules.map((rule): [string, Field] => [`a text of the rule ${rule}`, text("值", { max: 80, rule })]),
  ["a number", number("数", { required: true, min: -5, max: 10, decimals: 2 })],
  ["a choice", choice("选", { required: true, options })],
  ["choices", choices("选", { options, max: 2 })],
  ["a reference", reference("引用", { to: "post" })],
  ["a day", date("日", { required: true })],
  ["a switch", onOff("开关", {})],
];

describe.each(fields)("bounds of %s", (_name, field) => {
  test("are held", () => {
    // That a reference leads to a row, the database tells.
    const wrong = wrongValues(field, {}).filter(({ value }) => field.kind !== "reference" || value !== "1");
    for (const { value, reason } of wrong)
      expect([value, checkField("it", field, value)?.reason]).toEqual([value, reason]);
  });

  test("are themselves right", () => {
    const right = rightValues(field, 7, {});
    if (field.kind === "reference") right.push("1", `8${"9".repeat(18)}`);
    expect(right.length).toBeGreaterThan(0);
    for (const value of right) expect([value, checkField("it", field, value)]).toEqual([value, undefined]);
  });

  test("a value of another type is no fault", () => {
    for (const value of [{}, [{}], 5n, Number.NaN, Number.POSITIVE_INFINITY])
      expect([String(value), checkField("it", field, value)?.reason.startsWith("field.")]).toEqual([
        String(value),
        true,
      ]);
  });
});

test("blanks around a text don't count for its bounds, and blanks alone are nothing", () => {
  const field = text("名称", { required: true, min: 2, max: 3 });
  expect(checkField("it", field, "  abc  ")).toBeUndefined();
  expect(checkField("it", field, " a ")?.reason).toBe("field.length");
  expect(checkField("it", field, "   ")?.reason).toBe("field.required");
});

test("a row has all of its problems told, a change those of what it names", () => {
  const of = { fields: { name: text("名称", { required: true, max: 3 }), count: number("数", { min: 0, max: 9 }) } };
  const reasons = (values: object, partial = false) =>
    checkRow(of, values as Record<string, unknown>, { partial }).map(({ field, reason }) => `${field} ${reason}`);
  expect(reasons({ count: 10 })).toEqual(["name field.required", "count field.range"]);
  expect(reasons({ count: 10 }, true)).toEqual(["count field.range"]);
});
