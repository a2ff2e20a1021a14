import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "../endpoint.ts";
import { process, processResource } from "../process/index.ts";
import { choice, moment, number, reference, text } from "../resource/index.ts";
import { DateTime, Empty, Id } from "../scalars.ts";
import { queues, tradeRoles } from "./shared.ts";

/**
 * An attempt to pay by the payment provider. Its id is the order number there. What the provider says is signed, and counts once; money
 * that comes when nothing waits for it, or of another amount, is paid back and never lost.
 */
export const payAttemptProcess = process({
  name: "pay_attempt",
  parties: ["provider", "clock"],
  receivers: ["customer", "desk"],
  start: "started",
  states: { started: "open", unknown: "open", succeeded: "over", failed: "over", expired: "over", surplus: "over" },
  events: {
    succeed: { by: "provider", from: ["started", "unknown"], to: "succeeded", tells: { customer: "付款成功" } },
    fail: { by: "provider", from: ["started", "unknown"], to: "failed", tells: { customer: "付款没有成功" } },
    // Paid after all, but nothing waits for it any more, or not for this amount.
    surplus: {
      by: "provider",
      from: ["started", "unknown", "expired", "failed"],
      to: "surplus",
      tells: { customer: "这笔付款用不上，会退给您", desk: "有一笔线上付款要退" },
    },
    // Paid once more.
    again: {
      by: "provider",
      from: ["succeeded", "surplus"],
      to: "same",
      tells: { customer: "同一笔付了两次，多付的会退给您", desk: "有一笔线上付款要退" },
    },
    doubt: { by: "clock", from: "started", to: "unknown" },
    expire: {
      by: "clock",
      from: ["started", "unknown"],
      to: "expired",
      tells: { customer: "没有等到付款，可以再付一次" },
    },
  },
});

const mostFen = 1_000_000_000_000;
const payTargets = ["payment", "deposit"] as const;

export const payAttempts = processResource(payAttemptProcess, {
  table: "pay_attempts",
  view: "pay_attempt_rows",
  wordIndex: true,
  path: "/api/muyuan-trade/pay-attempt",
  scope: "own-or-all-tenants",
  words: { one: "在线支付", many: "在线支付", oneEn: "Online payment" },
  title: "number",
  number: "ZF",
  card: ["tenantName", "amountFen", "payment", "order", "paidAt"],
  views: queues(
    [
      ["未办完", ["surplus", "unknown", "started"]],
      ["已过期", ["expired"]],
    ],
    ["succeeded", "failed"],
  ),
  menu: {
    parent: "trade",
    icon: "card",
    path: "/trade/payAttempt",
    type: "admin",
    within: "/trade/payment",
    ...tradeRoles,
  },
  customerMenu: {
    path: "/order/payAttempt",
    within: "/order/payment",
    type: "order",
    icon: "card",
    roles: ["owner", "farm_manager", "finance"],
  },
  fields: {
    amountFen: number("金额", { min: 1, max: mostFen, decimals: 2, unit: "元", column: true, sort: true }),
    receivedFen: number("付了", { min: 0, max: mostFen, decimals: 2, unit: "元" }),
    payment: reference("付的是", { to: "payment", filter: true, column: true }),
    deposit: reference("竞价保证金", { to: "deposit", filter: true }),
    order: reference("所属订单", { to: "sale_order", filter: true, column: true }),
    paidAt: moment("付款时间", { column: true }),
    reference: text("支付流水号", { max: 40, search: true, column: true }),
    channel: choice("渠道", {
      options: [
        ["gateway", "支付网关"],
        ["sandbox", "沙箱"],
      ],
    }),
    expiresAt: moment("付款期限", {}),
  },
  states: {
    started: { word: "等付款", mark: "notice" },
    unknown: { word: "结果未知", mark: "minor" },
    succeeded: { word: "付款成功", mark: "ok" },
    failed: { word: "没有付成", mark: "off" },
    expired: { word: "已过期", mark: "off" },
    surplus: { word: "要退款", mark: "major" },
  },
  events: {},
  urgent: ["surplus", "unknown", "started"],
  lines: {
    begin: "开始在线支付",
    succeed: "付款成功",
    fail: "没有付成",
    surplus: "付了但用不上，生成退款",
    again: "又付了一次，生成退款",
    doubt: "支付网关没有答复",
    expire: "过期没有付款",
  },
});

const Target = {
  target: Type.Enum(payTargets, { description: "process of the row that is paid" }),
  id: Id,
};

/** The newest attempt of a row. */
const Attempt = Type.Object({
  id: Id,
  number: Type.String(),
  state: Type.String({ description: "of the process pay_attempt" }),
  amountFen: Type.Integer({ description: "fen" }),
  expiresAt: DateTime,
});

export const payAttemptNewest = {
  method: "GET",
  path: `${payAttempts.path}/newest`,
  summary: "Whether a payment or deposit can be paid online, and its newest attempt.",
  access: permission("pay_attempt_view"),
  owner: "tenants",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object(Target),
  body: Empty,
  reply: Type.Object({
    offered: Type.Boolean({ description: "false where the installation has no payment provider" }),
    attempt: Type.Optional(Attempt),
  }),
} satisfies Endpoint;
export type PayAttemptNewest = Static<typeof payAttemptNewest.reply>;

export const payAttemptStart = {
  method: "POST",
  path: `${payAttempts.path}/start`,
  summary:
    "Begins to pay an awaited payment or deposit of the own tenant at the payment provider, or goes on with the attempt that is under way: one at a time.",
  access: permission("pay_attempt_edit"),
  owner: "tenants",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object(Target),
  reply: Type.Object({
    id: Id,
    payUrl: Type.String({ description: 'where the customer pays; "" where the provider does not answer now' }),
  }),
} satisfies Endpoint;
