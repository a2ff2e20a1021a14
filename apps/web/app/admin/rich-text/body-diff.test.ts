import { expect, test } from "vitest";
import { blocksOf, compareBodies } from "./body-diff.ts";

test("a body is its paragraphs, headings, points and cells, without markup", () => {
  expect(
    blocksOf(
      "<h2>先看昼夜差</h2><p>白天 <strong>22 ℃</strong> &amp; 夜里，10<sup>6</sup></p><ul><li>一</li><li>二</li></ul><p> </p>",
    ),
  ).toEqual(["先看昼夜差", "白天 22 ℃ & 夜里，10⁶", "一", "二"]);
});

test("what was changed in a paragraph is told by its characters, what came or went as a whole", () => {
  const before = "<p>夜里 10 ℃ 的日子，连降两档。</p><p>可以适当提前升温。</p>";
  const after = "<p>夜里 8 ℃ 的日子，连降三档。</p><p>夜里不冲栏，也不换料，先看仔猪躺得散不散。</p>";
  const compared = compareBodies(before, after);
  expect(compared[0]).toEqual([
    { kind: "same", text: "夜里 " },
    { kind: "removed", text: "10" },
    { kind: "added", text: "8" },
    { kind: "same", text: " ℃ 的日子，连降" },
    { kind: "removed", text: "两" },
    { kind: "added", text: "三" },
    { kind: "same", text: "档。" },
  ]);
  expect(compared.slice(1).map((parts) => parts.map(({ kind }) => kind))).toEqual([["removed"], ["added"]]);
});

test("equal bodies differ nowhere, and a body against none is all new", () => {
  expect(
    compareBodies("<p>一</p><p>二</p>", "<p>一</p><p>二</p>")
      .flat()
      .map(({ kind }) => kind),
  ).toEqual(["same", "same"]);
  expect(compareBodies("", "<p>一</p>")).toEqual([[{ kind: "added", text: "一" }]]);
});

test("a picture that came, went or got other words is a difference", () => {
  const picture = (id: string, alt: string) =>
    `<img src="/pictures/${id}-0000-4000-8000-000000000000/960.webp" alt="${alt}" width="960" height="540">`;
  const kinds = (before: string, after: string) =>
    compareBodies(before, after)
      .flat()
      .map(({ kind }) => kind);
  expect(kinds("<p>一</p>", `<p>一</p>${picture("00000001", "风机")}`)).toEqual(["same", "added"]);
  expect(kinds(picture("00000001", "风机"), picture("00000002", "风机"))).not.toEqual(["same"]);
  expect(kinds(picture("00000001", "风机"), picture("00000001", "湿帘"))).not.toEqual(["same"]);
  expect(kinds(picture("00000001", "风机"), picture("00000001", "风机"))).toEqual(["same"]);
});
