import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { utils, write } from "@e965/xlsx";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ZipFile } from "yazl";
import { onThisMachine } from "../../../../../tests/harness/time-limit.ts";
import { volume } from "../../../../../tests/harness/volume.ts";
import { Refusal } from "../../http/errors.ts";
import { readSheet } from "./index.ts";
import { programFlags } from "./raw-reader.ts";

/** What a refusal of a bomb may take. The share of a busy machine comes on top. */
const limitMs = 2000;
const megabyte = 1024 * 1024;

let folder: string;
const canary = "THE CANARY OF XXE";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "herdwise-bombs-"));
  await writeFile(join(folder, "canary.txt"), canary);
});
afterAll(() => rm(folder, { recursive: true }));

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
/** The parts of the smallest workbook. */
const parts = (sheet: string | Iterable<string>): Record<string, string | Iterable<string>> => ({
  "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="x" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  "xl/worksheets/sheet1.xml": sheet,
});
const sheetXml = (rows: string) => `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`;
const cell = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
/** A sheet that by itself is read. */
const harmless = sheetXml(`<row r="1">${cell("A1", "a")}</row>`);
function* repeated(start: string, piece: string, bytes: number, end = ""): Generator<string> {
  yield start;
  const block = piece.repeat(Math.ceil(megabyte / piece.length));
  for (let left = bytes; left > 0; left -= block.length) yield block;
  yield end;
}
async function zipped(name: string, content: Record<string, string | Iterable<string>>): Promise<string> {
  const zip = new ZipFile();
  for (const [path, body] of Object.entries(content)) {
    if (typeof body === "string") zip.addBuffer(Buffer.from(body), path);
    else zip.addReadStream(Readable.from(body, { objectMode: false }), path);
  }
  zip.end();
  const path = join(folder, `${name}.xlsx`);
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

const bombs: Record<string, () => Promise<string>> = {
  "a sheet of 150 MB of spaces": () => zipped("spaces", parts(repeated("<worksheet>", " ", 150 * megabyte))),
  "texts of 100 MB in one cell": () =>
    zipped("text", {
      ...parts(sheetXml('<row r="1"><c r="A1" t="s"><v>0</v></c></row>')),
      "xl/sharedStrings.xml": repeated("<sst><si><t>", "A", 100 * megabyte, "</t></si></sst>"),
    }),
  "20 pictures that unpack to 15 MB each": () =>
    zipped("pictures", {
      ...parts(harmless),
      ...Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [`xl/media/${index}.png`, repeated("", "\0", 15 * megabyte)]),
      ),
    }),
  "3,000 files": () =>
    zipped("files", {
      ...parts(harmless),
      ...Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`xl/${index}.xml`, "x"])),
    }),
  "a sheet that says it is small": async () => {
    const path = await zipped(
      "lie",
      parts(repeated(harmless.replace("</worksheet>", ""), " ", 30 * megabyte, "</worksheet>")),
    );
    const bytes = await readFile(path);
    // The size in the directory at the end, where it stands behind the name's own entry.
    for (let at = bytes.indexOf("PK\u0001\u0002"); at >= 0; at = bytes.indexOf("PK\u0001\u0002", at + 4)) {
      if (bytes.readUInt32LE(at + 24) > megabyte) bytes.writeUInt32LE(1000, at + 24);
    }
    await writeFile(path, bytes);
    return path;
  },
  "a thousand million laughs": () =>
    zipped(
      "laughs",
      parts(
        `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 30 }, (_, index) => `<!ENTITY a${index} "${`&a${index === 0 ? "" : index - 1};`.repeat(10)}">`).join("")}]>${sheetXml(`<row r="1">${cell("A1", "&a29;")}</row>`)}`,
      ),
    ),
  "a file of the server as an entity": () =>
    zipped(
      "xxe",
      parts(
        `<!DOCTYPE x [<!ENTITY f SYSTEM "file://${folder}/canary.txt">]>${sheetXml(`<row r="1">${cell("A1", "&f;")}</row>`)}`,
      ),
    ),
  "an entity of the document's own relations": () =>
    zipped("xxe2", {
      ...parts(sheetXml(`<row r="1">${cell("A1", "a")}</row>`)),
      "xl/sharedStrings.xml": `<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd"><sst><si><t>a</t></si></sst>`,
    }),
  "elements within each other, 10 MB of them": () => zipped("deep", parts(repeated("", "<a>", 10 * megabyte))),
  "an attribute of 15 MB": () => zipped("attribute", parts(repeated('<worksheet a="', "x", 15 * megabyte, '"/>'))),
  "a row of 16,384 columns": () =>
    zipped(
      "columns",
      parts(sheetXml(`<row r="1">${Array.from({ length: 16_384 }, () => "<c><v>1</v></c>").join("")}</row>`)),
    ),
  "a million rows": () =>
    zipped(
      "rows",
      parts(
        repeated(
          "<worksheet><sheetData>",
          '<row><c t="inlineStr"><is><t>x</t></is></c></row>',
          15 * megabyte,
          "</sheetData></worksheet>",
        ),
      ),
    ),
  "a compound file that leads in circles": async () => {
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet([["a"]]), "x");
    const bytes: Buffer = write(book, { type: "buffer", bookType: "xls" });
    const table = (bytes.readUInt32LE(76) + 1) * 512;
    for (let sector = 0; sector < 128; sector += 1) bytes.writeUInt32LE(sector, table + sector * 4);
    const path = join(folder, "circle.xls");
    await writeFile(path, bytes);
    return path;
  },
};

