import type { StateFace } from "@herdwise/contract/resource";
import { StateTag } from "../process/state-tag.tsx";
import type { Cells } from "./cells.ts";

/** Makes the cell of a field with states; a value without an appearance is left empty. */
export function stateCell(states: Readonly<Partial<Record<string, StateFace>>>): Cells[string] {
  return function State({ value }) {
    const state = states[String(value)];
    return state && <StateTag {...state} plain />;
  };
}
