import { Type } from "typebox";
import { type Endpoint, publicAccess, signedIn } from "./endpoint.ts";
import { Empty, Id } from "./scalars.ts";

/** Menu groups of the header (product.md 6) and the admin area. */
export const menuTypes = ["selfCenter", "equipmentManage", "vet", "order", "admin"] as const;
export type MenuType = (typeof menuTypes)[number];

const menuNodeFields = {
  id: Id,
  parentId: Id,
  code: Type.String(),
  /** Chinese name; the key of its translation. */
  name: Type.String(),
  alias: Type.String(),
  path: Type.String(),
  /** Name of the screen in the web app's registry: its path plus `/index`; "" for a group. */
  component: Type.String(),
  /** Icon name of the web app's icon set. */
  icon: Type.String(),
  source: Type.String(),
  /** Header group; see `menuTypes`. "" for buttons. */
  type: Type.String(),
  sort: Type.Integer(),
  category: Type.Integer({ description: "1 menu, 2 button" }),
  action: Type.Integer(),
  isOpen: Type.Integer({ description: "1 same window, 2 new window" }),
  hidden: Type.Boolean({ description: "routed, but not shown in the menu" }),
  noMenu: Type.Boolean({ description: "shown without the side menu" }),
  activeMenu: Type.String({ description: "path of the menu entry to highlight instead of this one" }),
};

/** A node of the server-driven menu. `children` is present only when non-empty. */
export const MenuNode = Type.Cyclic(
  { MenuNode: Type.Object({ ...menuNodeFields, children: Type.Optional(Type.Array(Type.Ref("MenuNode"))) }) },
  "MenuNode",
);
export interface MenuNode {
  id: string;
  parentId: string;
  code: string;
  name: string;
  alias: string;
  path: string;
  component: string;
  icon: string;
  source: string;
  type: string;
  sort: number;
  category: number;
  action: number;
  isOpen: number;
  hidden: boolean;
  noMenu: boolean;
  activeMenu: string;
  children?: MenuNode[];
}

export const menuRoutes = {
  method: "GET",
  path: "/api/muyuan-system/menu/routes",
  summary: "The menus that the session's roles grant, as trees; an empty list without a token.",
  access: publicAccess,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    topMenuId: Type.Optional(
      Type.Union([Id, Type.Literal("")], { description: "only the trees below one of menu/top-menu" }),
    ),
  }),
  body: Empty,
  reply: Type.Array(MenuNode),
} satisfies Endpoint;

export const menuTop = {
  method: "GET",
  path: "/api/muyuan-system/menu/top-menu",
  summary:
    "The menus at the top of the session's trees, which some clients show in their header; none without a token.",
  access: publicAccess,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Type.Array(
    Type.Object({
      id: Id,
      tenantId: Type.String(),
      code: Type.String(),
      name: Type.String(),
      source: Type.String(),
      sort: Type.Integer(),
    }),
  ),
} satisfies Endpoint;

export const menuButtons = {
  method: "GET",
  path: "/api/muyuan-system/menu/buttons",
  summary:
    "Menus with the buttons that the session's roles grant; all codes, collected recursively, are the permission set.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Type.Array(MenuNode),
} satisfies Endpoint;

/** Button code of the right to give roles to people; requests for access go to its holders in the tenant. */
export const roleGrantCode = "user_grant";
