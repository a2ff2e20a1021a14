import { type Static, Type } from "typebox";
import { passwordRulePattern } from "./account-rules.ts";
import { type Endpoint, permission, publicAccess, signedIn } from "./endpoint.ts";
import { importEndpointsOf } from "./resource/imports.ts";
import { DateTime, Empty, Id, idList, mostFound, pageOf, pageQuery } from "./scalars.ts";
import { userSheet } from "./user-sheet.ts";

/**
 * A member of a tenant as administrators see it (wire.md 3.1).
 * Roles, departments and posts are comma-separated texts, because clients of the family split them.
 * Phone and e-mail are masked; a masked value that is sent back with a change leaves the stored value unchanged.
 */
export const User = Type.Object({
  id: Id,
  tenantId: Type.String(),
  tenantName: Type.String(),
  /** The tenant's own number for the person. */
  code: Type.String(),
  userType: Type.Integer({ description: "platform: 1 web, 2 app, 3 other" }),
  userTypeName: Type.String(),
  account: Type.String(),
  /** Nickname. */
  name: Type.String(),
  realName: Type.String(),
  avatar: Type.String(),
  email: Type.String({ description: "masked" }),
  phone: Type.String({ description: "masked" }),
  birthday: DateTime,
  sex: Type.Integer({ description: "1 male, 2 female, 3 unknown" }),
  sexName: Type.String(),
  roleId: Type.String(),
  roleName: Type.String(),
  deptId: Type.String(),
  deptName: Type.String(),
  postId: Type.String(),
  postName: Type.String(),
  /** 1: may sign in; 0: may not. */
  status: Type.Integer(),
  isDeleted: Type.Integer(),
  createUser: Type.String({ description: "id of the account that let the person in; empty for who registered" }),
  createDept: Type.String({ description: "id of that person's department then" }),
  createTime: DateTime,
  updateUser: Type.String({ description: "id of the account that changed the user last in this tenant" }),
  updateTime: DateTime,
  lastLoginTime: { ...DateTime, description: "empty for who has not signed in to this tenant yet" },
  userExt: Type.String(),
  /** Password log-in is locked after wrong passwords; `user/unlock` unlocks it. */
  locked: Type.Boolean(),
  /** The next log-in asks for a new password. */
  mustChangePassword: Type.Boolean(),
  /** The owner proved the phone number, so a password reset is sent to it. */
  phoneProven: Type.Boolean(),
  /** The person is also a member of other tenants, so only roles, departments, posts, number and status can be changed here. */
  shared: Type.Boolean(),
  /** Must be sent back with a change; the change is refused when somebody else changed the user meanwhile. */
  version: Type.Integer(),
});
export type User = Static<typeof User>;

/** Rules for personal fields of `User`: the permission includes names and birthday; the rest stays masked. */
const personal = {
  account: "granted",
  realName: "granted",
  birthday: "granted",
  phone: "mask-phone",
  email: "mask-email",
} as const;

/** Tenant of the operation; only the group's staff can name another than their own. */
const tenantId = Type.Optional(Type.String({ maxLength: 12, description: "group staff only" }));

export const userSorts = ["account", "real_name", "create_time", "update_time"] as const;

export const userPage = {
  method: "GET",
  path: "/api/muyuan-system/user/page",
  summary: `Users of the own tenant; for the group's staff those of all tenants. Of a word, role, department or post at most ${mostFound}.`,
  access: permission("user_view"),
  owner: "tenants",
  rate: "read",
  personal,
  form: "envelope",
  query: Type.Object({
    ...pageQuery,
    tenantId,
    account: Type.Optional(Type.String({ maxLength: 64, description: "exact" })),
    realName: Type.Optional(Type.String({ maxLength: 64, description: "exact" })),
    userType: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
    status: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })),
    roleId: Type.Optional(Id),
    deptId: Type.Optional(
      Type.Union([Id, Type.Literal("")], { description: "who stands in this department or in one below it" }),
    ),
    postId: Type.Optional(Type.Union([Id, Type.Literal("")])),
    keyword: Type.Optional(Type.String({ maxLength: 64, description: "part of account, name, nickname or number" })),
  }),
  body: Empty,
  reply: pageOf(User),
} satisfies Endpoint;

/** Conditions with the suffixes of wire.md 1.4. */
const suffixed = {
  account_equal: Type.Optional(Type.String({ maxLength: 64 })),
  account_like: Type.Optional(Type.String({ maxLength: 64 })),
  realName_equal: Type.Optional(Type.String({ maxLength: 64 })),
  realName_like: Type.Optional(Type.String({ maxLength: 64 })),
  name: Type.Optional(Type.String({ maxLength: 64, description: "part of account, name, nickname or number" })),
  name_like: Type.Optional(Type.String({ maxLength: 64 })),
};

