import { type Static, Type } from "typebox";
import { type Endpoint, publicAccess } from "./endpoint.ts";
import { choice, number, onOff, resource, text } from "./resource/index.ts";
import { Empty, Id } from "./scalars.ts";

/** Kinds of cooperation with a partner. */
export const partnerKinds = [
  ["equipment", "装备制造"],
  ["feed", "饲料"],
  ["health", "动物健康"],
  ["water", "水与环保"],
  ["research", "科研院校"],
  ["service", "金融与服务"],
] as const;

/** Partners as the public site shows them. */
export const partners = resource({
  name: "partner",
  table: "partners",
  path: "/api/muyuan-content/partner",
  scope: "group",
  words: { one: "合作伙伴", many: "合作伙伴", oneEn: "Partner" },
  title: "partnerName",
  find: { by: ["partnerNameEn"] },
  menu: {
    parent: "content",
    icon: "people",
    path: "/content/partner",
    type: "admin",
    roles: ["administrator", "content_editor"],
  },
  order: [{ field: "sort", direction: "asc" }],
  card: ["kind", "intro", "shown"],
  fields: {
    partnerName: text("名称", { required: true, min: 2, max: 40, unique: "scope", search: true, column: true }),
    partnerNameEn: text("英文名称", { max: 80 }),
    kind: choice("类别", { required: true, options: partnerKinds, filter: true, column: true }),
    intro: text("一句话介绍", { max: 120, lines: 2, column: true }),
    introEn: text("英文介绍", { max: 240, lines: 2 }),
    example: onOff("标为示例内容", { hint: "页面上会写明这是示例。" }),
    shown: onOff("在网站上显示", { default: true, filter: true, column: true }),
    sort: number("排序", { min: 0, max: 9999, default: 0, sort: true }),
  },
  sheets: { key: "partnerName", maxRows: 5000 },
});

export const PublicPartner = Type.Object({
  id: Id,
  name: Type.String(),
  kind: Type.String(),
  intro: Type.String(),
  example: Type.Boolean(),
});
export type PublicPartner = Static<typeof PublicPartner>;

export const publicPartners = {
  method: "GET",
  path: "/api/muyuan-content/partner/skip-secure/list",
  summary: "Partners that the site shows, in their order, at most 200.",
  access: publicAccess,
  owner: "nobody",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ language: Type.Optional(Type.Enum(["zh", "en"] as const)) }),
  body: Empty,
  reply: Type.Array(PublicPartner),
} satisfies Endpoint;
