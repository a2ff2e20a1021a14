import { describe, expect, test } from "vitest";
import { blockProblem, blocksIn, curveOf, figuresOf, withBlocks } from "./article-blocks.ts";

const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td><p>${cell}</p></td>`).join("")}</tr>`;
const block = (kind: string, rest: string, { caption = "来源：<em>试验</em>", scene = "" } = {}) =>
  `<figure data-block="${kind}"${scene && ` data-scene="${scene}"`}><figcaption>${caption}</figcaption>${rest}</figure>`;
const only = (html: string) => {
  const [found] = blocksIn(html);
  if (found === undefined) throw new Error("no block was found");
  return found;
};
const table = (...rows: string[]) => `<table><tbody>${rows.join("")}</tbody></table>`;

describe("content blocks of a body", () => {
  test("are read in their order, words around them and other figures left alone", () => {
    const html = `<p>前</p>${block("scene", "", { scene: "environment" })}<figure><p>别的</p></figure>${block("case", "<p>做法</p>")}<p>后</p>`;
    expect(blocksIn(html).map(({ kind, scene, caption, rest }) => [kind, scene, caption, rest])).toEqual([
      ["scene", "environment", "来源：试验", ""],
      ["case", "", "来源：试验", "<p>做法</p>"],
    ]);
    expect(withBlocks(html, ({ kind }) => `[${kind}]`)).toBe(
      "<p>前</p>[scene]<figure><p>别的</p></figure>[case]<p>后</p>",
    );
  });

  test("a curve's numbers are read as people type them, and an empty cell is a gap", () => {
    const curve = only(
      block("curve", table(row("时间", "进口 ppm"), row("0 时", "1,234.5"), row("1 时", ""), row("2 时", "−3"))),
    );
    expect(curveOf(curve)).toEqual({
      points: ["0 时", "1 时", "2 时"],
      series: [{ name: "进口 ppm", values: [1234.5, undefined, -3] }],
    });
    expect(blockProblem(curve)).toBeUndefined();
  });

  test("rows that nobody filled are no part of a block", () => {
    expect(only(block("case", table(row("a", "b"), row(" ", "")))).rest).toBe(table(row("a", "b")));
  });

  test("figures without a name, value and condition are no figures", () => {
    const figures = only(
      block("figures", table(row("指标", "数值", "条件"), row("除氨", "92 %", "进口 30 ppm 时"), row("", "", ""))),
    );
    expect(figuresOf(figures)).toEqual([{ name: "除氨", value: "92 %", condition: "进口 30 ppm 时" }]);
    expect(blockProblem(figures)).toBeUndefined();
  });

  test.each([
    ["no caption", block("case", "<p>做法</p>", { caption: " " }), { problem: "caption" }],
    ["an unknown scene", block("scene", "", { scene: "moon" }), { problem: "scene" }],
    ["a case without words", block("case", "<p></p>"), { problem: "words" }],
    ["one point", block("curve", table(row("时间", "a"), row("0", "1"))), { problem: "points" }],
    ["no curve", block("curve", table(row("时间"), row("0"), row("1"))), { problem: "series" }],
    [
      "three curves",
      block("curve", table(row("x", "a", "b", "c"), row("0", "1", "1", "1"), row("1", "1", "1", "1"))),
      { problem: "series" },
    ],
    [
      "a word as number",
      block("curve", table(row("x", "a"), row("0", "1"), row("1", "约 2"))),
      { problem: "number", cell: "约 2" },
    ],
    [
      "a comma in the wrong place",
      block("curve", table(row("x", "a"), row("0", "1"), row("1", "1,2"))),
      { problem: "number", cell: "1,2" },
    ],
    [
      "a figure without a value",
      block("figures", table(row("指标", "数值", "条件"), row("除氨", "", "夏季"))),
      { problem: "figures" },
    ],
    ["no figure", block("figures", table(row("指标", "数值", "条件"))), { problem: "figures" }],
  ])("with %s can't be published", (_what, html, problem) => {
    expect(blockProblem(only(html))).toEqual(problem);
  });
});
