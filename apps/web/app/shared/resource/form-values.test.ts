import { text } from "@herdwise/contract/resource";
import { expect, test } from "vitest";
import { fromForm } from "./form-values.ts";

test("a text is checked and sent as its field stores it", () => {
  expect(fromForm(text("负责人", { max: 30, rule: "person-name" }), "买买提•吐尔逊\u00a0")).toBe("买买提·吐尔逊");
  expect(fromForm(text("电话", { max: 20, rule: "phone" }), "+86 138 0013 8000")).toBe("13800138000");
  expect(fromForm(text("编号", { max: 20, rule: "code" }), "ＦＴ－１")).toBe("FT-1");
  expect(fromForm(text("备注", { max: 20, lines: 2 }), "一\u200b\r\n二 ")).toBe("一\n二");
  expect(fromForm(text("名称", { max: 20 }), "\u200b ")).toBe("");
});
