import { process, processResource } from "../process/index.ts";
import { moment, number, reference, text } from "../resource/index.ts";
import { agreedPriceRange, buyerRoles, queues, tradeRoles } from "./shared.ts";
import { transferAsks, transferFields } from "./transfers.ts";

/**
 * A customer's deposit for a lot: one person finds it on the bank's statement and a second one confirms it; then the customer may bid. After
 * the close it is given back, or credited to the winner's order, or forfeited by two people where the winner does not pay.
 */
export const depositProcess = process({
  name: "deposit",
  parties: ["customer", "desk", "clock", "order", "provider"],
  receivers: ["customer", "desk"],
  start: "awaited",
  states: {
    awaited: "open",
    recorded: "open",
    held: "open",
    returning: "open",
    forfeiting: "open",
    released: "over",
    credited: "over",
    forfeited: "over",
    void: "over",
  },
  events: {
    record: { by: "desk", from: "awaited", to: "recorded", tells: { desk: "有一笔保证金要复核" } },
    confirm: { by: "desk", from: "recorded", to: "held", tells: { customer: "保证金到账，可以出价了" } },
    send_back: { by: "desk", from: "recorded", to: "awaited", tells: { desk: "保证金登记退回了" } },
    cancel: { by: ["customer", "clock"], from: "awaited", to: "void" },
    // The provider's signed word needs no second person.
    receive: { by: "provider", from: "awaited", to: "held", tells: { customer: "保证金到账，可以出价了" } },
    // What was paid although nothing waited for it.
    turn_back: {
      by: "provider",
      from: "awaited",
      to: "returning",
      tells: { customer: "保证金在退还", desk: "有一笔保证金要退还" },
    },
    give_back: {
      by: ["desk", "clock"],
      from: "held",
      to: "returning",
      tells: { customer: "保证金在退还", desk: "有一笔保证金要退还" },
    },
    release: { by: "desk", from: "returning", to: "released", tells: { customer: "保证金退还了" } },
    credit: { by: "order", from: "held", to: "credited", tells: { customer: "保证金抵了货款" } },
    propose_forfeit: { by: "desk", from: "held", to: "forfeiting", tells: { desk: "有一笔保证金要决定是否没收" } },
    keep: { by: "desk", from: "forfeiting", to: "held", tells: { desk: "保证金不没收" } },
    forfeit: { by: "desk", from: "forfeiting", to: "forfeited", tells: { customer: "没有按时付款，保证金没收了" } },
  },
  deadlines: {
    cancel: { in: "awaited", at: "return_at" },
    give_back: { in: "held", at: "return_at" },
  },
});

const amount = { min: 1, max: 100_000_000_000, decimals: 2, unit: "元" } as const;
const why = (label: string) => ({ reason: text(label, { required: true, max: 200, lines: 2 }) });

export const deposits = processResource(depositProcess, {
  table: "deposits",
  view: "deposit_rows",
  wordIndex: true,
  path: "/api/muyuan-trade/deposit",
  scope: "own-or-all-tenants",
  words: { one: "竞价保证金", many: "竞价保证金", oneEn: "Bid deposit" },
  title: "number",
  number: "BZ",
  card: ["tenantName", "lot", "amountFen", "bidPerKg", "place"],
  // A deposit of a running lot waits for nobody.
  views: queues(
    [
      ["未办完", ["awaited", "recorded", "returning", "forfeiting"]],
      ["押着的", ["held"]],
    ],
    ["released", "credited", "forfeited", "void"],
  ),
  menu: { parent: "trade", icon: "card", path: "/trade/deposit", type: "admin", ...tradeRoles },
  customerMenu: { path: "/order/deposit", type: "order", icon: "card", ...buyerRoles },
  fields: {
    amountFen: number("金额", { ...amount, column: true, sort: true }),
    lot: reference("所属场次", { to: "lot", filter: true, column: true }),
    bidPerKg: number("出价", { ...agreedPriceRange, decimals: 2, unit: "元/kg", column: true }),
    place: number("名次", { min: 1, max: 10_000, column: true }),
    returnBy: moment("最晚退还", {}),
    ...transferFields,
    order: reference("抵扣的订单", { to: "sale_order" }),
    refundReference: text("退款流水号", { max: 40, search: true }),
  },
  states: {
    awaited: { word: "待缴", mark: "minor" },
    recorded: { word: "待复核", mark: "notice" },
    held: { word: "已缴", mark: "ok" },
    returning: { word: "待退还", mark: "minor" },
    forfeiting: { word: "待定是否没收", mark: "major" },
    released: { word: "已退还", mark: "ok" },
    credited: { word: "已抵货款", mark: "ok" },
    forfeited: { word: "已没收", mark: "off" },
    void: { word: "已作废", mark: "off" },
  },
  begin: {
    word: "缴保证金",
    by: "customers",
    asks: { lot: reference("竞价场次", { to: "lot_offer", required: true }) },
  },
  events: {
    record: {
      word: "登记到账",
      primary: true,
      asks: transferAsks(amount.max),
    },
    confirm: { word: "复核通过", primary: true },
    release: {
      word: "登记退款",
      primary: true,
      asks: { refundReference: text("退款流水号", { required: true, max: 40 }) },
    },
    send_back: { word: "退回", asks: why("退回原因") },
    give_back: { word: "退还" },
    propose_forfeit: { word: "提议没收", asks: why("为什么没收，客户会看到") },
    forfeit: { word: "同意没收" },
    keep: { word: "不没收", asks: why("为什么不没收") },
    cancel: { word: "不缴了" },
  },
  urgent: ["returning", "forfeiting", "recorded", "awaited", "held"],
  lines: { begin: "申请缴保证金", credit: "抵了货款", receive: "在线支付到账", turn_back: "多付的，要退" },
});
