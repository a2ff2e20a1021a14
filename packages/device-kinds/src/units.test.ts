import { expect, test } from "vitest";
import { deviceKinds } from "./index.ts";
import { localUnit } from "./units.ts";

test("what is counted is singular in English after the number one alone", () => {
  expect(["头", "人", "针", "次"].map((unit) => localUnit(unit, 1).en)).toEqual(["pig", "person", "shot", ""]);
  for (const value of [0, 2, 1.5, "1", undefined]) expect(localUnit("头", value).en).toBe("pigs");
  expect(localUnit("头", 1).zh).toBe("头");
  expect(localUnit("°C", 1)).toEqual({ zh: "°C", en: "°C" });
});

test("no unit of a kind is Chinese in English", () => {
  const units = Object.values(deviceKinds).flatMap(({ channels, derived, parameters, events, analytics }) => [
    ...[...channels, ...derived, ...parameters, ...analytics].map(({ unit }) => unit),
    ...events.flatMap(({ fields }) => fields.map(({ unit }) => unit)),
  ]);
  expect(units.length).toBeGreaterThan(100);
  for (const unit of new Set(units))
    for (const value of [1, 2]) expect(localUnit(unit, value).en).not.toMatch(/[\u4e00-\u9fff]/);
});
