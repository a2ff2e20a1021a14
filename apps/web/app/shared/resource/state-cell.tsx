import { Mark, type MarkName } from "../icons/mark.tsx";
import { useTranslate } from "../language/use-language.ts";
import type { Cells } from "./cells.ts";

/** Appearance of a state: mark, Chinese name and colour; the colour of the mark where `tone` is left out. */
export interface StateLook {
  tone?: string;
  mark: MarkName;
  word: string;
}

/** Makes the cell of a field with states; a value without an appearance is left empty. */
export function stateCell(states: Readonly<Partial<Record<string, StateLook>>>): Cells[string] {
  return function State({ value }) {
    const t = useTranslate();
    const state = states[String(value)];
    if (state === undefined) return null;
    return (
      <span className={`state ${state.tone ?? state.mark}`}>
        <Mark name={state.mark} />
        {t(state.word)}
      </span>
    );
  };
}
