import { process, processResource } from "../process/index.ts";
import { date, number, reference, resource, text } from "../resource/index.ts";
import { buyerReaders, categoryField, headsField, modeField, pricePerKgField, tradeRoles } from "./shared.ts";

/** A plan to sell heads of a field on a day: draft, approved by a second person, published to customers, closed. */
export const planProcess = process({
  name: "sale_plan",
  parties: ["desk", "clock"],
  receivers: ["author"],
  start: "draft",
  states: { draft: "open", approved: "open", published: "open", closed: "over", dropped: "over" },
  events: {
    revise: { by: "desk", from: "draft", to: "same" },
    approve: { by: "desk", from: "draft", to: "approved", tells: { author: "销售计划批准了" } },
    send_back: { by: "desk", from: "approved", to: "draft", tells: { author: "销售计划退回了" } },
    publish: { by: "desk", from: "approved", to: "published" },
    close: { by: "desk", from: "published", to: "closed", tells: { author: "销售计划提前关闭了" } },
    drop: { by: "desk", from: ["draft", "approved"], to: "dropped" },
    lapse: {
      by: "clock",
      moves: [
        { from: "published", to: "closed" },
        { from: ["draft", "approved"], to: "dropped" },
      ],
    },
  },
  deadlines: { lapse: { in: ["draft", "approved", "published"], at: "ends_at" } },
});

const kgRange = { min: 1, max: 500, unit: "kg" } as const;
const lotFields = {
  field: reference("场区", { to: "sale_field", required: true, filter: true, column: true }),
  day: date("装车日", { required: true, filter: true, column: true, sort: true }),
  category: categoryField,
  fromKg: number("均重从", { required: true, ...kgRange, column: true }),
  toKg: number("均重到", { required: true, ...kgRange, column: true }),
} as const;
const planFields = {
  ...lotFields,
  unit: reference("单元", { to: "unit", filter: true, hint: "场区在平台有存栏时必填，按它查存栏和休药期" }),
  heads: headsField,
  mode: modeField,
  pricePerKg: { ...pricePerKgField("价格"), hint: "定价填每公斤多少元，发布前必须有；合同价按客户的合同，不填" },
  note: text("备注", { max: 200, lines: 2 }),
} as const;

export const plans = processResource(planProcess, {
  table: "sale_plans",
  path: "/api/muyuan-trade/plan",
  scope: "group",
  words: { one: "销售计划", many: "销售计划", oneEn: "Sale plan" },
  title: "number",
  number: "JH",
  menu: { parent: "trade", icon: "calendar", path: "/trade/plan", type: "admin", ...tradeRoles },
  fields: { ...planFields, taken: number("已售", { min: 0, max: 100_000, unit: "头", column: true }) },
  states: {
    draft: { word: "草稿", mark: "off" },
    approved: { word: "已批准", mark: "notice" },
    published: { word: "已发布", mark: "ok" },
    closed: { word: "已关闭", mark: "off" },
    dropped: { word: "已作废", mark: "off" },
  },
  begin: { word: "新建计划", asks: planFields },
  events: {
    approve: { word: "批准", primary: true },
    publish: { word: "发布", primary: true },
    revise: { word: "修改", asks: planFields },
    send_back: { word: "退回", asks: { reason: text("退回原因", { required: true, max: 200, lines: 2 }) } },
    close: {
      word: "提前关闭",
      asks: { reason: text("关闭原因，已申报的客户会看到", { required: true, max: 200, lines: 2 }) },
    },
    drop: { word: "作废" },
  },
  lines: { begin: "已建立", approve: "已批准", publish: "已发布", lapse: "装车日已过" },
});

/** Published plans with heads left, as customers see them. */
export const offers = resource({
  name: "offer",
  table: "sale_offers",
  path: "/api/muyuan-trade/plan/offer",
  scope: "offered",
  words: { one: "可订计划", many: "可订计划", oneEn: "Open plan" },
  title: "number",
  find: { numbers: true },
  card: ["field", "day", "headsLeft", "pricePerKg", "weights", "marketPerKg"],
  menu: {
    parent: "order_trade",
    icon: "calendar",
    path: "/order/offer",
    type: "order",
    roles: buyerReaders,
  },
  replaced: ["submit", "remove", "obstacles", "changeMany"],
  order: [{ field: "day", direction: "asc" }],
  fields: {
    number: text("编号", { max: 30, column: true, search: true }),
    // What a card on a phone has room for stands first.
    headsLeft: number("还剩", { min: 0, max: 100_000, unit: "头", column: true, sort: true }),
    field: lotFields.field,
    day: lotFields.day,
    pricePerKg: pricePerKgField("价格"),
    marketPerKg: pricePerKgField("今天的行情价"),
    weights: text("均重范围", { max: 20, column: true }),
    category: lotFields.category,
    fromKg: { ...lotFields.fromKg, column: false },
    toKg: { ...lotFields.toKg, column: false },
    // The price of a plan says it.
    mode: { ...modeField, column: false },
  },
});