export const userList = {
  method: "GET",
  path: "/api/muyuan-system/user/list",
  summary: "As user/page, with account and name by a part of them, as admin clients of the family search.",
  access: permission("user_view"),
  owner: "tenants",
  rate: "read",
  personal,
  form: "envelope",
  query: Type.Object({
    ...userPage.query.properties,
    account: Type.Optional(Type.String({ maxLength: 64, description: "part of it" })),
    realName: Type.Optional(Type.String({ maxLength: 64, description: "part of it" })),
    ...suffixed,
  }),
  body: Empty,
  reply: pageOf(User),
} satisfies Endpoint;

export const userChoices = {
  method: "GET",
  path: "/api/muyuan-system/user/user-list",
  summary: "Users by a part of account or name, without pages; at most 500.",
  access: permission("user_view"),
  owner: "tenants",
  rate: "read",
  personal,
  form: "envelope",
  query: Type.Object({
    tenantId,
    account: userList.query.properties.account,
    realName: userList.query.properties.realName,
    ...suffixed,
    userType: userPage.query.properties.userType,
    roleId: userPage.query.properties.roleId,
    deptId: userPage.query.properties.deptId,
    postId: userPage.query.properties.postId,
  }),
  body: Empty,
  reply: Type.Array(User),
} satisfies Endpoint;

export const userSearch = {
  method: "GET",
  path: "/api/muyuan-system/search/user",
  summary: "Users by a part of their name and of the names of their departments and posts.",
  access: permission("user_view"),
  owner: "tenants",
  rate: "read",
  personal,
  form: "envelope",
  query: Type.Object({
    ...pageQuery,
    tenantId,
    name: Type.Optional(Type.String({ maxLength: 64 })),
    deptName: Type.Optional(Type.String({ maxLength: 64 })),
    postName: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  body: Empty,
  reply: pageOf(User),
} satisfies Endpoint;

const platform = {
  userType: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
  userExt: Type.Optional(Type.String({ maxLength: 2000, description: "JSON or text of that platform's client" })),
};
export const userUpdatePlatform = {
  method: "POST",
  path: "/api/muyuan-system/user/update-platform",
  summary: "Keeps what a platform (web, app, other) knows of a user.",
  access: permission("user_edit"),
  owner: "tenants",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Type.Object({ userId: Type.Optional(Id), ...platform, tenantId }),
  body: Type.Object({ userId: Type.Optional(Id), ...platform, tenantId }),
  reply: Empty,
} satisfies Endpoint;

export const userPlatformDetail = {
  method: "GET",
  path: "/api/muyuan-system/user/platform-detail",
  summary: "One user with what the platform of its type knows in userExt.",
  access: permission("user_view"),
  owner: "tenants",
  rate: "read",
  personal,
  form: "envelope",
  query: Type.Object({ id: Id, tenantId }),
  body: Empty,
  reply: User,
} satisfies Endpoint;

export const userRegisterGuest = {
  method: "POST",
  path: "/api/muyuan-system/user/register-guest",
  summary: "Clients of the family register guests by this; refused, as a registration proves a phone here.",
  access: publicAccess,
  owner: "nobody",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Empty,
} satisfies Endpoint;

const sheet = (path: string, access: string, summary: string) =>
  ({
    method: "GET",
    path: `/api/muyuan-system/user/${path}`,
    summary,
    access: permission(access),
    owner: "tenants",
    rate: "guarded",
    personal: {},
    form: "file",
    query: Type.Object({
      tenantId,
      account: userList.query.properties.account,
      realName: userList.query.properties.realName,
    }),
    body: Empty,
    reply: Empty,
  }) as const satisfies Endpoint;
export const userExport = sheet(
  "export-user",
  "user_export",
  "Users as a sheet with the columns of the family; phones and e-mail addresses are masked.",
);
export const userTemplate = sheet("export-template", "user_import", "An empty sheet for an import of users.");

export const userImport = {
  method: "POST",
  path: "/api/muyuan-system/user/import-user",
  summary:
    "Adds the users of a sheet with the columns of the template, all or none; existing accounts of their tenant are changed with isCovered=1 and refused otherwise. Answers the first passwords once.",
  access: permission("user_import"),
  owner: "tenants",
  rate: "guarded",
  personal: { account: "granted" },
  form: "envelope",
  upload: true,
  query: Type.Object({ isCovered: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })) }),
  body: Empty,
  reply: Type.Object({
    added: Type.Integer(),
    changed: Type.Integer(),
    /** Random first passwords of new users. */
    passwords: Type.Array(Type.Object({ account: Type.String(), password: Type.String() })),
  }),
  confirmation: "always",
} satisfies Endpoint;

