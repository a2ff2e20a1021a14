import { strFromU8, unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { pastedCells } from "./pasted-sheet.ts";
import { sheetOfCells } from "./sheet-of-cells.ts";

describe("rows that were pasted", () => {
  it("are read as sheets copy them: tabs, quotes, breaks in cells, and no empty rows", () => {
    expect(pastedCells('编号\t名称\r\nF-1\t"东岗\n二场"\r\n\t \r\nF-2\t"说 ""好"""\n')).toEqual([
      ["编号", "名称"],
      ["F-1", "东岗\n二场"],
      ["F-2", '说 "好"'],
    ]);
    expect(pastedCells(" \n\t\n")).toEqual([]);
    expect(pastedCells('a"b\tc')).toEqual([['a"b', "c"]]);
  });

  it("become a sheet whose texts are no markup and no formulas", async () => {
    const file = sheetOfCells([["名称"], ["<b>&=1+1\u0001"]], "a.xlsx");
    const parts = unzipSync(new Uint8Array(await file.arrayBuffer()));
    const sheet = strFromU8(parts["xl/worksheets/sheet1.xml"] ?? new Uint8Array());
    expect(sheet).toContain('<c t="inlineStr"><is><t xml:space="preserve">&lt;b&gt;&amp;=1+1</t></is></c>');
    expect(Object.keys(parts)).toContain("[Content_Types].xml");
  });
});
