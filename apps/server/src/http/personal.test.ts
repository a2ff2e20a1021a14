import { expect, test } from "vitest";
import { maskPerson } from "./personal.ts";

test.each([
  ["P017", "P*17"],
  ["OP-3", "O*3"],
  ["P7", "P*7"],
  ["周建平", "周**"],
  ["Anna", "A**"],
  ["", ""],
])("a device's person %j is told as %j", (person, told) => {
  expect(maskPerson(person)).toBe(told);
});
