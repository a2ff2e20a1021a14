import { expect, test } from "vitest";
import { createSnowflake } from "./snowflake.ts";

test("ids have 19 digits, grow, and never repeat, even when the clock steps back", () => {
  let ms = Date.UTC(2026, 0, 1);
  let calls = 0;
  const next = createSnowflake(7, () => (++calls % 1000 === 0 ? ms-- : ms));
  const ids = Array.from({ length: 20_000 }, next);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => id.length === 19)).toBe(true);
  expect([...ids].sort()).toEqual(ids);
});

test("two servers that drew the same number hardly ever make the same id, even when they make one in each same millisecond", () => {
  let ms = Date.UTC(2026, 0, 1);
  const [one, other] = [createSnowflake(7, () => ms), createSnowflake(7, () => ms)];
  let met = 0;
  for (let at = 0; at < 10_000; at += 1) {
    ms += 1;
    if (one() === other()) met += 1;
  }
  // One in 2,048: about five.
  expect(met).toBeLessThan(30);
});
