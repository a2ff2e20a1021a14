import { refuse } from "../../http/errors.ts";
import type { JobDefinition } from "../../jobs/job.ts";
import type { Platform } from "../../module.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import type { SystemScope } from "../../tenant-scope.ts";
import { tradeSystem } from "./context.ts";

/** Sums of lines that steps mark, and that are worked out anew before somebody reads them. */
interface Marked {
  isMarked(scope: SystemScope): Promise<boolean>;
  /** Lets one renewal after the other work, until the transaction ends. */
  hold(scope: SystemScope): Promise<unknown>;
  /** Works out anew some of what is marked. @returns whether more is marked */
  renew(scope: SystemScope): Promise<boolean>;
}

/** Renewals that a read waits for; steps of a busy day leave less than one. */
const roundsOfRead = 3;

/**
 * Brings marked sums up to date: before each read, and every minute, so that little is left to a read.
 * @param job name of the job
 */
export function renewalOf<Repository extends Marked>(
  platform: Platform,
  job: string,
  repositoryOf: (db: DatabaseHandle) => Repository,
): {
  /** @throws {Refusal} 503 while the backlog of an update is worked out, which takes some minutes for millions of rows */
  renewed: () => Promise<void>;
  job: JobDefinition;
} {
  const inOne = platform.inTransaction(repositoryOf);
  const look = repositoryOf(platform.kysely);
  /** @returns whether all is worked out */
  const renew = async (rounds: number, signal?: AbortSignal): Promise<boolean> => {
    if (!(await look.isMarked(tradeSystem))) return true;
    let more = true;
    for (let round = 0; more && round < rounds && !signal?.aborted; round += 1)
      more = await inOne(async (repository) => {
        await repository.hold(tradeSystem);
        return repository.renew(tradeSystem);
      });
    return !more;
  };
  return {
    async renewed() {
      if (!(await renew(roundsOfRead))) throw refuse("trade_report.working");
    },
    job: {
      name: job,
      schedule: "* * * * *",
      retries: 0,
      timeoutS: 300,
      async run(_payload, { signal }) {
        await renew(Number.POSITIVE_INFINITY, signal);
      },
    },
  };
}
