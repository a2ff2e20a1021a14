import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { translate } from "./dictionary.ts";

const english = JSON.parse(readFileSync("apps/web/public/i18n/i18n_en.json", "utf8")) as Record<string, string>;

it("translates what the server says with a name in it, and the names that have a translation", () => {
  const request = "陈晓 申请开通“全部设备”（device_all）。同意的话，请在其角色中勾选这个菜单，或换一个角色。";
  expect(translate(english, request)).toMatch(/^陈晓 .*All devices.*device_all/);
});

it("leaves everything else, and everything in Chinese, as it is", () => {
  expect(translate(english, "当前用户 [] 已存在!")).toBe("当前用户 [] 已存在!");
  expect(translate(english, "周家营")).toBe("周家营");
  expect(translate({}, "当前用户 [farm] 已存在!")).toBe("当前用户 [farm] 已存在!");
});
