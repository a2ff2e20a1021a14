import {
  mostUrges,
  type WorkOrderEvent,
  type WorkOrderState,
  workOrderMinutes,
  workOrderProcess,
} from "@herdwise/contract";
import { shanghaiClock } from "@herdwise/contract/shanghai";
import { refuse } from "../../http/errors.ts";
import { createProcess, type DueRepository, type StepParts } from "../../processes/index.ts";
import { accountOf, isSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";
import type { ServiceCalendar } from "../service-calendar/index.ts";
import type { DeskRepository } from "./desk.repository.ts";
import type { EntryRepository, NewEntry } from "./entry.repository.ts";
import { isPastReopening, urgeableFrom } from "./present.ts";
import { contentOf, customerLink, deskLink } from "./tell.ts";
import type { OrderChange, OrderRow, WorkOrderRepository } from "./work-order.repository.ts";

/** What one transaction of an order works with. */
export interface OrderParts extends StepParts {
  due: DueRepository;
  orders: WorkOrderRepository;
  entries: EntryRepository;
  desk: DeskRepository;
  calendar: ServiceCalendar;
}

/** What a step changes beside state and times, and what its entry says. */
export interface OrderStep extends Partial<Omit<OrderChange, "state">> {
  entry?: Pick<NewEntry, "body" | "internal" | "details">;
  photos?: readonly string[] | undefined;
}

/** The desk has said something to the customer by these. */
const answers: ReadonlySet<WorkOrderEvent> = new Set([
  "answer",
  "ask",
  "remote",
  "ship",
  "complete",
  "adopt",
  "reject",
]);

/** How the time of an order goes on when it changes its state: it stands still while the desk waits for the customer. */
async function timesOf(
  row: OrderRow,
  state: WorkOrderState,
  reopened: boolean,
  calendar: ServiceCalendar,
  at: Date,
): Promise<Pick<OrderChange, "solveDue" | "minutesLeft">> {
  if (reopened)
    return { solveDue: await calendar.afterMinutes(at, workOrderMinutes[row.type].solution), minutesLeft: null };
  if (state === "waiting_customer" && row.solveDueTime !== null)
    return { solveDue: null, minutesLeft: Math.round(await calendar.minutesBetween(at, row.solveDueTime)) };
  if (row.state === "waiting_customer" && state === "in_process" && row.minutesLeft !== null) {
    // What was late stays late by as much.
    const due =
      row.minutesLeft > 0
        ? await calendar.afterMinutes(at, row.minutesLeft)
        : new Date(at.getTime() + row.minutesLeft * 60_000);
    return { solveDue: due, minutesLeft: null };
  }
  return {};
}

/** Hours and minutes in Asia/Shanghai. */
const clockOf = (at: Date): string => shanghaiClock(at.getTime()).slice(11, 16);

/** Adds an entry with its pictures and films. @throws {Refusal} where some of them are not the author's */
export async function addEntry(
  { entries }: Pick<OrderParts, "entries">,
  by: TenantScope | SystemScope,
  orderId: string,
  entry: Omit<NewEntry, "accountId">,
  names: readonly string[] = [],
): Promise<void> {
  await entries.add(by, orderId, { ...entry, accountId: accountOf(by) });
  const photos = [...new Set(names)];
  if (photos.length === 0 || isSystemScope(by)) return;
  if ((await entries.addPhotos(by, entry.id, photos)) !== photos.length)
    throw refuse("work_order.photo", { field: "photos" });
}

export interface OrderProcessDependencies {
  /** The people of the desk. */
  deskPeople: () => Promise<readonly string[]>;
  nextId: () => string;
  now: () => number;
}

/** The steps of orders. */
export const createOrderProcess = ({ deskPeople, nextId, now }: OrderProcessDependencies) =>
  createProcess(workOrderProcess, {
    find: (parts: OrderParts, by: TenantScope | SystemScope, id: string) => parts.orders.find(by, id, true),
    kindOf: (row: OrderRow) => row.type,
    title: (row) => row.number,
    content: contentOf,
    changed: (row) => refuse("work_order.changed", { values: { name: row.changedBy } }),
    guards: {
      urge(row) {
        if (row.urges >= mostUrges) return refuse("work_order.urged_enough", { values: { most: mostUrges } });
        const from = urgeableFrom(row, now());
        return from && refuse("work_order.urged_lately", { values: { time: clockOf(from) } });
      },
      reopen: (row) => (isPastReopening(row, now()) ? refuse("work_order.too_late") : undefined),
      claim: (row) =>
        row.assigneeId === null ? undefined : refuse("work_order.taken", { values: { name: row.assignee } }),
    },
    async move(parts, { by, row, event, state }, { entry: _entry, photos: _photos, ...change }: OrderStep = {}) {
      await parts.orders.move(by, row.id, accountOf(by), {
        state,
        ...(answers.has(event) && { firstAnswered: true }),
        ...(await timesOf(row, state, event === "reopen", parts.calendar, new Date(now()))),
        ...change,
      });
    },
    note: (parts, { by, row, event, party }, id, { entry, photos }: OrderStep = {}) =>
      addEntry(
        parts,
        by,
        row.id,
        { id, what: event, side: party === "desk" || party === "clock" ? party : "customer", ...entry },
        photos,
      ),
    receivers: {
      raiser: { of: (row) => [row.createdBy], link: customerLink },
      // Whoever has it in hand, or all of the desk while nobody does.
      desk: { of: (row) => (row.assigneeId === null ? deskPeople() : [row.assigneeId]), link: deskLink },
      assignee: { of: (row) => [row.assigneeId], link: deskLink },
    },
    nextId,
  });
export type OrderProcess = ReturnType<typeof createOrderProcess>;

/** What is answered to a step. */
export const answerOf = ({ row, state }: { row: OrderRow; state: WorkOrderState }) => ({
  id: row.id,
  state,
  version: row.version + 1,
});