const ods = (table: string | Iterable<string>): Record<string, string | Iterable<string>> => ({
  mimetype: "application/vnd.oasis.opendocument.spreadsheet",
  "content.xml": table,
});
const odsStart =
  '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet><table:table table:name="x">';
const odsEnd = "</table:table></office:spreadsheet></office:body></office:document-content>";
async function written(name: string, content: Iterable<string>): Promise<string> {
  const path = join(folder, name);
  await pipeline(Readable.from(content, { objectMode: false }), createWriteStream(path));
  return path;
}
/** Bombs of the formats that are read as a whole, and of texts. */
Object.assign(bombs, {
  "an ods of 150 MB of spaces": () => zipped("spaces-ods", ods(repeated(odsStart, " ", 150 * megabyte, odsEnd))),
  "an ods that says it is small": async () => {
    const path = await zipped("lie-ods", ods(repeated(odsStart, " ", 120 * megabyte, odsEnd)));
    const bytes = await readFile(path);
    for (let at = bytes.indexOf("PK\u0001\u0002"); at >= 0; at = bytes.indexOf("PK\u0001\u0002", at + 4)) {
      if (bytes.readUInt32LE(at + 24) > megabyte) bytes.writeUInt32LE(1000, at + 24);
    }
    await writeFile(path, bytes);
    return path;
  },
  "an ods of a cell that is repeated beyond any sheet": () =>
    zipped(
      "repeated-ods",
      ods(
        `${odsStart}<table:table-row table:number-rows-repeated="1048576"><table:table-cell office:value-type="string" table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell></table:table-row>${odsEnd}`,
      ),
    ),
  "HTML of 15 MB of cells": () =>
    written("cells.xls", repeated("<table><tr>", "<td>x</td>", 15 * megabyte, "</tr></table>")),
  "HTML of 15 MB of rows": () =>
    written("rows.xls", repeated("<table>", "<tr><td>x</td></tr>", 15 * megabyte, "</table>")),
  "HTML of tables within each other": () => written("nested.xls", repeated("", "<table>", 5 * megabyte)),
  "CSV of 15 MB of commas": () => written("commas.csv", repeated("a", ",", 15 * megabyte, "b")),
  "CSV of millions of rows": () => written("rows.csv", repeated("a,b\n", "1,2\n", 15 * megabyte)),
  "CSV in one open quotation mark": () => written("open.csv", repeated('a,b\n"', "1,2\n", 15 * megabyte)),
  "XML 2003 with a thousand million laughs": () =>
    written("laughs.xml", [
      `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a0 "ha">${Array.from({ length: 30 }, (_, index) => `<!ENTITY a${index + 1} "${`&a${index};`.repeat(10)}">`).join("")}]><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="x"><Table>`,
      ...repeated(
        "",
        '<Row><Cell><Data ss:Type="String">&a30;</Data></Cell></Row>',
        15 * megabyte,
        "</Table></Worksheet></Workbook>",
      ),
    ]),
} satisfies Record<string, () => Promise<string>>);

/** Why each is refused; the others can't be read. */
const reasons: Readonly<Record<string, string>> = {
  "a sheet of 150 MB of spaces": "sheet.too_large",
  "texts of 100 MB in one cell": "sheet.too_large",
  "20 pictures that unpack to 15 MB each": "sheet.too_large",
  "3,000 files": "sheet.too_large",
  "elements within each other, 10 MB of them": "sheet.too_large",
  "a row of 16,384 columns": "sheet.too_many_columns",
  "a million rows": "sheet.too_many_rows",
  "an ods of 150 MB of spaces": "sheet.too_large",
  "HTML of 15 MB of cells": "sheet.too_large",
  "HTML of 15 MB of rows": "sheet.too_many_rows",
  "CSV of 15 MB of commas": "sheet.too_many_columns",
  "CSV of millions of rows": "sheet.too_many_rows",
  "CSV in one open quotation mark": "sheet.quotes",
  "XML 2003 with a thousand million laughs": "sheet.too_many_rows",
  // It is read past, and costs what it weighs.
  "an attribute of 15 MB": "sheet.empty",
};

