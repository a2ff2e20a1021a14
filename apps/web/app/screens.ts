import { resourceScreens } from "@herdwise/contract";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { isMore, pageAddress, pagesOf, parametersTitle } from "@herdwise/device-kinds/kind-pages";
import type { DictionaryPart } from "./shared/language/dictionary.ts";

/**
 * Every screen of the app. Plain values only: routes.ts, the menu and the server's seed test read this file. Their route modules are
 * named in screen-files.ts, which no browser needs.
 * A menu node's `component` names a screen; its `path` is where the screen lives.
 */
export interface Screen {
  /** Path plus `/index`, as the server's menu names it. */
  component: string;
  path: string;
  /** Code of the menu node that grants this screen. */
  menuCode: string;
  /** Chinese title; may hold placeholders such as `:name`, filled from params or query. */
  title: string;
  /** Only the group's staff may ever see it. */
  staffOnly?: boolean;
  /** Name of the resource that it is made from. */
  resource?: string;
}

/** Screens that are made from the declaration of a resource. */
const ofResources = resourceScreens.map(({ name, code = name, path, title, staffOnly = false }) => ({
  path,
  menuCode: code,
  title,
  staffOnly,
  resource: name,
}));

/** Screens that are made from the declaration of a device kind. */
const ofKinds = kindList.flatMap(({ name, pages }): Omit<Screen, "component">[] => {
  if (!pages) return [];
  const { code, title, more } = pages;
  const titles = {
    overview: title.zh,
    unit: "单元详情",
    device: "设备详情",
    parameters: parametersTitle(name).zh,
  } as const;
  return pagesOf(pages).map((page) => ({
    path: pageAddress(pages, page) ?? "",
    menuCode: `${code}_${page}`,
    title: isMore(page) ? (more?.[page]?.title.zh ?? "") : titles[page],
  }));
});

/** What customers bring to the group's desk: the same three screens for each. */
const ofWorkOrders = (
  [
    ["after_sales", "/workOrder/orderService", "售后工单", "提交售后工单", "售后工单详情"],
    ["complaint", "/workOrder/complaintOrder", "投诉", "提交投诉", "投诉详情"],
    // The site's page for suggestions is for who is signed in.
    ["suggestion", "/workOrder/suggestion", "建议", "提建议", "建议详情", "/service/propose"],
  ] as readonly (readonly [string, string, string, string, string, string?])[]
).flatMap(([code, path, title, adding, detail, add = `${path}/add`]) => [
  { path, menuCode: code, title },
  { path: add, menuCode: `${code}_add`, title: adding },
  { path: `${path}/detail`, menuCode: `${code}_detail`, title: detail },
]);

/** Contracts: the customers' screens, and the group's, by the ends of their codes and addresses. */
const ofContracts = (
  [
    ["manage", "合同", "", "/selfCenter/contractManage"],
    ["history", "合同记录", "/history", "/selfCenter/contractManage"],
    ["detail", "合同详情", "/detail", "/selfCenter/contractManage"],
    ["desk_screen", "合同管理", ""],
    ["desk_detail", "处理合同", "/detail"],
    ["draft", "起草合同", "/draft"],
    ["batch", "批量起草", "/batch"],
    ["template_editor", "编辑合同模板", "Template/editor"],
  ] as readonly (readonly [string, string, string, string?])[]
).map(([code, title, end, base]) => ({
  path: `${base ?? "/customer/contract"}${end}`,
  menuCode: `contract_${code}`,
  title,
  staffOnly: base === undefined,
}));

/** Paths of the imports, each below the screen of its resource. */
export const importPaths: readonly string[] = [
  ...resourceScreens.flatMap(({ path, imports }) => (imports ? [path] : [])),
  // Users are no resource, and imported like one.
  "/system/user",
  "/selfCenter/members",
].map((path) => `${path}/import`);

