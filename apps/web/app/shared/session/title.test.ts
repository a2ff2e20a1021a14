import { describe, expect, it } from "vitest";
import { appNameOf, pageTitle } from "./title.ts";

describe("page title", () => {
  const appName = appNameOf({ brandName: "慧牧 Herdwise", companySuffix: "" });
  it("puts the app's name behind", () => {
    expect(pageTitle("全部设备", {}, appName)).toBe("全部设备｜慧牧 Herdwise");
  });
  it("puts the company behind the brand", () => {
    const named = appNameOf({ brandName: "慧牧", companySuffix: "中原牧业" });
    expect(pageTitle("全部设备", {}, named)).toBe("全部设备｜慧牧 中原牧业");
  });
  it("fills placeholders from params or query", () => {
    expect(pageTitle(":house :unit", { house: "2 号舍", unit: "3 单元" }, appName)).toBe(
      "2 号舍 3 单元｜慧牧 Herdwise",
    );
  });
  it("drops placeholders that nothing fills", () => {
    expect(pageTitle("单元 :id", {}, appName)).toBe("单元｜慧牧 Herdwise");
    expect(pageTitle(":id", {}, appName)).toBe("慧牧 Herdwise");
  });
  it("does without a name that could not be learnt", () => {
    expect(pageTitle("登录", {}, "")).toBe("登录");
  });
});
