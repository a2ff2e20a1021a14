import { formulaStart } from "@herdwise/contract/formula-start";

/** What a sheet may cost before it is refused. */
export const sheetLimits = {
  /** Rows with something in them, below the header. */
  maxRows: 50_000,
  maxColumns: 200,
  /** Characters of a cell; Excel's own limit. */
  maxCellLength: 32_767,
  /** Files inside an xlsx. */
  maxEntries: 2000,
  /** Bytes of an xlsx when unpacked. 50,000 rows of 20 columns have 70 MB. */
  maxUnpackedBytes: 200 * 1024 * 1024,
  /** Bytes of an xlsb or ods when unpacked; the library holds it as a whole. */
  maxLibraryBytes: 100 * 1024 * 1024,
  /** Cells of HTML and XML 2003: 50,000 rows of 20. */
  maxMarkupCells: 1_000_000,
  /** How often smaller a large file inside an xlsx may be than its content. Real ones are 5 to 60 times smaller. */
  maxRatio: 200,
  /** Below this many bytes the ratio does not matter. */
  ratioFromBytes: 16 * 1024 * 1024,
  /** Sheets of a file that are looked at. */
  maxSheets: 30,
  /** Rows at the beginning of a sheet in which headings are looked for, and characters of a cell that they may have. */
  headingRows: 20,
  headingLength: 200,
  /** The largest number of a sheet that keeps all its digits, 15 of them. */
  exactBelow: 1e15,
  /** Rows that the reading process hands over at a time; taking them in holds others up. */
  batchRows: 100,
  /** Computing time, without what the caller takes for the rows, ms. */
  timeMs: 20_000,
  /** Heap of the process that reads, MB. */
  memoryMb: 256,
} as const;

/** Whether a text needs a guard. Apostrophes before a formula count with it, so that a text that begins with one comes back with it. */
export const startsLikeFormula = (text: string): boolean => formulaStart.test(text.replace(/^'+/, ""));

/**
 * Why a file can't be read as a sheet; the reason of the refusal follows from it. `pdf`, `picture`, `word` and `archive` name what it
 * is instead, `quotes` a text whose quotation marks don't close, `no_sheet` a workbook without a sheet of cells.
 */
const sheetFaults = [
  "unreadable",
  "pdf",
  "picture",
  "word",
  "archive",
  "quotes",
  "no_sheet",
  "encrypted",
  "too_large",
  "too_many_rows",
  "too_many_columns",
  "too_slow",
  "empty",
  "duplicate_header",
] as const;
export type SheetFault = (typeof sheetFaults)[number];

/** Thrown inside the reading process; its name crosses to the server in a message. */
export class SheetProblem extends Error {
  readonly fault: SheetFault;
  constructor(fault: SheetFault) {
    super(fault);
    this.name = "SheetProblem";
    this.fault = fault;
  }
}

/**
 * Why what a cell shows is not what was written into it: a formula without a kept result, the error of a formula, a number of more
 * digits than a sheet keeps, a text that is longer than a cell.
 */
export type CellFault = "formula" | "error" | "digits" | "cut";

/** A row of a sheet as it stands: texts by column, "" where there is nothing. */
export interface RawRow {
  /** As the sheet numbers it, from 1. */
  readonly rowNumber: number;
  readonly texts: readonly string[];
  /** Columns whose text is not their content. */
  readonly faults?: Readonly<Record<number, CellFault>>;
  /** Whether the sheet does not show the row. */
  readonly hidden?: true;
}

/** A sheet of a file with its first rows, by which the server chooses where the headings are. */
export interface SheetStart {
  readonly name: string;
  readonly hidden: boolean;
  readonly rows: readonly RawRow[];
}

/** A file that the reading process has opened. */
export interface RawBook {
  readonly sheets: readonly Pick<SheetStart, "name" | "hidden">[];
  /**
   * Reads the rows of a sheet in order, those without anything in them left out.
   * @param batchRows rows that `take` gets at a time
   * @param take answers false when no more are wanted
   */
  read(sheet: number, batchRows: number, take: (rows: RawRow[]) => Promise<boolean>): Promise<void>;
}
