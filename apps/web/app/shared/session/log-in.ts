import {
  type AccountType,
  multiTenant,
  oauthLogout,
  oauthToken,
  switchMultiTenant,
  type TenantChoice,
} from "@herdwise/contract";
import { ApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { forgetAccess } from "./access.ts";
import { md5 } from "./md5.ts";
import { clearSession, storeTokens } from "./storage.ts";

export interface Credentials {
  account: string;
  password: string;
  type: AccountType;
  tenantId?: string;
}

export type LogInResult = { step: "done" } | { step: "choose-tenant"; tenants: TenantChoice[] };

/** Logs in, or says that the person must first choose among several tenants. Refusals come as ApiError, without a toast. */
export async function logIn({ account, password, type, tenantId }: Credentials): Promise<LogInResult> {
  try {
    const reply = await call(oauthToken, {
      // In the body, not in the address: addresses end up in logs of servers and proxies.
      body: {
        grant_type: "password",
        scope: "all",
        username: account,
        password: md5(password),
        type,
        ...(tenantId ? { tenantId } : {}),
      },
      quiet: true,
    });
    forgetAccess();
    storeTokens(reply);
    return { step: "done" };
  } catch (error) {
    if (!(error instanceof ApiError) || error.error !== "multi_tenant") throw error;
    return { step: "choose-tenant", tenants: await call(multiTenant, { query: { username: account }, quiet: true }) };
  }
}

/** Ends the session here and on the server, then starts from the log-in page with an empty memory. */
export async function logOut(): Promise<void> {
  // Without an answer the session still ends in this browser; on the server it runs out.
  await call(oauthLogout, { quiet: true }).catch(() => undefined);
  clearSession();
  location.replace("/login");
}

/** Continues in another tenant of the same account. The page starts anew: every value on it belongs to the old tenant. */
export async function switchTenant(tenantId: string): Promise<void> {
  storeTokens(await call(switchMultiTenant, { query: { tenantId } }));
  location.assign("/selfCenter/home");
}
