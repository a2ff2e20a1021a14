import { nextWorkOrderState, type WorkOrderEvent, type WorkOrderParty, workOrderMinutes } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { AuditRecord, AuditRepository } from "../audit/index.ts";
import type { ServiceCalendar } from "../service-calendar/index.ts";
import type { DeskRepository } from "./desk.repository.ts";
import type { EntryRepository, NewEntry } from "./entry.repository.ts";
import type { Tell } from "./tell.ts";
import type { OrderChange, OrderRow, WorkOrderRepository } from "./work-order.repository.ts";

/** What one transaction of an order works with. */
export interface OrderParts {
  orders: WorkOrderRepository;
  entries: EntryRepository;
  desk: DeskRepository;
  audit: Pick<AuditRepository, "append">;
  calendar: ServiceCalendar;
  tell: Tell;
}

export interface Act {
  id: string;
  event: WorkOrderEvent;
  /** Who does it, by the order as it stands. */
  party: (row: OrderRow) => WorkOrderParty;
  /** As it was shown; absent where it does not matter what happened since. */
  version?: number | undefined;
  entry?: Pick<NewEntry, "body" | "internal" | "details">;
  photos?: readonly string[] | undefined;
  /** What changes beside state and times, after a look at the order. @throws {Refusal} where it may not be after all */
  change?: (row: OrderRow, parts: OrderParts) => Promise<Partial<OrderChange>> | Partial<OrderChange>;
  /** Whom it is told. */
  told?: (row: OrderRow, parts: OrderParts) => Promise<void>;
}

/** A change as the audit trail has it: no words of a customer. */
export const auditOf = (
  row: Pick<OrderRow, "id" | "number">,
  event: string,
  before: string | null,
  after: string,
): AuditRecord => ({
  resource: "work_order",
  rowId: row.id,
  rowTitle: row.number,
  action: before === null ? "create" : "update",
  changes: [
    { field: "event", before: null, after: event },
    { field: "state", before, after },
  ],
});

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
  state: OrderRow["state"],
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

/**
 * The one way in which something happens to an order: looks at the table, changes it, writes timeline and audit trail, tells people.
 * @throws {Refusal} 404 without one, 409 when it changed since it was shown, 400 when it may not happen
 */
export async function act(
  parts: OrderParts,
  scope: TenantScope,
  what: Act,
  { nextId, now }: { nextId: () => string; now: () => number },
): Promise<{ id: string; state: OrderRow["state"]; version: number }> {
  const { id, event } = what;
  const row = await parts.orders.find(scope, id, true);
  if (row === undefined) throw refuse("work_order.not_found");
  if (what.version !== undefined && what.version !== row.version)
    throw refuse("work_order.changed", { values: { name: row.changedBy } });
  const party = what.party(row);
  const state = nextWorkOrderState(row.type, row.state, event, party);
  if (state === undefined) throw refuse("work_order.state");
  const more = (await what.change?.(row, parts)) ?? {};
  const at = new Date(now());
  const change: OrderChange = {
    state,
    ...(answers.has(event) && { firstAnswered: true }),
    ...(await timesOf(row, state, event === "reopen", parts.calendar, at)),
    ...more,
  };
  await parts.orders.move(scope, id, scope.accountId, change);
  const entryId = nextId();
  await parts.entries.add(scope, id, {
    id: entryId,
    what: event,
    side: party === "desk" ? "desk" : "customer",
    accountId: scope.accountId,
    ...what.entry,
  });
  const photos = [...new Set(what.photos ?? [])];
  if (photos.length > 0 && (await parts.entries.addPhotos(scope, entryId, photos)) !== photos.length)
    throw refuse("work_order.photo", { field: "photos" });
  await parts.audit.append(row.tenantId, scope, [auditOf(row, event, row.state, state)], nextId);
  await what.told?.(row, parts);
  return { id, state, version: row.version + 1 };
}
