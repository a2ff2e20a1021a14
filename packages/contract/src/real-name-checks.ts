/**
 * Identity checks that both the forms and the server run: plain functions without schemas, which keeps the browser's code
 * small.
 */

import {
  isPersonName,
  mobilePhonePattern,
  narrowText,
  normalizePersonName,
  normalizePhone,
  phonePattern,
  plainText,
} from "./plain-text.ts";

export const realNameKinds = ["personal", "enterprise"] as const;
/** Subject of an application: a person, or an enterprise with its legal representative. */
export type RealNameKind = (typeof realNameKinds)[number];

/** Every item of both kinds, in the order in which they are asked for. */
export const realNameFields = [
  "personName",
  "idNumber",
  "licencePicture",
  "enterpriseName",
  "creditCode",
  "legalName",
  "licenceUntil",
  "letterPicture",
  "legalIdNumber",
  "legalPhone",
  "contactPhone",
  "accountName",
  "bankName",
  "branchName",
  "bankCode",
  "bankAccount",
] as const;
export type RealNameField = (typeof realNameFields)[number];

/** Form of an item's content, which decides how it is checked, masked and typed. */
export type RealNameForm =
  | "name"
  | "text"
  | "idNumber"
  | "creditCode"
  | "phone"
  | "bankCode"
  | "bankAccount"
  | "date"
  | "picture";

export interface RealNameItemRule {
  field: RealNameField;
  /** Chinese, a key of the translations. */
  label: string;
  form: RealNameForm;
  /** Section of the form. */
  part: "person" | "licence" | "legal" | "bank";
  optional?: true;
}

/** Items of each kind of application (product.md 3). */
export const realNameItems: Readonly<Record<RealNameKind, readonly RealNameItemRule[]>> = {
  personal: [
    { field: "personName", label: "姓名", form: "name", part: "person" },
    { field: "idNumber", label: "身份证号", form: "idNumber", part: "person" },
  ],
  enterprise: [
    { field: "licencePicture", label: "营业执照", form: "picture", part: "licence" },
    { field: "enterpriseName", label: "企业名称", form: "text", part: "licence" },
    { field: "creditCode", label: "统一社会信用代码", form: "creditCode", part: "licence" },
    { field: "legalName", label: "法定代表人", form: "name", part: "licence" },
    { field: "licenceUntil", label: "营业期限到", form: "date", part: "licence" },
    { field: "letterPicture", label: "盖章授权书", form: "picture", part: "licence", optional: true },
    { field: "legalIdNumber", label: "法人身份证号", form: "idNumber", part: "legal" },
    { field: "legalPhone", label: "法人手机", form: "phone", part: "legal" },
    { field: "contactPhone", label: "联系电话", form: "phone", part: "legal" },
    { field: "accountName", label: "开户名", form: "text", part: "bank" },
    { field: "bankName", label: "开户行", form: "text", part: "bank" },
    { field: "branchName", label: "支行", form: "text", part: "bank" },
    { field: "bankCode", label: "联行号", form: "bankCode", part: "bank" },
    { field: "bankAccount", label: "对公账号", form: "bankAccount", part: "bank" },
  ],
};

/** End date of a licence without an end. */
export const licenceWithoutEnd = "9999-12-31";

