import { process, processResource } from "../process/index.ts";
import { choice, number, reference, text } from "../resource/index.ts";
import { buyerReaders, queues, tradeRoles } from "./shared.ts";

/**
 * A credit or debit note of a confirmed settlement, which stays as it is: drafted by one person, in force when a second one confirmed it. It
 * is set off against what is still to be paid of the order, and the rest becomes a payment or a refund.
 */
export const noteProcess = process({
  name: "note",
  parties: ["desk"],
  receivers: ["customer", "desk"],
  start: "drafted",
  states: { drafted: "open", confirmed: "over", void: "over" },
  events: {
    confirm: { by: "desk", from: "drafted", to: "confirmed", tells: { customer: "有一张通知单" } },
    discard: { by: "desk", from: "drafted", to: "void", tells: { desk: "通知单作废了" } },
  },
});

const fen = { min: 1, max: 1_000_000_000_000, decimals: 2, unit: "元" } as const;
const kind = choice("通知单类型", {
  required: true,
  options: [
    ["credit", "贷项（少收）"],
    ["debit", "借项（多收）"],
  ],
  filter: true,
});

export const notes = processResource(noteProcess, {
  table: "notes",
  view: "note_rows",
  path: "/api/muyuan-trade/note",
  scope: "own-or-all-tenants",
  words: { one: "通知单", many: "贷项与借项通知单" },
  title: "number",
  number: "TZ",
  card: ["tenantName", "amountFen", "order", "reasons"],
  views: queues([["待复核", ["drafted"]]], ["confirmed", "void"]),
  menu: { parent: "trade", icon: "sheet", path: "/trade/note", type: "admin", ...tradeRoles },
  customerMenu: { path: "/order/note", type: "order", icon: "sheet", roles: [], viewers: buyerReaders },
  fields: {
    // What a card on a phone has room for stands first.
    reasons: text("原因", { max: 700, search: true, column: true }),
    amountFen: number("金额", { ...fen, column: true, sort: true }),
    kind,
    order: reference("所属订单", { to: "sale_order", filter: true, column: true }),
    settlement: reference("对应结算单", { to: "settlement", filter: true, column: true }),
  },
  states: {
    drafted: { word: "待复核", mark: "notice" },
    confirmed: { word: "已生效", mark: "ok" },
    void: { word: "已作废", mark: "off" },
  },
  begin: {
    word: "开通知单",
    by: "group",
    asks: {
      settlement: reference("对应结算单", { to: "settlement", required: true }),
      kind,
      fen1: number("第 1 行金额", { ...fen, required: true }),
      reason1: text("第 1 行原因", { required: true, max: 200 }),
      fen2: number("第 2 行金额", fen),
      reason2: text("第 2 行原因", { max: 200 }),
      fen3: number("第 3 行金额", fen),
      reason3: text("第 3 行原因", { max: 200 }),
    },
  },
  events: {
    confirm: { word: "复核通过", primary: true },
    discard: { word: "作废", asks: { reason: text("作废原因", { required: true, max: 200, lines: 2 }) } },
  },
  urgent: ["drafted"],
  lines: { begin: "已开通知单", confirm: "已复核" },
});
