import { recordVisits, type Visit } from "@herdwise/contract";

/* Page visits, for the operator's counts: which page, from where inside the site, how long. Nothing personal: no query, no id. */

/** Where the browser keeps that this person's visits are not to be counted. */
const uncountedKey = "uncounted";

type PrivateNavigator = Pick<Navigator, "doNotTrack"> & { globalPrivacyControl?: boolean };

/** Whether the browser asks every site to leave its person alone, by Global Privacy Control or the older Do Not Track. */
export const asksForPrivacy = ({ doNotTrack, globalPrivacyControl }: PrivateNavigator = navigator): boolean =>
  globalPrivacyControl === true || doNotTrack === "1";

/** Whether visits are counted: unless the browser or the person said no. */
export function countsVisits(): boolean {
  if (asksForPrivacy()) return false;
  try {
    return localStorage.getItem(uncountedKey) === null;
  } catch {
    return true;
  }
}

/** Keeps whether visits are counted in this browser; what waits to be sent stays unsent after a no. */
export function chooseVisits(counted: boolean): void {
  if (counted) localStorage.removeItem(uncountedKey);
  else localStorage.setItem(uncountedKey, "1");
}

/** The call takes 50. */
const sendAt = 20;

interface OpenVisit {
  routeName: string;
  path: string;
  referrer: string;
  language: Visit["language"];
  /** Visible time of finished stretches. */
  seenMs: number;
  /** Begin of the running stretch; undefined while the page is hidden. */
  sinceMs: number | undefined;
}

let open: OpenVisit | undefined;
let pending: Visit[] = [];

function dwellOf(visit: OpenVisit): number {
  const running = visit.sinceMs === undefined ? 0 : performance.now() - visit.sinceMs;
  return Math.min(86_400_000, Math.round(visit.seenMs + running));
}

function close(): void {
  if (!open) return;
  const { routeName, path, referrer, language } = open;
  pending.push({ routeName, path, ...(referrer ? { referrer } : {}), language, dwellMs: dwellOf(open) });
  open = undefined;
}

/** Hands what is there to the browser, which sends it even while the page goes away. */
function sendVisits(): void {
  if (!countsVisits()) pending = [];
  if (pending.length === 0) return;
  const body = new Blob([JSON.stringify({ visits: pending.slice(0, 50) })], { type: "application/json" });
  if (navigator.sendBeacon(recordVisits.path, body)) pending = pending.slice(50);
}

/** A page was entered: ends the visit before. Paths come without query, and ids in them are not ours to count. */
export function beginVisit(routeName: string, path: string, language: Visit["language"]): void {
  const referrer = open?.path ?? ownReferrer();
  if (open?.path === path) return;
  close();
  if (pending.length >= sendAt) sendVisits();
  const sinceMs = document.visibilityState === "visible" ? performance.now() : undefined;
  open = { routeName, path, referrer, language, seenMs: 0, sinceMs };
}

/** Path of the page before where it was ours, the host alone where it was another site's. */
function ownReferrer(): string {
  if (!document.referrer) return "";
  const { origin, pathname, host } = new URL(document.referrer);
  return origin === location.origin ? pathname : host;
}

/** Counts visible time only, and sends when the page goes away. Returns its end. */
export function watchVisits(): () => void {
  const onVisibility = (): void => {
    if (!open) return;
    if (document.visibilityState === "visible") open.sinceMs = performance.now();
    else {
      open.seenMs = dwellOf(open);
      open.sinceMs = undefined;
      // Phones may drop a hidden tab without another word; what is finished goes now.
      sendVisits();
    }
  };
  const onLeave = (): void => {
    close();
    sendVisits();
  };
  document.addEventListener("visibilitychange", onVisibility);
  window.addEventListener("pagehide", onLeave);
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    window.removeEventListener("pagehide", onLeave);
  };
}
