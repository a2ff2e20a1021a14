import { endpoints } from "@herdwise/contract";
import { expect, test } from "vitest";
import { namedOperations, operationWords } from "./operation-words.ts";

test("each operation that a session can change data by is called by short words in both languages", () => {
  const names = namedOperations();
  expect(names.length).toBeGreaterThan(500);
  expect(names.filter((name) => operationWords(name) === undefined)).toEqual([]);
  for (const name of names) {
    const { zh = "", en = "" } = operationWords(name) ?? {};
    expect([name, /[\u4e00-\u9fff]/.test(zh), zh.length <= 24]).toEqual([name, true, true]);
    expect([name, /^[ -~–’]+$/.test(en), en.length <= 60]).toEqual([name, true, true]);
  }
  expect(endpoints.mallLoginCode).toBeDefined();
  expect(operationWords("mallLoginCode")).toEqual({ zh: "跳转商城登录", en: "Log in to the mall" });
  expect(operationWords("sale_order_load")?.zh).toBe("生猪订单：开始装车");
});
