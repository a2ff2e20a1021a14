/**
 * Where a contract stands. `draft`: the group writes it; `sent`: the customer has it; `seen`: somebody of the customer opened it;
 * `signed`: in force; `rejected`: came back with a reason; `withdrawn`: the group took it back; `expired`: nobody signed in time;
 * `ended`: its term is over, or it was ended before.
 */
export const contractStates = ["draft", "sent", "seen", "signed", "rejected", "withdrawn", "expired", "ended"] as const;
export type ContractState = (typeof contractStates)[number];

/** Who lets something happen: a member of the customer who may sign, one who may only read, the group's desk, the clock. */
export const contractParties = ["signer", "reader", "desk", "clock"] as const;
export type ContractParty = (typeof contractParties)[number];

export const contractEvents = ["revise", "send", "see", "sign", "reject", "withdraw", "expire", "end"] as const;
export type ContractEvent = (typeof contractEvents)[number];

interface Transition {
  event: ContractEvent;
  by: readonly ContractParty[];
  from: readonly ContractState[];
  to: ContractState;
}

/** With the customer, and not answered. */
export const waitingContractStates = ["sent", "seen"] as const;

/** Everything that may happen to a contract after it was drafted. What does not stand here is refused. */
export const contractTransitions: readonly Transition[] = [
  { event: "revise", by: ["desk"], from: ["draft", "rejected", "expired"], to: "draft" },
  { event: "send", by: ["desk"], from: ["draft"], to: "sent" },
  { event: "see", by: ["signer", "reader"], from: ["sent"], to: "seen" },
  // Nobody signs what nobody opened.
  { event: "sign", by: ["signer"], from: ["seen"], to: "signed" },
  { event: "reject", by: ["signer"], from: waitingContractStates, to: "rejected" },
  { event: "withdraw", by: ["desk"], from: ["draft", ...waitingContractStates], to: "withdrawn" },
  { event: "expire", by: ["clock"], from: waitingContractStates, to: "expired" },
  { event: "end", by: ["desk", "clock"], from: ["signed"], to: "ended" },
];

/** Where a contract goes by an event; undefined where it may not happen. */
export const nextContractState = (
  state: ContractState,
  event: ContractEvent,
  party: ContractParty,
): ContractState | undefined =>
  contractTransitions.find((one) => one.event === event && one.by.includes(party) && one.from.includes(state))?.to;

/** What one of the parties may do with a contract now. */
export const contractEventsFor = (state: ContractState, party: ContractParty): ContractEvent[] =>
  contractEvents.filter((event) => nextContractState(state, event, party) !== undefined);
