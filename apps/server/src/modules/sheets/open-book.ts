import { decodeText, formOf, isMarkup } from "./sheet-form.ts";
import { type RawBook, type RawRow, SheetProblem, type SheetStart, sheetLimits } from "./sheet-limits.ts";

/** Streams of a Word file begin with these names in the directory of a compound file. */
const wordStream = Buffer.from("WordDocument", "utf16le");

const rowTag = /<(?:\w+:)?(?:tr|row|table-row)\b/gi;
const cellTag = /<(?:\w+:)?(?:td|th|cell|table-cell)\b/gi;
const countOf = (text: string, tag: RegExp, most: number): number => {
  let count = 0;
  for (const _ of text.matchAll(tag)) {
    count += 1;
    if (count > most) break;
  }
  return count;
};

/** The library makes objects of all that a markup holds, before a row of it can be counted. @throws {SheetProblem} */
function requireFew(markup: string): void {
  const mostRows = sheetLimits.maxRows + sheetLimits.headingRows;
  if (countOf(markup, rowTag, mostRows) > mostRows) throw new SheetProblem("too_many_rows");
  if (countOf(markup, cellTag, sheetLimits.maxMarkupCells) > sheetLimits.maxMarkupCells)
    throw new SheetProblem("too_large");
}

/**
 * Opens a file of cells by its content. Readers are loaded when they are needed: most files are xlsx, and need none of the others.
 * @throws {SheetProblem}
 */
export async function openBook(bytes: Buffer): Promise<RawBook> {
  const form = formOf(bytes);
  if (form === "compound") {
    if (bytes.includes(wordStream)) throw new SheetProblem("word");
    return (await import("./library-book.ts")).openWithLibrary(bytes);
  }
  if (form === "text") {
    const text = decodeText(bytes);
    if (!isMarkup(text)) return (await import("./text-book.ts")).openText(text);
    requireFew(text);
    return (await import("./library-book.ts")).openWithLibrary(text);
  }
  const { openArchive, openXlsx } = await import("./xlsx-book.ts");
  const archive = await openArchive(bytes);
  const has = (name: string) => archive.entries.has(name);
  if (has("xl/workbook.bin") || has("content.xml"))
    return (await import("./archive-book.ts")).openLibraryArchive(archive);
  if (has("word/document.xml")) throw new SheetProblem("word");
  if (![...archive.entries.keys()].some((name) => /(^|\/)workbook[^/]*\.xml$/i.test(name)) && !has("_rels/.rels"))
    throw new SheetProblem("archive");
  return openXlsx(archive);
}

/** The first rows of each sheet of a file; headings are short. */
export async function startsOf(book: RawBook): Promise<SheetStart[]> {
  if (book.sheets.length === 0) throw new SheetProblem("no_sheet");
  const starts: SheetStart[] = [];
  for (const [at, sheet] of book.sheets.entries()) starts.push(await startOf(book, at, sheet));
  return starts;
}

async function startOf(book: RawBook, at: number, { name, hidden }: RawBook["sheets"][number]): Promise<SheetStart> {
  let rows: RawRow[] = [];
  await book.read(at, sheetLimits.headingRows, async (first) => {
    rows = first.slice(0, sheetLimits.headingRows);
    return false;
  });
  const short = (text: string): string => text.slice(0, sheetLimits.headingLength).toWellFormed();
  return { name: short(name), hidden, rows: rows.map((row) => ({ ...row, texts: row.texts.map(short) })) };
}