/** Rules that an item can break, with their Chinese texts, keys of the translations; forms and server use the same. */
export const realNameRules = {
  "real_name.required": "请填写{label}",
  "real_name.picture": "请上传{label}",
  "real_name.name": "{label}为 2 到 5 个汉字；有间隔号（·）或字母的为 2 到 30 个字符",
  "real_name.text": "{label}为 2 到 100 个字",
  "real_name.id_form": "身份证号为 18 位，最后一位是数字或 X；现在是 {count} 位",
  "real_name.id_birthday": "第 7 到 14 位不是有效的出生日期",
  "real_name.id_check": "最后一位校验不符，请核对",
  "real_name.id_minor": "未满 18 岁不能认证",
  "real_name.last_six": "与身份证号的后 6 位不一致",
  "real_name.code_form": "信用代码为 18 位数字和大写字母，不含 I、O、S、V、Z；现在是 {count} 位",
  "real_name.code_check": "最后一位校验不符，请对照执照核对",
  "real_name.mobile": "请输入正确的手机号",
  "real_name.phone": "请输入正确的电话号码",
  "real_name.bank_code": "联行号为 12 位数字",
  "real_name.account_form": "账号为 8 到 30 位数字",
  "real_name.account_card": "卡号校验不符，请核对",
  "real_name.account_name": "开户名要与企业名称一样",
  "real_name.date": "请选择营业期限的最后一天",
  "real_name.expired": "营业执照已过期，请先换新执照",
  "real_name.not_returned": "这一项没有被退回，不能改",
  "real_name.same_value": "这一项还没有改",
  "real_name.no_file": "图片没有传好，请重新上传",
} as const;
export type RealNameRule = keyof typeof realNameRules;

/** The problem of one item, in the form of `Problem`. */
export interface RealNameProblem {
  field: string;
  reason: RealNameRule;
  text: string;
  values: Readonly<Record<string, string | number>>;
}

const ruleOf = (kind: RealNameKind, field: string): RealNameItemRule | undefined =>
  realNameItems[kind].find((item) => item.field === field);

/** Makes the problem of an item. */
export function realNameProblem(
  kind: RealNameKind,
  field: string,
  reason: RealNameRule,
  values: Readonly<Record<string, string | number>> = {},
): RealNameProblem {
  const label = ruleOf(kind, field)?.label ?? "";
  return { field, reason, text: realNameRules[reason], values: { label, ...values } };
}

const idWeights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const idCheckCharacters = "10X98765432";

/** The last character of an ID number (GB 11643-1999, ISO 7064 MOD 11-2). @param digits its first 17 digits */
export function idCheckCharacter(digits: string): string {
  const sum = idWeights.reduce((total, weight, at) => total + weight * Number(digits[at]), 0);
  return idCheckCharacters[sum % 11] ?? "";
}

/** Whether a text `yyyy-MM-dd` is a day of the calendar. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text;
}

/** Birthday in an ID number, `yyyy-MM-dd`; "" when there is none. */
export function birthdayOf(idNumber: string): string {
  const day = `${idNumber.slice(6, 10)}-${idNumber.slice(10, 12)}-${idNumber.slice(12, 14)}`;
  return isDay(day) && day >= "1900-01-01" ? day : "";
}

/**
 * Age in completed years on a day.
 * @param birthday and day as `yyyy-MM-dd`
 */
export const yearsOn = (birthday: string, day: string): number =>
  Number(day.slice(0, 4)) - Number(birthday.slice(0, 4)) - (day.slice(5) < birthday.slice(5) ? 1 : 0);

/** Rule that an ID number of 18 characters breaks; undefined for a good one. @param today `yyyy-MM-dd` */
export function idNumberFault(text: string, today: string): RealNameRule | undefined {
  if (!/^\d{17}[\dX]$/.test(text)) return "real_name.id_form";
  const birthday = birthdayOf(text);
  if (birthday === "" || birthday > today) return "real_name.id_birthday";
  if (idCheckCharacter(text) !== text[17]) return "real_name.id_check";
  return yearsOn(birthday, today) < 18 ? "real_name.id_minor" : undefined;
}

const codeCharacters = "0123456789ABCDEFGHJKLMNPQRTUWXY";
const codeWeights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28];

/** The last character of a unified social credit code (GB 32100-2015). @param code its first 17 characters */
export function creditCheckCharacter(code: string): string {
  const sum = codeWeights.reduce((total, weight, at) => total + weight * codeCharacters.indexOf(code[at] ?? ""), 0);
  return codeCharacters[(31 - (sum % 31)) % 31] ?? "";
}

