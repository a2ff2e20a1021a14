import { type Static, Type } from "typebox";
import { tenantTypes } from "./codes.ts";
import { type Endpoint, permission, publicAccess } from "./endpoint.ts";
import { DateTime, Empty, Id, idList, pageOf, pageQuery } from "./scalars.ts";

const base = "/api/muyuan-system/tenant";
const reading = {
  method: "GET",
  access: permission("tenant_view"),
  owner: "group",
  rate: "read",
  personal: { linkman: "granted", contactNumber: "granted", address: "granted" },
  form: "envelope",
  body: Empty,
} as const;
const writing = {
  method: "POST",
  access: permission("tenant_edit"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
} as const;

/** Tenants by the end of their time: past, within thirty days, later, or without an end. */
export const tenantExpiries = ["past", "near", "later", "none"] as const;

const TenantId = Type.String({ pattern: "^[0-9]{6,12}$" });
const words = {
  tenantName: Type.String({ maxLength: 60 }),
  domainUrl: Type.Optional(Type.String({ maxLength: 200, description: "host under which its people log in" })),
  backgroundUrl: Type.Optional(Type.String({ maxLength: 400 })),
  linkman: Type.Optional(Type.String({ maxLength: 60 })),
  contactNumber: Type.Optional(Type.String({ maxLength: 30 })),
  address: Type.Optional(Type.String({ maxLength: 200 })),
};
/** Most accounts of the tenant; -1 for no limit. */
const AccountNumber = Type.Integer({ minimum: -1, maximum: 1_000_000 });
/** Date or time in Asia/Shanghai; "" for none. */
const ExpireTime = Type.String({ pattern: "^(\\d{4}-\\d{2}-\\d{2}( \\d{2}:\\d{2}:\\d{2})?)?$" });

/** An organization whose data is kept apart (wire.md 3.6, decisions.md 1). */
export const Tenant = Type.Object({
  id: Id,
  tenantId: Type.String({ description: "000000 is the group" }),
  tenantName: Type.String(),
  type: Type.String({ description: "group, enterprise or personal" }),
  domainUrl: Type.String(),
  backgroundUrl: Type.String(),
  linkman: Type.String(),
  contactNumber: Type.String(),
  address: Type.String(),
  accountNumber: Type.Integer({ description: "most accounts; -1 for no limit" }),
  expireTime: DateTime,
  packageId: Type.String({
    description: "package of menus that its members may have at most; empty for all of its kind",
  }),
  packageName: Type.String(),
  accountCount: Type.Integer({ description: "accounts that count against accountNumber" }),
  isFull: Type.Boolean({ description: "as many accounts as it may have, or more" }),
  /** Where expireTime lies; near is within thirty days. */
  expiry: Type.Enum(tenantExpiries),
  datasourceId: Type.String({ description: "always empty: all tenants share one database" }),
  licenseKey: Type.String(),
  status: Type.Integer(),
  isClosed: Type.Boolean({ description: "its customer closed the account" }),
  isDeleted: Type.Integer(),
  createTime: DateTime,
  updateTime: DateTime,
});
export type Tenant = Static<typeof Tenant>;

export const tenantPage = {
  ...reading,
  path: `${base}/page`,
  aliases: [`${base}/list`],
  summary: "Tenants by conditions, a page at a time.",
  query: Type.Object({
    ...pageQuery,
    tenantId: Type.Optional(Type.String({ maxLength: 12, description: "part of it" })),
    tenantName: Type.Optional(Type.String({ maxLength: 60, description: "part of it" })),
    contactNumber: Type.Optional(Type.String({ maxLength: 30, description: "exact" })),
    keyword: Type.Optional(Type.String({ maxLength: 60, description: "part of the name or the number" })),
    type: Type.Optional(Type.Enum(tenantTypes)),
    status: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })),
    packageId: Type.Optional(
      Type.String({ maxLength: 19, description: 'a package, or "none" for tenants without one' }),
    ),
    expiry: Type.Optional(Type.Enum(tenantExpiries)),
  }),
  reply: pageOf(Tenant),
} satisfies Endpoint;

export const tenantDetail = {
  ...reading,
  path: `${base}/detail`,
  summary: "One tenant by its id or its number.",
  query: Type.Object({ id: Type.Optional(Id), tenantId: Type.Optional(TenantId) }),
  reply: Tenant,
} satisfies Endpoint;

