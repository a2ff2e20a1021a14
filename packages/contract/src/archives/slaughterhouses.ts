import { number, resource, text } from "../resource/index.ts";
import { archiveRoles, personField, personPhoneField, regionField, statusField } from "./shared.ts";

/** Slaughterhouses that pigs are delivered to. */
export const slaughterhouses = resource({
  name: "slaughterhouse",
  table: "slaughterhouses",
  path: "/api/muyuan-trade/slaughterhouse",
  scope: "group",
  words: { one: "屠宰场", many: "屠宰场档案" },
  title: "houseName",
  find: { by: ["houseCode"] },
  menu: { parent: "archives", icon: "factory", path: "/archives/slaughterhouse", type: "admin", ...archiveRoles },
  fields: {
    houseCode: text("编号", {
      required: true,
      max: 20,
      rule: "code",
      unique: "scope",
      fixed: true,
      search: true,
      column: true,
    }),
    houseName: text("屠宰场名称", { required: true, min: 2, max: 40, unique: "scope", search: true, column: true }),
    dailyCapacity: number("日屠宰量", { min: 0, max: 100_000, unit: "头", column: true }),
    regionCode: regionField,
    address: text("详细地址", { max: 100, search: true }),
    principal: personField("联系人"),
    contactPhone: personPhoneField,
    status: statusField,
    remark: text("备注", { max: 200, lines: 3 }),
  },
  sheets: { key: "houseCode", maxRows: 50_000 },
});
