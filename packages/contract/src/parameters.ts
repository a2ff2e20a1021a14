import { resource, text } from "./resource/index.ts";

/** Parameters of the installation, by key (wire.md 3.9). */
export const parameters = resource({
  name: "param",
  table: "parameters",
  path: "/api/muyuan-system/param",
  scope: "group",
  words: { one: "参数", many: "参数管理" },
  title: "paramName",
  find: { by: ["paramKey"] },
  menu: { parent: "platform", icon: "sliders", path: "/system/param", type: "admin", roles: ["administrator"] },
  order: [{ field: "paramKey", direction: "asc" }],
  fields: {
    paramKey: text("参数键", { required: true, max: 80, unique: "scope", fixed: true, search: true, column: true }),
    paramName: text("参数名称", { required: true, max: 60, search: true, column: true }),
    paramValue: text("参数值", { required: true, max: 2000, lines: 3, column: true }),
    remark: text("备注", { max: 200, lines: 3, column: true }),
  },
  sheets: { key: "paramKey", maxRows: 5000 },
});
