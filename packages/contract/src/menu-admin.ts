import { type Static, Type } from "typebox";
import { type Endpoint, permission, publicAccess } from "./endpoint.ts";
import { TreeNode } from "./resource/endpoints.ts";
import { choice, number, onOff, reference, resource, text } from "./resource/index.ts";
import { Empty, Id, idList } from "./scalars.ts";

/**
 * Menus and buttons as administrators arrange them (wire.md 3.7). Those that come with the product keep their code and screen; what
 * an administrator renames or moves stays so after an update.
 */
export const menus = resource({
  name: "menu",
  table: "menus",
  view: "menu_rows",
  path: "/api/muyuan-system/menu",
  scope: "group",
  words: { one: "菜单", many: "菜单管理" },
  title: "name",
  menu: { parent: "platform", icon: "tree", path: "/system/menu", type: "admin", roles: ["administrator"] },
  tree: { maxDepth: 6 },
  fields: {
    name: text("菜单名称", { required: true, max: 60, search: true, column: true }),
    code: text("菜单编号", { required: true, max: 60, rule: "code", unique: "scope", search: true, column: true }),
    alias: text("菜单别名", { max: 40 }),
    category: number("菜单类型", { required: true, min: 1, max: 2, default: 1, filter: true }),
    path: text("路由地址", { max: 200, rule: "link", column: true }),
    component: text("页面组件", { max: 200, hint: "页面地址加 /index，如 /system/post/index" }),
    source: text("菜单图标", { max: 60 }),
    action: number("按钮功能", { min: 0, max: 3, default: 0 }),
    isOpen: number("打开方式", { min: 1, max: 2, default: 1 }),
    sort: number("排序", { min: 0, max: 9999, default: 0 }),
    hidden: onOff("不在菜单显示", { filter: true }),
    remark: text("备注", { max: 200, lines: 3 }),
  },
  derived: {
    categoryName: text("菜单类型名称", { max: 60, column: false }),
    actionName: text("按钮功能名称", { max: 60, column: false }),
    isOpenName: text("打开方式名称", { max: 60, column: false }),
  },
});

const base = "/api/muyuan-system";
const reading = {
  method: "GET",
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  body: Empty,
} as const;

/** A menu in an administrator's list, with what stands below it. */
export const ListedMenu = Type.Cyclic(
  {
    ListedMenu: Type.Object({
      id: Id,
      parentId: Type.String(),
      parentName: Type.String(),
      code: Type.String(),
      name: Type.String(),
      alias: Type.String(),
      path: Type.String(),
      component: Type.String(),
      source: Type.String(),
      sort: Type.Integer(),
      category: Type.Integer({ description: "1 menu, 2 button" }),
      action: Type.Integer(),
      isOpen: Type.Integer(),
      remark: Type.String(),
      isDeleted: Type.Integer(),
      categoryName: Type.String(),
      actionName: Type.String(),
      isOpenName: Type.String(),
      hasChildren: Type.Optional(Type.Boolean()),
      children: Type.Optional(Type.Array(Type.Ref("ListedMenu"))),
    }),
  },
  "ListedMenu",
);

const menuWords = {
  name: Type.Optional(Type.String({ maxLength: 60 })),
  code: Type.Optional(Type.String({ maxLength: 60 })),
  alias: Type.Optional(Type.String({ maxLength: 40 })),
};

export const menuOnlyList = {
  ...reading,
  path: `${base}/menu/menu-list`,
  summary: "Menus without their buttons, as trees.",
  access: permission("menu_view"),
  query: Type.Object(menuWords),
  reply: Type.Array(ListedMenu),
} satisfies Endpoint;

export const menuOnlyLazyList = {
  ...reading,
  path: `${base}/menu/lazy-menu-list`,
  summary: "Menus without buttons directly below one, with whether more stand below each.",
  access: permission("menu_view"),
  query: Type.Object({ ...menuWords, parentId: Type.Optional(Type.String({ maxLength: 19 })) }),
  reply: Type.Array(ListedMenu),
} satisfies Endpoint;

