import { type Field, fieldsOf, isBlank, type ListDeclaration } from "@herdwise/contract/resource";
import { widthOfText } from "../kit/text-width.ts";
import type { Row } from "./form-values.ts";

/** A possible column of a list. */
export interface Column {
  id: string;
  /** Chinese name, a key of the translations. */
  label: string;
  field: Field | undefined;
  /** Default width in pixels. */
  width: number;
  /** What is left of it at most where all columns would not fit; values beyond it end in dots. */
  narrow: number;
  /** Shown by default. */
  shown: boolean;
  sortable: boolean;
}

/** A person's settings for the columns of a list. */
export interface ColumnChoice {
  /** Ids in order; columns that are newer than the settings keep their declared place. */
  order: readonly string[];
  /** Visibility by id, where it differs from the declaration. */
  shown: Readonly<Record<string, boolean>>;
  /** Pixels by id. */
  widths: Readonly<Record<string, number>>;
  /** Ids of pinned columns, which come first and stay visible. */
  pinned: readonly string[];
}

export const noChoice: ColumnChoice = { order: [], shown: {}, widths: {}, pinned: [] };
export const widthBounds = { min: 56, max: 640 } as const;

/** Space around a header's text in pixels: its padding and the sort arrow. */
const aroundLabel = 40;
/** Space around a value in pixels: its padding and the mark of a state. */
const aroundValue = 42;

interface Words {
  /** Translates to the chosen language. */
  t: (text: string) => string;
  /** Factor by which names are longer than in Chinese. */
  stretch: number;
}

/** Maximum length from which a field contains sentences rather than a name. */
const longText = 1000;
const longestPhone = "0377-60001234";
/** Largest number for which a column has room by itself. */
const millions = 9_999_999;
/** Characters of four times of a day; hardly anybody has more. */
const fourRanges = 47;

/** Default width of a column: of the number as written, of the longest option, or of a typical name. */
function widthOf(field: Field, { t, stretch }: Words): number {
  const label = widthOfText(t(field.label)) + aroundLabel;
  switch (field.kind) {
    case "text":
      if (field.rule === "phone") return Math.max(label, widthOfText(longestPhone) + aroundValue);
      // Times are digits, which are never cut.
      if (field.rule === "time-ranges")
        return Math.max(label, widthOfText("0".repeat(Math.min(field.max, fourRanges))) + aroundValue);
      // The code of a region is short, but its name is not.
      if (field.rule === "region") return Math.max(label, stretch * 160);
      return Math.max(label, stretch * Math.min(field.max >= longText ? 400 : 240, Math.max(96, field.max * 5)));
    case "date":
      return Math.max(label, 112);
    case "moment":
      return Math.max(label, 132);
    case "number": {
      const largest = Math.min(field.max / 10 ** (field.decimals ?? 0), millions);
      const shown = `${Math.trunc(largest).toLocaleString("en")}${"0".repeat(field.decimals ?? 0)} ${t(field.unit ?? "")}`;
      return Math.max(label, 88, widthOfText(shown) + aroundValue);
    }
    case "choices":
      return Math.max(label, 168);
    case "reference":
      return Math.max(label, stretch * 136);
    case "choice": {
      const names = (field.options ?? []).map(([, name]) => widthOfText(t(name)));
      return Math.max(label, 96, ...names.map((width) => width + aroundValue));
    }
    case "switch":
      return Math.max(label, 88);
  }
}

/** Share of the default width that a column keeps where there is little room; the one that names a row keeps more. */
const keptShare = { title: 0.8, other: 0.6 } as const;
const narrowest = 96;
/** Options that are as wide as this are names, not states. */
const longOptions = 136;

