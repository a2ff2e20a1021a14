import { reopenDays, urgeHours } from "@herdwise/contract";
import type { EntryRow } from "./entry.repository.ts";
import type { OrderRow } from "./work-order.repository.ts";

const hourMs = 3_600_000;

/** A row of a list. @param mine whether it is the caller's */
export const orderOf = (row: OrderRow, mine: boolean) => ({
  id: row.id,
  number: row.number,
  type: row.type,
  state: row.state,
  title: row.title,
  category: row.category,
  repairMode: row.repairMode,
  productId: row.productId,
  deviceName: row.deviceName,
  place: row.place,
  customer: row.customer,
  raiser: row.raiser,
  assignee: row.assignee,
  mine,
  createTime: row.createTime,
  updateTime: row.updateTime,
  firstDueTime: row.firstDueTime,
  firstAnswerTime: row.firstAnswerTime,
  solveDueTime: row.solveDueTime,
  solveTime: row.solveTime,
  overdue: row.overdue,
  urges: row.urges,
  rating: row.rating,
  version: row.version,
});

export const entryOf = ({ details, ...entry }: EntryRow) => ({
  id: entry.id,
  what: entry.what,
  side: entry.side,
  name: entry.name,
  body: entry.body,
  internal: entry.internal,
  photos: entry.photos,
  items: details.items ?? "",
  carrier: details.carrier ?? "",
  tracking: details.tracking ?? "",
  other: details.other ?? "",
  rating: details.rating ?? 0,
  minutes: details.minutes ?? 0,
  createTime: entry.createTime,
});

/** From when on an order may be urged again; undefined for at once. */
export function urgeableFrom({ urgedAt }: Pick<OrderRow, "urgedAt">, now: number): Date | undefined {
  const from = (urgedAt?.getTime() ?? 0) + urgeHours * hourMs;
  return from > now ? new Date(from) : undefined;
}

/** Whether an order was completed too long ago to be opened again. */
export const isPastReopening = ({ solveTime }: Pick<OrderRow, "solveTime">, now: number): boolean =>
  solveTime !== null && now - solveTime.getTime() > reopenDays * 24 * hourMs;
