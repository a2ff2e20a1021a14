import { type PasswordRule, publicSettings, usualPasswordRule } from "@herdwise/contract";
import { useCallback, useEffect, useState } from "react";
import { call } from "../api/call.ts";

/** The rule for new passwords that is in force, and a way to learn of a change of it. */
export interface CurrentPasswordRule {
  /** The usual one until the server has told; the server refuses what a stricter one forbids. */
  rule: PasswordRule;
  /** Whether the server has told it. */
  known: boolean;
  ask: () => Promise<void>;
}

/** Asks the server for the rule in force; a form asks again when it was refused. */
export function usePasswordRule(): CurrentPasswordRule {
  const [told, setTold] = useState<PasswordRule>();
  const ask = useCallback(
    () =>
      call(publicSettings, { quiet: true }).then(
        ({ passwordRule }) => setTold(passwordRule),
        () => undefined,
      ),
    [],
  );
  useEffect(() => void ask(), [ask]);
  return { rule: told ?? usualPasswordRule, known: told !== undefined, ask };
}