const listed: readonly Omit<Screen, "component">[] = [
  {
    path: "/selfCenter/home",
    menuCode: "self_home",
    title: "工作台",
  },
  {
    path: "/selfCenter/basicInfo",
    menuCode: "self_basic_info",
    title: "基本信息",
  },
  {
    path: "/selfCenter/realName",
    menuCode: "self_real_name",
    title: "实名认证",
  },
  {
    path: "/selfCenter/safeManage",
    menuCode: "self_safe",
    title: "安全设置",
  },
  ...ofContracts,
  {
    path: "/selfCenter/news",
    menuCode: "self_news",
    title: "消息",
  },
  ...ofWorkOrders,
  { path: "/customer/customer", menuCode: "customer", title: "客户管理", staffOnly: true },
  { path: "/customer/detail", menuCode: "customer_detail", title: "客户详情", staffOnly: true },
  { path: "/customer/agreement", menuCode: "agreement", title: "协议", staffOnly: true },
  { path: "/customer/announcement", menuCode: "announcement", title: "公告", staffOnly: true },
  {
    path: "/customer/workOrder",
    menuCode: "work_order_desk_screen",
    title: "工单服务台",
  },
  {
    path: "/customer/workOrder/detail",
    menuCode: "work_order_desk_detail",
    title: "处理工单",
  },
  {
    path: "/selfCenter/jobs",
    menuCode: "self_jobs",
    title: "任务",
  },
  {
    path: "/selfCenter/priceAlert",
    menuCode: "price_alert",
    title: "价格提醒",
  },
  {
    path: "/selfCenter/members",
    menuCode: "self_members",
    title: "成员管理",
  },
  {
    path: "/selfCenter/pigFarmArchitecture/factoryManagement",
    menuCode: "farm_structure",
    title: "猪场结构",
  },
  {
    path: "/selfCenter/equipmentManage/bindDevice",
    menuCode: "device_bind",
    title: "绑定设备",
  },
  {
    path: "/selfCenter/equipmentManage/commissioning",
    menuCode: "commissioning",
    title: "单元调试",
  },
  {
    path: "/selfCenter/vet/alarm",
    menuCode: "alarm",
    title: "告警中心",
  },
  {
    path: "/selfCenter/vet/alarmRules",
    menuCode: "alarm_rule",
    title: "告警规则",
  },
  {
    path: "/selfCenter/biosafety/alarm",
    menuCode: "alarm_push",
    title: "告警推送设置",
  },
  {
    path: "/selfCenter/vet/report",
    menuCode: "farm_report",
    title: "养殖报告",
  },
  {
    path: "/selfCenter/vet/dataAnalysis",
    menuCode: "data_analysis",
    title: "数据分析",
  },
  {
    path: "/selfCenter/biosafety/trace",
    menuCode: "contact_trace",
    title: "接触追溯",
  },
  {
    path: "/selfCenter/vet/sellDays",
    menuCode: "sell_days",
    title: "哪天卖合算",
  },
  ...ofKinds,
  {
    path: "/system/user",
    menuCode: "user",
    title: "用户管理",
  },
  {
    path: "/system/setting",
    menuCode: "setting",
    title: "平台设置",
    staffOnly: true,
  },
  {
    path: "/system/simulator",
    menuCode: "simulator",
    title: "模拟器",
  },
  { path: "/system/health", menuCode: "health", title: "运行健康", staffOnly: true },
  {
    path: "/system/visit",
    menuCode: "visit",
    title: "访问统计",
  },
  {
    path: "/system/translation",
    menuCode: "translation",
    title: "译文校对",
  },
  {
    path: "/system/audit",
    menuCode: "audit",
    title: "操作记录",
  },
  {
    path: "/system/log/error",
    menuCode: "log_error",
    title: "错误日志",
    staffOnly: true,
  },
  { path: "/system/log/usual", menuCode: "log_usual", title: "拒绝的请求", staffOnly: true },
  { path: "/system/log/api", menuCode: "log_api", title: "接口日志", staffOnly: true },
  { path: "/system/attach", menuCode: "attachment", title: "附件", staffOnly: true },
  { path: "/system/session", menuCode: "session", title: "在线会话", staffOnly: true },
  {
    path: "/customer/realName",
    menuCode: "real_name_desk",
    title: "实名审核",
  },
  {
    path: "/customer/cancellation",
    menuCode: "cancellation",
    title: "注销答复",
  },
  {
    path: "/customer/cancellation/detail",
    menuCode: "cancellation_detail",
    title: "注销详情",
  },
  {
    path: "/customer/bankCard",
    menuCode: "bank_card",
    title: "客户银行卡",
  },
  {
    path: "/trade/price",
    menuCode: "price_desk",
    title: "每日与区域价格",
  },
  { path: "/trade/statement", menuCode: "statement", title: "客户对账单", staffOnly: true },
  { path: "/order/statement", menuCode: "self_statement", title: "对账单", staffOnly: false },
  {
    path: "/trade/report",
    menuCode: "trade_report",
    title: "销售报表",
    staffOnly: true,
  },
  {
    path: "/equipment/firmware",
    menuCode: "firmware",
    title: "固件升级",
  },
  {
    path: "/system/client",
    menuCode: "oauth_client",
    title: "第三方应用",
  },
  {
    path: "/content/home",
    menuCode: "home_page",
    title: "首页",
  },
  {
    path: "/content/article/editor",
    menuCode: "article_editor",
    title: "编辑文章",
  },
  { path: "/system/tenant", menuCode: "tenant", title: "租户管理" },
  { path: "/system/tenantpackage/menus", menuCode: "tenant_package_menus", title: "套餐内容" },
  { path: "/system/region", menuCode: "region", title: "行政区划" },
  {
    path: "/system/role/grants",
    menuCode: "role_grants",
    title: "角色授权",
  },
  {
    path: "/selfCenter/roles/grants",
    menuCode: "self_role_grants",
    title: "角色授权",
  },
  ...ofResources,
];

