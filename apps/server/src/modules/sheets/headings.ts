import { refuse } from "../../http/errors.ts";
import type { SheetStart } from "./sheet-limits.ts";

/** A column that a caller looks for. */
export interface Heading {
  /** Under which rows carry its cells. */
  readonly name: string;
  /** What may stand above it, in any language. */
  readonly words: readonly string[];
  /** Tells rows apart; of two rows with as many headings the one that has it is taken. */
  readonly key?: boolean;
}

/** A column of a sheet that was read. */
interface FoundColumn {
  /** From 0, also those without a heading counted. */
  readonly column: number;
  /** What stands above it. */
  readonly header: string;
  /** Heading that it was taken for; "" for a column that is left out. */
  readonly name: string;
}

/** Which part of a file is to be read, as a person chose it. */
export interface SheetChoice {
  /** From 0, hidden sheets counted. */
  readonly sheet: number;
  /** Number of the row with the headings; without it they are searched in that sheet. */
  readonly headerRow?: number | undefined;
  /** Headings by column from 0, others are left out; without it they are told by their words. */
  readonly columns?: Readonly<Record<number, string>> | undefined;
}

/** Where the headings of a file were found, and what else is in it. */
export interface SheetSource {
  readonly sheets: readonly {
    readonly name: string;
    readonly hidden: boolean;
    /** How many of the headings its best row has. */
    readonly headings: number;
  }[];
  readonly sheet: number;
  /** Number of the row with the headings. */
  readonly headerRow: number;
  /** The first rows of the sheet, cut to what a person needs to recognise them. */
  readonly start: readonly { readonly rowNumber: number; readonly texts: readonly string[] }[];
}

export interface FoundHeadings extends SheetSource {
  readonly columns: readonly FoundColumn[];
  /** A text that stands above two columns of the same heading; "" when there is none. */
  readonly doubled: string;
}

/** Columns and characters of the first rows that a person is shown. */
const shown = { columns: 40, characters: 40 };

/** A heading as it is compared: without case, width, white space, stars, colons and dots at its end and invisible signs. */
export const plainHeading = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s*＊\p{Cf}]/gu, "")
    .replace(/[:.]+$/, "");
/** The same without what stands in brackets: `（必填）`, `(kg)`. */
const bareHeading = (plain: string): string =>
  plain.replace(/[([【［〔{][^()[\]【】]*[)\]】］〕}]/g, "").replace(/[:.]+$/, "");

/** Finds the heading that a text means: first as it stands, then without what is in brackets. */
function matcherOf(headings: readonly Heading[], kept: ReadonlyMap<string, string>) {
  const whole = new Map<string, string | undefined>();
  const bare = new Map<string, string | undefined>();
  // What two columns are called names neither.
  const put = (into: Map<string, string | undefined>, word: string, name: string): void =>
    void into.set(word, into.has(word) && into.get(word) !== name ? undefined : name);
  for (const { name, words } of headings) {
    for (const plain of new Set(words.map(plainHeading))) {
      put(whole, plain, name);
      put(bare, bareHeading(plain), name);
    }
  }
  const known = new Set(headings.map(({ name }) => name));
  return (text: string): string => {
    const plain = plainHeading(text);
    if (plain === "") return "";
    const own = kept.get(plain);
    if (own !== undefined && (own === "" || known.has(own))) return own;
    return whole.get(plain) ?? bare.get(bareHeading(plain)) ?? "";
  };
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ");

/**
 * Chooses the sheet and row with the most headings; hidden sheets are not looked at unless a person chose one.
 * @param headings what is looked for; without them the first row names the columns
 * @param kept headings that the person matched before, by `plainHeading`
 * @throws {Refusal} 400 when nothing is in the file, or not in the row that a person chose
 */
export function findHeadings(
  starts: readonly SheetStart[],
  headings: readonly Heading[] | undefined,
  choice: SheetChoice | undefined,
  kept: ReadonlyMap<string, string> = new Map(),
): FoundHeadings {
  const match = headings ? matcherOf(headings, kept) : oneLine;
  const keys = new Set(headings?.filter(({ key }) => key).map(({ name }) => name));
  const scored = starts.map(({ rows }) => {
    let best = { rowNumber: rows[0]?.rowNumber ?? 0, score: 0, headings: 0 };
    for (const { rowNumber, texts } of headings ? rows : rows.slice(0, 1)) {
      const names = new Set(texts.map(match).filter((name) => name !== ""));
      const score = names.size + ([...keys].some((key) => names.has(key)) ? 0.5 : 0);
      if (score > best.score) best = { rowNumber, score, headings: names.size };
    }
    return best;
  });
  const filled = [...starts.keys()].filter((at) => (starts[at]?.rows.length ?? 0) > 0);
  const visible = filled.filter((at) => starts[at]?.hidden === false);
  const byScore = (a: number, b: number) => (headings ? (scored[b]?.score ?? 0) - (scored[a]?.score ?? 0) : a - b);
  const sheet = choice?.sheet ?? (visible.length > 0 ? visible : filled).toSorted(byScore)[0];
  const start = sheet === undefined ? undefined : starts[sheet];
  if (sheet === undefined || start === undefined || start.rows.length === 0) throw refuse("sheet.empty");
  const headerRow = choice?.headerRow ?? scored[sheet]?.rowNumber ?? 0;
  const texts = start.rows.find(({ rowNumber }) => rowNumber === headerRow)?.texts;
  if (texts === undefined) throw refuse("sheet.no_such_row", { values: { row: headerRow } });
  const columns = texts.flatMap((text, column): FoundColumn[] => {
    const header = oneLine(text);
    const name = choice?.columns ? (choice.columns[column] ?? "") : match(text);
    return header === "" && name === "" ? [] : [{ column, header, name }];
  });
  const names = columns.map(({ name }) => name).filter((name) => name !== "");
  const twice = columns.find(({ name }) => name !== "" && names.indexOf(name) !== names.lastIndexOf(name));
  return {
    sheets: starts.map(({ name, hidden }, at) => ({ name, hidden, headings: scored[at]?.headings ?? 0 })),
    sheet,
    headerRow,
    start: start.rows.map((row) => ({
      rowNumber: row.rowNumber,
      texts: row.texts.slice(0, shown.columns).map((text) => text.slice(0, shown.characters).toWellFormed()),
    })),
    columns,
    doubled: twice?.header ?? "",
  };
}
