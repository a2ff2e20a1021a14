import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { read, utils, type WorkBook, write } from "@e965/xlsx";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  problemHeader,
  readSheet,
  type SheetRow,
  type SheetValue,
  writeMarkedSheet,
  writeSheet,
  writeTemplate,
} from "./index.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "herdwise-sheets-"));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
const newPath = (extension = "xlsx") => {
  files += 1;
  return join(folder, `${files}.${extension}`);
};
const saved = async (book: WorkBook, bookType: "xlsx" | "xls" = "xlsx"): Promise<string> => {
  const path = newPath(bookType);
  await writeFile(path, write(book, { type: "buffer", bookType, cellStyles: true }));
  return path;
};
const bookOf = (rows: unknown[][]): WorkBook => {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), "一");
  utils.book_append_sheet(book, utils.aoa_to_sheet([["another"]]), "二");
  return book;
};
async function all(path: string, options = {}): Promise<{ headers: readonly string[]; rows: SheetRow[] }> {
  const { columns, rows } = await readSheet(path, options);
  const found: SheetRow[] = [];
  for await (const row of rows) found.push(row);
  return { headers: columns.map(({ header }) => header), rows: found };
}
const plain = (rows: SheetRow[]) => rows.map(({ rowNumber, cells }) => [rowNumber, { ...cells }]);
async function* of<T>(...items: T[]): AsyncGenerator<T> {
  yield* items;
}

describe.each(["xlsx", "xls"] as const)("reading %s", (type) => {
  test("rows carry the sheet's own numbers; blank ones and those that only look like something are left out", async () => {
    const book = bookOf([
      [],
      ["姓名", "", " 手机\n号 "],
      ["张三", "x", "13900000001"],
      [],
      ["  ", null],
      ["李四"],
      ["王五", null, "13900000002"],
    ]);
    const sheet = book.Sheets.一;
    // A cell with a format and nothing in it, far below.
    if (sheet) {
      sheet.A900 = { t: "z" } as never;
      sheet["!ref"] = "A1:C900";
    }
    const { headers, rows } = await all(await saved(book, type));
    expect(headers).toEqual(["姓名", "手机 号"]);
    expect(plain(rows)).toEqual([
      [3, { 姓名: "张三", "手机 号": "13900000001" }],
      [6, { 姓名: "李四" }],
      // What stands behind an empty cell keeps its column.
      [7, { 姓名: "王五", "手机 号": "13900000002" }],
    ]);
  });

  test("days, moments, numbers and shares read as they were typed", async () => {
    const book = bookOf([["a"], [0.1 + 0.2], [12], [123_456_789_012_345], [true], ["00123"], ["13800000000"]]);
    const sheet = book.Sheets.一 as Record<string, unknown>;
    const put = (place: string, v: number, z: string) => {
      sheet[place] = { t: "n", v, z };
    };
    put("A8", 46_054, "yyyy/m/d");
    put("A9", 46_054.5, "yyyy-mm-dd hh:mm");
    put("A10", 0.155, "0.0%");
    put("A11", 1234, "000000");
    put("A12", 60, "m/d/yy");
    sheet["!ref"] = "A1:A12";
    const { rows } = await all(await saved(book, type));
    expect(rows.map(({ cells }) => cells.a)).toEqual([
      "0.3",
      "12",
      "123456789012345",
      "TRUE",
      "00123",
      "13800000000",
      "2026-02-01",
      "2026-02-01 12:00:00",
      "15.5%",
      "001234",
      "1900-02-29",
    ]);
  });

  test("more rows or columns than allowed, a name twice, nothing at all", async () => {
    const three = await saved(bookOf([["a"], [1], [2], [3]]), type);
    expect((await all(three, { maxRows: 3 })).rows).toHaveLength(3);
    await expect(all(three, { maxRows: 2 })).rejects.toMatchObject({ reason: "sheet.too_many_rows", status: 400 });
    const wide = await saved(bookOf([Array.from({ length: 201 }, (_, column) => `c${column}`)]), type);
    await expect(all(wide)).rejects.toMatchObject({ reason: "sheet.too_many_columns" });
    await expect(all(await saved(bookOf([["a", "b", "a"]]), type))).rejects.toMatchObject({
      reason: "sheet.duplicate_header",
    });
    const nothing = utils.book_new();
    utils.book_append_sheet(nothing, utils.aoa_to_sheet([[]]), "一");
    await expect(all(await saved(nothing, type))).rejects.toMatchObject({ reason: "sheet.empty" });
  });

  test("a reader that stops early ends the process; the next one can read", async () => {
    const path = await saved(bookOf([["a"], ...Array.from({ length: 3000 }, (_, row) => [row])]), type);
    for (let time = 0; time < 5; time += 1) {
      const { rows } = await readSheet(path);
      for await (const row of rows) if (row.rowNumber > 10) break;
    }
    expect((await all(path)).rows).toHaveLength(3000);
  });

  test("sheets that are refused for their columns leave their place to others", async () => {
    const path = await saved(bookOf([["a"], [1]]), type);
    const refusing = async () => {
      await using sheet = await readSheet(path);
      if (!sheet.columns.some(({ header }) => header === "b")) throw new Error("no such column");
    };
    for (let time = 0; time < 3; time += 1) await expect(refusing()).rejects.toThrow("no such column");
    expect((await all(path)).rows).toHaveLength(1);
  });
});

