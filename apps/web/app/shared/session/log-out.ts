import { mallLogOut, oauthLogout, switchMultiTenant } from "@herdwise/contract";
import { call } from "../api/call.ts";
import { forgetKeptPages } from "./kept-pages.ts";
import { clearSession, readMallToken, storeTokens } from "./storage.ts";

/**
 * Ends the session here and on the server, then starts from the log-in page with an empty memory.
 * @param next where the browser goes instead, as the server checked it
 */
export async function logOut(next = "/login"): Promise<void> {
  const mallToken = readMallToken();
  // Without an answer the session still ends in this browser; on the server it runs out.
  await Promise.allSettled([
    call(oauthLogout, { quiet: true }),
    ...(mallToken ? [call(mallLogOut, { body: { mallToken }, quiet: true })] : []),
    forgetKeptPages(),
  ]);
  clearSession();
  location.replace(next);
}

/** Continues in another tenant of the same account. The page starts anew: every value on it belongs to the old tenant. */
export async function switchTenant(tenantId: string): Promise<void> {
  storeTokens(await call(switchMultiTenant, { query: { tenantId } }));
  location.assign("/selfCenter/home");
}
