import { expect, it } from "vitest";
import { batchesOf } from "./translations.ts";

it("cuts texts into requests of a length that the call takes, and loses none", () => {
  expect(batchesOf([])).toEqual([]);
  expect(batchesOf(["ab", "cd", "ef"], 6)).toEqual([["ab", "cd"], ["ef"]]);
  const texts = Array.from({ length: 2000 }, (_, at) => `第 ${at} 栋`);
  const batches = batchesOf(texts);
  expect(batches.flat()).toEqual(texts);
  expect(Math.max(...batches.map((batch) => batch.join("\n").length))).toBeLessThanOrEqual(5000);
});
