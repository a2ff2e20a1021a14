import { type Condition, type Where, wireNamesOf } from "./conditions.ts";

/** Rows that a page may show; `all` loads pages as one scrolls. */
export const listSizes = ["20", "50", "100", "500", "all"] as const;
type ListSize = (typeof listSizes)[number];

export interface Sort {
  /** Field of the row. */
  field: string;
  direction: "asc" | "desc";
}

/** What a list shows, as its address holds it. */
export interface ListState {
  keyword: string;
  where: Where;
  sort: Sort | undefined;
  page: number;
  size: ListSize;
  /** Id of the saved view that it began with; "" for all rows. */
  view: string;
  /** Id of the row that is open; "new" for one that is being added. */
  row: string;
  /** Row that a new one stands below, in trees. */
  parent: string;
  tab: "form" | "history";
}

/** Begins the parameters that hold conditions, so that no field can be taken for one of the list's own. */
export const conditionPrefix = "f.";
const longestValue = 2000;

/** Reads an address. What is unknown or out of range is as good as none. */
export function readListState(
  search: URLSearchParams,
  conditions: readonly Condition[],
  sorts: readonly string[],
): ListState {
  const known = new Set(conditions.flatMap(wireNamesOf));
  const where = Object.fromEntries(
    [...search]
      .filter(([name]) => name.startsWith(conditionPrefix))
      .map(([name, value]): [string, string] => [name.slice(conditionPrefix.length), value.slice(0, longestValue)])
      .filter(([name, value]) => known.has(name) && value !== ""),
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

/** Writes the address of a list; what is as at the beginning is left out, foreign parameters stay. */
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
  // Without a row of its own the parameter is another's.
  if (state.row !== "" || search.has("row")) put("tab", state.row !== "" && state.tab === "history" ? "history" : "");
  for (const [name, value] of Object.entries(state.where).toSorted(([a], [b]) => a.localeCompare(b)))
    if (value !== "") next.set(conditionPrefix + name, value);
  return next;
}

/** What selects and orders rows; the rest of a list's state is how they are shown. */
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

/** Whether two states show other rows or another order, and the list so begins at the first page. */
export const selectsOthers = (held: ListState, next: ListState): boolean => selectingOf(held) !== selectingOf(next);

/** `deptName` is `dept_name`: the wire sorts by columns. */
const columnName = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Conditions as an operation takes them. */
export const whereOf = ({ keyword, where }: Pick<Selecting, "keyword" | "where">): Where =>
  keyword === "" ? where : { ...where, keyword };

/** Order as an operation takes it. */
export const orderOf = ({ sort }: Pick<Selecting, "sort">): { ascs?: string; descs?: string } =>
  sort === undefined ? {} : { [sort.direction === "asc" ? "ascs" : "descs"]: columnName(sort.field) };
