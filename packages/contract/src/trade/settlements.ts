import { process, processResource } from "../process/index.ts";
import { choice, moment, number, reference, text } from "../resource/index.ts";
import { buyerReaders, pricePerKgField, queues, tradeRoles } from "./shared.ts";

/**
 * The settlement of an order: computed from its confirmed weighings, in force once a second person confirmed it, and never
 * changed afterwards.
 */
export const settlementProcess = process({
  name: "settlement",
  parties: ["desk"],
  receivers: ["customer", "desk"],
  start: "computed",
  states: { computed: "open", confirmed: "over", void: "over" },
  events: {
    confirm: { by: "desk", from: "computed", to: "confirmed", tells: { customer: "结算单出来了" } },
    discard: { by: "desk", from: "computed", to: "void", tells: { desk: "结算单作废了" } },
  },
});

const fen = { min: -1_000_000_000_000, max: 1_000_000_000_000, decimals: 2, unit: "元" } as const;

export const settlements = processResource(settlementProcess, {
  table: "settlements",
  view: "settlement_rows",
  wordIndex: true,
  path: "/api/muyuan-trade/settlement",
  scope: "own-or-all-tenants",
  words: { one: "结算单", many: "结算单", oneEn: "Settlement" },
  title: "number",
  number: "JS",
  card: ["tenantName", "order", "totalFen", "openFen", "heads", "netGrams"],
  views: queues([["待复核", ["computed"]]], ["confirmed", "void"]),
  menu: { parent: "trade", icon: "sheet", path: "/trade/settlement", type: "admin", ...tradeRoles },
  customerMenu: { path: "/order/settlement", type: "order", icon: "sheet", roles: [], viewers: buyerReaders },
  fields: {
    order: reference("所属订单", { to: "sale_order", filter: true, column: true }),
    totalFen: number("合计", { ...fen, column: true, sort: true }),
    // What is open now, after later payments and notes.
    openFen: number("还没结清", { ...fen, column: true }),
    heads: number("头数", { min: 1, max: 100_000, unit: "头", column: true }),
    netGrams: number("净重", { min: 1, max: 1_000_000_000_000, decimals: 3, unit: "kg", column: true }),
    pricePerKg: pricePerKgField("均价"),
    goodsFen: number("货款", fen),
    taxFen: number("税额", fen),
    paidFen: number("结算前已付", fen),
    leftFen: number("结算时差额", fen),
    notesFen: number("通知单增减", fen),
    lateSince: moment("从什么时候晚的", {}),
    need: choice("要不要处理", {
      options: [
        ["review", "待复核"],
        ["rest", "没付清"],
      ],
    }),
  },
  states: {
    computed: { word: "待复核", mark: "notice" },
    confirmed: { word: "已结算", mark: "ok" },
    void: { word: "已作废", mark: "off" },
  },
  begin: {
    word: "结算订单",
    by: "group",
    asks: {
      order: reference("生猪订单", { to: "sale_order", required: true }),
      deductionFen: number("扣款", { min: 0, max: 1_000_000_000, decimals: 2, unit: "元", default: 0 }),
      deductionReason: text("扣款原因", { max: 200 }),
    },
  },
  events: {
    confirm: { word: "复核通过", primary: true },
    discard: { word: "作废重算", asks: { reason: text("作废原因", { required: true, max: 200, lines: 2 }) } },
  },
  urgent: { field: "need", values: ["review", "rest"] },
  lines: { begin: "算出结算", confirm: "已复核" },
});