export const menuAuthRoutes = {
  method: "GET",
  path: `${base}/menu/auth-routes`,
  summary: "Paths of the session's menus with the aliases of its roles that grant each; an empty list without a token.",
  access: publicAccess,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Type.Array(Type.Record(Type.String(), Type.Object({ authority: Type.Array(Type.String()) }))),
} satisfies Endpoint;

const MenuPlace = Type.String({ maxLength: 19, description: "the menu above; 0 for the top" });

export const menuArrange = {
  ...reading,
  method: "POST",
  path: `${base}/menu/arrange`,
  summary:
    "Moves several menus one after the other, all or none; refused with 409 when one of them was changed meanwhile.",
  access: permission("menu_edit"),
  rate: "write",
  query: Empty,
  body: Type.Object({
    moves: Type.Array(
      Type.Object({
        id: Id,
        parentId: MenuPlace,
        beforeId: Type.Optional(Type.String({ maxLength: 19, description: "sibling that follows; none: last" })),
        version: Type.Optional(
          Type.Integer({ description: "that was read; of several moves of a menu the first counts" }),
        ),
      }),
      { minItems: 1, maxItems: 200 },
    ),
  }),
  reply: Empty,
} satisfies Endpoint;

/** Whom a change of a menu concerns, counted without making it. */
export const MenuChangeEffect = Type.Object({
  /** What becomes of the entry in the menu of its holders. */
  entry: Type.Enum(["stays", "moves", "hidden", "shown", "removed"]),
  /** Members whose menu holds the entry now. */
  persons: Type.Integer(),
  tenants: Type.Integer(),
  /** Roles by name that lead to it; at most 50. */
  roles: Type.Array(Type.Object({ roleName: Type.String(), persons: Type.Integer(), tenants: Type.Integer() })),
  /** Menus above it that members gain, or lose because nothing else below them is theirs. */
  above: Type.Array(Type.Object({ id: Id, name: Type.String(), gained: Type.Integer(), lost: Type.Integer() })),
  /** Buttons that go with it, where it is removed. */
  buttons: Type.Array(Type.String()),
});
export type MenuChangeEffect = Static<typeof MenuChangeEffect>;

export const menuPreview = {
  ...reading,
  method: "POST",
  path: `${base}/menu/preview`,
  summary: "Which roles and how many members and tenants a change of menus concerns; nothing is stored.",
  access: permission("menu_view"),
  query: Empty,
  body: Type.Object({
    id: Type.Optional(Id),
    moves: Type.Optional(
      Type.Array(Type.Object({ id: Id, parentId: MenuPlace }), {
        maxItems: 200,
        description: "several moves in their order, in place of one menu",
      }),
    ),
    parentId: Type.Optional(MenuPlace),
    hidden: Type.Optional(Type.Boolean()),
    removed: Type.Optional(Type.Boolean()),
  }),
  reply: MenuChangeEffect,
} satisfies Endpoint;

/** Menus in the header of clients that show one part of the menu at a time (wire.md 3.7). */
export const topMenus = resource({
  name: "topmenu",
  table: "top_menus",
  path: `${base}/topmenu`,
  scope: "own-or-all-tenants",
  words: {
    one: "顶部菜单",
    many: "顶部菜单管理",
    nothing: "顶部菜单把几组菜单并成页头的一项，没有时页头按菜单自己的分组显示。",
  },
  title: "name",
  menu: { parent: "platform", icon: "tree", path: "/system/topmenu", type: "admin", roles: ["administrator"] },
  order: [{ field: "sort", direction: "asc" }],
  fields: {
    code: text("编号", { required: true, max: 40, rule: "code", unique: "scope", search: true, column: true }),
    name: text("名称", { required: true, max: 40, search: true, column: true }),
    source: text("图标", { max: 60 }),
    sort: number("排序", { min: 0, max: 9999, default: 0, column: true }),
  },
});