export const tenantFindByName = {
  ...reading,
  path: `${base}/find-by-name`,
  summary: "Tenants whose name contains a word; at most 50.",
  query: Type.Object({ name: Type.String({ minLength: 1, maxLength: 60 }) }),
  reply: Type.Array(Tenant),
} satisfies Endpoint;

export const tenantSubmit = {
  ...writing,
  path: `${base}/submit`,
  summary:
    "Adds a tenant with its roles, a department, a post and an administrator, whose first password the answer tells once; or changes one by id.",
  query: Empty,
  body: Type.Object({
    id: Type.Optional(Type.Union([Id, Type.Literal("")])),
    ...words,
    tenantName: Type.Optional(words.tenantName),
    accountNumber: Type.Optional(AccountNumber),
    expireTime: Type.Optional(ExpireTime),
    packageId: Type.Optional(Type.Union([Id, Type.Literal("")], { description: "empty for none; left out, it stays" })),
  }),
  reply: Type.Object({
    id: Id,
    tenantId: Type.String(),
    /** Login name and first password of the administrator of a new tenant. */
    administrator: Type.Optional(Type.Object({ loginName: Type.String(), password: Type.String() })),
  }),
  confirmation: "always",
} satisfies Endpoint;

export const tenantRemove = {
  ...writing,
  path: `${base}/remove`,
  access: permission("tenant_delete"),
  summary: "Closes tenants: nobody logs in there any more, their rows stay. The group's own can't be closed.",
  query: Type.Object({ ids: idList }),
  body: Type.Object({ ids: idList }),
  reply: Empty,
  confirmation: "always",
} satisfies Endpoint;

const setting = {
  ids: idList,
  accountNumber: Type.Optional(AccountNumber),
  expireTime: Type.Optional(ExpireTime),
};
export const tenantSetting = {
  ...writing,
  path: `${base}/setting`,
  summary: "Sets how many accounts tenants may have, and until when they may log in.",
  query: Type.Object(setting),
  body: Type.Object(setting),
  reply: Empty,
} satisfies Endpoint;

const place = { tenantId: Type.Optional(TenantId), datasourceId: Type.Optional(Type.String({ maxLength: 30 })) };
export const tenantDatasource = {
  ...writing,
  path: `${base}/datasource`,
  summary: "Clients of the family move a tenant to another database by this; refused, as all tenants share one.",
  query: Type.Object(place),
  body: Type.Object(place),
  reply: Empty,
} satisfies Endpoint;

export const tenantPackageDetail = {
  ...reading,
  path: `${base}/package-detail`,
  personal: {},
  summary: "The package of a tenant with the ids of its menus; an empty object for a tenant without one.",
  query: Type.Object({ tenantId: TenantId }),
  reply: Type.Object({
    id: Type.Optional(Id),
    packageName: Type.Optional(Type.String()),
    menuId: Type.Optional(Type.String({ description: "comma-separated" })),
    remark: Type.Optional(Type.String()),
  }),
} satisfies Endpoint;

const package_ = { tenantId: Type.Optional(TenantId), packageId: Type.Optional(Type.String({ maxLength: 30 })) };
export const tenantPackageSetting = {
  ...writing,
  path: `${base}/package-setting`,
  summary:
    "Gives a customer's tenant a package, or with an empty id none: its members then have what both their roles and the package hold. In force with their next request.",
  query: Type.Object(package_),
  body: Type.Object(package_),
  reply: Empty,
  confirmation: "always",
} satisfies Endpoint;

export const tenantInfo = {
  method: "GET",
  path: `${base}/info`,
  summary:
    "Which tenant a host belongs to, for the log-in page of admin clients; {} for the address that all tenants share.",
  access: publicAccess,
  owner: "nobody",
  rate: "entry",
  personal: {},
  form: "envelope",
  query: Type.Object({ domain: Type.Optional(Type.String({ maxLength: 300 })) }),
  body: Empty,
  reply: Type.Object({
    tenantId: Type.Optional(Type.String()),
    domain: Type.Optional(Type.String()),
    backgroundUrl: Type.Optional(Type.String()),
  }),
} satisfies Endpoint;
