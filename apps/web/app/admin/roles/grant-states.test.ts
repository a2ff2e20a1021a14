import type { GrantNode } from "@herdwise/contract";
import { expect, test } from "vitest";
import {
  compared,
  edited,
  foundNodes,
  grantCount,
  grantStateOf,
  isGroup,
  noEdits,
  unreachable,
  withEdits,
} from "./grant-states.ts";

const node = (id: string, more: Partial<GrantNode> = {}): GrantNode => ({
  id,
  parentId: "0",
  title: id,
  key: id,
  value: id,
  hasChildren: (more.children ?? []).length > 0,
  code: id,
  category: 1,
  type: "admin",
  icon: "list",
  component: `/${id}/index`,
  hidden: false,
  disabled: false,
  beyondPackage: false,
  ...more,
});
const button = (id: string): GrantNode => node(id, { category: 2, component: "" });
const list = node("list", { children: [button("view"), button("edit")] });
const group = node("group", { component: "", disabled: true, children: [list] });

test("a menu has four states, told by itself and by what stands below it at any depth", () => {
  expect(grantStateOf(list, new Set(["list", "view", "edit"]))).toBe("granted");
  expect(grantStateOf(list, new Set(["list", "view"]))).toBe("some");
  expect(grantStateOf(group, new Set(["edit"]))).toBe("path");
  expect(grantStateOf(group, new Set(["another"]))).toBe("none");
  // A group below has nothing of its own that could be missing.
  expect(grantStateOf(node("top", { children: [group] }), new Set(["top", "list", "view", "edit"]))).toBe("granted");
  expect([isGroup(group), isGroup(list), isGroup(button("view"))]).toEqual([true, false, false]);
  expect(grantCount(group, new Set(["view"]))).toEqual({ granted: 1, total: 3 });
});

test("only what differs is kept, and it holds on what somebody else stored meanwhile", () => {
  const stored = new Set(["kept", "list"]);
  const given = edited(stored, noEdits, ["view", "kept"], true);
  expect(given).toEqual({ given: ["view"], taken: [] });
  const both = edited(stored, given, ["list"], false);
  expect([...withEdits(stored, both)].toSorted()).toEqual(["kept", "view"]);
  expect([...withEdits(new Set(["list", "new"]), both)].toSorted()).toEqual(["new", "view"]);
  expect(edited(stored, edited(stored, both, ["view"], false), ["list"], true)).toEqual(noEdits);
});

test("a search keeps the way to what it found, and all of a menu that fits", () => {
  const ids = (nodes: readonly GrantNode[]): unknown[] =>
    nodes.map(({ id, children }) => (children ? [id, ids(children)] : id));
  expect(ids(foundNodes([group], ({ id }) => id === "edit"))).toEqual([["group", [["list", ["edit"]]]]]);
  expect(ids(foundNodes([group], ({ id }) => id === "list"))).toEqual([["group", [["list", ["view", "edit"]]]]]);
  expect(foundNodes([group], () => false)).toEqual([]);
});

test("two roles are compared menu by menu", () => {
  expect(compared(list, new Set(), new Set())).toBeUndefined();
  expect(compared(list, new Set(["list"]), new Set(["list"]))?.same).toBe(true);
  const { more = [], less = [] } = compared(list, new Set(["list", "edit"]), new Set(["list", "view"])) ?? {};
  expect([more.map(({ id }) => id), less.map(({ id }) => id)]).toEqual([["view"], ["edit"]]);
});

test("buttons of a screen that is not granted are told", () => {
  expect(unreachable([group], new Set(["edit"])).map(({ id }) => id)).toEqual(["list"]);
  expect(unreachable([group], new Set(["edit", "list"]))).toEqual([]);
  // A customer's own screen of roles works with the buttons of the staff's.
  const staff = node("role", { component: "/system/role/index", children: [button("role_view")] });
  const own = node("self_role", { component: "/selfCenter/roles/index" });
  expect(unreachable([staff, own], new Set(["role_view"])).map(({ id }) => id)).toEqual(["role"]);
  expect(unreachable([staff, own], new Set(["role_view", "self_role"]))).toEqual([]);
});
