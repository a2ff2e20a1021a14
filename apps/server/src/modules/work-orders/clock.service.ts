import { closeDays } from "@herdwise/contract";
import type { SystemScope } from "../../tenant-scope.ts";
import type { Due } from "./desk.repository.ts";
import type { OrderParts, OrderProcess } from "./order-process.ts";
import { contentOf, customerLink, deskLink } from "./tell.ts";

/** The desk is told so many minutes before a solution is due. */
const soonMinutes = 60;
/** Days after which a customer who was asked something is reminded. */
const forgottenDays = 2;
/** Orders that one run closes at most. */
const mostClosed = 1000;

export interface ClockDependencies {
  process: OrderProcess;
  inOne: <T>(work: (parts: OrderParts) => Promise<T>) => Promise<T>;
  scope: SystemScope;
  deskPeople: () => Promise<readonly string[]>;
}

/** What time does to orders: reminders, once each, and the end of those that nobody rates. */
export function createClockService({ process, inOne, scope, deskPeople }: ClockDependencies) {
  return {
    /** Tells of what is due, late or forgotten. */
    async remind(): Promise<void> {
      const people = await deskPeople();
      await inOne(async ({ desk, tell }) => {
        const toDesk = async (due: readonly Due[], title: string): Promise<void> => {
          for (const order of due) {
            // What nobody has is everybody's.
            const to = order.assigneeId === null ? people : [order.assigneeId];
            await tell({ to, title, content: contentOf(order), link: deskLink(order) });
          }
        };
        await toDesk(await desk.takeUnanswered(scope), "首次答复已超时");
        await toDesk(await desk.takeSoon(scope, soonMinutes), "一小时内到时");
        await toDesk(await desk.takeLate(scope), "解决已超时");
        for (const order of await desk.takeForgotten(scope, forgottenDays))
          await tell({
            to: [order.createdBy],
            title: "客服还在等您答复",
            content: contentOf(order),
            link: customerLink(order),
          });
      });
    },

    /** Closes completed orders that nobody rated. */
    async close(): Promise<void> {
      /** One at a time, for each writes into the trail of another customer. @returns whether there was one */
      const closeNext = (): Promise<boolean> =>
        inOne(async (parts) => {
          const id = await parts.desk.nextUnrated(scope, closeDays);
          if (id !== undefined) await process.act(parts, { by: scope, party: "clock", row: id, event: "close" });
          return id !== undefined;
        });
      for (let closed = 0; closed < mostClosed; closed += 1) if (!(await closeNext())) return;
    },
  };
}
