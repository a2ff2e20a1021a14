import { formulaStart } from "@herdwise/contract/formula-start";

/** A cell of a table in words or figures; undefined is an empty one. */
export type CsvCell = string | number | undefined;

function written(cell: CsvCell): string {
  if (cell === undefined) return "";
  if (typeof cell === "number") return String(cell);
  const text = formulaStart.test(cell) ? `'${cell}` : cell;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as a file that spreadsheet programs open in any language (RFC 4180, UTF-8 with its mark). */
export const csvOf = (rows: readonly (readonly CsvCell[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(written).join(",")).join("\r\n")}\r\n`;

/** Hands what a blob holds to the person as a file. */
export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name.replaceAll(/[\\/:*?"<>|]/g, " ").trim();
  link.click();
  // The download has begun by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Hands a text to the person as a file. */
export const saveText = (name: string, text: string, type: string): void =>
  saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }));

/** Hands a table that is on the page to the person as a file. @param name without its ending */
export const downloadCsv = (name: string, rows: readonly (readonly CsvCell[])[]): void =>
  saveText(`${name}.csv`, csvOf(rows), "text/csv");
