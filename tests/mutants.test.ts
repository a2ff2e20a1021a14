import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mutants } from "../scripts/mutants/index.ts";
import { faultsIn, mutantFaults } from "../scripts/mutants/mutant.ts";

const read = (file: string) => readFileSync(join(import.meta.dirname, "..", file), "utf8");

test("every fault that `npm run test:mutants` plants still has its place in the sources", () => {
  expect(mutants.length).toBeGreaterThan(60);
  expect(mutantFaults(mutants, read)).toEqual([]);
});

test("a fault without a place, with several, without a change or with a name that is taken is told", () => {
  const tests = { files: [] };
  const list = faultsIn("a.ts", tests, [
    ["none", "x", "y"],
    ["two", "b", "c"],
    ["same", "a", "a"],
    ["same", "a", "d"],
  ]);
  expect(mutantFaults(list, () => "a b b")).toEqual([
    "none: a.ts has its text 0 times",
    "two: a.ts has its text 2 times",
    "same: nothing is changed in a.ts",
    "same: the name is taken",
  ]);
});
