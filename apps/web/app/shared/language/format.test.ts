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
