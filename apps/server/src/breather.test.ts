import { expect, test } from "vitest";
import { createBreather } from "./breather.ts";

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