/** A column's default width, and what is left of it where there is little room: figures, times and states are never cut. */
function roomOf(
  field: Field,
  words: Words,
  { isTitle = false, isState = false }: { isTitle?: boolean; isState?: boolean },
): Pick<Column, "width" | "narrow"> {
  const width = Math.round(Math.max(isTitle ? words.stretch * 180 : 0, widthOf(field, words)));
  const label = widthOfText(words.t(field.label)) + aroundLabel;
  const gives =
    (field.kind === "text" && field.rule !== "phone" && field.rule !== "time-ranges") ||
    field.kind === "reference" ||
    field.kind === "choices" ||
    (field.kind === "choice" && width > longOptions && !isState);
  const kept = width * (isTitle ? keptShare.title : keptShare.other);
  return { width, narrow: gives ? Math.round(Math.min(width, Math.max(label, narrowest, kept))) : width };
}

/** Widest that a column of texts becomes by itself where there is room left, px. */
const widestText = 460;
/** Largest share of room left over that one column takes for nothing but air, px. */
const mostAir = 160;

const hasStates = (of: ListDeclaration): boolean => "process" in of || of.fields.state?.kind === "choice";

/** Field that tells how a row stands. */
export const stateFieldOf = (of: ListDeclaration): "state" | "status" => (hasStates(of) ? "state" : "status");

/** Fewest rows of which it means something that none of them says anything, or all of them the same; of a part of a list, too. */
const fewestAlike = { nothing: 2, same: 3, sameOfPart: 20 } as const;

/** What all rows in sight have in a column: nothing worth a place, the same kind, which takes only room left over, or the same value. */
export type Alike = Readonly<Record<string, "nothing" | "kind" | "same">>;

/** Whether a value takes no room in a list: it is not known, or a switch that is off. */
const saysNothing = (field: Field | undefined, value: unknown): boolean =>
  isBlank(value) ||
  (field?.kind === "reference" && value === "0") ||
  (field?.kind === "switch" && (value === false || value === 0));

/** Nearly all rows of a plain resource are in use, which tells none of them from another. */
const hasState = (of: ListDeclaration): boolean => hasStates(of) || of.page !== undefined;

/** Kinds of values that put a row among others; without a field it is the tenant's name. */
const sorting: readonly (Field["kind"] | undefined)[] = ["choice", "switch", "reference", undefined];

/**
 * Columns in which all rows say the same, without the one that names a row, the state of a process, and those whose cells are drawn
 * from more than their own value. Of a whole list without conditions, a kind that all rows have says nothing; a state stays known.
 * @param isWhole there are no other rows, which could say something else
 * @param isFiltered conditions may be why all rows say the same
 */
export function alikeIn(
  of: ListDeclaration,
  rows: readonly Row[],
  columns: readonly Column[],
  { isOwn, isWhole, isFiltered }: { isOwn: (id: string) => boolean; isWhole: boolean; isFiltered: boolean },
): Alike {
  const [first] = rows;
  if (first === undefined || rows.length < fewestAlike.nothing) return {};
  const isTold = isWhole ? rows.length >= fewestAlike.same : rows.length >= fewestAlike.sameOfPart;
  return Object.fromEntries(
    columns.flatMap(({ id, field }): [string, Alike[string]][] => {
      const isState = hasState(of) && id === stateFieldOf(of);
      // What puts rows first tells how they stand, as the state of a process does.
      if (id === of.title || id === of.urgent?.field || (isState && "process" in of && of.process !== undefined))
        return [];
      const isDrawn = isOwn(id) && !isState;
      // A choice that nobody made is drawn as its absence.
      if ((!isDrawn || field?.kind === "choice") && rows.every((row) => saysNothing(field, row[id])))
        return [[id, "nothing"]];
      if (isDrawn) return [];
      const value = JSON.stringify(first[id]);
      if (!isTold || !rows.every((row) => JSON.stringify(row[id]) === value)) return [];
      return [[id, isWhole && !isFiltered && !isState && sorting.includes(field?.kind) ? "kind" : "same"]];
    }),
  );
}

