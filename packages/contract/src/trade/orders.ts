import { process, processResource } from "../process/index.ts";
import { choice, date, moment, number, reference, text } from "../resource/index.ts";
import { buyerRoles, categoryField, headsField, modeField, pricePerKgField, queues, tradeRoles } from "./shared.ts";

/**
 * An order of pigs, from the payment to the settlement (decisions.md 9). The prepayment's arrival confirms it, the confirmed
 * settlement settles it, and what is left being paid lets it be completed.
 */
export const orderProcess = process({
  name: "sale_order",
  parties: ["customer", "desk", "clock", "payment", "settlement"],
  receivers: ["customer", "desk"],
  start: "waiting_payment",
  states: {
    waiting_payment: "open",
    confirmed: "open",
    loading: "open",
    weighed: "open",
    settled: "open",
    completed: "over",
    cancelled: "over",
  },
  events: {
    confirm: {
      by: "payment",
      from: "waiting_payment",
      to: "confirmed",
      tells: { customer: "预付款到账，订单确认了", desk: "订单付款了" },
    },
    load: { by: "desk", from: "confirmed", to: "loading", tells: { customer: "开始装车" } },
    weigh: { by: "desk", from: "loading", to: "weighed", tells: { customer: "装车过磅完成" } },
    reweigh: { by: "desk", from: "weighed", to: "loading", tells: { customer: "订单重新过磅" } },
    settle: { by: "settlement", from: "weighed", to: "settled", tells: { customer: "订单结算了" } },
    complete: { by: ["customer", "desk", "clock"], from: "settled", to: "completed", tells: { desk: "订单完成了" } },
    cancel: {
      by: ["customer", "desk"],
      from: "waiting_payment",
      to: "cancelled",
      tells: { customer: "订单取消了", desk: "订单取消了" },
    },
    // What was paid is paid back.
    call_off: { by: "desk", from: "confirmed", to: "cancelled", tells: { customer: "订单取消了，已付的钱会退" } },
    expire: {
      by: "clock",
      from: "waiting_payment",
      to: "cancelled",
      tells: { customer: "订单没有按时付款，取消了", desk: "订单没有按时付款，取消了" },
    },
  },
  deadlines: {
    expire: { in: "waiting_payment", at: "pay_by" },
    complete: { in: "settled", at: "complete_at" },
  },
});

const fen = { min: -1_000_000_000_000, max: 1_000_000_000_000, decimals: 2, unit: "元" } as const;

export const orders = processResource(orderProcess, {
  table: "sale_orders",
  view: "sale_order_rows",
  wordIndex: true,
  path: "/api/muyuan-trade/order",
  scope: "own-or-all-tenants",
  words: { one: "生猪订单", many: "生猪订单", oneEn: "Pig order" },
  title: "number",
  number: "DD",
  card: ["tenantName", "field", "day", "heads", "dueFen", "next"],
  views: queues(
    [["未办完", ["waiting_payment", "confirmed", "loading", "weighed", "settled"]]],
    ["completed", "cancelled"],
  ),
  order: [{ field: "actBy", direction: "desc" }],
  menu: { parent: "trade", icon: "receipt", path: "/trade/order", type: "admin", ...tradeRoles },
  customerMenu: { path: "/order/order", type: "order", icon: "receipt", ...buyerRoles },
  fields: {
    plan: reference("销售计划", { to: "sale_plan", filter: true }),
    declaration: reference("所属申报", { to: "declaration" }),
    lot: reference("所属场次", { to: "lot" }),
    contractTerm: reference("交易协议", { to: "price_term", filter: true }),
    next: choice("下一步", {
      options: [
        ["pay", "付预付款"],
        ["check", "等复核到账"],
        ["vehicle", "登记车辆"],
        ["papers", "办证件放行"],
        ["load", "等装车"],
        ["weigh", "等过磅"],
        ["recheck", "等复核过磅"],
        ["finish", "等过磅完成"],
        ["settle", "等结算"],
        ["review", "等复核结算"],
        ["rest", "付尾款"],
        ["refund", "等退款"],
        ["complete", "确认完成"],
        ["invoice", "可以开票"],
        ["reinvoice", "开票退回"],
      ],
      column: true,
    }),
    day: date("装车日", { filter: true, column: true, sort: true }),
    heads: headsField,
    dueFen: number("还欠", { ...fen, column: true }),
    expectedFen: number("货款", { ...fen, column: true }),
    finalFen: number("货款合计", fen),
    paidFen: number("已付", { ...fen, column: true }),
    pricePerKg: pricePerKgField("成交价"),
    field: reference("场区", { to: "sale_field", filter: true, column: true }),
    category: { ...categoryField, column: false },
    mode: { ...modeField, column: false },
    plate: text("车牌", { max: 12, search: true }),
    payBy: moment("付款期限", {}),
    /** Until when somebody has to take the next step. */
    actBy: moment("办理期限", { sort: true }),
    lateSince: moment("从什么时候晚的", {}),
    wrong: choice("哪里异常", {
      options: [
        ["weight", "到货重量有争议"],
        ["way", "路上有异常"],
      ],
    }),
  },
  states: {
    waiting_payment: { word: "待付款", mark: "minor" },
    confirmed: { word: "已确认", mark: "notice" },
    loading: { word: "装车中", mark: "notice" },
    weighed: { word: "已过磅", mark: "notice" },
    settled: { word: "已结算", mark: "notice" },
    completed: { word: "已完成", mark: "ok" },
    cancelled: { word: "已取消", mark: "off" },
  },
  events: {
    load: { word: "开始装车", primary: true },
    weigh: { word: "过磅完成", primary: true },
    complete: { word: "确认完成", primary: true },
    reweigh: { word: "重新过磅", asks: { reason: text("为什么重新过磅", { required: true, max: 200, lines: 2 }) } },
    call_off: { word: "取消并退款", asks: { reason: text("取消原因", { required: true, max: 200, lines: 2 }) } },
    cancel: { word: "取消订单", asks: { reason: text("取消原因", { required: true, max: 200, lines: 2 }) } },
  },
  urgent: {
    field: "state",
    values: ["waiting_payment", "confirmed", "loading", "weighed", "settled"],
    together: true,
  },
  lines: {
    begin: "生成订单",
    confirm: "预付款到账，订单确认",
    load: "装车开始",
    complete: "订单完成",
    settle: "结算确认",
    expire: "没有按时付款，自动取消",
  },
});
