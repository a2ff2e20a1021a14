import { Type } from "typebox";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { TenantChoice, TokenReply } from "./identity.ts";
import { Empty } from "./scalars.ts";

export const switchMultiTenant = {
  method: "GET",
  path: "/api/muyuan-auth/oauth/switch-multi-tenant",
  summary: "Gives new tokens for another tenant of the same account.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: { account: "own", user_name: "own", nick_name: "own", real_name: "own" },
  form: "bare",
  query: Type.Object({ tenantId: Type.String({ minLength: 6, maxLength: 12 }) }),
  body: Empty,
  reply: TokenReply,
} satisfies Endpoint;

export const myTenants = {
  method: "GET",
  path: "/api/muyuan-system/cms-user/my-tenants",
  summary: "Lists the tenants that the signed-in person may switch to.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Empty,
  reply: Type.Array(TenantChoice),
} satisfies Endpoint;