test("a text that is longer than a cell is told", async () => {
  const path = newPath("csv");
  await writeFile(path, `a,b\n${"长".repeat(33_000)},1\n`);
  const { rows } = await all(path);
  expect([rows[0]?.cells.a?.length, { ...rows[0]?.faults }]).toEqual([32_767, { a: "cut" }]);
});

test("names of columns and texts that programs mistake for their own are ordinary", async () => {
  const { rows } = await all(
    await saved(
      bookOf([
        ["constructor", "__proto__"],
        ["x", "y"],
      ]),
    ),
  );
  expect(rows[0]?.cells.constructor).toBe("x");
  expect(Object.entries(rows[0]?.cells ?? {})).toEqual([
    ["constructor", "x"],
    ["__proto__", "y"],
  ]);
});

describe("writing", () => {
  const columns = [
    { key: "name", header: "姓名" },
    { key: "heads", header: "存栏", type: "number" },
    { key: "day", header: "日期", type: "date" },
    { key: "at", header: "时间", type: "dateTime" },
  ] as const;

  test("what was written is read back, and another program reads the same, with numbers and days as such", async () => {
    const path = newPath();
    const written = await writeSheet(
      path,
      "名/单",
      columns,
      of<Record<string, SheetValue>>(
        { name: '张 <三> & "Co"\u0000\ud800', heads: 12.5, day: "2026-02-01", at: "2026-02-01 08:30:00" },
        { name: "  ", heads: "-7", day: "", at: null },
        { name: "x".repeat(40_000), heads: "about 9", day: "someday", at: "2026-02-30 08:30:00" },
      ),
    );
    expect(written).toBe(3);
    const { headers, rows } = await all(path);
    expect(headers).toEqual(["姓名", "存栏", "日期", "时间"]);
    expect(plain(rows).slice(0, 2)).toEqual([
      [2, { 姓名: '张 <三> & "Co"\ufffd', 存栏: "12.5", 日期: "2026-02-01", 时间: "2026-02-01 08:30:00" }],
      [3, { 存栏: "-7" }],
    ]);
    expect(rows[2]?.cells.姓名).toHaveLength(32_767);
    const other = read(await readFile(path), { cellNF: true });
    expect(other.SheetNames).toEqual(["名 单"]);
    expect(other.Sheets["名 单"]).toMatchObject({
      B2: { t: "n", v: 12.5 },
      C2: { t: "n", v: 46_054, z: expect.stringMatching(/yyyy.+mm.+dd/) },
      D4: { t: "s" },
    });
    // A number is one, whatever its column is.
    const plainPath = newPath();
    await writeSheet(
      plainPath,
      "数",
      [{ key: "n", header: "数" }],
      of<Record<string, SheetValue>>({ n: 3 }, { n: "4" }),
    );
    const { Sheets } = read(await readFile(plainPath));
    expect(Sheets.数).toMatchObject({ A2: { t: "n", v: 3 }, A3: { t: "s", v: "4" } });
  });

  test("T32: 50 texts that could be formulas are none, and come back as they were", async () => {
    const dangerous = Array.from({ length: 50 }, (_, index) => {
      const first = ["=", "+", "-", "@", "\t", "\r", " =", "\n=", "＝", "＋", "'="][index % 11] ?? "";
      return `${first}cmd|' /C calc'!A${index}`;
    });
    const path = newPath();
    await writeSheet(path, "x", [{ key: "text", header: "文本" }], of(...dangerous.map((text) => ({ text }))));
    const sheet = read(await readFile(path), { cellFormula: true }).Sheets.x as Record<
      string,
      { t: string; f?: string; v: string }
    >;
    for (let row = 2; row <= 51; row += 1) {
      const cell = sheet[`A${row}`];
      expect([cell?.t, cell?.f, cell?.v[0]]).toEqual(["s", undefined, "'"]);
    }
    const { rows } = await all(path);
    expect(rows.map(({ cells }) => cells.文本)).toEqual(dangerous.map((text) => text.replace("\r", "\n")));
  });

  test("rows beyond what a sheet holds go on in the next", async () => {
    const path = newPath();
    const rows = of(...Array.from({ length: 25 }, (_, row) => ({ name: `r${row}` })));
    await writeSheet(path, "名单", [{ key: "name", header: "姓名" }], rows, { maxRowsPerSheet: 10 });
    const book = read(await readFile(path));
    expect(book.SheetNames).toEqual(["名单", "名单 2", "名单 3"]);
    expect(book.SheetNames.map((name) => utils.sheet_to_json(book.Sheets[name] as never).length)).toEqual([10, 10, 5]);
    const empty = newPath();
    expect(await writeSheet(empty, "名单", [{ key: "name", header: "姓名" }], of())).toBe(0);
    expect((await all(empty)).headers).toEqual(["姓名"]);
  });

  test("a source that fails, and one that is cancelled, end the writing with their error", async () => {
    async function* failing() {
      yield { name: "x" };
      throw new Error("the database went away");
    }
    await expect(writeSheet(newPath(), "x", columns, failing())).rejects.toThrow("went away");
    const stop = new AbortController();
    async function* endless() {
      for (let row = 0; ; row += 1) {
        if (row === 1000) stop.abort(new Error("cancelled"));
        yield { name: String(row) };
      }
    }
    await expect(writeSheet(newPath(), "x", columns, endless(), { signal: stop.signal })).rejects.toThrow("cancelled");
    await expect(writeSheet(join(folder, "no", "folder"), "x", columns, of({ name: "x" }))).rejects.toThrow("ENOENT");
  });
});

