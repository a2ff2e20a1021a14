import { setTimeout as pause } from "node:timers/promises";

/** Long computations run this long at a stretch before others get their turn, ms. A request has several turns. */
const stretchMs = 1;

/**
 * Lets other requests through during a long computation. Its caller asks at each step; now and then the step waits until the
 * event loop has seen to whatever else is there.
 */
export function createBreather(now: () => number = () => performance.now()): () => Promise<void> | undefined {
  let since = now();
  return () => {
    if (now() - since < stretchMs) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        since = now();
        resolve();
      }),
    );
  };
}

/** How long work that nobody waits for rests after a step, by the time of the step. */
const restShare = 1.5;
/** The same of work that a person waits for; bench/user-import.ts measures what others feel of it. */
export const awaitedRestShare = 0.35;
const longestRestMs = 250;

/**
 * Leaves time to others: called after each step of long work, it rests by the time that the step took. The database works for the
 * step as the server does, and requests ask both.
 * @param share of the step's time; at most `longestRestMs` are rested
 */
export function createPace(
  share = restShare,
  now: () => number = () => performance.now(),
  wait: (ms: number) => Promise<unknown> = pause,
): () => Promise<void> {
  let since = now();
  return async () => {
    await wait(Math.min(Math.ceil((now() - since) * share), longestRestMs));
    since = now();
  };
}
