import { Mark, type MarkName } from "../icons/mark.tsx";
import { useTranslate } from "../language/use-language.ts";
import type { Cells } from "./cells.ts";

/** How a state is shown: its mark, its word in Chinese, and its colour, which is that of the mark where it is left out. */
export interface StateLook {
  tone?: string;
  mark: MarkName;
  word: string;
}

/** The cell of a field whose values are states, each with its colour, mark and word; a value that has none shows nothing. */
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
