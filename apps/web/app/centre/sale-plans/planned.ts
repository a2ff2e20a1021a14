import { mondayOf } from "../../shared/trade/week.ts";

/** Parameter of the address with the values of a plan that another page begins. */
export const plannedKey = "for";

/** What a plan that another page begins is about. */
export interface Planned {
  field: string;
  unit: string;
  /** yyyy-MM-dd */
  day: string;
  category: string;
}

/** Address of the board's form for a new plan. */
export const plannedPath = ({ field, unit, day, category }: Planned): string =>
  `/trade/plan?${new URLSearchParams({ week: mondayOf(day, day), row: "new", [plannedKey]: [field, unit, day, category].join(".") })}`;

/** The values in an address; undefined for none, or others than a page writes. */
export function plannedIn(search: URLSearchParams): Record<keyof Planned, string> | undefined {
  const found = /^(\d{1,19})\.(\d{1,19})\.(\d{4}-\d{2}-\d{2})\.([a-z]{1,10})$/.exec(search.get(plannedKey) ?? "");
  const [, field, unit, day, category] = found ?? [];
  return field && unit && day && category ? { field, unit, day, category } : undefined;
}
