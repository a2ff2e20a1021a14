import { choices, number, resource, text } from "../resource/index.ts";
import { archiveRoles, statusField } from "./shared.ts";

/** Kinds of invoice with their tax rate and the data that a customer must give for one (decisions.md 9). */
export const invoiceTypes = resource({
  name: "invoice_type",
  table: "invoice_types",
  path: "/api/muyuan-trade/invoice-type",
  scope: "group",
  words: { one: "发票类型", many: "发票类型", oneEn: "Type of invoices" },
  title: "typeName",
  find: {},
  menu: {
    parent: "archives",
    icon: "receipt",
    path: "/archives/invoice-type",
    type: "admin",
    ...archiveRoles,
  },
  order: [{ field: "sort", direction: "asc" }],
  fields: {
    typeName: text("类型名称", { required: true, min: 2, max: 30, unique: "scope", search: true, column: true }),
    taxRate: number("税率", { required: true, min: 0, max: 10_000, decimals: 2, unit: "%", column: true }),
    neededFields: choices("需填项目", {
      options: [
        ["title", "抬头"],
        ["tax_number", "税号"],
        ["bank", "开户行"],
        ["bank_account", "银行账号"],
        ["address", "地址"],
        ["phone", "电话"],
        ["email", "收票邮箱"],
      ],
      max: 7,
      column: true,
    }),
    sort: number("排序", { min: 0, max: 9999, default: 0 }),
    status: statusField,
  },
  sheets: { key: "typeName", maxRows: 1000 },
});
