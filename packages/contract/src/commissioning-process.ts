import { process } from "./process/index.ts";

/**
 * The commissioning list of a unit.
 * - States. `open`: its checks are under way; `signed`: all are answered, and the record is final; `discarded`: given up.
 * - Parties. `crew`: whoever works through it on site; `clock`: ends trials of which nobody looks at the outcome.
 */
export const commissioningProcess = process({
  name: "commissioning",
  parties: ["crew", "clock"],
  start: "open",
  states: { open: "open", signed: "over", discarded: "over" },
  events: {
    begin_trial: { by: "crew", from: "open", to: "same" },
    answer: { by: ["crew", "clock"], from: "open", to: "same" },
    sign: { by: "crew", from: "open", to: "signed" },
    discard: { by: "crew", from: "open", to: "discarded" },
  },
});
export const commissioningStates = ["open", "signed", "discarded"] as const;
