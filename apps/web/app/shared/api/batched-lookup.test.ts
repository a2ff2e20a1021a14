import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createBatchedLookup } from "./batched-lookup.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const whole = (keys: readonly string[]) => [keys];
const upper = (keys: readonly string[]) => keys.map((key): [string, string] => [key, key.toUpperCase()]);

test("what one moment wants goes in one request, cut as told, and listeners hear of the answer", async () => {
  const asked: (readonly string[])[] = [];
  const lookup = createBatchedLookup<string>(
    (keys) => [keys.slice(0, 2), keys.slice(2)],
    async (keys) => {
      asked.push(keys);
      return upper(keys);
    },
  );
  const heard = vi.fn();
  lookup.subscribe(heard);
  for (const key of ["a", "b", "a", "c"]) lookup.want(key);
  await vi.advanceTimersByTimeAsync(20);
  expect(asked).toEqual([["a", "b"], ["c"]]);
  expect(["a", "b", "c", "d"].map(lookup.known)).toEqual(["A", "B", "C", undefined]);
  expect(heard).toHaveBeenCalledTimes(2);
  expect(lookup.version()).toBe(2);
  lookup.want("a");
  lookup.want("d");
  await vi.advanceTimersByTimeAsync(20);
  expect(asked.slice(2)).toEqual([["d"]]);
});

test("without an answer it asks again at growing distances, once for all who want the key", async () => {
  let broken = true;
  const ask = vi.fn(async (keys: readonly string[]) => {
    if (broken) throw new Error("no network");
    return upper(keys);
  });
  const lookup = createBatchedLookup<string>(whole, ask);
  lookup.want("a");
  await vi.advanceTimersByTimeAsync(20);
  lookup.want("a");
  await vi.advanceTimersByTimeAsync(900);
  expect(ask).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(ask).toHaveBeenCalledTimes(2);
  broken = false;
  await vi.advanceTimersByTimeAsync(2000);
  expect(ask).toHaveBeenCalledTimes(3);
  expect(lookup.known("a")).toBe("A");
});

test("after the last try a key is asked for when it is wanted anew", async () => {
  let broken = true;
  const ask = vi.fn(async (keys: readonly string[]) => {
    if (broken) throw new Error("refused");
    return upper(keys);
  });
  const lookup = createBatchedLookup<string>(whole, ask);
  lookup.want("a");
  await vi.advanceTimersByTimeAsync(600_000);
  expect(ask).toHaveBeenCalledTimes(6);
  broken = false;
  lookup.want("a");
  await vi.advanceTimersByTimeAsync(20);
  expect(lookup.known("a")).toBe("A");
});
