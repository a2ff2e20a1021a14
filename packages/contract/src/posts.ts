import { choice, number, resource, text } from "./resource/index.ts";

/** Posts (positions) of a tenant's members (wire.md 3.5). */
export const posts = resource({
  name: "post",
  table: "posts",
  view: "post_list",
  path: "/api/muyuan-system/post",
  scope: "own-or-all-tenants",
  words: { one: "岗位", many: "岗位管理" },
  title: "postName",
  find: { by: ["postCode"] },
  menu: {
    parent: "organization",
    icon: "badge",
    path: "/system/post",
    type: "admin",
    roles: ["administrator"],
    viewers: ["customer_service"],
  },
  order: [{ field: "sort", direction: "asc" }],
  card: ["category", "persons"],
  fields: {
    postCode: text("岗位编号", { required: true, max: 30, rule: "code", unique: "scope", search: true, column: true }),
    postName: text("岗位名称", { required: true, min: 2, max: 30, search: true, column: true }),
    category: choice("岗位类型", { required: true, dictionary: "post_category", filter: true, column: true }),
    remark: text("备注", { max: 200, lines: 3, column: true }),
    persons: number("人数", { min: 0, max: 10_000_000, derived: true, column: true }),
    sort: number("排序", { min: 0, max: 9999, default: 0, sort: true }),
  },
  sheets: { key: "postCode", maxRows: 50_000 },
});
