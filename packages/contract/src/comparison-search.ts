import type { ComparisonQuery } from "./comparisons.ts";

/** The search of the address that shows a comparison, without what is usual. */
export function comparisonSearch({ kind, ids, show, days, align, earlier }: ComparisonQuery): string {
  const search = new URLSearchParams({ kind });
  if (ids !== "") search.set("of", ids);
  if (show !== undefined) search.set("show", show);
  if (days !== undefined && days !== 30) search.set("days", String(days));
  if (align !== undefined && align !== "time") search.set("align", align);
  if (earlier !== undefined && earlier !== "none") search.set("earlier", earlier);
  return search.toString();
}
