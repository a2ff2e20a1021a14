import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import type { SheetSource } from "./headings.ts";
import { readRaw } from "./raw-reader.ts";
import { sheetLimits, startsLikeFormula } from "./sheet-limits.ts";

/** A column of a sheet that is written. */
export interface SheetColumn {
  /** Name of the value in a row. */
  readonly key: string;
  /** What stands above it. */
  readonly header: string;
  /** `date` and `dateTime` take yyyy-MM-dd and yyyy-MM-dd HH:mm:ss, also with .SSS. Text unless it is said. */
  readonly type?: "text" | "number" | "date" | "dateTime";
  /** In characters. */
  readonly width?: number;
}

export type SheetValue = string | number | null | undefined;

/** A column of a template that people fill in. */
export interface TemplateColumn extends Omit<SheetColumn, "key" | "width"> {
  /** Name of the value in rows that the template comes filled with. */
  readonly key?: string;
  readonly required: boolean;
  /** What may be written into it, in words. */
  readonly note: string;
  readonly example: string;
  /** Values that programs offer in the cell. */
  readonly choices?: readonly string[];
  /** Whether others than the choices may be written. */
  readonly open?: boolean;
}

/** What stands in a template beside its columns. */
const templateWords = {
  zh: {
    notes: "填写说明",
    lists: "选项",
    headers: ["列名", "是否必填", "说明", "示例"],
    required: "必填",
    optional: "选填",
    colon: "：",
    comma: "、",
  },
  en: {
    notes: "Notes",
    lists: "Choices",
    headers: ["Column", "Required", "Notes", "Example"],
    required: "required",
    optional: "optional",
    colon: ": ",
    comma: ", ",
  },
} as const;
/** Characters of a list of choices in a cell's own rule; Excel takes no more. Longer ones stand on a sheet of their own. */
const inlineChoices = 255;

/** What is wrong with a cell of an uploaded sheet; without a column it is about the whole row. */
export interface SheetProblemMark {
  readonly rowNumber: number;
  /** From 0. */
  readonly column?: number;
  readonly text: string;
}

/** Rows of a sheet of Excel, with the header. */
const rowsPerSheet = 1_048_576;
/** Pieces of about this many characters go to the archive at a time. */
const pieceLength = 64 * 1024;
const dayMs = 86_400_000;
/** Day 0 of a sheet's numbers. */
const epochMs = Date.UTC(1899, 11, 30);

/** Places in cellXfs of `stylesXml`. */
const styles = { plain: 0, header: 1, date: 2, dateTime: 3, text: 4, problem: 5, problemText: 6 } as const;

const stylesXml = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><sz val="11"/><color rgb="FF9C0006"/><name val="Calibri"/></font></fonts><fills count="4"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFEFEBE0"/></patternFill></fill><fill><patternFill patternType="solid"><fgColor rgb="FFFFC7CE"/></patternFill></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="7"><xf xfId="0"/><xf xfId="0" fontId="1" fillId="2" applyFont="1" applyFill="1"/><xf xfId="0" numFmtId="164" applyNumberFormat="1"/><xf xfId="0" numFmtId="165" applyNumberFormat="1"/><xf xfId="0" numFmtId="49" applyNumberFormat="1"/><xf xfId="0" numFmtId="49" fillId="3" fontId="2" applyFill="1" applyFont="1" applyNumberFormat="1"/><xf xfId="0" fontId="2" applyFont="1"/></cellXfs></styleSheet>`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML can't hold just those
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const inXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(unwritable, "")
    .replace(/[&<>"]/g, (character) => entities[character] ?? character);

/** A text that a program could take for a formula begins with an apostrophe; `readSheet` takes it away again. */
export const guarded = (text: string): string => (startsLikeFormula(text) ? `'${text}` : text);

/** Letters of a column, from 0. */
function columnName(column: number): string {
  let name = "";
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26)) {
    name = String.fromCharCode(65 + ((left - 1) % 26)) + name;
  }
  return name;
}

const textCell = (place: string, text: string, style: number): string =>
  text === ""
    ? style === styles.plain
      ? ""
      : `<c r="${place}" s="${style}"/>`
    : `<c r="${place}" t="inlineStr" s="${style}"><is><t xml:space="preserve">${inXml(guarded(text.slice(0, sheetLimits.maxCellLength)))}</t></is></c>`;

