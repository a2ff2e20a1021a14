import type { UnitState } from "@herdwise/contract/unit-states";
import type { ReactNode } from "react";
import { Mark } from "../../shared/icons/mark.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { stateMarks, stateNames } from "./unit-states.ts";

/** A sentence about a whole place, under the mark of a state. */
export function StateLine({ state, children }: { state: UnitState; children: ReactNode }) {
  return (
    <p className="calm">
      <StateMark state={state}>{children}</StateMark>
    </p>
  );
}

/** Shape and word of a state, in its colour. */
export function StateMark({ state, tag = false, children }: { state: UnitState; tag?: boolean; children?: ReactNode }) {
  const t = useTranslate();
  const { mark, tone } = stateMarks[state];
  return (
    <span className={tag ? `tag ${tone}` : `state ${tone}`}>
      <Mark name={mark} />
      {children ?? t(stateNames[state])}
    </span>
  );
}
