import type { TokenReply, UserInfo } from "@herdwise/contract";
import { readPreview } from "./preview-storage.ts";

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
  /** Both spellings are read by pages of the mall. */
  mallToken: "mall_token",
  mallTokenToo: "mallToken",
} as const;

/** Begins keys of sessionStorage that belong to a form, not to a session: an SMS code that is under way. */
const formPrefix = "sms_";

/** Begins keys of what somebody typed and has not sent: a session that ends leaves them, a log-out does not. */
export const draftPrefix = "draft_";

/** Preferences of the browser, not of the session: they outlive a log-out. */
const preferenceKeys = [
  "langType",
  "theme",
  "accent",
  "density",
  "sideMode",
  "drawerShare_side",
  "drawerShare_bottom",
] as const;

export interface StoredSession {
  token: string;
  refreshToken: string;
  tenantId: string;
  /** When the tokens were issued, ms since 1970. */
  authTimeMs: number;
}

/** The session of this browser, or the preview of a role that this tab shows, if there is one. */
export function readSession(): StoredSession | undefined {
  const token = localStorage.getItem(keys.token);
  if (!token) return undefined;
  const preview = readPreview();
  return {
    token: preview?.token ?? token,
    // A preview is not renewed.
    refreshToken: preview ? "" : (localStorage.getItem(keys.refreshToken) ?? ""),
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

/** Keeps who is signed in and what they may do, for other tabs and other clients of the family; a preview is this tab's alone. */
export function storeIdentity(userInfo: UserInfo, permissions: readonly string[]): void {
  if (readPreview()) return;
  localStorage.setItem(keys.userInfo, JSON.stringify(userInfo));
  localStorage.setItem(keys.permissions, JSON.stringify(permissions));
}

/** What signs this person in at the mall. */
export const readMallToken = (): string => localStorage.getItem(keys.mallToken) ?? "";

/** The signed-in person's id as it is stored; "" without one. */
export function storedUserId(): string {
  try {
    const user: unknown = JSON.parse(localStorage.getItem(keys.userInfo) ?? "null");
    return typeof user === "object" && user !== null && "user_id" in user ? String(user.user_id) : "";
  } catch {
    return "";
  }
}

/**
 * Clears all storage of the session; language and appearance belong to the browser and stay.
 * @param drafts also what was typed: whoever logs out leaves nothing behind
 */
export function clearSession(drafts = true): void {
  const isTyped = (key: string): boolean => !drafts && key.startsWith(draftPrefix);
  const typed = Object.keys(localStorage).filter(isTyped);
  const kept = [...preferenceKeys, ...typed].map((key) => [key, localStorage.getItem(key)] as const);
  localStorage.clear();
  for (const key of Object.keys(sessionStorage))
    if (!key.startsWith(formPrefix) && !isTyped(key)) sessionStorage.removeItem(key);
  for (const [key, value] of kept) if (value !== null) localStorage.setItem(key, value);
}
