import { parse } from "node:path";
import type { BackgroundJobRun } from "../modules/background-jobs/index.ts";
import type { FileService } from "../modules/files/index.ts";
import { type SheetColumn, type SheetValue, writeCsv, writeSheet } from "../modules/sheets/index.ts";

type Format = keyof typeof contentTypes;
/** What a file is called, which says its form. */
type SheetName = `${string}.${Format}`;
type Words = Readonly<Record<"zh" | "en", string>>;
/** A column whose heading is in the language of who asks. */
export type WordedColumn = Omit<SheetColumn, "header"> & { readonly header: Words };

/** How long a file that the server made can be fetched, s. */
const lifetimeS = 86_400;
const contentTypes = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv; charset=utf-8",
} as const;

/** What a sheet is kept as. */
export function sheetNamed(originalName: SheetName) {
  const extension = parse(originalName).ext.slice(1) as Format;
  return { originalName, extension, contentType: contentTypes[extension], lifetimeS };
}

export const columnsIn = (language: keyof Words, columns: readonly WordedColumn[]): SheetColumn[] =>
  columns.map(({ header, ...column }) => ({ ...column, header: header[language] }));

/**
 * Reads a list part by part, until a part is not full, and tells how far it is.
 * @param partAfter at most `atOnce` rows after the last one of the part before
 * @param total how many rows were counted; there may be more by now
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
 * Writes rows into a file of who asked for it.
 * @param sheet its only table is called as the file
 * @returns the file's id and how many rows it has, as a background job tells them
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
