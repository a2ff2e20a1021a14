import { type JobState, jobLink } from "@herdwise/contract";
import { filled, Refusal, refuse } from "../../http/errors.ts";
import type { EventStream } from "../../http/event-stream.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { type Reason, reasons } from "../../http/reasons.ts";
import type { Session } from "../../http/session.ts";
import { type SessionStreams, sleeperOf } from "../../http/session-streams.ts";
import { readSomeIds } from "../../ids.ts";
import { isInterrupted, type JobDefinition, type JobRun, JobTimeout } from "../../jobs/job.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Bus } from "../../providers/bus.ts";
import { type AccountScope, accountScope, type MemberScope, memberScope, systemScope } from "../../tenant-scope.ts";
import type { MessageRepository } from "../messages/index.ts";
import type { BackgroundJobRepository, BackgroundJobRow, JobEnd, Texts } from "./background-job.repository.ts";

/** A run of a job that a person asked for. */
export interface BackgroundJobRun extends JobRun {
  readonly owner: MemberScope;
  /**
   * Tells how far the work is, as often as one likes: most calls cost nothing.
   * @param total 0 while it is not known
   * @throws when the job must stop
   */
  progress(done: number, total: number): Promise<void>;
  /** Registers what takes back something that the run left outside of the database, should it not succeed. */
  undo(step: () => Promise<void>): void;
}

/** Long work that people ask for. */
export interface BackgroundJobDefinition<Payload extends object = object> {
  /** Unique, such as `user.export`. */
  readonly kind: string;
  readonly retries: number;
  readonly timeoutS: number;
  /**
   * Does the work. A Refusal ends the job with its reason; anything else is tried again. What it writes to the database must
   * be one transaction at its end, or harmless when done twice.
   * @returns ids of files and counts, by name
   */
  run(payload: Payload, run: BackgroundJobRun): Promise<Texts>;
}

export interface BackgroundJobDependencies {
  repository: BackgroundJobRepository;
  inTransaction<T>(
    work: (transaction: { jobs: BackgroundJobRepository; messages: Pick<MessageRepository, "insert"> }) => Promise<T>,
  ): Promise<T>;
  /** Days for which jobs that ended are kept. */
  keepDays: () => number;
  queue: Pick<JobQueue, "enqueue" | "wake" | "cancel" | "unfinished">;
  bus: Bus;
  streams: SessionStreams;
  nextId: () => string;
  onError: (error: unknown) => void;
}

/** Jobs of one person that may wait or run at a time. */
const unfinishedPerAccount = 20;
/** Progress is written and told this often, ms. */
const progressMs = 500;
/** A job that the queue does not know any more is given up after this time, s. */
const lostAfterS = 60;

const runner = systemScope("a job runs when its turn comes; whose it is stands in its row");

const textsOf = (values: Readonly<Record<string, unknown>>): Texts =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

/** With the text of its reason; one that a later version does not know any more says nothing. */
const view = (job: BackgroundJobRow) => ({
  ...job,
  text: job.reason in reasons ? reasons[job.reason as Reason].zh : "",
});

