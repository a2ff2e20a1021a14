import { messageCounts } from "@herdwise/contract";
import { useEffect, useSyncExternalStore } from "react";
import { call } from "../api/call.ts";

/* How many things have an unread message, as the list of messages counts them: one number for this tab, told to the others. */

const renewMs = 30_000;
let unread = 0;
const listeners = new Set<() => void>();
const tabs = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("herdwise-messages");

let asked = 0;

async function renew(): Promise<void> {
  asked += 1;
  const own = asked;
  // No answer leaves the last number; the next look comes soon.
  const count = await call(messageCounts, { quiet: true }).then(
    (kinds) => kinds.reduce((all, { unreadThings }) => all + unreadThings, 0),
    () => unread,
  );
  // An answer of before a message was read may come after that of afterwards.
  if (own !== asked || count === unread) return;
  unread = count;
  for (const listener of listeners) listener();
}

/** Messages were read or removed here: counts again, in every open tab. */
export function messagesChanged(): void {
  void renew();
  tabs?.postMessage("changed");
}

/** How many things have an unread message, kept current while the page is in sight. */
export function useUnread(): number {
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === "visible") void renew();
    };
    look();
    const timer = setInterval(look, renewMs);
    document.addEventListener("visibilitychange", look);
    tabs?.addEventListener("message", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
      tabs?.removeEventListener("message", look);
    };
  }, []);
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => unread,
    () => 0,
  );
}
