import { closePreview, readPreview } from "./preview-storage.ts";
import { redirectQuery } from "./redirect.ts";
import { clearSession } from "./storage.ts";
import { askToLogInAgain } from "./unsaved.ts";

const accountPages = ["/login", "/register"];
let leaving = false;

/** Ends a session that the server no longer knows. However many requests fail at once, the page leaves once. */
export function expireSession(): void {
  if (leaving) return;
  if (readPreview()) {
    leaving = true;
    closePreview();
    return;
  }
  clearSession(false);
  if (accountPages.includes(location.pathname) || askToLogInAgain()) return;
  leaving = true;
  const redirect = redirectQuery(location.pathname, location.search);
  location.replace(`/login?${new URLSearchParams({ redirect, expired: "1" })}`);
}
