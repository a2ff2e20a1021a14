import type { FixedView } from "@herdwise/contract/resource";
import type { Where } from "./conditions.ts";
import type { Selecting, Sort } from "./list-state.ts";

/** Conditions and order of a list, saved under a person's own name. */
export interface View {
  id: string;
  name: string;
  keyword: string;
  where: Where;
  sort: Sort | undefined;
}

export const mostViews = 20;
const textOf = (where: Where): string =>
  JSON.stringify(
    Object.entries(where)
      .filter(([, value]) => value !== "")
      .toSorted(([a], [b]) => a.localeCompare(b)),
  );

/** The queue that conditions choose, a view of the list; undefined for all rows. */
export const queueOf = (
  views: readonly FixedView[],
  queueNames: readonly string[],
  where: Where,
): FixedView | undefined =>
  queueNames.length === 0
    ? undefined
    : views.find((view) => queueNames.every((name) => (view.where[name] ?? "") === (where[name] ?? "")));

/** Whether a state differs from the view that it is based on. */
export const differs = (view: Selecting, state: Selecting): boolean =>
  view.keyword !== state.keyword ||
  textOf(view.where) !== textOf(state.where) ||
  view.sort?.field !== state.sort?.field ||
  view.sort?.direction !== state.sort?.direction;

/**
 * Makes a view from a list's state.
 * @param id an id that no other view has
 */
export const viewOf = (id: string, name: string, { keyword, where, sort }: Selecting): View => ({
  id,
  name,
  keyword,
  where,
  sort,
});

/** Whether an id is one of saved views. */
export const isSavedId = (id: string): boolean => /^v\d+$/.test(id);

/** An id that no view of the list has. */
export function freeId(views: readonly View[]): string {
  const numbers = views.map(({ id }) => Number(id.replace(/^v/, ""))).filter(Number.isInteger);
  return `v${Math.max(0, ...numbers) + 1}`;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isText = (value: unknown): value is string => typeof value === "string";

/** Reads stored views, which an older version of the app may have written. */
export function readViews(kept: unknown): View[] {
  if (!Array.isArray(kept)) return [];
  return kept.filter(isRecord).flatMap(({ id, name, keyword, where, sort }): View[] => {
    if (!isText(id) || !isText(name) || name === "") return [];
    const conditions = isRecord(where)
      ? Object.entries(where).filter((entry): entry is [string, string] => isText(entry[1]))
      : [];
    const order =
      isRecord(sort) && isText(sort.field) && (sort.direction === "asc" || sort.direction === "desc")
        ? { field: sort.field, direction: sort.direction as "asc" | "desc" }
        : undefined;
    return [{ id, name, keyword: isText(keyword) ? keyword : "", where: Object.fromEntries(conditions), sort: order }];
  });
}
