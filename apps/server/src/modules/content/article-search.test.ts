import { expect, test } from "vitest";
import {
  correctionsOf,
  differInOne,
  excerptOf,
  formsOf,
  lexemesOf,
  searchQueryOf,
  suspectsOf,
  wordsOf,
} from "./article-search.ts";

test("Chinese is found by pairs of neighbours, alphabets by words, and places tell what stands together", () => {
  expect(lexemesOf(["最小通风，Fan 85 ℃"])).toBe("'最小':1 '小通':2 '通风':3 '风':4 'fan':6 '85':8 'c':10");
  expect(searchQueryOf("最小通风 FAN")).toBe("('最小' <-> '小通' <-> '通风') & 'fan':*");
  expect(searchQueryOf("风")).toBe("'风':*");
  expect(searchQueryOf("通风")).toBe("'通风'");
});

test("what a visitor types is never a query of its own making", () => {
  for (const hostile of ["' | 'x", "a & !b", "\\", "%", "(", "<->", "a:*|b", "''"])
    expect((searchQueryOf(hostile) ?? "").replace(/'[\p{L}\p{N}]+'(:\*)?/gu, "").replace(/ & | <-> |[()]/g, "")).toBe(
      "",
    );
  expect(searchQueryOf(" ℃—（）".replace("℃", ""))).toBeUndefined();
});

test("a word and one that differs in a single character share a form", () => {
  for (const [right, wrong] of [
    ["ammonia", "amonia"],
    ["ammonia", "ammonja"],
    ["ammonia", "ammmonia"],
    ["ammonia", "amomnia"],
    ["通风", "同风"],
    ["最小通风", "最小同风"],
  ] as const) {
    expect(differInOne(right, wrong), wrong).toBe(true);
    expect(
      formsOf(right).filter((form) => formsOf(wrong).includes(form)),
      wrong,
    ).not.toEqual([]);
  }
  for (const [a, b] of [
    ["ammonia", "ammonia"],
    ["ammonia", "amonai"],
    ["通风", "水帘"],
    ["通风", "通"],
  ] as const)
    expect([a, b, differInOne(a, b)]).toEqual([a, b, a === "通风" && b === "通"]);
});

test("what was meant keeps what is right around the wrong letter", () => {
  const candidate = (word: string, articles: number) => formsOf(word).map((form) => ({ word, articles, form }));
  const words = [
    ...candidate("最小通风", 2),
    ...candidate("同时", 90),
    ...candidate("通风", 40),
    ...candidate("ammonia", 5),
  ];
  expect(correctionsOf("最小同风", words, 3)[0]).toBe("最小通风");
  expect(correctionsOf("冬天同风", words, 3)).toContain("冬天通风");
  expect(correctionsOf("AMONIA 20", words, 3)).toEqual(["ammonia 20"]);
  expect(correctionsOf("完全别的", words, 3)).toEqual([]);
  expect(suspectsOf("85 ℃ fan")).toEqual([]);
});

test("words of a text are those that dictionaries have, and two beside each other", () => {
  expect(wordsOf(["最小通风"])).toContain("最小通风");
  expect(wordsOf(["最小通风"])).toContain("通风");
  expect(wordsOf(["The fans of 2026 run, ventilation"])).toEqual(["fans", "ventilation"]);
});

test("an excerpt shows what was found with the words around it", () => {
  const text = `${"前".repeat(80)}氨气${"后".repeat(120)}`;
  expect(excerptOf(text, "氨气")).toBe(`…${"前".repeat(36)}氨气${"后".repeat(70)}…`);
  expect(excerptOf("short ammonia text", "AMMONIA")).toBe("short ammonia text");
  expect(excerptOf("nothing", "氨气")).toBe("");
});
