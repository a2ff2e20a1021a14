import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Import, ImportRow, Page } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { sheetCalls } from "./sheets.ts";

// Sheets as people sent them, that were refused or lost cells. They lie beside this test in `inputs`.

let app: TestApp;
let token: string;
let admin: string;
beforeAll(async () => {
  app = await createTestApp();
  token = await app.logIn("farm");
  admin = await app.logIn("admin");
  const body = { regionName: "华中大区", provinces: ["41"], status: "1" };
  const added = await app.call({ method: "POST", path: "/api/muyuan-trade/region/submit", body, token: admin });
  expect(added.status, added.body.msg).toBe(200);
});
afterAll(() => app.close());

const fields = "/api/muyuan-trade/field";
const houses = "/api/muyuan-farm/house";
const units = "/api/muyuan-farm/unit";

/** The pre-check of a file and its rows with what is wrong with them. */
async function checked(base: string, name: string, by = token) {
  const calls = sheetCalls(app, base, by);
  const found = await calls.checkFile(await readFile(join(import.meta.dirname, "inputs", name)), name);
  const { records } = await calls.get<Page<ImportRow>>(`${base}/import/rows`, {
    id: found.id,
    all: "true",
    size: "100",
  });
  const problems = records.map(({ rowNumber, problems: told }): [row: number, told: string[]] => [
    rowNumber,
    told.map(({ field, reason }) => `${field} ${reason}`),
  ]);
  return { found, records, problems, calls };
}
const good = { state: "checked", rows: 1, good: 1, bad: 0 } satisfies Partial<Import>;

describe("headings are found", () => {
  test.each([
    ["plain.xlsx", 1],
    ["title-row.xlsx", 2],
    ["head-space.xlsx", 1],
    ["en-head.xlsx", 1],
    ["gbk.csv", 1],
    ["html-as-xls.xls", 1],
  ])("%s: one row, good", async (name, headerRow) => {
    const { found } = await checked(fields, name, admin);
    expect(found).toMatchObject({ ...good, changed: 0, source: { headerRow } });
  });

  test.each([
    ["hidden-first-sheet.xls", 1, "NEW-3"],
    ["chartsheet-first.xlsx", 0, "CH-1"],
  ])("%s: the visible sheet of cells is read", async (name, sheet, code) => {
    const { found, records } = await checked(houses, name);
    expect(found).toMatchObject({ ...good, source: { sheet } });
    expect(records.map(({ cells }) => cells.code)).toEqual([code]);
  });
});

describe("no cell is lost without a word", () => {
  test("formulas without a kept result are problems at their cells, and nothing is read as empty", async () => {
    const { problems, found } = await checked(fields, "formula.xlsx", admin);
    expect(problems).toEqual([
      [2, ["fieldName field.formula", "capacity field.formula"]],
      [3, ["areaMu field.formula"]],
    ]);
    expect(found.groups.map(({ text }) => text)).toContain(
      "{label}是公式，没有算出的值，请用 Excel 或 WPS 打开再保存一次",
    );
    expect((await checked(houses, "formula-nocache.xlsx")).problems).toEqual([
      [2, ["floor field.formula", "sort field.formula"]],
    ]);
  });

  test("each row of a merged region has its value", async () => {
    const { found, records } = await checked(fields, "merged-region.xlsx", admin);
    expect(found).toMatchObject({ rows: 2, good: 2 });
    expect(records.map(({ cells }) => cells.saleRegion)).toEqual(["华中大区", "华中大区"]);
  });

  test("what a program left of a failed formula or a long number is a problem in a text, too", async () => {
    const calls = sheetCalls(app, fields, admin);
    const csv = "场区编号,场区名称,所在地区\nLF-1,#REF!,411325\nLF-2,1.23457E+18,411325\n";
    const { id } = await calls.checkFile(Buffer.from(csv), "left.csv");
    const { records } = await calls.get<Page<ImportRow>>(`${fields}/import/rows`, { id, size: "10" });
    const told = records.map(({ problems }) => problems.find(({ field }) => field === "fieldName")?.reason);
    expect(told).toEqual(["field.error", "field.digits"]);
  });

  test("a number of more digits than a sheet keeps is a problem", async () => {
    const { problems } = await checked(houses, "long-number.xlsx");
    expect(problems).toEqual([
      [2, ["code field.digits"]],
      [3, ["floor field.number", "sort field.number"]],
    ]);
  });
});

