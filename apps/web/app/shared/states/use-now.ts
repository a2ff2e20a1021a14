import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    nowMs = Date.now();
    for (const notify of listeners) notify();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

const read = (): number => {
  if (!timer) nowMs = Math.floor(Date.now() / 1000) * 1000;
  return nowMs;
};

/** The present time, once a second, by one timer for the whole page. */
export const useNow = (): number => useSyncExternalStore(subscribe, read, read);
