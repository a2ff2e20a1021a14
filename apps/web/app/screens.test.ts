import { existsSync } from "node:fs";
import { join } from "node:path";
import type { MenuNode } from "@herdwise/contract";
import { describe, expect, it } from "vitest";
import { fileOf } from "./screen-files.ts";
import { hiddenMenuNode, screenAt, screens } from "./screens.ts";
import { withoutFarmOrganization } from "./shared/session/access.ts";
import { groupsOf, standingOf } from "./shared/session/menu.ts";

const node = (fields: Partial<MenuNode>): MenuNode => ({
  id: fields.code ?? "",
  parentId: "0",
  code: "",
  name: "",
  alias: "",
  path: "",
  component: "",
  icon: "",
  source: "",
  type: "",
  sort: 1,
  category: 1,
  action: 1,
  isOpen: 1,
  hidden: false,
  noMenu: false,
  activeMenu: "",
  ...fields,
});
const overview = "/selfCenter/vet/environment/overview";
const unit = "/selfCenter/vet/environment/unit";
const menu: MenuNode[] = [
  node({
    code: "env",
    name: "环境控制",
    type: "vet",
    children: [
      node({ code: "env_overview", name: "总览", path: overview, component: `${overview}/index`, type: "vet" }),
      node({
        code: "env_unit",
        path: unit,
        component: `${unit}/index`,
        type: "vet",
        hidden: true,
        activeMenu: overview,
      }),
    ],
  }),
  node({ code: "newer", type: "order", path: "/order/new", component: "/order/new/index" }),
];

describe("screens", () => {
  it("have unique components, paths and codes, and a module each", () => {
    for (const key of ["component", "path", "menuCode"] as const) {
      expect(new Set(screens.map((screen) => screen[key])).size).toBe(screens.length);
    }
    for (const screen of screens) {
      const { component, path } = screen;
      expect(component).toBe(`${path}/index`);
      expect(existsSync(join(import.meta.dirname, fileOf(screen)))).toBe(true);
    }
  });
  it("are found by their path, with or without a slash at its end", () => {
    expect(screenAt(`${overview}/`)?.menuCode).toBe("env_overview");
    expect(screenAt("/nowhere")).toBeUndefined();
  });
});

describe("menu", () => {
  it("shows only groups with a screen of this build", () => {
    expect(groupsOf(menu).map(({ type, entry }) => [type, entry.code])).toEqual([["vet", "env_overview"]]);
  });
  it("highlights the entry that a hidden screen names", () => {
    const standing = standingOf(menu, screenAt(unit));
    expect(standing.activePath).toBe(overview);
    expect(standing.group?.type).toBe("vet");
  });
  it("has no place for a screen that it lacks", () => {
    expect(standingOf(menu, screenAt("/selfCenter/home")).node).toBeUndefined();
  });
  it("loses the farm organization node at any depth, and children that become empty", () => {
    const trees = [
      node({ code: "a", children: [node({ code: hiddenMenuNode.code })] }),
      node({
        code: "b",
        children: [
          node({ code: "c", children: [node({ code: "x", name: hiddenMenuNode.name }), node({ code: "d" })] }),
        ],
      }),
    ];
    expect(withoutFarmOrganization(trees)).toEqual([
      node({ code: "a" }),
      node({ code: "b", children: [node({ code: "c", children: [node({ code: "d" })] })] }),
    ]);
  });
});
