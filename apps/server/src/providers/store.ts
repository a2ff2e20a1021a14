import type { RedisLog } from "./redis.ts";

/**
 * Short-lived values that several servers share: captchas, codes, counters. Every value has a lifetime; nothing here must
 * survive a restart. Each operation is atomic, so of a hundred callers of `take` one gets the value. A store of another
 * process throws `StoreAway` when it does not answer.
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
  /**
   * Adds and answers the sum; the lifetime begins with the first and is not prolonged.
   * @param amount whole and positive, 1 when it is left out
   */
  count(key: string, lifetimeS: number, amount?: number): Promise<number>;
  delete(key: string): Promise<void>;
  stop(): Promise<void>;
}

/** The store does not answer. What it counts or holds can't be judged, so the caller is refused, and may try again. */
export class StoreAway extends Error {
  override readonly name = "StoreAway";
  constructor(options: { cause: unknown }) {
    super("the key-value store does not answer", options);
  }
}

/** Keys that memory holds at most; an attacker fills it up to here and then costs the oldest keys. */
const memoryKeys = 200_000;
const sweepMs = 30_000;

/**
 * For one server.
 * @param now milliseconds of a clock that only moves forward: a system clock that is set back must not lengthen a lifetime
 */
export function memoryStore(now: () => number = () => performance.now()): Store {
  const entries = new Map<string, { value: string; until: number }>();
  // Counts of a minute or less are apart: a flood of callers makes one each, and must not push out what lasts longer.
  const briefCounts = new Map<string, { value: string; until: number }>();
  const living = (key: string) => {
    for (const held of [entries, briefCounts]) {
      const entry = held.get(key);
      if (entry !== undefined && entry.until > now()) return entry;
      held.delete(key);
    }
    return undefined;
  };
  const put = (key: string, value: string, until: number, into = entries) => {
    const [oldest] = into.keys();
    if (into.size >= memoryKeys && oldest !== undefined && !into.has(key)) into.delete(oldest);
    into.set(key, { value, until });
  };
  const timer = setInterval(() => {
    for (const key of [...entries.keys(), ...briefCounts.keys()]) living(key);
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
      briefCounts.delete(key);
      return entry?.value;
    },
    async count(key, lifetimeS, amount = 1) {
      const entry = living(key);
      const sum = Number(entry?.value ?? 0) + amount;
      if (entry !== undefined) entry.value = String(sum);
      else put(key, String(sum), now() + lifetimeS * 1000, lifetimeS <= 60 ? briefCounts : entries);
      return sum;
    },
    async delete(key) {
      entries.delete(key);
      briefCounts.delete(key);
    },
    async stop() {
      clearInterval(timer);
      entries.clear();
      briefCounts.clear();
    },
  };
}

/** Redis knows whole seconds, at least one. */
const wholeSeconds = (lifetimeS: number): number => Math.max(1, Math.ceil(lifetimeS));

const swapScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL') return 1 end return 0`;
const countScript = `local sum = redis.call('INCRBY', KEYS[1], ARGV[2])
if sum == tonumber(ARGV[2]) then redis.call('EXPIRE', KEYS[1], ARGV[1]) end return sum`;

/** A command that takes longer has failed; its effect may still come. */
const commandLimitMs = 2000;

/**
 * For several servers. While Redis is away calls fail, so that what they protect stays closed; it is found again by itself.
 * Starts without Redis, too.
 * @param prefix of the keys, for tests beside a running installation
 */
export async function redisStore(url: string, log: RedisLog, prefix = "herdwise:kv:"): Promise<Store> {
  // The driver has 600 files, which a server without Redis need not load.
  const { createWarner, redisLine, waitForFirst } = await import("./redis.ts");
  const warn = createWarner(log);
  const line = redisLine(url, warn);
  const { client } = line;
  await waitForFirst(line.open().catch((error: unknown) => warn(error, "Redis can't be used")));
  const at = (key: string) => prefix + key;
  const expiration = (lifetimeS: number) => ({ type: "EX", value: wholeSeconds(lifetimeS) }) as const;
  const limited = async <T>(begin: () => Promise<T>): Promise<T> => {
    // After one that was not answered nobody else waits for the same silence.
    if (!line.isAnswering()) throw new StoreAway({ cause: new Error("Redis is away") });
    let limit: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      limit = setTimeout(() => {
        // After a stall of this process the answer may be there and only not be read yet.
        setImmediate(() => {
          if (limit === undefined) return;
          line.doubt();
          reject(new Error(`no answer within ${commandLimitMs} ms`));
        });
      }, commandLimitMs);
    });
    try {
      return await Promise.race([begin(), late]);
    } catch (error) {
      throw new StoreAway({ cause: error });
    } finally {
      clearTimeout(limit);
      limit = undefined;
    }
  };
  return {
    get: async (key) => (await limited(() => client.get(at(key)))) ?? undefined,
    async set(key, value, lifetimeS) {
      await limited(() => client.set(at(key), value, { expiration: expiration(lifetimeS) }));
    },
    async add(key, value, lifetimeS) {
      const set = () => client.set(at(key), value, { expiration: expiration(lifetimeS), condition: "NX" });
      return (await limited(set)) !== null;
    },
    async swap(key, expected, value) {
      return (await limited(() => client.eval(swapScript, { keys: [at(key)], arguments: [expected, value] }))) === 1;
    },
    take: async (key) => (await limited(() => client.getDel(at(key)))) ?? undefined,
    async count(key, lifetimeS, amount = 1) {
      const counting = () =>
        client.eval(countScript, { keys: [at(key)], arguments: [String(wholeSeconds(lifetimeS)), String(amount)] });
      return Number(await limited(counting));
    },
    async delete(key) {
      await limited(() => client.del(at(key)));
    },
    async stop() {
      line.close();
    },
  };
}
