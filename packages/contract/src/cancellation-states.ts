/** What is closed: the account of a person, or a whole customer with its members. */
export const cancellationKinds = ["account", "tenant"] as const;
export type CancellationKind = (typeof cancellationKinds)[number];

/**
 * Where a cancellation stands. `cooling`: cooling off; `waiting`: for the desk's answer; `accepted`: will be erased when its time
 * comes; `refused`: with the desk's reason; `taken_back`: everything goes on; `erased`: the end, from which nothing leads back.
 */
export const cancellationStates = ["cooling", "waiting", "accepted", "refused", "taken_back", "erased"] as const;
export type CancellationState = (typeof cancellationStates)[number];

/** Who lets something happen: whoever may ask for it, the group's desk, the clock. */
export const cancellationParties = ["owner", "desk", "clock"] as const;
export type CancellationParty = (typeof cancellationParties)[number];

/** `ripen`: the time to cool off is over; `hold`: something stands in the way when it should be erased. */
export const cancellationEvents = ["take_back", "ripen", "accept", "refuse", "hold", "erase"] as const;
export type CancellationEvent = (typeof cancellationEvents)[number];

interface Transition {
  event: CancellationEvent;
  by: CancellationParty;
  from: readonly CancellationState[];
  to: CancellationState;
}

/** Not decided for good. */
export const openCancellationStates = ["cooling", "waiting", "accepted"] as const;

/** Everything that may happen to a cancellation. What does not stand here is refused. */
export const cancellationTransitions: readonly Transition[] = [
  { event: "take_back", by: "owner", from: openCancellationStates, to: "taken_back" },
  { event: "ripen", by: "clock", from: ["cooling"], to: "waiting" },
  { event: "accept", by: "desk", from: ["waiting"], to: "accepted" },
  { event: "refuse", by: "desk", from: ["waiting"], to: "refused" },
  { event: "hold", by: "clock", from: ["accepted"], to: "waiting" },
  { event: "erase", by: "clock", from: ["accepted"], to: "erased" },
];

/** Where a cancellation goes by an event; undefined where it may not happen. */
export const nextCancellationState = (
  state: CancellationState,
  event: CancellationEvent,
  party: CancellationParty,
): CancellationState | undefined =>
  cancellationTransitions.find((one) => one.event === event && one.by === party && one.from.includes(state))?.to;

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
