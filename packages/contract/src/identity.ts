import { type Static, Type } from "typebox";
import { TenantType } from "./codes.ts";
import { type Endpoint, publicAccess, signedIn } from "./endpoint.ts";
import { Empty, Id } from "./scalars.ts";

/** Parameters of oauth/token, which clients send as query or as a form body; both are read (wire.md 2). */
export const TokenRequest = Type.Object({
  grant_type: Type.Optional(
    Type.String({ maxLength: 40, description: "password, captcha, sms_code, qrcode or refresh_token" }),
  ),
  username: Type.Optional(Type.String({ maxLength: 64 })),
  password: Type.Optional(Type.String({ maxLength: 128, description: "MD5 of the password, hex" })),
  tenantId: Type.Optional(Type.String({ maxLength: 12 })),
  type: Type.Optional(
    Type.String({ maxLength: 20, description: "account type: personal, enterprise or employee; `account` takes any" }),
  ),
  scope: Type.Optional(Type.String({ maxLength: 100 })),
  refresh_token: Type.Optional(Type.String({ maxLength: 200 })),
  phone: Type.Optional(Type.String({ maxLength: 20, description: "grant_type=sms_code" })),
  id: Type.Optional(
    Type.String({ maxLength: 100, description: "grant_type=sms_code: id that send-validate answered" }),
  ),
  value: Type.Optional(Type.String({ maxLength: 10, description: "grant_type=sms_code: the digits" })),
  user_id: Type.Optional(
    Type.String({ maxLength: 20, description: "ignored: a session comes from a proof, never from an id" }),
  ),
  for_register: Type.Optional(Type.String({ maxLength: 10, description: "ignored, as above" })),
  qrcodeKey: Type.Optional(Type.String({ maxLength: 100, description: "grant_type=qrcode" })),
});
export type TokenRequest = Static<typeof TokenRequest>;

/** The bare answer of oauth/token, with the names of wire.md 2. */
export const TokenReply = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal("bearer"),
  refresh_token: Type.String(),
  expires_in: Type.Integer({ description: "seconds until the access token ends" }),
  scope: Type.String(),
  tenant_id: Type.String(),
  user_id: Id,
  dept_id: Type.String({ description: "comma-separated ids" }),
  post_id: Type.String({ description: "comma-separated ids" }),
  role_id: Type.String({ description: "comma-separated ids" }),
  oauth_id: Type.String(),
  client_id: Type.String(),
  account: Type.String(),
  user_name: Type.String(),
  nick_name: Type.String(),
  real_name: Type.String(),
  role_name: Type.String({ description: "comma-separated role aliases" }),
  dept_name: Type.String(),
  post_name: Type.String(),
  avatar: Type.String(),
  detail: Type.Object({
    type: Type.String(),
    /** The session can only be used to choose a new password; see `Endpoint.beforePasswordChange`. */
    mustChangePassword: Type.Optional(Type.Boolean()),
  }),
  license: Type.String(),
  jti: Type.String(),
});
export type TokenReply = Static<typeof TokenReply>;

/** The signed-in person as the web app shows it. */
export const UserInfo = Type.Object({
  user_id: Id,
  user_name: Type.String(),
  tenant_id: Type.String(),
  tenant_name: Type.String(),
  tenant_type: TenantType,
  role_name: Type.String({ description: "comma-separated role aliases" }),
  role_id: Type.String(),
  real_name: Type.String(),
  nick_name: Type.String(),
  post_name: Type.String(),
  post_id: Type.String(),
  dept_name: Type.String(),
  dept_id: Type.String(),
  account: Type.String(),
  avatar: Type.String(),
  /** Masked; "" for none. */
  phone: Type.String(),
  sideMode: Type.Enum(["light", "dark"] as const),
  /** Name of an accent colour, or #rrggbb; "" for the default. */
  activeColor: Type.String(),
  baseColor: Type.String(),
  mustChangePassword: Type.Optional(Type.Boolean()),
  /** The same under the names of wire.md 3.1, which admin clients read. */
  id: Id,
  tenantId: Type.String(),
  tenantName: Type.String(),
  name: Type.String({ description: "nickname" }),
  realName: Type.String(),
  roleId: Type.String(),
  roleName: Type.String({ description: "comma-separated names of roles" }),
  deptId: Type.String(),
  deptName: Type.String(),
  postId: Type.String(),
  postName: Type.String(),
  /** The role through which this session looks; it then reads only. */
  preview: Type.Optional(Type.Object({ roleId: Id, roleName: Type.String() })),
});
export type UserInfo = Static<typeof UserInfo>;

