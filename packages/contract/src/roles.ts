import { choice, number, resource, text } from "./resource/index.ts";

/**
 * Rows within the tenant that a role reaches; the scopes of a person's roles add up.
 * - `all`; `self`: rows that the person added; `department`; `department-and-below`; `chosen`: rows of departments that the
 *   role names.
 */
export const dataScopes = [
  ["all", "全部"],
  ["department-and-below", "本部门及下级"],
  ["department", "本部门"],
  ["self", "仅本人"],
  ["chosen", "指定部门"],
] as const;
export type DataScope = (typeof dataScopes)[number][0];

/** Roles of a tenant as a tree (product.md 2, "Role form"); role-grants.ts has the operations for what a role grants. */
export const roles = resource({
  name: "role",
  table: "roles",
  view: "role_list",
  path: "/api/muyuan-system/role",
  scope: "own-or-all-tenants",
  words: { one: "角色", many: "角色管理" },
  title: "roleName",
  find: { by: ["roleAlias"] },
  menu: { parent: "organization", icon: "shield", path: "/system/role", type: "admin", roles: ["administrator"] },
  customerMenu: { path: "/selfCenter/roles", type: "selfCenter", icon: "shield", roles: ["owner"] },
  tree: { maxDepth: 5 },
  replaced: ["select"],
  fields: {
    roleName: text("角色名称", { required: true, min: 2, max: 30, unique: "scope", search: true, column: true }),
    roleAlias: text("角色别名", { required: true, max: 40, rule: "code", unique: "scope", search: true }),
    persons: number("人数", { min: 0, max: 10_000_000, derived: true, column: true }),
    screens: number("能看的页面", { min: 0, max: 10_000, derived: true, column: true }),
    remark: text("备注", { max: 200, lines: 3, column: true }),
    dataScope: choice("数据范围", { required: true, options: dataScopes, filter: true, column: true, default: "all" }),
    sort: number("排序", { min: 0, max: 9999, default: 0, sort: true }),
  },
  sheets: { key: "roleAlias", maxRows: 5000 },
});
