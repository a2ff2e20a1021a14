import { describe, expect, it } from "vitest";
import { pageTitle } from "./title.ts";

describe("page title", () => {
  it("adds the app's name", () => {
    expect(pageTitle("全部设备", {})).toBe("全部设备｜慧牧 Herdwise");
  });
  it("fills placeholders from params or query", () => {
    expect(pageTitle(":house :unit", { house: "2 号舍", unit: "3 单元" })).toBe("2 号舍 3 单元｜慧牧 Herdwise");
  });
  it("drops placeholders that nothing fills", () => {
    expect(pageTitle("单元 :id", {})).toBe("单元｜慧牧 Herdwise");
    expect(pageTitle(":id", {})).toBe("慧牧 Herdwise");
  });
});
