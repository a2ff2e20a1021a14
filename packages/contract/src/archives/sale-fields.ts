import { choice, number, reference, resource, text } from "../resource/index.ts";
import { archiveRoles, personField, personPhoneField, regionField, statusField } from "./shared.ts";

/** Farms that sell pigs (product.md 3, "Field or farm"). */
export const saleFields = resource({
  name: "sale_field",
  table: "sale_fields",
  path: "/api/muyuan-trade/field",
  scope: "group",
  words: { one: "场区", many: "场区档案" },
  title: "fieldName",
  find: { by: ["fieldCode"] },
  menu: { parent: "archives", icon: "farm", path: "/archives/field", type: "admin", ...archiveRoles },
  fields: {
    fieldCode: text("场区编号", {
      required: true,
      max: 20,
      rule: "code",
      unique: "scope",
      fixed: true,
      search: true,
      column: true,
      section: "基本",
    }),
    fieldName: text("场区名称", {
      required: true,
      min: 2,
      max: 30,
      unique: "scope",
      search: true,
      column: true,
      section: "基本",
    }),
    fieldType: choice("场区类型", {
      required: true,
      options: [
        ["breeding", "种猪场"],
        ["multiplication", "扩繁场"],
        ["commercial", "商品场"],
        ["boar-station", "公猪站"],
      ],
      filter: true,
      column: true,
      section: "基本",
    }),
    status: { ...statusField, section: "基本" },
    saleRegion: reference("销售大区", { to: "sale_region", filter: true, column: true, section: "基本" }),
    principal: { ...personField("负责人"), required: true, section: "联系" },
    contactPhone: { ...personPhoneField, required: true, section: "联系" },
    regionCode: { ...regionField, section: "位置" },
    address: text("详细地址", { max: 100, search: true, section: "位置" }),
    areaMu: number("占地", { min: 0, max: 1_000_000, decimals: 1, unit: "亩", section: "规模" }),
    capacity: number("设计存栏", { min: 0, max: 1_000_000, unit: "头", sort: true, section: "规模" }),
  },
  sheets: { key: "fieldCode", maxRows: 50_000 },
});
