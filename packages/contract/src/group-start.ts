import { type Static, Type } from "typebox";
import { customerRules } from "./customers.ts";
import { type Endpoint, permission } from "./endpoint.ts";
import { Empty, EpochMs } from "./scalars.ts";
import { groupStartCode } from "./todos.ts";

/**
 * Desks of the group at which something waits for an answer: the right that opens the list, and the list that has exactly what is
 * counted. The order is that of the page.
 */
export const desks = {
  work_order: { name: "服务工单", right: "work_order_desk", list: "/customer/workOrder?view=open" },
  real_name: { name: "实名审核", right: "real_name_review", list: "/customer/realName?view=waiting" },
  cancellation: { name: "注销申请", right: "cancellation_desk", list: "/customer/cancellation?view=waiting" },
  site_form: { name: "网站来单", right: "site_form_view", list: "/content/form?f.state=new,working" },
  access_request: { name: "权限申请", right: "access_request_view", list: "/system/accessRequest?f.state=waiting" },
  contract: { name: "等客户签的合同", right: "contract_desk", list: "/customer/contract?view=waiting" },
  price: { name: "价格复核", right: "price_confirm", list: "/trade/price" },
  declaration: { name: "购猪申报", right: "declaration_view", list: "/trade/declaration?f.state=submitted" },
  payment: { name: "收付款复核", right: "payment_view", list: "/trade/payment?f.state=recorded" },
  settlement: { name: "结算复核", right: "settlement_view", list: "/trade/settlement?f.state=computed" },
  invoice: { name: "待开发票", right: "invoice_view", list: "/trade/invoice?f.state=applied" },
} as const;
export type DeskKey = keyof typeof desks;
export const deskKeys = Object.keys(desks) as DeskKey[];

const Count = Type.Integer({ minimum: 0 });

const Desk = Type.Object({
  desk: Type.Enum(deskKeys),
  waiting: Count,
  /** When the one that waits longest came. */
  oldestMs: Type.Optional(EpochMs),
  /** When the next answer is due that is not late yet; left out where nothing is promised. */
  dueMs: Type.Optional(EpochMs),
  /** When the first of the late ones was due. */
  lateSinceMs: Type.Optional(EpochMs),
  late: Count,
  /** Due before the day in Asia/Shanghai ends, without the late ones. */
  dueToday: Count,
  /** Waiting without anybody who takes care, where the desk assigns. */
  unassigned: Type.Optional(Count),
  /** Came today, and were dealt with today, by the day in Asia/Shanghai. */
  came: Count,
  dealt: Count,
  /** Names of those who have some of it in hand, at most six. */
  hands: Type.Array(Type.String()),
});
export type Desk = Static<typeof Desk>;

/** Days of the trend of alarms, today included. */
export const startTrendDays = 7;

const FieldPlace = Type.Object({
  /** Chinese name of the sales region or service department; "" for farms outside of each. */
  name: Type.String(),
  devices: Count,
  online: Count,
  critical: Count,
  major: Count,
  farms: Count,
  /** Farms of which no device is online. */
  silentFarms: Count,
  /** Critical and major alarms raised each day, the oldest day first. */
  trend: Type.Array(Count),
});
export type FieldPlace = Static<typeof FieldPlace>;

const Outgoing = Type.Object({
  kind: Type.Enum(["price", "article", "announcement"] as const),
  atMs: EpochMs,
  title: Type.String(),
  /** Of prices: those that are ready, those that wait for a second person. */
  ready: Type.Optional(Count),
  waiting: Type.Optional(Count),
});
export type Outgoing = Static<typeof Outgoing>;

export const groupStart = {
  access: permission(groupStartCode),
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  method: "GET",
  path: "/api/muyuan-desk/start/detail",
  summary:
    "What waits at the desks that the caller may open, farms of customers by region and service department, customers in trouble, and what is published today.",
  query: Empty,
  body: Empty,
  reply: Type.Object({
    atMs: EpochMs,
    desks: Type.Array(Desk),
    /** Critical alarms of customers that nobody acknowledged. */
    unheard: Type.Optional(Count),
    regions: Type.Array(FieldPlace),
    departments: Type.Array(FieldPlace),
    customers: Type.Array(
      Type.Object({
        tenantId: Type.String(),
        name: Type.String(),
        rule: Type.Enum(customerRules),
        sinceMs: EpochMs,
        detail: Type.String({ description: "of the rule: a day or a count" }),
      }),
    ),
    /** Customers with a finding; the list has the worst of them. */
    customersAtRisk: Count,
    contractsEnding: Type.Optional(Type.Integer({ description: "in force, ending within 30 days" })),
    outgoing: Type.Array(Outgoing),
  }),
} satisfies Endpoint;
export type GroupStart = Static<typeof groupStart.reply>;
