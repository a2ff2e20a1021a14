import { type CellObject, read, set_cptable, type WorkBook, type WorkSheet } from "@e965/xlsx";
import * as codePages from "@e965/xlsx/dist/cpexcel.full.mjs";
import { textOfNumber } from "./cell-text.ts";
import { createBatches, createRowBuilder } from "./raw-rows.ts";
import { type CellFault, type RawBook, SheetProblem, sheetLimits } from "./sheet-limits.ts";

// Texts of Excel 95 and earlier are in the code page of the machine that wrote them.
set_cptable(codePages);

type Lines = (CellObject | undefined)[][];

function contentOf(cell: CellObject, date1904: boolean): [text: string, fault?: CellFault] {
  // A formula without its result.
  if (cell.f !== undefined && cell.v === undefined && cell.t !== "s") return [`=${cell.f}`, "formula"];
  switch (cell.t) {
    case "n": {
      const number = cell.v as number;
      const text = textOfNumber(number, String(cell.z ?? "General"), date1904);
      return Math.abs(number) >= sheetLimits.exactBelow ? [text, "digits"] : [text];
    }
    case "b":
      return [cell.v ? "TRUE" : "FALSE"];
    case "s":
      return [String(cell.v)];
    case "e":
      return [String(cell.w ?? "#N/A"), "error"];
    default:
      return [""];
  }
}

/**
 * Opens what the library reads as a whole: xls, xlsb, ods, XML 2003 and HTML.
 * @param source bytes, or text that has been decoded
 * @throws {SheetProblem}
 */
export function openWithLibrary(source: Buffer | string): RawBook {
  let book: WorkBook;
  try {
    book = read(source, {
      type: typeof source === "string" ? "string" : "buffer",
      dense: true,
      cellFormula: true,
      cellHTML: false,
      cellText: true,
      cellNF: true,
      // Hidden rows come with the styles.
      cellStyles: true,
      // Texts of HTML stay as they are, zeros at their front with them.
      raw: true,
    });
  } catch (error) {
    throw new SheetProblem(/password|encrypt/i.test(String(error)) ? "encrypted" : "unreadable");
  }
  const date1904 = book.Workbook?.WBProps?.date1904 === true;
  const sheets = book.SheetNames.slice(0, sheetLimits.maxSheets).flatMap((name, at) => {
    const sheet = book.Sheets[name] as (WorkSheet & { "!data"?: Lines; "!type"?: string }) | undefined;
    const lines = sheet?.["!data"];
    if (sheet === undefined || lines === undefined || (sheet["!type"] ?? "sheet") !== "sheet") return [];
    return [{ name, hidden: (book.Workbook?.Sheets?.[at]?.Hidden ?? 0) !== 0, sheet, lines }];
  });
  return {
    sheets,
    async read(which, batchRows, take) {
      const chosen = sheets[which];
      if (chosen === undefined) throw new SheetProblem("no_sheet");
      const { sheet, lines } = chosen;
      const rows = createRowBuilder(
        (sheet["!merges"] ?? []).map(({ s, e }) => ({ top: s.r + 1, bottom: e.r + 1, left: s.c, right: e.c })),
      );
      const batches = createBatches(batchRows, take);
      for (let line = 0; line < lines.length; line += 1) {
        (lines[line] ?? []).forEach((cell, column) => {
          if (cell) rows.cell(column, ...contentOf(cell, date1904));
        });
        batches.add(rows.row(line + 1, sheet["!rows"]?.[line]?.hidden === true));
        if (!(await batches.pass())) return;
      }
      await batches.end();
    },
  };
}
