import { useCallback, useMemo } from "react";
import { useAddress } from "../address/use-address.ts";
import type { Condition } from "./conditions.ts";
import { type ListState, readListState, selectsOthers, writeListState } from "./list-state.ts";

/** Changes what a list shows. */
export type ChangeList = (
  /**
   * What is otherwise from now on. A change of conditions or order that builds on what they are is a function: of two quick changes
   * the second begins where the first ended, which the screen may not show yet.
   */
  change: Partial<ListState> | ((held: ListState) => Partial<Pick<ListState, "where" | "sort">>),
) => void;

/**
 * What a list shows, in its address, and its setter. Another page or an opened row is a step that the browser's way back
 * undoes; a changed condition is not, for nobody wants to go back through each letter that was typed.
 */
export function useListState(conditions: readonly Condition[], sorts: readonly string[]): [ListState, ChangeList] {
  const [search, write] = useAddress();
  const state = useMemo(() => readListState(search, conditions, sorts), [search, conditions, sorts]);
  const change = useCallback<ChangeList>(
    (change) =>
      write(
        (now) => {
          const held = readListState(now, conditions, sorts);
          const changed = typeof change === "function" ? change(held) : change;
          const next = { ...held, ...changed };
          return writeListState(now, "page" in changed || !selectsOthers(held, next) ? next : { ...next, page: 1 });
        },
        { replace: !("page" in change || "row" in change), preventScrollReset: true },
      ),
    [write, conditions, sorts],
  );
  return [state, change];
}
