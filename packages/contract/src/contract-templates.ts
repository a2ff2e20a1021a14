import { type Static, Type } from "typebox";
import { contractFieldRoles, contractFieldTypes } from "./contract-text.ts";
import { type Endpoint, permission } from "./endpoint.ts";
import { choice, moment, number, onOff, resource, text } from "./resource/index.ts";
import { DateTime, Empty, Id } from "./scalars.ts";

/** Kinds of contract. */
export const contractKinds = [
  ["maintenance", "维护保养"],
  ["purchase", "设备采购"],
  ["pig_sale", "生猪购销"],
  ["service", "技术服务"],
  ["other", "其他"],
] as const;
export type ContractKind = (typeof contractKinds)[number][0];

const editors = ["administrator", "sales"];

/**
 * Templates of contracts. Their texts have operations of their own below; a contract keeps the template version that it was
 * drafted from.
 */
export const contractTemplates = resource({
  name: "contract_template",
  table: "contract_templates",
  path: "/api/muyuan-contract/template",
  scope: "group",
  words: { one: "合同模板", many: "合同模板", oneEn: "Contract template" },
  title: "templateName",
  find: {},
  menu: { parent: "contract_group", icon: "sheet", path: "/customer/contractTemplate", type: "admin", roles: editors },
  fields: {
    templateName: text("模板名称", { required: true, min: 2, max: 60, unique: "scope", search: true, column: true }),
    kind: choice("合同类型", {
      required: true,
      options: contractKinds,
      default: "service",
      filter: true,
      column: true,
    }),
    enabled: onOff("可以起草", { default: true, filter: true, column: true }),
    versionNumber: number("版本", { min: 0, max: 1_000_000, derived: true, column: true }),
    wordedAt: moment("正文修改时间", { column: true, sort: true }),
    remark: text("备注", { max: 200, lines: 2, column: true }),
  },
});

/** Most clauses of a contract. */
export const mostClauses = 60;
/** Most fields of a contract. */
export const mostContractFields = 40;

/** Key of a field, which clauses refer to between double braces. */
const Key = Type.String({ pattern: "^[a-z][a-z0-9_]{0,29}$" });

export const ContractFieldShape = Type.Object({
  key: Key,
  type: Type.Enum(contractFieldTypes),
  role: Type.Enum(contractFieldRoles, { description: "amount (money), from and until (date), or none" }),
  required: Type.Boolean(),
  name: Type.String({ minLength: 1, maxLength: 40 }),
  nameEn: Type.String({ maxLength: 80 }),
  options: Type.Array(
    Type.Object({ zh: Type.String({ minLength: 1, maxLength: 60 }), en: Type.String({ maxLength: 120 }) }),
    { maxItems: 20 },
  ),
});

export const ContractClauseShape = Type.Object({
  heading: Type.String({ minLength: 1, maxLength: 60 }),
  headingEn: Type.String({ maxLength: 120 }),
  body: Type.String({ minLength: 1, maxLength: 4000, description: "a paragraph a line; {{key}} stands for a value" }),
  bodyEn: Type.String({ maxLength: 8000 }),
});

/** Texts of a template, or of one version of a contract. */
export const ContractFormShape = Type.Object({
  title: Type.String({ minLength: 2, maxLength: 60 }),
  titleEn: Type.String({ maxLength: 120 }),
  fields: Type.Array(ContractFieldShape, { maxItems: mostContractFields }),
  clauses: Type.Array(ContractClauseShape, { minItems: 1, maxItems: mostClauses }),
});

/** Texts of a template that is being edited. */
export const TemplateWords = Type.Object({
  id: Id,
  templateName: Type.String(),
  enabled: Type.Boolean(),
  versionNumber: Type.Integer({ minimum: 0, description: "0 while nothing was written" }),
  form: Type.Optional(ContractFormShape),
  savedBy: Type.String(),
  savedTime: DateTime,
});
export type TemplateWords = Static<typeof TemplateWords>;

const base = "/api/muyuan-contract/template";
const own = { owner: "group", personal: {}, form: "envelope" } as const;

export const templateWords = {
  ...own,
  method: "GET",
  path: `${base}/words`,
  summary: "The newest words of a template, or those of one of its versions.",
  access: permission("contract_template_view"),
  rate: "read",
  query: Type.Object({ id: Id, version: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })) }),
  body: Empty,
  reply: TemplateWords,
} satisfies Endpoint;

export const templateSaveWords = {
  ...own,
  method: "POST",
  path: `${base}/save-words`,
  summary:
    "Writes the next version of a template's words; 409 when somebody else wrote one since it was read. Places that no field fills are refused.",
  access: permission("contract_template_edit"),
  rate: "write",
  query: Empty,
  body: Type.Object({
    id: Id,
    versionNumber: Type.Integer({ minimum: 0, maximum: 1_000_000, description: "as it was read" }),
    form: ContractFormShape,
  }),
  reply: Type.Object({ versionNumber: Type.Integer() }),
} satisfies Endpoint;
