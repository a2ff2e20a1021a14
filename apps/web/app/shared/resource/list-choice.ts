import { type ColumnChoice, readColumnChoice } from "./columns.ts";
import { readViews, type View } from "./views.ts";

export type RowHeight = "regular" | "compact";

/** What a person chose for a list, kept with the account. */
export interface ListChoice {
  columns: ColumnChoice;
  /** None: as everywhere in the app. */
  rowHeight: RowHeight | undefined;
  views: readonly View[];
}

/** Reads what is kept; what an older version of the app wrote or nobody can read is as good as none. */
export function readListChoice(kept: unknown, title: string): ListChoice {
  const held = typeof kept === "object" && kept !== null ? (kept as Record<string, unknown>) : {};
  return {
    columns: readColumnChoice(held.columns, title),
    rowHeight: held.rowHeight === "regular" || held.rowHeight === "compact" ? held.rowHeight : undefined,
    views: readViews(held.views),
  };
}
