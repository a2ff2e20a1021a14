import { closeDays, nextWorkOrderState } from "@herdwise/contract";
import type { SystemScope } from "../../tenant-scope.ts";
import { auditOf, type OrderParts } from "./act.ts";
import type { Due } from "./desk.repository.ts";
import { contentOf, customerLink, deskLink } from "./tell.ts";

/** The desk is told so many minutes before a solution is due. */
const soonMinutes = 60;
/** Days after which a customer who was asked something is reminded. */
const forgottenDays = 2;
/** Orders that one run closes at most. */
const mostClosed = 1000;

export interface ClockDependencies {
  inOne: <T>(work: (parts: OrderParts) => Promise<T>) => Promise<T>;
  scope: SystemScope;
  deskPeople: () => Promise<readonly string[]>;
  nextId: () => string;
}

/** What time does to orders: reminders, once each, and the end of those that nobody rates. */
export function createClockService({ inOne, scope, deskPeople, nextId }: ClockDependencies) {
  return {
    /** Tells of what is due, late or forgotten. */
    async remind(): Promise<void> {
      const people = await deskPeople();
      await inOne(async ({ desk, tell }) => {
        const toDesk = async (due: readonly Due[], title: string): Promise<void> => {
          for (const order of due) {
            // What nobody has is everybody's.
            for (const accountId of order.assigneeId === null ? people : [order.assigneeId])
              await tell(accountId, title, contentOf(order), deskLink(order));
          }
        };
        await toDesk(await desk.takeUnanswered(scope), "首次答复已超时");
        await toDesk(await desk.takeSoon(scope, soonMinutes), "一小时内到时");
        await toDesk(await desk.takeLate(scope), "解决已超时");
        for (const order of await desk.takeForgotten(scope, forgottenDays))
          await tell(order.createdBy, "客服还在等您答复", contentOf(order), customerLink(order));
      });
    },

    /** Closes completed orders that nobody rated. */
    async close(): Promise<void> {
      /** One at a time, for each writes into the trail of another customer. @returns whether there was one */
      const closeNext = (): Promise<boolean> =>
        inOne(async ({ desk, orders, entries, audit, tell }) => {
          const order = await desk.nextUnrated(scope, closeDays);
          const state = order && nextWorkOrderState(order.type, order.state, "close", "clock");
          if (order === undefined || state === undefined) return false;
          await orders.move(scope, order.id, null, { state });
          await entries.add(scope, order.id, { id: nextId(), what: "close", side: "clock", accountId: null });
          await tell(order.createdBy, "工单自动关闭了", contentOf(order), customerLink(order));
          await audit.append(order.tenantId, scope, [auditOf(order, "close", order.state, state)], nextId);
          return true;
        });
      for (let closed = 0; closed < mostClosed; closed += 1) if (!(await closeNext())) return;
    },
  };
}
