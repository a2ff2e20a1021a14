import { expect, test } from "vitest";
import { createBreather, createPace } from "./breather.ts";

test("a long computation waits once its stretch is over, and others get their turn", async () => {
  let at = 0;
  const breathe = createBreather(() => at);
  expect(breathe()).toBeUndefined();
  at = 0.9;
  expect(breathe()).toBeUndefined();
  at = 5;
  const seen: string[] = [];
  setImmediate(() => void seen.push("another"));
  await breathe();
  expect(seen).toEqual(["another"]);
  // The next stretch begins behind the wait.
  expect(breathe()).toBeUndefined();
});

test("a step is followed by a rest that is longer than it, up to a quarter of a second", async () => {
  let at = 0;
  const rests: number[] = [];
  const rest = createPace(
    1.5,
    () => at,
    async (ms) => {
      rests.push(ms);
      at += ms;
    },
  );
  at += 20;
  await rest();
  at += 7.5;
  await rest();
  at += 3000;
  await rest();
  expect(rests).toEqual([30, 12, 250]);
});
