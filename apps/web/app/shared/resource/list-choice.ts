import { type ColumnChoice, readColumnChoice } from "./columns.ts";
import { readViews, type View } from "./views.ts";

export type RowHeight = "regular" | "compact";

/** A person's settings for a list, stored with the account. */
export interface ListChoice {
  columns: ColumnChoice;
  /** Undefined: as everywhere in the app. */
  rowHeight: RowHeight | undefined;
  views: readonly View[];
}

/** Reads stored settings; settings of an older version that can't be read are ignored. */
export function readListChoice(kept: unknown, title: string): ListChoice {
  const held = typeof kept === "object" && kept !== null ? (kept as Record<string, unknown>) : {};
  return {
    columns: readColumnChoice(held.columns, title),
    rowHeight: held.rowHeight === "regular" || held.rowHeight === "compact" ? held.rowHeight : undefined,
    views: readViews(held.views),
  };
}
