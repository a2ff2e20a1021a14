import { buffer } from "node:stream/consumers";
import { utils, type WorkBook, type WorkSheet, write } from "@e965/xlsx";
import { ZipFile } from "yazl";

/** A table of texts: headings first, then rows. */
export type Table = readonly (readonly string[])[];

/** A sheet as somebody may send it, and what an importer must say to it. */
export interface OddSheet {
  readonly what: string;
  /** File name, whose ending need not be what the content is. */
  readonly name?: string;
  /** @param table with two rows @param at column of a number that the importer reads @param key column by which rows are found */
  make(table: Table, at: number, key: number): Buffer | Promise<Buffer>;
  /**
   * - `good`: both rows are read.
   * - `first`: the first row alone is there, and good.
   * - `problem`: a problem at the number's cell of the first row; the second row is good.
   * - otherwise the reason of the refusal.
   */
  readonly answer: "good" | "first" | "problem" | `sheet.${string}` | "import.no_key";
}

const bookOf = (
  ...sheets: readonly (readonly [name: string, rows: readonly (readonly unknown[])[] | WorkSheet])[]
): WorkBook => {
  const book = utils.book_new();
  for (const [name, rows] of sheets)
    utils.book_append_sheet(
      book,
      Array.isArray(rows) ? utils.aoa_to_sheet(rows as unknown[][]) : (rows as WorkSheet),
      name,
    );
  return book;
};
type BookType = "xlsx" | "xls" | "xlsb" | "ods" | "fods" | "xlml" | "html";
const bytesOf = (book: WorkBook, bookType: BookType = "xlsx"): Buffer =>
  write(book, { type: "buffer", bookType, cellStyles: true });
const asBook = (bookType: BookType) => (table: Table) => bytesOf(bookOf(["一", table]), bookType);
/** A book of one sheet that is changed before it is written. */
const changed =
  (change: (sheet: WorkSheet, table: Table, at: number, key: number) => void) =>
  (table: Table, at: number, key: number) => {
    const sheet = utils.aoa_to_sheet(table as unknown as string[][]);
    change(sheet, table, at, key);
    return bytesOf(bookOf(["一", sheet]));
  };
const place = (row: number, column: number): string => utils.encode_cell({ r: row, c: column });
/** The table with its headings changed. */
const heads = (change: (heading: string, at: number) => string) => (table: Table) =>
  asBook("xlsx")([(table[0] ?? []).map(change), ...table.slice(1)]);
/** The table with the number's cell of its first row changed. */
const cell = (change: (text: string) => unknown) => (table: Table, at: number) =>
  bytesOf(
    bookOf([
      "一",
      table.map((row, line) => row.map((text, column) => (line === 1 && column === at ? change(text) : text))),
    ]),
  );
const csv = (table: Table, delimiter: string): string =>
  `${table
    .map((row) =>
      row
        .map((text) => (/["\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text))
        .join(delimiter),
    )
    .join("\r\n")}\r\n`;
const wide = (text: string): string =>
  text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
