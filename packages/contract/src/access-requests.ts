import { type Static, Type } from "typebox";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { Empty } from "./scalars.ts";

export const AccessRequestReply = Type.Object({
  /** Chinese names of the roles whose members were asked. */
  roles: Type.Array(Type.String()),
  /** The same access was already asked for today, so nobody was told again. */
  asked: Type.Boolean(),
});
export type AccessRequestReply = Static<typeof AccessRequestReply>;

export const accessRequest = {
  method: "POST",
  path: "/api/muyuan-system/access/request",
  summary:
    "Asks those who may give roles in the session's tenant, by a message, for a menu that the own roles lack; once per menu and day.",
  access: signedIn,
  owner: "tenant",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ menuCode: Type.String({ minLength: 1, maxLength: 64, description: "`code` of a menu" }) }),
  reply: AccessRequestReply,
} satisfies Endpoint;
