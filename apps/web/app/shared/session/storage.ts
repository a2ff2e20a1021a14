import type { TokenReply, UserInfo } from "@herdwise/contract";

/** Keys of product.md 3. Other tabs and the mall read them, so they keep their names. */
const keys = {
  token: "token",
  refreshToken: "refresh_token",
  tenantId: "tenant_id",
  userInfo: "user_info",
  permissions: "permissions",
  adminType: "adminType",
  authTime: "auth_time",
  osType: "osType",
} as const;

/** Preferences of the browser, not of the session: they outlive a log-out. */
const preferenceKeys = ["langType", "theme", "accent", "density", "sideMode"] as const;

export interface StoredSession {
  token: string;
  refreshToken: string;
  tenantId: string;
  /** When the tokens were issued, ms since 1970. */
  authTimeMs: number;
}

/** The session of this browser, if there is one. */
export function readSession(): StoredSession | undefined {
  const token = localStorage.getItem(keys.token);
  if (!token) return undefined;
  return {
    token,
    refreshToken: localStorage.getItem(keys.refreshToken) ?? "",
    tenantId: localStorage.getItem(keys.tenantId) ?? "",
    authTimeMs: Number(localStorage.getItem(keys.authTime) ?? 0),
  };
}

/** Keeps fresh tokens; other tabs see them through storage. */
export function storeTokens(reply: Pick<TokenReply, "access_token" | "refresh_token" | "tenant_id">): void {
  localStorage.setItem(keys.token, reply.access_token);
  localStorage.setItem(keys.refreshToken, reply.refresh_token);
  localStorage.setItem(keys.tenantId, reply.tenant_id);
  localStorage.setItem(keys.authTime, String(Date.now()));
  localStorage.setItem(keys.osType, /Mac|iPhone|iPad/.test(navigator.userAgent) ? "MAC" : "WIN");
  if (!localStorage.getItem(keys.adminType)) localStorage.setItem(keys.adminType, "selfCenter");
}

/** Keeps who is signed in and what they may do, for other tabs and other clients of the family. */
export function storeIdentity(userInfo: UserInfo, permissions: readonly string[]): void {
  localStorage.setItem(keys.userInfo, JSON.stringify(userInfo));
  localStorage.setItem(keys.permissions, JSON.stringify(permissions));
}

/** Clears all storage of the session; language and appearance belong to the browser and stay. */
export function clearSession(): void {
  const kept = preferenceKeys.map((key) => [key, localStorage.getItem(key)] as const);
  localStorage.clear();
  sessionStorage.clear();
  for (const [key, value] of kept) if (value !== null) localStorage.setItem(key, value);
}
