import { cleanText } from "./cell-text.ts";
import { type CellFault, type RawRow, SheetProblem, sheetLimits } from "./sheet-limits.ts";

/** A rectangle of cells that a sheet shows as one; columns from 0, rows from 1. */
export interface MergedRegion {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** What a sheet shows where a formula has no result, also in texts that were made of it. */
const errorText = /^#(DIV\/0!|N\/A|NAME\?|NULL!|NUM!|REF!|VALUE!|SPILL!|CALC!)$/;
/** A long number as a sheet shows it in a narrow column, `1.23457E+18`: in a text that was made of the sheet its digits are gone. */
const shortenedNumber = /^-?\d(\.\d+)?E[+]\d{2,}$/;

const faultOfText = (text: string): CellFault | undefined =>
  errorText.test(text) ? "error" : shortenedNumber.test(text) ? "digits" : undefined;

interface Filled {
  text: string;
  fault: CellFault | undefined;
}

/** Puts together the rows of a sheet from its cells: within the limits, and with the value of a merged region in each of its cells. */
export function createRowBuilder(regions: readonly MergedRegion[]) {
  const waiting = regions.toSorted((a, b) => a.top - b.top);
  let nextRegion = 0;
  let open: { region: MergedRegion; value: Filled | undefined }[] = [];
  let texts: string[] = [];
  let faults: Record<number, CellFault> | undefined;

  const put = (column: number, text: string, fault: CellFault | undefined): void => {
    while (texts.length < column) texts.push("");
    texts[column] = text;
    if (fault !== undefined) {
      faults ??= {};
      faults[column] = fault;
    }
  };

  const fillMerged = (rowNumber: number): void => {
    if (open.length > 0) open = open.filter(({ region }) => region.bottom >= rowNumber);
    for (; nextRegion < waiting.length; nextRegion += 1) {
      const region = waiting[nextRegion] as MergedRegion;
      if (region.top > rowNumber) break;
      if (region.bottom < rowNumber) continue;
      const text = region.top === rowNumber ? (texts[region.left] ?? "") : "";
      open.push({ region, value: text === "" ? undefined : { text, fault: faults?.[region.left] } });
    }
    for (const { region, value } of open) {
      if (value === undefined) continue;
      for (let column = region.left; column <= region.right && column < sheetLimits.maxColumns; column += 1)
        if ((texts[column] ?? "") === "") put(column, value.text, value.fault);
    }
  };

  return {
    /**
     * Adds a cell of the current row.
     * @throws {SheetProblem} when it has something in it and is beyond the columns that a sheet may have
     */
    cell(column: number, content: string, fault?: CellFault): void {
      const whole = cleanText(content);
      const text = whole.slice(0, sheetLimits.maxCellLength).toWellFormed();
      if (text === "") return;
      if (column < 0 || column >= sheetLimits.maxColumns) throw new SheetProblem("too_many_columns");
      put(column, text, fault ?? (whole.length > text.length ? "cut" : faultOfText(text)));
    },

    /** Ends the current row. @returns undefined for one without anything in it */
    row(rowNumber: number, hidden: boolean): RawRow | undefined {
      if (texts.length === 0) return undefined;
      fillMerged(rowNumber);
      const row: RawRow = { rowNumber, texts, ...(faults && { faults }), ...(hidden && { hidden }) };
      texts = [];
      faults = undefined;
      return row;
    },
  };
}

/** Hands rows over in batches. */
export function createBatches(batchRows: number, take: (rows: RawRow[]) => Promise<boolean>) {
  let rows: RawRow[] = [];
  return {
    add: (row: RawRow | undefined): void => void (row && rows.push(row)),
    /** Hands a full batch over. @returns false when no more are wanted */
    async pass(): Promise<boolean> {
      if (rows.length < batchRows) return true;
      const batch = rows;
      rows = [];
      return take(batch);
    },
    async end(): Promise<void> {
      if (rows.length > 0) await take(rows);
    },
  };
}
