import { expect, test } from "vitest";
import { pageNameOf } from "./page-names.ts";

test("screens and pages of the site have their names, whatever follows; others have none", () => {
  expect(
    [
      "/system/user",
      "/system/user/",
      "/system/user/import",
      "/index",
      "/solution/evc",
      "/passport/:id",
      "/wp-admin",
    ].map(pageNameOf),
  ).toEqual(["用户管理", "用户管理", "用户管理", "首页", "解决方案", "猪只护照", undefined]);
});
