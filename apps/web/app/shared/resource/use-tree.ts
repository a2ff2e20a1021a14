import type { ListDeclaration } from "@herdwise/contract/resource";
import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { type ApiError, asApiError } from "../api/api-error.ts";
import { showToast } from "../states/toast-store.ts";
import type { Row } from "./form-values.ts";
import { type ListItem, levelsAfter, type Move, type Target, treeItems } from "./list-items.ts";
import { type ListState, orderOf, whereOf } from "./list-state.ts";
import { callResource, keysOf, selectRows } from "./resource-api.ts";

const storageKey = (name: string): string => `expanded_${name}`;

/** Rows that were open before; undefined where nobody opened or closed one yet. */
function readExpanded(name: string): Set<string> | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey(name)) ?? "");
    return Array.isArray(kept) ? new Set(kept.map(String)) : undefined;
  } catch {
    return undefined;
  }
}

/** Rows at the top up to this number are open at first, as they alone tell little of the tree. */
const mostOpened = 3;

/** Rows of each level; a level that failed has none, so that the others are shown. */
const rowsOfEach = (levels: readonly { data: Row[] | undefined; isPending: boolean }[]): (Row[] | undefined)[] =>
  levels.map(({ data, isPending }) => (isPending ? undefined : (data ?? [])));

interface TreeOptions {
  enabled: boolean;
  collects: boolean;
}

export interface Tree {
  items: readonly ListItem[] | undefined;
  error: ApiError | null;
  expand: (id: string, open: boolean) => void;
  move: (row: Row, target: Target) => void;
  /** Moves that wait to be saved together, where the list collects them. */
  moves: readonly Move[];
  /** Takes collected moves back: the last one, or all. */
  takeBack: (all: boolean) => void;
  reload: () => void;
  /** Conditions are set, so matching rows of all levels are shown. */
  searched: boolean;
}

const noMoves: readonly Move[] = [];

/**
 * Rows of a tree: level by level as it is expanded, or the rows that meet the conditions with their paths.
 * @param collects whether moves are shown and kept here until they are saved together, instead of being sent one by one
 */
export function useTree(of: ListDeclaration, state: ListState, { enabled, collects }: TreeOptions): Tree {
  const client = useQueryClient();
  const [kept, setKept] = useState<ReadonlySet<string> | undefined>(() => readExpanded(of.name));
  const [moves, setMoves] = useState(noMoves);
  const where = whereOf(state);
  const searched = Object.keys(where).length > 0;
  const order = orderOf(state);
  const level = (parentId: string) => ({
    queryKey: [...keysOf(of), "level", parentId, order],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      callResource<Row[]>(of, "lazyList", { query: { parentId, ...order }, signal, quiet: true }),
    enabled: enabled && !searched,
  });
  const top = useQuery<Row[], ApiError>(level("0"));
  const atFirst = useMemo((): ReadonlySet<string> => {
    const rows = top.data ?? [];
    return new Set(rows.length > mostOpened ? [] : rows.filter(({ hasChildren }) => hasChildren).map(({ id }) => id));
  }, [top.data]);
  const expanded = kept ?? atFirst;
  const opened = useMemo(() => [...expanded], [expanded]);
  const below = useQueries({ queries: opened.map(level), combine: rowsOfEach });
  const found = useQuery<Row[], ApiError>({
    queryKey: [...keysOf(of), "found", where, order],
    queryFn: ({ signal }) =>
      callResource<Row[]>(of, "lazyList", { query: { ...where, ...order }, signal, quiet: true }),
    enabled: enabled && searched,
  });
  const foundIds = (found.data ?? []).slice(0, 50).map(({ id }) => id);
  const places = useQuery({
    queryKey: [...keysOf(of), "paths", foundIds],
    queryFn: ({ signal }) => selectRows(of.name, { ids: foundIds.join(",") }, signal),
    enabled: enabled && searched && foundIds.length > 0,
  });
  const expand = useCallback(
    (id: string, open: boolean): void =>
      setKept((now) => {
        const next = new Set(now ?? atFirst);
        if (open) next.add(id);
        else next.delete(id);
        sessionStorage.setItem(storageKey(of.name), JSON.stringify([...next]));
        return next;
      }),
    [of.name, atFirst],
  );
  const move = useCallback(
    (row: Row, target: Target): void => {
      const { parentId, beforeId } = target;
      if (collects) {
        setMoves((now) => [...now, { row, target }]);
        if (parentId !== "0") expand(parentId, true);
        return;
      }
      const body = { id: row.id, version: row.version, parentId, ...(beforeId === undefined ? {} : { beforeId }) };
      callResource(of, "move", { body, quiet: true }).then(
        () => {
          if (parentId !== "0") expand(parentId, true);
          showToast({ kind: "ok", text: "已移动“{name}”", values: { name: String(row[of.title] ?? "") } });
          void client.invalidateQueries({ queryKey: keysOf(of) });
        },
        (error: unknown) => {
          const { text, values } = asApiError(error);
          showToast({ kind: "error", text, values });
          void client.invalidateQueries({ queryKey: keysOf(of) });
        },
      );
    },
    [of, client, expand, collects],
  );
  const takeBack = useCallback((all: boolean): void => setMoves((now) => (all ? noMoves : now.slice(0, -1))), []);
  const [topRows, foundRows, paths] = [top.data, found.data, places.data];
  const items = useMemo((): ListItem[] | undefined => {
    if (!searched) {
      // Nothing comes in between rows that somebody reads already.
      if (kept === undefined && below.includes(undefined)) return undefined;
      const byParent = new Map(opened.map((id, index) => [id, below[index]]));
      const children = (id: string) => (id === "0" ? topRows : byParent.get(id));
      return topRows && treeItems(moves.length === 0 ? children : levelsAfter(children, moves), expanded);
    }
    const pathOf = new Map((paths ?? []).map(({ value, path }) => [value, path]));
    const above = ({ parentName }: Row): string | undefined =>
      typeof parentName === "string" && parentName !== "" ? parentName : undefined;
    return foundRows?.map((row) => ({
      row,
      depth: 0,
      hasChildren: false,
      expanded: false,
      path: pathOf.get(row.id) ?? above(row),
    }));
  }, [searched, topRows, opened, below, kept, expanded, foundRows, paths, moves]);
  return {
    items,
    error: searched ? found.error : top.error,
    expand,
    move,
    moves,
    takeBack,
    reload: () => void client.invalidateQueries({ queryKey: keysOf(of) }),
    searched,
  };
}
