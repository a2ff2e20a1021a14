import { createHash } from "node:crypto";
import { customerMenuCode, type MenuType, permissionOf, type ResourceDeclaration, resources } from "@herdwise/contract";
import { kindList, type ListedKind } from "@herdwise/device-kinds/kind-list";
import { type KindPage, pageAddress, pagesOf, parametersTitle } from "@herdwise/device-kinds/kind-pages";

/** A seeded menu or button; `component` is a screen of the web app (apps/web/app/screens.ts). */
export interface MenuSeed {
  /** Fixed id with the length of a snowflake, so that seeding again changes the row instead of adding one. */
  id: string;
  code: string;
  name: string;
  type: MenuType;
  path?: string;
  component?: string;
  icon?: string;
  hidden?: boolean;
  activeMenu?: string;
  /** Aliases of the roles that get it when it is first seeded. */
  roles: readonly string[];
  children?: readonly MenuSeed[];
  buttons?: readonly { id: string; code: string; name: string; alias: string; roles: readonly string[] }[];
}

/** Initial roles of every customer tenant (decisions.md 1). */
export const customerRoles = [
  { alias: "owner", name: "企业主" },
  { alias: "farm_manager", name: "场长" },
  { alias: "veterinarian", name: "兽医" },
  { alias: "worker", name: "饲养员" },
  { alias: "finance", name: "财务" },
] as const;

/** Roles of the group's tenant. */
export const groupRoles = [
  { alias: "administrator", name: "管理员" },
  { alias: "customer_service", name: "客服" },
  { alias: "auditor", name: "实名审核员" },
  { alias: "device_engineer", name: "设备工程师" },
  { alias: "sales", name: "销售" },
  { alias: "content_editor", name: "内容编辑" },
] as const;

const everybody = [...customerRoles, ...groupRoles].map(({ alias }) => alias);
/** Roles of the group that look after devices. */
const staff = ["administrator", "device_engineer"];
/** Roles that edit the public site. */
const siteEditors = ["administrator", "content_editor"];
/** Roles that enter prices. */
const traders = ["administrator", "sales"];
/** Roles that review authentications. */
const reviewers = ["administrator", "auditor"];
/** Roles that may operate machines in a barn. */
const operators = ["owner", "farm_manager", "administrator", "device_engineer"];
/** Roles that try devices on site and sign for them. */
const commissioners = [...operators, "worker"];
/** Roles that look into who met whom. */
const tracers = ["owner", "farm_manager", "veterinarian", "administrator"];
const sellers = ["owner", "farm_manager", "administrator", "sales"];
const barn = ["owner", "farm_manager", "veterinarian", "worker", "administrator", "device_engineer"];

/** Stable id of a menu that is made from a declaration. */
const idOf = (code: string): string =>
  String(
    1_560_000_000_000_000_000n +
      (createHash("sha256").update(`menu ${code}`).digest().readBigUInt64BE() % 9_000_000_000_000_000n) +
      10_000_000_000_000n,
  );

const operationNames = { view: "查看", edit: "编辑", delete: "删除", import: "导入", export: "导出" } as const;

/** Ids of menus that are older than their declaration. */
const earlierIds: Readonly<Record<string, string>> = {
  env: "1560000000000001201",
  env_overview: "1560000000000001202",
  env_unit: "1560000000000001203",
  device_all: "1560000000000001101",
};

/** Additional rights of a resource's menu, by the menu's code. */
const moreButtons: Readonly<Record<string, NonNullable<MenuSeed["buttons"]>>> = {
  device: [
    {
      id: idOf("device_credentials"),
      code: "device_credentials",
      name: "设备凭证",
      alias: "credentials",
      roles: staff,
    },
    { id: idOf("provision_edit"), code: "provision_edit", name: "设备自注册", alias: "provision", roles: staff },
  ],
  article: [
    {
      id: idOf("article_publish"),
      code: "article_publish",
      name: "发布文章",
      alias: "publish",
      roles: ["administrator", "content_editor"],
    },
  ],
  site_form: [
    {
      id: idOf("site_form_reveal"),
      code: "site_form_reveal",
      name: "查看完整联系方式",
      alias: "reveal",
      roles: ["administrator", "customer_service", "sales"],
    },
  ],
  device_all: [
    { id: idOf("device_command"), code: "device_command", name: "下发指令", alias: "command", roles: operators },
    { id: idOf("parameter_edit"), code: "parameter_edit", name: "设置参数", alias: "parameter", roles: operators },
    { id: idOf("device_claim"), code: "device_claim", name: "绑定设备", alias: "claim", roles: operators },
  ],
};