/** Jobs that people ask for: they see how far each is, may cancel it, and find a message at its end. */
export function createBackgroundJobService(dependencies: BackgroundJobDependencies) {
  const { repository, inTransaction, keepDays, queue, bus, streams, nextId, onError } = dependencies;
  const changed = (accountId: string, id: string) => bus.publish("jobChanged", { accountId, id });
  /** What each open stream has not sent yet. */
  const readers = new Map<string, Set<{ pending: Set<string>; wake: () => void }>>();
  bus.subscribe("jobChanged", ({ accountId, id }) => {
    for (const reader of readers.get(accountId) ?? []) {
      reader.pending.add(id);
      reader.wake();
    }
  });

  const tellOfEnd = (
    messages: Pick<MessageRepository, "insert">,
    job: Pick<BackgroundJobRow, "id" | "accountId" | "title">,
    succeeded: boolean,
  ): Promise<void> =>
    messages.insert(accountScope(runner, job.accountId), {
      id: nextId(),
      kind: "system",
      title: succeeded ? "任务已完成" : "任务失败",
      content: job.title,
      link: jobLink(job.id),
    });

  /** @returns false when this run may no longer write */
  const finish = (job: BackgroundJobRow, attempt: number, end: JobEnd): Promise<boolean> =>
    inTransaction(async (to) => {
      if (!(await to.jobs.finish(runner, job.id, attempt, end))) return false;
      await tellOfEnd(to.messages, job, end.state === "succeeded");
      return true;
    });

  const runOnce = async <Payload extends object>(
    definition: BackgroundJobDefinition<Payload>,
    job: BackgroundJobRow,
    payload: Payload,
    run: JobRun,
  ): Promise<void> => {
    const stop = new AbortController();
    const signal = AbortSignal.any([run.signal, stop.signal]);
    const undoSteps: (() => Promise<void>)[] = [];
    const takeBack = async () => {
      for (const step of undoSteps.reverse()) await step().catch(onError);
    };
    let toldAt = Number.NEGATIVE_INFINITY;
    const progress = async (done: number, total: number) => {
      signal.throwIfAborted();
      if (performance.now() - toldAt < progressMs && done < total) return;
      toldAt = performance.now();
      if (!(await repository.progress(runner, job.id, run.attempt, done, total))) {
        stop.abort(new Error("the job was cancelled, or another server has it"));
      }
      signal.throwIfAborted();
      changed(job.accountId, job.id);
    };
    try {
      const result = await definition.run(payload, {
        ...run,
        signal,
        owner: memberScope(runner, job),
        progress,
        undo: (step) => void undoSteps.push(step),
      });
      signal.throwIfAborted();
      if (!(await finish(job, run.attempt, { state: "succeeded", result }))) await takeBack();
    } catch (error) {
      await takeBack();
      const refused = error instanceof Refusal && !signal.aborted;
      // The queue tries it again, here or on another server; a cancelled job it does not know any more.
      if (isInterrupted(signal) || (!refused && run.attempt < definition.retries)) throw error;
      if (!refused) run.log.error({ err: error, backgroundJob: job.id }, "a background job failed");
      await finish(job, run.attempt, {
        state: "failed",
        reason: refused ? error.reason : signal.reason instanceof JobTimeout ? "jobs.timeout" : "jobs.failed",
        values: refused ? textsOf(error.values) : {},
      });
    } finally {
      changed(job.accountId, job.id);
    }
  };

  const cancelOf = async (owner: AccountScope, ids: readonly string[]): Promise<void> => {
    for (const { id, queueId } of await repository.cancel(owner, ids)) {
      await queue.cancel(queueId);
      changed(owner.accountId, id);
    }
  };

  return {
    /** The work of a kind as the queue runs it, for the module's list of jobs. */
    define<Payload extends object>(definition: BackgroundJobDefinition<Payload>): JobDefinition {
      const { kind, retries, timeoutS } = definition;
      return {
        name: kind,
        retries,
        timeoutS,
        async run(payload, run) {
          const { id, given } = payload as { id: string; given: Payload };
          const job = await repository.begin(runner, id, run.attempt);
          // Cancelled before it began, or done by a run that was believed dead.
          if (job === undefined) return;
          changed(job.accountId, job.id);
          await runOnce(definition, job, given, run);
        },
      };
    },

    /**
     * Puts a job into the queue.
     * @param title Chinese, a key of the translations
     * @param payload JSON; nothing personal belongs into it
     * @param id of its own, for who has to know it before
     * @returns its id
     */
    async submit(
      owner: MemberScope,
      kind: string,
      title: string,
      payload: object,
      id: string = nextId(),
    ): Promise<string> {
      if ((await repository.unfinishedOf(owner)) >= unfinishedPerAccount) {
        throw refuse("jobs.too_many");
      }
      await inTransaction(async (to) => {
        const queueId = await queue.enqueue(kind, { id, given: payload }, to.jobs.runner);
        await to.jobs.insert(owner, { id, kind, title, queueId });
      });
      queue.wake();
      changed(owner.accountId, id);
      return id;
    },

    async page(owner: AccountScope, query: Parameters<typeof pageRequest>[0] & { state?: JobState | undefined }) {
      const request = pageRequest(query, []);
      const { rows, total } = await repository.page(owner, query.state, request);
      return pageOfRows(rows.map(view), total, request);
    },

    async detail(owner: AccountScope, id: string) {
      const job = await repository.find(owner, id);
      if (job === undefined) throw refuse("jobs.not_found");
      return view(job);
    },

    /** How a job ended, with its reason in words. @returns undefined while it waits or runs, and for one that is not known */
    async ended(scope: MemberScope, id: string): Promise<{ state: JobState; failure: string } | undefined> {
      const job = await repository.byId(scope, id);
      if (job === undefined || job.state === "queued" || job.state === "running") return undefined;
      return { state: job.state, failure: filled(view(job).text, job.values) };
    },

    /** Cancels a job of anybody in the tenant: what it works on was given up. */
    async stop(scope: MemberScope, id: string): Promise<void> {
      const job = await repository.byId(scope, id);
      if (job !== undefined) await cancelOf(accountScope(runner, job.accountId), [id]);
    },

    /** @param ids comma-separated */
    async cancel(owner: AccountScope, ids: string | undefined): Promise<void> {
      await cancelOf(owner, readSomeIds(ids));
    },

    /** Serves one stream until it ends: first what is unfinished, then each change. */
    live: (session: Session, stream: EventStream): Promise<void> =>
      streams.watch(session, stream, async () => {
        const { accountId } = session;
        const { wake, sleep } = sleeperOf(stream);
        const reader = { pending: new Set<string>(), wake };
        const ofAccount = readers.get(accountId) ?? new Set();
        readers.set(accountId, ofAccount.add(reader));
        try {
          for (const job of await repository.open(session)) await stream.send("job", view(job));
          while (!stream.signal.aborted) {
            const [id] = reader.pending;
            if (id === undefined) {
              await sleep();
              continue;
            }
            reader.pending.delete(id);
            const job = await repository.find(session, id);
            if (job !== undefined) await stream.send("job", view(job));
          }
        } finally {
          ofAccount.delete(reader);
          if (ofAccount.size === 0) readers.delete(accountId);
        }
      }),

    /** Gives up jobs that the queue has lost, and removes those that ended long ago. */
    async sweep(): Promise<void> {
      const lingering = await repository.lingering(runner, lostAfterS);
      const known = await queue.unfinished(lingering.map(({ queueId }) => queueId));
      const lost = lingering.filter(({ queueId }) => !known.has(queueId));
      if (lost.length > 0) {
        const ids = lost.map(({ id }) => id);
        const givenUp = await inTransaction(async (to) => {
          const jobs = await to.jobs.giveUp(runner, ids, "jobs.lost");
          for (const job of jobs) await tellOfEnd(to.messages, job, false);
          return jobs;
        });
        for (const { accountId, id } of givenUp) changed(accountId, id);
      }
      await repository.removeFinished(runner, keepDays());
    },
  };
}
export type BackgroundJobService = ReturnType<typeof createBackgroundJobService>;
