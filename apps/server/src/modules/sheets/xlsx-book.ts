import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { SSF } from "@e965/xlsx";
import { SaxesParser, type SaxesTagPlain } from "saxes";
import { type Entry, fromBuffer, type ZipFile } from "yauzl";
import { textOfNumber } from "./cell-text.ts";
import { createBatches, createRowBuilder, type MergedRegion } from "./raw-rows.ts";
import { type CellFault, type RawBook, SheetProblem, sheetLimits } from "./sheet-limits.ts";

/** Rows of a sheet of Excel. */
const mostRows = 1_048_576;

/** Names without their prefix: programs choose prefixes as they like. */
const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

const attribute = (tag: SaxesTagPlain, name: string): string | undefined => {
  for (const [key, value] of Object.entries(tag.attributes)) if (localName(key) === name) return value;
  return undefined;
};

export interface Archive {
  readonly zip: ZipFile;
  readonly entries: ReadonlyMap<string, Entry>;
}

/**
 * Opens an archive and looks at what it says of itself, before anything is unpacked.
 * @throws {SheetProblem} when it is encrypted or unpacks to more than a sheet may
 */
export async function openArchive(bytes: Buffer): Promise<Archive> {
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

/** Unpacks an entry as a whole. @throws {SheetProblem} `too_large` beyond a number of bytes */
export async function bytesOf(zip: ZipFile, entry: Entry, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of await streamOf(zip, entry)) {
    parts.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > maxBytes) throw new SheetProblem("too_large");
  }
  return Buffer.concat(parts);
}

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
  readonly sheets: readonly { name: string; hidden: boolean; path: string }[];
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

/** Finds the sheets of the book that have cells: a chart can be a sheet of its own. */
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
  const named: { name: string; hidden: boolean; relation: string }[] = [];
  let date1904 = false;
  await parse(zip, book, {
    open: (name, tag) => {
      if (name === "workbookPr") date1904 = ["1", "true"].includes(attribute(tag, "date1904") ?? "");
      if (name !== "sheet") return;
      const relation = Object.entries(tag.attributes).find(([key]) => /:id$/.test(key))?.[1] ?? "";
      const hidden = (attribute(tag, "state") ?? "visible") !== "visible";
      named.push({ name: attribute(tag, "name") ?? "", hidden, relation });
    },
  });
  const name = bookPath.slice(parentOf(bookPath).length);
  const relations = await relationsOf(`${parentOf(bookPath)}_rels/${name}.rels`);
  const sheets = named.flatMap(({ name: sheetName, hidden, relation }) => {
    const found = relations.get(relation);
    return found?.type.endsWith("/worksheet")
      ? [{ name: sheetName, hidden, path: targetOf(bookPath, found.target) }]
      : [];
  });
  return { sheets: sheets.slice(0, sheetLimits.maxSheets), date1904 };
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

/** A rectangle such as `B2:C9`. */
function regionOf(place: string): MergedRegion | undefined {
  const [, from = "", top, to = "", bottom] = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(place) ?? [];
  if (top === undefined || bottom === undefined) return undefined;
  return { top: Number(top), bottom: Number(bottom), left: columnOf(from), right: columnOf(to) };
}

/**
 * Merged regions of a sheet. They stand behind its rows, so the part is searched for them before it is parsed; that takes a tenth of
 * the parsing.
 */