export const {
  begin: userSheetBegin,
  page: userSheetPage,
  detail: userSheetDetail,
  rows: userSheetRows,
  reread: userSheetReread,
  correct: userSheetCorrect,
  write: userSheetWrite,
  undo: userSheetUndo,
  cancel: userSheetCancel,
  template: userSheetTemplate,
  marked: userSheetMarked,
} = importEndpointsOf(userSheet);

export const userFirstPasswords = {
  method: "POST",
  path: "/api/muyuan-system/user/first-passwords",
  summary:
    "Gives random first passwords to the users that an import added and who have none of their own yet, by a job; its file tells each once.",
  access: permission("user_import"),
  owner: "tenants",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ importId: Id }),
  reply: Type.Object({ jobId: Id }),
  confirmation: "always",
} satisfies Endpoint;

export const userExportRows = {
  method: "POST",
  path: "/api/muyuan-system/user/export",
  summary:
    "Begins an export of the users that conditions select, as a job, with the columns of an import; phones and e-mail addresses are masked.",
  access: permission("user_export"),
  owner: "tenants",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    ids: Type.Optional(Type.String({ maxLength: 20_000, description: "comma-separated; conditions don't count then" })),
    where: Type.Optional(Type.Omit(userPage.query, ["current", "size"])),
  }),
  reply: Type.Object({ jobId: Id }),
} satisfies Endpoint;

export const userDetail = {
  method: "GET",
  path: "/api/muyuan-system/user/detail",
  summary: "One user.",
  access: permission("user_view"),
  owner: "tenants",
  rate: "read",
  personal,
  form: "envelope",
  query: Type.Object({ id: Id, tenantId }),
  body: Empty,
  reply: User,
} satisfies Endpoint;

/** Body of a form; a field that is left out stays as it is. */
export const UserChange = Type.Object({
  id: Type.Optional(Type.Union([Id, Type.Literal("")])),
  tenantId,
  account: Type.Optional(Type.String({ maxLength: 64 })),
  password: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        "MD5 hex, or raw text from clients of the family; new users only, who choose another at first log-in",
    }),
  ),
  passwordRule: Type.Optional(
    Type.String({
      pattern: passwordRulePattern,
      description: "rule that the form checked, such as 8-3; refused when a stricter one is in force by now",
    }),
  ),
  code: Type.Optional(Type.String({ maxLength: 32 })),
  userType: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
  name: Type.Optional(Type.String({ maxLength: 32 })),
  realName: Type.Optional(Type.String({ maxLength: 64 })),
  email: Type.Optional(Type.String({ maxLength: 120 })),
  phone: Type.Optional(Type.String({ maxLength: 20 })),
  birthday: Type.Optional(Type.String({ pattern: "^(\\d{4}-\\d{2}-\\d{2}( \\d{2}:\\d{2}:\\d{2})?)?$" })),
  sex: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
  roleId: Type.Optional(Type.String({ maxLength: 2000, description: "comma-separated" })),
  deptId: Type.Optional(Type.String({ maxLength: 2000, description: "comma-separated departments of the tenant" })),
  postId: Type.Optional(Type.String({ maxLength: 2000, description: "comma-separated posts of the tenant" })),
  status: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })),
  version: Type.Optional(Type.Integer()),
});
export type UserChange = Static<typeof UserChange>;

/** Whether the new phone waits 48 hours, because its owner had proven the old one. */
const phoneWaits = Type.Boolean({ description: "the new phone waits 48 hours, as the person had proven the old one" });

export const userSubmit = {
  method: "POST",
  path: "/api/muyuan-system/user/submit",
  summary: "Adds a user (no id) or changes one; answers a random first password, once, where none was given.",
  access: permission("user_edit"),
  owner: "tenants",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: UserChange,
  reply: Type.Object({ id: Id, password: Type.Optional(Type.String()), phoneWaits: Type.Optional(phoneWaits) }),
  confirmation: "depends",
} satisfies Endpoint;

