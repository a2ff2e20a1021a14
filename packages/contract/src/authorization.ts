import { type Static, Type } from "typebox";
import { type Endpoint, permission, publicAccess, signedIn } from "./endpoint.ts";
import { DateTime, Empty, Id, pageOf, pageQuery } from "./scalars.ts";

/**
 * Paths of the OAuth 2.1 and OpenID Connect endpoints. The authorization server serves them in the form of these standards,
 * without the envelope.
 */
export const oauth2Paths = {
  authorize: "/api/muyuan-auth/oauth2/authorize",
  token: "/api/muyuan-auth/oauth2/token",
  revoke: "/api/muyuan-auth/oauth2/revoke",
  /** RFC 7662 introspection: whether a token of the calling application is still active. */
  introspect: "/api/muyuan-auth/oauth2/introspect",
  userinfo: "/api/muyuan-auth/oauth2/userinfo",
  jwks: "/api/muyuan-auth/oauth2/jwks",
  /** OpenID Connect RP-Initiated Logout 1.0. */
  endSession: "/api/muyuan-auth/oauth2/end-session",
  discovery: "/.well-known/openid-configuration",
  /** The same document for clients that know only OAuth (RFC 8414). */
  serverMetadata: "/.well-known/oauth-authorization-server",
  /** Page of the web app that asks for consent; carries `authorizeKey`. */
  page: "/authorize",
  /** Page of the web app that asks whether to end the portal's own session as well; carries the request's parameters. */
  endSessionPage: "/endSession",
} as const;

export const EndSessionInfo = Type.Object({
  clientName: Type.String({ description: '"" where the request names no application' }),
  redirectHost: Type.String({ description: "host that the browser goes on to" }),
  location: Type.String({ description: 'where the browser goes on to, with the state; "" to stay at the portal' }),
});
export type EndSessionInfo = Static<typeof EndSessionInfo>;

export const endSessionInfo = {
  method: "GET",
  path: "/api/muyuan-auth/oauth2/end-session-info",
  summary:
    "Who asked for a log-out and where it goes on, for the page that asks; only to an address that is registered.",
  access: publicAccess,
  owner: "nobody",
  rate: "entry",
  personal: {},
  form: "envelope",
  query: Type.Object({
    clientId: Type.Optional(Type.String({ maxLength: 100 })),
    postLogoutRedirectUri: Type.Optional(Type.String({ maxLength: 2000 })),
    state: Type.Optional(Type.String({ maxLength: 1000 })),
  }),
  body: Empty,
  reply: EndSessionInfo,
} satisfies Endpoint;

export const endSessionAnswer = {
  method: "POST",
  path: "/api/muyuan-auth/oauth2/end-session-answer",
  summary: "Ends what an application holds of the signed-in person; the consent stays.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ clientId: Type.String({ minLength: 1, maxLength: 100 }) }),
  reply: Empty,
} satisfies Endpoint;

export const AuthorizeInfo = Type.Object({
  clientName: Type.String(),
  logo: Type.String(),
  /** Host that the person is redirected to. */
  redirectHost: Type.String(),
  scopes: Type.Array(Type.Object({ scope: Type.String(), words: Type.String(), required: Type.Boolean() })),
  account: Type.String(),
  nickName: Type.String(),
  tenantName: Type.String(),
});
export type AuthorizeInfo = Static<typeof AuthorizeInfo>;

export const authorizeInfo = {
  method: "GET",
  path: "/api/muyuan-auth/oauth2/authorize-info",
  summary: "What an application asks for, for the consent page.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: { account: "own", nickName: "own" },
  form: "envelope",
  query: Type.Object({ authorizeKey: Type.String({ minLength: 1, maxLength: 100 }) }),
  body: Empty,
  reply: AuthorizeInfo,
} satisfies Endpoint;

export const approveLocation = {
  method: "POST",
  path: "/api/muyuan-auth/oauth2/approve-location",
  summary: "Grants or refuses; answers where the browser goes next.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    authorizeKey: Type.String({ minLength: 1, maxLength: 100 }),
    approved: Type.Boolean(),
    scopes: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20 })),
  }),
  reply: Type.Object({ location: Type.String() }),
} satisfies Endpoint;

