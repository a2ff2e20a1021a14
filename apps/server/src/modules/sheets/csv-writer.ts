import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { guarded, type SheetColumn, type SheetValue } from "./sheet-writer.ts";

/** Pieces of about this many characters go to the disk at a time. */
const pieceLength = 64 * 1024;

/** A field as RFC 4180 writes it. A text that a program could take for a formula begins with an apostrophe; a number is one. */
function fieldOf(value: SheetValue): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = guarded(value.toWellFormed());
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const lineOf = (columns: readonly Pick<SheetColumn, "key">[], row: Readonly<Record<string, SheetValue>>): string =>
  `${columns.map(({ key }) => fieldOf(row[key])).join(",")}\r\n`;
const headOf = (columns: readonly Pick<SheetColumn, "header">[]): string =>
  `\ufeff${columns.map(({ header }) => fieldOf(header)).join(",")}\r\n`;

/** The same as a text, for files of some ten thousand rows that are sent at once. */
export const csvText = (
  columns: readonly Pick<SheetColumn, "key" | "header">[],
  rows: readonly Readonly<Record<string, SheetValue>>[],
): string => headOf(columns) + rows.map((row) => lineOf(columns, row)).join("");

/**
 * Writes a CSV (UTF-8 with a byte order mark, as Excel wants it; RFC 4180) from rows as they come; the memory does not grow with
 * them.
 * @param signal ends the writing; what is on disk then is not whole
 * @returns how many rows were written
 */
export async function writeCsv(
  path: string,
  columns: readonly Pick<SheetColumn, "key" | "header">[],
  rows: AsyncIterable<Readonly<Record<string, SheetValue>>>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<number> {
  let written = 0;
  async function* pieces(): AsyncGenerator<string> {
    let piece = headOf(columns);
    for await (const row of rows) {
      signal?.throwIfAborted();
      piece += lineOf(columns, row);
      written += 1;
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = "";
    }
    yield piece;
  }
  await pipeline(Readable.from(pieces(), { objectMode: false }), createWriteStream(path, { mode: 0o600 }));
  return written;
}
