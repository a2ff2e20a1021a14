import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "./endpoint.ts";
import { DateTime, Empty, Id, idList, pageOf, pageQuery } from "./scalars.ts";

const base = "/api/muyuan-auth/session/online";

/** A log-in that can still be used. */
export const OnlineSession = Type.Object({
  id: Id,
  accountId: Id,
  account: Type.String({ description: "login name" }),
  personName: Type.String(),
  tenantId: Type.String(),
  tenantName: Type.String(),
  /** Browser and system, from the user agent. */
  device: Type.String(),
  address: Type.String({ description: "last part hidden" }),
  createTime: DateTime,
  lastSeenAt: DateTime,
  /** The session of whoever asks. */
  current: Type.Boolean(),
});
export type OnlineSession = Static<typeof OnlineSession>;

export const onlineSessionPage = {
  method: "GET",
  path: `${base}/page`,
  summary: "Who is logged in: every session that can still be used, the one used last first.",
  access: permission("session_view"),
  owner: "group",
  rate: "read",
  personal: { account: "granted", personName: "granted", address: "mask-address" },
  form: "envelope",
  query: Type.Object({
    ...pageQuery,
    keyword: Type.Optional(
      Type.String({ maxLength: 64, description: "part of the person's or the tenant's name, or of the login name" }),
    ),
    accountId: Type.Optional(Type.String({ pattern: "^\\d{1,19}$" })),
    tenantId: Type.Optional(Type.String({ maxLength: 12 })),
    seen: Type.Optional(Type.Enum(["hour", "day"] as const, { description: "used within the last hour, or day" })),
  }),
  body: Empty,
  reply: pageOf(OnlineSession),
} satisfies Endpoint;

export const onlineSessionEnd = {
  method: "POST",
  path: `${base}/end`,
  summary:
    "Ends sessions by their ids, or all of a person, in force within a second, live streams included. The person is told, and the audit trail has it. The session of the caller stays.",
  access: permission("session_end"),
  owner: "group",
  rate: "guarded",
  personal: {},
  form: "envelope",
  confirmation: "always",
  query: Empty,
  body: Type.Object({
    ids: idList,
    accountId: Type.Optional(Type.String({ pattern: "^\\d{1,19}$", description: "all of this person instead" })),
  }),
  reply: Type.Object({ ended: Type.Integer() }),
} satisfies Endpoint;
