import { useCallback, useLayoutEffect, useMemo, useState } from "react";

/** Selected rows: ticked ones, or all that the list's conditions select. */
export interface Selection {
  ids: ReadonlySet<string>;
  /** All rows that meet the conditions, including other pages. */
  all: boolean;
  count: number;
  has: (id: string) => boolean;
  toggle: (id: string) => void;
  /** Selects or deselects rows. */
  set: (ids: readonly string[], on: boolean) => void;
  selectAll: () => void;
  clear: () => void;
}

const nobody: ReadonlySet<string> = new Set();

/** @param where conditions of the list; other conditions end a selection of all rows */
export function useSelection(where: string, total: number): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(nobody);
  const [all, setAll] = useState(false);
  const clear = useCallback(() => {
    setIds(nobody);
    setAll(false);
  }, []);
  // Together with the change, so that what is ticked right after it stays ticked.
  useLayoutEffect(clear, [where, clear]);
  const set = useCallback((changed: readonly string[], on: boolean) => {
    setAll(false);
    setIds((now) => {
      const next = new Set(now);
      for (const id of changed) {
        if (on) next.add(id);
        else next.delete(id);
      }
      return next;
    });
  }, []);
  return useMemo(
    () => ({
      ids,
      all,
      count: all ? total : ids.size,
      has: (id) => all || ids.has(id),
      toggle: (id) => set([id], !ids.has(id)),
      set,
      selectAll: () => setAll(true),
      clear,
    }),
    [ids, all, total, set, clear],
  );
}
