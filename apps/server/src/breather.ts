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