/** Days since day 0 of a day or moment in text; undefined when it is none. */
function serialOf(text: string): number | undefined {
  const [, y, m, d, time] = /^(\d{4})-(\d{2})-(\d{2})(?: (\d{2}:\d{2}:\d{2}(?:\.\d{3})?))?$/.exec(text) ?? [];
  if (y === undefined) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = (time ?? "").split(":").map(Number);
  const ms = Date.UTC(Number(y), Number(m) - 1, Number(d), hours, minutes) + Math.round(seconds * 1000);
  // The 30th of February is no day, though it can be computed with. Before March 1900 sheets count otherwise.
  const isDay = new Date(ms).toISOString().startsWith(`${y}-${m}-${d}`);
  return isDay && ms >= Date.UTC(1900, 2, 1) ? (ms - epochMs) / dayMs : undefined;
}

function cellOf(place: string, value: SheetValue, type: SheetColumn["type"], style: number = styles.plain): string {
  if (value === null || value === undefined || value === "") return "";
  const number =
    typeof value === "number"
      ? value
      : type === "number" && /^-?\d{1,15}(\.\d+)?$/.test(value)
        ? Number(value)
        : undefined;
  if (number !== undefined && Number.isFinite(number)) return `<c r="${place}"><v>${number}</v></c>`;
  const text = String(value);
  const serial = type === "date" || type === "dateTime" ? serialOf(text) : undefined;
  if (serial !== undefined) {
    return `<c r="${place}" s="${type === "date" ? styles.date : styles.dateTime}"><v>${serial}</v></c>`;
  }
  return textCell(place, text, style);
}

