import { statusField } from "../archives/shared.ts";
import { choice, date, number, reference, resource, text } from "../resource/index.ts";
import { tradeRoles, validFromField } from "./shared.ts";

/** When vehicles are loaded at a field, and how many; a row for every day, for a day of the week, or for one day. */
export const loadingSlots = resource({
  name: "loading_slot",
  table: "loading_slots",
  path: "/api/muyuan-trade/loading-slot",
  scope: "group",
  words: { one: "装车时段", many: "装车时段管理" },
  title: "slotName",
  find: {},
  menu: { parent: "trade", icon: "clock", path: "/trade/loadingSlot", type: "admin", ...tradeRoles },
  order: [
    { field: "fieldId", direction: "asc" },
    { field: "weekday", direction: "asc" },
  ],
  fields: {
    slotName: text("名称", { required: true, min: 2, max: 60, unique: "scope", search: true, column: true }),
    fieldId: reference("场区", { to: "sale_field", required: true, filter: true, column: true }),
    weekday: choice("适用日子", {
      required: true,
      options: [
        ["daily", "每天"],
        ["1", "周一"],
        ["2", "周二"],
        ["3", "周三"],
        ["4", "周四"],
        ["5", "周五"],
        ["6", "周六"],
        ["7", "周日"],
        ["date", "指定日期"],
      ],
      default: "daily",
      filter: true,
      column: true,
      hint: "指定日期优先于星期，星期优先于每天",
    }),
    onDay: date("指定的日期", { filter: true, column: true, sort: true, hint: "适用日子选“指定日期”时填写" }),
    kind: choice("装车安排", {
      required: true,
      options: [
        ["open", "装车"],
        ["closed", "不装车"],
      ],
      default: "open",
      filter: true,
      column: true,
    }),
    times: text("时段", {
      // Four of them.
      max: 47,
      rule: "time-ranges",
      default: "08:00-12:00,13:00-17:00",
      column: true,
      hint: "不装车的日子不用填",
    }),
    mostVehicles: number("每个时段车数", { required: true, min: 1, max: 1000, unit: "辆", default: 1, column: true }),
    headsPerVehicle: number("每车头数", { required: true, min: 1, max: 1000, unit: "头", default: 120, column: true }),
    validFrom: validFromField,
    status: statusField,
    remark: text("备注", { max: 100 }),
  },
  sheets: { key: "slotName", maxRows: 5000 },
});
