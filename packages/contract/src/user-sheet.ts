import { resource } from "./resource/declaration.ts";
import { choice, choices, date, text } from "./resource/fields.ts";

/** Roles, departments or posts that one person may have in a sheet. */
const mostPlaces = 50;

/**
 * Sheets of users, with the columns of wire.md 3.1 in their order. Roles, departments and posts stand under their names, several with
 * commas between them; a name that several departments have stands with those above it, `场区 / 车间`.
 */
export const userSheet = resource({
  name: "user",
  table: "accounts",
  view: "user_sheet_rows",
  path: "/api/muyuan-system/user",
  scope: "own-or-all-tenants",
  words: { one: "用户", many: "用户名单" },
  title: "account",
  menu: { parent: "system", icon: "people", path: "/system/user", type: "admin", roles: [] },
  fields: {
    tenantId: text("租户编号", { max: 12, fixed: true, hint: "只导入本租户的用户，可以不填" }),
    userType: choice("用户平台名称", {
      options: [
        ["1", "WEB"],
        ["2", "APP"],
        ["3", "OTHER"],
      ],
      default: "1",
    }),
    account: text("账户", { max: 32, rule: "login-name", unique: "scope", required: true }),
    name: text("昵称", { max: 32 }),
    realName: text("姓名", { max: 40, rule: "person-name", personal: "granted" }),
    email: text("邮箱", {
      max: 120,
      rule: "email",
      stored: "encrypted",
      personal: "mask-email",
      fixed: true,
      hint: "已有用户的邮箱在用户表单里改",
    }),
    phone: text("手机", {
      max: 20,
      rule: "mobile",
      stored: "encrypted",
      personal: "mask-phone",
      fixed: true,
      hint: "已有用户的手机在用户表单里改",
    }),
    roleName: choices("角色名称", { max: mostPlaces, required: true, hint: "多个用逗号隔开，须是您能授予的角色" }),
    deptName: choices("部门名称", { max: mostPlaces, hint: "多个用逗号隔开，重名的写上级 / 部门" }),
    postName: choices("岗位名称", { max: mostPlaces, hint: "多个用逗号隔开" }),
    birthday: date("生日", {}),
  },
  sheets: { key: "account", maxRows: 50_000, confirmed: true },
});