const sheetStart = (columns: readonly { width?: number; style?: number }[]): string => {
  const widths = columns
    .map(
      ({ width = 16, style = styles.plain }, index) =>
        `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"${style === styles.plain ? "" : ` style="${style}"`}/>`,
    )
    .join("");
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${widths && `<cols>${widths}</cols>`}<sheetData>`;
};

const headerRow = (headers: readonly string[], rowNumber = 1): string =>
  `<row r="${rowNumber}">${headers.map((header, index) => textCell(`${columnName(index)}${rowNumber}`, header, styles.header)).join("")}</row>`;

/** Puts the parts of a workbook into an archive on disk, one sheet after the other, as they come. */
async function writeBook(
  path: string,
  sheets: AsyncIterable<{ name: string; xml: AsyncIterable<string>; hidden?: boolean }>,
): Promise<void> {
  const zip = new ZipFile();
  const output = pipeline(zip.outputStream, createWriteStream(path, { mode: 0o600 }));
  const names: string[] = [];
  const hiddenNames = new Set<string>();
  try {
    for await (const { name, xml, hidden } of sheets) {
      names.push(name);
      if (hidden) hiddenNames.add(name);
      const part = Readable.from(xml, { objectMode: false, highWaterMark: pieceLength });
      zip.addReadStream(part, `xl/worksheets/sheet${names.length}.xml`);
      await Promise.race([
        new Promise<void>((resolve, reject) => {
          part.once("close", resolve);
          part.once("error", reject);
        }),
        // A full disk ends the wait, too.
        output,
      ]);
    }
  } catch (error) {
    // Nobody will end the archive now.
    (zip.outputStream as Readable).destroy(error as Error);
    await output.catch(() => undefined);
    throw error;
  }
  const add = (name: string, xml: string) =>
    zip.addBuffer(Buffer.from(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${xml}`), name);
  const types = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const package_ = "http://schemas.openxmlformats.org/package/2006";
  add(
    "xl/workbook.xml",
    `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${relations}"><sheets>${names
      .map(
        (name, index) =>
          `<sheet name="${inXml(name)}" sheetId="${index + 1}"${hiddenNames.has(name) ? ' state="hidden"' : ""} r:id="rId${index + 1}"/>`,
      )
      .join("")}</sheets></workbook>`,
  );
  add(
    "xl/_rels/workbook.xml.rels",
    `<Relationships xmlns="${package_}/relationships">${names
      .map(
        (_, index) =>
          `<Relationship Id="rId${index + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
      )
      .join("")}<Relationship Id="rId0" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
  );
  zip.addBuffer(Buffer.from(stylesXml), "xl/styles.xml");
  add(
    "_rels/.rels",
    `<Relationships xmlns="${package_}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  );
  add(
    "[Content_Types].xml",
    `<Types xmlns="${package_}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/>${names
      .map(
        (_, index) =>
          `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${types}.worksheet+xml"/>`,
      )
      .join("")}</Types>`,
  );
  zip.end();
  await output;
}

/** Names of sheets have 31 characters at most, and some can't be in them. */
const sheetName = (name: string, index: number): string => {
  const plain = name.replace(/[\\/?*[\]:]/g, " ").slice(0, 26) || "Sheet";
  return index === 0 ? plain : `${plain} ${index + 1}`;
};

/**
 * Writes an xlsx from rows as they come; the memory does not grow with them. Beyond 1,048,575 rows it goes on on further
 * sheets.
 * @param signal ends the writing; what is on disk then is no sheet
 * @returns how many rows were written
 */
export async function writeSheet(
  path: string,
  name: string,
  columns: readonly SheetColumn[],
  rows: AsyncIterable<Readonly<Record<string, SheetValue>>>,
  { signal, maxRowsPerSheet = rowsPerSheet - 1 }: { signal?: AbortSignal; maxRowsPerSheet?: number } = {},
): Promise<number> {
  const source = rows[Symbol.asyncIterator]();
  const places = columns.map((_, index) => columnName(index));
  let pending = await source.next();
  let written = 0;
  async function* sheet(): AsyncGenerator<string> {
    let piece =
      sheetStart(columns.map(({ width }) => (width === undefined ? {} : { width }))) +
      headerRow(columns.map(({ header }) => header));
    for (let inSheet = 0; !pending.done && inSheet < maxRowsPerSheet; inSheet += 1) {
      signal?.throwIfAborted();
      const { value } = pending;
      const rowNumber = inSheet + 2;
      const cells = columns.map(({ key, type }, index) => cellOf(`${places[index]}${rowNumber}`, value[key], type));
      piece += `<row r="${rowNumber}">${cells.join("")}</row>`;
      written += 1;
      if (piece.length >= pieceLength) {
        yield piece;
        piece = "";
      }
      pending = await source.next();
    }
    yield `${piece}</sheetData></worksheet>`;
  }
  async function* sheets() {
    let index = 0;
    do {
      yield { name: sheetName(name, index), xml: sheet() };
      index += 1;
    } while (!pending.done);
  }
  try {
    await writeBook(path, sheets());
  } finally {
    await source.return?.();
  }
  return written;
}

async function* once<T>(...items: T[]): AsyncGenerator<T> {
  yield* items;
}

/**
 * Writes a sheet that people fill in: a header, columns that keep what is typed as text, choices where there are any, and
 * beside it a sheet that explains each column with an example.
 * @param rows what it comes filled with, by the keys of the columns
 */
export async function writeTemplate(
  path: string,
  name: string,
  columns: readonly TemplateColumn[],
  {
    language = "zh",
    rows = once(),
  }: { language?: "zh" | "en"; rows?: AsyncIterable<Readonly<Record<string, SheetValue>>> } = {},
): Promise<void> {
  const words = templateWords[language];
  /** Lists on the hidden sheet, each in a column of its own. */
  const lists: (readonly string[])[] = [];
  const validations = columns.flatMap(({ choices, open }, index) => {
    if (choices === undefined || choices.length === 0) return [];
    const list = choices.join(",");
    let formula = `"${inXml(list)}"`;
    // Without commas and quotation marks in its words, too.
    if (list.length > inlineChoices || choices.some((choice) => /[,"]/.test(choice))) {
      const column = columnName(lists.length);
      lists.push(choices);
      formula = `'${words.lists}'!$${column}$1:$${column}$${choices.length}`;
    }
    const place = columnName(index);
    return [
      `<dataValidation type="list" allowBlank="1" showErrorMessage="${open ? 0 : 1}" sqref="${place}2:${place}${rowsPerSheet}"><formula1>${formula}</formula1></dataValidation>`,
    ];
  });
  async function* form(): AsyncGenerator<string> {
    let piece =
      sheetStart(columns.map(() => ({ style: styles.text, width: 20 }))) +
      headerRow(columns.map(({ header }) => header));
    let rowNumber = 1;
    for await (const row of rows) {
      rowNumber += 1;
      const cells = columns.map(({ key, type }, index) =>
        cellOf(`${columnName(index)}${rowNumber}`, key === undefined ? "" : row[key], type, styles.text),
      );
      piece += `<row r="${rowNumber}">${cells.join("")}</row>`;
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = "";
    }
    yield `${piece}</sheetData>${
      validations.length > 0
        ? `<dataValidations count="${validations.length}">${validations.join("")}</dataValidations>`
        : ""
    }</worksheet>`;
  }
  const textRow = (row: number, texts: readonly string[]): string =>
    `<row r="${row}">${texts.map((text, column) => textCell(`${columnName(column)}${row}`, text, styles.text)).join("")}</row>`;
  const lines = columns.map(({ header, required, note, example, choices, open }, index) => {
    const listed = open ? "" : (choices ?? []).join(words.comma);
    return textRow(index + 2, [
      header,
      required ? words.required : words.optional,
      [note, listed].filter(Boolean).join(words.colon).slice(0, 2000),
      example,
    ]);
  });
  const notes = `${sheetStart([{ width: 20 }, { width: 10 }, { width: 60 }, { width: 24 }])}${headerRow(words.headers)}${lines.join("")}</sheetData></worksheet>`;
  function* listRows(): Generator<string> {
    yield sheetStart([]);
    for (let at = 0; lists.some((list) => at < list.length); at += 1)
      yield textRow(
        at + 1,
        lists.map((list) => list[at] ?? ""),
      );
    yield "</sheetData></worksheet>";
  }
  async function* sheets() {
    yield { name: sheetName(name, 0), xml: form() };
    yield { name: words.notes as string, xml: once(notes) };
    if (lists.length > 0) yield { name: words.lists as string, xml: once([...listRows()].join("")), hidden: true };
  }
  await writeBook(path, sheets());
}

/** Header of the column that `writeMarkedSheet` adds; an import leaves it out. */
export const problemHeader = "问题";

/**
 * Writes an uploaded sheet again, each row at its place, with the cells marked that are wrong and what is wrong with them in a
 * column of its own at the end.
 * @param source where its rows were read
 * @throws {Refusal} as `readSheet`
 */
export async function writeMarkedSheet(
  original: string,
  path: string,
  name: string,
  problems: Iterable<SheetProblemMark>,
  source: Pick<SheetSource, "sheet" | "headerRow">,
): Promise<void> {
  const byRow = new Map<number, SheetProblemMark[]>();
  for (const problem of problems) {
    const held = byRow.get(problem.rowNumber);
    if (held === undefined) byRow.set(problem.rowNumber, [problem]);
    else held.push(problem);
  }
  async function* sheet(): AsyncGenerator<string> {
    let width = 0;
    let end = 0;
    let begun = false;
    let piece = "";
    for await (const batch of readRaw(original, (starts) => {
      const texts = starts[source.sheet]?.rows.find(({ rowNumber }) => rowNumber === source.headerRow)?.texts ?? [];
      // A sheet that was marked before is marked anew.
      const marked = texts.indexOf(problemHeader);
      end = marked < 0 ? texts.length : marked;
      width = Math.max(end, ...(starts[source.sheet]?.rows ?? []).map((row) => row.texts.length));
      return source.sheet;
    })) {
      if (!begun) piece = sheetStart([...Array.from({ length: end }, () => ({ width: 20 })), { width: 60 }]);
      begun = true;
      for (const { rowNumber, texts } of batch) {
        const wrong = byRow.get(rowNumber) ?? [];
        const marked = new Set(wrong.map(({ column }) => column));
        const isHeader = rowNumber === source.headerRow;
        const above = rowNumber < source.headerRow;
        const cells = Array.from({ length: above ? width : end }, (_, index) =>
          textCell(
            `${columnName(index)}${rowNumber}`,
            texts[index] ?? "",
            isHeader ? styles.header : marked.has(index) ? styles.problem : styles.plain,
          ),
        );
        const said = isHeader ? problemHeader : wrong.map(({ text }) => text).join("；");
        if (!above)
          cells.push(textCell(`${columnName(end)}${rowNumber}`, said, isHeader ? styles.header : styles.problemText));
        piece += `<row r="${rowNumber}">${cells.join("")}</row>`;
      }
      if (piece.length >= pieceLength) {
        yield piece;
        piece = "";
      }
    }
    yield `${begun ? "" : sheetStart([])}${piece}</sheetData></worksheet>`;
  }
  await writeBook(path, once({ name: sheetName(name, 0), xml: sheet() }));
}
