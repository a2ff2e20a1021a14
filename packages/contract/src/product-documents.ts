import { type Static, Type } from "typebox";
import { type Endpoint, permission, publicAccess } from "./endpoint.ts";
import { choice, moment, number, onOff, resource, text } from "./resource/index.ts";
import { DateTime, Empty, Id, pageOf, pageQuery } from "./scalars.ts";

/** Types of documents. */
export const documentKinds = [
  ["manual", "说明书"],
  ["certificate", "合格证"],
  ["brochure", "产品单页"],
  ["report", "检验报告"],
  ["drawing", "图纸"],
] as const;
export type DocumentKind = (typeof documentKinds)[number][0];

/** Subject of a document: a kind of device, or the platform as a whole. */
export const documentProducts = [
  ["environment", "环境控制"],
  ["cough", "咳嗽监测"],
  ["temperature", "群体测温"],
  ["needleless", "无针注射"],
  ["bathroom", "洗澡间"],
  ["disinfect", "饮水消毒"],
  ["deodorization", "除臭"],
  ["bungalow-deodorization", "平房除臭"],
  ["dosing-station", "配药站"],
  ["weighbridge", "地磅"],
  ["platform", "平台与网关"],
] as const;
export type DocumentProduct = (typeof documentProducts)[number][0];

export const documentLanguages = [
  ["zh", "中文版"],
  ["en", "英文版"],
  ["both", "双语"],
] as const;

export const documentStates = [
  ["draft", "草稿"],
  ["published", "已发布"],
] as const;

/** Maximum size of a document's file, in bytes. */
export const documentMaxBytes = 20 * 1024 * 1024;
/** Number of pages shown as pictures beside a document; the file has all pages. */
export const documentPreviewPages = 6;

/** Documents about products; visitors find published ones, and publishing requires a file. */
export const productDocuments = resource({
  name: "product_document",
  table: "product_documents",
  view: "product_document_list",
  path: "/api/muyuan-content/document",
  scope: "group",
  words: { one: "产品资料", many: "产品资料", oneEn: "Product document" },
  title: "documentTitle",
  find: { by: ["documentTitleEn"] },
  menu: {
    parent: "content",
    icon: "sheet",
    path: "/content/document",
    type: "admin",
    roles: ["administrator", "content_editor"],
    viewers: ["customer_service", "device_engineer"],
  },
  order: [{ field: "publishedAt", direction: "desc" }],
  card: ["kind", "product", "publishedAt"],
  views: [
    { id: "draft", name: "草稿", where: { state: "draft" } },
    { id: "published", name: "已发布", where: { state: "published" } },
  ],
  fields: {
    documentTitle: text("标题", { required: true, min: 2, max: 80, unique: "scope", search: true, column: true }),
    documentTitleEn: text("英文标题", { required: true, min: 2, max: 160, search: true }),
    kind: choice("资料类型", { required: true, options: documentKinds, default: "manual", filter: true, column: true }),
    product: choice("所属产品", { required: true, options: documentProducts, filter: true, column: true }),
    documentVersion: text("资料版本", { required: true, max: 20 }),
    documentLanguage: choice("语言", {
      required: true,
      options: documentLanguages,
      default: "zh",
      filter: true,
    }),
    state: choice("状态", { options: documentStates, derived: true, filter: true, column: true }),
    summary: text("摘要", { max: 300, lines: 3, search: true }),
    summaryEn: text("英文摘要", { max: 600, lines: 3 }),
    example: onOff("标为示例内容", { hint: "页面上会写明这是示例。" }),
    pages: number("页数", { min: 0, max: 10_000, derived: true }),
    fileBytes: number("文件大小", { min: 0, max: documentMaxBytes, derived: true, unit: "字节", column: true }),
    publishedAt: moment("发布时间", { column: true, sort: true }),
  },
  sheets: { key: "documentTitle", maxRows: 5000 },
});

const base = "/api/muyuan-content/document";
const open = { access: publicAccess, owner: "nobody", personal: {}, form: "envelope", rate: "read" } as const;
const Language = Type.Enum(["zh", "en"] as const);

export const documentUpload = {
  method: "POST",
  path: `${base}/upload`,
  summary:
    "Gives a document its file, in place of the one it had: a PDF up to 20 MB that opens without a password. Its pages are counted and its words are found by the search.",
  access: permission("product_document_edit"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  upload: true,
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: Type.Object({ pages: Type.Integer(), fileBytes: Type.Integer() }),
} satisfies Endpoint;

export const documentPreviewLink = {
  method: "POST",
  path: `${base}/preview-link`,
  summary:
    "Makes signed addresses under which the file of a document and pictures of its first pages can be looked at for 24 hours, published or not.",
  access: permission("product_document_view"),
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Type.Object({
    file: Type.String(),
    /** Pictures of the first pages, in order. */
    pages: Type.Array(Type.String()),
    expiresAt: DateTime,
  }),
} satisfies Endpoint;

export const documentPublish = {
  method: "POST",
  path: `${base}/publish`,
  summary:
    "Shows a document to visitors, or makes it a draft again. It takes a file and a summary; its date is when it was published first.",
  access: permission("product_document_edit"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id, published: Type.Boolean() }),
  reply: Empty,
} satisfies Endpoint;

/** A document as the public site lists it. */
export const PublicDocument = Type.Object({
  id: Id,
  kind: Type.Enum(documentKinds.map(([kind]) => kind)),
  product: Type.Enum(documentProducts.map(([product]) => product)),
  title: Type.String(),
  summary: Type.String(),
  /** Language of the document, not of the reply. */
  documentLanguage: Type.Enum(documentLanguages.map(([language]) => language)),
  documentVersion: Type.String(),
  pages: Type.Integer({ minimum: 1 }),
  fileBytes: Type.Integer({ minimum: 1 }),
  /** SHA-256 of the file, hexadecimal. */
  sha256: Type.String(),
  /** The document is an example, and the site says so. */
  example: Type.Boolean(),
  publishedAt: DateTime,
});
export type PublicDocument = Static<typeof PublicDocument>;

export const publicDocumentPage = {
  method: "GET",
  path: `${base}/skip-secure/page`,
  summary: "Published documents by kind, product and words, newest first.",
  ...open,
  query: Type.Object({
    ...pageQuery,
    language: Type.Optional(Language),
    kind: Type.Optional(Type.Enum(documentKinds.map(([kind]) => kind))),
    product: Type.Optional(Type.Enum(documentProducts.map(([product]) => product))),
    keyword: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  body: Empty,
  reply: pageOf(PublicDocument),
} satisfies Endpoint;

export const publicDocument = {
  method: "GET",
  path: `${base}/skip-secure/detail`,
  summary: "A published document with up to four others about the same product.",
  ...open,
  query: Type.Object({ id: Id, language: Type.Optional(Language) }),
  body: Empty,
  reply: Type.Object({ document: PublicDocument, related: Type.Array(PublicDocument) }),
} satisfies Endpoint;
