import { loginNamePattern, usernameLength } from "../account-rules.ts";
import {
  isPersonName,
  mobilePhonePattern,
  narrowText,
  normalizePersonName,
  normalizePhone,
  phonePattern,
  plainText,
} from "../plain-text.ts";
import { type Problem, type RuleReason, ruleReasons } from "../rule-reasons.ts";
import { isId } from "../scalars.ts";
import { type ResourceDeclaration, writtenFieldsOf } from "./declaration.ts";
import type { Field, TextField, TextRule } from "./fields.ts";

const rules: Readonly<Record<TextRule, (text: string) => boolean>> = {
  "person-name": isPersonName,
  mobile: (text) => mobilePhonePattern.test(text),
  phone: (text) => phonePattern.test(text),
  email: (text) => /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/.test(text),
  code: (text) => /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(text),
  "login-name": (text) => loginNamePattern.test(text) && text.length >= usernameLength.min,
  region: (text) => /^\d{2}(\d{2}(\d{2})?)?$/.test(text),
  path: (text) => /^\/[^\s]*$/.test(text),
  // A browser reads a backslash as a slash, and leaves folders by "..".
  link: (text) =>
    /^(\/(?!\/)|https?:\/\/[^/?#])[^\s\\]*$/.test(text) && !/(\/|%2f)(\.|%2e){1,2}(?=[/?#]|%2f|$)/i.test(text),
  "web-address": (text) => {
    if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return false;
    const { username, password } = new URL(text);
    return username === "" && password === "";
  },
  "time-ranges": (text) => timeRangesOf(text) !== undefined,
  "date-time": (text) => isDay(text.slice(0, 10)) && /^ ([01]\d|2[0-3]):[0-5]\d$/.test(text.slice(10)),
};

const ruleReason: Readonly<Record<TextRule, RuleReason>> = {
  "person-name": "field.person_name",
  mobile: "field.mobile",
  phone: "field.phone",
  email: "field.email",
  code: "field.code",
  "login-name": "field.login_name",
  region: "field.region",
  path: "field.path",
  link: "field.link",
  "web-address": "field.web_address",
  "time-ranges": "field.time_ranges",
  "date-time": "field.date",
};

/** Minutes since midnight of `HH:mm`; 24:00 is the end of a day; undefined for anything else. */
function minuteOf(text: string): number | undefined {
  const parts = /^([01]\d|2[0-4]):([0-5]\d)$/.exec(text);
  if (!parts) return undefined;
  const minutes = Number(parts[1]) * 60 + Number(parts[2]);
  return minutes <= 1440 ? minutes : undefined;
}

/**
 * Reads `08:30-12:00,14:00-18:00`.
 * @returns ranges in minutes since midnight, in order; undefined when a time is invalid, a range is empty or two ranges overlap
 */
export function timeRangesOf(text: string): { from: number; to: number }[] | undefined {
  const ranges: { from: number; to: number }[] = [];
  for (const part of text.split(",")) {
    const [from, to, more] = part.split("-").map(minuteOf);
    if (from === undefined || to === undefined || more !== undefined || to <= from) return undefined;
    if (from < (ranges.at(-1)?.to ?? 0)) return undefined;
    ranges.push({ from, to });
  }
  return ranges;
}

/** The stored form of a text by its field's rule, whether or not the text is valid; every way of writing a field uses it. */
export function normalizeText({ rule, lines }: TextField, value: string): string {
  switch (rule) {
    case "person-name":
      return normalizePersonName(value);
    case "mobile":
    case "phone":
      return normalizePhone(value);
    case "email":
    case "code":
    case "login-name":
    case "region":
    case "time-ranges":
      return narrowText(value);
    default:
      return plainText(value, { lines: lines !== undefined });
  }
}

/** Whether a value counts as missing. */
export const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === "string" && value.trim() === "") ||
  (Array.isArray(value) && value.length === 0);

const problem = (field: string, reason: RuleReason, values: Readonly<Record<string, string | number>>): Problem => ({
  field,
  reason,
  text: ruleReasons[reason].zh,
  values,
});

const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
};

/** Decimal text of an integer in the smallest unit: 1234 with 2 decimals is `12.34`. */
export const shownNumber = (value: number, decimals = 0): string => (value / 10 ** decimals).toFixed(decimals);

/**
 * Checks one value.
 * @param options allowed values of a choice whose values come from a dictionary
 */
export function checkField(
  name: string,
  field: Field,
  value: unknown,
  options?: readonly string[],
): Problem | undefined {
  const { label } = field;
  if (isBlank(value)) return field.required ? problem(name, "field.required", { label }) : undefined;
  switch (field.kind) {
    case "text": {
      if (typeof value !== "string") return problem(name, "field.type", { label });
      const length = [...value.trim()].length;
      // PostgreSQL stores neither a lone surrogate nor a zero byte in a text.
      if (/[\0\p{Surrogate}]/u.test(value)) return problem(name, "field.type", { label });
      if (length > field.max) return problem(name, "field.too_long", { label, max: field.max });
      if (field.min !== undefined && length < field.min)
        return problem(name, "field.length", { label, min: field.min, max: field.max });
      if (!field.lines && value.includes("\n")) return problem(name, "field.one_line", { label });
      if (field.rule && !rules[field.rule](value.trim())) return problem(name, ruleReason[field.rule], { label });
      return undefined;
    }
    case "number": {
      if (typeof value !== "number" || !Number.isInteger(value)) return problem(name, "field.number", { label });
      if (value < field.min || value > field.max)
        return problem(name, "field.range", {
          label,
          min: shownNumber(field.min, field.decimals),
          max: shownNumber(field.max, field.decimals),
          unit: field.unit ?? "",
        });
      return undefined;
    }
    case "choice":
    case "choices": {
      const known = field.options?.map(([key]) => key) ?? options;
      const chosen = field.kind === "choice" ? [value] : value;
      if (!Array.isArray(chosen)) return problem(name, "field.type", { label });
      const wrong = chosen.find((one) => typeof one !== "string" || (known !== undefined && !known.includes(one)));
      if (wrong !== undefined) return problem(name, "field.choice", { label, value: String(wrong).slice(0, 40) });
      if (field.kind === "choices" && chosen.length > field.max)
        return problem(name, "field.too_many", { label, max: field.max });
      return undefined;
    }
    case "reference":
      return isId(value) ? undefined : problem(name, "field.reference", { label });
    case "date":
      return typeof value === "string" && isDay(value) ? undefined : problem(name, "field.date", { label });
    case "switch":
      return typeof value === "boolean" ? undefined : problem(name, "field.type", { label });
    case "moment":
      return problem(name, "field.fixed", { label });
  }
}

/**
 * Checks the values of a form, in the browser and on the server.
 * @param values a whole row, or with `partial` only the changed fields
 * @param options values of dictionary fields by field name, where they are known
 */
export function checkRow(
  of: Pick<ResourceDeclaration, "fields">,
  values: Readonly<Record<string, unknown>>,
  { partial = false, options = {} }: { partial?: boolean; options?: Readonly<Record<string, readonly string[]>> } = {},
): Problem[] {
  return writtenFieldsOf(of).flatMap(([name, field]) => {
    if (partial && !(name in values)) return [];
    const found = checkField(name, field, values[name], options[name]);
    return found ? [found] : [];
  });
}
