import { type ClockParts, type Due, eachDue } from "../../processes/index.ts";
import { orderDue } from "./desk.repository.ts";
import type { OrderParts, OrderProcess } from "./order-process.ts";
import { contentOf, customerLink, deskLink } from "./tell.ts";
import type { OrderRow } from "./work-order.repository.ts";

export interface ClockDependencies extends ClockParts<OrderParts> {
  process: OrderProcess;
  deskPeople: () => Promise<readonly string[]>;
}

/** What time does to orders: reminders, once each, and the end of those that nobody rates. */
export function createClockService({ process, deskPeople, ...clock }: ClockDependencies) {
  const { scope } = clock;
  return {
    /** Tells of what is due, late or forgotten. */
    async remind(signal: AbortSignal): Promise<void> {
      const people = await deskPeople();
      const each = (
        due: Due,
        title: string,
        to: (order: OrderRow) => readonly (string | null)[],
        link: (order: OrderRow) => string = deskLink,
      ) =>
        eachDue(
          clock,
          due,
          async ({ orders, tell }, id) => {
            const order = await orders.find(scope, id);
            if (order) await tell({ to: to(order), title, content: contentOf(order), link: link(order) });
          },
          signal,
        );
      // What nobody has is everybody's.
      const desk = ({ assigneeId }: OrderRow) => (assigneeId === null ? people : [assigneeId]);
      await each(orderDue.unanswered, "首次答复已超时", desk);
      await each(orderDue.soon, "一小时内到时", desk);
      await each(orderDue.late, "解决已超时", desk);
      await each(orderDue.forgotten, "客服还在等您答复", ({ createdBy }) => [createdBy], customerLink);
    },

    /** Closes completed orders that nobody rated. */
    close: (signal: AbortSignal): Promise<void> =>
      eachDue(
        clock,
        orderDue.unrated,
        (parts, id) => process.act(parts, { by: scope, party: "clock", row: id, event: "close" }),
        signal,
      ),
  };
}