/** Rule that a credit code breaks; undefined for a good one. */
export function creditCodeFault(text: string): RealNameRule | undefined {
  if (!/^[0-9A-HJ-NPQRTUWXY]{2}\d{6}[0-9A-HJ-NPQRTUWXY]{10}$/.test(text)) return "real_name.code_form";
  return creditCheckCharacter(text) === text[17] ? undefined : "real_name.code_check";
}

/** Whether the last digit of a card number fits the others (ISO/IEC 7812-1, Luhn). */
export function fitsLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at]);
    const counted = at % 2 === 0 ? digit : digit * 2;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
}

/**
 * Rule that an account number breaks. Company accounts have no check digit that all banks share; company settlement cards
 * (UnionPay, 62…, 16 to 19 digits) have one.
 */
export function bankAccountFault(text: string): RealNameRule | undefined {
  if (!/^\d{8,30}$/.test(text)) return "real_name.account_form";
  return /^62\d{14,17}$/.test(text) && !fitsLuhn(text) ? "real_name.account_card" : undefined;
}

/** Converts typed text into its stored form: trimmed, numbers without spaces, codes in capitals. */
export function normalizeRealName(form: RealNameForm, value: string): string {
  switch (form) {
    case "name":
      return normalizePersonName(value);
    case "idNumber":
    case "creditCode":
      return narrowText(value).replace(/\s/g, "").toUpperCase();
    case "phone":
      return normalizePhone(value);
    case "bankCode":
    case "bankAccount":
      return narrowText(value).replace(/[\s-]/g, "");
    case "text":
      // Licences print full-width brackets; keyboards often type ASCII ones.
      return plainText(value).replaceAll("(", "（").replaceAll(")", "）");
    default:
      return plainText(value);
  }
}

const characters = (text: string): number => [...text].length;

function faultOf({ form, field }: RealNameItemRule, value: string, today: string): RealNameRule | undefined {
  switch (form) {
    case "name":
      return isPersonName(value) ? undefined : "real_name.name";
    case "text":
      return characters(value) >= 2 && characters(value) <= 100 ? undefined : "real_name.text";
    case "idNumber":
      return idNumberFault(value, today);
    case "creditCode":
      return creditCodeFault(value);
    case "phone":
      // An enterprise may be reached by a landline; the legal representative's number must be a mobile.
      if (field === "contactPhone") return phonePattern.test(value) ? undefined : "real_name.phone";
      return mobilePhonePattern.test(value) ? undefined : "real_name.mobile";
    case "bankCode":
      return /^\d{12}$/.test(value) ? undefined : "real_name.bank_code";
    case "bankAccount":
      return bankAccountFault(value);
    case "date":
      if (!isDay(value)) return "real_name.date";
      return value < today ? "real_name.expired" : undefined;
    default:
      return undefined;
  }
}

/**
 * The problem of one item; undefined for none.
 * @param value in its stored form
 * @param today `yyyy-MM-dd` in Asia/Shanghai
 */
export function checkRealNameItem(
  kind: RealNameKind,
  item: RealNameItemRule,
  value: string,
  today: string,
): RealNameProblem | undefined {
  if (value === "") {
    if (item.optional) return undefined;
    return realNameProblem(kind, item.field, item.form === "picture" ? "real_name.picture" : "real_name.required");
  }
  const reason = faultOf(item, value, today);
  return reason && realNameProblem(kind, item.field, reason, { count: characters(value) });
}

/** The problems of a whole application, missing items included; values are in their stored form. */
export function checkRealName(
  kind: RealNameKind,
  values: Readonly<Partial<Record<string, string>>>,
  today: string,
): RealNameProblem[] {
  const problems = realNameItems[kind].flatMap(
    (item) => checkRealNameItem(kind, item, values[item.field] ?? "", today) ?? [],
  );
  const { enterpriseName = "", accountName = "" } = values;
  const named = !problems.some(({ field }) => field === "accountName" || field === "enterpriseName");
  if (kind === "enterprise" && named && enterpriseName !== accountName)
    problems.push(realNameProblem(kind, "accountName", "real_name.account_name"));
  return problems;
}
