import { open } from "node:fs/promises";
import { type FoundHeadings, findHeadings, type Heading, type SheetChoice } from "./headings.ts";
import { readRaw, refusalOf } from "./raw-reader.ts";
import { type FileForm, formOf } from "./sheet-form.ts";
import { type CellFault, type RawRow, SheetProblem, sheetLimits, startsLikeFormula } from "./sheet-limits.ts";

/** A row of a sheet by the names of its columns. */
export interface SheetRow {
  /** As the sheet numbers it, from 1. */
  readonly rowNumber: number;
  /** Texts by column; a column in which the row has nothing is left out. */
  readonly cells: Readonly<Record<string, string>>;
  /** Cells whose text is not what was written into them; it must not be taken for a value. */
  readonly faults: Readonly<Record<string, CellFault>>;
  /** Whether the sheet does not show the row. */
  readonly hidden: boolean;
}

/** A sheet that is being read. */
export interface OpenSheet extends AsyncDisposable, FoundHeadings {
  /** The rows below the headings, once. Stopping early ends the reading. */
  readonly rows: AsyncIterable<SheetRow>;
}

export interface ReadOptions {
  /** Rows below the headings; more are refused. At most, and unless it is said, 50,000. */
  readonly maxRows?: number;
  /** Columns that are looked for; without them the first row names the columns. */
  readonly headings?: readonly Heading[];
  /** Sheet, row and columns as a person chose them; searched without it. */
  readonly choice?: SheetChoice | undefined;
  /** Headings that the person matched before, by `plainHeading`. */
  readonly kept?: ReadonlyMap<string, string>;
  /** Told where the headings were found, also when what follows is refused. */
  readonly onSource?: (source: FoundHeadings) => void;
}

/**
 * Tells what a file is that should be a sheet, by its first bytes.
 * @throws {Refusal} 400 for what is none, naming what it is where that is known
 */
export async function sheetFormOf(path: string): Promise<FileForm> {
  await using file = await open(path);
  const start = Buffer.alloc(4096);
  const { bytesRead } = await file.read(start, 0, start.length, 0);
  try {
    return formOf(start.subarray(0, bytesRead));
  } catch (error) {
    throw error instanceof SheetProblem ? refusalOf(error.fault) : error;
  }
}

/** A text that `writeSheet` guarded against being taken for a formula, as it was before; a carriage return is a line end by now. */
const unguarded = (text: string): string =>
  text.startsWith("'") && startsLikeFormula(text.slice(1)) ? text.slice(1) : text;

/**
 * Opens a file of cells, whatever program made it: xlsx, xls, xlsb, ods, XML 2003, HTML, text with commas, tabs or semicolons. The
 * sheet and row with the most headings among the first 20 rows are taken. Columns without a heading are left out, and so are rows
 * without anything in them. Take it with `await using`: whoever refuses it before its last row would else hold one of the two places
 * in which sheets are read.
 * @throws {Refusal} 400 here or while the rows are read: it can't be read, is too large, or a heading stands above two columns
 */
export async function readSheet(
  path: string,
  { maxRows = sheetLimits.maxRows, headings, choice, kept, onSource }: ReadOptions = {},
): Promise<OpenSheet> {
  let found: FoundHeadings | undefined;
  const batches = readRaw(path, (starts) => {
    found = findHeadings(starts, headings, choice, kept);
    onSource?.(found);
    if (found.doubled !== "") throw refusalOf("duplicate_header", { header: found.doubled });
    return found.sheet;
  });
  const first = await batches.next();
  if (found === undefined || first.done) {
    await batches.return(undefined);
    throw refusalOf("empty");
  }
  const { headerRow, columns } = found;
  const taken = columns.filter(({ name }) => name !== "");
  const rowOf = ({ rowNumber, texts, faults: wrong, hidden }: RawRow): SheetRow => {
    // Names are a sender's choice: on an ordinary object "constructor" would be there before anybody wrote it.
    const cells: Record<string, string> = Object.create(null);
    const faults: Record<string, CellFault> = Object.create(null);
    for (const { column, name } of taken) {
      const text = texts[column] ?? "";
      if (text === "") continue;
      cells[name] = unguarded(text);
      const fault = wrong?.[column];
      if (fault !== undefined) faults[name] = fault;
    }
    return { rowNumber, cells, faults, hidden: hidden ?? false };
  };
  async function* rows(): AsyncGenerator<SheetRow> {
    let count = 0;
    try {
      for (let batch = first.value as RawRow[]; ; ) {
        for (const row of batch) {
          if (row.rowNumber <= headerRow) continue;
          count += 1;
          if (count > maxRows) throw refusalOf("too_many_rows", { max: maxRows });
          yield rowOf(row);
        }
        const next = await batches.next();
        if (next.done) return;
        batch = next.value;
      }
    } finally {
      await batches.return(undefined);
    }
  }
  return { ...found, rows: rows(), [Symbol.asyncDispose]: async () => void (await batches.return(undefined)) };
}
