import { choice, number, resource, text } from "./resource/index.ts";

/** Organizations of a tenant: companies, their departments and groups (product.md 2, "Organization form"). */
export const departments = resource({
  name: "dept",
  table: "departments",
  view: "department_list",
  path: "/api/muyuan-system/dept",
  scope: "own-or-all-tenants",
  words: { one: "机构", many: "机构管理" },
  title: "deptName",
  find: { by: ["fullName"] },
  menu: {
    parent: "organization",
    icon: "tree",
    path: "/system/dept",
    type: "admin",
    roles: ["administrator"],
    viewers: ["customer_service"],
  },
  tree: { maxDepth: 8 },
  replaced: ["select"],
  fields: {
    deptName: text("机构名称", { required: true, min: 2, max: 40, unique: "siblings", search: true, column: true }),
    fullName: text("机构全称", { required: true, max: 80, search: true }),
    deptCategory: choice("机构类型", {
      required: true,
      dictionary: "org_category",
      filter: true,
      column: true,
      default: "2",
    }),
    persons: number("直属人数", { min: 0, max: 10_000_000, derived: true, column: true }),
    sort: number("排序", { min: 0, max: 9999, default: 0, sort: true }),
    remark: text("备注", { max: 200, lines: 3 }),
  },
  sheets: { key: "deptName", maxRows: 50_000 },
});
