import {
  checkField,
  type Field,
  isBlank,
  type Problem,
  type ResourceDeclaration,
  ruleReasons,
  shownNumber,
  writtenFieldsOf,
} from "@herdwise/contract";
import type { Values } from "./resource-values.ts";

/** Column of a tree's sheet that says where a row stands: titles from the top, joined by this. */
export const parentField = "parentId";
export const parentHeader = "上级";
export const pathSeparator = " / ";

/** Between several values in one cell. */
const listSeparators = /[、,，;；]/;

/** What a cell may hold where people see a name and the row a key. */
export interface Options {
  /** Key by the name that people see. */
  readonly byName: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, string>;
}

export const optionsFrom = (pairs: readonly (readonly [key: string, name: string])[]): Options => ({
  byName: new Map(pairs.flatMap(([key, name]) => [[name, key] as const, [key, key] as const])),
  names: new Map(pairs),
});

const wrong = (name: string, reason: keyof typeof ruleReasons, values: Problem["values"]): Problem => ({
  field: name,
  reason,
  text: ruleReasons[reason].zh,
  values,
});

/** A number of people's decimals as the integer that is stored: "12.34" with 2 decimals is 1234. */
function integerOf(text: string, decimals: number): number | undefined {
  const parts = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(text.replace(/,(?=\d{3})/g, "").replace(/%$/, ""));
  if (!parts) return undefined;
  const [, sign, whole = "", fraction = ""] = parts;
  const kept = fraction.replace(/0+$/, "");
  if (kept.length > decimals) return undefined;
  return (sign ? -1 : 1) * Number(`${whole}${kept.padEnd(decimals, "0")}`);
}

/**
 * Reads the cells of a row.
 * @param references ids by title, by field
 * @returns values by field and what is wrong with the cells; empty cells are left out
 */
export function readCells(
  of: ResourceDeclaration,
  cells: Readonly<Record<string, string>>,
  options: Readonly<Record<string, Options>>,
  references: Readonly<Record<string, ReadonlyMap<string, string>>>,
): { values: Values; problems: Problem[] } {
  const values: Values = {};
  const problems: Problem[] = [];
  for (const [name, field] of writtenFieldsOf(of)) {
    const text = (cells[name] ?? "").trim();
    if (text === "") continue;
    const { label } = field;
    const read = readCell(name, field, text, options[name], references[name]);
    if ("problem" in read) {
      problems.push(read.problem);
      continue;
    }
    const found = checkField(name, field, read.value);
    if (found) problems.push({ ...found, values: { ...found.values, label } });
    else values[name] = read.value;
  }
  return { values, problems };
}

function readCell(
  name: string,
  field: Field,
  text: string,
  options: Options | undefined,
  references: ReadonlyMap<string, string> | undefined,
): { value: unknown } | { problem: Problem } {
  const { label } = field;
  switch (field.kind) {
    case "number": {
      const value = integerOf(text, field.decimals ?? 0);
      return value === undefined ? { problem: wrong(name, "field.number", { label }) } : { value };
    }
    case "choice": {
      const value = options?.byName.get(text);
      return value === undefined
        ? { problem: wrong(name, "field.choice", { label, value: text.slice(0, 40) }) }
        : { value };
    }
    case "choices": {
      const parts = text
        .split(listSeparators)
        .map((part) => part.trim())
        .filter((part) => part !== "");
      const unknown = parts.find((part) => !options?.byName.has(part));
      if (unknown !== undefined)
        return { problem: wrong(name, "field.choice", { label, value: unknown.slice(0, 40) }) };
      return { value: parts.map((part) => options?.byName.get(part) ?? part) };
    }
    case "reference": {
      const value = references?.get(text);
      return value === undefined ? { problem: wrong(name, "field.reference", { label }) } : { value };
    }
    case "switch": {
      if (/^(是|1|yes|true)$/i.test(text)) return { value: true };
      if (/^(否|0|no|false)$/i.test(text)) return { value: false };
      return { problem: wrong(name, "field.choice", { label, value: text.slice(0, 40) }) };
    }
    case "date":
      return { value: text.slice(0, 10).replaceAll("/", "-") };
    default:
      return { value: text };
  }
}

/** A value as a sheet shows it. */
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
