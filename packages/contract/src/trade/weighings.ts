import { process, processResource } from "../process/index.ts";
import { choice, number, reference, text } from "../resource/index.ts";
import { buyerReaders, queues, tradeRoles } from "./shared.ts";

/**
 * A vehicle's weighing. One by hand counts once a second person confirmed it, one from two tickets of a weighbridge at once. A weighing is never
 * changed, only replaced.
 */
export const weighingProcess = process({
  name: "weighing",
  parties: ["desk", "scale"],
  receivers: ["desk"],
  start: "entered",
  states: { entered: "open", confirmed: "over", void: "over" },
  events: {
    confirm: { by: ["desk", "scale"], from: "entered", to: "confirmed" },
    discard: { by: "desk", from: ["entered", "confirmed"], to: "void", tells: { desk: "过磅作废了" } },
  },
});

/** Bounds of a vehicle's weight: road trains with their load stay below 100 t. */
const grams = { min: 1000, max: 100_000_000, decimals: 3, unit: "kg" } as const;
const plate = text("车牌", { required: true, max: 12, search: true, column: true });
const heads = number("头数", { required: true, min: 1, max: 1000, unit: "头", column: true });
const gross = number("毛重", { required: true, ...grams, column: true });
const tare = number("皮重", { required: true, ...grams, column: true });

export const weighings = processResource(weighingProcess, {
  table: "weighings",
  view: "weighing_rows",
  wordIndex: true,
  path: "/api/muyuan-trade/weighing",
  scope: "own-or-all-tenants",
  words: { one: "过磅单", many: "过磅单", oneEn: "Weighing" },
  title: "number",
  number: "GB",
  card: ["tenantName", "order", "plate", "netGrams", "meanGrams", "band"],
  views: queues([["待复核", ["entered"]]], ["confirmed", "void"]),
  menu: { parent: "trade", icon: "scale", path: "/trade/weighing", type: "admin", ...tradeRoles },
  customerMenu: { path: "/order/weighing", type: "order", icon: "scale", roles: [], viewers: buyerReaders },
  fields: {
    order: reference("所属订单", { to: "sale_order", filter: true, column: true }),
    plate,
    heads,
    grossGrams: { ...gross, column: false },
    tareGrams: { ...tare, column: false },
    netGrams: number("净重", { ...grams, column: true, sort: true }),
    meanGrams: number("每头均重", { min: 0, max: 100_000_000, decimals: 3, unit: "kg", column: true }),
    band: text("体重段", { max: 40, column: true }),
    source: choice("过磅方式", {
      options: [
        ["hand", "手工"],
        ["scale", "地磅"],
      ],
      filter: true,
      column: true,
    }),
  },
  states: {
    entered: { word: "待复核", mark: "notice" },
    confirmed: { word: "已复核", mark: "ok" },
    void: { word: "已作废", mark: "off" },
  },
  begin: {
    word: "登记过磅",
    by: "group",
    asks: {
      order: reference("生猪订单", { to: "sale_order", required: true }),
      plate,
      heads,
      grossGrams: gross,
      tareGrams: tare,
    },
  },
  events: {
    confirm: { word: "复核通过", primary: true },
    discard: { word: "作废重称", asks: { reason: text("作废原因", { required: true, max: 200, lines: 2 }) } },
  },
  urgent: ["entered"],
  lines: { begin: "已登记过磅", confirm: "已复核" },
  parties: { scale: "地磅" },
});
