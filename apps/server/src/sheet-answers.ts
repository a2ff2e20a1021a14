import { readFile } from "node:fs/promises";
import { refuse } from "./http/errors.ts";
import type { SentFile } from "./http/sent-file.ts";
import type { FileService } from "./modules/files/index.ts";
import {
  type Heading,
  readSheet,
  type SheetColumn,
  type SheetRow,
  type SheetValue,
  writeSheet,
} from "./modules/sheets/index.ts";

/** As clients of the family expect it of a sheet (wire.md 3.1). */
const contentType = "application/vnd.ms-excel;charset=UTF-8";

/** Writes a sheet that answers a call at once; for lists of some thousand rows. */
export const sheetAnswer = (
  files: Pick<FileService, "withDraft">,
  sheet: {
    /** Of the file, without its extension. */
    readonly name: string;
    readonly title: string;
    readonly columns: readonly SheetColumn[];
    readonly rows: readonly Readonly<Record<string, SheetValue>>[];
  },
): Promise<SentFile> =>
  files.withDraft(async (path) => {
    async function* rows() {
      yield* sheet.rows;
    }
    await writeSheet(path, sheet.title, sheet.columns, rows());
    return { name: `${sheet.name}.xlsx`, contentType, content: await readFile(path) };
  });

/** Columns of a sheet that both are written and read. */
export const headingsOf = (columns: readonly SheetColumn[], key: string): Heading[] =>
  columns.map(({ key: name, header }) => ({ name, words: [header], key: name === key }));

const maxBytes = 20 * 1024 * 1024;

/**
 * Reads the rows of a sheet that is sent.
 * @throws Refusal 400 for what is no sheet, has a formula without a value or too many rows
 */
export const sentRows = (
  files: Pick<FileService, "withReceived">,
  file: Parameters<FileService["withReceived"]>[0],
  { headings, maxRows }: { readonly headings: readonly Heading[]; readonly maxRows: number },
): Promise<SheetRow[]> =>
  files.withReceived(file, maxBytes, async (path) => {
    if (!/\.(xlsx?|xlsm|xlsb|et|ods|csv)$/i.test(file.name)) throw refuse("upload.sheet_wanted");
    await using sheet = await readSheet(path, { headings, maxRows });
    const rows: SheetRow[] = [];
    for await (const row of sheet.rows) {
      if (Object.keys(row.faults).length > 0) throw refuse("upload.sheet_wanted");
      if (Object.keys(row.cells).length > 0) rows.push(row);
    }
    return rows;
  });