/** Buttons for the operations of a resource. */
function operationButtons(of: ResourceDeclaration): NonNullable<MenuSeed["buttons"]> {
  const { menu, customerMenu, sheets } = of;
  const editors = [...menu.roles, ...(customerMenu?.roles ?? [])];
  const readers = [...editors, ...(menu.viewers ?? []), ...(customerMenu?.viewers ?? [])];
  // Operations of the group's staff are not offered to other roles.
  const keepers = of.addedBy === "group" ? menu.roles : editors;
  const more = [
    ...(of.process ? [] : (["delete"] as const)),
    ...(sheets ? (sheets.exportOnly ? (["export"] as const) : (["import", "export"] as const)) : []),
  ];
  // Offered rows are those of another resource, whose rights write them.
  const operations = of.scope === "offered" ? (["view"] as const) : (["view", "edit", ...more] as const);
  return operations.map((operation) => {
    const code = permissionOf(of, operation);
    const roles = operation === "view" || operation === "export" ? readers : operation === "edit" ? editors : keepers;
    return { id: idOf(code), code, name: operationNames[operation], alias: operation, roles };
  });
}

/** Whether customers also have rights of a resource, without seeing the group's screen. */
const sharesRights = (of: ResourceDeclaration): boolean => of.addedBy === "group" || of.customerMenu !== undefined;

/** A screen that another one leads to has no entry of its own. */
const entryOf = ({ within }: { within?: string }): Pick<MenuSeed, "hidden" | "activeMenu"> =>
  within === undefined ? {} : { hidden: true, activeMenu: within };

/** Menu and buttons of a resource, as its declaration has them. */
function resourceMenu(of: ResourceDeclaration): MenuSeed {
  const { menu, words, name } = of;
  return {
    id: idOf(name),
    code: name,
    name: words.many,
    type: menu.type,
    path: menu.path,
    component: `${menu.path}/index`,
    icon: menu.icon,
    ...entryOf(menu),
    roles: [...menu.roles, ...(menu.viewers ?? [])],
    buttons: [...(sharesRights(of) ? [] : operationButtons(of)), ...(moreButtons[name] ?? [])],
  };
}

/**
 * Rights that the group's staff and customers share, apart from the screens of both, because the menu of a right is shown to
 * its holders.
 */
const sharedRights: readonly MenuSeed[] = resources.filter(sharesRights).map((of: ResourceDeclaration) => ({
  id: idOf(`${of.name}_rights`),
  code: `${of.name}_rights`,
  name: of.words.many,
  type: of.menu.type,
  hidden: true,
  roles: [],
  buttons: operationButtons(of),
}));

/** The same screens in a customer's self-centre; their rights are among the shared ones. */
const customerMenus: readonly MenuSeed[] = resources.flatMap((of: ResourceDeclaration) =>
  of.customerMenu === undefined
    ? []
    : [
        {
          id: earlierIds[customerMenuCode(of)] ?? idOf(customerMenuCode(of)),
          code: customerMenuCode(of),
          name: of.words.many,
          type: of.customerMenu.type,
          path: of.customerMenu.path,
          component: `${of.customerMenu.path}/index`,
          icon: of.customerMenu.icon,
          ...entryOf(of.customerMenu),
          roles: [...new Set([...of.customerMenu.roles, ...(of.customerMenu.viewers ?? [])])],
          buttons: moreButtons[customerMenuCode(of)] ?? [],
        },
      ],
);

/** A menu group with the resources that name it as their parent. */
const group = (
  id: string,
  code: string,
  name: string,
  icon: string,
  more: readonly MenuSeed[] = [],
  type: MenuType = "admin",
): MenuSeed => ({
  id,
  code,
  name,
  type,
  icon,
  roles: [],
  children: [...more, ...resources.filter(({ menu }) => menu.parent === code).map(resourceMenu)],
});

/** Screens of a device kind: its overview, and the pages that open from it. */
function kindMenu(name: ListedKind["name"], pages: NonNullable<ListedKind["pages"]>): MenuSeed {
  const { code, icon } = pages;
  const pathOf = (page: KindPage) => pageAddress(pages, page) ?? "";
  const screen = (page: KindPage, title: string, more: Partial<MenuSeed>): MenuSeed => ({
    id: earlierIds[`${code}_${page}`] ?? idOf(`${code}_${page}`),
    code: `${code}_${page}`,
    name: title,
    type: "vet",
    path: pathOf(page),
    component: `${pathOf(page)}/index`,
    icon,
    roles: barn,
    ...more,
  });
  const opened = { hidden: true, activeMenu: pathOf("overview") };
  const exportButton = { code: "telemetry_export", name: "查看数据表", alias: "view", roles: barn };
  const screens: Readonly<Record<KindPage, MenuSeed>> = {
    // A phone shows all entries in one list, so each must name its kind.
    overview: screen("overview", pages.title.zh, {}),
    unit: screen("unit", "单元详情", {
      ...opened,
      icon: "unit",
      // One right for the tables of all kinds, kept at the menu where it was first.
      ...(code === "env" && { buttons: [{ id: "1560000000000001291", ...exportButton }] }),
    }),
    device: screen("device", "设备详情", { ...opened, icon: "devices" }),
    parameters: screen("parameters", parametersTitle(name).zh, { icon: "sliders" }),
    analysis: screen("analysis", pages.more?.analysis?.title.zh ?? "", { icon: "table" }),
    register: screen("register", pages.more?.register?.title.zh ?? "", { icon: "book" }),
    log: screen("log", pages.more?.log?.title.zh ?? "", { icon: "history" }),
  };
  return {
    id: earlierIds[code] ?? idOf(code),
    code,
    name: name.zh,
    type: "vet",
    icon,
    roles: [],
    children: pagesOf(pages).map((page) => screens[page]),
  };
}

