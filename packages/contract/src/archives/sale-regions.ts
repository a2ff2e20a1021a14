import { choices, number, resource, text } from "../resource/index.ts";
import { archiveRoles, personField, statusField } from "./shared.ts";

/** Regions of sale with the provinces that belong to them (decisions.md 9). */
export const saleRegions = resource({
  name: "sale_region",
  table: "sale_regions",
  path: "/api/muyuan-trade/region",
  scope: "group",
  words: { one: "销售大区", many: "大区档案" },
  title: "regionName",
  find: {},
  menu: { parent: "archives", icon: "map", path: "/archives/region", type: "admin", ...archiveRoles },
  order: [{ field: "sort", direction: "asc" }],
  fields: {
    regionName: text("大区名称", { required: true, min: 2, max: 20, unique: "scope", search: true, column: true }),
    provinces: choices("省份", { required: true, dictionary: "province", max: 34, filter: true, column: true }),
    principal: personField("负责人"),
    sort: number("排序", { min: 0, max: 9999, default: 0 }),
    status: statusField,
  },
  sheets: { key: "regionName", maxRows: 5000 },
});