test("a template keeps what is typed as text, offers choices, explains its columns, and is an empty sheet to an import", async () => {
  const path = newPath();
  await writeTemplate(path, "用户", [
    { header: "姓名", required: true, note: "2 到 5 个字", example: "张三" },
    { header: "性别", required: false, note: "", example: "男", choices: ["男", "女", "未知"] },
  ]);
  expect(await all(path)).toEqual({ headers: ["姓名", "性别"], rows: [] });
  const book = read(await readFile(path));
  expect(book.SheetNames).toEqual(["用户", "填写说明"]);
  expect(utils.sheet_to_json(book.Sheets.填写说明 as never, { header: 1 })).toEqual([
    ["列名", "是否必填", "说明", "示例"],
    ["姓名", "必填", "2 到 5 个字", "张三"],
    ["性别", "选填", "男、女、未知", "男"],
  ]);
});

test("a marked sheet has every row at its place, the wrong cells marked and what is wrong beside them, and can be marked again", async () => {
  const original = await saved(bookOf([[], ["姓名", "手机"], ["张三", "1"], [], ["=李四", "13900000002"]]));
  const marked = newPath();
  await writeMarkedSheet(
    original,
    marked,
    "用户",
    [
      { rowNumber: 3, column: 1, text: "手机号不正确" },
      { rowNumber: 3, text: "缺少角色" },
    ],
    { sheet: 0, headerRow: 2 },
  );
  const { headers, rows } = await all(marked);
  expect(headers).toEqual(["姓名", "手机", problemHeader]);
  expect(plain(rows)).toEqual([
    [3, { 姓名: "张三", 手机: "1", [problemHeader]: "手机号不正确；缺少角色" }],
    [5, { 姓名: "=李四", 手机: "13900000002" }],
  ]);
  const sheet = read(await readFile(marked), { cellStyles: true }).Sheets.用户 as Record<
    string,
    { s?: { fgColor?: { rgb?: string } } }
  >;
  expect([sheet.B3?.s?.fgColor?.rgb, sheet.A3?.s?.fgColor?.rgb]).toEqual(["FFC7CE", undefined]);
  const again = newPath();
  await writeMarkedSheet(marked, again, "用户", [], { sheet: 0, headerRow: 2 });
  expect((await all(again)).headers).toEqual(["姓名", "手机", problemHeader]);
  expect(plain((await all(again)).rows)[0]).toEqual([3, { 姓名: "张三", 手机: "1" }]);
});