/** A tenant that a person may act in. */
export const TenantChoice = Type.Object({
  tenantId: Type.String(),
  tenantName: Type.String(),
  type: TenantType,
});
export type TenantChoice = Static<typeof TenantChoice>;

/** A demo account that the log-in page offers; the list is empty outside demo mode. */
export const DemoAccount = Type.Object({
  account: Type.String(),
  /** The same for all and public; it works only in demo mode. */
  password: Type.String(),
  name: Type.String(),
  description: Type.String(),
  type: Type.String({ description: "account type: personal, enterprise or employee" }),
  /** Id of a unit that visitors of the demo start in; "" when the account has no unit that its tenant shows. */
  showcaseUnitId: Type.String(),
});
export type DemoAccount = Static<typeof DemoAccount>;

export const oauthToken = {
  method: "POST",
  path: "/api/muyuan-auth/oauth/token",
  summary:
    "Logs in (grant_type password, captcha, sms_code or qrcode) or renews a session (refresh_token). Captcha-Key and Captcha-Code carry a passed captcha: captcha always needs it, password after 3 failures.",
  access: publicAccess,
  owner: "proof",
  rate: "entry",
  personal: { account: "own", user_name: "own", nick_name: "own", real_name: "own" },
  form: "bare",
  query: TokenRequest,
  body: Type.Optional(TokenRequest),
  reply: TokenReply,
} satisfies Endpoint;

export const oauthLogout = {
  method: "GET",
  path: "/api/muyuan-auth/oauth/logout",
  summary: "Ends the session of the token that is sent; without a valid token it changes nothing.",
  access: publicAccess,
  owner: "self",
  rate: "entry",
  personal: {},
  form: "bare",
  query: Empty,
  body: Empty,
  reply: Type.Object({ success: Type.String(), msg: Type.String() }),
} satisfies Endpoint;

export const multiTenant = {
  method: "GET",
  path: "/api/muyuan-system/cms-user/skip-secure/multi-tenant",
  summary: "Lists the tenants of a login name; an unknown name has the same shape with no rows.",
  access: publicAccess,
  owner: "named",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Type.Object({ username: Type.String({ minLength: 1, maxLength: 64 }) }),
  body: Empty,
  reply: Type.Array(TenantChoice),
} satisfies Endpoint;

export const userInfo = {
  method: "GET",
  path: "/api/muyuan-system/user/info",
  summary: "Tells who the owner of the token is.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: {
    user_name: "own",
    real_name: "own",
    nick_name: "own",
    realName: "own",
    account: "own",
    phone: "mask-phone",
  },
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: UserInfo,
  beforePasswordChange: true,
} satisfies Endpoint;

/** Reasons of a refusal by oauth/token that a client acts on: the field `reason` of the bare answer. */
export const logInReasons = {
  /** A captcha is required after failures of this name or from this address. */
  captchaWanted: "login.captcha_wanted",
  /** Unknown account, another type of account, or wrong password; the answer does not tell which. */
  wrongPassword: "login.wrong_password",
} as const;

export const demoAccounts = {
  method: "GET",
  path: "/api/muyuan-system/settings/skip-secure/demo-accounts",
  summary: "Lists the demo accounts while the portal runs in demo mode.",
  access: publicAccess,
  owner: "nobody",
  rate: "read",
  personal: { account: "invented" },
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Type.Array(DemoAccount),
} satisfies Endpoint;