describe("cells are understood, and what was changed is shown", () => {
  test("full-width signs and a phone with its country's number", async () => {
    const phone = await checked(fields, "phone-plus86.xlsx", admin);
    expect(phone.found).toMatchObject({ ...good, changed: 1 });
    expect(phone.records[0]).toMatchObject({
      cells: { contactPhone: "13900000101" },
      changes: { contactPhone: "+86 139-0000-0101" },
    });
    // The number in the file has a digit too many; the sheet without it is good.
    const wide = await checked(fields, "fullwidth.xlsx", admin);
    expect(wide.problems).toEqual([[2, ["contactPhone field.phone"]]]);
    expect(wide.records[0]).toMatchObject({ cells: { fieldCode: "TT24" }, changes: { fieldCode: "ＴＴ24" } });
    const { id, rowNumber } = { id: wide.found.id, rowNumber: 2 };
    await wide.calls.post("import/correct", { id, rowNumber, field: "contactPhone", to: "１３９０００００１１１" });
    const mended = await wide.calls.get<Page<ImportRow>>(`${fields}/import/rows`, { id, all: "true" });
    expect(mended.records[0]).toMatchObject({
      problems: [],
      cells: { contactPhone: "13900000111" },
      changes: { contactPhone: "１３９０００００１１１" },
    });
    const only = await phone.calls.get<Page<ImportRow>>(`${fields}/import/rows`, {
      id: phone.found.id,
      only: "changed",
    });
    expect(only.total).toBe(1);
  });

  test("a region by its name, alone or in full", async () => {
    const { found, records, calls } = await checked(fields, "region-name.xlsx", admin);
    expect(found).toMatchObject({ rows: 3, good: 3 });
    expect(records.map(({ cells }) => cells.regionCode)).toEqual([
      "河南省南阳市内乡县",
      "河南省南阳市内乡县",
      "411325",
    ]);
    await calls.write(found.id, "all");
    const { rows } = await app.test.database.pool.query(
      "select region_code from sale_fields where field_code in ('TT05', 'TT06', 'TT07')",
    );
    expect(rows.map((row) => row.region_code)).toEqual(["411325", "411325", "411325"]);
    await calls.post("import/undo", { id: found.id });
  });

  test("names with a middle dot, and without signs that nobody sees", async () => {
    const { found, records, problems } = await checked(fields, "rare-names.xlsx", admin);
    expect([found.bad, problems.flatMap(([, told]) => told)]).toEqual([0, []]);
    expect(records.map(({ cells }) => [cells.fieldName, cells.principal])).toEqual([
      ["𠮷林场", "买买提·吐尔逊"],
      ["猪🐷场", "张三"],
      ["AB场", "李四"],
    ]);
  });

  test("days in every form that can't be mistaken", async () => {
    const { records, problems } = await checked("/api/muyuan-system/calendar-period", "dates.xlsx", admin);
    expect(problems.filter(([, told]) => told.length > 0)).toEqual([
      [9, ["firstDay field.date"]],
      [10, ["firstDay field.date"]],
      [11, ["firstDay field.date"]],
      [12, ["firstDay field.date"]],
    ]);
    // The last is a microsecond before midnight, which a sheet shows as the next day.
    const days = records.slice(0, 7).map(({ cells }) => cells.firstDay);
    expect(days).toEqual([...Array.from({ length: 6 }, () => "2027-05-01"), "2027-05-02"]);
  });

  test("numbers with thousands, wide digits and the unit; no shares, powers or misplaced commas", async () => {
    const { problems } = await checked(units, "numbers.xlsx");
    const wrong = problems.map(([row, told]): (typeof problems)[number] => [
      row,
      told.filter((one) => !one.startsWith("houseId")),
    ]);
    expect(wrong.filter(([, told]) => told.length > 0)).toEqual([
      [3, ["capacity field.number"]],
      [6, ["capacity field.number"]],
      [7, ["capacity field.number"]],
      [8, ["averageWeightGrams field.number"]],
      [10, ["averageWeightGrams field.number"]],
      [11, ["capacity field.number"]],
      [12, ["capacity field.number"]],
      [13, ["code field.digits"]],
      [14, ["name field.digits"]],
      [15, ["averageWeightGrams field.number"]],
      // A number that is formatted as a day.
      [16, ["capacity field.number"]],
    ]);
  });
});
