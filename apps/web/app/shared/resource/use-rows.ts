import type { ListDeclaration } from "@herdwise/contract/resource";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { ApiError } from "../api/api-error.ts";
import type { Row } from "./form-values.ts";
import { type ListState, orderOf, whereOf } from "./list-state.ts";
import { callPage, type RowPage, rowsKeyOf } from "./resource-api.ts";

/** Number of rows per request where a list shows all of them. */
const chunkSize = 500;

export interface Rows {
  /** Undefined until the first rows are loaded. */
  rows: readonly Row[] | undefined;
  /** Number of rows on all pages. */
  total: number;
  /** Page that the rows belong to; the earlier one while another is being loaded. */
  page: number;
  pages: number;
  error: ApiError | null;
  /** Other rows are being loaded, so these are outdated. */
  stale: boolean;
  reload: () => void;
  /** Loads further rows, where all are shown. */
  more: (() => void) | undefined;
  /** Last answer of the page operation, with what it tells beside the rows. */
  answer: RowPage | undefined;
}

export const queryOf = (state: ListState): Record<string, string> => ({ ...whereOf(state), ...orderOf(state) });

/** Whether a key of asked rows belongs to a list, whatever was asked. */
const isSameList = (asked: readonly unknown[], list: readonly unknown[]): boolean =>
  JSON.stringify(asked.slice(0, list.length)) === JSON.stringify(list);

/** The rows that a list's state selects: one page, or all while scrolling. */
export function useRows(of: ListDeclaration, state: ListState, enabled: boolean): Rows {
  const all = state.size === "all";
  const query = queryOf(state);
  const paged = useQuery<RowPage, ApiError>({
    queryKey: rowsKeyOf(of, "page", query, state.page, state.size),
    queryFn: ({ signal }) => callPage(of, { ...query, current: state.page, size: Number(state.size) }, signal),
    // Rows of another list would stand below this one's heading.
    placeholderData: (kept, before) => (before && isSameList(before.queryKey, rowsKeyOf(of)) ? kept : undefined),
    enabled: enabled && !all,
    refetchInterval: of.renewMs ?? false,
  });
  const endless = useInfiniteQuery({
    queryKey: rowsKeyOf(of, "all", query),
    queryFn: ({ signal, pageParam }) => callPage(of, { ...query, current: pageParam, size: chunkSize }, signal),
    initialPageParam: 1,
    getNextPageParam: (last: RowPage) => (last.current < last.pages ? last.current + 1 : undefined),
    enabled: enabled && all,
  });
  const loaded = useMemo(() => endless.data?.pages.flatMap(({ records }) => records), [endless.data]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = endless;
  if (all)
    return {
      rows: loaded,
      total: endless.data?.pages.at(-1)?.total ?? 0,
      page: 1,
      pages: 1,
      error: endless.error as ApiError | null,
      stale: endless.isPlaceholderData,
      reload: () => void endless.refetch(),
      more: hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined,
      answer: endless.data?.pages.at(-1),
    };
  return {
    rows: paged.data?.records,
    total: paged.data?.total ?? 0,
    page: paged.data?.current ?? 1,
    pages: paged.data?.pages ?? 1,
    error: paged.error,
    stale: paged.isPlaceholderData,
    reload: () => void paged.refetch(),
    more: undefined,
    answer: paged.data,
  };
}

/** The last loaded rows with their time, for use while the server can't be reached. */
export function useLastRows(rows: readonly Row[] | undefined): { rows: readonly Row[]; atMs: number } | undefined {
  const [last, setLast] = useState<{ rows: readonly Row[]; atMs: number }>();
  useEffect(() => {
    if (rows && rows.length > 0) setLast({ rows, atMs: Date.now() });
  }, [rows]);
  return last;
}
