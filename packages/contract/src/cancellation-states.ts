import { process, statesOf } from "./process/index.ts";

/** What is closed: the account of a person, or a whole customer with its members. */
export const cancellationKinds = ["account", "tenant"] as const;
export type CancellationKind = (typeof cancellationKinds)[number];

/**
 * Everything that may happen to a cancellation.
 * - States. `cooling`: cooling off; `waiting`: for the desk's answer; `accepted`: will be erased when its time comes; `refused`: with the
 *   desk's reason; `taken_back`: everything goes on; `erased`: the end, from which nothing leads back.
 * - Parties. `owner`: whoever may ask for it.
 * - Events. `ripen`: the time to cool off is over; `hold`: something stands in the way when it should be erased.
 */
export const cancellationProcess = process({
  name: "cancellation",
  parties: ["owner", "desk", "clock"],
  receivers: ["customer", "desk"],
  start: "cooling",
  states: { cooling: "open", waiting: "open", accepted: "open", refused: "over", taken_back: "over", erased: "over" },
  events: {
    take_back: {
      by: "owner",
      from: ["cooling", "waiting", "accepted"],
      to: "taken_back",
      tells: { customer: ["注销已取回，账号照常用", "什么都没变。"] },
    },
    ripen: {
      by: "clock",
      from: "cooling",
      to: "waiting",
      tells: {
        customer: ["冷静期过了，等客服答复", "3 个工作日内答复，清除前都能取回。"],
        desk: ["有注销等答复", "3 个工作日内要答复。"],
      },
    },
    accept: {
      by: "desk",
      from: "waiting",
      to: "accepted",
      tells: { customer: ["注销已同意，24 小时后清除", "清除前仍可以取回，之后不能。"] },
    },
    refuse: { by: "desk", from: "waiting", to: "refused", tells: { customer: "注销没有同意" } },
    hold: {
      by: "clock",
      from: "accepted",
      to: "waiting",
      tells: {
        customer: ["注销暂停了", "又有没办完的事，办完后客服会再答复。"],
        desk: ["有注销到了清除的时候却被挡住", "请看挡住它的事，重新答复。"],
      },
    },
    erase: { by: "clock", from: "accepted", to: "erased" },
  },
});

export const cancellationStates = statesOf(cancellationProcess);
export type CancellationState = (typeof cancellationStates)[number];
export type CancellationEvent = keyof typeof cancellationProcess.events;

/** Days to cool off, in which nothing changes. */
export const coolingDays = 7;
/** Working days of service after them in which the desk answers (product.md 9). */
export const answerWorkingDays = 3;
/** Hours between the desk's consent and the erasure, for taking it back. */
export const erasureHours = 24;

/** Why somebody goes; may be left open. */
export const cancellationReasons = ["no_farming", "other_account", "privacy", "service", "other"] as const;
export type CancellationReason = (typeof cancellationReasons)[number];

/**
 * What a cancellation touches. Those of `blocking` have to be gone before it is asked for, accepted and carried out; the others
 * are lost with it.
 */
export const cancellationEffects = [
  "devices",
  "work_orders",
  "sole_owner",
  "phone_change",
  "cards",
  "members",
  "accounts",
  "farms",
  "pigs",
  "subscriptions",
  "apps",
  "files",
] as const;
export type CancellationEffect = (typeof cancellationEffects)[number];
export const blockingEffects: ReadonlySet<CancellationEffect> = new Set([
  "devices",
  "work_orders",
  "sole_owner",
  "phone_change",
]);

/** What law keeps after an erasure: sealed, apart from everything else, until its day. */
export const retentionRules = [
  { category: "identity", months: 36 },
  { category: "consents", months: 36 },
  { category: "payments", months: 120 },
  { category: "log_ins", months: 6 },
] as const;
export type RetentionCategory = (typeof retentionRules)[number]["category"];
