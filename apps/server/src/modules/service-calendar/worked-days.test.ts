import { expect, test } from "vitest";
import { createWorkedDays, shownDays } from "./worked-days.ts";

test("the calendar is read once a minute and day, and again after a failure", async () => {
  let nowMs = Date.parse("2026-12-01T15:59:30Z");
  let reads = 0;
  let fails = false;
  const workedDays = createWorkedDays(
    {
      workedDays: (at, count) => {
        reads += 1;
        if (fails) return Promise.reject(new Error("no database"));
        return Promise.resolve(
          Array.from({ length: count }, (_, ahead) => ({ day: "", worked: at.getTime() === nowMs && ahead > 0 })),
        );
      },
    },
    () => nowMs,
  );
  expect(await workedDays()).toEqual([false, ...Array.from({ length: shownDays - 1 }, () => true)]);
  nowMs += 20_000;
  await workedDays();
  expect(reads).toBe(1);
  // Midnight in Shanghai: another day is the first.
  nowMs += 10_000;
  await workedDays();
  expect(reads).toBe(2);
  nowMs += 60_000;
  fails = true;
  await expect(workedDays()).rejects.toThrow("no database");
  fails = false;
  await workedDays();
  expect(reads).toBe(4);
});
