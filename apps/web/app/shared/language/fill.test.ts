import { expect, test } from "vitest";
import { fill } from "./fill.ts";

test("values stand in their places, unknown places stay", () => {
  expect(fill("{a} of {b} in {c}", { a: 1, b: "two" })).toBe("1 of two in {c}");
});

test.each([
  [0, "0 rows need it"],
  [1, "1 row needs it"],
  ["1", "1 row needs it"],
  [2, "2 rows need it"],
  ["1,001", "1,001 rows need it"],
])("%s has its own form of the words", (count, said) => {
  expect(fill("{count} {count|row needs|rows need} it", { count })).toBe(said);
});

test("a unit that stands without a number has the form of many", () => {
  expect(fill("{count|day|days}", {})).toBe("days");
  expect(fill("{count} {count|day|days}", {})).toBe("{count} days");
});

test("what a row is called has a small letter inside a sentence", () => {
  expect(fill("Add {one}", { one: "Sales model" })).toBe("Add sales model");
  expect(fill("{one} to add", { one: "Sales model" })).toBe("Sales model to add");
  expect(fill("Add {one}", { one: "API scope" })).toBe("Add API scope");
  expect(fill("Add {name}", { name: "Sales model" })).toBe("Add Sales model");
});
