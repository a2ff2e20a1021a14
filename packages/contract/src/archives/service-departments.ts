import { choices, number, onOff, reference, resource, text } from "../resource/index.ts";
import { archiveRoles, personField, regionField, statusField } from "./shared.ts";

/** Services that an outlet offers to customers. */
export const outletServices = [
  ["repair", "设备维修"],
  ["parts", "常用配件"],
  ["installation", "安装调试"],
  ["calibration", "传感器校准"],
  ["training", "使用培训"],
  ["disinfection", "洗消服务"],
] as const;

/** Service departments, which are also the outlets of the public site (product.md 2: hours of an outlet). */
export const serviceDepartments = resource({
  name: "service_department",
  table: "service_departments",
  path: "/api/muyuan-trade/service-department",
  scope: "group",
  words: { one: "服务部", many: "服务部档案", search: "名称、电话、人或地址" },
  title: "departmentName",
  find: {},
  card: ["regionCode", "saleRegion", "phone"],
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
    address: text("详细地址", { required: true, max: 100, search: true, section: "位置" }),
    latitude: number("纬度", { min: -90_000_000, max: 90_000_000, decimals: 6, unit: "°", section: "位置" }),
    longitude: number("经度", {
      min: -180_000_000,
      max: 180_000_000,
      decimals: 6,
      unit: "°",
      hint: "两项都填，网站才能按远近排这个网点。",
      section: "位置",
    }),
    weekdayHours: text("工作日营业时间", {
      required: true,
      max: 60,
      rule: "time-ranges",
      default: "08:30-12:00,14:00-18:00",
      section: "营业时间",
    }),
    weekendHours: text("周末营业时间", { max: 60, rule: "time-ranges", hint: "不填为休息", section: "营业时间" }),
    services: choices("服务项目", { options: outletServices, max: 6, filter: true, section: "网站" }),
    departmentNameEn: text("英文名称", { max: 60, section: "网站" }),
    addressEn: text("英文地址", { max: 200, section: "网站" }),
    shown: onOff("在网站上显示", { default: true, filter: true, section: "网站" }),
    example: onOff("标为示例内容", { hint: "页面上会写明这是示例。", section: "网站" }),
  },
  sheets: { key: "departmentName", maxRows: 50_000 },
});
