import { deviceKinds, type Verdict, type VerdictRange, verdictOf } from "@herdwise/device-kinds";
import { describe, expect, test } from "vitest";
import { figureLimit } from "./figure-limit.ts";
import { shownFiguresOf } from "./shown-figures.ts";

const wrong = (...keys: string[]) => ({ problems: keys.map((key) => ({ key }) as Verdict) });

describe("figures of a table", () => {
  const figures = ["removal", "in", "out", "ph", "ec", "dp"];
  test.each([
    ["the first four while nothing is wrong", [wrong()], ["removal", "in", "out", "ph"]],
    [
      "what is wrong at one device instead of the last that is well",
      [wrong(), wrong("dp")],
      ["removal", "in", "out", "dp"],
    ],
    ["in the order of the kind, whatever is worse", [wrong("dp", "ph"), wrong("ec")], ["removal", "ph", "ec", "dp"]],
    ["what is wrong and no figure of the kind has no column", [wrong("rssi")], ["removal", "in", "out", "ph"]],
  ])("%s", (_name, devices, shown) => {
    expect(shownFiguresOf(figures, devices)).toEqual(shown);
  });
});

describe("the limit that a tile's bar reaches to", () => {
  const of = (range: VerdictRange) => ({ verdictOf: () => ({ range }) as Verdict });
  test.each([
    ["the limit", { usual: [0, 3], high: 5 }, 5],
    ["the usual end without a limit", { usual: [0, 3] }, 3],
    ["none for a value that may be too low as well", { low: 10, high: 20 }, undefined],
    ["none for a usual range that begins above 0", { usual: [60, 100] }, undefined],
    ["none where the animals' comfort counts", { comfort: [18, 22], high: 30 }, undefined],
    ["none without a range", {}, undefined],
  ] as const satisfies readonly (readonly [string, VerdictRange, number | undefined])[])(
    "%s",
    (_name, range, limit) => {
      expect(figureLimit(deviceKinds.cough, of(range))).toBe(limit);
    },
  );

  test("herd temperature has the share of fever that its rules name", () => {
    const kind = deviceKinds.temperature;
    const judged = { verdictOf: (key: string) => verdictOf(kind, key, { fever_share: 1 }, { ageS: 0 }) };
    expect(figureLimit(kind, judged)).toBe(3);
  });
});
