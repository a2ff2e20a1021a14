import type { RealNameKind } from "./real-name-checks.ts";

/**
 * Where an application stands. `remitting`: the 0.01 yuan are under way or their amount is not confirmed; `waiting`: for a
 * reviewer; `second_look`: for another reviewer; `rejected`: some items are back with the customer; `passed`: in force;
 * `suspended`: its licence ended; `replaced`: a newer one passed; `withdrawn`: the customer took it back.
 */
export const realNameStates = [
  "remitting",
  "waiting",
  "second_look",
  "rejected",
  "passed",
  "suspended",
  "replaced",
  "withdrawn",
] as const;
export type RealNameState = (typeof realNameStates)[number];

/** Who lets something happen: a member of the customer with the right, a reviewer of the group, the clock. */
export const realNameParties = ["owner", "desk", "clock"] as const;
export type RealNameParty = (typeof realNameParties)[number];

/**
 * `resubmit`: returned items come again; `resubmit_account`: the account is among them, or the bank refused it; `confirm`, `mistype`,
 * `spend_tries`: a right amount, a wrong one, the last wrong one; `replace`: a newer one passes.
 */
export const realNameSteps = [
  "resubmit",
  "resubmit_account",
  "remit_again",
  "confirm",
  "mistype",
  "spend_tries",
  "withdraw",
  "accept",
  "return",
  "suspend",
  "replace",
] as const;
export type RealNameStep = (typeof realNameSteps)[number];

interface RealNameTransition {
  step: RealNameStep;
  by: RealNameParty;
  kinds: readonly RealNameKind[];
  from: readonly RealNameState[];
  /** The state afterwards; `same` leaves it. */
  to: RealNameState | "same";
}

const both: readonly RealNameKind[] = ["personal", "enterprise"];
const enterprise: readonly RealNameKind[] = ["enterprise"];

/** Everything that may happen to an application after it was sent. What does not stand here is refused. */
export const realNameTransitions: readonly RealNameTransition[] = [
  { step: "remit_again", by: "owner", kinds: enterprise, from: ["remitting"], to: "same" },
  { step: "confirm", by: "owner", kinds: enterprise, from: ["remitting"], to: "waiting" },
  { step: "mistype", by: "owner", kinds: enterprise, from: ["remitting"], to: "same" },
  { step: "spend_tries", by: "owner", kinds: enterprise, from: ["remitting"], to: "same" },
  { step: "resubmit", by: "owner", kinds: both, from: ["rejected"], to: "waiting" },
  { step: "resubmit_account", by: "owner", kinds: enterprise, from: ["remitting", "rejected"], to: "remitting" },
  { step: "withdraw", by: "owner", kinds: both, from: ["remitting", "waiting", "rejected"], to: "withdrawn" },
  { step: "accept", by: "desk", kinds: ["personal"], from: ["waiting"], to: "passed" },
  // An enterprise gets a look by somebody else.
  { step: "accept", by: "desk", kinds: enterprise, from: ["waiting"], to: "second_look" },
  { step: "accept", by: "desk", kinds: enterprise, from: ["second_look"], to: "passed" },
  { step: "return", by: "desk", kinds: both, from: ["waiting"], to: "rejected" },
  { step: "return", by: "desk", kinds: enterprise, from: ["second_look"], to: "rejected" },
  { step: "replace", by: "desk", kinds: both, from: ["passed", "suspended"], to: "replaced" },
  { step: "suspend", by: "clock", kinds: enterprise, from: ["passed"], to: "suspended" },
];

/** Where an application goes by a step; undefined where it may not be taken. */
export function nextRealNameState(
  kind: RealNameKind,
  state: RealNameState,
  step: RealNameStep,
  party: RealNameParty,
): RealNameState | undefined {
  const found = realNameTransitions.find(
    (one) => one.step === step && one.by === party && one.kinds.includes(kind) && one.from.includes(state),
  );
  return found && (found.to === "same" ? state : found.to);
}

/**
 * A test remittance. `ordered`: to be handed to the bank; `sent`: the bank has it; `arrived`: on the account, its amount is
 * asked for; `confirmed`; `failed`: see its failure; `expired`: nobody typed the amount within 72 h, or it did not arrive in that time.
 */
export const remittanceStates = ["ordered", "sent", "arrived", "confirmed", "failed", "expired"] as const;
export type RemittanceState = (typeof remittanceStates)[number];

export const remittanceParties = ["owner", "bank", "clock"] as const;
export type RemittanceParty = (typeof remittanceParties)[number];

/** `follow`: another one is ordered after it. */
export const remittanceSteps = [
  "send",
  "arrive",
  "fail",
  "expire",
  "confirm",
  "mistype",
  "spend_tries",
  "follow",
] as const;
export type RemittanceStep = (typeof remittanceSteps)[number];

interface RemittanceTransition {
  step: RemittanceStep;
  by: RemittanceParty;
  from: readonly RemittanceState[];
  to: RemittanceState | "same";
}

/** Everything that may happen to a remittance while its application waits for it. What does not stand here is refused. */
export const remittanceTransitions: readonly RemittanceTransition[] = [
  { step: "send", by: "bank", from: ["ordered"], to: "sent" },
  // An order that is handed over once more after a fault may be there already.
  { step: "arrive", by: "bank", from: ["ordered", "sent"], to: "arrived" },
  { step: "fail", by: "bank", from: ["ordered", "sent"], to: "failed" },
  { step: "expire", by: "clock", from: ["ordered", "sent", "arrived"], to: "expired" },
  { step: "confirm", by: "owner", from: ["arrived"], to: "confirmed" },
  { step: "mistype", by: "owner", from: ["arrived"], to: "same" },
  { step: "spend_tries", by: "owner", from: ["arrived"], to: "failed" },
  { step: "follow", by: "owner", from: ["failed", "expired"], to: "same" },
];

/** Where a remittance goes by a step; undefined where it may not be taken. */
export function nextRemittanceState(
  state: RemittanceState,
  step: RemittanceStep,
  party: RemittanceParty,
): RemittanceState | undefined {
  const found = remittanceTransitions.find((one) => one.step === step && one.by === party && one.from.includes(state));
  return found && (found.to === "same" ? state : found.to);
}
