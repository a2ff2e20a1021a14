import { resource, text } from "@herdwise/contract/resource";
import { expect, test } from "vitest";
import { readConditions } from "./resource-conditions.ts";

const kept = resource({
  name: "kept",
  table: "kept",
  path: "/api/muyuan-test/kept",
  scope: "group",
  words: { one: "名", many: "名" },
  title: "shortName",
  menu: { parent: "archives", icon: "list", path: "/kept", type: "admin", roles: [] },
  fields: { shortName: text("简称", { max: 20, search: true }) },
});

test("what every object has by its prototype is no condition", () => {
  expect(readConditions(kept, { shortName: "a" })).toEqual([{ kind: "contains", field: "shortName", value: "a" }]);
  for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty", "constructor_equal"])
    expect(() => readConditions(kept, { [name]: "a" }), name).toThrow(name);
});
