import { expect, test } from "vitest";
import { maskPerson, mayNamePeople } from "./personal.ts";

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

test("people are named to who may see the users, and never to a token", () => {
  const owner = { permissions: new Set(["user_view"]), tokenScopes: undefined };
  expect(mayNamePeople(owner)).toBe(true);
  expect(mayNamePeople({ ...owner, permissions: new Set() })).toBe(false);
  expect(mayNamePeople({ ...owner, tokenScopes: new Set(["devices:read"] as const) })).toBe(false);
});