/** Fewest columns that stay. */
const fewestShown = 3;
/** Texts up to this width are numbers, names with a mark, deadlines and addresses, which say nothing when they are cut, px. */
const shortText = 280;

/** Room that is left beside each column of a list in which a column that all rows share is shown, too, px. */
const roomyAir = 60;

/** Pixels that a measured column takes at least. */
const leastOf = ({ width, narrow }: Column, need: number): number =>
  narrow < width && need > shortText ? Math.min(narrow, need) : need;

/**
 * The shown columns without those that give way: those that say nothing in any row, and where others would have to be cut, those that
 * say the same in each row. If the others do not fit even with shortened texts, those at the end go. What somebody chose stays.
 * @param room width for all of them in pixels; 0 where it is not known yet
 * @param seen what the rows in sight say, and the pixels that they need
 */
export function withRoom(
  shown: readonly Column[],
  { shown: wished, widths, pinned }: ColumnChoice,
  room: number,
  { alike = {}, needs = {} }: { alike?: Alike; needs?: Readonly<Record<string, number>> } = {},
): readonly Column[] {
  const isChosen = ({ id }: Column): boolean => wished[id] !== undefined || widths[id] !== undefined;
  const isTold = (column: Column): boolean =>
    (alike[column.id] !== "nothing" && alike[column.id] !== "kind") || isChosen(column);
  if (room === 0) return shown.filter(isTold);
  const wantOf = ({ id, width, narrow }: Column): number => {
    const need = needs[id];
    return widths[id] ?? (need === undefined ? narrow : narrow < width ? Math.min(need, widestText) : need);
  };
  let spare = room - shown.filter(isTold).reduce((sum, column) => sum + wantOf(column) + roomyAir, 0);
  const told = shown.filter((column) => {
    if (isTold(column)) return true;
    if (alike[column.id] !== "kind") return false;
    spare -= column.width + roomyAir;
    return spare >= 0;
  });
  let over = told.reduce((sum, column) => sum + wantOf(column), 0) - room;
  const giving = told.filter((column) => alike[column.id] === "same" && !isChosen(column)).reverse();
  const left = new Set<string>();
  for (const column of giving) {
    if (over <= 0) break;
    left.add(column.id);
    over -= wantOf(column);
  }
  const kept = told.filter(({ id }) => !left.has(id));
  // Nothing is known before the rows are measured.
  const least = (column: Column): number => {
    const need = needs[column.id];
    return widths[column.id] ?? (need === undefined ? 0 : leastOf(column, need));
  };
  let beyond = kept.reduce((sum, column) => sum + least(column), 0) - room;
  for (const column of kept.slice(fewestShown).reverse()) {
    if (beyond <= 0) break;
    if (isChosen(column) || pinned.includes(column.id)) continue;
    left.add(column.id);
    beyond -= least(column);
  }
  // A wide column that went may leave room for narrow ones that went before it.
  for (const column of kept) {
    if (!left.has(column.id) || beyond + least(column) > 0) continue;
    left.delete(column.id);
    beyond += least(column);
  }
  return left.size === 0 ? told : told.filter(({ id }) => !left.has(id));
}

/**
 * Widths of shown columns by id, without those that somebody chose and those that keep their own. Where there is little room, columns
 * give up what their values leave empty first, and then texts end in dots; what is left over goes to cut texts first.
 * @param room width for all of them in pixels
 * @param needs pixels in which the longest value in sight fits, by id; a column that has not been measured keeps what it may need
 */
