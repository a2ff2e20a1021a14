import { describe, expect, test } from "vitest";
import {
  bankAccountFault,
  birthdayOf,
  checkRealName,
  creditCodeFault,
  fitsLuhn,
  idCheckCharacter,
  idNumberFault,
  isDay,
  normalizeRealName,
  yearsOn,
} from "./real-name-checks.ts";

const today = "2026-03-21";

describe("ID numbers", () => {
  test("the examples of GB 11643 have their check characters", () => {
    expect(idCheckCharacter("11010519491231002")).toBe("X");
    expect(idCheckCharacter("44052418800101001")).toBe("4");
    expect(idNumberFault("11010519491231002X", today)).toBeUndefined();
  });
  test.each([
    ["11010519491231002", "real_name.id_form"],
    ["11010519491231002x", "real_name.id_form"],
    ["1101051949123100２X", "real_name.id_form"],
    ["110105194912310021", "real_name.id_check"],
    // A digit changed by one is detected.
    ["11010519491231012X", "real_name.id_check"],
    ["110105194902300028", "real_name.id_birthday"],
    // A birthday in 1880 is refused as too old.
    ["440524188001010014", "real_name.id_birthday"],
    [`11010520260322001${idCheckCharacter("11010520260322001")}`, "real_name.id_birthday"],
    [`11010520080322001${idCheckCharacter("11010520080322001")}`, "real_name.id_minor"],
  ])("%s is refused", (number, reason) => {
    expect(idNumberFault(number, today)).toBe(reason);
  });
  test("one is of age on the birthday itself", () => {
    expect(idNumberFault(`11010520080321001${idCheckCharacter("11010520080321001")}`, today)).toBeUndefined();
    expect(yearsOn("2008-02-29", "2026-02-28")).toBe(17);
    expect(yearsOn("2008-02-29", "2026-03-01")).toBe(18);
  });
  test("a birthday is a day of the calendar", () => {
    expect(birthdayOf("11010519491231002X")).toBe("1949-12-31");
    expect([isDay("2024-02-29"), isDay("2026-02-29"), isDay("2026-2-3"), isDay("")]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("unified social credit codes", () => {
  // The example of GB 32100-2015, and codes that enterprises publish on their licences.
  test.each(["91350100M000100Y43", "91440300708461136T", "91110108551385082Q"])("%s is good", (code) => {
    expect(creditCodeFault(code)).toBeUndefined();
  });
  test.each([
    ["91350100M000100Y44", "real_name.code_check"],
    ["91350100M000100Y4", "real_name.code_form"],
    ["91350100M000100YI3", "real_name.code_form"],
    ["91350100m000100y43", "real_name.code_form"],
    // Two neighbouring characters changed places.
    ["91350100M000010Y43", "real_name.code_check"],
  ])("%s is refused", (code, reason) => {
    expect(creditCodeFault(code)).toBe(reason);
  });
});

describe("accounts", () => {
  test("Luhn's examples", () => {
    expect(fitsLuhn("79927398713")).toBe(true);
    expect(fitsLuhn("4111111111111111")).toBe(true);
    expect(fitsLuhn("4111111111111112")).toBe(false);
  });
  test("a card of a company must fit, a public account has no such digit", () => {
    expect(bankAccountFault("8111000022220937")).toBeUndefined();
    expect(bankAccountFault("6222020000000000")).toBe("real_name.account_card");
    expect(bankAccountFault("6222021234567894")).toBe(
      fitsLuhn("6222021234567894") ? undefined : "real_name.account_card",
    );
    expect(bankAccountFault("1234567")).toBe("real_name.account_form");
    expect(bankAccountFault("1".repeat(31))).toBe("real_name.account_form");
  });
});

describe("an application as a whole", () => {
  const good = {
    licencePicture: "1",
    enterpriseName: "南阳市禾牧养殖有限公司",
    creditCode: "91350100M000100Y43",
    legalName: "郑有田",
    licenceUntil: "2036-03-27",
    legalIdNumber: "11010519491231002X",
    legalPhone: "13800000462",
    contactPhone: "0377-6231234".replace("-", ""),
    accountName: "南阳市禾牧养殖有限公司",
    bankName: "示例农商银行",
    branchName: "灌涨支行",
    bankCode: "402513600021",
    bankAccount: "8111000022220937",
  };
  const faults = (change: object) =>
    checkRealName("enterprise", { ...good, ...change }, today).map(({ field, reason }) => [field, reason]);
  test("a good one has no problem, the letter may be missing", () => {
    expect(faults({})).toEqual([]);
  });
  test.each([
    [{ bankCode: "40251360002" }, "bankCode", "real_name.bank_code"],
    [{ legalPhone: "12800000462" }, "legalPhone", "real_name.mobile"],
    [{ contactPhone: "6231234" }, "contactPhone", "real_name.phone"],
    [{ licenceUntil: "2026-03-20" }, "licenceUntil", "real_name.expired"],
    [{ licenceUntil: "2026-02-30" }, "licenceUntil", "real_name.date"],
    [{ legalName: "郑" }, "legalName", "real_name.name"],
    [{ legalName: "郑有田郑有田" }, "legalName", "real_name.name"],
    [{ accountName: "南阳市禾牧养殖" }, "accountName", "real_name.account_name"],
    [{ licencePicture: "" }, "licencePicture", "real_name.picture"],
    [{ bankName: "" }, "bankName", "real_name.required"],
  ])("%j", (change, field, reason) => {
    expect(faults(change)).toEqual([[field, reason]]);
  });
  test("a licence is good on its last day, and for ever without one", () => {
    expect(faults({ licenceUntil: today })).toEqual([]);
    expect(faults({ licenceUntil: "9999-12-31" })).toEqual([]);
  });
  test("what is typed loses its blanks, and codes become capitals", () => {
    expect(normalizeRealName("bankAccount", " 8111 0000-2222 0937 ")).toBe("8111000022220937");
    expect(normalizeRealName("idNumber", "11010519491231002x")).toBe("11010519491231002X");
    expect(normalizeRealName("text", "某某(南阳)公司")).toBe("某某（南阳）公司");
  });
});
