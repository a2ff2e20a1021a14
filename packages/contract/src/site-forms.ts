import { type Static, Type } from "typebox";
import { personField, personPhoneField } from "./archives/shared.ts";
import { articlePages, isLegalPage } from "./articles.ts";
import { type Endpoint, permission, publicAccess } from "./endpoint.ts";
import { partnerKinds } from "./partners.ts";
import { documentProducts } from "./product-documents.ts";
import { choice, date, reference, resource, text } from "./resource/index.ts";
import { DateTime, Empty, Id } from "./scalars.ts";

/** Kinds of forms on the public site. */
export const siteFormKinds = [
  ["service", "申请服务"],
  ["solution", "方案咨询"],
  ["partner", "合作申请"],
  ["feedback", "意见反馈"],
] as const;
export type SiteFormKind = (typeof siteFormKinds)[number][0];

/** States of a form with their Chinese names. */
export const siteFormStates = [
  ["new", "新到"],
  ["working", "处理中"],
  ["done", "已办结"],
  ["refused", "已婉拒"],
] as const;
export type SiteFormState = (typeof siteFormStates)[number][0];

/** Languages of the form as the visitor read it, and so of the answer. */
export const siteFormLanguages = [
  ["zh", "汉语"],
  ["en", "英语"],
] as const;

/** Forms that visitors of the public site sent, and how they were handled. */
export const siteForms = resource({
  name: "site_form",
  table: "site_forms",
  view: "site_form_list",
  path: "/api/muyuan-content/form",
  scope: "group",
  words: { one: "来单", many: "网站来单", search: "编号、人、单位或说明" },
  title: "formNumber",
  menu: {
    parent: "content",
    icon: "chat",
    path: "/content/form",
    type: "admin",
    roles: ["administrator", "customer_service", "sales"],
    viewers: ["content_editor", "device_engineer"],
  },
  views: [
    { id: "new", name: "新到", where: { state: "new" } },
    { id: "working", name: "处理中", where: { state: "working" } },
  ],
  fields: {
    formNumber: text("编号", { required: true, max: 20, unique: "scope", search: true, column: true, fixed: true }),
    kind: choice("类型", { required: true, options: siteFormKinds, default: "service", filter: true, column: true }),
    state: choice("状态", { required: true, options: siteFormStates, default: "new", filter: true, column: true }),
    assigneeName: text("处理人", { max: 40, derived: true, personal: "granted", column: true }),
    contactName: { ...personField("联系人"), required: true },
    contactPhone: { ...personPhoneField, required: true },
    contactEmail: text("邮箱", { max: 120, rule: "email", stored: "encrypted", personal: "mask-email" }),
    organization: text("单位或猪场", { max: 80, search: true }),
    regionCode: text("所在地区", { max: 6, rule: "region", filter: true }),
    service: reference("服务项目", { to: "product_service", filter: true }),
    product: choice("所属产品", { options: documentProducts, filter: true }),
    solution: choice("方案", { options: articlePages.filter(([page]) => !isLegalPage(page)), filter: true }),
    partnerKind: choice("合作类别", { options: partnerKinds, filter: true }),
    wishedOn: date("希望日期", {}),
    content: text("说明", { max: 1000, lines: 5, search: true, column: true }),
    formLanguage: choice("语言", { options: siteFormLanguages, default: "zh" }),
    note: text("处理记录", {
      max: 1000,
      lines: 4,
      section: "处理",
      hint: "办结或婉拒要写明结果。只有内部看得到。",
    }),
  },
  sheets: { key: "formNumber", maxRows: 10_000 },
});

const base = "/api/muyuan-content/form";

export const siteFormSubmit = {
  method: "POST",
  path: `${base}/skip-secure/send`,
  summary:
    "Takes a form of the public site; needs a passed captcha in Captcha-Key and Captcha-Code, and the consent to the privacy policy. Staff are told, and the answer holds the number by which it is asked after.",
  access: publicAccess,
  owner: "nobody",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    kind: Type.Enum(siteFormKinds.map(([kind]) => kind)),
    contactName: Type.String({ maxLength: 200 }),
    contactPhone: Type.String({ maxLength: 80 }),
    contactEmail: Type.Optional(Type.String({ maxLength: 500 })),
    organization: Type.Optional(Type.String({ maxLength: 400 })),
    regionCode: Type.Optional(Type.String({ maxLength: 12 })),
    service: Type.Optional(Type.Union([Id, Type.Literal("")])),
    product: Type.Optional(Type.String({ maxLength: 40 })),
    solution: Type.Optional(Type.String({ maxLength: 40 })),
    partnerKind: Type.Optional(Type.String({ maxLength: 40 })),
    wishedOn: Type.Optional(Type.String({ maxLength: 20 })),
    content: Type.Optional(Type.String({ maxLength: 5000 })),
    language: Type.Optional(Type.Enum(["zh", "en"] as const)),
    consent: Type.Boolean({ description: "to the privacy policy; refused without it" }),
    check: Type.Optional(
      Type.Boolean({
        description: "only says what is wrong with it: needs no captcha, keeps nothing, answers no number",
      }),
    ),
  }),
  reply: Type.Object({ number: Type.String({ description: 'such as BD-261124-4K7Q; "" for what was only checked' }) }),
} satisfies Endpoint;

export const siteFormTake = {
  method: "POST",
  path: `${base}/take`,
  summary: "Puts the caller down as the one who works on a form; a new one becomes one that is in work.",
  access: permission("site_form_edit"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Empty,
} satisfies Endpoint;

export const siteFormReveal = {
  method: "POST",
  path: `${base}/reveal`,
  summary:
    "Phone and e-mail of a form's sender in full, for who has just entered the own password. Each look is an entry of the audit trail.",
  access: permission("site_form_reveal"),
  owner: "group",
  rate: "guarded",
  personal: { contactPhone: "granted", contactEmail: "granted" },
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Type.Object({ contactPhone: Type.String(), contactEmail: Type.String(), revealedAt: DateTime }),
  confirmation: "always",
} satisfies Endpoint;
export type SiteFormReveal = Static<typeof siteFormReveal.reply>;
