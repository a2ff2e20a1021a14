import { readFileSync } from "node:fs";
import { type HomeWord, homePoints, homeWords, isHomeLink } from "@herdwise/contract";
import { expect, test } from "vitest";
import { homeText } from "./home-text.ts";

const english = JSON.parse(readFileSync(new URL("../../public/i18n/i18n_en.json", import.meta.url), "utf8")) as Record<
  string,
  string
>;

test("a section says what editors wrote, and what it says by itself where they wrote nothing", () => {
  const text = homeText({ id: "night", words: [{ name: "title", text: "{time} 出事了" }] }, "zh", "慧牧");
  expect(text("title", { time: "02:13" })).toBe("02:13 出事了");
  expect(text("text", { heads: "480", minutes: 4 })).toContain("480 头猪");
  expect(homeText({ id: "night", words: [] }, "en", "Herdwise")("title", { time: "02:13" })).toBe(
    "At 02:13 a fan stopped.",
  );
  expect(homeText({ id: "feature1", words: [] }, "en", "Herdwise")("title")).toBe("");
});

test("the standard texts are those of the dictionary", () => {
  const words: readonly HomeWord[] = Object.values(homeWords).flat();
  for (const { zh, en, max, maxEn } of words) {
    expect(en).toBe(zh === "" ? "" : english[zh]);
    expect(zh.length).toBeLessThanOrEqual(max);
    expect(en.length).toBeLessThanOrEqual(maxEn);
  }
});

test("points are lines of a figure and what it is, four at most", () => {
  expect(homePoints("85 ℃ | 灭菌\n\n 200 km｜直供 \n只有一句\n四\n五")).toEqual([
    { figure: "85 ℃", what: "灭菌" },
    { figure: "200 km", what: "直供" },
    { figure: "只有一句", what: "" },
    { figure: "四", what: "" },
  ]);
});

test.each([
  ["/solution/wisdom", true],
  ["/index#market", true],
  ["#market", true],
  ["https://example.com/a", true],
  ["//example.com", false],
  ["/\\example.com", false],
  ["http://example.com", false],
  ["javascript:alert(1)", false],
  ["https:///", false],
  ["/a b", false],
])("whether a section may lead to %s: %s", (link, may) => {
  expect(isHomeLink(link)).toBe(may);
});
