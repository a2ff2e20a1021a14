import { type Static, Type } from "typebox";
import { type Endpoint, publicAccess } from "./endpoint.ts";
import { choice, number, onOff, resource, text } from "./resource/index.ts";
import { Empty, Id } from "./scalars.ts";

/** Kinds of services after a sale. */
export const serviceKinds = [
  ["installation", "安装"],
  ["calibration", "校准"],
  ["training", "培训"],
  ["parts", "备件"],
  ["inspection", "巡检"],
  ["diagnosis", "远程诊断"],
  ["survey", "勘测与设计"],
] as const;
export type ServiceKind = (typeof serviceKinds)[number][0];

/** Services around products as the public site lists them. */
export const productServices = resource({
  name: "product_service",
  table: "product_services",
  path: "/api/muyuan-content/product-service",
  scope: "group",
  words: { one: "服务", many: "服务项目" },
  title: "serviceName",
  find: { by: ["serviceNameEn"] },
  menu: {
    parent: "content",
    icon: "wrench",
    path: "/content/service",
    type: "admin",
    roles: ["administrator", "content_editor"],
    viewers: ["customer_service", "device_engineer"],
  },
  order: [{ field: "sort", direction: "asc" }],
  card: ["kind", "price", "duration"],
  fields: {
    serviceName: text("名称", { required: true, min: 2, max: 40, unique: "scope", search: true, column: true }),
    kind: choice("类别", { required: true, options: serviceKinds, filter: true, column: true }),
    serviceScope: text("服务范围", { required: true, max: 200, lines: 3 }),
    duration: text("用时", { required: true, max: 60, lines: 3, column: true }),
    prepare: text("客户要准备的", { required: true, max: 200, lines: 3 }),
    price: number("价格（元）", {
      min: 0,
      max: 100_000_000,
      decimals: 2,
      column: true,
      hint: "不填就显示“按约定”，0 显示“免费”。",
    }),
    priceUnit: text("计价单位", { max: 20, hint: "例如：次、栋、人天。" }),
    example: onOff("标为示例内容", { hint: "页面上会写明这是示例。" }),
    shown: onOff("在网站上显示", { default: true, filter: true, column: true }),
    sort: number("排序", { min: 0, max: 9999, default: 0, sort: true }),
    serviceNameEn: text("英文名称", { required: true, min: 2, max: 80, section: "英文" }),
    serviceScopeEn: text("服务范围（英文）", { max: 400, lines: 3, section: "英文" }),
    durationEn: text("用时（英文）", { max: 120, lines: 3, section: "英文" }),
    prepareEn: text("客户要准备的（英文）", { max: 400, lines: 3, section: "英文" }),
    priceUnitEn: text("计价单位（英文）", { max: 40, section: "英文" }),
  },
  sheets: { key: "serviceName", maxRows: 1000 },
});

/** A service in the requested language; Chinese where there is no English. */
export const PublicService = Type.Object({
  id: Id,
  kind: Type.Enum(serviceKinds.map(([kind]) => kind)),
  name: Type.String(),
  serviceScope: Type.String(),
  duration: Type.String(),
  prepare: Type.String(),
  /** Price in fen; absent where the price is by agreement. */
  price: Type.Optional(Type.Integer({ minimum: 0 })),
  priceUnit: Type.String(),
  example: Type.Boolean(),
});
export type PublicService = Static<typeof PublicService>;

export const publicServices = {
  method: "GET",
  path: "/api/muyuan-content/product-service/skip-secure/list",
  summary: "Services that the site shows, in their order, at most 100; with a word, those that hold it.",
  access: publicAccess,
  owner: "nobody",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({
    language: Type.Optional(Type.Enum(["zh", "en"] as const)),
    keyword: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  body: Empty,
  reply: Type.Array(PublicService),
} satisfies Endpoint;
