import { process, processResource } from "../process/index.ts";
import { choice, date, moment, number, reference, resource, text } from "../resource/index.ts";
import { buyerReaders, categoryField, headsField, pricePerKgField, tradeRoles } from "./shared.ts";

/**
 * Heads of a plan that are sold to the highest bidder (decisions.md 15). Its moments decide by the database's clock whether bids are taken;
 * the steps of the clock follow them. Whoever wins gets an order, and the next bidder where it is not paid.
 */
export const lotProcess = process({
  name: "lot",
  parties: ["desk", "clock", "order"],
  receivers: ["winner", "bidders", "depositors", "next", "desk"],
  start: "announced",
  states: {
    announced: "open",
    open: "open",
    frozen: "open",
    awarded: "over",
    failed: "over",
    withdrawn: "over",
  },
  events: {
    open: { by: "clock", from: "announced", to: "open" },
    freeze: { by: "clock", from: "open", to: "frozen" },
    award: {
      by: "clock",
      from: "frozen",
      to: "awarded",
      tells: { winner: "竞价成交，请按时付款", bidders: "竞价结束了，没有中标", desk: "竞价成交了" },
    },
    fail: { by: "clock", from: "frozen", to: "failed", tells: { desk: "竞价没有成交" } },
    withdraw: {
      by: "desk",
      from: ["announced", "open"],
      to: "withdrawn",
      tells: { depositors: "竞价撤回了，保证金会退" },
    },
    // The winner did not pay.
    pass_on: {
      by: "order",
      from: "awarded",
      to: "same",
      tells: { next: "中标人没有付款，按您的出价轮到您", desk: "中标人没有付款，轮到下一名" },
    },
    fall_through: { by: "order", from: "awarded", to: "failed", tells: { desk: "中标人没有付款，竞价没有成交" } },
  },
  deadlines: {
    open: { in: "announced", at: "opens_at" },
    freeze: { in: "open", at: "ends_at" },
    award: { in: "frozen", at: "ends_at" },
    fail: { in: "frozen", at: "ends_at" },
  },
});

const stepField = number("加价幅度", { min: 1, max: 1000, decimals: 2, unit: "元/kg" });
const depositField = number("保证金", { min: 1, max: 1_000_000, decimals: 2, unit: "元/头" });
const opensAtField = moment("开始时间", { sort: true });
const endsAtField = moment("竞价时间", { column: true, sort: true });
const extensionsField = number("延时次数", { min: 0, max: 20, unit: "次" });
const reserveField = { ...pricePerKgField("起拍价"), required: true } as const;
const planFields = {
  field: reference("场区", { to: "sale_field", filter: true, column: true }),
  day: date("装车日", { filter: true, column: true, sort: true }),
  category: categoryField,
} as const;
const stateFaces = {
  announced: { word: "未开始", mark: "notice" },
  open: { word: "竞价中", mark: "ok" },
  frozen: { word: "已截止", mark: "minor" },
  awarded: { word: "已成交", mark: "ok" },
  failed: { word: "未成交", mark: "off" },
  withdrawn: { word: "已撤回", mark: "off" },
} as const;

export const lots = processResource(lotProcess, {
  table: "lots",
  view: "lot_rows",
  path: "/api/muyuan-trade/lot",
  scope: "group",
  words: { one: "竞价场次", many: "竞价场次", oneEn: "Lot" },
  title: "number",
  number: "JP",
  card: ["field", "day", "heads", "bestPerKg", "endsAt", "bidders"],
  order: [{ field: "endsAt", direction: "desc" }],
  menu: { parent: "trade", icon: "clock", path: "/trade/lot", type: "admin", ...tradeRoles },
  fields: {
    plan: reference("销售计划", { to: "sale_plan", filter: true }),
    // What a card on a phone has room for stands first.
    field: planFields.field,
    heads: headsField,
    endsAt: endsAtField,
    bestPerKg: pricePerKgField("最高出价"),
    bidders: number("出价客户", { min: 0, max: 10_000, column: true }),
    day: planFields.day,
    reservePerKg: reserveField,
    bids: number("出价次数", { min: 0, max: 1_000_000, column: true }),
    category: { ...categoryField, column: false },
    stepFen: stepField,
    depositFen: depositField,
    bidOn: date("竞价日", { filter: true }),
    bidTimes: text("原定时间", { max: 11 }),
    opensAt: opensAtField,
    extensions: extensionsField,
  },
  states: stateFaces,
  begin: {
    word: "发起竞价",
    by: "group",
    asks: {
      plan: reference("销售计划", { to: "sale_plan", required: true }),
      heads: headsField,
      reservePerKg: reserveField,
      bidOn: date("竞价日", { required: true }),
      bidTimes: text("竞价时间", {
        required: true,
        max: 11,
        rule: "time-ranges",
        hint: "一段，如 09:00-10:00；结束前有人出价会顺延",
      }),
    },
  },
  events: {
    withdraw: {
      word: "撤回",
      asks: { reason: text("撤回原因，交了保证金的客户会看到", { required: true, max: 200, lines: 2 }) },
    },
  },
  urgent: ["open", "frozen", "announced"],
  lines: {
    begin: "已发起",
    open: "开始竞价",
    freeze: "截止出价",
    award: "成交，生成订单",
    fail: "没有人出价，头数退回计划",
    pass_on: "中标人没有付款，给下一名生成订单",
    fall_through: "没有人付款，头数退回计划",
  },
});

/** Lots as customers see them, with the state that their moments give them. */
export const lotOffers = resource({
  name: "lot_offer",
  table: "lot_offers",
  path: "/api/muyuan-trade/lot/offer",
  scope: "offered",
  words: { one: "竞价场次", many: "竞价场次", oneEn: "Lot" },
  title: "number",
  find: { numbers: true },
  card: ["field", "heads", "bestPerKg", "endsAt"],
  menu: { parent: "order_trade", icon: "clock", path: "/order/lot", type: "order", roles: buyerReaders },
  replaced: ["submit", "remove", "obstacles", "changeMany"],
  views: [
    { id: "open", name: "未结束", where: { state: "announced,open,frozen" } },
    { id: "over", name: "已结束", where: { state: "awarded,failed,withdrawn" } },
  ],
  order: [{ field: "endsAt", direction: "desc" }],
  urgent: { field: "state", values: ["open", "frozen", "announced"] },
  fields: {
    number: text("编号", { max: 30, column: true, search: true }),
    // What a card on a phone has room for stands first.
    state: choice("状态", {
      options: Object.entries(stateFaces).map(([state, { word }]) => [state, word] as const),
      column: true,
      filter: true,
    }),
    field: planFields.field,
    heads: headsField,
    bestPerKg: pricePerKgField("最高出价"),
    endsAt: endsAtField,
    // Beside the state and the farm.
    depositFen: depositField,
    day: { ...planFields.day, column: false },
    category: { ...categoryField, column: false },
    fromKg: number("均重从", { min: 1, max: 500, unit: "kg" }),
    toKg: number("均重到", { min: 1, max: 500, unit: "kg" }),
    reservePerKg: reserveField,
    stepFen: stepField,
    opensAt: opensAtField,
    extensions: extensionsField,
  },
});
