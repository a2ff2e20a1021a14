import { Type } from "typebox";
import { type Endpoint, publicAccess, signedIn } from "./endpoint.ts";
import { Empty, Id } from "./scalars.ts";

/** Answers of the mall's host: `code: 1` is success. */
const mallReply = <T extends Parameters<typeof Type.Optional>[0]>(data: T) =>
  Type.Object({ code: Type.Integer({ description: "1 when it went well" }), msg: Type.String(), data });

export const mallLoginCode = {
  method: "POST",
  path: "/api/mall-auth-server/user/login/muyuan/code",
  aliases: ["/mall-auth-server/user/login/muyuan/code"],
  summary: "Makes a one-time code with which the mall signs this person in; at most one per 3 s.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "bare",
  query: Empty,
  body: Type.Object({ userId: Type.Optional(Id), loginPlatform: Type.Optional(Type.Integer()) }),
  reply: mallReply(Type.String({ description: "the code" })),
} satisfies Endpoint;

export const customerService = {
  method: "GET",
  path: "/api/mall-business/customer/service/getByShopId",
  aliases: ["/mall-business/customer/service/getByShopId"],
  summary: "Address of the customer-service chat.",
  access: publicAccess,
  owner: "nobody",
  rate: "read",
  personal: {},
  form: "bare",
  query: Type.Object({
    type: Type.Optional(Type.String({ maxLength: 20 })),
    shopId: Type.Optional(Type.String({ maxLength: 20, default: "-1" })),
  }),
  body: Empty,
  reply: mallReply(Type.Optional(Type.Object({ linkUrl: Type.String() }))),
} satisfies Endpoint;
