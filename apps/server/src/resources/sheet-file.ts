import { parse } from "node:path";
import type { BackgroundJobRun } from "../modules/background-jobs/index.ts";
import type { FileService } from "../modules/files/index.ts";
import { type SheetColumn, type SheetValue, writeCsv, writeSheet } from "../modules/sheets/index.ts";

type Format = keyof typeof contentTypes;
/** Name of a file; its extension is the format. */
type SheetName = `${string}.${Format}`;
type Words = Readonly<Record<"zh" | "en", string>>;
/** A column whose heading is in the language of the person who requested it. */
export type WordedColumn = Omit<SheetColumn, "header"> & { readonly header: Words };

/** Seconds for which a file that the server made can be fetched. */
const lifetimeS = 86_400;
const contentTypes = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv; charset=utf-8",
} as const;

/** Metadata under which a sheet is stored. */
export function sheetNamed(originalName: SheetName) {
  const extension = parse(originalName).ext.slice(1) as Format;
  return { originalName, extension, contentType: contentTypes[extension], lifetimeS };
}

/** Columns with their headings in a language. */
export const columnsIn = (language: keyof Words, columns: readonly WordedColumn[]): SheetColumn[] =>
  columns.map(({ header, ...column }) => ({ ...column, header: header[language] }));

/**
 * Reads a list in parts until a part is not full, and reports progress.
 * @param partAfter returns at most `atOnce` rows after the given last row
 * @param total number of rows when they were counted; there may be more by now
 */
export async function* rowsByParts<Row>(
  { signal, progress }: Pick<BackgroundJobRun, "signal" | "progress">,
  total: number,
  atOnce: number,
  partAfter: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  let done = 0;
  let last: Row | undefined;
  do {
    signal.throwIfAborted();
    const part = await partAfter(last);
    yield* part;
    done += part.length;
    await progress(done, Math.max(total, done));
    last = part.length < atOnce ? undefined : part.at(-1);
  } while (last !== undefined);
}

/**
 * Writes rows to a file of the person who requested it.
 * @param sheet its only worksheet has the name of the file
 * @returns the file's id and its number of rows, as the result of a background job
 */
export const makeSheetFile = (
  files: Pick<FileService, "make" | "withDraft">,
  { signal, owner }: Pick<BackgroundJobRun, "signal" | "owner">,
  sheet: {
    readonly name: SheetName;
    readonly columns: readonly SheetColumn[];
    readonly rows: AsyncIterable<Record<string, SheetValue>>;
  },
): Promise<{ attachmentId: string; rows: string }> =>
  files.withDraft(async (path) => {
    const { name, columns, rows } = sheet;
    const kept = sheetNamed(name);
    const written =
      kept.extension === "csv"
        ? await writeCsv(path, columns, rows, { signal })
        : await writeSheet(path, parse(name).name, columns, rows, { signal });
    return { attachmentId: await files.make(owner, { path, ...kept }), rows: String(written) };
  });
