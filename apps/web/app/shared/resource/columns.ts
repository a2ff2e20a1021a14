import { type Field, fieldsOf, type ListDeclaration } from "@herdwise/contract/resource";

/** Something that a list can show of each row. */
export interface Column {
  id: string;
  /** Chinese. */
  label: string;
  field: Field | undefined;
  /** Pixels before anybody changes it. */
  width: number;
  /** Shown before anybody chooses. */
  shown: boolean;
  sortable: boolean;
}

/** What a person chose for the columns of a list. */
export interface ColumnChoice {
  /** Ids in their order; those that came later stand where the declaration has them. */
  order: readonly string[];
  /** Ids that are shown or not, where that is not as declared. */
  shown: Readonly<Record<string, boolean>>;
  /** Pixels by id. */
  widths: Readonly<Record<string, number>>;
  /** Ids that stay in sight, in front of the others. */
  pinned: readonly string[];
}

export const noChoice: ColumnChoice = { order: [], shown: {}, widths: {}, pinned: [] };
export const widthBounds = { min: 56, max: 640 } as const;

/** About how wide a text is at the size of a list, in pixels: a Chinese character is as wide as high, a letter half. */
const widthOfText = (text: string): number =>
  [...text].reduce((width, letter) => width + ((letter.codePointAt(0) ?? 0) > 0x2e7f ? 13.5 : 7.4), 0);
/** Around a header's words: its padding, and the arrow of its order. */
const aroundLabel = 40;
/** Around a value: its padding, and the mark of a state. */
const aroundValue = 42;

interface Words {
  /** The chosen language. */
  t: (text: string) => string;
  /** How much longer names are in it than in Chinese. */
  stretch: number;
}

/** Characters from which on a text is sentences, not a name. */
const longText = 1000;
const longestPhone = "0377-60001234";

/** A figure is as wide as it is written, a choice as its longest name, a name as most names are. */
function widthOf(field: Field, { t, stretch }: Words): number {
  const label = widthOfText(t(field.label)) + aroundLabel;
  switch (field.kind) {
    case "text":
      if (field.rule === "phone") return Math.max(label, widthOfText(longestPhone) + aroundValue);
      // Its code is short, its name is not.
      if (field.rule === "region") return Math.max(label, stretch * 160);
      return Math.max(label, stretch * Math.min(field.max >= longText ? 400 : 240, Math.max(96, field.max * 5)));
    case "date":
      return Math.max(label, 112);
    case "moment":
      return Math.max(label, 132);
    case "number":
      return Math.max(label, 88);
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

/** Whether the wire sorts by a field. */
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
 * The columns of a resource's list: the field that names a row first.
 * @param tenants rows of several tenants are shown
 */
export function columnsOf(
  of: ListDeclaration,
  { tenants = false, t = (text) => text, stretch = 1 }: Partial<Words> & { tenants?: boolean } = {},
): Column[] {
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
    .toSorted((a, b) => Number(b.id === of.title) - Number(a.id === of.title));
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

/** A choice out of what is kept, which an older version of the app may have written. @param title the column that is pinned until one chooses */
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

/** The columns in the chosen order: pinned ones first, unknown ids dropped, columns that are new at their declared place. */
export function arranged(columns: readonly Column[], { order, pinned }: ColumnChoice): Column[] {
  const place = (id: string): number => {
    const at = order.indexOf(id);
    if (at >= 0) return at;
    // Behind the nearest column before it that has a place.
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

/** Whether a column is shown. The one that names a row always is. */
export const isShown = (column: Column, { shown }: ColumnChoice, title: string): boolean =>
  column.id === title || (shown[column.id] ?? column.shown);

/** The choice after a column was put in front of another one, or last. */
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
