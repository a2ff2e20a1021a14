import { useCallback, useMemo } from "react";
import { useAddress } from "../address/use-address.ts";
import { conditionPrefix, type ListState, readListState, selectsOthers, writeListState } from "./list-state.ts";
import { isSavedId } from "./views.ts";

/** Reads conditions that a link names without the list's prefix; `view` may also name a saved view. */
const withConditions = (search: URLSearchParams, names: readonly string[]): URLSearchParams =>
  new URLSearchParams(
    [...search].map(([name, value]) => [
      names.includes(name) && !(name === "view" && isSavedId(value)) ? conditionPrefix + name : name,
      value,
    ]),
  );

const none: readonly string[] = [];

/** Changes the state of a list. */
export type ChangeList = (
  /**
   * The changed part. A change that depends on the current conditions or order is a function, because the second of two quick
   * changes must start from the first one's result, which may not be rendered yet.
   */
  change: Partial<ListState> | ((held: ListState) => Partial<Pick<ListState, "where" | "sort" | "view">>),
) => void;

/**
 * State of a list in its URL, with its setter. Another page or an opened row adds an entry to the browser's history; changed
 * conditions replace the current one, because a history with every typed letter is useless.
 * @param names parameters of conditions and queues
 * @param plain whether links to the screen name conditions without the list's prefix
 */
export function useListState(
  names: readonly string[],
  sorts: readonly string[],
  plain: boolean,
): [ListState, ChangeList] {
  const [search, write] = useAddress();
  const linked = plain ? names : none;
  const state = useMemo(
    () => readListState(withConditions(search, linked), names, sorts),
    [search, linked, names, sorts],
  );
  const change = useCallback<ChangeList>(
    (change) =>
      write(
        (address) => {
          const now = withConditions(address, linked);
          const held = readListState(now, names, sorts);
          const changed = typeof change === "function" ? change(held) : change;
          const next = { ...held, ...changed };
          return writeListState(now, "page" in changed || !selectsOthers(held, next) ? next : { ...next, page: 1 });
        },
        { replace: !("page" in change || "row" in change), preventScrollReset: true },
      ),
    [write, linked, names, sorts],
  );
  return [state, change];
}
