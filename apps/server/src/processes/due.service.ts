import { Refusal } from "../http/errors.ts";
import type { SystemScope } from "../tenant-scope.ts";
import { type Due, type DueRepository, dueTogether, type Place } from "./due.repository.ts";

/** What the clock of a process works with. */
export interface ClockParts<Parts> {
  readonly due: Pick<DueRepository, "read">;
  readonly inOne: (work: (parts: Parts) => Promise<void>) => Promise<void>;
  readonly scope: SystemScope;
  /** What could not be done to a row now; it is tried again at the next run. */
  readonly onFault: (error: unknown) => void;
}

/** Does to each row whose moment has come what time does to it, in a transaction of its own. */
export const eachDue = <Parts extends { due: Pick<DueRepository, "take"> }>(
  clock: ClockParts<Parts>,
  of: Due,
  happen: (parts: Parts, id: string) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> =>
  eachDueId(
    clock,
    of,
    (id) =>
      clock.inOne(async (parts) => {
        if (await parts.due.take(clock.scope, of, id)) await happen(parts, id);
      }),
    signal,
  );

/** Looks at each row whose moment has come, the earliest first: one that fails leaves the others alone, also those after it. */
export async function eachDueId(
  { due, scope, onFault }: Omit<ClockParts<never>, "inOne">,
  of: Due,
  happen: (id: string) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  for (let after: Place | undefined; ; ) {
    const places = await due.read(scope, of, after);
    for (const { id } of places) {
      if (signal?.aborted) return;
      try {
        await happen(id);
      } catch (error) {
        // What the table of its process does not have is nobody's fault.
        if (!(error instanceof Refusal)) onFault(error);
      }
    }
    after = places.at(-1);
    if (after === undefined || places.length < dueTogether) return;
  }
}
