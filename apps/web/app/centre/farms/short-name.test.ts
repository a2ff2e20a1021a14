import { expect, test } from "vitest";
import { shortName } from "./short-name.ts";

test.each([
  ["周家营商品场 洗澡间", ["周家营商品场"], "洗澡间"],
  ["1 号育肥舍 1 单元 环控器", ["周家营商品场", "1 号育肥舍", "1 单元"], "环控器"],
  [
    "Finishing house 1, unit 4, environment controller",
    ["Farm", "Finishing house 1", "Unit 4"],
    "Environment controller",
  ],
  ["Finishing house 12, fan", ["Finishing house 1"], "Finishing house 12, fan"],
  ["1 单元", ["1 单元"], "1 单元"],
  ["探头", ["周家营商品场"], "探头"],
])("%s below %s is %s", (name, above, short) => {
  expect(shortName(name, above)).toBe(short);
});
