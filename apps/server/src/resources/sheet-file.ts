import type { BackgroundJobRun } from "../modules/background-jobs/index.ts";
import type { FileService } from "../modules/files/index.ts";
import { type SheetColumn, type SheetValue, writeCsv, writeSheet } from "../modules/sheets/index.ts";

type Format = "xlsx" | "csv";
type Words = Readonly<Record<"zh" | "en", string>>;
/** A column whose heading is in the language of who asks. */
export type WordedColumn = Omit<SheetColumn, "header"> & { readonly header: Words };

/** How long a file that the server made can be fetched, s. */
const lifetimeS = 86_400;
const contentTypes = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv; charset=utf-8",
} as const;

/** What a sheet is kept as. @param title its name without an ending */
export const sheetNamed = (title: string, format: Format = "xlsx") => ({
  originalName: `${title}.${format}`,
  extension: format,
  contentType: contentTypes[format],
  lifetimeS,
});

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
 * @param sheet its title is the name of the file and of its table
 * @returns the file's id and how many rows it has, as a background job tells them
 */
export const makeSheetFile = (
  files: Pick<FileService, "make" | "withDraft">,
  { signal, owner }: Pick<BackgroundJobRun, "signal" | "owner">,
  sheet: {
    readonly title: string;
    readonly format?: Format;
    readonly columns: readonly SheetColumn[];
    readonly rows: AsyncIterable<Record<string, SheetValue>>;
  },
): Promise<{ attachmentId: string; rows: string }> =>
  files.withDraft(async (path) => {
    const { title, format = "xlsx", columns, rows } = sheet;
    const written =
      format === "csv"
        ? await writeCsv(path, columns, rows, { signal })
        : await writeSheet(path, title, columns, rows, { signal });
    return { attachmentId: await files.make(owner, { path, ...sheetNamed(title, format) }), rows: String(written) };
  });
