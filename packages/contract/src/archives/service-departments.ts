import { reference, resource, text } from "../resource/index.ts";
import { archiveRoles, personField, regionField, statusField } from "./shared.ts";

/** Service departments, which are also the outlets of the public site (product.md 2: hours of an outlet). */
export const serviceDepartments = resource({
  name: "service_department",
  table: "service_departments",
  path: "/api/muyuan-trade/service-department",
  scope: "group",
  words: { one: "服务部", many: "服务部档案" },
  title: "departmentName",
  menu: { parent: "archives", icon: "wrench", path: "/archives/service-department", type: "admin", ...archiveRoles },
  fields: {
    departmentName: text("服务部名称", {
      required: true,
      min: 2,
      max: 30,
      unique: "scope",
      search: true,
      column: true,
      section: "基本",
    }),
    saleRegion: reference("销售大区", { to: "sale_region", filter: true, column: true, section: "基本" }),
    status: { ...statusField, section: "基本" },
    // The outlet's own number stands on the public site.
    phone: text("服务电话", {
      required: true,
      max: 20,
      rule: "phone",
      personal: "granted",
      search: true,
      column: true,
      section: "联系",
    }),
    principal: { ...personField("负责人"), section: "联系" },
    regionCode: { ...regionField, section: "位置" },
    address: text("详细地址", { required: true, max: 100, search: true, column: true, section: "位置" }),
    weekdayHours: text("工作日营业时间", {
      required: true,
      max: 60,
      rule: "time-ranges",
      default: "08:30-12:00,14:00-18:00",
      column: true,
      section: "营业时间",
    }),
    weekendHours: text("周末营业时间", { max: 60, rule: "time-ranges", hint: "不填为休息", section: "营业时间" }),
  },
  sheets: { key: "departmentName", maxRows: 50_000 },
});
