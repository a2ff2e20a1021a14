import { process, statesOf } from "./process/index.ts";

/**
 * States and events of an application after it was sent.
 * - States. `remitting`: the 0.01 yuan are under way or their amount is not confirmed; `waiting`: for a reviewer;
 *   `second_look`: for another reviewer; `rejected`: some items were returned to the customer; `passed`: in force; `suspended`:
 *   its licence ended; `replaced`: a newer one passed; `withdrawn`: the customer withdrew it.
 * - Parties. `owner`: a member of the customer with the right; `desk`: a reviewer of the group.
 * - Events. `resubmit`: returned items are sent again; `resubmit_account`: the same with the account among them, or after the
 *   bank refused it; `confirm`, `mistype`, `spend_tries`: the right amount, a wrong one, the last wrong one; `replace`: a newer
 *   application passes.
 */
export const realNameProcess = process({
  name: "real_name",
  kinds: ["personal", "enterprise"],
  parties: ["owner", "desk", "clock"],
  receivers: ["sender"],
  start: ["remitting", "waiting"],
  states: {
    remitting: "open",
    waiting: "open",
    second_look: "open",
    rejected: "open",
    passed: "open",
    suspended: "open",
    replaced: "over",
    withdrawn: "over",
  },
  events: {
    resubmit: { by: "owner", from: "rejected", to: "waiting" },
    resubmit_account: { by: "owner", kinds: "enterprise", from: ["remitting", "rejected"], to: "remitting" },
    remit_again: { by: "owner", kinds: "enterprise", from: "remitting", to: "same" },
    confirm: { by: "owner", kinds: "enterprise", from: "remitting", to: "waiting" },
    mistype: { by: "owner", kinds: "enterprise", from: "remitting", to: "same" },
    spend_tries: { by: "owner", kinds: "enterprise", from: "remitting", to: "same" },
    withdraw: { by: "owner", from: ["remitting", "waiting", "rejected"], to: "withdrawn" },
    accept: {
      by: "desk",
      moves: [
        { kinds: "personal", from: "waiting", to: "passed" },
        // A second reviewer checks every enterprise.
        { kinds: "enterprise", from: "waiting", to: "second_look" },
        { kinds: "enterprise", from: "second_look", to: "passed" },
      ],
      tells: { sender: ["实名认证通过", "现在可以绑定设备、申报和竞价了。"] },
    },
    return: {
      by: "desk",
      moves: [
        { from: "waiting", to: "rejected" },
        { kinds: "enterprise", from: "second_look", to: "rejected" },
      ],
      tells: { sender: ["实名认证有几项要改", "原因写在每一项旁边。改好这几项就能再交，其余的不用再填。"] },
    },
    suspend: {
      by: "clock",
      kinds: "enterprise",
      from: "passed",
      to: "suspended",
      tells: {
        sender: ["营业执照已到期", "新的绑定、申报和竞价暂停，已绑的设备、监控和告警不停。传新执照，审核通过后恢复。"],
      },
    },
    replace: { by: "desk", from: ["passed", "suspended"], to: "replaced" },
  },
});

export const realNameStates = statesOf(realNameProcess);
export type RealNameState = (typeof realNameStates)[number];
export type RealNameStep = keyof typeof realNameProcess.events;

/**
 * States and events of a test remittance while its application waits for it.
 * - States. `ordered`: to be handed to the bank; `sent`: the bank has the order; `arrived`: the customer is asked for the
 *   amount; `confirmed`; `failed`: see its failure; `expired`: the amount did not arrive, or was not entered, within 72 h.
 * - Events. `follow`: another remittance is ordered after it.
 */
export const remittanceProcess = process({
  name: "remittance",
  parties: ["owner", "bank", "clock"],
  start: "ordered",
  states: { ordered: "open", sent: "open", arrived: "open", confirmed: "over", failed: "over", expired: "over" },
  events: {
    send: { by: "bank", from: "ordered", to: "sent" },
    // An order may be handed over twice after a fault, so the amount may have arrived already.
    arrive: { by: "bank", from: ["ordered", "sent"], to: "arrived" },
    fail: { by: "bank", from: ["ordered", "sent"], to: "failed" },
    expire: { by: "clock", from: ["ordered", "sent", "arrived"], to: "expired" },
    confirm: { by: "owner", from: "arrived", to: "confirmed" },
    mistype: { by: "owner", from: "arrived", to: "same" },
    spend_tries: { by: "owner", from: "arrived", to: "failed" },
    follow: { by: "owner", from: ["failed", "expired"], to: "same" },
  },
});

export const remittanceStates = statesOf(remittanceProcess);
export type RemittanceState = (typeof remittanceStates)[number];
export type RemittanceParty = (typeof remittanceProcess.parties)[number];
export type RemittanceStep = keyof typeof remittanceProcess.events;
