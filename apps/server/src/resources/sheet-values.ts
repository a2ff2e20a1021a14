import {
  checkField,
  type Field,
  isBlank,
  narrowText,
  normalizeText,
  type Problem,
  plainText,
  type ResourceDeclaration,
  ruleReasons,
  shownNumber,
  type TextField,
  writtenFieldsOf,
} from "@herdwise/contract";
import type { CellFault, Heading } from "../modules/sheets/index.ts";
import { englishOf } from "../ui-texts.ts";
import { regionsNamed } from "./region-names.ts";
import type { Values } from "./resource-values.ts";

/** Column of a tree's sheet with the path of the parent: titles from the top, joined by the separator. */
export const parentField = "parentId";
export const parentHeader = "上级";
export const pathSeparator = " / ";

/** Synonyms in the headings of English sheets. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  Code: ["No.", "Number", "ID"],
  Phone: ["Telephone", "Tel.", "Mobile"],
  "Contact phone": ["Phone", "Telephone", "Tel."],
  Remark: ["Remarks", "Note", "Notes"],
};

/**
 * Headings that a field's column may have: its label in either language, or its name.
 * @param things English names of a row: `Field type` is also accepted for the type of a field
 */
export function headingOf(name: string, label: string, things: readonly string[] = []): Heading {
  const english = englishOf(label);
  const inEnglish = english === undefined ? [] : [english, ...(synonyms[english] ?? [])];
  const ofThing = things.flatMap((thing) => inEnglish.map((word) => `${thing} ${word}`));
  return { name, words: [label, name, ...inEnglish, ...ofThing] };
}

/** Columns that a resource's sheets may have. */
export const headingsOf = (of: ResourceDeclaration): Heading[] => [
  ...(of.tree ? [headingOf(parentField, parentHeader)] : []),
  ...writtenFieldsOf(of).map(([name, { label }]) => ({
    ...headingOf(name, label, [englishOf(of.words.one) ?? "", of.name.split("_").at(-1) ?? ""]),
    key: name === of.sheets?.key,
  })),
];

/** Separators of several values in one cell. */
const listSeparators = /[、,，;；]/;

/** Choices of a cell: people see a name where the row has a key. */
export interface Options {
  /** Key by the name in either language, or by the key itself. */
  readonly byName: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, string>;
}

/** A choice in the form in which it is compared: without case, width and white space. */
const plainChoice = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s\p{Cf}]/gu, "");

/** Choices of a cell from keys and Chinese names. */
export function optionsFrom(pairs: readonly (readonly [key: string, name: string])[]): Options {
  const byName = new Map<string, string>();
  const put = (text: string | undefined, key: string): void => {
    const plain = plainChoice(text ?? "");
    if (plain !== "" && !byName.has(plain)) byName.set(plain, key);
  };
  // Chinese names take precedence over keys, which people don't see, and over English names, which two choices may share.
  for (const [key, name] of pairs) put(name, key);
  for (const [key] of pairs) put(key, key);
  for (const [key, name] of pairs) put(englishOf(name), key);
  return { byName, names: new Map(pairs) };
}
const keyOf = (options: Options | undefined, text: string): string | undefined =>
  options?.byName.get(plainChoice(text));

const wrong = (name: string, reason: keyof typeof ruleReasons, values: Problem["values"]): Problem => ({
  field: name,
  reason,
  text: ruleReasons[reason].zh,
  values,
});

/**
 * Reads a number as people write it to the stored integer: "12.34" with 2 decimals is 1234.
 * Commas may separate thousands, the field's unit may follow, and a percent sign is accepted only for a field in per cent.
 * @returns undefined when it is no number, or has more decimals than the field
 */
function integerOf(text: string, { decimals = 0, unit }: { decimals?: number; unit?: string }): number | undefined {
  const narrow = (part: string): string => part.normalize("NFKC").replace(/[\s\p{Cf}]/gu, "");
  const whole = narrow(text);
  const ending = unit === undefined ? "" : narrow(unit);
  const bare =
    ending !== "" && whole.toLowerCase().endsWith(ending.toLowerCase()) ? whole.slice(0, -ending.length) : whole;
  const digits = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare) ? bare.replaceAll(",", "") : bare;
  const parts = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(digits);
  if (!parts) return undefined;
  const [, sign, integer = "", fraction = ""] = parts;
  const kept = fraction.replace(/0+$/, "");
  if (kept.length > decimals) return undefined;
  return (sign ? -1 : 1) * Number(`${integer}${kept.padEnd(decimals, "0")}`);
}

/** Reads an amount in yuan as people write it, `86,420.00`, `¥86420` or `86420 元`, to fen; undefined when it is none. */
export const fenOf = (text: string): number | undefined =>
  integerOf(narrowText(text.normalize("NFKC")).replace(/^¥|元$/g, ""), { decimals: 2 });

