import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "./endpoint.ts";
import { number, resource, text } from "./resource/index.ts";
import { GrantNode } from "./role-grants.ts";
import { Empty, Id } from "./scalars.ts";

const base = "/api/muyuan-system/tenant-package";

/**
 * Packages of tenants: named sets of menus and buttons that the members of a tenant may have at most, whatever their roles grant.
 * A tenant without a package may have everything of its kind.
 */
export const tenantPackages = resource({
  name: "tenant_package",
  table: "tenant_packages",
  view: "tenant_package_rows",
  path: base,
  scope: "group",
  words: {
    one: "套餐",
    many: "租户套餐",
    nothing: "没有套餐的租户能用本类租户的全部功能。套餐列出能用的菜单和按钮，其余都用不了。",
  },
  title: "packageName",
  find: {},
  menu: { parent: "platform", icon: "box", path: "/system/tenantpackage", type: "admin", roles: ["administrator"] },
  fields: {
    packageName: text("套餐名称", { required: true, min: 2, max: 40, unique: "scope", search: true, column: true }),
    remark: text("说明", { max: 200, lines: 3, column: true }),
  },
  derived: {
    menuCount: number("菜单与按钮数", { min: 0, max: 2_147_483_647, column: true }),
    tenantCount: number("租户数", { min: 0, max: 2_147_483_647, column: true }),
  },
});

const reading = {
  access: permission("tenant_package_view"),
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
} as const;

const menuIds = Type.Array(Id, { maxItems: 5000 });

export const tenantPackageTree = {
  ...reading,
  method: "GET",
  path: `${base}/tree`,
  summary: "Menus and buttons that customers may have and a package can hold, as a tree.",
  query: Empty,
  body: Empty,
  reply: Type.Object({ menu: Type.Array(GrantNode) }),
} satisfies Endpoint;

export const tenantPackageMenus = {
  ...reading,
  method: "GET",
  path: `${base}/menus`,
  summary: "A package with the ids of its menus and buttons.",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: Type.Object({
    packageName: Type.String(),
    version: Type.Integer(),
    /** Tenants that have the package. */
    tenants: Type.Integer(),
    menuIds: Type.Array(Id),
  }),
} satisfies Endpoint;

export const tenantPackageSetMenus = {
  ...reading,
  method: "POST",
  path: `${base}/set-menus`,
  summary:
    "Gives a package exactly these menus and buttons; in force for the members of its tenants with their next request.",
  access: permission("tenant_package_edit"),
  rate: "write",
  query: Empty,
  body: Type.Object({
    id: Id,
    menuIds,
    /** Version of the package that the caller saw; refused with 409 when it has changed. */
    version: Type.Optional(Type.Integer()),
  }),
  reply: Empty,
  confirmation: "always",
} satisfies Endpoint;

/** What a change of menus or packages means for the people who are concerned. */
export const MenuEffect = Type.Object({
  /** Tenants of which somebody gains or loses something. */
  tenants: Type.Integer(),
  /** Members who gain or lose something. */
  members: Type.Integer(),
  /** Screens and buttons that somebody gains or loses, in the order of the menu. */
  entries: Type.Array(
    Type.Object({
      id: Id,
      code: Type.String(),
      name: Type.String(),
      /** Name of the menu above; "" at the top. */
      parentName: Type.String(),
      category: Type.Integer({ description: "1 screen, 2 button" }),
      /** Members who gain it. */
      gained: Type.Integer(),
      /** Members who lose it. */
      lost: Type.Integer(),
      /** Tenants of these members. */
      tenants: Type.Integer(),
    }),
  ),
});
export type MenuEffect = Static<typeof MenuEffect>;

export const tenantPackagePreview = {
  ...reading,
  method: "POST",
  path: `${base}/preview`,
  summary:
    "How many members of how many tenants would gain or lose which screens and buttons: with these menus in the package (menuIds), or with the package given to these tenants (tenantIds; without an id, with none). Nothing is stored.",
  query: Empty,
  body: Type.Object({
    id: Type.Optional(Type.Union([Id, Type.Literal("")])),
    menuIds: Type.Optional(menuIds),
    tenantIds: Type.Optional(Type.Array(Type.String({ pattern: "^[0-9]{6,12}$" }), { maxItems: 500 })),
  }),
  reply: MenuEffect,
} satisfies Endpoint;
