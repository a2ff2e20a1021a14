import type { FastifyBaseLogger } from "fastify";

/** The reason of the signal when a run takes too long. */
export class JobTimeout extends Error {
  override readonly name = "JobTimeout";
}

/** Whether a run ends for a reason that lies outside of it, so that it did not fail. */
export const isInterrupted = (signal: AbortSignal): boolean => signal.aborted && !(signal.reason instanceof JobTimeout);

/** What a run of a job is given. */
export interface JobRun {
  /**
   * Aborted when the job must end before it is done: its time is over, it was cancelled, the server stops, or another server
   * took it over. Long work looks at it between its steps.
   */
  readonly signal: AbortSignal;
  readonly log: FastifyBaseLogger;
  /** From 0; counts runs that were broken off as well as those that failed. */
  readonly attempt: number;
}

/** Work that some server of the installation does: by the clock, or when it was asked for. */
export interface JobDefinition<Payload extends object = object> {
  /** Unique, such as `identity.sweep`: letters, digits, points and hyphens. */
  readonly name: string;
  /** When it runs by itself: a cron expression of five fields in Asia/Shanghai. Of all servers one runs it. */
  readonly schedule?: string;
  /** How often it is tried again after it failed. A run that was broken off (the server stopped or died) does not count. */
  readonly retries: number;
  /** The wait before the next try doubles from five seconds on; one second each time otherwise. */
  readonly backsOff?: boolean;
  /** A run that takes longer is ended and counts as failed, s. */
  readonly timeoutS: number;
  /** Does the work; it may be repeated from the start, so whatever it does twice must be as if done once. */
  run(payload: Payload, run: JobRun): Promise<void>;
}
