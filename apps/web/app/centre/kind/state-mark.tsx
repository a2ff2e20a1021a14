import type { ReactNode } from "react";
import { Mark } from "../../shared/icons/mark.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { stateMarks, stateNames, type UnitState } from "./judge.ts";

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
