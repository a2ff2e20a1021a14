import { statusField } from "../archives/shared.ts";
import { choices, number, reference, resource, text } from "../resource/index.ts";
import { categoryField, headsRange, modeField, tradeRoles, validFromField } from "./shared.ts";

/** How a category is sold in a region: who may take part, for how many heads, with which deposit and steps of a bid. */
export const salesModels = resource({
  name: "sales_model",
  table: "sales_models",
  path: "/api/muyuan-trade/sales-model",
  scope: "group",
  words: { one: "销售模式", many: "销售模式管理" },
  title: "modelName",
  find: {},
  menu: { parent: "trade", icon: "swap", path: "/trade/salesModel", type: "admin", ...tradeRoles },
  order: [
    { field: "validFrom", direction: "desc" },
    { field: "category", direction: "asc" },
    { field: "mode", direction: "asc" },
  ],
  fields: {
    modelName: text("名称", { required: true, min: 2, max: 60, unique: "scope", search: true, column: true }),
    saleRegion: reference("销售大区", { to: "sale_region", filter: true, column: true, hint: "不选则适用于所有大区" }),
    category: categoryField,
    mode: modeField,
    participants: choices("谁能参与", {
      required: true,
      options: [
        ["personal", "个人客户"],
        ["enterprise", "企业客户"],
        ["contract", "合同客户"],
      ],
      max: 3,
      filter: true,
      column: true,
    }),
    leastHeads: number("最少头数", { required: true, ...headsRange, unit: "头", column: true }),
    mostHeads: number("最多头数", { required: true, ...headsRange, unit: "头", column: true }),
    depositFen: number("保证金", {
      min: 1,
      max: 1_000_000,
      decimals: 2,
      unit: "元/头",
      column: true,
      hint: "竞价必填；不收保证金的不填",
    }),
    bidStepFen: number("加价幅度", { min: 1, max: 1000, decimals: 2, unit: "元/kg", column: true, hint: "竞价必填" }),
    softCloseMinutes: number("延时分钟", {
      required: true,
      min: 1,
      max: 30,
      unit: "分钟",
      default: 2,
      hint: "结束前这几分钟内有人出价，结束时间顺延这么久",
    }),
    validFrom: validFromField,
    status: statusField,
    remark: text("备注", { max: 100 }),
  },
  sheets: { key: "modelName", maxRows: 5000 },
});
