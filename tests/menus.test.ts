import { readFile } from "node:fs/promises";
import { menuTypes, permissionOf, type ResourceDeclaration, resourceOperations, resources } from "@herdwise/contract";
import { expect, test } from "vitest";
import { flatMenuSeeds } from "../apps/server/src/database/seeds/foundation.ts";
import { customerRoles, groupRoles } from "../apps/server/src/database/seeds/menus.ts";
import { screens } from "../apps/web/app/screens.ts";

const seeds = flatMenuSeeds();
const menus = seeds.filter(({ category }) => category === 1).map(({ seed }) => seed);

test("every seeded menu with a screen names one of the registry, at its path and under its code", () => {
  for (const menu of menus.filter(({ component }) => component)) {
    expect(screens).toContainEqual(
      expect.objectContaining({ component: menu.component, path: menu.path, menuCode: menu.code }),
    );
  }
});

test("every screen of the registry has a seeded menu, so that nothing is built that nobody can reach", () => {
  expect(screens.map(({ menuCode }) => menuCode).sort()).toEqual(
    menus
      .filter(({ component }) => component)
      .map(({ code }) => code)
      .sort(),
  );
});

test("ids and codes are different from each other, types and roles are known", () => {
  expect(new Set(seeds.map(({ seed }) => seed.id)).size).toBe(seeds.length);
  expect(new Set(seeds.map(({ seed }) => seed.code)).size).toBe(seeds.length);
  const aliases = new Set<string>([...customerRoles, ...groupRoles].map(({ alias }) => alias));
  for (const { seed } of seeds) {
    expect(menuTypes).toContain(seed.type);
    for (const role of seed.roles) expect(aliases).toContain(role);
  }
});

test("no screen of the group's staff stands in a customer's menu for a right that hangs below it", () => {
  const ofCustomers = new Set<string>(customerRoles.map(({ alias }) => alias));
  const staffMenus = new Set(menus.filter(({ type, component }) => type === "admin" && component).map(({ id }) => id));
  const shown = seeds.filter(
    ({ seed, parentId }) =>
      (staffMenus.has(seed.id) || staffMenus.has(parentId ?? "")) && seed.roles.some((role) => ofCustomers.has(role)),
  );
  expect(staffMenus.size).toBeGreaterThan(0);
  expect(shown.map(({ seed }) => seed.code)).toEqual([]);
});

test("every name of a menu that is shown has a translation", async () => {
  const english = JSON.parse(await readFile(new URL("../apps/web/public/i18n/i18n_en.json", import.meta.url), "utf8"));
  for (const { name, hidden } of menus) if (!hidden) expect(Object.keys(english)).toContain(name);
});

test("customers only look at what is offered to them", () => {
  const offered = resources.flatMap((of: ResourceDeclaration) => (of.scope === "offered" ? [of.name] : []));
  const rights = new Set(
    offered.flatMap((name) => resourceOperations.map((operation) => permissionOf({ name }, operation))),
  );
  expect(offered.length).toBeGreaterThan(0);
  expect(seeds.flatMap(({ seed }) => (rights.has(seed.code) ? [seed.code] : [])).toSorted()).toEqual(
    offered.map((name) => permissionOf({ name }, "view")).toSorted(),
  );
});