/** Everybody who works in a barn can see head counts; these roles record movements. */
const counters = ["owner", "farm_manager", "veterinarian", "administrator"];
const farmReaders = [...counters, "worker", "finance", "device_engineer", "customer_service"];
const inventoryButton = (operation: keyof typeof operationNames, name: string, roles: readonly string[]) => {
  const code = `inventory_${operation}`;
  return { id: idOf(code), code, name, alias: operation, roles };
};
const farmStructure: MenuSeed = {
  id: idOf("farm_structure"),
  code: "farm_structure",
  name: "猪场结构",
  type: "selfCenter",
  path: "/selfCenter/pigFarmArchitecture/factoryManagement",
  component: "/selfCenter/pigFarmArchitecture/factoryManagement/index",
  icon: "tree",
  roles: farmReaders,
  buttons: [
    inventoryButton("view", "查看存栏", farmReaders),
    inventoryButton("edit", "登记存栏变动", counters),
    inventoryButton("export", "导出存栏台账", farmReaders),
    {
      id: idOf("structure_export"),
      code: "structure_export",
      name: "导出整个猪场",
      alias: "export-all",
      roles: farmReaders,
    },
    {
      id: idOf("structure_import"),
      code: "structure_import",
      name: "导入整个猪场",
      alias: "import-all",
      roles: ["owner", "farm_manager", "administrator"],
    },
  ],
};

const devicesOfAll = group(idOf("equipment"), "equipment", "设备", "devices");
/** The registry of devices with the operations of the group's staff. */
const equipment: MenuSeed = {
  ...devicesOfAll,
  children: [
    ...(devicesOfAll.children ?? []),
    {
      id: idOf("firmware"),
      code: "firmware",
      name: "固件升级",
      type: "admin",
      path: "/equipment/firmware",
      component: "/equipment/firmware/index",
      icon: "upload",
      roles: staff,
      buttons: [
        { id: idOf("firmware_edit"), code: "firmware_edit", name: "固件升级", alias: "firmware", roles: staff },
      ],
    },
  ],
};

/** Roles of customers that may raise orders; others may read them. */
const raisers = ["owner", "farm_manager", "veterinarian", "worker"];
const orderReaders = [...raisers, "finance"];
/** Roles of the group that serve customers. */
const deskClerks = ["administrator", "customer_service", "device_engineer"];
const screenMenu = (
  code: string,
  name: string,
  path: string,
  more: Pick<MenuSeed, "type" | "icon" | "roles"> & Partial<MenuSeed>,
): MenuSeed => ({
  id: idOf(code),
  code,
  name,
  path,
  component: `${path}/index`,
  ...more,
});
/** Screens of one type of order: its list, and the pages that open from it. */
const broughtToDesk = (
  code: string,
  name: string,
  path: string,
  icon: string,
  add: { name: string; path: string },
  detail: string,
) => {
  const opened = { type: "selfCenter", icon, hidden: true, activeMenu: path } as const;
  return [
    screenMenu(code, name, path, { type: "selfCenter", icon, roles: orderReaders }),
    screenMenu(`${code}_add`, add.name, add.path, { ...opened, roles: raisers }),
    screenMenu(`${code}_detail`, detail, `${path}/detail`, { ...opened, roles: orderReaders }),
  ];
};
const button = (code: string, name: string, alias: string, roles: readonly string[]) => ({
  id: idOf(code),
  code,
  name,
  alias,
  roles,
});
/** Customers' after-sales orders, complaints and suggestions. */
const customerService: MenuSeed = {
  id: idOf("customer_services"),
  code: "customer_services",
  name: "服务",
  type: "selfCenter",
  icon: "chat",
  roles: [],
  children: [
    ...broughtToDesk(
      "after_sales",
      "售后工单",
      "/workOrder/orderService",
      "wrench",
      { name: "提交售后工单", path: "/workOrder/orderService/add" },
      "售后工单详情",
    ),
    ...broughtToDesk(
      "complaint",
      "投诉",
      "/workOrder/complaintOrder",
      "chat",
      { name: "提交投诉", path: "/workOrder/complaintOrder/add" },
      "投诉详情",
    ),
    ...broughtToDesk(
      "suggestion",
      "建议",
      "/workOrder/suggestion",
      "star",
      { name: "提建议", path: "/service/propose" },
      "建议详情",
    ),
  ],
};
/** Rights of customers and of the group, apart from their screens. */
const workOrderRights: MenuSeed = {
  id: idOf("work_order_rights"),
  code: "work_order_rights",
  name: "工单权限",
  type: "selfCenter",
  hidden: true,
  roles: [],
  buttons: [
    // An administrator who is also a member of a customer raises that customer's orders; the group's own tenant has none.
    button("work_order_view", "查看工单", "view", [...orderReaders, "administrator"]),
    button("work_order_submit", "提交和答复工单", "submit", [...raisers, "administrator"]),
    button("work_order_manage", "代本单位撤回和评价工单", "manage", ["owner", "farm_manager"]),
  ],
};
const workOrderDesk: readonly MenuSeed[] = [
  screenMenu("work_order_desk_screen", "工单服务台", "/customer/workOrder", {
    type: "admin",
    icon: "wrench",
    roles: deskClerks,
    buttons: [button("work_order_desk", "处理工单", "desk", deskClerks)],
  }),
  screenMenu("work_order_desk_detail", "处理工单", "/customer/workOrder/detail", {
    type: "admin",
    icon: "wrench",
    hidden: true,
    activeMenu: "/customer/workOrder",
    roles: deskClerks,
  }),
];

