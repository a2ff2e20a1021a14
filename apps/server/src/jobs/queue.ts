import { randomUUID } from "node:crypto";
import type { FastifyBaseLogger } from "fastify";
import { type Db, type JobWithMetadata, PgBoss } from "pg-boss";
import type { Bus } from "../providers/bus.ts";
import { isInterrupted, type JobDefinition, JobTimeout } from "./job.ts";

/** Runs SQL on the pool, or on an open transaction. */
export interface SqlRunner {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** What the queue needs of a pool of connections. */
interface SqlPool extends SqlRunner {
  connect(): Promise<SqlRunner & { release(close: boolean): void }>;
}

export interface JobQueueDependencies {
  readonly pool: SqlPool;
  readonly bus: Bus;
  readonly log: FastifyBaseLogger;
  /** Runs the work of each run, for what looks at it from outside. */
  readonly around?: (name: string, work: () => Promise<void>) => Promise<void>;
  /** Told how each run on this server ended. */
  readonly onRun?: (name: string, outcome: "succeeded" | "failed" | "interrupted", seconds: number) => void;
}

export interface JobQueue {
  /** Takes the definitions, makes the queue's tables if need be, and begins to work. Needs a migrated database. */
  start(definitions: readonly JobDefinition[]): Promise<void>;
  /**
   * Puts a job in. It runs after the commit of `transaction`, and never if that is rolled back.
   * @returns its id in the queue
   */
  enqueue(name: string, payload: object, transaction?: SqlRunner): Promise<string>;
  /** Lets every server look at once instead of within seconds; called after the commit. */
  wake(): void;
  /** Takes a job out that has not begun, and ends one that runs on this server. */
  cancel(queueId: string): Promise<void>;
  /** Which of these jobs still wait or run. */
  unfinished(queueIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Runs a job of the clock now and here, whatever the clock says. */
  runNow(name: string): Promise<void>;
  /** Breaks off what runs, which another server or the next start takes up, and waits for it to let go. */
  stop(): Promise<void>;
}

/** The schema of pg-boss in the database. */
export const queueSchema = "jobs";
/** Two queues for all jobs, because each queue is asked for by itself. */
const queues = { clock: "clock", asked: "asked" } as const;
const clockZone = "Asia/Shanghai";
/** Jobs that people asked for and that one server does at a time. */
const askedAtOnce = 2;
/** How often a queue is asked when nobody told that something is in it, s. */
const pollingS = { clock: 15, asked: 5 } as const;
/** A run whose server has not been heard of for this time is taken over, s; the least that pg-boss knows. */
const heartbeatS = 10;
const heartbeatRefreshS = 3;
/** How often runs without a heartbeat are looked for, ms. With the heartbeat it is the time of a take-over. */
const lookForDeadMs = 2000;
/** Runs that may be broken off before a job is given up, beside its retries. */
const interruptions = 10;
const retryDelayS = 1;
/** The first wait of a job that backs off, s. */
const backOffFromS = 5;
/** What a run has to end by itself after its time is over, before the queue gives it to another, s. */
const timeoutGraceS = 30;
/** Finished jobs are kept this long in the queue, s. */
const keepS = 86_400;
/** A run that does not let go for this time after it was told to is left behind; its heartbeat ends, and another server takes it. */
const stopLimitMs = 4000;

/** Work for several servers on one database: each job runs on one of them, and again if its server dies. */
export function createJobQueue({ pool, bus, log, around, onRun }: JobQueueDependencies): JobQueue {
  const adapter = (runner: SqlRunner): Db => ({
    executeSql: async (text, values) => (await runner.query(text, values)) as { rows: never[] },
  });
  const boss = new PgBoss({
    db: adapter(pool),
    schema: queueSchema,
    // What this program does not use is asked for as rarely as can be: an idle server shall cost nothing.
    monitorIntervalSeconds: 1,
    superviseIntervalSeconds: 60,
    maintenanceIntervalSeconds: 3600,
    bamIntervalSeconds: 3600,
    flowIntervalSeconds: 86_400,
    cronWorkerIntervalSeconds: pollingS.clock,
    monitorVacuum: false,
    reindex: false,
  });
  boss.on("error", (error) => log.warn({ err: error }, "the job queue could not be asked"));
  boss.on("warning", ({ message }) => log.warn({ message }, "the job queue warns"));

  const byName = new Map<string, JobDefinition>();
  const underWay = new Map<string, AbortController>();
  const stopping = new AbortController();
  let workers: string[] = [];
  let lookTimer: NodeJS.Timeout | undefined;
  let started = false;

  const definitionOf = (name: string): JobDefinition => {
    const definition = byName.get(name);
    if (definition === undefined) throw new Error(`no module has a job ${name}`);
    return definition;
  };

  const wakeHere = () => {
    for (const worker of workers) boss.notifyWorker(worker);
  };

  const wakeForRetry = () => void setTimeout(() => bus.publish("jobsWaiting", {}), retryDelayS * 1000).unref();

  /** Notes how work by the clock ended, for the checks of the installation. */
  const noteOutcome = async (job: string, fault?: string): Promise<void> => {
    const column = fault === undefined ? "succeeded_at" : "failed_at";
    await pool
      .query(
        `INSERT INTO public.job_outcomes (job, ${column}, fault) VALUES ($1, now(), $2)
         ON CONFLICT (job) DO UPDATE SET ${column} = excluded.${column},
           fault = CASE WHEN $3 THEN excluded.fault ELSE job_outcomes.fault END`,
        [job, (fault ?? "").slice(0, 500), fault !== undefined],
      )
      .catch((error: unknown) => log.warn({ err: error, job }, "how a job ended was not noted"));
  };

  const run = async (job: JobWithMetadata<Envelope>): Promise<void> => {
    const { name, payload } = job.data;
    const definition = definitionOf(name);
    const here = new AbortController();
    underWay.set(job.id, here);
    const signal = AbortSignal.any([here.signal, stopping.signal, job.signal]);
    const limit = setTimeout(() => here.abort(new JobTimeout(`${name} took too long`)), definition.timeoutS * 1000);
    const begunMs = performance.now();
    const ended = (outcome: "succeeded" | "failed" | "interrupted") =>
      onRun?.(name, outcome, (performance.now() - begunMs) / 1000);
    try {
      const work = () =>
        definition.run(payload, { signal, log: log.child({ job: name, queueId: job.id }), attempt: job.retryCount });
      await (around === undefined ? work() : around(name, work));
      ended("succeeded");
      if (definition.schedule !== undefined) await noteOutcome(name);
    } catch (error) {
      ended(isInterrupted(signal) ? "interrupted" : "failed");
      // Thrown on, it is tried again: at once by another server if this one stops.
      if (isInterrupted(signal) || job.retryCount < definition.retries) {
        wakeForRetry();
        throw error;
      }
      log.error({ err: error, job: name }, "a job failed for good");
      if (definition.schedule !== undefined) await noteOutcome(name, (error as Error).message);
    } finally {
      clearTimeout(limit);
      underWay.delete(job.id);
      // pg-boss would pause before the next one.
      wakeHere();
    }
  };

  const optionsOf = ({ retries, timeoutS, backsOff = false }: JobDefinition) => ({
    retryLimit: retries + interruptions,
    retryDelay: backsOff ? backOffFromS : retryDelayS,
    retryBackoff: backsOff,
    expireInSeconds: timeoutS + timeoutGraceS,
    heartbeatSeconds: heartbeatS,
    deleteAfterSeconds: keepS,
  });

  /** Finds runs of servers that died. pg-boss looks by itself only as often as it keeps its figures, which costs more. */
  const lookForDead = async (): Promise<void> => {
    const { rows } = await pool.query(
      `SELECT 1 FROM ${queueSchema}.job WHERE state = 'active'
         AND heartbeat_on + heartbeat_seconds * interval '1 s' < now() LIMIT 1`,
    );
    if (rows.length === 0) return;
    await boss.supervise();
    wakeForRetry();
  };

  /** Servers that start together make the tables one after another: pg-boss by itself fails when two make its schema at once. */
  const startBoss = async (): Promise<void> => {
    const client = await pool.connect();
    try {
      await client.query("SELECT pg_advisory_lock(hashtext('job queue'))");
      await boss.start();
    } finally {
      // The lock ends with the connection.
      client.release(true);
    }
  };

  const schedule = async (definitions: readonly JobDefinition[]): Promise<void> => {
    const wanted = new Set<string>();
    for (const definition of definitions) {
      if (definition.schedule === undefined) continue;
      wanted.add(definition.name);
      const envelope: Envelope = { name: definition.name, payload: {} };
      await boss.schedule(queues.clock, definition.schedule, envelope, {
        ...optionsOf(definition),
        key: definition.name,
        singletonKey: definition.name,
        tz: clockZone,
      });
    }
    for (const { key } of await boss.getSchedules(queues.clock)) {
      if (!wanted.has(key)) await boss.unschedule(queues.clock, key);
    }
  };

  return {
    async start(definitions) {
      if (started) return;
      for (const definition of definitions) {
        if (byName.has(definition.name)) throw new Error(`two jobs are called ${definition.name}`);
        byName.set(definition.name, definition);
      }
      await startBoss();
      started = true;
      // One of a job waits and one runs: a job that is slower than its clock does not pile up.
      await boss.createQueue(queues.clock, { policy: "stately" });
      await boss.createQueue(queues.asked, { policy: "standard" });
      await schedule(definitions);
      const handle = async ([job]: JobWithMetadata<Envelope>[]) => {
        if (job !== undefined) await run(job);
      };
      const work = (queue: string, pollingIntervalSeconds: number) =>
        boss.work<Envelope, void, { includeMetadata: true }>(
          queue,
          {
            includeMetadata: true,
            pollingIntervalSeconds,
            heartbeatRefreshSeconds: heartbeatRefreshS,
          } as { includeMetadata: true },
          handle,
        );
      workers = [await work(queues.clock, pollingS.clock)];
      for (let count = 0; count < askedAtOnce; count += 1) workers.push(await work(queues.asked, pollingS.asked));
      bus.subscribe("jobsWaiting", wakeHere);
      bus.subscribe("jobCancelled", ({ queueId }) => underWay.get(queueId)?.abort(new Error("the job was cancelled")));
      lookTimer = setInterval(() => {
        void lookForDead().catch((error: unknown) => log.warn({ err: error }, "dead jobs could not be looked for"));
      }, lookForDeadMs);
    },

    async enqueue(name, payload, transaction) {
      const envelope: Envelope = { name, payload };
      const id = await boss.send(queues.asked, envelope, {
        ...optionsOf(definitionOf(name)),
        id: randomUUID(),
        ...(transaction && { db: adapter(transaction) }),
      });
      if (id === null) throw new Error(`${name} was not put into the queue`);
      return id;
    },

    wake: () => bus.publish("jobsWaiting", {}),

    async cancel(queueId) {
      await boss.cancel(queues.asked, queueId);
      bus.publish("jobCancelled", { queueId });
    },

    async unfinished(queueIds) {
      const { rows } = await pool.query(
        `SELECT id::text FROM ${queueSchema}.job WHERE name = $1 AND id = ANY($2::uuid[]) AND state IN ('created', 'retry', 'active')`,
        [queues.asked, queueIds],
      );
      return new Set((rows as { id: string }[]).map(({ id }) => id));
    },

    async runNow(name) {
      await definitionOf(name).run({}, { signal: stopping.signal, log: log.child({ job: name }), attempt: 0 });
    },

    async stop() {
      clearInterval(lookTimer);
      stopping.abort(new Error("the server is stopping"));
      if (!started) return;
      // By itself pg-boss looks only every half second whether its workers have ended.
      let limit: NodeJS.Timeout | undefined;
      await Promise.race([
        Promise.all(Object.values(queues).map((queue) => boss.offWork(queue, { wait: true }))),
        new Promise((resolve) => {
          limit = setTimeout(resolve, stopLimitMs);
        }),
      ]);
      clearTimeout(limit);
      await boss.stop({ graceful: true, timeout: 1000, close: false });
    },
  };
}

interface Envelope {
  name: string;
  payload: object;
}
