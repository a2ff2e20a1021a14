import { menus, topMenus } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { type ResourceContext, resourceModule, type StoredRow } from "../../resources/index.ts";
import { screenPaths } from "./menu-admin.repository.ts";

const menuCategory = 1;
/** What the product relies on in a menu of its own. */
const fixed = ["code", "category", "component", "path"] as const;

/**
 * Refuses a screen that the web app does not have, or at another address than its own.
 * @throws Refusal 400
 */
function requireTarget(component: string, path: string): void {
  if (component === "") return;
  const screen = screenPaths.get(component);
  if (screen === undefined) throw refuse("menu.component", { field: "component" });
  if (path !== screen) throw refuse("menu.screen_path", { field: "path", values: { path: screen } });
}

/** A menu that nobody added comes with the product. */
const isBuiltIn = (row: StoredRow): boolean => row.createUser === null;

/** Menus and buttons as administrators arrange them. */
export const menuModule = (context: ResourceContext) =>
  resourceModule(context, menus, {
    hooks: {
      taken: "menu.taken",
      async beforeSave({ held, values, parentId, rows, scope }) {
        if (parentId !== null) {
          const [parent] = await rows.byIds(scope, [parentId]);
          if (parent?.category !== menuCategory) throw refuse("menu.parent_button", { field: "parentId" });
        }
        if (held !== undefined && isBuiltIn(held)) {
          const field = fixed.find((name) => values[name] !== held[name]);
          if (field !== undefined) throw refuse("menu.built_in", { field });
        }
        if (values.component !== held?.component || values.path !== held?.path)
          requireTarget(String(values.component ?? ""), String(values.path ?? ""));
      },
      async beforeRemove({ rows }) {
        if (rows.some(isBuiltIn)) throw refuse("menu.built_in");
      },
    },
  });

export const topMenuModule = (context: ResourceContext) => resourceModule(context, topMenus);
