import { randomInt } from "node:crypto";
import { hostname } from "node:os";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "./config.ts";
import type { Database } from "./database/connection.ts";
import { createJobQueue } from "./jobs/queue.ts";
import { createMetrics } from "./metrics.ts";
import type { Platform } from "./module.ts";
import { createPersonalCipher } from "./personal-cipher.ts";
import type { Bus } from "./providers/bus.ts";
import type { Store } from "./providers/store.ts";
import { createSnowflake } from "./snowflake.ts";

/** What the process was started with. */
export interface PlatformDependencies {
  readonly config: Config;
  readonly log: FastifyBaseLogger;
  readonly database: Database;
  readonly bus: Bus;
  readonly store: Store;
  readonly secretKey: string;
  readonly stopping: AbortSignal;
}

export function createPlatform({ database: { kysely, pool, prepared }, ...given }: PlatformDependencies): Platform {
  const { config, log, bus, secretKey } = given;
  const nextId = createSnowflake(randomInt(1024));
  return {
    ...given,
    kysely,
    prepared,
    // Looked up at each call, so that a test can move the clock.
    now: () => Date.now(),
    nextId,
    serverId: `${hostname()}/${process.pid}/${nextId()}`,
    personalCipher: createPersonalCipher(config.personalKey ?? secretKey, config.personalKeysOld),
    metrics: createMetrics(),
    jobs: createJobQueue({ pool, bus, log }),
    inTransaction: (repositoryOf) => (work) =>
      kysely.transaction().execute((transaction) => work(repositoryOf(transaction))),
    warn: (what) => (error) => log.warn({ err: error }, what),
  };
}