async function readRegions(zip: ZipFile, entry: Entry): Promise<MergedRegion[]> {
  const found: MergedRegion[] = [];
  let held = "";
  for await (const chunk of await streamOf(zip, entry)) {
    held += (chunk as Buffer).toString("latin1");
    let end = 0;
    for (const match of held.matchAll(/<(?:\w+:)?mergeCell\s[^<>]*?ref\s*=\s*["']([A-Z0-9:]+)["']/g)) {
      end = match.index + match[0].length;
      const region = regionOf(match[1] ?? "");
      if (region) found.push(region);
    }
    // An element may go on in the next piece.
    held = held.slice(Math.max(end, held.length - 200));
  }
  return found;
}

/**
 * Opens an xlsx. Its sheets are read piece by piece; what is unpacked at a time does not grow with the rows.
 * @throws {SheetProblem}
 */
export async function openXlsx({ zip, entries }: Archive): Promise<RawBook> {
  const { sheets, date1904 } = await readBook(zip, entries);
  const byEnd = (end: string) => [...entries].find(([path]) => path.toLowerCase().endsWith(end))?.[1];
  const strings = await readSharedStrings(zip, byEnd("/sharedstrings.xml"));
  const formats = await readFormats(zip, byEnd("/styles.xml"));
  return {
    sheets,
    async read(which, batchRows, take) {
      const entry = entries.get(sheets[which]?.path ?? "");
      if (entry === undefined) throw new SheetProblem("unreadable");
      await readRows(zip, entry, { strings, formats, date1904 }, createBatches(batchRows, take));
    },
  };
}

async function readRows(
  zip: ZipFile,
  entry: Entry,
  { strings, formats, date1904 }: { strings: readonly string[]; formats: readonly string[]; date1904: boolean },
  batches: ReturnType<typeof createBatches>,
): Promise<void> {
  const rows = createRowBuilder(await readRegions(zip, entry));
  let rowNumber = 0;
  let hidden = false;
  let column = -1;
  let type = "n";
  let style = 0;
  let value = "";
  let formula: string | undefined;
  let inValue = false;
  let inFormula = false;
  let hasValue = false;
  let phonetic = 0;
  // Thrown within the parser it would be taken for a fault of the document.
  let problem: unknown;

  const contentOf = (): [text: string, fault?: CellFault] => {
    // An empty text is a result, too; a number or error that is not there is none.
    if (formula !== undefined && value === "" && !(type === "str" && hasValue)) return [`=${formula}`, "formula"];
    switch (type) {
      case "s":
        return [strings[Number(value)] ?? ""];
      case "inlineStr":
      case "str":
        return [value];
      case "b":
        return [value === "1" || value === "true" ? "TRUE" : "FALSE"];
      case "d":
        return [value.replace("T", " ").replace(/( 00:00:00)?(\.\d+)?Z?$/, "")];
      case "e":
        return [value, "error"];
      default: {
        const number = Number(value);
        if (value === "" || !Number.isFinite(number)) return [value];
        const text = textOfNumber(number, formats[style] ?? "General", date1904);
        return Math.abs(number) >= sheetLimits.exactBelow ? [text, "digits"] : [text];
      }
    }
  };

  await parse(
    zip,
    entry,
    {
      open: (name, tag) => {
        if (name === "row") {
          const said = Number(tag.attributes.r ?? rowNumber + 1);
          // Two rows of one number would be one to whoever looks for a row by it.
          if (!Number.isInteger(said) || said <= rowNumber || said > mostRows)
            problem ??= new SheetProblem("unreadable");
          rowNumber = said;
          hidden = ["1", "true"].includes(tag.attributes.hidden ?? "");
          column = -1;
        } else if (name === "c") {
          const place = tag.attributes.r;
          column = place === undefined ? column + 1 : columnOf(place);
          type = tag.attributes.t ?? "n";
          style = Number(tag.attributes.s ?? 0);
          value = "";
          formula = undefined;
          hasValue = false;
        } else if (name === "rPh") phonetic += 1;
        else if (name === "f") {
          formula = "";
          inFormula = true;
        } else if (name === "v" || name === "t") {
          inValue = phonetic === 0;
          hasValue = true;
        }
      },
      text: (text) => {
        if (inValue) value += text;
        else if (inFormula) formula += text;
      },
      close: (name) => {
        if (name === "v" || name === "t") inValue = false;
        else if (name === "f") inFormula = false;
        else if (name === "rPh") phonetic -= 1;
        else if (name === "c") {
          try {
            rows.cell(column, ...contentOf());
          } catch (error) {
            problem ??= error;
          }
        } else if (name === "row") batches.add(rows.row(rowNumber, hidden));
      },
    },
    async () => {
      if (problem !== undefined) throw problem;
      return batches.pass();
    },
  );
  if (problem !== undefined) throw problem;
  await batches.end();
}
