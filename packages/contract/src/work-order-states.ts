/** What a customer brings to the group's desk. All three are orders of one kind: they differ in what may happen to them. */
export const workOrderTypes = ["after_sales", "complaint", "suggestion"] as const;
export type WorkOrderType = (typeof workOrderTypes)[number];

/**
 * Where an order stands. `pending`: nobody of the desk has it; `in_process`: the desk works on it; `waiting_customer`: the desk
 * asked something, and its time stands still; `completed`: the desk says it is done; `closed`: rated, or left alone after that;
 * `cancelled`: taken back; `merged`: goes on in another one; `adopted`, `rejected`: how a suggestion was answered.
 */
export const workOrderStates = [
  "pending",
  "in_process",
  "waiting_customer",
  "completed",
  "closed",
  "cancelled",
  "merged",
  "adopted",
  "rejected",
] as const;
export type WorkOrderState = (typeof workOrderStates)[number];

/**
 * Who lets something happen: whoever raised the order (or who manages the customer's orders), another member of the customer
 * with the right, the group's desk, the clock.
 */
export const workOrderParties = ["raiser", "member", "desk", "clock"] as const;
export type WorkOrderParty = (typeof workOrderParties)[number];

export const workOrderEvents = [
  "reply",
  "urge",
  "receive",
  "cancel",
  "rate",
  "reopen",
  "claim",
  "assign",
  "answer",
  "ask",
  "note",
  "ship",
  "arrive",
  "remote",
  "redirect",
  "complete",
  "merge",
  "adopt",
  "reject",
  "publish",
  "close",
] as const;
export type WorkOrderEvent = (typeof workOrderEvents)[number];

interface Transition {
  event: WorkOrderEvent;
  types: readonly WorkOrderType[];
  by: readonly WorkOrderParty[];
  from: readonly WorkOrderState[];
  /** The state afterwards; `same` leaves it. */
  to: WorkOrderState | "same";
}

const served: readonly WorkOrderType[] = ["after_sales", "complaint"];
const repaired: readonly WorkOrderType[] = ["after_sales"];
const suggested: readonly WorkOrderType[] = ["suggestion"];
const customer: readonly WorkOrderParty[] = ["raiser", "member"];
const desk: readonly WorkOrderParty[] = ["desk"];
/** Not done yet. */
export const openWorkOrderStates = ["pending", "in_process", "waiting_customer"] as const;
const taken: readonly WorkOrderState[] = ["in_process", "waiting_customer"];

/** Everything that may happen to an order. What does not stand here is refused. */
export const workOrderTransitions: readonly Transition[] = [
  // The customer.
  { event: "reply", types: served, by: customer, from: ["pending"], to: "same" },
  { event: "reply", types: served, by: customer, from: taken, to: "in_process" },
  { event: "urge", types: served, by: customer, from: ["pending", "in_process"], to: "same" },
  { event: "receive", types: repaired, by: customer, from: openWorkOrderStates, to: "same" },
  { event: "cancel", types: served, by: ["raiser"], from: openWorkOrderStates, to: "cancelled" },
  { event: "cancel", types: suggested, by: ["raiser"], from: ["pending"], to: "cancelled" },
  { event: "rate", types: served, by: ["raiser"], from: ["completed"], to: "closed" },
  { event: "reopen", types: served, by: customer, from: ["completed", "closed"], to: "in_process" },
  // The desk.
  { event: "claim", types: served, by: desk, from: ["pending"], to: "in_process" },
  { event: "claim", types: served, by: desk, from: taken, to: "same" },
  { event: "assign", types: served, by: desk, from: ["pending"], to: "in_process" },
  { event: "assign", types: served, by: desk, from: taken, to: "same" },
  { event: "answer", types: served, by: desk, from: openWorkOrderStates, to: "in_process" },
  { event: "ask", types: served, by: desk, from: ["pending", "in_process"], to: "waiting_customer" },
  {
    event: "note",
    types: served,
    by: desk,
    from: ["pending", "in_process", "waiting_customer", "completed", "closed"],
    to: "same",
  },
  { event: "note", types: suggested, by: desk, from: ["pending", "adopted", "rejected"], to: "same" },
  { event: "ship", types: repaired, by: desk, from: taken, to: "in_process" },
  { event: "arrive", types: repaired, by: desk, from: taken, to: "in_process" },
  { event: "remote", types: repaired, by: desk, from: taken, to: "in_process" },
  { event: "redirect", types: repaired, by: desk, from: openWorkOrderStates, to: "same" },
  { event: "complete", types: served, by: desk, from: taken, to: "completed" },
  { event: "merge", types: served, by: desk, from: openWorkOrderStates, to: "merged" },
  { event: "adopt", types: suggested, by: desk, from: ["pending"], to: "adopted" },
  { event: "reject", types: suggested, by: desk, from: ["pending"], to: "rejected" },
  { event: "publish", types: suggested, by: desk, from: ["adopted"], to: "same" },
  // Time.
  { event: "close", types: served, by: ["clock"], from: ["completed"], to: "closed" },
];

/** Where an order goes by an event; undefined where it may not happen. */
export function nextWorkOrderState(
  type: WorkOrderType,
  state: WorkOrderState,
  event: WorkOrderEvent,
  party: WorkOrderParty,
): WorkOrderState | undefined {
  const found = workOrderTransitions.find(
    (one) => one.event === event && one.types.includes(type) && one.by.includes(party) && one.from.includes(state),
  );
  return found && (found.to === "same" ? state : found.to);
}

/** What may happen to an order now, by one of the parties. */
export const workOrderEventsFor = (
  type: WorkOrderType,
  state: WorkOrderState,
  party: WorkOrderParty,
): WorkOrderEvent[] => workOrderEvents.filter((event) => nextWorkOrderState(type, state, event, party) !== undefined);

/** Whether nothing is to be done any more. */
export const isWorkOrderOver = (state: WorkOrderState): boolean =>
  !(openWorkOrderStates as readonly WorkOrderState[]).includes(state);
