import type { Where } from "./conditions.ts";

/** Page sizes; `all` loads further pages while scrolling. */
export const listSizes = ["20", "50", "100", "500", "all"] as const;
type ListSize = (typeof listSizes)[number];

export interface Sort {
  /** Field of the row. */
  field: string;
  direction: "asc" | "desc";
}

/** State of a list as stored in its URL. */
export interface ListState {
  keyword: string;
  where: Where;
  sort: Sort | undefined;
  page: number;
  size: ListSize;
  /** Id of the saved view that the state is based on; "" for all rows. */
  view: string;
  /** Id of the open row; "new" while one is added. */
  row: string;
  /** Id of a new row's parent, in trees. */
  parent: string;
  tab: "form" | "history";
}

/** Prefix of the parameters that hold conditions, so that no field name conflicts with other parameters. */
export const conditionPrefix = "f.";
const longestValue = 2000;

/**
 * Reads a URL; unknown or invalid values are ignored.
 * @param names parameters of conditions and queues
 */
export function readListState(search: URLSearchParams, names: readonly string[], sorts: readonly string[]): ListState {
  const where = Object.fromEntries(
    [...search]
      .filter(([name]) => name.startsWith(conditionPrefix))
      .map(([name, value]): [string, string] => [name.slice(conditionPrefix.length), value.slice(0, longestValue)])
      .filter(([name, value]) => names.includes(name) && value !== ""),
  );
  const sort = search.get("sort") ?? "";
  const field = sort.replace(/^-/, "");
  const page = Number(search.get("page"));
  const row = search.get("row") ?? "";
  const parent = search.get("parent") ?? "";
  return {
    keyword: (search.get("q") ?? "").slice(0, 64),
    where,
    sort: sorts.includes(field) ? { field, direction: sort.startsWith("-") ? "desc" : "asc" } : undefined,
    page: Number.isInteger(page) && page > 0 && page <= 1_000_000 ? page : 1,
    size: listSizes.find((size) => size === search.get("size")) ?? "20",
    view: (search.get("view") ?? "").slice(0, 40),
    row: row === "new" || /^\d{1,19}$/.test(row) ? row : "",
    parent: /^\d{1,19}$/.test(parent) ? parent : "",
    tab: search.get("tab") === "history" ? "history" : "form",
  };
}

/** Writes the state of a list to a URL; default values are left out, and other parameters stay. */
export function writeListState(search: URLSearchParams, state: ListState): URLSearchParams {
  const next = new URLSearchParams([...search].filter(([name]) => !name.startsWith(conditionPrefix)));
  const put = (name: string, value: string): void => {
    if (value === "") next.delete(name);
    else next.set(name, value);
  };
  put("q", state.keyword);
  put("sort", state.sort ? `${state.sort.direction === "desc" ? "-" : ""}${state.sort.field}` : "");
  put("page", state.page === 1 ? "" : String(state.page));
  put("size", state.size === "20" ? "" : state.size);
  put("view", state.view);
  put("row", state.row);
  put("parent", state.row === "new" ? state.parent : "");
  // Without an open row the parameter belongs to another component.
  if (state.row !== "" || search.has("row")) put("tab", state.row !== "" && state.tab === "history" ? "history" : "");
  for (const [name, value] of Object.entries(state.where).toSorted(([a], [b]) => a.localeCompare(b)))
    if (value !== "") next.set(conditionPrefix + name, value);
  return next;
}

/** The part of the state that selects and orders rows; the rest controls how they are shown. */
export type Selecting = Pick<ListState, "keyword" | "where" | "sort">;

const selectingOf = ({ keyword, where, sort, size, view }: ListState): string =>
  JSON.stringify([
    keyword,
    Object.entries(where)
      .filter(([, value]) => value !== "")
      .sort(),
    sort?.field,
    sort?.direction,
    size,
    view,
  ]);

/** Whether two states select other rows or another order, so that the list starts at the first page. */
export const selectsOthers = (held: ListState, next: ListState): boolean => selectingOf(held) !== selectingOf(next);

/** Converts `deptName` to `dept_name`, because the wire sorts by columns. */
const columnName = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Conditions as parameters of an operation. */
export const whereOf = ({ keyword, where }: Pick<Selecting, "keyword" | "where">): Where =>
  keyword === "" ? where : { ...where, keyword };

/** Order as parameters of an operation. */
export const orderOf = ({ sort }: Pick<Selecting, "sort">): { ascs?: string; descs?: string } =>
  sort === undefined ? {} : { [sort.direction === "asc" ? "ascs" : "descs"]: columnName(sort.field) };
