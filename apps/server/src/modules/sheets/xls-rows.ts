import { type CellObject, read, type WorkSheet } from "@e965/xlsx";
import { cleanText, textOfNumber } from "./cell-text.ts";
import { type RawRow, SheetProblem, sheetLimits } from "./sheet-limits.ts";

function textOf(cell: CellObject, date1904: boolean): string {
  switch (cell.t) {
    case "n":
      return textOfNumber(cell.v as number, String(cell.z ?? "General"), date1904);
    case "b":
      return cell.v ? "TRUE" : "FALSE";
    case "s":
      return String(cell.v);
    case "e":
      return String(cell.w ?? "");
    default:
      return "";
  }
}

/**
 * Reads the first sheet of an xls, the binary form of Excel 97 to 2003. It is read as a whole: it can't have more than 65,536
 * rows of 256 columns.
 * @throws {SheetProblem}
 */
export async function readXls(bytes: Buffer, take: (rows: RawRow[]) => Promise<boolean>): Promise<void> {
  let sheet: (WorkSheet & { "!data"?: (CellObject | undefined)[][] }) | undefined;
  let date1904 = false;
  try {
    const book = read(bytes, {
      type: "buffer",
      dense: true,
      sheets: 0,
      cellFormula: false,
      cellHTML: false,
      cellText: true,
      cellNF: true,
      cellStyles: false,
    });
    sheet = book.Sheets[book.SheetNames[0] ?? ""];
    date1904 = book.Workbook?.WBProps?.date1904 === true;
  } catch (error) {
    throw new SheetProblem(/password|encrypt/i.test(String(error)) ? "encrypted" : "unreadable");
  }
  const lines = sheet?.["!data"];
  if (lines === undefined) throw new SheetProblem("unreadable");
  let rows: RawRow[] = [];
  for (let line = 0; line < lines.length; line += 1) {
    const texts: string[] = [];
    (lines[line] ?? []).forEach((cell, column) => {
      const text =
        cell === undefined ? "" : cleanText(textOf(cell, date1904)).slice(0, sheetLimits.maxCellLength).toWellFormed();
      if (text === "") return;
      if (column >= sheetLimits.maxColumns) throw new SheetProblem("too_many_columns");
      while (texts.length < column) texts.push("");
      texts[column] = text;
    });
    if (texts.length > 0) rows.push({ rowNumber: line + 1, texts });
    if (rows.length >= sheetLimits.batchRows) {
      const batch = rows;
      rows = [];
      if (!(await take(batch))) return;
    }
  }
  if (rows.length > 0) await take(rows);
}
