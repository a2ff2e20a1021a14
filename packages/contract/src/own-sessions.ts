import { type Static, Type } from "typebox";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { DateTime, Empty, Id } from "./scalars.ts";

/** A log-in of the signed-in person. */
export const SessionRow = Type.Object({
  id: Id,
  /** Browser and system, from the user agent. */
  device: Type.String(),
  /** IP address with its last part hidden. */
  address: Type.String(),
  tenantName: Type.String(),
  createTime: DateTime,
  lastSeenAt: DateTime,
  current: Type.Boolean(),
});
export type SessionRow = Static<typeof SessionRow>;

export const sessionList = {
  method: "GET",
  path: "/api/muyuan-auth/session/list",
  summary: "The own sessions that are open.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: { address: "mask-address" },
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Type.Array(SessionRow),
} satisfies Endpoint;

export const sessionRemove = {
  method: "POST",
  path: "/api/muyuan-auth/session/remove",
  summary: "Ends own sessions by their ids, comma-separated.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Type.Object({ ids: Type.String({ minLength: 1, maxLength: 2000 }) }),
  body: Empty,
  reply: Empty,
} satisfies Endpoint;

export const sessionConfirm = {
  method: "POST",
  path: "/api/muyuan-auth/session/confirm",
  summary:
    "Proves by the own password who is calling; for 5 minutes, as after a log-in, the session may do what asks for it.",
  access: signedIn,
  owner: "self",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    password: Type.String({ pattern: "^[0-9a-fA-F]{32}$", description: "MD5 of the password, hex" }),
  }),
  reply: Empty,
} satisfies Endpoint;

/** Appearance of the interface for a person, stored with the account. */
export const Appearance = Type.Object({
  sideMode: Type.Optional(Type.Enum(["light", "dark"] as const)),
  activeColor: Type.Optional(Type.String({ pattern: "^(leaf|water|clay|#[0-9a-fA-F]{6})$" })),
  baseColor: Type.Optional(Type.String({ pattern: "^(leaf|water|clay|#[0-9a-fA-F]{6})$" })),
});
export type Appearance = Static<typeof Appearance>;

/** `PUT /user/setSelfInfo` of product.md 7, whose answer has no envelope and code 0. */
export const setSelfInfo = {
  method: "PUT",
  path: "/api/user/setSelfInfo",
  aliases: ["/user/setSelfInfo"],
  summary: "Keeps side mode and colours with the account.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "bare",
  query: Empty,
  body: Appearance,
  reply: Type.Object({ code: Type.Integer(), msg: Type.String() }),
} satisfies Endpoint;
