import { oauthToken, tenantHeader } from "@herdwise/contract";
import { ApiError } from "../api/api-error.ts";
import { send } from "../api/send.ts";
import { readSession, type StoredSession, storeTokens } from "./storage.ts";

/** product.md 4 and 9. */
const renewAfterMs = 3_000_000;
const checkEveryMs = 60_000;

/** How a renewal ended: with fresh tokens, refused for good, or without an answer. */
export type Renewal = "renewed" | "refused" | "offline";

/** How long what another tab wrote may take to be seen here. */
const catchUpMs = 500;

/** Waits until this tab sees a session for which nothing is left to do, but no longer than that takes to arrive. */
const caughtUp = (isNeeded: (session: StoredSession) => boolean): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener("storage", look);
      resolve();
    };
    const look = (): void => {
      const session = readSession();
      if (!session || !isNeeded(session)) end();
    };
    const timer = setTimeout(end, catchUpMs);
    addEventListener("storage", look);
    look();
  });

const lockName = "herdwise-renew";

/**
 * One at a time in the whole browser. Web Locks are missing on plain http, which is how a farm may open its portal; then
 * one at a time in this tab, and the server's grace for two tabs racing does the rest.
 * @param work is told whether another tab was at it before
 */
async function alone<Value>(work: (another: boolean) => Promise<Value>): Promise<Value> {
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return work(false);
  const first = await locks.request(
    lockName,
    { ifAvailable: true },
    async (lock) => lock && { value: await work(false) },
  );
  return first ? first.value : locks.request(lockName, () => work(true));
}

async function exchange(session: StoredSession): Promise<Renewal> {
  try {
    const reply = await send(oauthToken, {
      body: {
        tenantId: session.tenantId,
        refresh_token: session.refreshToken,
        grant_type: "refresh_token",
        scope: "all",
      },
      headers: { [tenantHeader]: session.tenantId },
    });
    // A log-out in another tab while the answer was under way must stay a log-out.
    if (readSession()?.refreshToken !== session.refreshToken) return readSession() ? "renewed" : "refused";
    storeTokens(reply);
    return "renewed";
  } catch (error) {
    // 400 and 401 are the server's word that this token opens nothing; all else says nothing about it.
    return error instanceof ApiError && (error.code === 400 || error.code === 401) ? "refused" : "offline";
  }
}

let running: Promise<Renewal> | undefined;

/** Joins the renewal that this tab has under way, or begins one. */
function renew(isNeeded: (session: StoredSession) => boolean): Promise<Renewal> {
  running ??= alone(async (another): Promise<Renewal> => {
    // The lock of a tab that is done comes here before what it stored.
    if (another) await caughtUp(isNeeded);
    const session = readSession();
    if (!session) return "refused";
    // The tab that had the lock before may have done it.
    return isNeeded(session) ? exchange(session) : "renewed";
  }).finally(() => {
    running = undefined;
  });
  return running;
}

/** Renews a session whose access token the server refused. However many requests ask, one goes out. */
export async function renewRefused(refusedToken: string): Promise<Renewal> {
  const session = readSession();
  if (!session) return "refused";
  if (session.token !== refusedToken) return "renewed";
  if (session.refreshToken === "") return "refused";
  return renew(({ token }) => token === refusedToken);
}

const isDue = (session: StoredSession): boolean => Date.now() - session.authTimeMs >= renewAfterMs;

/** Renews tokens that have come of age. */
async function renewIfDue(): Promise<void> {
  const session = readSession();
  // A refusal here ends nothing: the access token may still be good, and the next 401 sees to it.
  if (session && session.refreshToken !== "" && isDue(session)) await renew(isDue);
}

/** Checks every minute and whenever the page becomes visible. Returns its end. */
export function keepSessionFresh(): () => void {
  const check = (): void => {
    if (document.visibilityState === "visible") void renewIfDue();
  };
  check();
  const timer = setInterval(check, checkEveryMs);
  document.addEventListener("visibilitychange", check);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", check);
  };
}
