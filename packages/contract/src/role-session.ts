import { type Static, Type } from "typebox";
import { type Endpoint, permission, signedIn } from "./endpoint.ts";
import { Empty, Id } from "./scalars.ts";

/** A session that looks through a role. */
export const RoleSession = Type.Object({
  /** Access token of the preview; it can't be renewed. */
  token: Type.String(),
  /** Seconds until it ends by itself. */
  lifetimeS: Type.Integer({ minimum: 0 }),
  roleName: Type.String(),
});
export type RoleSession = Static<typeof RoleSession>;

export const roleSessionOpen = {
  method: "POST",
  path: "/api/muyuan-system/role/preview-session",
  summary:
    "Opens a session that shows the portal as a role of the own tenant sees it: it reads what the role and the caller both may, changes nothing, and ends after half an hour, by leaving it, or with the caller's session.",
  access: permission("role_view"),
  owner: "tenants",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ roleId: Id }),
  reply: RoleSession,
} satisfies Endpoint;

export const roleSessionLeave = {
  method: "POST",
  path: "/api/muyuan-system/role/preview-session/leave",
  summary: "Ends the preview of a role whose token is sent; in any other session it changes nothing.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Empty,
  allowedInPreview: true,
} satisfies Endpoint;
