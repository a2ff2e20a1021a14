import type { UnitState } from "@herdwise/contract/unit-states";
import { Mark } from "../../shared/icons/mark.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { stateMarks, stateNames } from "./unit-states.ts";

/** Only the shape, where the line is short; its word is there for hovering and for screen readers. Good is not marked. */
export function StateDot({ state }: { state: UnitState }) {
  const t = useTranslate();
  if (state === "ok" || state === "empty" || state === "washing") return null;
  const { mark, tone } = stateMarks[state];
  return (
    <span className={`state ${tone}`} title={t(stateNames[state])}>
      <Mark name={mark} />
      <span className="visually-hidden">{t(stateNames[state])}</span>
    </span>
  );
}
