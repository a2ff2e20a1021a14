import { type Field, fieldsOf, type ListDeclaration } from "@herdwise/contract/resource";

/** A possible column of a list. */
export interface Column {
  id: string;
  /** Chinese name, a key of the translations. */
  label: string;
  field: Field | undefined;
  /** Default width in pixels. */
  width: number;
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

/** Approximate width of a text in pixels: a Chinese character is as wide as the font size, a Latin letter half of it. */
const widthOfText = (text: string): number =>
  [...text].reduce((width, letter) => width + ((letter.codePointAt(0) ?? 0) > 0x2e7f ? 13.5 : 7.4), 0);
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

/** Whether the server can sort by a field. */
const isSortable = (of: ListDeclaration, field: Field): boolean =>
  (field.sort === true || (field.column === true && !of.page)) &&
  field.kind !== "choices" &&
  field.kind !== "reference" &&
  !(field.kind === "text" && (field.stored !== undefined || field.personal?.startsWith("mask")));

const ofEveryRow: readonly Omit<Column, "field">[] = [
  { id: "updateTime", label: "更新时间", width: 132, shown: true, sortable: true },
  { id: "updateUserName", label: "更新人", width: 96, shown: false, sortable: false },
  { id: "createTime", label: "创建时间", width: 132, shown: false, sortable: true },
  { id: "createUserName", label: "创建人", width: 96, shown: false, sortable: false },
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
  const leadOf = ({ id }: Column): number => (id === of.title ? 0 : id === stateField ? 1 : 2);
  const stateField = "process" in of ? "state" : "status";
  const own = fieldsOf(of)
    .map(
      ([id, field]): Column => ({
        id,
        label: field.label,
        field,
        width: Math.round(Math.max(id === of.title ? stretch * 180 : 0, widthOf(field, { t, stretch }))),
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
      width: Math.round(widthOf(field, { t, stretch })),
      shown: true,
      sortable: false,
    }),
  );
  const tenant: Column[] = tenants
    ? [{ id: "tenantName", label: "租户", field: undefined, width: 136, shown: true, sortable: false }]
    : [];
  return [
    ...own,
    ...derived,
    ...tenant,
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
