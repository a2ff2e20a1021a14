import type { JobDefinition } from "../jobs/job.ts";
import { transactionRunner } from "../jobs/queue.repository.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { DatabaseHandle } from "../resources/index.ts";

/** Something that a step does outside of the database, such as an SMS. */
interface Effect<Payload extends object> {
  readonly job: JobDefinition;
  /** Puts it in as a part of a transaction: it is done after the commit, and never where that is rolled back. */
  in(transaction: DatabaseHandle): (payload: Payload) => Promise<void>;
}

/** Tries of an effect: the waits between them double from five seconds to some five hours. */
const effectRetries = 12;
const effectTimeoutS = 60;

/**
 * Declares an effect. Its row in the queue is written by the step's own transaction, so that a kill at any point loses none; a run that
 * was broken off is repeated.
 * @param name of its job @param run throws where it could not be done and is to be tried again
 */
export const effect = <Payload extends object>(
  queue: JobQueue,
  name: string,
  run: JobDefinition<Payload>["run"],
): Effect<Payload> => ({
  job: { name, retries: effectRetries, backsOff: true, timeoutS: effectTimeoutS, run },
  in: (transaction) => async (payload) => {
    await queue.enqueue(name, payload, transactionRunner(transaction));
  },
});
