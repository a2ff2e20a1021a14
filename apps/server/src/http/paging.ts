import type { Page } from "@herdwise/contract";
import { refuse } from "./errors.ts";

interface PageQuery {
  current?: number | undefined;
  size?: number | undefined;
  ascs?: string | undefined;
  descs?: string | undefined;
}

/**
 * Converts the paging parameters of the wire to offset, limit and order.
 * @param sorts columns that may be sorted by; any other is refused, so none of the caller's text gets into SQL
 */
export function pageRequest<Sort extends string>(query: PageQuery, sorts: readonly Sort[]) {
  const current = query.current ?? 1;
  const size = query.size ?? 10;
  const columns = (list: string | undefined, direction: "asc" | "desc") =>
    (list ?? "")
      .split(",")
      .filter((name) => name !== "")
      .map((name) => {
        const column = sorts.find((sort) => sort === name);
        if (column === undefined) throw refuse("page.unknown_sort", { values: { columns: sorts.join(", ") } });
        return { column, direction };
      });
  return {
    current,
    size,
    offset: (current - 1) * size,
    limit: size,
    orders: [...columns(query.ascs, "asc"), ...columns(query.descs, "desc")],
  };
}

/** A page of rows in the form of wire.md 1.3. */
export const pageOfRows = <Row>(
  rows: Row[],
  total: number,
  { current, size }: { current: number; size: number },
): Page<Row> => ({
  records: rows,
  total,
  size,
  current,
  pages: Math.ceil(total / size),
  orders: [],
  searchCount: true,
});
