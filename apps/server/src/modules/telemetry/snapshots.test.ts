import type { Readings } from "@herdwise/contract";
import { expect, test } from "vitest";
import { createSnapshots } from "./snapshots.ts";

const ids = (count: number, from = 0) => Array.from({ length: count }, (_, at) => String(from + at));
const readingsOf = (list: readonly string[]): Map<string, Readings> =>
  new Map(list.map((id) => [id, { a: { value: Number(id), ts: 1 } }]));

test("streams that open together are read for by one query at a time, and share what it brings", async () => {
  const asked: number[] = [];
  let atOnce = 0;
  const snapshots = createSnapshots(async (list) => {
    atOnce += 1;
    expect(atOnce).toBe(1);
    asked.push(list.length);
    await new Promise((resolve) => setTimeout(resolve, 1));
    atOnce -= 1;
    return readingsOf(list);
  });
  const opened = await Promise.all(Array.from({ length: 2000 }, () => snapshots.of(ids(50))));
  expect(asked).toEqual([50, 50]);
  expect(opened[1999]?.get("49")).toEqual({ a: { value: 49, ts: 1 } });
  expect(opened[1999]?.get("49")).toBe(opened[1]?.get("49"));

  asked.length = 0;
  await Promise.all(Array.from({ length: 100 }, (_, at) => snapshots.of(ids(100, at * 100))));
  expect(asked).toEqual([100, ...Array.from({ length: 9 }, () => 1000), 900]);
});

test("what is asked for during a query is read by the next one, and a fault is that query's alone", async () => {
  const queries: { list: readonly string[]; end: (fault?: Error) => void }[] = [];
  const snapshots = createSnapshots(
    (list) =>
      new Promise((resolve, reject) =>
        queries.push({ list, end: (fault) => (fault === undefined ? resolve(readingsOf(list)) : reject(fault)) }),
      ),
  );
  const first = snapshots.of(["1"]);
  const second = snapshots.of(["1", "2"]);
  queries[0]?.end(new Error("the database is away"));
  await expect(first).rejects.toThrow("away");
  await new Promise((resolve) => setImmediate(resolve));
  expect(queries[1]?.list).toEqual(["1", "2"]);
  queries[1]?.end();
  expect((await second).size).toBe(2);
});
