import { type Static, Type } from "typebox";
import { type Endpoint, permission, signedIn } from "./endpoint.ts";
import { DateTime, Empty, Id, idList } from "./scalars.ts";

/** What a personal access token may be used for; `tokenOperations` lists the operations of each. */
export const tokenScopes = [
  "farms:read",
  "devices:read",
  "history:read",
  "alarms:read",
  "alarms:write",
  "orders:read",
  "work-orders:read",
  "contracts:read",
] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** Begins every personal access token, so that scanners of leaked secrets know one. */
export const tokenPrefix = "hwp_";
/** Whole form of a token: the prefix, 12 characters that find it, 40 of the secret, 6 of a checksum. */
export const tokenPattern = "hwp_[0-9A-Za-z]{58}";
/** Days that a new token lives unless the person says otherwise, and at most. */
export const tokenDays = { usual: 90, most: 365 } as const;
/** Tokens that a person may have at a time. */
export const mostTokens = 20;

const base = "/api/muyuan-auth/personal-token";
const scopeList = Type.Array(Type.Enum(tokenScopes), { minItems: 1, maxItems: tokenScopes.length });

export const PersonalToken = Type.Object({
  id: Id,
  /** Name that the person gave it. */
  tokenName: Type.String(),
  /** How the token begins, without its secret. */
  begins: Type.String(),
  scopes: Type.Array(Type.Enum(tokenScopes)),
  tenantName: Type.String({ description: "organization whose rows it reaches" }),
  state: Type.Enum(["active", "expired", "ended"] as const),
  createTime: DateTime,
  expireTime: DateTime,
  /** To the minute; "" for never. */
  lastUsedAt: DateTime,
  address: Type.String({ description: "of the last use, with its last part hidden" }),
});
export type PersonalToken = Static<typeof PersonalToken>;

export const personalTokenList = {
  method: "GET",
  path: `${base}/list`,
  summary: "The own personal access tokens, newest first, those that ended within the last 90 days too.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: { address: "mask-address" },
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Type.Array(PersonalToken),
} satisfies Endpoint;

export const personalTokenSubmit = {
  method: "POST",
  path: `${base}/submit`,
  summary: "Makes a personal access token for the current organization; its text is answered once and never again.",
  access: signedIn,
  owner: "self",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    tokenName: Type.String({ minLength: 1, maxLength: 60 }),
    scopes: scopeList,
    days: Type.Integer({ minimum: 1, maximum: tokenDays.most, default: tokenDays.usual }),
  }),
  reply: Type.Object({ id: Id, token: Type.String(), expireTime: DateTime }),
  confirmation: "always",
} satisfies Endpoint;

export const personalTokenRemove = {
  method: "POST",
  path: `${base}/remove`,
  summary: "Ends own personal access tokens at once.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Type.Object({ ids: idList }),
  body: Empty,
  reply: Empty,
} satisfies Endpoint;

/** Whose a token is that somebody found. */
export const FoundToken = Type.Object({
  ...PersonalToken.properties,
  accountId: Id,
  account: Type.String({ description: "login name" }),
  personName: Type.String(),
  tenantId: Type.String(),
});
export type FoundToken = Static<typeof FoundToken>;

export const leakedTokenFind = {
  method: "POST",
  path: `${base}/leaked`,
  summary:
    "Whose personal access token it is that somebody found: by its whole text, by its first 16 characters, or by a text that holds it. The text is not stored.",
  access: permission("session_view"),
  owner: "group",
  rate: "guarded",
  personal: { account: "granted", personName: "granted", address: "mask-address" },
  form: "envelope",
  query: Empty,
  body: Type.Object({ token: Type.String({ minLength: 16, maxLength: 2000 }) }),
  reply: FoundToken,
} satisfies Endpoint;

export const leakedTokenEnd = {
  method: "POST",
  path: `${base}/end`,
  summary: "Ends the personal access token of somebody at once. The person is told, and the audit trail has it.",
  access: permission("session_end"),
  owner: "group",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Empty,
  confirmation: "always",
} satisfies Endpoint;
