import { mallLoginCode, mallPath, mallThrottleMs, publicSettings } from "@herdwise/contract";
import { call } from "../api/call.ts";
import { readSession, storedUserId } from "../session/storage.ts";
import { openTab } from "./open-tab.ts";

/** Keeps what signs this person in at the mall; both spellings are read by its pages. */
function storeMallToken(token: string): void {
  localStorage.setItem("mall_token", token);
  localStorage.setItem("mallToken", token);
}

/** product.md 9. */
const loginPlatform = 1;
let lastAskedMs = Number.NEGATIVE_INFINITY;

/** The question for a code that is under way. */
let asking: Promise<string | undefined> = Promise.resolve(undefined);

async function askForCode(): Promise<string | undefined> {
  const userId = storedUserId();
  try {
    const { data } = await call(mallLoginCode, {
      body: { ...(userId ? { userId } : {}), loginPlatform },
      quiet: true,
    });
    // The session may have ended meanwhile; its mall token has no business in the next one.
    if (readSession()) storeMallToken(data);
    return data || undefined;
  } catch {
    return undefined;
  } finally {
    // The server counts from when it was asked; on a slow network that was later than here.
    lastAskedMs = Date.now();
  }
}

/** A fresh one-time code for the mall; undefined when the mall's log-in fails or was asked less than 3 s ago. */
async function freshCode(): Promise<string | undefined> {
  const nowMs = Date.now();
  if (nowMs - lastAskedMs < mallThrottleMs) return undefined;
  lastAskedMs = nowMs;
  asking = askForCode();
  return asking;
}

/** Signs the person in at the mall beforehand, as entering the home screen does; at most once per 3 s. */
export async function prepareMall(): Promise<void> {
  await freshCode();
}

/** Waits until another code may be asked for: 3 s after the last answer, which may itself be still to come. */
async function untilAllowed(): Promise<void> {
  await asking;
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, lastAskedMs + mallThrottleMs - Date.now() + 50)));
}

/** Opens the mall in a new tab with a fresh code; without one when its log-in fails. */
export async function openMall(mallUrl: string): Promise<void> {
  const tab = openTab();
  // A code that was just made for the home screen may be used up or about to end, so a link waits for its own.
  await untilAllowed();
  const code = await freshCode();
  const address = new URL(mallPath, mallUrl);
  if (code) address.searchParams.set("fkg", code);
  tab.goTo(address.href);
}

let settings: Promise<string> | undefined;

/** Address of the mall; "" when there is none or it could not be learnt. */
export function mallAddress(): Promise<string> {
  settings ??= call(publicSettings, { quiet: true }).then(
    ({ mallUrl }) => mallUrl,
    () => {
      settings = undefined;
      return "";
    },
  );
  return settings;
}