const idsOf = Type.Array(Id, { minItems: 1, maxItems: 100 });

export const topMenuGrant = {
  method: "POST",
  path: `${base}/topmenu/grant`,
  summary: "Puts exactly these menus under top menus; only menus that the caller holds.",
  access: permission("topmenu_edit"),
  owner: "tenants",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ topMenuIds: idsOf, menuIds: Type.Array(Id, { maxItems: 5000 }) }),
  reply: Empty,
} satisfies Endpoint;

export const topMenuTree = {
  ...reading,
  path: `${base}/menu/grant-top-tree`,
  summary: "Menus that may stand under a top menu: those that the caller holds, as a tree.",
  access: permission("topmenu_view"),
  owner: "tenants",
  query: Empty,
  reply: Type.Object({ menu: Type.Array(TreeNode) }),
} satisfies Endpoint;

export const topMenuKeys = {
  ...reading,
  path: `${base}/menu/top-tree-keys`,
  summary: "Ids of the menus under top menus.",
  access: permission("topmenu_view"),
  owner: "tenants",
  query: Type.Object({ topMenuIds: idList }),
  reply: Type.Object({ menu: Type.Array(Id) }),
} satisfies Endpoint;

/**
 * Rows that a role reaches in one resource, in place of the role's own data scope (wire.md 3.7). Of several that a person's roles hold
 * for a resource, the reach adds up.
 */
export const dataScopeRules = resource({
  name: "data_scope",
  table: "data_scopes",
  path: `${base}/data-scope`,
  scope: "group",
  words: {
    one: "数据权限",
    many: "数据权限管理",
    nothing: "没有单独的规则时，每个角色按自己的数据范围看数据。新增一条，可以只为一个页面另定范围。",
  },
  title: "scopeName",
  menu: { parent: "platform", icon: "shield", path: "/system/datascope", type: "admin", roles: ["administrator"] },
  fields: {
    menuId: reference("菜单", { to: "menu", required: true, filter: true, column: true }),
    scopeName: text("权限名称", { required: true, max: 60, unique: "scope", search: true, column: true }),
    resourceCode: text("资源编号", {
      required: true,
      max: 60,
      rule: "code",
      search: true,
      column: true,
      hint: "权限编号去掉 _view 等后缀，如岗位为 post",
    }),
    scopeType: choice("规则类型", { required: true, dictionary: "data_scope_type", filter: true, column: true }),
    scopeValue: text("指定机构", { max: 1000, hint: "规则为自定义时填机构 id，用逗号分隔" }),
    scopeField: text("可见字段", { max: 200 }),
    scopeClass: text("权限类名", { max: 200 }),
    scopeColumn: text("权限字段", { max: 60 }),
    remark: text("备注", { max: 200, lines: 3 }),
  },
});

/** Paths that only holders of the scope may call, in addition to the permission of the operation (wire.md 3.7). */
export const apiScopeRules = resource({
  name: "api_scope",
  table: "api_scopes",
  path: `${base}/api-scope`,
  scope: "group",
  words: {
    one: "接口权限",
    many: "接口权限管理",
    nothing: "没有单独的规则时，能用哪些接口由菜单和按钮决定。新增一条，可以再授予单个接口。",
  },
  title: "scopeName",
  menu: { parent: "platform", icon: "shield", path: "/system/apiscope", type: "admin", roles: ["administrator"] },
  fields: {
    menuId: reference("菜单", { to: "menu", required: true, filter: true, column: true }),
    scopeName: text("权限名称", { required: true, max: 60, unique: "scope", search: true, column: true }),
    resourceCode: text("资源编号", { required: true, max: 60, rule: "code", search: true, column: true }),
    scopePath: text("接口地址", { required: true, max: 200, rule: "path", search: true, column: true }),
    scopeType: choice("接口类型", { required: true, dictionary: "api_scope_type", filter: true, column: true }),
    remark: text("备注", { max: 200, lines: 3 }),
  },
});
