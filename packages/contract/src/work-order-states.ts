import { eventsOf, process, statesOf } from "./process/index.ts";

/** Types of orders that customers send to the group's desk; they share one process and differ in their transitions. */
export const workOrderTypes = ["after_sales", "complaint", "suggestion"] as const;
export type WorkOrderType = (typeof workOrderTypes)[number];

const served = ["after_sales", "complaint"] as const;
const repaired = "after_sales";
const suggested = "suggestion";
const customer = ["raiser", "member"] as const;
/** States of unfinished orders. */
export const openWorkOrderStates = ["pending", "in_process", "waiting_customer"] as const;
const taken = ["in_process", "waiting_customer"] as const;
/** Taking an order that nobody works on starts it. */
const takeUp = [
  { kinds: served, from: "pending", to: "in_process" },
  { kinds: served, from: taken, to: "same" },
] as const;

/**
 * States and events of an order.
 * - States. `pending`: not assigned; `in_process`: the desk works on it; `waiting_customer`: the desk asked a question, and the
 *   deadline is paused; `completed`: the desk reports it done; `closed`: rated, or left unrated after completion; `cancelled`:
 *   withdrawn; `merged`: continued in another order; `adopted`, `rejected`: answers to a suggestion.
 * - Parties. `raiser`: the person who raised the order, or a manager of the customer's orders; `member`: another member of the
 *   customer with the right.
 */
export const workOrderProcess = process({
  name: "work_order",
  kinds: workOrderTypes,
  parties: ["raiser", "member", "desk", "clock"],
  receivers: ["raiser", "desk", "assignee"],
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
        { kinds: workOrderTypes, from: "pending", to: "same" },
        { kinds: served, from: taken, to: "in_process" },
      ],
      tells: { desk: "客户回复了" },
    },
    urge: { by: customer, kinds: served, from: ["pending", "in_process"], to: "same", tells: { desk: "客户催了一次" } },
    receive: {
      by: customer,
      kinds: repaired,
      from: openWorkOrderStates,
      to: "same",
      tells: { desk: "客户收到了寄出的东西" },
    },
    cancel: {
      by: "raiser",
      moves: [
        { kinds: served, from: openWorkOrderStates, to: "cancelled" },
        { kinds: suggested, from: "pending", to: "cancelled" },
      ],
      tells: { desk: "客户撤回了" },
    },
    rate: { by: "raiser", kinds: served, from: "completed", to: "closed", tells: { desk: "客户评价了" } },
    reopen: {
      by: customer,
      kinds: served,
      from: ["completed", "closed"],
      to: "in_process",
      tells: { desk: "客户重新打开了" },
    },
    claim: { by: "desk", moves: takeUp, tells: { raiser: "有人在处理了" } },
    assign: { by: "desk", moves: takeUp, tells: { assignee: "有工单转给您" } },
    answer: { by: "desk", kinds: served, from: openWorkOrderStates, to: "in_process", tells: { raiser: "客服答复了" } },
    ask: {
      by: "desk",
      kinds: served,
      from: ["pending", "in_process"],
      to: "waiting_customer",
      tells: { raiser: "客服在等您答复" },
    },
    note: {
      by: "desk",
      moves: [
        { kinds: served, from: [...openWorkOrderStates, "completed", "closed"], to: "same" },
        { kinds: suggested, from: ["pending", "adopted", "rejected"], to: "same" },
      ],
    },
    ship: { by: "desk", kinds: repaired, from: taken, to: "in_process", tells: { raiser: "配件寄出了" } },
    arrive: { by: "desk", kinds: repaired, from: taken, to: "in_process", tells: { raiser: "工厂收到了您寄回的设备" } },
    remote: { by: "desk", kinds: repaired, from: taken, to: "in_process", tells: { raiser: "远程指导有记录了" } },
    redirect: { by: "desk", kinds: repaired, from: openWorkOrderStates, to: "same", tells: { raiser: "维修方式改了" } },
    complete: { by: "desk", kinds: served, from: taken, to: "completed", tells: { raiser: "处理完成，请评价" } },
    merge: {
      by: "desk",
      kinds: served,
      from: openWorkOrderStates,
      to: "merged",
      tells: { raiser: "并入了另一张工单" },
    },
    adopt: { by: "desk", kinds: suggested, from: "pending", to: "adopted", tells: { raiser: "您的建议被采纳了" } },
    reject: { by: "desk", kinds: suggested, from: "pending", to: "rejected", tells: { raiser: "您的建议有答复了" } },
    publish: { by: "desk", kinds: suggested, from: "adopted", to: "same" },
    close: { by: "clock", kinds: served, from: "completed", to: "closed", tells: { raiser: "工单自动关闭了" } },
  },
});

export const workOrderStates = statesOf(workOrderProcess);
export type WorkOrderState = (typeof workOrderStates)[number];
export type WorkOrderParty = (typeof workOrderProcess.parties)[number];
export const workOrderEvents = eventsOf(workOrderProcess);
export type WorkOrderEvent = (typeof workOrderEvents)[number];

/** Whether an order is in a final state. */
export const isWorkOrderOver = (state: WorkOrderState): boolean => workOrderProcess.states[state] === "over";
