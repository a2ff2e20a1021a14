import { process, processResource } from "../process/index.ts";
import { choice, date, number, reference, text } from "../resource/index.ts";
import { tradeRoles } from "./shared.ts";

/**
 * A customer's application for the VAT invoice of a settled order. Its amount is the settlement's total. What was issued is taken
 * back only by a red letter invoice, which a second person records.
 */
export const invoiceProcess = process({
  name: "invoice",
  parties: ["customer", "desk"],
  receivers: ["customer", "desk"],
  start: "applied",
  states: { applied: "open", issued: "over", returned: "over", withdrawn: "over", reversed: "over" },
  events: {
    issue: { by: "desk", from: "applied", to: "issued", tells: { customer: "发票开好了" } },
    give_back: { by: "desk", from: "applied", to: "returned", tells: { customer: "开票申请退回了" } },
    withdraw: { by: "customer", from: "applied", to: "withdrawn" },
    reverse: { by: "desk", from: "issued", to: "reversed", tells: { customer: "发票红冲了", desk: "一张发票红冲了" } },
  },
});

/** Kinds of VAT invoices. */
const invoiceKinds = [
  ["ordinary", "普通发票"],
  ["special", "专用发票"],
] as const;

const kind = choice("发票类型", { required: true, options: invoiceKinds, filter: true });
const heading = {
  title: text("发票抬头", { required: true, max: 100, search: true }),
  taxNumber: text("税号", { max: 18, hint: "统一社会信用代码，个人的普通发票可以不填" }),
  address: text("地址电话", { max: 200, hint: "专用发票必填" }),
  bank: text("开户银行", { max: 100, hint: "专用发票必填" }),
  bankAccount: text("银行账号", { max: 30, hint: "专用发票必填", stored: "encrypted", personal: "granted" }),
} as const;

export const invoices = processResource(invoiceProcess, {
  table: "invoices",
  view: "invoice_rows",
  wordIndex: true,
  path: "/api/muyuan-trade/invoice",
  scope: "own-or-all-tenants",
  words: { one: "发票", many: "发票", oneEn: "Invoice" },
  title: "number",
  number: "FP",
  card: ["tenantName", "amountFen", "order", "invoiceNumber", "issuedOn"],
  menu: { parent: "trade", icon: "sheet", path: "/trade/invoice", type: "admin", ...tradeRoles },
  customerMenu: {
    path: "/order/invoice",
    type: "order",
    icon: "sheet",
    roles: ["owner", "finance"],
    viewers: ["farm_manager"],
  },
  views: [
    { id: "open", name: "等开票", where: { state: "applied" } },
    { id: "returned", name: "退回的", where: { state: "returned" } },
    { id: "over", name: "办完的", where: { state: "issued,withdrawn,reversed" } },
  ],
  fields: {
    order: reference("所属订单", { to: "sale_order", filter: true, column: true }),
    settlement: reference("对应结算单", { to: "settlement" }),
    kind,
    amountFen: number("金额", { min: 1, max: 1_000_000_000_000, decimals: 2, unit: "元", column: true, sort: true }),
    ...heading,
    title: { ...heading.title, column: true },
    invoiceNumber: text("发票号码", { max: 20, search: true, column: true }),
    issuedOn: date("开票日期", { filter: true, column: true }),
    redNumber: text("红字发票号码", { max: 20, search: true }),
    returnReason: text("退回原因", { max: 200 }),
  },
  states: {
    applied: { word: "待开票", mark: "notice" },
    issued: { word: "已开票", mark: "ok" },
    returned: { word: "已退回", mark: "major" },
    withdrawn: { word: "已撤回", mark: "off" },
    reversed: { word: "已红冲", mark: "off" },
  },
  begin: {
    word: "申请开票",
    by: "customers",
    asks: { order: reference("生猪订单", { to: "sale_order", required: true }), kind, ...heading },
  },
  events: {
    issue: {
      word: "登记开票",
      primary: true,
      asks: {
        invoiceNumber: text("发票号码", { required: true, min: 8, max: 20 }),
        issuedOn: date("开票日期", { required: true }),
      },
    },
    give_back: { word: "退回", asks: { reason: text("退回原因", { required: true, max: 200, lines: 2 }) } },
    withdraw: { word: "撤回申请" },
    reverse: {
      word: "红冲",
      asks: {
        redNumber: text("红字发票号码", { required: true, min: 8, max: 20 }),
        reason: text("红冲原因", { required: true, max: 200, lines: 2 }),
      },
    },
  },
  urgent: { field: "state", values: ["applied", "returned"], forCustomers: ["returned", "applied"] },
  lines: { begin: "已申请开票", issue: "已登记开票" },
});
