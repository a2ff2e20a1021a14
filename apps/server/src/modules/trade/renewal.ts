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

/**
 * Brings marked sums up to date: before each read, and every minute, so that little is left to a read.
 * @param job name of the job
 */
export function renewalOf<Repository extends Marked>(
  platform: Platform,
  job: string,
  repositoryOf: (db: DatabaseHandle) => Repository,
): { renewed: (signal?: AbortSignal) => Promise<void>; job: JobDefinition } {
  const inOne = platform.inTransaction(repositoryOf);
  const look = repositoryOf(platform.kysely);
  const renewed = async (signal?: AbortSignal): Promise<void> => {
    if (!(await look.isMarked(tradeSystem))) return;
    for (let more = true; more && !signal?.aborted; )
      more = await inOne(async (repository) => {
        await repository.hold(tradeSystem);
        return repository.renew(tradeSystem);
      });
  };
  return {
    renewed,
    job: {
      name: job,
      schedule: "* * * * *",
      retries: 0,
      timeoutS: 300,
      run: (_payload, { signal }) => renewed(signal),
    },
  };
}
