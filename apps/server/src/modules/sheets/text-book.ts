import Papa from "papaparse";
import { createBatches, createRowBuilder } from "./raw-rows.ts";
import { type RawBook, SheetProblem, sheetLimits } from "./sheet-limits.ts";

/** Signs between the cells of a text, the most usual first. */
const delimiters = [",", "\t", ";", "|"];

/** The sign that parts the most cells in the first lines; each line of a sheet has about as many. */
function delimiterOf(text: string): string {
  const said = /^sep=(.)\r?\n/i.exec(text)?.[1];
  if (said !== undefined) return said;
  let best = { delimiter: ",", cells: 0 };
  for (const delimiter of delimiters) {
    const { data } = Papa.parse<string[]>(text, { delimiter, preview: sheetLimits.headingRows });
    const counts = data.map((row) => row.length).filter((length) => length > 1);
    // A sign that stands in one line alone, as a comma in a title, parts no columns.
    const cells = counts.length > 1 || data.length === 1 ? Math.max(0, ...counts) : 0;
    if (cells > best.cells) best = { delimiter, cells };
  }
  return best.delimiter;
}

/**
 * Opens a text of cells: commas, tabs, semicolons or bars between them, RFC 4180's quotation marks around them.
 * @throws {SheetProblem} `quotes` when a quotation mark is not closed
 */
export function openText(text: string): RawBook {
  const delimiter = delimiterOf(text);
  const skipped = /^sep=.\r?\n/i.exec(text)?.[0] ?? "";
  const lines: string[][] = [];
  let problem: SheetProblem | undefined;
  Papa.parse<string[]>(text.slice(skipped.length), {
    delimiter,
    step: ({ data, errors }, parser) => {
      if (errors.some(({ type }) => type === "Quotes")) problem = new SheetProblem("quotes");
      else if (data.findLastIndex((cell) => cell !== "") >= sheetLimits.maxColumns)
        problem = new SheetProblem("too_many_columns");
      else if (lines.length > sheetLimits.maxRows + sheetLimits.headingRows * 50)
        problem = new SheetProblem("too_many_rows");
      if (problem === undefined) lines.push(data);
      else parser.abort();
    },
  });
  if (problem) throw problem;
  return {
    sheets: [{ name: "", hidden: false }],
    async read(_sheet, batchRows, take) {
      const rows = createRowBuilder([]);
      const batches = createBatches(batchRows, take);
      for (const [at, cells] of lines.entries()) {
        cells.forEach((cell, column) => {
          rows.cell(column, cell);
        });
        batches.add(rows.row(at + 1 + (skipped === "" ? 0 : 1), false));
        if (!(await batches.pass())) return;
      }
      await batches.end();
    },
  };
}
