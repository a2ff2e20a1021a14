import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { SSF } from "@e965/xlsx";
import { SaxesParser, type SaxesTagPlain } from "saxes";
import { type Entry, fromBuffer, type ZipFile } from "yauzl";
import { cleanText, textOfNumber } from "./cell-text.ts";
import { type RawRow, SheetProblem, sheetLimits } from "./sheet-limits.ts";

/** Names without their prefix: programs choose prefixes as they like. */
const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

const attribute = (tag: SaxesTagPlain, name: string): string | undefined => {
  for (const [key, value] of Object.entries(tag.attributes)) if (localName(key) === name) return value;
  return undefined;
};

/** Opens the archive and looks at what it says of itself, before anything is unpacked. */
async function openArchive(bytes: Buffer): Promise<{ zip: ZipFile; entries: ReadonlyMap<string, Entry> }> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    // Sizes that do not keep to what was said end the reading of an entry.
    fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true, strictFileNames: false }, (error, opened) =>
      opened ? resolve(opened) : reject(error),
    );
  });
  const entries = new Map<string, Entry>();
  let unpacked = 0;
  await new Promise<void>((resolve, reject) => {
    zip.on("entry", (entry: Entry) => {
      unpacked += entry.uncompressedSize;
      const bomb =
        entry.uncompressedSize > sheetLimits.ratioFromBytes &&
        entry.uncompressedSize > entry.compressedSize * sheetLimits.maxRatio;
      if (bomb || unpacked > sheetLimits.maxUnpackedBytes || entries.size >= sheetLimits.maxEntries) {
        reject(new SheetProblem("too_large"));
        return;
      }
      if (entry.isEncrypted()) {
        reject(new SheetProblem("encrypted"));
        return;
      }
      entries.set(entry.fileName.replaceAll("\\", "/").replace(/^\//, ""), entry);
      zip.readEntry();
    });
    zip.on("end", resolve);
    zip.on("error", reject);
    zip.readEntry();
  });
  return { zip, entries };
}

const streamOf = (zip: ZipFile, entry: Entry): Promise<Readable> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (stream ? resolve(stream) : reject(error)));
  });

interface Handlers {
  open?(name: string, tag: SaxesTagPlain): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Parses a part of the document as it is unpacked. `pause` is asked after each piece. */
async function parse(
  zip: ZipFile,
  entry: Entry,
  { open, close, text }: Handlers,
  pause?: () => Promise<boolean>,
): Promise<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const failed: Error[] = [];
  // Entities that the document declares itself are unknown to the parser, which reads nothing else than it is given.
  parser.on("error", (error) => void failed.push(error));
  parser.on("doctype", () => void failed.push(new SheetProblem("unreadable")));
  parser.on("opentag", (tag) => open?.(localName(tag.name), tag));
  parser.on("closetag", (tag) => close?.(localName(tag.name)));
  if (text) {
    parser.on("text", text);
    parser.on("cdata", text);
  }
  const decoder = new StringDecoder("utf8");
  const stream = await streamOf(zip, entry);
  for await (const chunk of stream) {
    parser.write(decoder.write(chunk as Buffer));
    if (failed.length > 0) throw new SheetProblem("unreadable");
    if (pause && !(await pause())) {
      stream.destroy();
      return;
    }
  }
  parser.write(decoder.end()).close();
  if (failed.length > 0) throw new SheetProblem("unreadable");
}

