import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { guarded, type SheetColumn, type SheetValue } from "./sheet-writer.ts";

/** Pieces of about this many characters go to the disk at a time. */
const pieceLength = 64 * 1024;

/** With which Excel takes a CSV for UTF-8. */
export const byteOrderMark = "\ufeff";

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
  `${byteOrderMark}${columns.map(({ header }) => fieldOf(header)).join(",")}\r\n`;

/** The same as a text, for files of some ten thousand rows that are sent at once. */
export const csvText = (
  columns: readonly Pick<SheetColumn, "key" | "header">[],
  rows: readonly Readonly<Record<string, SheetValue>>[],
): string => headOf(columns) + rows.map((row) => lineOf(columns, row)).join("");

/**
 * Pieces of a CSV (RFC 4180) from rows as they come. Without a byte order mark, which programs take for a part of
 * the first head.
 * @param heads of the columns
 * @param rows their cells in the order of the heads
 */
export async function* csvPieces(
  heads: readonly string[],
  rows: AsyncIterable<readonly SheetValue[]>,
): AsyncGenerator<string> {
  let piece = `${heads.map(fieldOf).join(",")}\r\n`;
  for await (const row of rows) {
    piece += `${row.map(fieldOf).join(",")}\r\n`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

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
  async function* cells(): AsyncGenerator<SheetValue[]> {
    for await (const row of rows) {
      signal?.throwIfAborted();
      written += 1;
      yield columns.map(({ key }) => row[key]);
    }
  }
  async function* pieces(): AsyncGenerator<string> {
    yield byteOrderMark;
    yield* csvPieces(
      columns.map(({ header }) => header),
      cells(),
    );
  }
  await pipeline(Readable.from(pieces(), { objectMode: false }), createWriteStream(path, { mode: 0o600 }));
  return written;
}
