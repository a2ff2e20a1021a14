import { expect, test } from "vitest";
import { freeHeads, type HeldTerm, judgeTerms, type TermWish, termPrice } from "./price-term-rules.ts";
import { termClause } from "./price-term-text.ts";

const term = (id: string, more: Partial<HeldTerm> = {}): HeldTerm => ({
  id,
  number: `HT-2026-0001-${id}`,
  category: "outer",
  field: "",
  saleRegion: "",
  place: "",
  fromKg: 100,
  toKg: 120,
  kind: "fixed",
  fen: 1420,
  heads: 1000,
  fromDay: "2026-03-01",
  toDay: "2026-03-31",
  ended: false,
  used: 0,
  waiting: 0,
  ...more,
});
const wish = (more: Partial<TermWish> = {}): TermWish => ({
  category: "outer",
  field: "f",
  saleRegion: "north",
  fromKg: 110,
  toKg: 120,
  day: "2026-03-10",
  heads: 100,
  ...more,
});
const chosen = (terms: readonly HeldTerm[], more: Partial<TermWish> = {}): string => {
  const judged = judgeTerms(wish(more), terms);
  return "term" in judged ? judged.term.id : `${judged.refusal} ${judged.nearest?.id ?? ""}`.trim();
};

test.each<[what: string, terms: readonly HeldTerm[], more: Partial<TermWish>, chosen: string]>([
  ["no term", [], {}, "none"],
  ["one that is for it", [term("1")], {}, "1"],
  ["an ended contract", [term("1", { ended: true })], {}, "ended 1"],
  ["an ended one beside one in force", [term("1", { ended: true }), term("2")], {}, "2"],
  ["another category", [term("1", { category: "sow" })], {}, "category 1"],
  ["another field", [term("1", { field: "g" })], {}, "place 1"],
  ["another region", [term("1", { saleRegion: "south" })], {}, "place 1"],
  ["a region, and a field without one", [term("1", { saleRegion: "north" })], { saleRegion: "" }, "place 1"],
  ["lighter pigs", [term("1")], { fromKg: 99 }, "weight 1"],
  ["heavier pigs", [term("1")], { toKg: 121 }, "weight 1"],
  ["the bounds of the weight", [term("1")], { fromKg: 100, toKg: 120 }, "1"],
  ["the day before the period", [term("1")], { day: "2026-02-28" }, "period 1"],
  ["the day after the period", [term("1")], { day: "2026-04-01" }, "period 1"],
  ["the first day", [term("1")], { day: "2026-03-01" }, "1"],
  ["the last day", [term("1")], { day: "2026-03-31" }, "1"],
  ["the last heads", [term("1", { used: 800, waiting: 100 })], { heads: 100 }, "1"],
  ["a head too many", [term("1", { used: 800, waiting: 100 })], { heads: 101 }, "used 1"],
  ["heads that are counted already", [term("1", { used: 900, waiting: 100 })], { heads: 100, counted: 100 }, "1"],
  ["the one with room for all", [term("1", { used: 950 }), term("2", { toDay: "2026-12-31" })], {}, "2"],
  ["the most room is told", [term("1", { used: 990 }), term("2", { used: 950 })], {}, "used 2"],
  ["the field's own before the region's", [term("1", { saleRegion: "north" }), term("2", { field: "f" })], {}, "2"],
  ["the one that ends first", [term("1", { toDay: "2026-05-31" }), term("2")], {}, "2"],
  ["the older of two alike", [term("10"), term("9")], {}, "9"],
])("%s", (_what, terms, more, expected) => {
  expect(chosen(terms, more)).toBe(expected);
});

test("what is free is never below zero", () => {
  expect(freeHeads({ heads: 100, used: 90, waiting: 4 })).toBe(6);
  expect(freeHeads({ heads: 100, used: 90, waiting: 40 })).toBe(0);
});

test("a price is the term's own, or the board's with the difference where it is a price at all", () => {
  expect(termPrice({ kind: "fixed", fen: 1420 }, 1999)).toBe(1420);
  expect(termPrice({ kind: "board", fen: -35 }, 1465)).toBe(1430);
  expect(termPrice({ kind: "board", fen: 20 }, null)).toBeUndefined();
  expect(termPrice({ kind: "board", fen: -200 }, 450)).toBeUndefined();
});

test("the clause says each term in both languages", () => {
  const terms = [term("1", { place: "周家营商品场" }), term("2", { kind: "board", fen: -20, heads: 12_000 })];
  expect(termClause(terms, "zh", (day) => day)).toEqual({
    heading: "价格条款",
    body: [
      "（1）外三元商品猪，周家营商品场，均重 100 至 120 kg：每公斤 14.20 元；数量 1,000 头，装车日自 2026-03-01起，至 2026-03-31止。",
      "（2）外三元商品猪，各场区，均重 100 至 120 kg：按申报当日平台公布的行情价减 0.20 元，每公斤计；数量 12,000 头，装车日自 2026-03-01起，至 2026-03-31止。",
    ].join("\n"),
  });
  expect(termClause(terms, "en", (day) => day)?.body).toBe(
    [
      "(1) imported three-way pigs, 周家营商品场, mean weight 100 to 120 kg: CNY 14.20 per kg; 1,000 heads, loaded from 2026-03-01 to 2026-03-31.",
      "(2) imported three-way pigs, any field, mean weight 100 to 120 kg: the price that the platform published for the day of the order less CNY 0.20 per kg; 12,000 heads, loaded from 2026-03-01 to 2026-03-31.",
    ].join("\n"),
  );
  expect(termClause([], "zh", (day) => day)).toBeUndefined();
});
