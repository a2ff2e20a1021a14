import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSheet, writeSheet } from "../../apps/server/src/modules/sheets/index.ts";

const inFolder = async <T>(work: (path: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), "herdwise-wire-"));
  try {
    return await work(join(folder, "rows.xlsx"));
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** An xlsx with these rows, of which the first has the headings. */
export const sheetOf = ([headings = [], ...rows]: readonly (readonly string[])[]): Promise<Buffer> =>
  inFolder(async (path) => {
    async function* cells() {
      for (const row of rows) yield Object.fromEntries(row.map((text, at) => [String(at), text]));
    }
    await writeSheet(
      path,
      "rows",
      headings.map((header, at) => ({ key: String(at), header })),
      cells(),
    );
    return readFile(path);
  });

/** The headings of an xlsx. */
export const headingsOf = (content: Buffer): Promise<string[]> =>
  inFolder(async (path) => {
    await writeFile(path, content);
    await using sheet = await readSheet(path);
    return sheet.columns.map(({ header }) => header);
  });
