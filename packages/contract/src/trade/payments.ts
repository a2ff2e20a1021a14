import { process, processResource } from "../process/index.ts";
import { choice, moment, number, reference, text } from "../resource/index.ts";
import { buyerReaders, queues, tradeRoles } from "./shared.ts";
import { transferAsks, transferFields } from "./transfers.ts";

/**
 * A payment of an order by bank transfer: what is awaited, what one person found on the bank's statement, and a second person
 * confirmed. A refund is paid by the group and goes the same way. What comes by the payment
 * provider is received by its signed word.
 */
export const paymentProcess = process({
  name: "payment",
  parties: ["desk", "order", "provider", "note"],
  receivers: ["customer", "desk"],
  start: "awaited",
  states: { awaited: "open", recorded: "open", done: "over", void: "over" },
  events: {
    record: { by: "desk", from: "awaited", to: "recorded", tells: { desk: "有一笔收付款要复核" } },
    confirm: { by: "desk", from: "recorded", to: "done", tells: { customer: "款项到账" } },
    send_back: { by: "desk", from: "recorded", to: "awaited", tells: { desk: "收付款登记退回了" } },
    cancel: { by: "order", from: ["awaited", "recorded"], to: "void" },
    // The rest is another payment.
    set_off: { by: "note", from: "awaited", to: "void" },
    // The provider's signed word needs no second person.
    receive: { by: "provider", from: "awaited", to: "done", tells: { customer: "款项到账" } },
  },
});

/** What a payment is for. */
const paymentKinds = [
  ["prepayment", "预付款"],
  ["balance", "尾款"],
  ["refund", "退款"],
] as const;

/** Largest payment, fen. */
const mostFen = 1_000_000_000_000;

export const payments = processResource(paymentProcess, {
  table: "payments",
  view: "payment_rows",
  wordIndex: true,
  path: "/api/muyuan-trade/payment",
  scope: "own-or-all-tenants",
  words: { one: "收付款", many: "收付款", oneEn: "Payment" },
  title: "number",
  number: "SK",
  card: ["tenantName", "amountFen", "kind", "order", "receivedOn"],
  views: queues(
    [
      ["待付", ["awaited"]],
      ["待复核", ["recorded"]],
    ],
    ["done", "void"],
  ),
  order: [{ field: "dueBy", direction: "desc" }],
  menu: { parent: "trade", icon: "card", path: "/trade/payment", type: "admin", ...tradeRoles },
  customerMenu: { path: "/order/payment", type: "order", icon: "card", roles: [], viewers: buyerReaders },
  fields: {
    amountFen: number("金额", { min: 1, max: mostFen, decimals: 2, unit: "元", column: true, sort: true }),
    kind: choice("款项", { options: paymentKinds, filter: true, column: true }),
    order: reference("所属订单", { to: "sale_order", filter: true, column: true }),
    dueBy: moment("付款期限", { sort: true }),
    lateSince: moment("从什么时候晚的", {}),
    ...transferFields,
  },
  states: {
    awaited: { word: "待付", mark: "minor" },
    recorded: { word: "待复核", mark: "notice" },
    done: { word: "已完成", mark: "ok" },
    void: { word: "已作废", mark: "off" },
  },
  events: {
    record: {
      word: "登记到账",
      primary: true,
      asks: transferAsks(mostFen),
    },
    confirm: { word: "复核通过", primary: true },
    send_back: { word: "退回", asks: { reason: text("退回原因", { required: true, max: 200, lines: 2 }) } },
  },
  urgent: ["recorded", "awaited"],
  lines: {
    begin: "生成款项",
    record: "已登记到账",
    confirm: "已复核",
    cancel: "订单取消，款项作废",
    receive: "在线支付到账",
    set_off: "与通知单相抵",
  },
});
