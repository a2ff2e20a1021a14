import { timingSafeEqual } from "node:crypto";
import {
  captchaHeaders,
  demoAccounts,
  multiTenant,
  myTenants,
  oauthLogout,
  oauthToken,
  publicClient,
  qrCookie,
  sessionConfirm,
  sessionList,
  sessionRemove,
  switchMultiTenant,
  type TokenReply,
  tenantHeader,
  userInfo,
} from "@herdwise/contract";
import { OAuthRefusal } from "../../http/errors.ts";
import type { Call, Router } from "../../http/router.ts";
import type { Caller, IdentityService } from "./identity.service.ts";
import { deviceCookie, deviceLifetimeS } from "./log-in.service.ts";

const expectedClient = Buffer.from(`${publicClient.id}:${publicClient.secret}`);

/** The public client pair must be sent with token calls (wire.md 1.5); it identifies a client, it protects nothing. */
function clientOf(header: string | undefined): string {
  const given = Buffer.from(/^Basic (\S+)$/i.exec(header ?? "")?.[1] ?? "", "base64");
  if (given.length !== expectedClient.length || !timingSafeEqual(given, expectedClient)) {
    throw new OAuthRefusal(401, "invalid_client", "Bad client credentials");
  }
  return publicClient.id;
}

type AnyCall = Pick<Call<typeof oauthToken>, "header" | "remoteAddress" | "userAgent">;
const callerOf = (call: AnyCall): Caller => ({
  clientId: clientOf(call.header("authorization")),
  remoteAddress: call.remoteAddress,
  userAgent: call.userAgent,
});

/** Log-ins that other modules prove. */
export interface OtherGrants {
  /** grant_type=qrcode: the key of a confirmed code, and the cookie of the browser that asked for it. */
  qrcode(qrcodeKey: string, cookie: string | undefined, caller: Caller): Promise<TokenReply>;
}

/** @param demoPassword what the demo accounts log in with; undefined outside demo mode, where none are listed */
export function identityRoutes(
  router: Router,
  identity: IdentityService,
  demoPassword: string | undefined,
  grants: OtherGrants,
): void {
  router.on(oauthToken, async (call) => {
    const caller = callerOf(call);
    const request = { ...call.query, ...call.body };
    if (request.grant_type === "qrcode") {
      return grants.qrcode(request.qrcodeKey ?? "", call.cookie(qrCookie), caller);
    }
    const tenantId = request.tenantId || call.header(tenantHeader);
    const reply = await identity.token({ ...request, ...(tenantId && { tenantId }) }, caller, {
      captchaKey: call.header(captchaHeaders.key),
      captchaCode: call.header(captchaHeaders.code),
      deviceMark: call.cookie(deviceCookie),
    });
    if (request.grant_type !== "refresh_token") {
      call.setCookie(deviceCookie, await identity.deviceMark(reply.user_id), deviceLifetimeS);
    }
    return reply;
  });
  router.on(oauthLogout, async ({ session }) => {
    await identity.logOut(session);
    return { success: "true", msg: "success" };
  });
  router.on(switchMultiTenant, (call) => identity.switchTenant(call.session, call.query.tenantId, callerOf(call)));
  router.on(multiTenant, ({ query }) => identity.tenantsOf(query.username));
  router.on(myTenants, ({ session }) => identity.myTenants(session));
  router.on(sessionList, ({ session }) => identity.sessions(session));
  router.on(sessionRemove, async (call) => {
    await identity.removeSessions(call.session, call.query.ids, call);
    return {};
  });
  router.on(sessionConfirm, async ({ session, body }) => {
    await identity.confirm(session, body.password);
    return {};
  });
  router.on(userInfo, ({ session }) => identity.userInfo(session));
  router.on(demoAccounts, async () =>
    demoPassword === undefined
      ? []
      : (await identity.demoAccounts()).map((account) => ({ ...account, password: demoPassword })),
  );
}
