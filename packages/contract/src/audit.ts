import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "./endpoint.ts";
import { DateTime, Empty, Id, pageOf, pageQuery } from "./scalars.ts";

/** Kinds of change of a row. */
export const auditActions = ["create", "update", "remove", "move", "import", "undo", "grant", "reset", "view"] as const;
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
};

/** One field of a change; personal values are masked before they are stored. */
export const AuditChange = Type.Object({ field: Type.String(), before: Type.Unknown(), after: Type.Unknown() });
export type AuditChange = Static<typeof AuditChange>;

export const AuditEntry = Type.Object({
  id: Id,
  tenantId: Type.String({ description: '"" for the installation as a whole' }),
  actorName: Type.String(),
  resource: Type.String({ description: "name of a resource" }),
  rowId: Id,
  rowTitle: Type.String(),
  action: Type.String({ description: auditActions.join(", ") }),
  changes: Type.Array(AuditChange),
  remoteAddress: Type.String({ description: "last part hidden" }),
  createTime: DateTime,
});
export type AuditEntry = Static<typeof AuditEntry>;

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
  query: Type.Object({
    ...pageQuery,
    resource: Type.Optional(Type.String({ maxLength: 60 })),
    action: Type.Optional(Type.String({ maxLength: 200, description: "comma-separated" })),
    keyword: Type.Optional(Type.String({ maxLength: 64, description: "part of the actor's or the row's name" })),
    from: Type.Optional(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" })),
    to: Type.Optional(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "the whole day" })),
  }),
  body: Empty,
  reply: pageOf(AuditEntry),
} satisfies Endpoint;

export const AuditVerification = Type.Object({
  entries: Type.Integer(),
  /** Id of the first entry whose hash does not follow from its content and the entry before it. */
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
