import { expect, test } from "vitest";
import { decimalsOfAll, isSentLater, shortest } from "./report-words.ts";

test("the values of a column have the same decimals, by the largest of them", () => {
  expect(
    [[96, 95.3, undefined], [0.9, 1.2], [0.04, 0.31], [100, 47.9], [812.4, 3.5], [3, 0], []].map(decimalsOfAll),
  ).toEqual([1, 1, 2, 1, 0, 0, 0]);
});

test("what falls short most is named first, three at most", () => {
  const device = (deviceId: string, value: number) => ({
    deviceId,
    deviceName: deviceId,
    place: "",
    results: [{ id: "session_coverage", value, count: 1 }],
  });
  const devices = [device("a", 90), device("b", 5), device("c", 99), device("d", 97), device("e", 50)];
  expect(shortest({ kinds: [{ kind: "needleless", devices }] }).map(({ place }) => place)).toEqual(["b", "e", "a"]);
});

test("figures that are whole although their device was offline were sent afterwards", () => {
  const hour = 3_600_000;
  const report = (value: number) => ({
    from: 0,
    to: 24 * hour,
    kinds: [
      {
        kind: "environment" as const,
        devices: [
          { deviceId: "a", deviceName: "a", place: "", results: [{ id: "report_completeness", value, count: 288 }] },
        ],
      },
    ],
  });
  const late = (value: number) => isSentLater(report(value), "a", 13 * 3600);
  expect([late(100), late(46), late(60)]).toEqual([true, false, false]);
  expect(isSentLater(report(100), "b", 13 * 3600)).toBe(false);
});
