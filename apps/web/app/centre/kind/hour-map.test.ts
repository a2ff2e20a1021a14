import { describe, expect, test } from "vitest";
import { evenSignal } from "./hour-map.tsx";

const hours = (...means: number[]) => means.map((mean, at): [number, number, number, number] => [at, mean, mean, mean]);

describe("the signal of a week", () => {
  test("is one sentence where its hours are alike, and a map where some differ or are weak", () => {
    expect(evenSignal(hours(-71, -68, -70))).toEqual({ from: -71, to: -68 });
    expect(evenSignal(hours(-71, -60))).toBeUndefined();
    expect(evenSignal(hours(-97, -96))).toBeUndefined();
    expect(evenSignal([])).toBeUndefined();
  });
});
