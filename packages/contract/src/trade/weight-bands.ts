import { statusField } from "../archives/shared.ts";
import { number, reference, resource, text } from "../resource/index.ts";
import { categoryField, tradeRoles, validFromField } from "./shared.ts";

/** What is added to the price per kg for the mean weight of a vehicle's heads; the bands of one date are one version. */
export const weightBands = resource({
  name: "weight_band",
  table: "weight_bands",
  path: "/api/muyuan-trade/weight-band",
  scope: "group",
  words: { one: "体重段", many: "体重段管理" },
  title: "bandName",
  find: {},
  menu: { parent: "trade", icon: "sliders", path: "/trade/weightBand", type: "admin", ...tradeRoles },
  order: [
    { field: "validFrom", direction: "desc" },
    { field: "category", direction: "asc" },
    { field: "fromGrams", direction: "asc" },
  ],
  fields: {
    bandName: text("名称", { required: true, min: 2, max: 60, unique: "scope", search: true, column: true }),
    saleRegion: reference("销售大区", { to: "sale_region", filter: true, column: true, hint: "不选则适用于所有大区" }),
    category: categoryField,
    fromGrams: number("体重从（含）", {
      required: true,
      min: 0,
      max: 999_999,
      decimals: 3,
      unit: "kg",
      column: true,
      sort: true,
    }),
    toGrams: number("体重到（不含）", {
      required: true,
      min: 1,
      max: 1_000_000,
      decimals: 3,
      unit: "kg",
      column: true,
    }),
    adjustmentFen: number("价格调整", {
      required: true,
      min: -2000,
      max: 2000,
      decimals: 2,
      unit: "元/kg",
      default: 0,
      column: true,
    }),
    validFrom: validFromField,
    status: statusField,
    remark: text("备注", { max: 100 }),
  },
  sheets: { key: "bandName", maxRows: 5000 },
});
