import { oauthToken, tenantHeader } from "@herdwise/contract";
import { call } from "../api/call.ts";
import { readSession, storeTokens } from "./storage.ts";

/** product.md 4 and 9. */
const renewAfterMs = 3_000_000;
const checkEveryMs = 60_000;

/** Renews tokens that have come of age. Web Locks make it one renewal per browser; the second tab finds it done. */
export async function renewIfDue(nowMs: number = Date.now()): Promise<void> {
  const isDue = (): boolean => {
    const session = readSession();
    return session !== undefined && nowMs - session.authTimeMs >= renewAfterMs;
  };
  if (!isDue()) return;
  await navigator.locks.request("herdwise-renew", { ifAvailable: true }, async (lock) => {
    const session = readSession();
    if (!lock || !session || !isDue()) return;
    const reply = await call(oauthToken, {
      body: {
        tenantId: session.tenantId,
        refresh_token: session.refreshToken,
        grant_type: "refresh_token",
        scope: "all",
      },
      headers: { [tenantHeader]: session.tenantId },
      quiet: true,
    });
    // A log-out in another tab while the answer was under way must stay a log-out.
    if (readSession()?.refreshToken === session.refreshToken) storeTokens(reply);
  });
}

/** Checks every minute and whenever the page becomes visible. Returns its end. */
export function keepSessionFresh(): () => void {
  // No answer (network) or a refusal: the next check tries again; only a 401 ends a session, and `call` sees to that.
  const check = (): void => {
    if (document.visibilityState === "visible") renewIfDue().catch(() => undefined);
  };
  check();
  const timer = setInterval(check, checkEveryMs);
  document.addEventListener("visibilitychange", check);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", check);
  };
}
