import { process, processResource } from "../process/index.ts";
import { date, moment, reference, text } from "../resource/index.ts";
import { buyerRoles, categoryField, headsField, pricePerKgField, queues, tradeRoles } from "./shared.ts";

/** A customer's wish to buy heads of a published plan: accepted it becomes an order, or the desk declines or offers otherwise. */
export const declarationProcess = process({
  name: "declaration",
  parties: ["customer", "desk", "clock"],
  receivers: ["customer", "desk"],
  start: "submitted",
  states: {
    submitted: "open",
    offered: "open",
    accepted: "over",
    declined: "over",
    withdrawn: "over",
    expired: "over",
  },
  events: {
    accept: { by: "desk", from: "submitted", to: "accepted", tells: { customer: "申报受理了" } },
    offer: { by: "desk", from: "submitted", to: "offered", tells: { customer: "销售还价了" } },
    decline: { by: "desk", from: ["submitted", "offered"], to: "declined", tells: { customer: "申报没有受理" } },
    agree: { by: "customer", from: "offered", to: "accepted", tells: { desk: "客户同意了还价" } },
    withdraw: { by: "customer", from: ["submitted", "offered"], to: "withdrawn", tells: { desk: "客户撤回了申报" } },
    expire: { by: "clock", from: ["submitted", "offered"], to: "expired", tells: { customer: "申报过期了" } },
  },
  deadlines: { expire: { in: ["submitted", "offered"], at: "expires_at" } },
});

export const declarations = processResource(declarationProcess, {
  table: "declarations",
  view: "declaration_rows",
  wordIndex: true,
  path: "/api/muyuan-trade/declaration",
  scope: "own-or-all-tenants",
  words: { one: "购猪申报", many: "购猪申报", oneEn: "Declaration" },
  title: "number",
  card: ["tenantName", "field", "day", "heads", "pricePerKg", "order"],
  order: [{ field: "expiresAt", direction: "desc" }],
  views: queues(
    [
      ["未办完", ["submitted", "offered"]],
      ["已还价", ["offered"]],
    ],
    ["accepted", "declined", "withdrawn", "expired"],
  ),
  number: "SB",
  menu: { parent: "trade", icon: "sheet", path: "/trade/declaration", type: "admin", ...tradeRoles },
  customerMenu: { path: "/order/declaration", type: "order", icon: "sheet", ...buyerRoles },
  fields: {
    plan: reference("销售计划", { to: "sale_plan", filter: true }),
    // What a narrow table has room for stands first: at which price to accept.
    day: date("装车日", { filter: true, column: true, sort: true }),
    heads: headsField,
    pricePerKg: pricePerKgField("价格"),
    field: reference("场区", { to: "sale_field", filter: true, column: true }),
    contractTerm: reference("交易协议", { to: "price_term" }),
    plate: text("车牌", { max: 12, search: true, column: true }),
    note: text("备注", { max: 200 }),
    order: reference("所属订单", { to: "sale_order", column: true }),
    declineReason: text("没有受理的原因", { max: 200 }),
    expiresAt: moment("有效到", { sort: true }),
    category: { ...categoryField, column: false },
  },
  states: {
    submitted: { word: "待受理", mark: "notice" },
    offered: { word: "已还价", mark: "minor" },
    accepted: { word: "已受理", mark: "ok" },
    declined: { word: "没有受理", mark: "off" },
    withdrawn: { word: "已撤回", mark: "off" },
    expired: { word: "已过期", mark: "off" },
  },
  begin: {
    word: "申报购猪",
    by: "customers",
    asks: {
      plan: reference("可订计划", { to: "offer", required: true }),
      heads: headsField,
      plate: text("车牌", { max: 12, hint: "没有定车可以先不填" }),
      note: text("备注", { max: 200, lines: 2 }),
    },
  },
  events: {
    accept: { word: "受理", primary: true },
    offer: {
      word: "还价",
      asks: { heads: headsField, pricePerKg: { ...pricePerKgField("价格"), required: true } },
    },
    decline: { word: "不受理", asks: { reason: text("原因，客户会看到", { required: true, max: 200, lines: 2 }) } },
    agree: { word: "同意还价", primary: true },
    withdraw: { word: "撤回" },
  },
  urgent: ["submitted", "offered"],
  lines: { begin: "已提交", accept: "已受理", expire: "装车日前没有办完" },
});
