import { describe, expect, it } from "vitest";
import { createFormats } from "./format.ts";

const { fileSize } = createFormats("zh", (text) => text);

describe("sizes of files", () => {
  it.each([
    [0, "0.00 B"],
    [1023, "1,023.00 B"],
    [1024, "1.00 KB"],
    [1536, "1.50 KB"],
    [1024 ** 2 - 1, "1.00 MB"],
    [5 * 1024 ** 2, "5.00 MB"],
    [1024 ** 3, "1.00 GB"],
    [3.25 * 1024 ** 4, "3.25 TB"],
    [2048 * 1024 ** 4, "2,048.00 TB"],
  ])("%d bytes are %s", (bytes, words) => {
    expect(fileSize(bytes)).toBe(words);
  });
});

describe("numbers", () => {
  const values = [
    0, -0, 0.04, -0.04, 0.5, 1, -1, 9.995, 12.345, 999.95, 999, 1000, -1234.5, 65_432.1, 1_234_567.891, 9e14,
  ];
  it.each(["zh", "en"] as const)("in %s read as the browser's own formats write them", (language) => {
    const { number } = createFormats(language, (text) => text);
    const locale = language === "zh" ? "zh-CN" : "en-GB";
    for (const decimals of [0, 1, 2, 3]) {
      const format = new Intl.NumberFormat(locale, {
        minimumFractionDigits: decimals,
        maximumFractionDigits: decimals,
      });
      expect(values.map((value) => number(value, decimals))).toEqual(
        values.map((value) => format.format(Number(value.toFixed(decimals)) + 0)),
      );
    }
    expect([number(Number.NaN), number(Number.POSITIVE_INFINITY), number(2e15)]).toEqual([
      "NaN",
      "∞",
      "2,000,000,000,000,000",
    ]);
  });
});
