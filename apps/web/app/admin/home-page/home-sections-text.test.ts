import type { HomeSection } from "@herdwise/contract";
import { expect, test } from "vitest";
import { linesOf, moved, unreadIn, withWord, wordIn } from "./home-sections-text.ts";

const section = (id: HomeSection["id"], more: Partial<HomeSection> = {}): HomeSection => ({
  id,
  shown: true,
  from: "",
  until: "",
  link: "",
  cover: "",
  words: [],
  ...more,
});
const page = [section("hero"), section("figures"), section("night")];
const idsOf = (sections: readonly HomeSection[]) => sections.map(({ id }) => id);

test("a section moves by a place; the first stays the first, and nothing leaves the page", () => {
  expect(idsOf(moved(page, 2, -1))).toEqual(["hero", "night", "figures"]);
  expect(idsOf(moved(page, 1, 1))).toEqual(["hero", "night", "figures"]);
  for (const [at, by] of [
    [0, 1],
    [1, -1],
    [2, 1],
  ] as const)
    expect(moved(page, at, by)).toBe(page);
});

test("a text is kept in its language, and gone when both are empty", () => {
  const zh = withWord(section("news"), "title", "zh", "新鲜事");
  const both = withWord(zh, "title", "en", "What is new");
  expect([wordIn(both, "title", "zh"), wordIn(both, "title", "en")]).toEqual(["新鲜事", "What is new"]);
  expect(withWord(withWord(both, "title", "zh", ""), "title", "en", "").words).toEqual([]);
});

test("a machine's mark stays while its words do, and goes when a person changes them", () => {
  const proposed = section("news", { words: [{ name: "title", zh: "新鲜事", en: "Fresh things", unreviewed: "en" }] });
  expect(unreadIn([proposed], "en")).toBe(1);
  expect(unreadIn([proposed], "zh")).toBe(0);
  expect(unreadIn([withWord(proposed, "title", "zh", "新闻")], "en")).toBe(1);
  expect(unreadIn([withWord(proposed, "title", "en", "What is new")], "en")).toBe(0);
});

test("a page is compared by its sections, their states and texts", () => {
  const t = (text: string) => text;
  const hidden = section("night", {
    shown: false,
    until: "2026-12-01 08:00:00",
    words: [{ name: "title", zh: "夜里", en: "At night" }],
  });
  expect(linesOf([section("hero"), hidden], "en", t)).toEqual([
    "1. 首屏 · 显示",
    "2. 有无平台的对比 · 隐藏 · 到 2026-12-01 08:00:00",
    "标题: At night",
  ]);
});