export function fittedWidths(
  shown: readonly Column[],
  chosen: ColumnChoice["widths"],
  room: number,
  needs: Readonly<Record<string, number>> = {},
): Readonly<Record<string, number>> {
  const columns = shown.map((column) => {
    const { id, width, narrow } = column;
    const own = chosen[id];
    if (own !== undefined) return { id, width: own, full: own, least: own, most: own, air: 0 };
    const need = needs[id];
    const isCut = narrow < width;
    const most = isCut ? Math.min(need ?? widestText, widestText) : (need ?? width);
    // Figures, times and states are never cut, nor are short names while a sentence has something to give.
    const isName = isCut && need !== undefined && need <= shortText;
    const start = isName
      ? Math.max(width, need)
      : isCut
        ? width
        : column.field?.kind === "number"
          ? most
          : Math.max(width, most);
    const full = need === undefined ? start : Math.min(start, most);
    const least = need === undefined ? (isCut ? Math.min(narrow, full) : full) : Math.min(full, leastOf(column, need));
    // Figures far from the names that they tell of are hard to follow.
    const air = column.field?.kind === "number" ? 0 : mostAir;
    return { id, width: start, full, least, most: isNamed(column) || need !== undefined ? most : width, air };
  });
  const widths = columns.map(({ width }) => width);
  /** Moves each column by its share, at most as far as it says; together by so much at most. */
  const move = (by: number, most: (column: (typeof columns)[number]) => number): void => {
    const bounds = columns.map(most);
    const sum = bounds.reduce((all, one) => all + one, 0);
    const share = sum === 0 ? 0 : Math.min(1, Math.abs(by) / sum);
    for (const [index, bound] of bounds.entries()) widths[index] = (widths[index] ?? 0) + Math.sign(by) * bound * share;
  };
  const left = (): number => room - widths.reduce((sum, width) => sum + width, 0);
  const cut = columns.reduce((sum, { width, most }) => sum + Math.max(0, most - width), 0);
  // What stays empty goes to what would be cut.
  move(Math.min(0, left() - cut), ({ width, full }) => width - full);
  if (left() < 0) {
    // What can't fit even so scrolls sideways, uncut.
    if (room >= columns.reduce((sum, { least }) => sum + least, 0)) move(left(), ({ full, least }) => full - least);
  } else {
    move(left(), ({ width, most }) => Math.max(0, most - width));
    if (Object.keys(needs).length > 0) move(left(), ({ air }) => air);
  }
  return Object.fromEntries(
    columns.flatMap(({ id }, index) => {
      const width = Math.floor(widths[index] ?? 0);
      return chosen[id] === undefined && width !== shown[index]?.width ? [[id, width]] : [];
    }),
  );
}

const isNamed = ({ field, narrow, width }: Column): boolean => field?.kind === "text" && narrow < width;

/** Whether the server can sort by a field. */
const isSortable = (of: ListDeclaration, field: Field): boolean =>
  (field.sort === true || (field.column === true && !of.page)) &&
  field.kind !== "choices" &&
  field.kind !== "reference" &&
  !(field.kind === "text" && (field.stored !== undefined || field.personal?.startsWith("mask")));

const ofEveryRow: readonly Omit<Column, "field">[] = [
  { id: "updateTime", label: "更新时间", width: 132, narrow: 132, shown: false, sortable: true },
  { id: "updateUserName", label: "更新人", width: 96, narrow: 96, shown: false, sortable: false },
  { id: "createTime", label: "创建时间", width: 132, narrow: 132, shown: false, sortable: true },
  { id: "createUserName", label: "创建人", width: 96, narrow: 96, shown: false, sortable: false },
];

/**
 * Columns of a resource's list, beginning with the one that names a row.
 * @param tenants whether rows of several tenants are shown
 */