/** Reads a day as people write it: 2027-05-01, 2027/5/1, 2027.5.1, 2027年5月1日, 20270501; a time of day behind it is ignored. */
export function dayOf(text: string): string | undefined {
  const narrow = narrowText(text.normalize("NFKC"));
  const [, year, month, day] =
    /^(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|年(\d{1,2})月(\d{1,2})日?|(\d{2})(\d{2}))(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?$/
      .exec(narrow)
      ?.filter((part) => part !== undefined && !/^[-/.]$/.test(part)) ?? [];
  return year === undefined ? undefined : `${year}-${(month ?? "").padStart(2, "0")}-${(day ?? "").padStart(2, "0")}`;
}

/** Context for reading the cells of a row. */
export interface CellContext {
  readonly options: Readonly<Record<string, Options>>;
  /** Ids by title, for each field. */
  readonly references: Readonly<Record<string, ReadonlyMap<string, string>>>;
  /** Faults of cells whose displayed text is not their content. */
  readonly faults?: Readonly<Record<string, CellFault>> | undefined;
}

/**
 * Reads the cells of a row.
 * @returns values by field, problems of the cells, and the interpreted text where it differs from the cell's; empty cells are
 * left out
 */
export function readCells(
  of: ResourceDeclaration,
  cells: Readonly<Record<string, string>>,
  { options, references, faults = {} }: CellContext,
): { values: Values; problems: Problem[]; understood: Record<string, string> } {
  const values: Values = {};
  const problems: Problem[] = [];
  const understood: Record<string, string> = {};
  for (const [name, field] of writtenFieldsOf(of)) {
    const text = (cells[name] ?? "").trim();
    if (text === "") continue;
    const { label } = field;
    const fault = faults[name];
    if (fault !== undefined) {
      problems.push(wrong(name, `field.${fault}`, { label, value: text.slice(0, 40) }));
      continue;
    }
    const read = readCell(name, field, text, options[name], references[name]);
    if ("problem" in read) {
      problems.push(read.problem);
      continue;
    }
    const found = checkField(name, field, read.value);
    if (found) {
      problems.push({ ...found, values: { ...found.values, label } });
      continue;
    }
    values[name] = read.value;
    // Another name of a choice, or trailing zeros of a number, are no different value, so they are not reported.
    if (field.kind === "choice" || field.kind === "choices" || field.kind === "switch") continue;
    const shown = read.text ?? String(cellOf(field, read.value, options[name]));
    if (shown !== text && !(field.kind === "number" && Number(shown) === Number(text))) understood[name] = shown;
  }
  return { values, problems, understood };
}

type Reading = { value: unknown; text?: string } | { problem: Problem };

/** Reads a text by its field's rule; a region may be given by name. */
function readText(name: string, field: TextField, text: string): Reading {
  const { label } = field;
  const plain = normalizeText(field, text);
  if (field.rule !== "region" || /^[\d\s]+$/.test(plain)) return { value: plain };
  const found = regionsNamed(plain);
  const [only] = found;
  if (only === undefined) return { problem: wrong(name, "field.region", { label }) };
  if (found.length === 1) return { value: only.code, text: only.fullName };
  const names = found.slice(0, 5).map(({ code, fullName }) => `${fullName}（${code}）`);
  const listed = `${names.join("、")}${found.length > names.length ? "…" : ""}`;
  return { problem: wrong(name, "field.region_many", { label, value: text.slice(0, 40), names: listed }) };
}

function readCell(
  name: string,
  field: Field,
  text: string,
  options: Options | undefined,
  references: ReadonlyMap<string, string> | undefined,
): Reading {
  const { label } = field;
  const noSuch = (value: string): Reading => ({
    problem: wrong(name, "field.choice", { label, value: value.slice(0, 40) }),
  });
  switch (field.kind) {
    case "number": {
      const value = integerOf(text, field);
      return value === undefined ? { problem: wrong(name, "field.number", { label }) } : { value };
    }
    case "choice": {
      const value = keyOf(options, text);
      return value === undefined ? noSuch(text) : { value };
    }
    case "choices": {
      const parts = text
        .split(listSeparators)
        .map((part) => part.trim())
        .filter((part) => part !== "");
      const unknown = parts.find((part) => keyOf(options, part) === undefined);
      if (unknown !== undefined) return noSuch(unknown);
      return { value: parts.map((part) => keyOf(options, part) ?? part) };
    }
    case "reference": {
      const plain = plainText(text);
      const value = references?.get(plain);
      return value === undefined ? { problem: wrong(name, "field.reference", { label }) } : { value, text: plain };
    }
    case "switch": {
      const plain = plainChoice(text);
      if (/^(是|1|yes|y|true)$/.test(plain)) return { value: true };
      if (/^(否|0|no|n|false)$/.test(plain)) return { value: false };
      return noSuch(text);
    }
    case "date": {
      const value = dayOf(text);
      return value === undefined ? { problem: wrong(name, "field.date", { label }) } : { value };
    }
    case "text":
      return readText(name, field, text);
    default:
      return { value: text };
  }
}

/** Text of a value in a sheet. */
export function cellOf(field: Field, value: unknown, options: Options | undefined): string | number {
  if (isBlank(value)) return "";
  switch (field.kind) {
    case "number":
      return typeof value === "number" ? Number(shownNumber(value, field.decimals)) : "";
    case "choice":
      return options?.names.get(String(value)) ?? String(value);
    case "choices":
      return Array.isArray(value) ? value.map((one) => options?.names.get(String(one)) ?? String(one)).join("、") : "";
    case "switch":
      return value ? "是" : "否";
    default:
      return String(value);
  }
}
