import { describe, expect, test } from "vitest";
import {
  isPersonName,
  mobilePhonePattern,
  normalizePersonName,
  normalizePhone,
  phonePattern,
  plainText,
} from "./plain-text.ts";
import { checkField, normalizeText, text } from "./resource/index.ts";

describe("plain texts", () => {
  test.each([
    ["  示例 \u00a0\u3000", "示例"],
    ["示\u200b例\u200d\ufeff", "示例"],
    ["\u202e示例\u202c\u2066\u2069\u061c", "示例"],
    ["示\u00ad例\u2060", "示例"],
    ["一\u00a0二\u3000三\t四", "一 二 三 四"],
    ["e\u0301", "\u00e9"],
    ["\u200b\u200f \u3000", ""],
    ["\u200b 例", "例"],
  ])("%j is stored as %j", (typed, stored) => {
    expect(plainText(typed)).toBe(stored);
  });
  test("a text of several lines keeps its lines and what indents them", () => {
    expect(plainText("一\r\n\u3000\u3000二\u200b\r三\n", { lines: true })).toBe("一\n\u3000\u3000二\n三");
  });
});

describe("names of people", () => {
  test.each([
    ["王强", "王强"],
    ["欧阳修远文", "欧阳修远文"],
    ["王\u200b强 ", "王强"],
    ["\u00a0王强\u3000", "王强"],
    ["王\u3000强", "王强"],
    ["买买提·吐尔逊", "买买提·吐尔逊"],
    ["买买提•吐尔逊", "买买提·吐尔逊"],
    ["买买提.吐尔逊", "买买提·吐尔逊"],
    ["买买提．吐尔逊", "买买提·吐尔逊"],
    ["买买提・吐尔逊", "买买提·吐尔逊"],
    ["买买提 ‧ 吐尔逊", "买买提·吐尔逊"],
    ["古丽努尔·阿卜杜热西提·买合木提", "古丽努尔·阿卜杜热西提·买合木提"],
    ["Li", "Li"],
    ["ＡＮＮＡ", "ANNA"],
    ["Anna  B. Berg", "Anna B. Berg"],
    ["J.R. Smith", "J.R. Smith"],
    ["Jean-Luc O’Brien", "Jean-Luc O’Brien"],
    ["John Smith Jr.", "John Smith Jr."],
    ["José", "José"],
    ["王Anna", "王Anna"],
    [`A${"b".repeat(29)}`, `A${"b".repeat(29)}`],
    ["𠮷田", "𠮷田"],
  ])("%j is the name %j", (typed, stored) => {
    expect(normalizePersonName(typed)).toBe(stored);
    expect(isPersonName(stored)).toBe(true);
    expect(normalizePersonName(stored)).toBe(stored);
  });
  test.each([
    "",
    "王",
    "六个字的名字",
    "A",
    "\u200b\u200b\u200b",
    "\u202e\u202d",
    "··",
    "·买买提",
    "买买提·",
    "买买提··吐尔逊",
    "王强1",
    "王-强",
    "138****0000",
    "<b>王强</b>",
    "王\n强",
    "\u0301\u0301",
    "Иван Петров",
    `A${"b".repeat(30)}`,
  ])("%j is no name", (typed) => {
    expect(isPersonName(normalizePersonName(typed))).toBe(false);
  });
});

describe("phones", () => {
  test.each([
    ["13800138000", "13800138000"],
    ["+86 138 0013 8000", "13800138000"],
    ["138 0013 8000", "13800138000"],
    ["+86 139-0000-0101", "13900000101"],
    ["0086 13900000101", "13900000101"],
    ["8613900000101", "13900000101"],
    ["(+86) 139 0000 0101", "13900000101"],
    ["１３８００１３８０００", "13800138000"],
    ["138\u200b0013\u00a08000\u202c", "13800138000"],
    ["138–0013–8000", "13800138000"],
    ["400-800-1234", "400-800-1234"],
    ["400 800 1234", "4008001234"],
    ["400—800—1234", "400-800-1234"],
    ["0377-6231234", "0377-6231234"],
    ["(0377) 6231234", "0377-6231234"],
    ["（0377）6231234－801", "0377-6231234-801"],
  ])("%j is stored as %j", (typed, stored) => {
    expect(normalizePhone(typed)).toBe(stored);
    expect(stored).toMatch(phonePattern);
    expect(normalizePhone(stored)).toBe(stored);
  });
  test.each(["12800138000", "+1 138 0013 8000", "138001380001", "123-12345678", "", "138****8000"])(
    "%j is none",
    (typed) => {
      expect(normalizePhone(typed)).not.toMatch(phonePattern);
    },
  );
  test("a mobile number has eleven digits, the second from 3 on", () => {
    expect("13800138000").toMatch(mobilePhonePattern);
    for (const number of ["1380013800", "138001380001", "12800138000", "0377-6231234", "400-800-1234"])
      expect(number).not.toMatch(mobilePhonePattern);
  });
  test("a masked number stays as it is", () => {
    expect(normalizePhone("138****8000")).toBe("138****8000");
  });
});

test("every rule stores its own form", () => {
  const field = (options: Partial<Parameters<typeof text>[1]>) => text("字段", { max: 40, ...options });
  const stored = (options: Partial<Parameters<typeof text>[1]>, value: string) => normalizeText(field(options), value);
  expect(stored({ rule: "person-name" }, "买买提•吐尔逊 ")).toBe("买买提·吐尔逊");
  expect(stored({ rule: "mobile" }, "+86 138 0013 8000")).toBe("13800138000");
  expect(stored({ rule: "phone" }, "400－800－1234")).toBe("400-800-1234");
  expect(stored({ rule: "email" }, "ｎａｍｅ＠example.cn\u200b")).toBe("name@example.cn");
  expect(stored({ rule: "code" }, " ＦＴ－１ ")).toBe("FT-1");
  expect(stored({ rule: "time-ranges" }, "08：30－12：00")).toBe("08:30-12:00");
  expect(stored({}, "全角（１）\u3000后\u200b面 ")).toBe("全角（１） 后面");
  expect(stored({ lines: 3 }, "一\r\n二\u200b ")).toBe("一\n二");
  expect(checkField("contact", field({ rule: "person-name" }), "六个字的名字")?.reason).toBe("field.person_name");
  expect(checkField("contact", field({ rule: "person-name" }), "买买提·吐尔逊")).toBeUndefined();
});
