import { randomInt } from "node:crypto";
import { hostname } from "node:os";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "./config.ts";
import type { Database } from "./database/connection.ts";
import { createStatementFigures, type StatementFigures } from "./database/statement-figures.ts";
import { traceStatements } from "./database/statement-traces.ts";
import { createJobQueue } from "./jobs/queue.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import type { Platform } from "./module.ts";
import { createPersonalCipher } from "./personal-cipher.ts";
import type { Bus } from "./providers/bus.ts";
import type { Store } from "./providers/store.ts";
import { createSnowflake } from "./snowflake.ts";
import { type Tracing, tracedWork } from "./tracing/span.ts";

/** What the process was started with. */
export interface PlatformDependencies {
  readonly config: Config;
  readonly log: FastifyBaseLogger;
  readonly database: Database;
  readonly bus: Bus;
  readonly store: Store;
  readonly secretKey: string;
  readonly stopping: AbortSignal;
  /** Left out where nothing is traced. */
  readonly tracing?: Tracing | undefined;
}

/** Measures the statements and the pool of the database. */
function measureDatabase(
  { pool, watch }: Pick<Database, "pool" | "watch">,
  metrics: Metrics,
  statements: StatementFigures,
): void {
  watch((text) => {
    const sentMs = performance.now();
    return (error) => {
      const took = performance.now() - sentMs;
      metrics.statements.observe(took / 1000);
      if (error !== undefined) metrics.statementFaults.inc();
      statements.add(text, took, error !== undefined);
    };
  });
  metrics.beforeRead(() => {
    metrics.poolConnections.set({ state: "idle" }, pool.idleCount);
    metrics.poolConnections.set({ state: "busy" }, pool.totalCount - pool.idleCount);
    metrics.poolLimit.set(pool.options.max);
    metrics.poolWaiting.set(pool.waitingCount);
  });
}

export function createPlatform({ database, ...given }: PlatformDependencies): Platform {
  const { kysely, pool, prepared } = database;
  const { config, log, bus, secretKey, tracing } = given;
  if (tracing !== undefined) database.watch(traceStatements(tracing));
  const metrics = createMetrics();
  const nextId = createSnowflake(randomInt(1024));
  const statements = createStatementFigures(() => Date.now());
  measureDatabase(database, metrics, statements);
  return {
    ...given,
    tracing,
    statements,
    kysely,
    prepared,
    // Looked up at each call, so that a test can move the clock.
    now: () => Date.now(),
    nextId,
    serverId: `${hostname()}/${process.pid}/${nextId()}`,
    personalCipher: createPersonalCipher(config.personalKey ?? secretKey, config.personalKeysOld),
    metrics,
    jobs: createJobQueue({
      pool,
      bus,
      log,
      around: (name, work) => tracedWork(tracing, `job ${name}`, { "herdwise.job": name }, work),
      onRun: (task, outcome, seconds) => {
        metrics.jobRuns.inc({ task, outcome });
        metrics.jobSeconds.observe({ task }, seconds);
      },
    }),
    inTransaction: (repositoryOf) => (work) =>
      kysely.transaction().execute((transaction) => work(repositoryOf(transaction))),
    warn: (what) => (error) => log.warn({ err: error }, what),
  };
}
