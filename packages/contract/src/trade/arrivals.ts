import { process, processResource } from "../process/index.ts";
import { choice, number, reference, text } from "../resource/index.ts";
import { buyerRoles, queues, tradeRoles } from "./shared.ts";

/**
 * The weight of a vehicle at its arrival, reported by the customer with a photo of the ticket, or by the customer's weighbridge. Further from the
 * loading weight than `isWeightDispute` allows, it stops the settlement until staff decide which of the two counts.
 */
export const arrivalProcess = process({
  name: "arrival_weighing",
  parties: ["customer", "desk"],
  receivers: ["customer", "desk"],
  start: ["agreed", "disputed"],
  states: { agreed: "over", disputed: "open", kept: "over", taken: "over", withdrawn: "over" },
  events: {
    keep: { by: "desk", from: "disputed", to: "kept", tells: { customer: "到货重量争议：按装车重量结算" } },
    take: { by: "desk", from: "disputed", to: "taken", tells: { customer: "到货重量争议：按到货重量结算" } },
    withdraw: { by: "customer", from: "disputed", to: "withdrawn", tells: { desk: "到货重量撤回了" } },
  },
});

/** Bounds of a vehicle's weight, as at loading. */
const grams = { min: 1000, max: 100_000_000, decimals: 3, unit: "kg" } as const;
const transit = reference("转运单", { to: "transit", required: true, filter: true });
const gross = number("到货毛重", { required: true, ...grams });
const tare = number("到货皮重", { required: true, ...grams });

/** Name of a shared picture as the upload answered it. */
export const arrivalPhotoName = /^upload\/[0-9]{8}\/[0-9a-f-]{36}\.(jpg|png)$/;

export const arrivalWeighings = processResource(arrivalProcess, {
  table: "arrival_weighings",
  view: "arrival_weighing_rows",
  wordIndex: true,
  path: "/api/muyuan-trade/arrival-weighing",
  scope: "own-or-all-tenants",
  words: { one: "到货过磅", many: "到货过磅", oneEn: "Weighing on arrival" },
  title: "number",
  number: "DH",
  card: ["tenantName", "order", "plate", "loadingGrams", "netGrams", "differenceShare"],
  views: queues([["有争议", ["disputed"]]], ["agreed", "kept", "taken", "withdrawn"]),
  menu: { parent: "trade", icon: "scale", path: "/trade/arrivalWeighing", type: "admin", ...tradeRoles },
  customerMenu: { path: "/order/arrivalWeighing", type: "order", icon: "scale", ...buyerRoles },
  fields: {
    order: reference("所属订单", { to: "sale_order", filter: true, column: true }),
    transit,
    plate: text("车牌", { max: 12, search: true, column: true }),
    loadingGrams: number("装车净重", { ...grams, column: true }),
    netGrams: number("到货净重", { ...grams, column: true, sort: true }),
    differenceShare: number("相差", { min: -100_000, max: 100_000_000, decimals: 3, unit: "%", column: true }),
    grossGrams: gross,
    tareGrams: tare,
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
    agreed: { word: "没有异议", mark: "ok" },
    disputed: { word: "有争议", mark: "critical" },
    kept: { word: "按装车重量", mark: "ok" },
    taken: { word: "按到货重量", mark: "ok" },
    withdrawn: { word: "已撤回", mark: "off" },
  },
  begin: {
    word: "登记到货重量",
    asks: {
      transit,
      grossGrams: gross,
      tareGrams: tare,
      photo: text("磅单照片", { required: true, max: 80 }),
    },
  },
  events: {
    keep: { word: "按装车重量", asks: { reason: text("为什么", { required: true, max: 200, lines: 2 }) } },
    take: { word: "按到货重量", asks: { reason: text("为什么", { required: true, max: 200, lines: 2 }) } },
    withdraw: { word: "撤回", asks: { reason: text("撤回原因", { required: true, max: 200, lines: 2 }) } },
  },
  urgent: ["disputed"],
  lines: { begin: "已登记到货重量" },
});
