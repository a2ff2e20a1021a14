import type { MenuType } from "@herdwise/contract";

/** A menu or button as it is seeded. `component` names a screen of the web app (apps/web/app/screens.ts). */
export interface MenuSeed {
  /** Snowflake-sized and fixed, so that seeding again changes the row instead of adding one. */
  id: string;
  code: string;
  name: string;
  type: MenuType;
  path?: string;
  component?: string;
  icon?: string;
  hidden?: boolean;
  activeMenu?: string;
  /** Role aliases that get it when it is first seeded. */
  roles: readonly string[];
  children?: readonly MenuSeed[];
  buttons?: readonly { id: string; code: string; name: string; alias: string; roles: readonly string[] }[];
}

/** Roles that every customer tenant begins with (decisions.md 1). */
export const customerRoles = [
  { alias: "owner", name: "企业主" },
  { alias: "farm_manager", name: "场长" },
  { alias: "veterinarian", name: "兽医" },
  { alias: "worker", name: "饲养员" },
  { alias: "finance", name: "财务" },
] as const;

/** Roles of the group's own tenant. */
export const groupRoles = [
  { alias: "administrator", name: "管理员" },
  { alias: "customer_service", name: "客服" },
  { alias: "auditor", name: "实名审核员" },
  { alias: "device_engineer", name: "设备工程师" },
  { alias: "sales", name: "销售" },
  { alias: "content_editor", name: "内容编辑" },
] as const;

const everybody = [...customerRoles, ...groupRoles].map(({ alias }) => alias);
const barn = ["owner", "farm_manager", "veterinarian", "worker", "administrator", "device_engineer"];

/** The server-driven menu. The ids only have to be stable and different from each other. */
export const menuSeeds: readonly MenuSeed[] = [
  {
    id: "1560000000000001001",
    code: "self_home",
    name: "工作台",
    type: "selfCenter",
    path: "/selfCenter/home",
    component: "/selfCenter/home/index",
    icon: "home",
    roles: everybody,
  },
  {
    id: "1560000000000001002",
    code: "self_safe",
    name: "安全设置",
    type: "selfCenter",
    path: "/selfCenter/safeManage",
    component: "/selfCenter/safeManage/index",
    icon: "shield",
    roles: everybody,
  },
  {
    id: "1560000000000001004",
    code: "self_news",
    name: "消息",
    type: "selfCenter",
    path: "/selfCenter/news",
    component: "/selfCenter/news/index",
    icon: "bell",
    roles: everybody,
  },
  {
    id: "1560000000000001003",
    code: "self_members",
    name: "成员管理",
    type: "selfCenter",
    path: "/selfCenter/members",
    component: "/selfCenter/members/index",
    icon: "people",
    roles: ["owner"],
  },
  {
    id: "1560000000000001101",
    code: "device_all",
    name: "全部设备",
    type: "equipmentManage",
    path: "/selfCenter/equipmentManage/allDevices",
    component: "/selfCenter/equipmentManage/allDevices/index",
    icon: "devices",
    roles: barn,
  },
  {
    id: "1560000000000001201",
    code: "env",
    name: "环境控制",
    type: "vet",
    icon: "environment",
    roles: [],
    children: [
      {
        id: "1560000000000001202",
        code: "env_overview",
        name: "总览",
        type: "vet",
        path: "/selfCenter/vet/environment/overview",
        component: "/selfCenter/vet/environment/overview/index",
        icon: "environment",
        roles: barn,
      },
      {
        id: "1560000000000001203",
        code: "env_unit",
        name: "单元详情",
        type: "vet",
        path: "/selfCenter/vet/environment/unit",
        component: "/selfCenter/vet/environment/unit/index",
        icon: "unit",
        hidden: true,
        activeMenu: "/selfCenter/vet/environment/overview",
        roles: barn,
        buttons: [
          {
            id: "1560000000000001291",
            code: "telemetry_export",
            name: "查看数据表",
            alias: "view",
            roles: barn,
          },
        ],
      },
    ],
  },
  {
    id: "1560000000000001311",
    code: "user",
    name: "用户管理",
    type: "admin",
    path: "/system/user",
    component: "/system/user/index",
    icon: "people",
    roles: ["administrator", "customer_service"],
  },
  {
    // Holds the rights, which the screens of the group's staff and of a farm's owner share.
    id: "1560000000000001312",
    code: "user_rights",
    name: "用户权限",
    type: "admin",
    hidden: true,
    roles: [],
    buttons: [
      {
        id: "1560000000000001381",
        code: "user_view",
        name: "查看用户",
        alias: "view",
        roles: ["administrator", "customer_service", "owner"],
      },
      {
        id: "1560000000000001382",
        code: "user_edit",
        name: "编辑用户",
        alias: "edit",
        roles: ["administrator", "owner"],
      },
      {
        id: "1560000000000001383",
        code: "user_delete",
        name: "删除用户",
        alias: "delete",
        roles: ["administrator", "owner"],
      },
      {
        id: "1560000000000001384",
        code: "user_grant",
        name: "分配角色",
        alias: "grant",
        roles: ["administrator", "owner"],
      },
      {
        id: "1560000000000001385",
        code: "user_reset",
        name: "重置密码与解锁",
        alias: "reset",
        roles: ["administrator", "customer_service", "owner"],
      },
    ],
  },
  {
    id: "1560000000000001321",
    code: "visit",
    name: "访问统计",
    type: "admin",
    path: "/system/visit",
    component: "/system/visit/index",
    icon: "board",
    roles: ["administrator", "content_editor"],
    buttons: [
      {
        id: "1560000000000001371",
        code: "visit_view",
        name: "查看访问统计",
        alias: "view",
        roles: ["administrator", "content_editor"],
      },
    ],
  },
  {
    id: "1560000000000001331",
    code: "translation",
    name: "译文校对",
    type: "admin",
    path: "/system/translation",
    component: "/system/translation/index",
    icon: "globe",
    roles: ["administrator", "content_editor"],
    buttons: [
      {
        id: "1560000000000001361",
        code: "translation_view",
        name: "查看译文",
        alias: "view",
        roles: ["administrator", "content_editor"],
      },
      {
        id: "1560000000000001362",
        code: "translation_edit",
        name: "校对译文",
        alias: "edit",
        roles: ["administrator", "content_editor"],
      },
    ],
  },
  {
    id: "1560000000000001341",
    code: "oauth_client",
    name: "第三方应用",
    type: "admin",
    path: "/system/client",
    component: "/system/client/index",
    icon: "lock",
    roles: ["administrator"],
  },
  {
    id: "1560000000000001301",
    code: "client",
    name: "应用管理",
    type: "admin",
    hidden: true,
    roles: [],
    buttons: [
      { id: "1560000000000001391", code: "client_view", name: "查看应用", alias: "view", roles: ["administrator"] },
      { id: "1560000000000001392", code: "client_edit", name: "登记应用", alias: "edit", roles: ["administrator"] },
    ],
  },
];
