import { expect, test } from "vitest";
import { type Fillings, fill } from "../../shared/language/fill.ts";
import { blockChecks } from "./block-checks.ts";

const t = (text: string, fillings: Fillings = {}): string => fill(text, fillings);
const scene = (caption: string): string =>
  `<figure data-block="scene" data-scene="farmland"><figcaption>${caption}</figcaption></figure>`;
const textsOf = (zh: string, en: string, of?: string): string[] =>
  blockChecks({ zh, en }, t, of).map(({ text }) => text);

test("blocks are counted in both languages only where both are written", () => {
  expect(textsOf(scene("田"), "<p>Fields</p>")).toEqual(["版块都写完了", "中文有 1 个版块，英文有 0 个"]);
  // What an editor writes where nothing is written.
  expect(textsOf(scene("田"), "<p></p>")).toEqual(["版块都写完了"]);
  expect(textsOf("<p>字</p>", "")).toEqual([]);
});

test("what a block lacks is said with its language, and with what the body belongs to", () => {
  expect(textsOf(scene(""), "", "专题一")).toEqual(["专题一 · 简体中文的场景图：说明还没写"]);
});