interface Book {
  readonly sheetPath: string;
  readonly date1904: boolean;
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

/** Where a relation of a part leads. */
function targetOf(base: string, target: string): string {
  if (target.startsWith("/")) return target.slice(1);
  const parts: string[] = [];
  for (const part of `${parentOf(base)}${target}`.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** Finds the first sheet of the book. */
async function readBook(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<Book> {
  const relationsOf = async (path: string) => {
    const found = new Map<string, { type: string; target: string }>();
    const entry = entries.get(path);
    if (entry === undefined) return found;
    await parse(zip, entry, {
      open: (name, tag) => {
        if (name !== "Relationship") return;
        found.set(attribute(tag, "Id") ?? "", {
          type: attribute(tag, "Type") ?? "",
          target: attribute(tag, "Target") ?? "",
        });
      },
    });
    return found;
  };
  const root = [...(await relationsOf("_rels/.rels")).values()].find(({ type }) => type.endsWith("/officeDocument"));
  const bookPath = root === undefined ? "xl/workbook.xml" : targetOf("", root.target);
  const book = entries.get(bookPath);
  if (book === undefined) throw new SheetProblem("unreadable");
  let first: string | undefined;
  let date1904 = false;
  await parse(zip, book, {
    open: (name, tag) => {
      if (name === "workbookPr") date1904 = ["1", "true"].includes(attribute(tag, "date1904") ?? "");
      if (name === "sheet") {
        for (const [key, value] of Object.entries(tag.attributes)) if (/:id$/.test(key)) first ??= value;
      }
    },
  });
  const name = bookPath.slice(parentOf(bookPath).length);
  const relations = await relationsOf(`${parentOf(bookPath)}_rels/${name}.rels`);
  const target = first === undefined ? undefined : relations.get(first)?.target;
  if (target === undefined) throw new SheetProblem("unreadable");
  return { sheetPath: targetOf(bookPath, target), date1904 };
}

/** Texts that cells refer to by number. Phonetic help beside a text is no part of it. */
async function readSharedStrings(zip: ZipFile, entry: Entry | undefined): Promise<string[]> {
  const strings: string[] = [];
  if (entry === undefined) return strings;
  let held = "";
  let inText = false;
  let phonetic = 0;
  await parse(zip, entry, {
    open: (name) => {
      if (name === "si") held = "";
      else if (name === "rPh") phonetic += 1;
      else if (name === "t") inText = phonetic === 0;
    },
    close: (name) => {
      if (name === "t") inText = false;
      else if (name === "rPh") phonetic -= 1;
      else if (name === "si") strings.push(held);
    },
    text: (text) => {
      if (inText) held += text;
    },
  });
  return strings;
}

/** The number format of each cell style. */
async function readFormats(zip: ZipFile, entry: Entry | undefined): Promise<string[]> {
  const formats: string[] = [];
  if (entry === undefined) return formats;
  const own = new Map<string, string>();
  let inCellFormats = false;
  const builtIn = SSF.get_table() as Record<string, string>;
  await parse(zip, entry, {
    open: (name, tag) => {
      if (name === "numFmt") own.set(attribute(tag, "numFmtId") ?? "", attribute(tag, "formatCode") ?? "General");
      else if (name === "cellXfs") inCellFormats = true;
      else if (name === "xf" && inCellFormats) {
        const id = attribute(tag, "numFmtId") ?? "0";
        // Formats of East Asian versions that stand for days, and that the table of the library leaves out.
        const eastAsian = /^(2[7-9]|3[01]|36|5[0-8])$/.test(id) ? "yyyy-mm-dd" : "General";
        formats.push(own.get(id) ?? builtIn[id] ?? eastAsian);
      }
    },
    close: (name) => {
      if (name === "cellXfs") inCellFormats = false;
    },
  });
  return formats;
}

/** Column of a place such as `AB12`, from 0. */
function columnOf(place: string): number {
  let column = 0;
  for (let at = 0; at < place.length; at += 1) {
    const letter = place.charCodeAt(at) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column - 1;
}

/**
 * Reads the first sheet of an xlsx piece by piece; what is unpacked at a time does not grow with the rows. Rows without
 * anything in them are left out.
 * @param take gets rows in order; answers false when no more are wanted
 * @throws {SheetProblem}
 */
export async function readXlsx(bytes: Buffer, take: (rows: RawRow[]) => Promise<boolean>): Promise<void> {
  const { zip, entries } = await openArchive(bytes);
  const { sheetPath, date1904 } = await readBook(zip, entries);
  const byEnd = (end: string) => [...entries].find(([path]) => path.toLowerCase().endsWith(end))?.[1];
  const strings = await readSharedStrings(zip, byEnd("/sharedstrings.xml"));
  const formats = await readFormats(zip, byEnd("/styles.xml"));
  const sheet = entries.get(sheetPath);
  if (sheet === undefined) throw new SheetProblem("unreadable");

  let rows: RawRow[] = [];
  let rowNumber = 0;
  let texts: string[] = [];
  let column = -1;
  let type = "n";
  let style = 0;
  let value = "";
  let inValue = false;
  let phonetic = 0;
  let wide = false;

  const textOfCell = (): string => {
    switch (type) {
      case "s":
        return strings[Number(value)] ?? "";
      case "inlineStr":
      case "str":
        return value;
      case "b":
        return value === "1" || value === "true" ? "TRUE" : "FALSE";
      case "d":
        return value.replace("T", " ").replace(/( 00:00:00)?(\.\d+)?Z?$/, "");
      case "e":
        return value;
      default: {
        const number = Number(value);
        return value === "" || !Number.isFinite(number)
          ? value
          : textOfNumber(number, formats[style] ?? "General", date1904);
      }
    }
  };

  await parse(
    zip,
    sheet,
    {
      open: (name, tag) => {
        if (name === "row") {
          rowNumber = Number(tag.attributes.r ?? rowNumber + 1);
          texts = [];
          column = -1;
        } else if (name === "c") {
          const place = tag.attributes.r;
          column = place === undefined ? column + 1 : columnOf(place);
          type = tag.attributes.t ?? "n";
          style = Number(tag.attributes.s ?? 0);
          value = "";
        } else if (name === "rPh") phonetic += 1;
        else if (name === "v" || name === "t") inValue = phonetic === 0;
      },
      text: (text) => {
        if (inValue) value += text;
      },
      close: (name) => {
        if (name === "v" || name === "t") inValue = false;
        else if (name === "rPh") phonetic -= 1;
        else if (name === "c") {
          const text = cleanText(textOfCell()).slice(0, sheetLimits.maxCellLength).toWellFormed();
          if (text === "") return;
          if (column < 0 || column >= sheetLimits.maxColumns) {
            wide = true;
            return;
          }
          while (texts.length < column) texts.push("");
          texts[column] = text;
        } else if (name === "row" && texts.length > 0) rows.push({ rowNumber, texts });
      },
    },
    async () => {
      if (wide) throw new SheetProblem("too_many_columns");
      if (rows.length < sheetLimits.batchRows) return true;
      const batch = rows;
      rows = [];
      return take(batch);
    },
  );
  if (wide) throw new SheetProblem("too_many_columns");
  if (rows.length > 0) await take(rows);
}
