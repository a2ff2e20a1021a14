/** What is asked for in one moment goes in one request. */
const batchAfterMs = 20;
/** Waits between tries while no answer comes. After the last one a key is asked for only when it is shown anew. */
const retryAfterMs = [1000, 2000, 5000, 15_000, 60_000] as const;

export interface BatchedLookup<Value> {
  /** What is known of a key, or undefined. */
  known(key: string): Value | undefined;
  /** Has a key asked for, together with what else this moment wants. Known ones and those on the way are not asked for again. */
  want(key: string): void;
  /** Moves whenever more is known, for `useSyncExternalStore`. */
  version(): number;
  subscribe(listener: () => void): () => void;
}

/**
 * Values of keys that many places of a page show, asked for in batches and kept while the page is open. Without an answer the
 * same keys are asked for again, at growing distances, so that a page heals by itself when the network is back.
 * @param cut cuts keys into requests that the call takes
 * @param ask values of the keys; one that has none is given what stands for that, or it is wanted again when it is shown anew
 * @param values what is known already; answers are added to it
 */
export function createBatchedLookup<Value>(
  cut: (keys: readonly string[]) => readonly (readonly string[])[],
  ask: (keys: readonly string[]) => Promise<Iterable<readonly [string, Value]>>,
  values = new Map<string, Value>(),
): BatchedLookup<Value> {
  const listeners = new Set<() => void>();
  const onTheWay = new Set<string>();
  let wanted: string[] = [];
  let version = 0;

  async function request(keys: readonly string[], tries: number): Promise<void> {
    let found: Iterable<readonly [string, Value]>;
    try {
      found = await ask(keys);
    } catch {
      const wait = retryAfterMs[tries];
      if (wait === undefined) for (const key of keys) onTheWay.delete(key);
      else setTimeout(() => void request(keys, tries + 1), wait);
      return;
    }
    for (const [key, value] of found) values.set(key, value);
    for (const key of keys) onTheWay.delete(key);
    version += 1;
    for (const listener of listeners) listener();
  }

  return {
    known: (key) => values.get(key),
    want(key) {
      if (values.has(key) || onTheWay.has(key)) return;
      onTheWay.add(key);
      wanted.push(key);
      if (wanted.length > 1) return;
      setTimeout(() => {
        const keys = wanted;
        wanted = [];
        for (const batch of cut(keys)) if (batch.length > 0) void request(batch, 0);
      }, batchAfterMs);
    },
    version: () => version,
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
