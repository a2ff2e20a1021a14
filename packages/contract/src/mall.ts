import { Type } from "typebox";
import { type Endpoint, publicAccess } from "./endpoint.ts";
import { Empty, Id } from "./scalars.ts";

/** Minimum time between two requests for a mall code, in ms (product.md 9). */
export const mallThrottleMs = 3000;
/** Lifetime of a mall code in seconds. */
export const mallCodeLifetimeS = 60;

/** Answers of the mall's host: `code: 1` is success. */
const mallReply = <T extends Parameters<typeof Type.Optional>[0]>(data: T) =>
  Type.Object({ code: Type.Integer({ description: "1 when it went well" }), msg: Type.String(), data });

export const mallExchange = {
  method: "POST",
  path: "/api/mall-auth-server/user/login/muyuan/exchange",
  aliases: ["/mall-auth-server/user/login/muyuan/exchange"],
  summary: "The mall's server turns a code into who is signed in and a mall token; needs the mall's client secret.",
  access: publicAccess,
  owner: "proof",
  rate: "entry",
  personal: { account: "own", nickName: "own" },
  form: "bare",
  query: Empty,
  body: Type.Object({ code: Type.String({ maxLength: 100 }) }),
  reply: mallReply(
    Type.Optional(
      Type.Object({
        mallToken: Type.String(),
        userId: Id,
        account: Type.String(),
        nickName: Type.String(),
        tenantId: Type.String(),
      }),
    ),
  ),
} satisfies Endpoint;

export const mallLogOut = {
  method: "POST",
  path: "/api/mall-auth-server/user/loginOut",
  aliases: ["/mall-auth-server/user/loginOut"],
  summary: "Ends a mall token; called when the log-in page opens.",
  access: publicAccess,
  owner: "proof",
  rate: "entry",
  personal: {},
  form: "bare",
  query: Empty,
  body: Type.Object({ mallToken: Type.Optional(Type.String({ maxLength: 200 })) }),
  reply: mallReply(Type.Optional(Type.Boolean())),
} satisfies Endpoint;
