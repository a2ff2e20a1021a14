import { yuanText } from "./trade/money.ts";
import type { PriceTerm } from "./trade/price-term-rules.ts";
import { termClause } from "./trade/price-term-text.ts";

export { yuanText } from "./trade/money.ts";

/** Types of a template's fields. `money`: fen; `date`: yyyy-MM-dd; `party`: name of a person or company; `number`: a decimal. */
export const contractFieldTypes = ["text", "money", "date", "party", "number", "choice"] as const;
export type ContractFieldType = (typeof contractFieldTypes)[number];

/** Roles of fields by which contracts are found and reminded: the amount, and the first and last day of the term. */
export const contractFieldRoles = ["", "amount", "from", "until"] as const;
export type ContractFieldRole = (typeof contractFieldRoles)[number];

export interface ContractField {
  /** Key that clauses refer to between double braces. */
  key: string;
  type: ContractFieldType;
  role: ContractFieldRole;
  required: boolean;
  name: string;
  nameEn: string;
  /** Options of a choice, each in both languages. */
  options: readonly { zh: string; en: string }[];
}

export interface ContractClause {
  heading: string;
  headingEn: string;
  /** Paragraphs, one per line. */
  body: string;
  bodyEn: string;
}

/** Texts of a template that values are filled into. */
export interface ContractForm {
  title: string;
  titleEn: string;
  fields: readonly ContractField[];
  clauses: readonly ContractClause[];
}

export type ContractLanguage = "zh" | "en";
/** Values by field key, as texts: fen, yyyy-MM-dd, decimals, or the Chinese text of a choice. */
export type ContractValues = Readonly<Record<string, string>>;

/** Texts of a contract with the values filled in. */
export interface ContractPaper {
  title: string;
  clauses: { heading: string; body: string }[];
}

const placePattern = /\{\{\s*([a-z][a-z0-9_]{0,29})\s*\}\}/g;
/** Keys of the two parties; every template may refer to both without declaring a field. */
export const partyKeys = ["customer", "group"] as const;

const digits = "零壹贰叁肆伍陆柒捌玖";
const units = ["", "拾", "佰", "仟"];
const groups = ["", "万", "亿", "兆"];

/** Four digits in financial capitals, with a zero for a gap between digits. */
function fourInCapitals(four: number): string {
  let words = "";
  let gap = false;
  for (let place = 3; place >= 0; place -= 1) {
    const digit = Math.floor(four / 10 ** place) % 10;
    if (digit === 0) gap = words !== "";
    else {
      words += `${gap ? "零" : ""}${digits[digit]}${units[place]}`;
      gap = false;
    }
  }
  return words;
}

/**
 * An amount in the financial capitals that Chinese contracts print beside the digits.
 * @param fen 0 to 10^15
 */
export function moneyInCapitals(fen: number): string {
  const yuan = Math.floor(fen / 100);
  const [jiao, rest] = [Math.floor(fen / 10) % 10, fen % 10];
  let words = "";
  let gap = false;
  for (let group = groups.length - 1; group >= 0; group -= 1) {
    const four = Math.floor(yuan / 10_000 ** group) % 10_000;
    if (four === 0) {
      gap = words !== "";
      continue;
    }
    words += `${words !== "" && (gap || four < 1000) ? "零" : ""}${fourInCapitals(four)}${groups[group]}`;
    gap = false;
  }
  const whole = words === "" ? "" : `${words}元`;
  if (jiao === 0 && rest === 0) return `${whole || "零元"}整`;
  const small = `${jiao === 0 ? (whole ? "零" : "") : `${digits[jiao]}角`}${rest === 0 ? "" : `${digits[rest]}分`}`;
  return `${whole}${small}${rest === 0 ? "整" : ""}`;
}

const grouped = (whole: string): string => whole.replace(/\B(?=(\d{3})+$)/g, ",");

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/**
 * A day in the form used in contracts.
 * @param day yyyy-MM-dd
 */
export function dayText(day: string, language: ContractLanguage): string {
  const [year = "", month = "", date = ""] = day.split("-");
  return language === "zh"
    ? `${year} 年 ${Number(month)} 月 ${Number(date)} 日`
    : `${Number(date)} ${months[Number(month) - 1] ?? ""} ${year}`;
}

/** Text of a value in a contract. */
export function valueText(
  field: Pick<ContractField, "type" | "options">,
  value: string,
  language: ContractLanguage,
): string {
  switch (field.type) {
    case "money": {
      const fen = Number(value);
      return language === "zh" ? `${yuanText(fen)} 元（大写：${moneyInCapitals(fen)}）` : `CNY ${yuanText(fen)}`;
    }
    case "date":
      return dayText(value, language);
    case "number": {
      const [whole = "", rest] = value.split(".");
      return grouped(whole) + (rest === undefined ? "" : `.${rest}`);
    }
    case "choice":
      return language === "en" ? (field.options.find(({ zh }) => zh === value)?.en ?? value) : value;
    default:
      return value;
  }
}

/** Shown in place of a value that is not known. */
const blank = "＿＿＿＿";