/** Roles of customers that read contracts; the right to sign binds the company. */
const contractReaders = ["owner", "farm_manager", "finance"];
const contractSigners = ["owner"];
const contractOpened = {
  type: "selfCenter",
  icon: "sheet",
  hidden: true,
  activeMenu: "/selfCenter/contractManage",
} as const;
const contractScreens: readonly MenuSeed[] = [
  screenMenu("contract_manage", "合同", "/selfCenter/contractManage", {
    type: "selfCenter",
    icon: "sheet",
    roles: contractReaders,
  }),
  screenMenu("contract_history", "合同记录", "/selfCenter/contractManage/history", {
    ...contractOpened,
    roles: contractReaders,
  }),
  screenMenu("contract_detail", "合同详情", "/selfCenter/contractManage/detail", {
    ...contractOpened,
    roles: contractReaders,
  }),
];
const contractRights: MenuSeed = {
  id: idOf("contract_rights"),
  code: "contract_rights",
  name: "合同权限",
  type: "selfCenter",
  hidden: true,
  roles: [],
  buttons: [
    button("contract_view", "查看合同", "view", [...contractReaders, "administrator"]),
    button("contract_sign", "签合同", "sign", [...contractSigners, "administrator"]),
  ],
};
/** The start of the group's staff has the place of everybody's console, and a right of its own. */
const groupStartRights: MenuSeed = {
  id: idOf("group_start_rights"),
  code: "group_start_rights",
  name: "集团工作台",
  type: "admin",
  hidden: true,
  roles: [],
  buttons: [
    button(
      "group_start_view",
      "查看集团工作台",
      "start",
      groupRoles.map(({ alias }) => alias),
    ),
  ],
};
const contractDeskOpened = { type: "admin", icon: "sheet", hidden: true, activeMenu: "/customer/contract" } as const;
const contractDesk: readonly MenuSeed[] = [
  screenMenu("contract_desk_screen", "合同管理", "/customer/contract", {
    type: "admin",
    icon: "sheet",
    roles: traders,
    buttons: [
      button("contract_desk", "起草合同", "desk", traders),
      button("contract_send", "发出合同", "send", traders),
    ],
  }),
  screenMenu("contract_desk_detail", "处理合同", "/customer/contract/detail", {
    ...contractDeskOpened,
    roles: traders,
  }),
  screenMenu("contract_draft", "起草合同", "/customer/contract/draft", { ...contractDeskOpened, roles: traders }),
  screenMenu("contract_batch", "批量起草", "/customer/contract/batch", { ...contractDeskOpened, roles: traders }),
  screenMenu("contract_template_editor", "编辑合同模板", "/customer/contractTemplate/editor", {
    ...contractDeskOpened,
    activeMenu: "/customer/contractTemplate",
    roles: traders,
  }),
];
/** Roles of the group that know customers, or are responsible for their data. */
const customerClerks = ["administrator", "customer_service", "sales"];
const customerKeepers = ["administrator", "customer_service"];
const announcers = ["administrator", "customer_service", "content_editor"];
const customerScreens: readonly MenuSeed[] = [
  screenMenu("customer", "客户管理", "/customer/customer", {
    type: "admin",
    icon: "people",
    roles: customerClerks,
    buttons: [
      button("customer_view", "查看客户", "view", customerClerks),
      button("customer_edit", "修改客户资料", "edit", customerKeepers),
      button("customer_show", "查看客户完整资料", "show", customerKeepers),
      button("customer_export", "导出客户", "export", customerKeepers),
    ],
  }),
  screenMenu("customer_detail", "客户详情", "/customer/detail", {
    type: "admin",
    icon: "people",
    hidden: true,
    activeMenu: "/customer/customer",
    roles: customerClerks,
  }),
  screenMenu("agreement", "协议", "/customer/agreement", {
    type: "admin",
    icon: "book",
    roles: ["administrator", "content_editor", "customer_service"],
    buttons: [
      button("agreement_view", "查看协议和同意记录", "view", ["administrator", "content_editor", "customer_service"]),
      button("agreement_edit", "编写协议", "edit", ["administrator", "content_editor"]),
      button("agreement_publish", "发布协议", "publish", ["administrator"]),
      button("agreement_export", "导出同意记录", "export", customerKeepers),
    ],
  }),
  screenMenu("announcement", "公告", "/customer/announcement", {
    type: "admin",
    icon: "bell",
    roles: announcers,
    buttons: [
      button("announcement_view", "查看公告", "view", announcers),
      button("announcement_edit", "编写公告", "edit", announcers),
      button("announcement_publish", "发送公告", "publish", ["administrator", "content_editor"]),
      button("announcement_export", "导出公告收到的人", "export", customerKeepers),
    ],
  }),
];

