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
  /** How often smaller a large file inside an xlsx may be than its content. Real ones are 5 to 60 times smaller. */
  maxRatio: 200,
  /** Below this many bytes the ratio does not matter. */
  ratioFromBytes: 16 * 1024 * 1024,
  /** Rows that the reading process hands over at a time; taking them in holds others up. */
  batchRows: 100,
  /** Computing time, without what the caller takes for the rows, ms. */
  timeMs: 20_000,
  /** Heap of the process that reads, MB. */
  memoryMb: 256,
} as const;

/** Whether a text needs a guard. Apostrophes before a formula count with it, so that a text that begins with one comes back with it. */
export const startsLikeFormula = (text: string): boolean => formulaStart.test(text.replace(/^'+/, ""));

/** Why a sheet can't be read; the reason of the refusal follows from it. */
const sheetFaults = [
  "unreadable",
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

/** A row of a sheet as it stands: texts by column, "" where there is nothing. */
export interface RawRow {
  /** As the sheet numbers it, from 1. */
  readonly rowNumber: number;
  readonly texts: readonly string[];
}
