/**
 * Every screen of the app. Plain values only: routes.ts, the menu and the server's seed test read this file.
 * A menu node's `component` names a screen; its `path` is where the screen lives.
 */
export interface Screen {
  /** Path plus `/index`, as the server's menu names it. */
  component: string;
  path: string;
  /** Route module, relative to app/. Vite gives each its own chunk. */
  file: string;
  /** Code of the menu node that grants this screen. */
  menuCode: string;
  /** Chinese title; may hold placeholders such as `:name`, filled from params or query. */
  title: string;
}

export const screens: readonly Screen[] = [
  {
    component: "/selfCenter/home/index",
    path: "/selfCenter/home",
    file: "centre/home/console.route.tsx",
    menuCode: "self_home",
    title: "工作台",
  },
  {
    component: "/selfCenter/safeManage/index",
    path: "/selfCenter/safeManage",
    file: "centre/security/security.route.tsx",
    menuCode: "self_safe",
    title: "安全设置",
  },
  {
    component: "/selfCenter/news/index",
    path: "/selfCenter/news",
    file: "centre/messages/messages.route.tsx",
    menuCode: "self_news",
    title: "消息",
  },
  {
    component: "/selfCenter/members/index",
    path: "/selfCenter/members",
    file: "centre/members/members.route.tsx",
    menuCode: "self_members",
    title: "成员管理",
  },
  {
    component: "/selfCenter/equipmentManage/allDevices/index",
    path: "/selfCenter/equipmentManage/allDevices",
    file: "centre/devices/all-devices.route.tsx",
    menuCode: "device_all",
    title: "全部设备",
  },
  {
    component: "/selfCenter/vet/environment/overview/index",
    path: "/selfCenter/vet/environment/overview",
    file: "centre/environment/overview.route.tsx",
    menuCode: "env_overview",
    title: "环境控制总览",
  },
  {
    component: "/selfCenter/vet/environment/unit/index",
    path: "/selfCenter/vet/environment/unit",
    file: "centre/environment/unit.route.tsx",
    menuCode: "env_unit",
    title: "单元详情",
  },
  {
    component: "/system/user/index",
    path: "/system/user",
    file: "admin/users/users.route.tsx",
    menuCode: "user",
    title: "用户管理",
  },
  {
    component: "/system/visit/index",
    path: "/system/visit",
    file: "admin/visits/visits.route.tsx",
    menuCode: "visit",
    title: "访问统计",
  },
  {
    component: "/system/translation/index",
    path: "/system/translation",
    file: "admin/translations/translations.route.tsx",
    menuCode: "translation",
    title: "译文校对",
  },
  {
    component: "/system/client/index",
    path: "/system/client",
    file: "admin/clients/clients.route.tsx",
    menuCode: "oauth_client",
    title: "第三方应用",
  },
];

/** Header groups in their order; the keys are the `type` of menu nodes. */
export const menuGroups: readonly { type: string; name: string }[] = [
  { type: "selfCenter", name: "自助中心" },
  { type: "equipmentManage", name: "设备管理" },
  { type: "vet", name: "兽医与环控" },
  { type: "order", name: "订单" },
  { type: "admin", name: "管理后台" },
];

/** The node of product.md 2 that never reaches the side menu. */
export const hiddenMenuNode = { code: "farm_organization", name: "猪场组织架构" } as const;

/** Finds the screen that lives at a path. */
export const screenAt = (path: string): Screen | undefined =>
  screens.find((screen) => screen.path === path.replace(/\/+$/, ""));
