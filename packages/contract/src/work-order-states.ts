import { eventsFor, eventsOf, nextState, process, statesOf } from "./process/index.ts";

/** What a customer brings to the group's desk. All three are orders of one kind: they differ in what may happen to them. */
export const workOrderTypes = ["after_sales", "complaint", "suggestion"] as const;
export type WorkOrderType = (typeof workOrderTypes)[number];

const served = ["after_sales", "complaint"] as const;
const repaired = "after_sales";
const suggested = "suggestion";
const customer = ["raiser", "member"] as const;
/** Not done yet. */
export const openWorkOrderStates = ["pending", "in_process", "waiting_customer"] as const;
const taken = ["in_process", "waiting_customer"] as const;

/**
 * Everything that may happen to an order.
 * - States. `pending`: nobody of the desk has it; `in_process`: the desk works on it; `waiting_customer`: the desk asked something, and its
 *   time stands still; `completed`: the desk says it is done; `closed`: rated, or left alone after that; `cancelled`: taken back; `merged`:
 *   goes on in another one; `adopted`, `rejected`: how a suggestion was answered.
 * - Parties. `raiser`: who raised the order, or who manages the customer's orders; `member`: another member of the customer with the right.
 */
export const workOrderProcess = process({
  name: "work_order",
  kinds: workOrderTypes,
  parties: ["raiser", "member", "desk", "clock"],
  start: "pending",
  states: {
    pending: "open",
    in_process: "open",
    waiting_customer: "open",
    completed: "over",
    closed: "over",
    cancelled: "over",
    merged: "over",
    adopted: "over",
    rejected: "over",
  },
  events: {
    reply: {
      by: customer,
      moves: [
        { kinds: served, from: "pending", to: "same" },
        { kinds: served, from: taken, to: "in_process" },
      ],
    },
    urge: { by: customer, kinds: served, from: ["pending", "in_process"], to: "same" },
    receive: { by: customer, kinds: repaired, from: openWorkOrderStates, to: "same" },
    cancel: {
      by: "raiser",
      moves: [
        { kinds: served, from: openWorkOrderStates, to: "cancelled" },
        { kinds: suggested, from: "pending", to: "cancelled" },
      ],
    },
    rate: { by: "raiser", kinds: served, from: "completed", to: "closed" },
    reopen: { by: customer, kinds: served, from: ["completed", "closed"], to: "in_process" },
    claim: {
      by: "desk",
      moves: [
        { kinds: served, from: "pending", to: "in_process" },
        { kinds: served, from: taken, to: "same" },
      ],
    },
    assign: {
      by: "desk",
      moves: [
        { kinds: served, from: "pending", to: "in_process" },
        { kinds: served, from: taken, to: "same" },
      ],
    },
    answer: { by: "desk", kinds: served, from: openWorkOrderStates, to: "in_process" },
    ask: { by: "desk", kinds: served, from: ["pending", "in_process"], to: "waiting_customer" },
    note: {
      by: "desk",
      moves: [
        { kinds: served, from: [...openWorkOrderStates, "completed", "closed"], to: "same" },
        { kinds: suggested, from: ["pending", "adopted", "rejected"], to: "same" },
      ],
    },
    ship: { by: "desk", kinds: repaired, from: taken, to: "in_process" },
    arrive: { by: "desk", kinds: repaired, from: taken, to: "in_process" },
    remote: { by: "desk", kinds: repaired, from: taken, to: "in_process" },
    redirect: { by: "desk", kinds: repaired, from: openWorkOrderStates, to: "same" },
    complete: { by: "desk", kinds: served, from: taken, to: "completed" },
    merge: { by: "desk", kinds: served, from: openWorkOrderStates, to: "merged" },
    adopt: { by: "desk", kinds: suggested, from: "pending", to: "adopted" },
    reject: { by: "desk", kinds: suggested, from: "pending", to: "rejected" },
    publish: { by: "desk", kinds: suggested, from: "adopted", to: "same" },
    close: { by: "clock", kinds: served, from: "completed", to: "closed" },
  },
});

export const workOrderStates = statesOf(workOrderProcess);
export type WorkOrderState = (typeof workOrderStates)[number];
export const workOrderParties = workOrderProcess.parties;
export type WorkOrderParty = (typeof workOrderParties)[number];
export const workOrderEvents = eventsOf(workOrderProcess);
export type WorkOrderEvent = (typeof workOrderEvents)[number];

/** Where an order goes by an event; undefined where it may not happen. */
export const nextWorkOrderState = (
  type: WorkOrderType,
  state: WorkOrderState,
  event: WorkOrderEvent,
  party: WorkOrderParty,
): WorkOrderState | undefined => nextState(workOrderProcess, { state, kind: type }, event, party);

/** What may happen to an order now, by one of the parties. */
export const workOrderEventsFor = (
  type: WorkOrderType,
  state: WorkOrderState,
  party: WorkOrderParty,
): WorkOrderEvent[] => eventsFor(workOrderProcess, { state, kind: type }, party);

/** Whether nothing is to be done any more. */
export const isWorkOrderOver = (state: WorkOrderState): boolean => workOrderProcess.states[state] === "over";
