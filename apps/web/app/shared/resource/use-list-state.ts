import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";
import type { Condition } from "./conditions.ts";
import { type ListState, readListState, selectsOthers, writeListState } from "./list-state.ts";

export type ChangeList = (change: Partial<ListState>) => void;

/**
 * What a list shows, in its address, and its setter. Another page or an opened row is a step that the browser's way back
 * undoes; a changed condition is not, for nobody wants to go back through each letter that was typed.
 */
export function useListState(conditions: readonly Condition[], sorts: readonly string[]): [ListState, ChangeList] {
  const [search, setSearch] = useSearchParams();
  const state = useMemo(() => readListState(search, conditions, sorts), [search, conditions, sorts]);
  const change = useCallback<ChangeList>(
    (changed) =>
      setSearch(
        (now) => {
          const held = readListState(now, conditions, sorts);
          const page = "page" in changed || !selectsOthers(changed) ? {} : { page: 1 };
          return writeListState(now, { ...held, ...page, ...changed });
        },
        { replace: !("page" in changed || "row" in changed), preventScrollReset: true },
      ),
    [setSearch, conditions, sorts],
  );
  return [state, change];
}
