import { createClient } from "redis";

/**
 * Short-lived values that several servers share: captchas, codes, counters. Every value has a lifetime; nothing here must
 * survive a restart. Each operation is atomic, so of a hundred callers of `take` one gets the value.
 */
export interface Store {
  get(key: string): Promise<string | undefined>;
  /** @param lifetimeS seconds, at least 1 */
  set(key: string, value: string, lifetimeS: number): Promise<void>;
  /** Sets a value that is not there. @returns false when it is */
  add(key: string, value: string, lifetimeS: number): Promise<boolean>;
  /** Replaces a value if it is still the expected one; its lifetime goes on. */
  swap(key: string, expected: string, value: string): Promise<boolean>;
  /** Reads and removes. */
  take(key: string): Promise<string | undefined>;
  /** Adds one and answers the sum; the lifetime begins with the first and is not prolonged. */
  count(key: string, lifetimeS: number): Promise<number>;
  delete(key: string): Promise<void>;
  stop(): Promise<void>;
}

/** Keys that memory holds at most; an attacker fills it up to here and then costs the oldest keys. */
const memoryKeys = 200_000;
const sweepMs = 30_000;

/** For one server. */
export function memoryStore(now: () => number = () => Date.now()): Store {
  const entries = new Map<string, { value: string; until: number }>();
  const living = (key: string) => {
    const entry = entries.get(key);
    if (entry === undefined || entry.until > now()) return entry;
    entries.delete(key);
    return undefined;
  };
  const put = (key: string, value: string, until: number) => {
    const [oldest] = entries.keys();
    if (entries.size >= memoryKeys && oldest !== undefined && !entries.has(key)) entries.delete(oldest);
    entries.set(key, { value, until });
  };
  const timer = setInterval(() => {
    for (const key of entries.keys()) living(key);
  }, sweepMs);
  timer.unref();
  return {
    get: async (key) => living(key)?.value,
    async set(key, value, lifetimeS) {
      put(key, value, now() + lifetimeS * 1000);
    },
    async add(key, value, lifetimeS) {
      if (living(key)) return false;
      put(key, value, now() + lifetimeS * 1000);
      return true;
    },
    async swap(key, expected, value) {
      const entry = living(key);
      if (entry?.value !== expected) return false;
      entry.value = value;
      return true;
    },
    async take(key) {
      const entry = living(key);
      entries.delete(key);
      return entry?.value;
    },
    async count(key, lifetimeS) {
      const entry = living(key);
      const sum = Number(entry?.value ?? 0) + 1;
      put(key, String(sum), entry?.until ?? now() + lifetimeS * 1000);
      return sum;
    },
    async delete(key) {
      entries.delete(key);
    },
    async stop() {
      clearInterval(timer);
      entries.clear();
    },
  };
}

const swapScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL') return 1 end return 0`;
const countScript = `local sum = redis.call('INCR', KEYS[1])
if sum == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end return sum`;

interface StoreLog {
  warn(context: object, message: string): void;
}

/** For several servers. While Redis is away calls fail at once, so that what they protect stays closed. */
export async function redisStore(url: string, log: StoreLog, prefix = "herdwise:kv:"): Promise<Store> {
  const client = createClient({ url, disableOfflineQueue: true });
  client.on("error", (error: unknown) => log.warn({ err: error }, "redis is away"));
  await client.connect();
  const at = (key: string) => prefix + key;
  const expiration = (lifetimeS: number) => ({ type: "EX", value: Math.max(1, Math.ceil(lifetimeS)) }) as const;
  return {
    get: async (key) => (await client.get(at(key))) ?? undefined,
    async set(key, value, lifetimeS) {
      await client.set(at(key), value, { expiration: expiration(lifetimeS) });
    },
    async add(key, value, lifetimeS) {
      return (await client.set(at(key), value, { expiration: expiration(lifetimeS), condition: "NX" })) !== null;
    },
    async swap(key, expected, value) {
      return (await client.eval(swapScript, { keys: [at(key)], arguments: [expected, value] })) === 1;
    },
    take: async (key) => (await client.getDel(at(key))) ?? undefined,
    async count(key, lifetimeS) {
      return Number(await client.eval(countScript, { keys: [at(key)], arguments: [String(Math.ceil(lifetimeS))] }));
    },
    async delete(key) {
      await client.del(at(key));
    },
    async stop() {
      await client.close();
    },
  };
}
