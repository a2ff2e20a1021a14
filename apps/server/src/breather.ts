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

/** How long work beside requests rests after a step, by the time of the step; at most so many ms. */
const restShare = 1.5;
const longestRestMs = 250;

/**
 * Leaves most of the time to others: called after each step of long work, it rests for half as long again as the step took. The
 * database works for the step as the server does, and requests ask both.
 */
export function createPace(
  now: () => number = () => performance.now(),
  wait: (ms: number) => Promise<unknown> = pause,
): () => Promise<void> {
  let since = now();
  return async () => {
    await wait(Math.min(Math.ceil((now() - since) * restShare), longestRestMs));
    since = now();
  };
}