export const userUpdate = {
  method: "POST",
  path: "/api/muyuan-system/user/update",
  summary: "Changes a user; a password is ignored.",
  access: permission("user_edit"),
  owner: "tenants",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ ...UserChange.properties, id: Id }),
  reply: Type.Object({ phoneWaits }),
  confirmation: "depends",
} satisfies Endpoint;

export const userStatus = {
  method: "POST",
  path: "/api/muyuan-system/user/status",
  summary:
    "Disables or enables users of one or several tenants, all or none. Refused with a problem for each that can't be, whose field is the user's id. Needs a log-in or a confirmation in the last 5 minutes where somebody is let in again.",
  access: permission("user_edit"),
  owner: "tenants",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    users: Type.Array(Type.Object({ id: Id, tenantId: Type.String({ maxLength: 12 }) }), {
      minItems: 1,
      maxItems: 500,
    }),
    status: Type.Integer({ minimum: 0, maximum: 1, description: "0 disabled, 1 enabled" }),
  }),
  reply: Type.Object({
    changed: Type.Array(Type.Object({ id: Id, tenantId: Type.String() }), {
      description: "those who were not so before",
    }),
  }),
  confirmation: "depends",
} satisfies Endpoint;

export const userRemove = {
  method: "POST",
  path: "/api/muyuan-system/user/remove",
  summary: "Takes users out of the tenant; who is in no other is removed for good.",
  access: permission("user_delete"),
  owner: "tenants",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Type.Object({ ids: idList, tenantId }),
  body: Type.Object({ ids: idList, tenantId }),
  reply: Empty,
} satisfies Endpoint;

export const userGrant = {
  method: "POST",
  path: "/api/muyuan-system/user/grant",
  summary: "Gives users exactly these roles.",
  access: permission("user_grant"),
  owner: "tenants",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Type.Object({ userIds: idList, roleIds: idList, tenantId }),
  body: Type.Object({ userIds: idList, roleIds: idList, tenantId }),
  reply: Empty,
  confirmation: "always",
} satisfies Endpoint;

export const userResetPassword = {
  method: "POST",
  path: "/api/muyuan-system/user/reset-password",
  summary:
    "Ends the old password and every session. Who proved a phone gets a link there with which they choose a new one; for others the configured password is set, or a random one, which the answer shows once, and the next log-in asks for a new one. Needs a log-in or a confirmation in the last 5 minutes.",
  access: permission("user_reset"),
  owner: "tenants",
  rate: "write",
  personal: { account: "granted", phone: "mask-phone" },
  form: "envelope",
  query: Type.Object({ userIds: idList, tenantId }),
  body: Type.Object({ userIds: idList, tenantId }),
  reply: Type.Object({
    passwords: Type.Optional(Type.Array(Type.Object({ account: Type.String(), password: Type.String() }))),
    /** Accounts that get a link, with the phone numbers that it is sent to. */
    sent: Type.Optional(Type.Array(Type.Object({ account: Type.String(), phone: Type.String() }))),
  }),
  confirmation: "always",
} satisfies Endpoint;

export const userUnlock = {
  method: "POST",
  path: "/api/muyuan-system/user/unlock",
  summary: "Lifts the lock after wrong passwords.",
  access: permission("user_reset"),
  owner: "tenants",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Type.Object({ userIds: idList, tenantId }),
  body: Type.Object({ userIds: idList, tenantId }),
  reply: Empty,
} satisfies Endpoint;

/** A role that can be given to a user. */
export const RoleChoice = Type.Object({
  id: Id,
  tenantId: Type.String(),
  parentId: Type.String(),
  roleName: Type.String(),
  roleAlias: Type.String(),
  sort: Type.Integer(),
  /** Whether the caller may give it: a person can grant only what they hold. */
  grantable: Type.Boolean(),
});
export type RoleChoice = Static<typeof RoleChoice>;

export const roleSelect = {
  method: "GET",
  path: "/api/muyuan-system/role/select",
  summary: "The roles of the own tenant, or of another one for the group's staff.",
  access: permission("user_view"),
  owner: "tenants",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ tenantId }),
  body: Empty,
  reply: Type.Array(RoleChoice),
} satisfies Endpoint;

export const tenantSelect = {
  method: "GET",
  path: "/api/muyuan-system/tenant/select",
  summary: "The own tenant; for the group's staff all tenants, limited to a part of the name.",
  access: signedIn,
  owner: "tenants",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ tenantName: Type.Optional(Type.String({ maxLength: 60 })) }),
  body: Empty,
  reply: Type.Array(Type.Object({ tenantId: Type.String(), tenantName: Type.String() })),
} satisfies Endpoint;