/** The desk of published prices. */
const priceDesk: MenuSeed = {
  id: idOf("price_desk"),
  code: "price_desk",
  name: "每日与区域价格",
  type: "admin",
  path: "/trade/price",
  component: "/trade/price/index",
  icon: "chart",
  roles: traders,
  buttons: [
    { id: idOf("price_view"), code: "price_view", name: "查看录入的价格", alias: "view", roles: traders },
    { id: idOf("price_edit"), code: "price_edit", name: "录入与更正价格", alias: "edit", roles: traders },
    { id: idOf("price_confirm"), code: "price_confirm", name: "复核价格", alias: "confirm", roles: traders },
    { id: idOf("price_publish"), code: "price_publish", name: "发布价格", alias: "publish", roles: traders },
  ],
};

const saleReportMenu: MenuSeed = {
  id: idOf("trade_report"),
  code: "trade_report",
  name: "销售报表",
  type: "admin",
  path: "/trade/report",
  component: "/trade/report/index",
  icon: "chart",
  roles: traders,
  buttons: [
    { id: idOf("trade_report_view"), code: "trade_report_view", name: "查看销售报表", alias: "view", roles: traders },
  ],
};

const statementReaders = ["administrator", "sales", "customer_service", "owner", "farm_manager", "finance"];
/** The statements of customers at the group's desk, and at a customer's. */
const statementDesk: MenuSeed = {
  id: idOf("statement"),
  code: "statement",
  name: "客户对账单",
  type: "admin",
  path: "/trade/statement",
  component: "/trade/statement/index",
  icon: "sheet",
  roles: ["administrator", "sales", "customer_service"],
};
const ownStatement: MenuSeed = {
  ...statementDesk,
  id: idOf("self_statement"),
  code: "self_statement",
  name: "对账单",
  type: "order",
  path: "/order/statement",
  component: "/order/statement/index",
  roles: ["owner", "farm_manager", "finance"],
};
const statementRights: MenuSeed = {
  id: idOf("statement_rights"),
  code: "statement_rights",
  name: "对账单",
  type: "admin",
  hidden: true,
  roles: [],
  buttons: [
    { id: idOf("statement_view"), code: "statement_view", name: "查看", alias: "view", roles: statementReaders },
  ],
};

