import type { RealNameState } from "@herdwise/contract";
import type { RealNameKind } from "@herdwise/contract/real-name-checks";
import { refuse } from "../../http/errors.ts";

/** What happens to an application, and from which states on it may. */
const moves = {
  resubmit: ["rejected"],
  correctAccount: ["remitting"],
  remitAgain: ["remitting"],
  confirm: ["remitting"],
  withdraw: ["remitting", "waiting", "rejected"],
  claim: ["waiting", "second_look"],
  decide: ["waiting", "second_look"],
} as const satisfies Record<string, readonly RealNameState[]>;
type Move = keyof typeof moves;

/** @throws {Refusal} unless an application in this state may be moved so */
export function requireMove(move: Move, state: RealNameState): void {
  if (!(moves[move] as readonly RealNameState[]).includes(state)) throw refuse("real_name.state");
}

/** Where an application goes when all its items are accepted: an enterprise gets a look by somebody else. */
export const afterAcceptance = (kind: RealNameKind, state: RealNameState): "second_look" | "passed" =>
  kind === "enterprise" && state === "waiting" ? "second_look" : "passed";