export function columnsOf(
  of: ListDeclaration,
  { tenants = false, t = (text) => text, stretch = 1 }: Partial<Words> & { tenants?: boolean } = {},
): Column[] {
  // What a row is and how it stands is seen without scrolling sideways.
  const stateField = stateFieldOf(of);
  const leadOf = ({ id }: Column): number => (id === of.title ? 0 : hasState(of) && id === stateField ? 1 : 2);
  const own = fieldsOf(of)
    .map(
      ([id, field]): Column => ({
        id,
        label: field.label,
        field,
        ...roomOf(field, { t, stretch }, { isTitle: id === of.title, isState: id === stateField }),
        shown: field.column === true || id === of.title,
        sortable: isSortable(of, field),
      }),
    )
    .toSorted((a, b) => leadOf(a) - leadOf(b));
  const derived = Object.entries(of.derived ?? {}).map(
    ([id, field]): Column => ({
      id,
      label: field.label,
      field,
      ...roomOf(field, { t, stretch }, { isState: id === stateField }),
      shown: field.column !== false,
      sortable: false,
    }),
  );
  const isCustomers = "customerMenu" in of && of.customerMenu !== undefined;
  const tenant: Column[] = tenants
    ? [
        {
          id: "tenantName",
          label: isCustomers || of.ofCustomers ? "客户" : "租户",
          field: undefined,
          width: 136,
          narrow: 96,
          shown: of.ownerTold !== true,
          sortable: false,
        },
      ]
    : [];
  // Whose a document is stands beside how it stands.
  const lead =
    isCustomers || of.ofCustomers ? own.filter((column) => leadOf(column) < 2).length : own.length + derived.length;
  const named = [...own, ...derived];
  return [
    ...named.slice(0, lead),
    ...tenant,
    ...named.slice(lead),
    ...(of.page ? [] : ofEveryRow.map((column): Column => ({ ...column, field: undefined }))),
  ];
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");
const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === "object" && value !== null ? Object.entries(value) : [];

/**
 * Reads stored settings, which an older version of the app may have written.
 * @param title column that is pinned by default
 */
export function readColumnChoice(kept: unknown, title: string): ColumnChoice {
  const held = Object.fromEntries(entriesOf(kept));
  return {
    order: isTexts(held.order) ? held.order : [],
    shown: Object.fromEntries(
      entriesOf(held.shown).filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"),
    ),
    widths: Object.fromEntries(
      entriesOf(held.widths)
        .filter((entry): entry is [string, number] => typeof entry[1] === "number" && Number.isFinite(entry[1]))
        .map(([id, width]) => [id, boundedWidth(width)]),
    ),
    pinned: isTexts(held.pinned) ? held.pinned : [title],
  };
}

export const boundedWidth = (width: number): number =>
  Math.round(Math.min(widthBounds.max, Math.max(widthBounds.min, width)));

/** Columns in the chosen order: pinned ones first, unknown ids dropped, and new columns at their declared place. */
export function arranged(columns: readonly Column[], { order, pinned }: ColumnChoice): Column[] {
  const place = (id: string): number => {
    const at = order.indexOf(id);
    if (at >= 0) return at;
    // After the nearest preceding column that has a place.
    const index = columns.findIndex((column) => column.id === id);
    for (let before = index - 1; before >= 0; before -= 1) {
      const known = order.indexOf(columns[before]?.id ?? "");
      if (known >= 0) return known + 0.5;
    }
    return -1;
  };
  const inOrder = columns
    .map((column, index) => ({ column, place: place(column.id), index }))
    .toSorted((a, b) => a.place - b.place || a.index - b.index)
    .map(({ column }) => column);
  const isPinned = ({ id }: Column): boolean => pinned.includes(id);
  return [...inOrder.filter(isPinned), ...inOrder.filter((column) => !isPinned(column))];
}

/** Whether a column is shown; the one that names a row always is. */
export const isShown = (column: Column, { shown }: ColumnChoice, title: string): boolean =>
  column.id === title || (shown[column.id] ?? column.shown);

/** The settings after a column was moved in front of another one, or to the end. */
export function moved(
  columns: readonly Column[],
  choice: ColumnChoice,
  id: string,
  before: string | undefined,
): ColumnChoice {
  const rest = arranged(columns, choice)
    .map((column) => column.id)
    .filter((held) => held !== id);
  const at = before === undefined ? rest.length : rest.indexOf(before);
  return { ...choice, order: [...rest.slice(0, at), id, ...rest.slice(at)] };
}