/** An application that the signed-in person has authorized. */
export const Grant = Type.Object({
  id: Type.String(),
  clientName: Type.String(),
  logo: Type.String(),
  scopes: Type.Array(Type.String(), { description: "in words" }),
  createTime: DateTime,
});
export type Grant = Static<typeof Grant>;

export const grantList = {
  method: "GET",
  path: "/api/muyuan-auth/oauth2/grant/list",
  summary: "Applications that the signed-in person let in.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Type.Array(Grant),
} satisfies Endpoint;

export const grantRemove = {
  method: "POST",
  path: "/api/muyuan-auth/oauth2/grant/remove",
  summary: "Takes the consent back; the application's tokens end.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Type.Object({ ids: Type.String({ minLength: 1, maxLength: 2000 }) }),
  body: Empty,
  reply: Empty,
} satisfies Endpoint;

/** A registered application (wire.md 3.11). Its secret is shown once, when it is created. */
export const OAuthClient = Type.Object({
  id: Id,
  clientId: Type.String(),
  name: Type.String(),
  logo: Type.String(),
  scope: Type.String({ description: "comma-separated" }),
  authorizedGrantTypes: Type.String({ description: "comma-separated" }),
  webServerRedirectUri: Type.String({ description: "comma-separated; compared exactly" }),
  postLogoutRedirectUri: Type.String({ description: "comma-separated; where a log-out may go on; compared exactly" }),
  accessTokenValidity: Type.Integer({ description: "seconds" }),
  refreshTokenValidity: Type.Integer({ description: "seconds" }),
  publicClient: Type.Boolean({ description: "has no secret: a browser or phone application" }),
  /** Fields of the family that have no meaning here; the secret is never shown again. */
  clientSecret: Type.Literal(""),
  resourceIds: Type.Literal(""),
  authorities: Type.Literal(""),
  autoapprove: Type.Literal(""),
  additionalInformation: Type.Literal(""),
  createTime: DateTime,
});
export type OAuthClient = Static<typeof OAuthClient>;

export const clientList = {
  method: "GET",
  path: "/api/muyuan-system/client/list",
  summary: "Registered applications.",
  access: permission("client_view"),
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object(pageQuery),
  body: Empty,
  reply: pageOf(OAuthClient),
} satisfies Endpoint;

export const clientDetail = {
  method: "GET",
  path: "/api/muyuan-system/client/detail",
  summary: "One registered application.",
  access: permission("client_view"),
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: OAuthClient,
} satisfies Endpoint;

export const clientSubmit = {
  method: "POST",
  path: "/api/muyuan-system/client/submit",
  summary: "Registers an application, or changes one by id; answers the secret of a new confidential one, once.",
  access: permission("client_edit"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    id: Type.Optional(Id),
    name: Type.String({ minLength: 1, maxLength: 60 }),
    logo: Type.Optional(Type.String({ maxLength: 400 })),
    webServerRedirectUri: Type.String({ minLength: 1, maxLength: 2000 }),
    postLogoutRedirectUri: Type.Optional(
      Type.String({ maxLength: 2000, description: "comma-separated; left out, it stays as it is" }),
    ),
    scope: Type.Optional(Type.String({ maxLength: 200 })),
    publicClient: Type.Optional(Type.Boolean()),
  }),
  reply: Type.Object({ id: Id, clientId: Type.String(), clientSecret: Type.String() }),
  confirmation: "always",
} satisfies Endpoint;

export const clientRemove = {
  method: "POST",
  path: "/api/muyuan-system/client/remove",
  summary: "Removes applications; their tokens end.",
  access: permission("client_edit"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Type.Object({ ids: Type.String({ minLength: 1, maxLength: 2000 }) }),
  body: Empty,
  reply: Empty,
  confirmation: "always",
} satisfies Endpoint;
