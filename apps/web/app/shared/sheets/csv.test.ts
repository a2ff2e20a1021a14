import { expect, test } from "vitest";
import { csvOf } from "./csv.ts";

test("a table as CSV: figures as they are, quotes doubled, and nothing that is taken for a formula", () => {
  expect(
    csvOf([
      ["名称", "值", undefined],
      ['a "b", c', -1.5, "=1+1"],
      ["two\nlines", 0, "-x"],
    ]),
  ).toBe('\uFEFF名称,值,\r\n"a ""b"", c",-1.5,\'=1+1\r\n"two\nlines",0,\'-x\r\n');
});
