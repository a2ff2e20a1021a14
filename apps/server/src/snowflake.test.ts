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
