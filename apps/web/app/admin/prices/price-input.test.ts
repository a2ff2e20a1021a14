import { expect, test } from "vitest";
import { readPrice } from "./price-input.ts";

test.each([
  ["14.52", 1452],
  [" 14.5 ", 1450],
  ["15", 1500],
  ["=", 1400],
  ["+0.06", 1406],
  ["-0.1", 1390],
  ["−0.1", 1390],
])("%s is a price", (text, fen) => expect(readPrice(text, 1400)).toEqual({ kind: "price", fen }));

test.each(["142", "2.99", "60.01", "14.525", "1e1", "abc", "=1", "--1", "+50", "=HYPERLINK()"])("%s is none", (text) =>
  expect(readPrice(text, 1400)).toEqual({ kind: "wrong" }),
);

test("nothing typed is nothing, and steps need a price before", () => {
  expect(readPrice(" ", 1400)).toEqual({ kind: "empty" });
  expect(readPrice("=", undefined)).toEqual({ kind: "wrong" });
  expect(readPrice("+0.1", undefined)).toEqual({ kind: "wrong" });
});
