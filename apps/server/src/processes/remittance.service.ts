import type { JobDefinition } from "../jobs/job.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { RemittanceOrder, RemittanceProvider, RemittanceStanding } from "../providers/remittance/remittance.ts";
import { arrivedNow, sentNow } from "./remittance.repository.ts";
import type { Changes } from "./row.repository.ts";

/** A small amount that is under way. */
export interface RunningRemittance {
  readonly id: string;
  readonly state: string;
  readonly arrivals: number;
  readonly sentAt: Date | null;
  readonly expiresAt: Date;
}

/** States in which the bank is asked, what it does not have yet first. */
const asked = ["ordered", "sent", "arrived"] as const;
/** Amounts that one look reads, and those of which the bank is asked at once. */
export const remittancesTogether = 500;
const askedAtOnce = 8;
/** How often a job that was asked for looks whether the money is there before it leaves it to the clock, and how long it waits between, ms. */
const looks = 4;
const lookMs = 1500;
const hourMs = 3_600_000;

export interface RemittanceHooks<Row> {
  /** Those in a state, by id after one; `owner`: of that row of the process alone. */
  readonly running: (
    state: (typeof asked)[number],
    after: string,
    owner: string | undefined,
  ) => Promise<readonly Row[]>;
  /** As it is handed to the bank. The same order again is the same amount. */
  readonly orderOf: (row: Row) => RemittanceOrder | Promise<RemittanceOrder>;
  /** Takes a step if the amount is still where it was; what is known already does nothing. @param standing what the bank said */
  readonly step: (
    row: Row,
    event: "send" | "arrive" | "fail" | "expire",
    change: Changes,
    standing?: RemittanceStanding,
  ) => Promise<void>;
  /** The bank says that it arrived more than once. */
  readonly recount: (row: Row, arrivals: number) => Promise<void>;
  readonly provider: RemittanceProvider;
  /** Hours in which an amount must be typed after it arrived. */
  readonly hours: number;
  /** Name of the job that brings the amounts of one row on. */
  readonly job: string;
  readonly jobs: Pick<JobQueue, "enqueue" | "wake">;
  readonly now: () => number;
  /** The bank could not be asked; it is asked again at the next run. */
  readonly onFault: (error: unknown) => void;
}

/** The talk with the bank about small amounts, whatever process they are of. */
export function createRemittances<Row extends RunningRemittance>(hooks: RemittanceHooks<Row>) {
  const { running, orderOf, step, recount, provider, hours, job, jobs, now, onFault } = hooks;

  const learn = (row: Row, standing: RemittanceStanding): Promise<void> | undefined => {
    if (standing.state === "sent" && row.state === "ordered")
      return step(row, "send", { ...sentNow, reference: standing.reference }, standing);
    if (standing.state === "arrived" && row.state === "arrived")
      return standing.arrivals > row.arrivals ? recount(row, standing.arrivals) : undefined;
    if (standing.state === "arrived") {
      const change = {
        ...arrivedNow,
        reference: standing.reference,
        arrivals: standing.arrivals,
        expiresAt: new Date(now() + hours * hourMs),
      };
      return step(row, "arrive", change, standing);
    }
    if (standing.state === "failed" && row.state !== "arrived")
      return step(row, "fail", { failure: standing.failure }, standing);
    return undefined;
  };

  /** Brings one on by a step. No transaction is open while the bank is asked. */
  const bringOn = async (row: Row): Promise<void> => {
    try {
      if (row.expiresAt.getTime() < now()) return await step(row, "expire", {});
      const order = await orderOf(row);
      // After a fault it is simply handed over once more.
      if (row.state === "ordered") await learn(row, await provider.send(order));
      else if (row.sentAt !== null) await learn(row, await provider.standing({ ...order, sentAt: row.sentAt }));
    } catch (error) {
      onFault(error);
    }
  };

  /** Brings all that run on, or those of one row of the process: what arrived and waits for its owner holds up nothing new. */
  const remit = async (signal: AbortSignal, owner?: string): Promise<void> => {
    // What has just come into a state is asked for at the next run.
    const met = new Set<string>();
    for (const state of asked)
      for (let after = "0"; ; ) {
        const rows = await running(state, after, owner);
        for (let at = 0; at < rows.length; at += askedAtOnce) {
          if (signal.aborted) return;
          const together = rows.slice(at, at + askedAtOnce).filter(({ id }) => !met.has(id));
          for (const { id } of together) met.add(id);
          await Promise.all(together.map(bringOn));
        }
        if (rows.length < remittancesTogether) break;
        after = rows.at(-1)?.id ?? after;
      }
  };

  const waits = async (owner: string): Promise<boolean> =>
    (await running("ordered", "0", owner)).length + (await running("sent", "0", owner)).length > 0;

  return {
    remit,

    /** An amount was ordered; called after the commit. What is not begun then is begun by the clock. */
    onOrdered: (owner: string): void => {
      jobs
        .enqueue(job, { owner })
        .then(() => jobs.wake())
        .catch(onFault);
    },

    job: {
      name: job,
      retries: 0,
      timeoutS: 60,
      async run(payload: unknown, { signal }: { signal: AbortSignal }) {
        const { owner } = payload as { owner: string };
        for (let look = 0; look < looks && !signal.aborted; look += 1) {
          await remit(signal, owner);
          if (!(await waits(owner))) return;
          await new Promise((resolve) => setTimeout(resolve, lookMs));
        }
      },
    } satisfies JobDefinition,
  };
}
