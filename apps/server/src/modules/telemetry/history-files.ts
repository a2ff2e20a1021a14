/** Formats in which history is downloaded. Each makes its pieces from rows as they come; the memory does not grow with them. */
import type { HistoryFormat } from "@herdwise/contract";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { byteOrderMark, csvPieces, type SheetValue } from "../sheets/index.ts";

/** Types of columns; `json` takes any value, as keys that no kind declares have no type. */
export type HistoryColumnType = "text" | "time" | "number" | "boolean" | "json";

export interface HistoryColumn {
  /** Name in every format. */
  readonly name: string;
  /** Head in a CSV for people. */
  readonly header?: string;
  readonly type: HistoryColumnType;
  /** Whether each row has a value. */
  readonly required?: true;
}

/** Values in the order of the columns; times are ms since 1970, null is no value. */
export type HistoryCells = unknown[];

interface HistoryFile {
  readonly columns: readonly HistoryColumn[];
  readonly rows: AsyncIterable<HistoryCells>;
}

const pieceLength = 64 * 1024;
/** Cells of a row group: writing one takes the processor for some 20 ms. */
const groupCells = 50_000;
/** Most rows of a row group. */
const groupRows = 10_000;

const isoTime = (value: unknown): string => new Date(value as number).toISOString();

function csvCell(value: unknown, type: HistoryColumnType): SheetValue {
  if (value === null || value === undefined) return undefined;
  if (type === "time") return isoTime(value);
  return typeof value === "number" || typeof value === "string" ? value : JSON.stringify(value);
}

async function* csvOf({ columns, rows }: HistoryFile): AsyncGenerator<string> {
  async function* cells(): AsyncGenerator<SheetValue[]> {
    for await (const row of rows) yield columns.map(({ type }, at) => csvCell(row[at], type));
  }
  if (columns.some(({ header }) => header !== undefined)) yield byteOrderMark;
  yield* csvPieces(
    columns.map(({ name, header = name }) => header),
    cells(),
  );
}

async function* jsonLinesOf({ columns, rows }: HistoryFile): AsyncGenerator<string> {
  const names = columns.map(({ name }) => JSON.stringify(name));
  let piece = "";
  for await (const row of rows) {
    let line = "";
    for (const [at, { type }] of columns.entries()) {
      const value = row[at];
      if (value === null || value === undefined) continue;
      line += `${line === "" ? "{" : ","}${names[at]}:${JSON.stringify(type === "time" ? isoTime(value) : value)}`;
    }
    piece += `${line}}\n`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

/** Hands out what was written so far, and keeps nothing of it. */
class PieceWriter extends ByteWriter {
  take(): Buffer {
    const piece = Buffer.from(this.getBuffer());
    this.index = 0;
    return piece;
  }
}

const parquetTypes = {
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  time: { type: "INT64", converted_type: "TIMESTAMP_MILLIS" },
  number: { type: "DOUBLE" },
  boolean: { type: "BOOLEAN" },
  json: { type: "BYTE_ARRAY", converted_type: "JSON" },
} as const;

/** A text as UTF-8 can hold it. */
const inParquet = (value: unknown, type: HistoryColumnType): unknown => {
  if (value === null || value === undefined) return null;
  if (type === "time") return new Date(value as number);
  return type === "text" ? (value as string).toWellFormed() : value;
};

async function* parquetOf({ columns, rows }: HistoryFile): AsyncGenerator<Buffer> {
  const writer = new PieceWriter();
  const parquet = new ParquetWriter({
    writer,
    createdBy: "herdwise",
    schema: [
      { name: "history", num_children: columns.length },
      ...columns.map(({ name, type, required }) => ({
        name,
        ...parquetTypes[type],
        repetition_type: required ? ("REQUIRED" as const) : ("OPTIONAL" as const),
      })),
    ],
  });
  const rowsOfGroup = Math.max(1, Math.min(groupRows, Math.floor(groupCells / columns.length)));
  let group: unknown[][] = columns.map(() => []);
  let held = 0;
  const write = (): Buffer => {
    const columnData = columns.map(({ name }, at) => ({ name, data: group[at] ?? [], offsetIndex: false }));
    parquet.write({ columnData, rowGroupSize: held });
    group = columns.map(() => []);
    held = 0;
    return writer.take();
  };
  for await (const row of rows) {
    for (const [at, { type }] of columns.entries()) group[at]?.push(inParquet(row[at], type));
    held += 1;
    if (held === rowsOfGroup) yield write();
  }
  if (held > 0) yield write();
  parquet.finish();
  yield writer.take();
}

/** Pieces of a file, by its format. */
export const historyPieces: Readonly<Record<HistoryFormat, (file: HistoryFile) => AsyncGenerator<Buffer | string>>> = {
  csv: csvOf,
  ndjson: jsonLinesOf,
  parquet: parquetOf,
};
