import {
  type AccountType,
  mallLogOut,
  multiTenant,
  oauthToken,
  type TenantChoice,
  type TokenRequest,
} from "@herdwise/contract";
import { ApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { type CaptchaProof, proofHeaders } from "../captcha/puzzle-proof.ts";
import { forgetAccess } from "./access.ts";
import { md5 } from "./md5.ts";
import { clearSession, readMallToken, storeTokens } from "./storage.ts";

/** How a person proves who they are. */
export type Evidence =
  | { way: "password"; account: string; password: string; type: AccountType; captcha?: CaptchaProof }
  | { way: "sms"; phone: string; id: string; digits: string }
  | { way: "qrcode"; qrcodeKey: string };

export type LogInResult =
  | { step: "done"; mustChangePassword: boolean }
  | { step: "choose-tenant"; tenants: TenantChoice[] };

/** Only given fields are sent (product.md 5). */
function requestOf(evidence: Evidence, tenantId: string | undefined): TokenRequest {
  const more = tenantId ? { tenantId } : {};
  switch (evidence.way) {
    case "password":
      return {
        grant_type: evidence.captcha ? "captcha" : "password",
        scope: "all",
        username: evidence.account,
        password: md5(evidence.password),
        type: evidence.type,
        ...more,
      };
    case "sms":
      return {
        grant_type: "sms_code",
        scope: "all",
        phone: evidence.phone,
        id: evidence.id,
        value: evidence.digits,
        ...more,
      };
    case "qrcode":
      return { grant_type: "qrcode", scope: "all", qrcodeKey: evidence.qrcodeKey };
  }
}

const isTenantList = (value: unknown): value is TenantChoice[] =>
  Array.isArray(value) && value.length > 0 && value.every((row) => typeof row === "object" && "tenantId" in row);

/** The tenants that a refusal offers; servers that don't say them are asked by the login name. */
async function tenantsOf(error: ApiError, evidence: Evidence): Promise<TenantChoice[]> {
  const { body } = error;
  const offered = typeof body === "object" && body !== null && "tenants" in body ? body.tenants : undefined;
  if (isTenantList(offered)) return offered;
  if (evidence.way !== "password") throw error;
  return call(multiTenant, { query: { username: evidence.account }, quiet: true });
}

/** Logs in, or says that the person must first choose among several tenants. Refusals come as ApiError, without a toast. */
export async function logIn(evidence: Evidence, tenantId?: string): Promise<LogInResult> {
  try {
    const reply = await call(oauthToken, {
      // In the body, not in the address: addresses end up in logs of servers and proxies.
      body: requestOf(evidence, tenantId),
      ...(evidence.way === "password" && evidence.captcha ? { headers: proofHeaders(evidence.captcha) } : {}),
      quiet: true,
    });
    forgetAccess();
    storeTokens(reply);
    return { step: "done", mustChangePassword: reply.detail.mustChangePassword === true };
  } catch (error) {
    if (!(error instanceof ApiError) || error.error !== "multi_tenant") throw error;
    return { step: "choose-tenant", tenants: await tenantsOf(error, evidence) };
  }
}

/** What entering the log-in or registration page does: the stored session and the mall's end (product.md 2 and 4). */
export function leaveSession(): void {
  const mallToken = readMallToken();
  // Nobody waits for it: without an answer the mall's token runs out with the session.
  if (mallToken) call(mallLogOut, { body: { mallToken }, quiet: true }).catch(() => undefined);
  // What was typed before the session ended is restored when the same person is back.
  clearSession(false);
  forgetAccess();
}
