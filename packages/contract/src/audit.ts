import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "./endpoint.ts";
import { DateTime, Empty, Id, pageOf, pageQuery } from "./scalars.ts";

/** Kinds of change of a row. */
export const auditActions = [
  "create",
  "update",
  "remove",
  "move",
  "import",
  "undo",
  "grant",
  "reset",
  "view",
  "preview",
] as const;
export type AuditAction = (typeof auditActions)[number];

/** Chinese names, keys of the translations. */
export const auditActionNames: Readonly<Record<AuditAction, string>> = {
  create: "新增",
  update: "修改",
  remove: "删除",
  move: "移动",
  import: "导入",
  undo: "撤销导入",
  grant: "授权",
  reset: "重置密码",
  view: "查看",
  preview: "以角色预览",
};

/** One field of a change; personal values are masked before they are stored. */
export const AuditChange = Type.Object({ field: Type.String(), before: Type.Unknown(), after: Type.Unknown() });
export type AuditChange = Static<typeof AuditChange>;

/** A text in both languages; without `en` it is data, such as a name. */
const AuditText = Type.Object({ zh: Type.String(), en: Type.Optional(Type.String()) });

/** What an entry says, in both languages. */
export const auditWording = {
  sentence: Type.Object({
    zh: Type.String({ description: "`{0}`, `{1}`, … stand for the names" }),
    en: Type.String(),
    names: Type.Array(Type.String(), { description: "titles of rows, people, and what somebody typed" }),
  }),
  details: Type.Array(
    Type.Object({ label: AuditText, before: Type.Optional(AuditText), after: Type.Optional(AuditText) }),
    { description: "each changed field in words" },
  ),
} as const;

export const AuditEntry = Type.Object({
  id: Id,
  accountId: Type.String({ description: '"" for what the clock or a service outside did' }),
  tenantId: Type.String({ description: '"" for the installation as a whole' }),
  actorName: Type.String(),
  resource: Type.String({ description: "name of a resource" }),
  rowId: Id,
  rowTitle: Type.String(),
  action: Type.String({ description: auditActions.join(", ") }),
  changes: Type.Array(AuditChange),
  ...auditWording,
  remoteAddress: Type.String({ description: "last part hidden" }),
  createTime: DateTime,
});
export type AuditEntry = Static<typeof AuditEntry>;

const day = (description: string) => Type.Optional(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description }));
/** Which entries are read. */
const auditFilter = {
  resource: Type.Optional(Type.String({ maxLength: 60 })),
  rowId: Type.Optional(
    Type.String({ pattern: "^\\d{1,19}$", description: "with `resource`: all that happened to one row" }),
  ),
  accountId: Type.Optional(Type.String({ pattern: "^\\d{1,19}$", description: "all that one person did" })),
  action: Type.Optional(Type.String({ maxLength: 200, description: "comma-separated" })),
  keyword: Type.Optional(Type.String({ maxLength: 64, description: "part of the actor's or the row's name" })),
  from: day("a day in Asia/Shanghai"),
  to: day("the whole day"),
};
const actorRule = { actorName: "granted" } as const;

export const auditPage = {
  method: "GET",
  path: "/api/muyuan-log/audit/page",
  aliases: ["/api/muyuan-log/audit/list"],
  summary: "Who changed what, newest first; of the own tenant, for the group's staff of all.",
  access: permission("audit_view"),
  owner: "tenants",
  rate: "read",
  personal: { actorName: "granted", remoteAddress: "mask-address" },
  form: "envelope",
  query: Type.Object({ ...pageQuery, ...auditFilter }),
  body: Empty,
  reply: pageOf(AuditEntry),
} satisfies Endpoint;

export const AuditVerification = Type.Object({
  entries: Type.Integer(),
  /** Id of the first entry that was changed, does not follow the one before it, is missing at the end, or was appended by nobody's change. */
  brokenId: Type.Optional(Id),
  brokenAt: Type.Optional(DateTime),
});
export type AuditVerification = Static<typeof AuditVerification>;

export const auditVerify = {
  method: "POST",
  path: "/api/muyuan-log/audit/verify",
  summary: "Computes the hash chain of the audit trail anew and names the first entry that was changed or removed.",
  access: permission("audit_view"),
  owner: "tenants",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: AuditVerification,
} satisfies Endpoint;

const reading = {
  method: "GET",
  access: permission("audit_view"),
  owner: "tenants",
  rate: "read",
  form: "envelope",
  query: Type.Object(auditFilter),
  body: Empty,
} as const;

/** Entries of which the summaries by person and by row are made, the newest. */
export const auditSummarized = 20_000;

const AuditPerson = Type.Object({
  accountId: Type.String({ description: '"" for what the clock or a service outside did' }),
  actorName: Type.String(),
  entries: Type.Integer(),
  lastTime: DateTime,
});
export type AuditPerson = Static<typeof AuditPerson>;

export const auditPersons = {
  ...reading,
  path: "/api/muyuan-log/audit/persons",
  summary: `Who did how much, and when last; of the newest ${auditSummarized} entries, at most 200 people.`,
  personal: actorRule,
  reply: Type.Array(AuditPerson),
} satisfies Endpoint;

const AuditRowSummary = Type.Object({
  resource: Type.String(),
  rowId: Id,
  rowTitle: Type.String(),
  thing: AuditText,
  actorName: Type.String({ description: "of the newest entry" }),
  entries: Type.Integer(),
  lastTime: DateTime,
});
export type AuditRowSummary = Static<typeof AuditRowSummary>;

export const auditRows = {
  ...reading,
  path: "/api/muyuan-log/audit/rows",
  summary: `What was changed, how often, and when last; of the newest ${auditSummarized} entries, at most 200 rows.`,
  personal: actorRule,
  reply: Type.Array(AuditRowSummary),
} satisfies Endpoint;

export const auditExport = {
  method: "POST",
  path: "/api/muyuan-log/audit/export",
  summary: "Makes an xlsx of the entries as sentences, as a job.",
  access: permission("audit_export"),
  owner: "tenants",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ ...auditFilter, language: Type.Optional(Type.Enum(["zh", "en"] as const)) }),
  reply: Type.Object({ jobId: Id }),
} satisfies Endpoint;
