import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Kysely } from "kysely";
import type { Config } from "./config.ts";
import type { Prepared } from "./database/connection.ts";
import type { DB } from "./database/generated/database.ts";
import type { StatementFigures } from "./database/statement-figures.ts";
import type { Finder } from "./finder.ts";
import type { Router } from "./http/router.ts";
import type { JobDefinition } from "./jobs/job.ts";
import type { JobQueue } from "./jobs/queue.ts";
import type { Metrics } from "./metrics.ts";
import type { PersonalCipher } from "./personal-cipher.ts";
import type { Bus } from "./providers/bus.ts";
import type { Store } from "./providers/store.ts";
import type { Tracing } from "./tracing/span.ts";

/** What every module may use. */
export interface Platform {
  readonly config: Config;
  readonly log: FastifyBaseLogger;
  /** For the repositories of a module. */
  readonly kysely: Kysely<DB>;
  /** For the few statements that most requests send. */
  readonly prepared: Prepared;
  readonly bus: Bus;
  /** Short-lived values that servers share. */
  readonly store: Store;
  /** Milliseconds since 1970; a test may move it. */
  now(): number;
  nextId(): string;
  /** Names this server among those on the database. */
  readonly serverId: string;
  readonly secretKey: string;
  readonly personalCipher: PersonalCipher;
  readonly metrics: Metrics;
  /** What each statement cost this server since its start. */
  readonly statements: StatementFigures;
  /** Makes spans of traces; undefined where nothing is traced. */
  readonly tracing: Tracing | undefined;
  /** Work that runs once over all servers. */
  readonly jobs: JobQueue;
  /** Aborted when the server begins to stop. */
  readonly stopping: AbortSignal;
  /** Runs work on a repository of its own inside one transaction. */
  inTransaction<Repository>(
    repositoryOf: (db: Kysely<DB>) => Repository,
  ): <T>(work: (repository: Repository) => Promise<T>) => Promise<T>;
  /** Writes a fault to the log that costs nobody more than what is said. */
  warn(what: string): (error: unknown) => void;
}

/**
 * A business capability as the server runs it. Modules start in the order in which app.ts lists them and stop in reverse; a
 * module that has nothing of a kind leaves it out.
 */
export interface ServerModule {
  /** Declares the module's operations. `http` is for routes beside the contract. */
  routes?(router: Router, http: FastifyInstance): void | Promise<void>;
  /** Finders of its lists that are no resources. */
  readonly finders?: readonly Finder[];
  /** Work by the clock and work that others ask for. */
  readonly jobs?: readonly JobDefinition[];
  /** Begins the work that needs a migrated database. */
  start?(): Promise<void>;
  /** Lets what is under way finish. */
  stop?(): Promise<void>;
}
