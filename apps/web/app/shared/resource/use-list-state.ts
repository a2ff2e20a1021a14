import { useCallback, useMemo } from "react";
import { useAddress } from "../address/use-address.ts";
import { type Condition, wireNamesOf } from "./conditions.ts";
import { conditionPrefix, type ListState, readListState, selectsOthers, writeListState } from "./list-state.ts";

/** A link names a condition of the screen that it leads to as the wire does. */
function withConditions(search: URLSearchParams, conditions: readonly Condition[]): URLSearchParams {
  const named = new Set(conditions.flatMap(wireNamesOf));
  return new URLSearchParams(
    [...search].map(([name, value]) => [named.has(name) ? conditionPrefix + name : name, value]),
  );
}

const none: readonly Condition[] = [];

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
 * @param plain whether links to the screen name conditions without the prefix of the list
 */
export function useListState(
  conditions: readonly Condition[],
  sorts: readonly string[],
  plain: boolean,
): [ListState, ChangeList] {
  const [search, write] = useAddress();
  const linked = plain ? conditions : none;
  const state = useMemo(
    () => readListState(withConditions(search, linked), conditions, sorts),
    [search, linked, conditions, sorts],
  );
  const change = useCallback<ChangeList>(
    (change) =>
      write(
        (address) => {
          const now = withConditions(address, linked);
          const held = readListState(now, conditions, sorts);
          const changed = typeof change === "function" ? change(held) : change;
          const next = { ...held, ...changed };
          return writeListState(now, "page" in changed || !selectsOthers(held, next) ? next : { ...next, page: 1 });
        },
        { replace: !("page" in change || "row" in change), preventScrollReset: true },
      ),
    [write, linked, conditions, sorts],
  );
  return [state, change];
}
