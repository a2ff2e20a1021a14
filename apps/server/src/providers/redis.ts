import { createClient } from "redis";

export interface RedisLog {
  warn(context: object, message: string): void;
}

/** While Redis is away this is told once in this time, and not for each event. */
const warnEveryMs = 10_000;
/** A start does not wait longer for a Redis that is away. */
const firstConnectMs = 3000;
/** A Redis that takes connections and says nothing is away, too: the connection is given up after this silence. */
const silenceMs = 5000;
const pingMs = 1000;
const firstRetryMs = 50;
const longestRetryMs = 1000;

/** Tells of a fault at most once in `warnEveryMs`. */
export function createWarner(log: RedisLog): (error: unknown, text: string) => void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (error, text) => {
    if (performance.now() - warnedAt < warnEveryMs) return;
    warnedAt = performance.now();
    log.warn({ err: error }, text);
  };
}

const clientOf = (url: string, listens: boolean) =>
  createClient({
    url,
    disableOfflineQueue: !listens,
    ...(listens && { pingInterval: pingMs }),
    socket: {
      connectTimeout: silenceMs,
      // Notices silence where nothing is written.
      socketTimeout: silenceMs,
      // The library's own gives up for good after a silence.
      reconnectStrategy: (retries) => Math.min(firstRetryMs * 2 ** Math.min(retries, 10), longestRetryMs),
    },
  });

/** A connection to Redis that is made again by itself until it is closed. */
export interface RedisLine {
  client: ReturnType<typeof clientOf>;
  /** Resolves with the first connection. */
  open(): Promise<unknown>;
  /** Says that a command was not answered in time. Until Redis answers again `isAnswering` is false. */
  doubt(): void;
  isAnswering(): boolean;
  close(): void;
}

/**
 * @param listens for a line of subscriptions, which are kept for when it connects; on others commands fail at once while Redis is
 * away
 */
export function redisLine(
  url: string,
  warn: (error: unknown, text: string) => void,
  { listens = false }: { listens?: boolean } = {},
): RedisLine {
  const client = clientOf(url, listens);
  client.on("error", (error: unknown) => warn(error, "Redis is away"));
  const open = () => client.connect();

  // What is written keeps the socket's timer from noticing that nothing comes back.
  let answeredAt = performance.now();
  let asking = false;
  let doubted = false;
  const ask = () => {
    if (!client.isReady) answeredAt = performance.now();
    else if (performance.now() - answeredAt > silenceMs) {
      answeredAt = performance.now();
      warn(new Error(`no answer for ${silenceMs} ms`), "Redis is away");
      client.destroy();
      open().catch((error: unknown) => warn(error, "Redis can't be used"));
    } else if (!asking) {
      asking = true;
      client
        .ping()
        .then(() => {
          answeredAt = performance.now();
          doubted = false;
        })
        .catch(() => undefined)
        .finally(() => {
          asking = false;
        });
    }
  };
  // Not before what has arrived was read: this process may have stalled itself.
  const watch = listens ? undefined : setInterval(() => setImmediate(ask), pingMs);
  watch?.unref();
  return {
    client,
    open,
    doubt() {
      doubted = true;
      ask();
    },
    isAnswering: () => client.isReady && !doubted,
    close() {
      clearInterval(watch);
      client.destroy();
    },
  };
}

/** Waits for the first connections, but not longer than a start may; they go on being tried. */
export async function waitForFirst(opened: Promise<unknown>): Promise<void> {
  let limit: NodeJS.Timeout | undefined;
  await Promise.race([
    opened,
    new Promise((resolve) => {
      limit = setTimeout(resolve, firstConnectMs);
    }),
  ]);
  clearTimeout(limit);
}

/**
 * Asks Redis once, by a connection of its own.
 * @throws when it can't be reached, lets nobody in, or does not answer within 3 s
 */
export async function tryRedis(url: string): Promise<void> {
  const client = createClient({
    url,
    socket: { connectTimeout: firstConnectMs, socketTimeout: firstConnectMs, reconnectStrategy: false },
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.ping();
  } finally {
    client.destroy();
  }
}
