import { expect, test } from "vitest";
import { rowsByParts } from "./sheet-file.ts";

const numbers = Array.from({ length: 7 }, (_, at) => at + 1);
const partAfter = async (last = 0) => numbers.filter((one) => one > last).slice(0, 3);

async function readAll<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const read: Row[] = [];
  for await (const row of rows) read.push(row);
  return read;
}

test("a list is read part by part until one is not full, and tells how far it is", async () => {
  const told: [number, number][] = [];
  const run = {
    signal: new AbortController().signal,
    progress: async (done: number, total: number) => void told.push([done, total]),
  };
  expect(await readAll(rowsByParts(run, 5, 3, partAfter))).toEqual(numbers);
  expect(told).toEqual([
    [3, 5],
    [6, 6],
    [7, 7],
  ]);
  // A full last part is followed by an empty one.
  expect(await readAll(rowsByParts(run, 7, 7, async (last = 0) => (last === 0 ? numbers : [])))).toEqual(numbers);
});

test("a job that is cancelled reads no further part", async () => {
  const stopped = new AbortController();
  const run = { signal: stopped.signal, progress: async () => stopped.abort() };
  await expect(readAll(rowsByParts(run, 7, 3, partAfter))).rejects.toThrow("aborted");
});
