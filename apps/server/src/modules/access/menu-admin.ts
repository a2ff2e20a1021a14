import { menus, topMenus } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { type ResourceContext, resourceModule, type StoredRow } from "../../resources/index.ts";

const menuCategory = 1;
/** What the product relies on in a menu of its own. */
const fixed = ["code", "category", "component", "path"] as const;

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
      },
      async beforeRemove({ rows }) {
        if (rows.some(isBuiltIn)) throw refuse("menu.built_in");
      },
    },
  });

export const topMenuModule = (context: ResourceContext) => resourceModule(context, topMenus);