/** The server-driven menu; ids must be stable and unique. */
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
    id: idOf("self_basic_info"),
    code: "self_basic_info",
    name: "基本信息",
    type: "selfCenter",
    path: "/selfCenter/basicInfo",
    component: "/selfCenter/basicInfo/index",
    icon: "person",
    roles: everybody,
  },
  {
    id: idOf("self_real_name"),
    code: "self_real_name",
    name: "实名认证",
    type: "selfCenter",
    path: "/selfCenter/realName",
    component: "/selfCenter/realName/index",
    icon: "badge",
    roles: ["owner"],
  },
  {
    id: idOf("real_name_rights"),
    code: "real_name_rights",
    name: "实名认证权限",
    type: "selfCenter",
    hidden: true,
    roles: [],
    buttons: [
      {
        id: idOf("real_name_submit"),
        code: "real_name_submit",
        name: "办理实名认证",
        alias: "submit",
        roles: ["owner", "administrator"],
      },
    ],
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
  ...contractScreens,
  {
    id: idOf("bank_card_rights"),
    code: "bank_card_rights",
    name: "银行卡与注销",
    type: "selfCenter",
    hidden: true,
    roles: [],
    buttons: [
      {
        id: idOf("bank_card_manage"),
        code: "bank_card_manage",
        name: "管理银行卡",
        alias: "card",
        roles: ["owner", "finance", "administrator"],
      },
      {
        id: idOf("customer_close"),
        code: "customer_close",
        name: "注销企业",
        alias: "close",
        roles: ["owner", "administrator"],
      },
    ],
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
    id: "1560000000000001005",
    code: "self_jobs",
    name: "任务",
    type: "selfCenter",
    path: "/selfCenter/jobs",
    component: "/selfCenter/jobs/index",
    icon: "clock",
    hidden: true,
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
    id: idOf("alarm"),
    code: "alarm",
    name: "告警中心",
    type: "vet",
    path: "/selfCenter/vet/alarm",
    component: "/selfCenter/vet/alarm/index",
    icon: "bell",
    roles: barn,
    buttons: [
      {
        id: idOf("alarm_handle"),
        code: "alarm_handle",
        name: "处理告警",
        alias: "handle",
        roles: [...operators, "veterinarian", "worker"],
      },
      {
        id: idOf("alarm_rule_edit"),
        code: "alarm_rule_edit",
        name: "修改告警规则",
        alias: "rule",
        roles: operators,
      },
    ],
  },
  {
    id: idOf("alarm_rule"),
    code: "alarm_rule",
    name: "告警规则",
    type: "vet",
    path: "/selfCenter/vet/alarmRules",
    component: "/selfCenter/vet/alarmRules/index",
    icon: "sliders",
    roles: barn,
  },
  {
    id: idOf("alarm_push"),
    code: "alarm_push",
    name: "告警推送设置",
    type: "vet",
    path: "/selfCenter/biosafety/alarm",
    component: "/selfCenter/biosafety/alarm/index",
    icon: "sliders",
    roles: barn,
  },
  {
    id: idOf("farm_report"),
    code: "farm_report",
    name: "养殖报告",
    type: "vet",
    path: "/selfCenter/vet/report",
    component: "/selfCenter/vet/report/index",
    icon: "sheet",
    roles: barn,
    buttons: [{ id: idOf("report_view"), code: "report_view", name: "查看报告", alias: "view", roles: barn }],
  },
  {
    id: idOf("data_analysis"),
    code: "data_analysis",
    name: "数据分析",
    type: "vet",
    path: "/selfCenter/vet/dataAnalysis",
    component: "/selfCenter/vet/dataAnalysis/index",
    icon: "chart",
    roles: barn,
  },
  {
    id: idOf("contact_trace"),
    code: "contact_trace",
    name: "接触追溯",
    type: "vet",
    path: "/selfCenter/biosafety/trace",
    component: "/selfCenter/biosafety/trace/index",
    icon: "map",
    roles: tracers,
    buttons: [{ id: idOf("trace_view"), code: "trace_view", name: "查看接触追溯", alias: "view", roles: tracers }],
  },
  {
    id: idOf("sell_days"),
    code: "sell_days",
    name: "哪天卖合算",
    type: "vet",
    path: "/selfCenter/vet/sellDays",
    component: "/selfCenter/vet/sellDays/index",
    icon: "chart",
    roles: sellers,
    buttons: [
      { id: idOf("sell_days_view"), code: "sell_days_view", name: "查看哪天卖合算", alias: "view", roles: sellers },
    ],
  },
  ...kindList.flatMap(({ name, pages }) => (pages ? [kindMenu(name, pages)] : [])),
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
    // Holds the rights that the screens of the group's staff and of a farm's owner share.
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
      {
        id: idOf("user_import"),
        code: "user_import",
        name: "导入用户",
        alias: "import",
        roles: ["administrator", "owner"],
      },
      {
        id: idOf("user_export"),
        code: "user_export",
        name: "导出用户",
        alias: "export",
        roles: ["administrator", "owner"],
      },
    ],
  },
  {
    id: idOf("real_name_desk"),
    code: "real_name_desk",
    name: "实名审核",
    type: "admin",
    path: "/customer/realName",
    component: "/customer/realName/index",
    icon: "badge",
    roles: reviewers,
    buttons: [
      {
        id: idOf("real_name_review"),
        code: "real_name_review",
        name: "审核实名认证",
        alias: "review",
        roles: reviewers,
      },
      {
        id: idOf("real_name_reveal"),
        code: "real_name_reveal",
        name: "查看完整证件号",
        alias: "reveal",
        roles: reviewers,
      },
    ],
  },
  groupStartRights,
  ...customerScreens,
  ...workOrderDesk,
  {
    id: idOf("cancellation"),
    code: "cancellation",
    name: "注销答复",
    type: "admin",
    path: "/customer/cancellation",
    component: "/customer/cancellation/index",
    icon: "exit",
    roles: ["administrator", "customer_service", "auditor"],
    buttons: [
      {
        id: idOf("cancellation_desk"),
        code: "cancellation_desk",
        name: "答复注销",
        alias: "desk",
        roles: ["administrator", "customer_service", "auditor"],
      },
      {
        id: idOf("retained_view"),
        code: "retained_view",
        name: "查看依法另存的资料",
        alias: "retained",
        roles: ["administrator", "auditor"],
      },
    ],
  },
  {
    id: idOf("cancellation_detail"),
    code: "cancellation_detail",
    name: "注销详情",
    type: "admin",
    path: "/customer/cancellation/detail",
    component: "/customer/cancellation/detail/index",
    hidden: true,
    activeMenu: "/customer/cancellation",
    roles: ["administrator", "customer_service", "auditor"],
  },
  {
    id: idOf("bank_card"),
    code: "bank_card",
    name: "客户银行卡",
    type: "admin",
    path: "/customer/bankCard",
    component: "/customer/bankCard/index",
    icon: "card",
    roles: reviewers,
    buttons: [
      { id: idOf("bank_card_view"), code: "bank_card_view", name: "查看客户银行卡", alias: "view", roles: reviewers },
      {
        id: idOf("bank_card_reveal"),
        code: "bank_card_reveal",
        name: "查看完整卡号",
        alias: "reveal",
        roles: reviewers,
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
  ...customerMenus,
  ownStatement,
  ...sharedRights,
  statementRights,
  {
    id: idOf("device_bind"),
    code: "device_bind",
    name: "绑定设备",
    type: "equipmentManage",
    path: "/selfCenter/equipmentManage/bindDevice",
    component: "/selfCenter/equipmentManage/bindDevice/index",
    icon: "qr",
    roles: operators,
  },
  {
    id: idOf("commissioning"),
    code: "commissioning",
    name: "单元调试",
    type: "equipmentManage",
    path: "/selfCenter/equipmentManage/commissioning",
    component: "/selfCenter/equipmentManage/commissioning/index",
    icon: "check",
    roles: barn,
    buttons: [
      { id: idOf("commissioning_view"), code: "commissioning_view", name: "查看调试单", alias: "view", roles: barn },
      {
        id: idOf("commissioning_edit"),
        code: "commissioning_edit",
        name: "调试和签字",
        alias: "edit",
        roles: commissioners,
      },
    ],
  },
  {
    id: "1560000000000001006",
    code: "self_role_grants",
    name: "角色授权",
    type: "selfCenter",
    path: "/selfCenter/roles/grants",
    component: "/selfCenter/roles/grants/index",
    icon: "key",
    hidden: true,
    activeMenu: "/selfCenter/roles",
    roles: ["owner"],
  },
  customerService,
  workOrderRights,
  contractRights,
  group(idOf("herd_health"), "herd_health", "兽医记录", "needle", [], "vet"),
  group(idOf("pig_farm"), "pig_farm", "猪场管理", "farm", [farmStructure], "selfCenter"),
  group("1560000000000001401", "organization", "组织与权限", "tree", [
    {
      id: "1560000000000001402",
      code: "role_grants",
      name: "角色授权",
      type: "admin",
      path: "/system/role/grants",
      component: "/system/role/grants/index",
      icon: "key",
      hidden: true,
      activeMenu: "/system/role",
      roles: ["administrator"],
    },
  ]),
  equipment,
  {
    id: idOf("price_alert"),
    code: "price_alert",
    name: "价格提醒",
    type: "selfCenter",
    path: "/selfCenter/priceAlert",
    component: "/selfCenter/priceAlert/index",
    icon: "chart",
    roles: everybody,
  },
  group(idOf("trade"), "trade", "交易", "receipt", [priceDesk, saleReportMenu, statementDesk]),
  group(idOf("contract_group"), "contract_group", "合同", "sheet", contractDesk),
  group(idOf("order_trade"), "order_trade", "买猪", "receipt", [], "order"),
  group("1560000000000001411", "archives", "基础档案", "box"),
  group(idOf("content"), "content", "网站内容", "book", [
    {
      id: idOf("home_page"),
      code: "home_page",
      name: "首页",
      type: "admin",
      path: "/content/home",
      component: "/content/home/index",
      icon: "home",
      roles: siteEditors,
      buttons: [
        { id: idOf("home_page_view"), code: "home_page_view", name: "查看首页栏目", alias: "view", roles: siteEditors },
        { id: idOf("home_page_edit"), code: "home_page_edit", name: "编辑首页栏目", alias: "edit", roles: siteEditors },
        {
          id: idOf("home_page_publish"),
          code: "home_page_publish",
          name: "发布首页",
          alias: "publish",
          roles: siteEditors,
        },
      ],
    },
    {
      id: idOf("article_editor"),
      code: "article_editor",
      name: "编辑文章",
      type: "admin",
      path: "/content/article/editor",
      component: "/content/article/editor/index",
      icon: "edit",
      hidden: true,
      activeMenu: "/content/article",
      roles: ["administrator", "content_editor"],
    },
  ]),
  group("1560000000000001421", "platform", "系统设置", "sliders", [
    screenMenu("setting", "平台设置", "/system/setting", {
      type: "admin",
      icon: "sliders",
      roles: ["administrator"],
      buttons: [
        button("setting_view", "查看系统设置", "view", ["administrator"]),
        button("setting_edit", "修改系统设置", "edit", ["administrator"]),
      ],
    }),
    screenMenu("tenant", "租户管理", "/system/tenant", {
      type: "admin",
      icon: "people",
      roles: ["administrator"],
      buttons: [
        button("tenant_view", "查看租户", "view", ["administrator"]),
        button("tenant_edit", "编辑租户", "edit", ["administrator"]),
        button("tenant_delete", "停用租户", "delete", ["administrator"]),
      ],
    }),
    screenMenu("tenant_package_menus", "套餐内容", "/system/tenantpackage/menus", {
      type: "admin",
      icon: "box",
      hidden: true,
      activeMenu: "/system/tenantpackage",
      roles: ["administrator"],
    }),
    screenMenu("region", "行政区划", "/system/region", {
      type: "admin",
      icon: "tree",
      roles: ["administrator"],
      buttons: [button("region_edit", "编辑行政区划", "edit", ["administrator"])],
    }),
    {
      id: "1560000000000001431",
      code: "audit",
      name: "操作记录",
      type: "admin",
      path: "/system/audit",
      component: "/system/audit/index",
      icon: "history",
      roles: ["administrator"],
      buttons: [
        { id: "1560000000000001432", code: "audit_view", name: "查看", alias: "view", roles: ["administrator"] },
        { id: idOf("audit_export"), code: "audit_export", name: "导出", alias: "export", roles: ["administrator"] },
      ],
    },
    screenMenu("log_error", "错误日志", "/system/log/error", {
      type: "admin",
      icon: "sheet",
      roles: ["administrator"],
      buttons: [button("log_view", "查看服务日志", "view", ["administrator"])],
    }),
    screenMenu("log_usual", "拒绝的请求", "/system/log/usual", {
      type: "admin",
      icon: "sheet",
      roles: ["administrator"],
    }),
    screenMenu("log_api", "接口日志", "/system/log/api", { type: "admin", icon: "sheet", roles: ["administrator"] }),
    screenMenu("session", "在线会话", "/system/session", {
      type: "admin",
      icon: "key",
      roles: ["administrator"],
      buttons: [
        button("session_view", "查看在线会话", "view", ["administrator"]),
        button("session_end", "结束会话", "end", ["administrator"]),
      ],
    }),
    screenMenu("attachment", "附件", "/system/attach", {
      type: "admin",
      icon: "box",
      roles: ["administrator"],
      buttons: [
        button("attachment_view", "查看附件", "view", ["administrator"]),
        button("attachment_download", "下载附件", "download", ["administrator"]),
        button("attachment_delete", "删除附件", "delete", ["administrator"]),
      ],
    }),
    {
      // Rights of calls that have no screen of their own yet.
      id: idOf("administration_rights"),
      code: "administration_rights",
      name: "系统管理权限",
      type: "admin",
      hidden: true,
      roles: [],
      buttons: ([["provider_view", "查看文件与短信服务", "view"]] as const).map(([code, name, alias]) => ({
        id: idOf(code),
        code,
        name,
        alias,
        roles: ["administrator"],
      })),
    },
    {
      id: idOf("health"),
      code: "health",
      name: "运行健康",
      type: "admin",
      path: "/system/health",
      component: "/system/health/index",
      icon: "shield",
      roles: ["administrator"],
      buttons: [
        { id: idOf("health_view"), code: "health_view", name: "查看", alias: "view", roles: ["administrator"] },
      ],
    },
    {
      id: "1560000000000001441",
      code: "simulator",
      name: "模拟器",
      type: "admin",
      path: "/system/simulator",
      component: "/system/simulator/index",
      icon: "devices",
      roles: staff,
      buttons: [{ id: "1560000000000001442", code: "simulator_run", name: "启停场景", alias: "run", roles: staff }],
    },
  ]),
];
