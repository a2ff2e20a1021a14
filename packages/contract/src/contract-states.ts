import { eventsFor, eventsOf, process, statesOf } from "./process/index.ts";

/** States in which the customer has the contract and has not answered. */
export const waitingContractStates = ["sent", "seen"] as const;

/**
 * States and events of a contract.
 * - States. `draft`: the group writes it; `sent`: the customer has it; `seen`: a member of the customer opened it; `signed`: in
 *   force; `rejected`: the customer refused it with a reason; `withdrawn`: the group took it back; `expired`: nobody signed in
 *   time; `ended`: its term is over, or it was ended early.
 * - Parties. `signer`: a member of the customer with the right to sign; `reader`: a member with the right to read.
 */
export const contractProcess = process({
  name: "contract",
  parties: ["signer", "reader", "desk", "clock"],
  receivers: ["signers", "desk", "author"],
  start: "draft",
  states: {
    draft: "open",
    sent: "open",
    seen: "open",
    signed: "open",
    rejected: "over",
    withdrawn: "over",
    expired: "over",
    ended: "over",
  },
  events: {
    revise: { by: "desk", from: ["draft", "rejected", "expired"], to: "draft" },
    send: { by: "desk", from: "draft", to: "sent", tells: { signers: "有合同等您签" } },
    see: { by: ["signer", "reader"], from: "sent", to: "seen", tells: { desk: "客户打开了合同" } },
    // A contract can be signed only after a member opened it.
    sign: { by: "signer", from: "seen", to: "signed", tells: { desk: "客户签了合同" } },
    reject: { by: "signer", from: waitingContractStates, to: "rejected", tells: { desk: "客户退回了合同" } },
    withdraw: {
      by: "desk",
      from: ["draft", ...waitingContractStates],
      to: "withdrawn",
      tells: { signers: "合同撤回了" },
    },
    expire: {
      by: "clock",
      from: waitingContractStates,
      to: "expired",
      tells: { signers: "合同过期没签", author: "合同过期没签" },
    },
    end: {
      by: ["desk", "clock"],
      from: "signed",
      to: "ended",
      tells: { signers: "合同终止了", author: "合同到期结束了" },
    },
  },
});

export const contractStates = statesOf(contractProcess);
export type ContractState = (typeof contractStates)[number];
type ContractParty = (typeof contractProcess.parties)[number];
export const contractEvents = eventsOf(contractProcess);
export type ContractEvent = (typeof contractEvents)[number];

/** Events that a party may cause now. */
export const contractEventsFor = (state: ContractState, party: ContractParty): ContractEvent[] =>
  eventsFor(contractProcess, { state }, party);