const inXml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
async function zipOf(parts: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return buffer(zip.outputStream);
}
/** An xlsx by hand. @param sheets their types and content, in order @param more other parts */
const xlsxOf = (
  sheets: readonly { name: string; xml: string; type?: string; state?: string }[],
  more: Readonly<Record<string, string>> = {},
) =>
  zipOf({
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": `<Relationships><Relationship Id="r" Type="${relation}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${relation}"><sheets>${sheets
      .map(
        ({ name, state }, at) =>
          `<sheet name="${name}" sheetId="${at + 1}"${state ? ` state="${state}"` : ""} r:id="r${at}"/>`,
      )
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${sheets
      .map(
        ({ type = "worksheet" }, at) =>
          `<Relationship Id="r${at}" Type="${relation}/${type}" Target="${type}s/s${at}.xml"/>`,
      )
      .join("")}</Relationships>`,
    ...Object.fromEntries(sheets.map(({ xml, type = "worksheet" }, at) => [`xl/${type}s/s${at}.xml`, xml])),
    ...more,
  });
type CellXml = (text: string, place: string, line: number, column: number) => string;
const plainCell: CellXml = (text, at) =>
  text === "" ? "" : `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${inXml(text)}</t></is></c>`;
const sheetXml = (table: Table, toXml: CellXml = plainCell, after = ""): string =>
  `<worksheet xmlns="${main}"><sheetData>${table
    .map(
      (row, line) =>
        `<row r="${line + 1}">${row.map((text, column) => toXml(text, place(line, column), line, column)).join("")}</row>`,
    )
    .join("")}</sheetData>${after}</worksheet>`;
/** An xlsx by hand whose number's cell of the first row is other XML. */
const numberCell =
  (xml: (place: string, text: string) => string, more?: Readonly<Record<string, string>>) =>
  (table: Table, at: number) =>
    xlsxOf(
      [
        {
          name: "一",
          xml: sheetXml(table, (text, where, line, column) =>
            line === 1 && column === at ? xml(where, text) : plainCell(text, where, line, column),
          ),
        },
      ],
      more,
    );
const table2003 = (table: Table): string =>
  `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="S"><Table>${table
    .map(
      (row) => `<Row>${row.map((text) => `<Cell><Data ss:Type="String">${inXml(text)}</Data></Cell>`).join("")}</Row>`,
    )
    .join("")}</Table></Worksheet></Workbook>`;
const tableHtml = (table: Table, tag = "td"): string =>
  `<table border=1>${table.map((row) => `<tr>${row.map((text) => `<${tag}>${inXml(text)}</${tag}>`).join("")}</tr>`).join("\n")}</table>`;
const notes: Table = [["说明"], ["请按模板填写，带星号的必填"], ["有问题请找管理员"]];
const gb18030 = (text: string): Buffer => {
  // Texts of the tables that are in GB2312: found by decoding each pair of bytes once.
  const decoder = new TextDecoder("gb18030");
  const codes = new Map<string, Buffer>();
  for (let high = 0xa1; high <= 0xf7; high += 1)
    for (let low = 0xa1; low <= 0xfe; low += 1) {
      const pair = Buffer.from([high, low]);
      codes.set(decoder.decode(pair), pair);
    }
  return Buffer.concat([...text].map((sign) => codes.get(sign) ?? Buffer.from(sign)));
};

/** Sheets that programs and people make, beside the template. */
export const oddSheets: readonly OddSheet[] = [
  // What programs write.
  { what: "an xlsx", make: asBook("xlsx"), answer: "good" },
  { what: "an xls", name: "a.xls", make: asBook("xls"), answer: "good" },
  { what: "an xlsb", name: "a.xlsb", make: asBook("xlsb"), answer: "good" },
  { what: "an ods", name: "a.ods", make: asBook("ods"), answer: "good" },
  { what: "a flat ods", name: "a.fods", make: asBook("fods"), answer: "good" },
  { what: "XML 2003 as xls", name: "a.xls", make: (table) => Buffer.from(table2003(table)), answer: "good" },
  { what: "XML 2003 by a library", name: "a.xml", make: asBook("xlml"), answer: "good" },
  { what: "HTML by a library", name: "a.html", make: asBook("html"), answer: "good" },
  { what: "a table of HTML as xls", name: "a.xls", make: (table) => Buffer.from(tableHtml(table)), answer: "good" },
  {
    what: "HTML with heading cells, as xlsx",
    make: (table) =>
      Buffer.from(
        `<!DOCTYPE html><html><head><meta charset="utf-8"></head><body>${tableHtml(table, "th")}</body></html>`,
      ),
    answer: "good",
  },
  {
    what: "HTML in GB18030",
    name: "a.xls",
    make: (table) => gb18030(`<html><body>${tableHtml(table)}</body></html>`),
    answer: "good",
  },
  {
    what: "HTML with a table of a title before it",
    name: "a.htm",
    make: (table) => Buffer.from(`<html><table><tr><td>登记表</td></tr></table>${tableHtml(table)}</html>`),
    answer: "good",
  },
  { what: "an xlsx as xls", name: "a.xls", make: asBook("xlsx"), answer: "good" },
  { what: "an xls as xlsx", make: asBook("xls"), answer: "good" },
  { what: "CSV in UTF-8", name: "a.csv", make: (table) => Buffer.from(csv(table, ",")), answer: "good" },
  {
    what: "CSV with a byte order mark",
    name: "a.csv",
    make: (table) => Buffer.from(`\ufeff${csv(table, ",")}`),
    answer: "good",
  },
  { what: "CSV in GB18030", name: "a.csv", make: (table) => gb18030(csv(table, ",")), answer: "good" },
  { what: "CSV with semicolons", name: "a.csv", make: (table) => Buffer.from(csv(table, ";")), answer: "good" },
  {
    what: "CSV that says its delimiter",
    name: "a.csv",
    make: (table) => Buffer.from(`sep=|\r\n${csv(table, "|")}`),
    answer: "good",
  },
  { what: "text with tabs", name: "a.txt", make: (table) => Buffer.from(csv(table, "\t")), answer: "good" },
  {
    what: "text of Excel, in UTF-16",
    name: "a.txt",
    make: (table) => Buffer.from(`\ufeff${csv(table, "\t")}`, "utf16le"),
    answer: "good",
  },
  {
    what: "text in UTF-16, high bytes first",
    name: "a.tsv",
    make: (table) => Buffer.from(`\ufeff${csv(table, "\t")}`, "utf16le").swap16(),
    answer: "good",
  },
  { what: "CSV as xlsx", make: (table) => Buffer.from(csv(table, ",")), answer: "good" },
  {
    what: "CSV whose cells are all quoted",
    name: "a.csv",
    make: (table) => Buffer.from(table.map((row) => row.map((text) => `"${text}"`).join(",")).join("\n")),
    answer: "good",
  },
  {
    what: "an xlsx without places of cells",
    make: (table) =>
      xlsxOf([{ name: "一", xml: sheetXml(table, (text) => `<c t="inlineStr"><is><t>${inXml(text)}</t></is></c>`) }]),
    answer: "good",
  },
  {
    what: "an xlsx with prefixes",
    make: (table) =>
      xlsxOf([
        {
          name: "一",
          xml: sheetXml(table)
            .replace(/<(\/?)(\w)/g, "<$1x:$2")
            .replace("xmlns=", "xmlns:x="),
        },
      ]),
    answer: "good",
  },
  {
    what: "rich text with phonetic help",
    make: numberCell(
      (where, text) =>
        `<c r="${where}" t="inlineStr"><is><r><t>${text.slice(0, 1)}</t></r><r><t>${text.slice(1)}</t></r><rPh sb="0" eb="1"><t>x</t></rPh></is></c>`,
    ),
    answer: "good",
  },
  // Where the table stands.
  { what: "a title above", make: (table) => asBook("xlsx")([["2026 年登记表"], ...table]), answer: "good" },
  {
    what: "a merged title above",
    make: (table) => {
      const sheet = utils.aoa_to_sheet([["2026 年登记表"], ...(table as unknown as string[][])]);
      sheet["!merges"] = [{ s: { r: 0, c: 0 }, e: { r: 0, c: (table[0]?.length ?? 1) - 1 } }];
      return bytesOf(bookOf(["一", sheet]));
    },
    answer: "good",
  },
  {
    what: "headings in row 20",
    make: (table) => asBook("xlsx")([...Array.from({ length: 19 }, (_, at) => [`第 ${at} 行说明`]), ...table]),
    answer: "good",
  },
  {
    what: "headings below row 20",
    make: (table) => asBook("xlsx")([...Array.from({ length: 25 }, (_, at) => [`第 ${at} 行说明`]), ...table]),
    answer: "import.no_key",
  },
  {
    what: "the table from column D on",
    make: (table) => asBook("xlsx")(table.map((row) => ["", "", "", ...row])),
    answer: "good",
  },
  {
    what: "blank rows between",
    make: (table) => asBook("xlsx")([...table.slice(0, 2), [], [], ...table.slice(2)]),
    answer: "good",
  },
  {
    what: "blank columns between",
    make: (table) => asBook("xlsx")(table.map((row) => row.flatMap((text) => [text, ""]))),
    answer: "good",
  },
  {
    what: "columns in another order",
    make: (table) => asBook("xlsx")(table.map((row) => row.toReversed())),
    answer: "good",
  },
  {
    what: "columns of other things",
    make: (table) =>
      asBook("xlsx")(
        table.map((row, line) => [line === 0 ? "序号" : String(line), ...row, line === 0 ? "经办人意见" : "同意"]),
      ),
    answer: "good",
  },
  {
    what: "an explaining sheet first",
    make: (table) => bytesOf(bookOf(["说明", notes], ["数据", table])),
    answer: "good",
  },
  { what: "an empty sheet first", make: (table) => bytesOf(bookOf(["Sheet1", [[]]], ["数据", table])), answer: "good" },
  {
    what: "a hidden sheet of old rows first",
    make: (table) => {
      const book = bookOf(["旧", [...table.slice(0, 1), ...table.slice(2)]], ["新", table]);
      book.Workbook = { Sheets: [{ Hidden: 1 }, { Hidden: 0 }] } as never;
      return bytesOf(book);
    },
    answer: "good",
  },
  {
    what: "a very hidden sheet first, xls",
    name: "a.xls",
    make: (table) => {
      const book = bookOf(["旧", [...table.slice(0, 1), ...table.slice(2)]], ["新", table]);
      book.Workbook = { Sheets: [{ Hidden: 2 }, { Hidden: 0 }] } as never;
      return bytesOf(book, "xls");
    },
    answer: "good",
  },
  {
    what: "a chart first",
    make: (table) =>
      xlsxOf([
        { name: "图", xml: "<chartsheet/>", type: "chartsheet" },
        { name: "一", xml: sheetXml(table) },
      ]),
    answer: "good",
  },
  {
    what: "formatted cells far below",
    make: changed((sheet) => {
      sheet.B5000 = { t: "z" } as never;
      sheet["!ref"] = "A1:Z5000";
    }),
    answer: "good",
  },
  { what: "only the first row", make: (table) => asBook("xlsx")(table.slice(0, 2)), answer: "first" },
  {
    what: "a hidden row",
    make: changed((sheet) => {
      sheet["!rows"] = [{}, {}, { hidden: true }];
    }),
    answer: "good",
  },
  // Headings.
  { what: "headings with white space", make: heads((heading) => ` ${heading}\u00a0 `), answer: "good" },
  {
    what: "headings with line breaks",
    make: heads((heading) => `${heading.slice(0, 2)}\n${heading.slice(2)}`),
    answer: "good",
  },
  {
    what: "headings with stars",
    make: heads((heading, at) => (at % 2 ? `*${heading}` : `${heading} ＊`)),
    answer: "good",
  },
  { what: "headings with （必填）", make: heads((heading) => `${heading}\n（必填）`), answer: "good" },
  { what: "headings with [unit]", make: heads((heading) => `${heading} [单位]`), answer: "good" },
  { what: "headings with colons", make: heads((heading) => `${heading}：`), answer: "good" },
  { what: "headings with signs that nobody sees", make: heads((heading) => `\u200b${heading}\ufeff`), answer: "good" },
  { what: "headings in full width", make: heads(wide), answer: "good" },
  {
    what: "headings of two rows",
    make: (table) => {
      const first = table[0] ?? [];
      const sheet = utils.aoa_to_sheet([
        first.map((heading, at) => (at === 0 ? heading : "基本情况")),
        first.map((heading, at) => (at === 0 ? "" : heading)),
        ...(table.slice(1) as string[][]),
      ]);
      sheet["!merges"] = [{ s: { r: 0, c: 0 }, e: { r: 1, c: 0 } }];
      return bytesOf(bookOf(["一", sheet]));
    },
    answer: "good",
  },
  {
    what: "a sheet that was marked before",
    make: (table) => asBook("xlsx")(table.map((row, line) => [...row, line === 0 ? "问题" : "手机号不正确"])),
    answer: "good",
  },
  {
    what: "the key's heading twice",
    make: (table, _at, key) => asBook("xlsx")(table.map((row) => [...row, row[key] ?? ""])),
    answer: "sheet.duplicate_header",
  },
  { what: "other headings", make: heads((_heading, at) => `列 ${at}`), answer: "import.no_key" },
  // Cells.
  { what: "numbers as numbers", make: cell(Number), answer: "good" },
  {
    what: "white space around texts",
    make: (table) =>
      asBook("xlsx")(
        table.map((row, line) => row.map((text) => (line === 0 || text === "" ? text : ` ${text}\u3000`))),
      ),
    answer: "good",
  },
  { what: "wide digits", make: cell(wide), answer: "good" },
  { what: "signs that nobody sees", make: cell((text) => `\u200b${text}`), answer: "good" },
  {
    what: "a formula with its result",
    make: numberCell((where, text) => `<c r="${where}"><f>1+1</f><v>${text}</v></c>`),
    answer: "good",
  },
  {
    what: "a formula without its result",
    make: numberCell((where) => `<c r="${where}"><f>1+1</f><v></v></c>`),
    answer: "problem",
  },
  {
    what: "a shared formula without its result",
    make: numberCell((where) => `<c r="${where}"><f t="shared" si="0"/></c>`),
    answer: "problem",
  },
  {
    what: "an error",
    make: numberCell((where) => `<c r="${where}" t="e"><f>1/0</f><v>#DIV/0!</v></c>`),
    answer: "problem",
  },
  {
    what: "an error as text of a CSV",
    name: "a.csv",
    make: (table, at) =>
      Buffer.from(
        csv(
          table.map((row, line) => row.map((text, column) => (line === 1 && column === at ? "#REF!" : text))),
          ",",
        ),
      ),
    answer: "problem",
  },
  {
    what: "an error in an xls",
    name: "a.xls",
    make: (table, at) => {
      const sheet = utils.aoa_to_sheet(table as unknown as string[][]);
      sheet[place(1, at)] = { t: "e", v: 0x2a, w: "#N/A" };
      return bytesOf(bookOf(["一", sheet]), "xls");
    },
    answer: "problem",
  },
  {
    what: "a number of 19 digits",
    make: numberCell((where) => `<c r="${where}"><v>1234567890123456789</v></c>`),
    answer: "problem",
  },
  {
    what: "a shortened number of a CSV",
    name: "a.csv",
    make: (table, at) =>
      Buffer.from(
        csv(
          table.map((row, line) => row.map((text, column) => (line === 1 && column === at ? "1.23457E+18" : text))),
          ",",
        ),
      ),
    answer: "problem",
  },
  { what: "a misplaced comma", make: cell(() => "1,2345"), answer: "problem" },
  { what: "a share where a number stands", make: cell(() => ({ t: "n", v: 0.5, z: "0%" })), answer: "problem" },
  { what: "a word where a number stands", make: cell(() => "很多"), answer: "problem" },
  {
    what: "a moment where a number stands",
    make: cell(() => ({ t: "n", v: 46_388.5, z: "yyyy-mm-dd hh:mm" })),
    answer: "problem",
  },
  {
    what: "the number of both rows merged",
    make: (table, at) => {
      const sheet = utils.aoa_to_sheet(table as unknown as string[][]);
      delete sheet[place(2, at)];
      sheet["!merges"] = [{ s: { r: 1, c: at }, e: { r: 2, c: at } }];
      return bytesOf(bookOf(["一", sheet]));
    },
    answer: "good",
  },
  {
    what: "the number of both rows merged, HTML",
    name: "a.xls",
    make: (table, at) =>
      Buffer.from(
        `<table>${table.map((row, line) => `<tr>${row.map((text, column) => (column !== at || line === 0 ? `<td>${text}</td>` : line === 1 ? `<td rowspan=2>${text}</td>` : "")).join("")}</tr>`).join("")}</table>`,
      ),
    answer: "good",
  },
  // What is no sheet.
  { what: "a PDF", make: () => Buffer.from("%PDF-1.7\n1 0 obj"), answer: "sheet.pdf" },
  { what: "a picture", make: () => Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), answer: "sheet.picture" },
  {
    what: "a Word document",
    make: () => zipOf({ "[Content_Types].xml": "<Types/>", "word/document.xml": "<w/>" }),
    answer: "sheet.word",
  },
  { what: "rich text", name: "a.txt", make: () => Buffer.from("{\\rtf1\\ansi a}"), answer: "sheet.word" },
  { what: "an archive", make: () => zipOf({ "a.csv": "a,b" }), answer: "sheet.archive" },
  {
    what: "a compressed archive",
    name: "a.csv",
    make: () => Buffer.from("1f8b0800000000000003", "hex"),
    answer: "sheet.archive",
  },
  {
    what: "a quotation mark that is not closed",
    name: "a.csv",
    make: (table) => Buffer.from(csv(table, ",").replace("\r\n", '\r\n"')),
    answer: "sheet.quotes",
  },
  {
    what: "bytes of nothing",
    name: "a.csv",
    make: () => Buffer.from([1, 2, 3, 0, 255, 254, 7, 8, 9]),
    answer: "sheet.unreadable",
  },
  {
    what: "charts alone",
    make: () => xlsxOf([{ name: "图", xml: "<chartsheet/>", type: "chartsheet" }]),
    answer: "sheet.no_sheet",
  },
  { what: "blanks alone", name: "a.csv", make: () => Buffer.from(" , ,\n\n , "), answer: "sheet.empty" },
];
