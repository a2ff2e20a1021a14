import { expect, test } from "vitest";
import { piecesOf } from "./whole-values.tsx";

test.each([
  ["Temperature rising fast: up 7.6 °C in 10 min (limit 2 °C)", ["up 7.6 °C", "in 10 min", "(limit 2 °C)"]],
  ["温度急升：10 分钟升了 7.6 ℃（限 2 ℃）", ["10", "7.6 ℃", "（限 2 ℃）"]],
  ["usually 20–95; lower limit 20", ["usually 20–95", "limit 20"]],
  ["Mean of the house over the day 20.0 – 21.6 °C", ["day 20.0 – 21.6 °C"]],
])("of %j stay in one piece: %j", (text, whole) => {
  const pieces = piecesOf(text);
  expect(pieces.filter((_, at) => at % 2 === 1)).toEqual(whole);
  expect(pieces.join("")).toBe(text);
});
