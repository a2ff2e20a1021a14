import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { repeat } from "./repeat.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("work that fails is told, and is done again after its rest", async () => {
  const told: unknown[] = [];
  const work = vi.fn(async () => {
    if (work.mock.calls.length === 1) throw new Error("once");
  });
  const end = repeat(work, 100, (error) => told.push(error));
  await vi.advanceTimersByTimeAsync(99);
  expect(work).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(101);
  expect(work).toHaveBeenCalledTimes(2);
  expect(told).toEqual([new Error("once")]);
  await end();
});

test("its end waits for the work under way, and nothing is done after it", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = vi.fn(() => promise);
  const end = repeat(work, 100, () => undefined);
  await vi.advanceTimersByTimeAsync(100);
  const ended = vi.fn();
  const ending = end().then(ended);
  await vi.advanceTimersByTimeAsync(1000);
  expect(ended).not.toHaveBeenCalled();
  resolve();
  await ending;
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toHaveBeenCalledTimes(1);
});