async function readAll(path: string): Promise<string[]> {
  const texts: string[] = [];
  const { columns, rows } = await readSheet(path);
  texts.push(...columns.map(({ header }) => header));
  for await (const { cells } of rows) texts.push(...Object.values(cells));
  return texts;
}

describe("T31, R18: sheets that are made to hurt", () => {
  test.each(Object.keys(bombs))(
    "%s is refused, soon, and while the server goes on",
    async (name) => {
      const path = await (bombs[name] as () => Promise<string>)();
      const rssBefore = process.memoryUsage().rss;
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      const begun = performance.now();
      const refusal = await readAll(path).catch((error: unknown) => error);
      const tookMs = performance.now() - begun;
      delay.disable();
      expect(refusal).toBeInstanceOf(Refusal);
      expect((refusal as Refusal).reason).toBe(reasons[name] ?? "sheet.unreadable");
      expect(tookMs).toBeLessThan(onThisMachine(limitMs * 2));
      // Not the slowest: a short measurement on a busy machine has one that is not ours.
      expect(delay.percentile(95) / 1e6).toBeLessThan(onThisMachine(100));
      expect(process.memoryUsage().rss - rssBefore).toBeLessThan(350 * megabyte);
    },
    30_000,
  );

  test("who takes the reading process over may neither write files nor begin programs", async () => {
    const run = promisify(execFile);
    for (const code of [
      `require("node:fs").writeFileSync(${JSON.stringify(join(folder, "written"))}, "x")`,
      'require("node:child_process").execFileSync(process.execPath, ["--version"])',
    ]) {
      const args = [...programFlags, "--input-type=commonjs", "-e", code];
      await expect(run(process.execPath, args)).rejects.toThrow("ERR_ACCESS_DENIED");
    }
  });

  test("what a document declares is never looked up", async () => {
    for (const name of ["a file of the server as an entity", "an entity of the document's own relations"]) {
      const texts = await readAll(await (bombs[name] as () => Promise<string>)()).catch(() => []);
      expect(texts.join()).not.toContain(canary);
    }
  });

  test("a hundred thousand rows that are only formatted are no rows", async () => {
    const path = await zipped(
      "formatted",
      parts(
        `<worksheet><sheetData><row r="1">${cell("A1", "a")}</row>${Array.from({ length: 100_000 }, (_, index) => `<row r="${index + 2}"><c r="A${index + 2}" s="1"/><c r="B${index + 2}" s="1"/></row>`).join("")}<row r="100002">${cell("A100002", "last")}</row></sheetData></worksheet>`,
      ),
    );
    const { rows } = await readSheet(path);
    const numbers = [];
    for await (const { rowNumber } of rows) numbers.push(rowNumber);
    expect(numbers).toEqual([100_002]);
  });

  test("damaged sheets are read or refused, one like the other soon, and none ends the server", async () => {
    const book = utils.book_new();
    const lines = Array.from({ length: 60 }, (_, row) => [`n${row}`, row, row / 7, row % 2 === 0]);
    utils.book_append_sheet(book, utils.aoa_to_sheet([["a", "b", "c", "d"], ...lines]), "x");
    const sources: [string, Buffer][] = [
      ["xlsx", write(book, { type: "buffer", bookType: "xlsx", compression: true, bookSST: true })],
      ["xlsx", write(book, { type: "buffer", bookType: "xlsx" })],
      ["xls", write(book, { type: "buffer", bookType: "xls" })],
    ];
    let random = 7;
    const next = (max: number) => {
      random = (random * 48_271) % 2_147_483_647;
      return random % max;
    };
    const count = volume({ short: 24, long: 2000 });
    const outcomes = { read: 0, refused: 0 };
    const one = async (index: number) => {
      const [type, source] = sources[index % sources.length] as [string, Buffer];
      const bytes = Buffer.from(source);
      for (let change = 0; change < 1 + (index % 12); change += 1) bytes[next(bytes.length)] = next(256);
      const cut = index % 10 === 0 ? bytes.subarray(0, next(bytes.length)) : bytes;
      const path = join(folder, `damaged-${index}.${type}`);
      await writeFile(path, cut);
      const begun = performance.now();
      try {
        await readAll(path);
        outcomes.read += 1;
      } catch (error) {
        expect(error, `sheet ${index}`).toBeInstanceOf(Refusal);
        outcomes.refused += 1;
      }
      expect(performance.now() - begun, `sheet ${index}`).toBeLessThan(onThisMachine(limitMs * 4));
      await rm(path);
    };
    for (let index = 0; index < count; index += 2) await Promise.all([one(index), one(index + 1)]);
    expect(outcomes.read).toBeGreaterThan(5);
    expect(outcomes.refused).toBeGreaterThan(count / 4);
  }, 600_000);
});
