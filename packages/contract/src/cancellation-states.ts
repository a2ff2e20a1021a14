import { process, statesOf } from "./process/index.ts";

/** Kinds of cancellation: one person's account, or a whole customer with all members. */
export const cancellationKinds = ["account", "tenant"] as const;
export type CancellationKind = (typeof cancellationKinds)[number];

/**
 * States and events of a cancellation.
 * - States. `cooling`: in the cooling-off period; `waiting`: for the desk's decision; `accepted`: will be erased at its time;
 *   `refused`: the desk refused it with a reason; `taken_back`: withdrawn, and the account continues; `erased`: final.
 * - Parties. `owner`: anyone who may ask for it.
 * - Events. `ripen`: the cooling-off period ends; `hold`: an obstacle is found when it should be erased.
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

/** Days of the cooling-off period, in which nothing changes. */
export const coolingDays = 7;
/** Working days of service after the cooling-off period within which the desk decides (product.md 9). */
export const answerWorkingDays = 3;
/** Hours between the desk's acceptance and the erasure, in which it can be taken back. */
export const erasureHours = 24;

/** Optional reasons for a cancellation. */
export const cancellationReasons = ["no_farming", "other_account", "privacy", "service", "other"] as const;
export type CancellationReason = (typeof cancellationReasons)[number];

/**
 * Data that a cancellation touches. Those in `blockingEffects` must be gone before it is requested, accepted and carried out;
 * the others are deleted with it.
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
/** Effects that must be resolved before a cancellation. */
export const blockingEffects: ReadonlySet<CancellationEffect> = new Set([
  "devices",
  "work_orders",
  "sole_owner",
  "phone_change",
]);

/** Data that law requires to be kept after an erasure, and for how many months: sealed and stored apart. */
export const retentionRules = [
  { category: "identity", months: 36 },
  { category: "consents", months: 36 },
  { category: "payments", months: 120 },
  { category: "log_ins", months: 6 },
] as const;
export type RetentionCategory = (typeof retentionRules)[number]["category"];