/**
 * A template filled with values, in one language; a text without English stays in Chinese.
 * @param terms price terms, which are the last clause
 */
export function paperOf(
  form: ContractForm,
  values: ContractValues,
  language: ContractLanguage,
  terms: readonly PriceTerm[] = [],
): ContractPaper {
  const fields = new Map(form.fields.map((field) => [field.key, field]));
  const fill = (text: string): string =>
    text.replace(placePattern, (_place, key: string) => {
      const value = values[key] ?? "";
      const field = fields.get(key);
      if (value === "") return blank;
      return field ? valueText(field, value, language) : value;
    });
  const chosen = (zh: string, en: string): string => fill(language === "en" && en !== "" ? en : zh);
  const prices = termClause(terms, language, (day) => dayText(day, language));
  return {
    title: chosen(form.title, form.titleEn),
    clauses: [
      ...form.clauses.map((clause) => ({
        heading: chosen(clause.heading, clause.headingEn),
        body: chosen(clause.body, clause.bodyEn),
      })),
      ...(prices ? [prices] : []),
    ],
  };
}

const ones = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"];

/** The number of a clause: 一、 十二、, or 12. @param index from 0 */
export function clauseNumber(index: number, language: ContractLanguage): string {
  const count = index + 1;
  if (language === "en") return `${count}.`;
  const tens = Math.floor(count / 10);
  return `${tens === 0 ? "" : `${tens === 1 ? "" : ones[tens]}十`}${ones[count % 10]}、`;
}

/** A clause as one text, for display and comparison. */
export const clauseText = (
  clause: ContractPaper["clauses"][number],
  index: number,
  language: ContractLanguage,
): string[] => [
  `${clauseNumber(index, language)}${language === "en" ? " " : ""}${clause.heading}`,
  ...clause.body.split("\n").filter((line) => line.trim() !== ""),
];

const partyWords = {
  zh: { customer: "甲方：", group: "乙方：" },
  en: { customer: "Party A: ", group: "Party B: " },
} as const;

/** The line that names a party. */
export const partyLine = (side: "customer" | "group", name: string, language: ContractLanguage): string =>
  `${partyWords[language][side]}${name}`;

/** Texts that a new template starts with. */
export const beginningForm = (title: string): ContractForm => ({
  title,
  titleEn: "",
  fields: [
    { key: "amount", type: "money", role: "amount", required: true, name: "合同金额", nameEn: "Amount", options: [] },
    { key: "from", type: "date", role: "from", required: true, name: "开始日期", nameEn: "First day", options: [] },
    { key: "until", type: "date", role: "until", required: true, name: "结束日期", nameEn: "Last day", options: [] },
  ],
  clauses: [
    {
      heading: "期限",
      headingEn: "Term",
      body: "自 {{from}}起，至 {{until}}止。",
      bodyEn: "From {{from}} to {{until}}.",
    },
    { heading: "费用", headingEn: "Fees", body: "合计 {{amount}}。", bodyEn: "{{amount}} in all." },
  ],
});

/** Whether every text of a form has English. */
export const hasEnglish = (form: ContractForm): boolean =>
  form.titleEn !== "" && form.clauses.every(({ headingEn, bodyEn }) => headingEn !== "" && bodyEn !== "");

/** Largest amount, in fen. */
export const mostFen = 1_000_000_000_000;
const moneyPattern = /^\d{1,13}$/;
const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const numberPattern = /^\d{1,12}(\.\d{1,3})?$/;

const isDay = (text: string): boolean => {
  const [, year, month, day] = datePattern.exec(text) ?? [];
  if (year === undefined) return false;
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return at.toISOString().slice(0, 10) === text;
};

/** The problem of a value; undefined for none. */
export function valueProblem(field: ContractField, value: string): "missing" | "value" | undefined {
  if (value === "") return field.required ? "missing" : undefined;
  switch (field.type) {
    case "money":
      return moneyPattern.test(value) && Number(value) <= mostFen ? undefined : "value";
    case "date":
      return isDay(value) ? undefined : "value";
    case "number":
      return numberPattern.test(value) ? undefined : "value";
    case "choice":
      return field.options.some(({ zh }) => zh === value) ? undefined : "value";
    case "party":
      return value.length <= 60 ? undefined : "value";
    default:
      return value.length <= 500 ? undefined : "value";
  }
}

/** Keys that clauses refer to although no field declares them. */
export function unknownPlaces(form: ContractForm): string[] {
  const known = new Set<string>([...partyKeys, ...form.fields.map(({ key }) => key)]);
  const found = new Set<string>();
  for (const { heading, headingEn, body, bodyEn } of form.clauses)
    for (const text of [heading, headingEn, body, bodyEn])
      for (const [, key = ""] of text.matchAll(placePattern)) if (!known.has(key)) found.add(key);
  return [...found];
}

/** The value of the field with a role; "" without such a field. */
export const valueOfRole = (form: ContractForm, values: ContractValues, role: ContractFieldRole): string => {
  const field = form.fields.find((one) => one.role === role);
  return field === undefined ? "" : (values[field.key] ?? "");
};
