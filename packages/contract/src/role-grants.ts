import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "./endpoint.ts";
import { TreeNode } from "./resource/endpoints.ts";
import { dataScopes } from "./roles.ts";
import { Empty, Id } from "./scalars.ts";

const menuIds = Type.Array(Id, { maxItems: 5000 });

/** A menu or button that can be granted: a node of the family's trees with its type. */
export const GrantNode = Type.Cyclic(
  {
    GrantNode: Type.Object({
      id: Id,
      parentId: Type.String(),
      title: Type.String(),
      key: Type.String(),
      value: Type.String(),
      hasChildren: Type.Boolean(),
      code: Type.String(),
      category: Type.Integer({ description: "1 menu, 2 button" }),
      /** Header group; see `menuTypes`. */
      type: Type.String(),
      icon: Type.String(),
      /** Screen of the web app; "" for a group and for buttons. */
      component: Type.String(),
      /** Never in the side menu: a screen that other screens open, or an entry that only holds rights. */
      hidden: Type.Boolean(),
      /** The caller does not hold it, or the package of the roles' tenant lacks it: it can't be granted or revoked. */
      disabled: Type.Boolean(),
      /** The package of the roles' tenant lacks it, so that no grant of it is in force. */
      beyondPackage: Type.Boolean(),
      children: Type.Optional(Type.Array(Type.Ref("GrantNode"))),
    }),
  },
  "GrantNode",
);
export interface GrantNode {
  id: string;
  parentId: string;
  title: string;
  key: string;
  value: string;
  hasChildren: boolean;
  code: string;
  category: number;
  type: string;
  icon: string;
  component: string;
  hidden: boolean;
  disabled: boolean;
  beyondPackage: boolean;
  children?: GrantNode[];
}

const roleIdsOf = Type.String({ maxLength: 10_000, description: "comma-separated" });

/** What roles can be granted: menus with their buttons below them. */
export const grantTree = {
  method: "GET",
  path: "/api/muyuan-system/menu/grant-tree",
  summary:
    "Menus and buttons that the caller may grant, with what leads there and what the named roles hold beside, as a tree (wire.md 3.7).",
  access: permission("role_view"),
  owner: "tenants",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ roleIds: Type.Optional(roleIdsOf) }),
  body: Empty,
  reply: Type.Object({ menu: Type.Array(GrantNode), dataScope: Type.Array(TreeNode), apiScope: Type.Array(TreeNode) }),
} satisfies Endpoint;

/** Ids of the menus and buttons that roles grant; a menu that only leads to a granted one is not included. */
export const RoleKeys = Type.Object({
  menu: Type.Array(Id),
  dataScope: Type.Array(Id),
  apiScope: Type.Array(Id),
  /** Departments that a role with the data scope "chosen" names. */
  departments: Type.Array(Id),
});
export type RoleKeys = Static<typeof RoleKeys>;

export const roleTreeKeys = {
  method: "GET",
  path: "/api/muyuan-system/menu/role-tree-keys",
  summary: "Ids of the menus and buttons that are granted to roles.",
  access: permission("role_view"),
  owner: "tenants",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ roleIds: roleIdsOf }),
  body: Empty,
  reply: RoleKeys,
} satisfies Endpoint;

export const roleGrant = {
  method: "POST",
  path: "/api/muyuan-system/role/grant",
  summary:
    "Gives roles exactly these menus and buttons, and a data scope if one is named; roles below them lose what they no longer hold.",
  access: permission("role_edit"),
  owner: "tenants",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    roleIds: Type.Array(Id, { minItems: 1, maxItems: 100 }),
    menuIds,
    dataScopeIds: Type.Optional(Type.Array(Id, { maxItems: 1000 })),
    apiScopeIds: Type.Optional(Type.Array(Id, { maxItems: 1000 })),
    /** Data scope of the roles; where it is left out, it stays. */
    dataScope: Type.Optional(Type.Enum(dataScopes.map(([name]) => name))),
    /** Departments of the data scope "chosen"; where they are left out, they stay. */
    departmentIds: Type.Optional(Type.Array(Id, { maxItems: 5000 })),
    /** Version of the role that the caller saw, for a single role; refused with 409 when it has changed. */
    version: Type.Optional(Type.Integer()),
  }),
  reply: Empty,
  confirmation: "always",
} satisfies Endpoint;

/** A member who is affected by a change of a role. */
export const AffectedMember = Type.Object({
  accountId: Id,
  name: Type.String(),
  /** Codes that the person gains and loses, taking their other roles into account. */
  gained: Type.Array(Type.String()),
  lost: Type.Array(Type.String()),
});
export type AffectedMember = Static<typeof AffectedMember>;

export const rolePreview = {
  method: "POST",
  path: "/api/muyuan-system/role/preview",
  summary: "What a grant would change, and for whom, before it is made; nothing is stored.",
  access: permission("role_edit"),
  owner: "tenants",
  rate: "read",
  personal: { name: "granted" },
  form: "envelope",
  query: Empty,
  body: Type.Object({ roleId: Id, menuIds }),
  reply: Type.Object({
    /** Number of people who hold the role. */
    members: Type.Integer(),
    /** Members for whom something changes; at most 200. */
    affected: Type.Array(AffectedMember),
    /** Roles below this one that lose menus or buttons, with how many. */
    below: Type.Array(Type.Object({ roleId: Id, roleName: Type.String(), lost: Type.Integer() })),
  }),
} satisfies Endpoint;

export const roleClone = {
  method: "POST",
  path: "/api/muyuan-system/role/clone",
  summary: "Makes a role with the menus, buttons and data scope of another one, in one step.",
  access: permission("role_edit"),
  owner: "tenants",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    roleId: Id,
    roleName: Type.String({ maxLength: 100 }),
    roleAlias: Type.String({ maxLength: 100 }),
  }),
  reply: Type.Object({ id: Id }),
  confirmation: "always",
} satisfies Endpoint;
