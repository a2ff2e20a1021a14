import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { createClient } from "redis";
import { describe } from "vitest";
import { processEnvironment } from "../../apps/server/src/config.ts";
import { memoryStore, redisStore, type Store } from "../../apps/server/src/providers/store.ts";
import { openTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

/** The Redis of this machine. Tests keep to keys and channels of their own. */
export const redisUrl = processEnvironment().TEST_REDIS_URL ?? "redis://127.0.0.1:6379";
const redisPort = Number(new URL(redisUrl).port || 6379);
const redisHost = new URL(redisUrl).hostname;

/** Whether a Redis answers; its tests are skipped without one. */
export const redisAnswers = await new Promise<boolean>((resolve) => {
  const socket = connect(redisPort, redisHost, () => {
    socket.destroy();
    resolve(true);
  });
  socket.on("error", () => resolve(false));
});

/** A prefix that no other test and no installation has. */
export const newPrefix = (): string => `herdwise-test:${randomUUID()}:`;

/** A store whose time a test can move on. */
export interface StoreBench {
  store: Store;
  /** Moves the store's clock on, and with it all lifetimes. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Brings the end of all keys of a prefix nearer by some ms. */
const shortenScript = `for _, key in ipairs(redis.call('KEYS', ARGV[1] .. '*')) do
  local left = redis.call('PTTL', key) - ARGV[2]
  if left > 0 then redis.call('PEXPIRE', key, string.format('%d', left)) else redis.call('DEL', key) end end`;

/** A connection of the tests themselves, to look after the keys of a prefix. */
async function openKeys(prefix: string): Promise<{ shorten(ms: number): Promise<void>; remove(): Promise<void> }> {
  const client = await createClient({ url: redisUrl }).connect();
  const shorten = async (ms: number) => void (await client.eval(shortenScript, { arguments: [prefix, String(ms)] }));
  return {
    shorten,
    async remove() {
      await shorten(Number.MAX_SAFE_INTEGER);
      client.destroy();
    },
  };
}

/** A store of one server. */
export function memoryBench(): StoreBench {
  let ahead = 0;
  const store = memoryStore(() => performance.now() + ahead);
  return {
    store,
    async pass(ms) {
      ahead += ms;
    },
    close: () => store.stop(),
  };
}

/** A store in Redis. @param prefix the same for servers that share it */
export async function redisBench(prefix = newPrefix(), url = redisUrl): Promise<StoreBench> {
  const store = await redisStore(url, { warn: () => undefined }, prefix);
  const keys = await openKeys(prefix);
  return {
    store,
    pass: keys.shorten,
    async close() {
      await store.stop();
      await keys.remove();
    },
  };
}

/** Runs the same tests with the store in memory and in Redis; without a Redis those are skipped. */
export function onEachStore(tests: (open: () => Promise<StoreBench>) => void): void {
  describe("store in memory", () => tests(async () => memoryBench()));
  describe.skipIf(!redisAnswers)("store in Redis", () => tests(() => redisBench()));
}

/** Stands between servers and Redis, so that Redis can go away without being touched. */
export interface RedisProxy extends TcpProxy {
  url: string;
}

export async function openRedisProxy(): Promise<RedisProxy> {
  const proxy = await openTcpProxy({ host: redisHost, port: redisPort });
  return { ...proxy, url: `redis://127.0.0.1:${proxy.port}` };
}