/** The barn mode: a page of its own beside the screens, which a phone keeps. */
const barnPath = "/barn";
const driverPath = "/driver";

/** All of them. A component is always its path with `/index`, as the server's menu has it. */
export const screens: readonly Screen[] = listed.map((screen) => ({
  ...screen,
  component: `${screen.path}/index`,
  // Of those that are listed here, customers have the ones below their centre and their orders.
  staffOnly: screen.staffOnly ?? !/^\/(selfCenter|workOrder)\//.test(screen.path),
}));

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

/** Finds the screen that lives at a path; an import belongs to the screen of its resource. */
export function screenAt(path: string): Screen | undefined {
  const plain = path.replace(/\/+$/, "");
  const own = importPaths.includes(plain) ? plain.replace(/\/import$/, "") : plain;
  return screens.find((screen) => screen.path === own);
}

/** Screens that are opened first, on phones above all: what they say is a dictionary of its own. */
const openedFirst: readonly string[] = [
  "/selfCenter/home",
  ...kindList.flatMap(({ pages }) => (pages ? (pageAddress(pages, "overview") ?? []) : [])),
];

/** Pages of the account, which have no frame around them. */
const beforeLogIn: readonly string[] = [
  "/login",
  "/register",
  "/findPass",
  "/findAcc",
  "/phoneBack",
  "/scan",
  "/authorize",
  "/endSession",
];

/**
 * Which dictionary a page needs: screens have the whole one, what is opened first and what comes before the log-in only its own texts. Pages of
 * the site are rendered by the server, which has everything, and fetch none.
 */
export function dictionaryPartOf(path: string): DictionaryPart {
  const screen = screenAt(path);
  if (screen && openedFirst.includes(screen.path)) return "overviews";
  if (screen || path.startsWith(barnPath)) return "whole";
  if (path.replace(/\/+$/, "") === driverPath) return "driver";
  return beforeLogIn.includes(path.replace(/\/+$/, "")) ? "entry" : "site";
}
