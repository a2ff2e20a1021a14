import { describe, expect, test } from "vitest";
import { groupsOf, translateBody, translateText } from "./text-translation.ts";

const picture = "/pictures/0a0a0a0a-0000-4000-8000-000000000001/800.webp";
/** Keeps marks, and tells what it got. */
const machine = async (lines: readonly string[]) => lines.map((line) => `EN(${line})`);

describe("a body", () => {
  test("keeps its elements, addresses, code and figures, and its sentences go to the machine as wholes", async () => {
    const sent: string[] = [];
    const html = await translateBody(
      `<h2>通风</h2><p>先看<a href="/news" rel="x">这一篇</a>，<strong>再</strong>调10<sup>6</sup><code>风机A</code>。</p><table><tbody><tr><td>25 ℃</td><td>温度 &lt; 30</td></tr></tbody></table><p><img src="${picture}" alt="风机" width="800" height="600" /></p>`,
      "en",
      (lines) => {
        sent.push(...lines);
        return machine(lines);
      },
    );
    expect(sent).toEqual(["通风", "先看⟦0⟧这一篇⟦1⟧，⟦2⟧再⟦3⟧调10⟦4⟧6⟦5⟧⟦6⟧。", "温度 < 30", "风机"]);
    expect(html).toBe(
      `<h2>EN(通风)</h2><p>EN(先看<a href="/news" rel="x">这一篇</a>，<strong>再</strong>调10<sup>6</sup><code>风机A</code>。)</p><table><tbody><tr><td>25 ℃</td><td>EN(温度 &lt; 30)</td></tr></tbody></table><p><img src="${picture}" alt="EN(风机)" width="800" height="600" /></p>`,
    );
  });

  test.each([
    ["loses a mark", (line: string) => line.replace("⟦1⟧", "")],
    ["doubles a mark", (line: string) => line.replace("⟦0⟧", "⟦0⟧⟦0⟧")],
    ["closes before it opens", (line: string) => line.replace("⟦0⟧", "x").replace("⟦1⟧", "⟦0⟧").replace("x", "⟦1⟧")],
    ["makes one up", (line: string) => `${line}⟦7⟧`],
  ])("whose machine %s is translated piece by piece", async (_, spoil) => {
    const html = await translateBody('<p>前 <a href="/a">中</a>后</p>', "en", async (lines) =>
      lines.map((line) => (line.includes("⟦") ? spoil(line) : `EN(${line})`)),
    );
    expect(html).toBe('<p>EN(前) <a href="/a">EN(中)</a>EN(后)</p>');
  });

  test("a machine's markup stays text", async () => {
    const html = await translateBody("<p>字</p>", "en", async () => ["<script>alert(1)</script>"]);
    expect(html).toBe("<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>");
  });
});

describe("a text", () => {
  test("keeps its lines, the places of its values and its bars", async () => {
    const sent: string[] = [];
    const text = await translateText(
      "{time}，一台风机停了。\n85 ℃ × 8 分钟 | 每批灭菌\n200 km ｜ 12",
      "en",
      (lines) => {
        sent.push(...lines);
        return machine(lines);
      },
    );
    expect(sent).toEqual(["⟦0⟧，一台风机停了。", "85 ℃ × 8 分钟⟦0⟧每批灭菌"]);
    expect(text).toBe("EN({time}，一台风机停了。)\nEN(85 ℃ × 8 分钟 | 每批灭菌)\n200 km ｜ 12");
  });

  test("whose machine loses the place of a value is translated piece by piece", async () => {
    const text = await translateText("同样的 {heads} 头猪 & <b>", "en", async (lines) =>
      lines.map((line) => (line.includes("⟦") ? "The same pigs" : `EN(${line})`)),
    );
    expect(text).toBe("EN(同样的) {heads} EN(头猪 & <b>)");
  });
});

test("lines go in groups of what a service takes at once, in their order", () => {
  const lines = ["a".repeat(1000), "b".repeat(900), "c", "d".repeat(3000), "e"];
  expect(groupsOf(lines).map((group) => group.map(([first]) => first))).toEqual([["a"], ["b", "c"], ["d"], ["e"]]);
  expect(groupsOf([])).toEqual([]);
});
