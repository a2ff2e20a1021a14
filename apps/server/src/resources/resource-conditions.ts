import {
  checkField,
  type Field,
  type FilterSuffix,
  filterSchemaOf,
  filterSuffixes,
  type ResourceDeclaration,
  tokenHeader,
} from "@herdwise/contract";
import { shanghaiMoment } from "@herdwise/contract/shanghai";
import { refuse } from "../http/errors.ts";
import { readIds } from "../ids.ts";
import type { Condition } from "./resource.repository.ts";

/** Most rows that one call works on. */
export const maxAtOnce = 10_000;

/** Converts a day or time that filters of the family send, in Asia/Shanghai. */
function momentOf(name: string, text: string, endOfDay: boolean): string {
  const parts = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}:\d{2}))?$/.exec(text);
  const at = parts ? shanghaiMoment(`${parts[1]} ${parts[2] ?? "00:00:00"}`) : Number.NaN;
  if (!parts || Number.isNaN(at)) throw refuse("row.condition_value", { values: { name } });
  // The end of a range includes its last day, or its last second.
  const ahead = endOfDay ? (parts[2] === undefined ? 86_400_000 : 1000) : 0;
  return new Date(at + ahead).toISOString();
}

/** Largest number that the column of a number field holds. */
const maxInteger = 2_147_483_647;

const integerOf = (name: string, text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || Math.abs(value) > maxInteger)
    throw refuse("row.condition_value", { values: { name } });
  return value;
};

/** How a suffix compares numbers, days and moments. */
const comparisons = {
  ge: "at-least",
  datege: "at-least",
  le: "at-most",
  datele: "at-most",
  gt: "above",
  dategt: "above",
  lt: "below",
  datelt: "below",
} as const satisfies Partial<Record<FilterSuffix, Condition["kind"]>>;

function textCondition(field: string, suffix: FilterSuffix | "", value: string): Condition {
  if (suffix === "equal" || suffix === "dateequal") return { kind: "equals", field, value };
  // As in MyBatis-Plus: likeleft has its wildcard on the left.
  if (suffix === "likeleft") return { kind: "ends-with-text", field, value };
  if (suffix === "likeright") return { kind: "begins-with-text", field, value };
  if (suffix in comparisons) return { kind: comparisons[suffix as keyof typeof comparisons], field, value };
  return { kind: "contains", field, value };
}

/** The moments of a comparison of times; the end of a range is exclusive, because it is the begin of the next day or second. */
function momentCondition(name: string, field: string, suffix: FilterSuffix | "", text: string): Condition {
  const kind = suffix in comparisons ? comparisons[suffix as keyof typeof comparisons] : "at-least";
  if (kind === "at-least" || kind === "below") return { kind, field, value: momentOf(name, text, false) };
  const value = new Date(Date.parse(momentOf(name, text, true)) - 1).toISOString();
  return { kind, field, value };
}

function fieldCondition(
  name: string,
  fieldName: string,
  field: Field,
  suffix: FilterSuffix | "",
  text: string,
): Condition {
  if (suffix === "null") return { kind: "empty", field: fieldName };
  if (suffix === "notnull") return { kind: "not", of: { kind: "empty", field: fieldName } };
  if (suffix === "notequal") return { kind: "not", of: fieldCondition(name, fieldName, field, "equal", text) };
  if (suffix === "notlike") return { kind: "not", of: fieldCondition(name, fieldName, field, "", text) };
  const values = text.split(",").filter((value) => value !== "");
  switch (field.kind) {
    case "text":
      // The code of a province is the prefix of its counties' codes.
      if (field.rule === "region" && suffix !== "equal") {
        if (values.length === 0 || values.some((value) => !/^\d{2,6}$/.test(value)))
          throw refuse("row.condition_value", { values: { name } });
        return { kind: "begins-with", field: fieldName, values };
      }
      return textCondition(fieldName, suffix, text);
    case "choice":
    case "reference":
      return { kind: "one-of", field: fieldName, values };
    case "choices":
      return { kind: "overlaps", field: fieldName, values };
    case "switch":
      return { kind: "is", field: fieldName, value: text === "true" || text === "1" };
    case "moment":
      return momentCondition(name, fieldName, suffix, text);
    case "number":
    case "date": {
      const kind = suffix in comparisons ? comparisons[suffix as keyof typeof comparisons] : "is";
      if (field.kind === "number") return { kind, field: fieldName, value: integerOf(name, text) };
      const day = text.replace(/ 00:00:00$/, "");
      if (checkField(fieldName, field, day) !== undefined) throw refuse("row.condition_value", { values: { name } });
      return { kind, field: fieldName, value: day };
    }
  }
}

/** Conditions of when a row was added or changed. */
function timeCondition(name: string, which: "created" | "updated", suffix: FilterSuffix | "", text: string): Condition {
  switch (suffix) {
    case "ge":
    case "datege":
      return { kind: `${which}-from`, at: momentOf(name, text, false) };
    case "gt":
    case "dategt":
      return { kind: `${which}-from`, at: momentOf(name, text, true) };
    case "le":
    case "datele":
      return { kind: `${which}-to`, at: momentOf(name, text, true) };
    case "lt":
    case "datelt":
      return { kind: `${which}-to`, at: momentOf(name, text, false) };
    default:
      throw refuse("row.unknown_condition", { values: { name } });
  }
}

/** Names of the conditions of each resource, cached because every list reads them. */
const offered = new WeakMap<ResourceDeclaration, ReadonlySet<string>>();
function conditionNames(of: ResourceDeclaration): ReadonlySet<string> {
  let names = offered.get(of);
  if (names === undefined) {
    names = new Set(Object.keys(filterSchemaOf(of)));
    offered.set(of, names);
  }
  return names;
}

const suffixPattern = new RegExp(`^(.*?)(?:_(${filterSuffixes.join("|")}))?$`);
/** Parameters of a list that are no conditions; clients of the family also send the token as one. */
const noConditions = new Set(["current", "size", "ascs", "descs", "tenantId", tokenHeader, tokenHeader.toLowerCase()]);

/**
 * Reads the conditions of a list. Empty conditions are ignored; unknown ones are refused, so that a mistyped condition never
 * selects more rows.
 * @throws Refusal 400
 */
export function readConditions(of: ResourceDeclaration, query: Readonly<Record<string, unknown>>): Condition[] {
  const known = conditionNames(of);
  const conditions: Condition[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === "" || noConditions.has(name)) continue;
    const text = String(value);
    const [, fieldName = "", suffix = ""] = suffixPattern.exec(name) as unknown as [string, string, FilterSuffix?];
    if (suffix === "ignore") continue;
    if (name === "keyword") conditions.push({ kind: "keyword", word: text });
    else if (name === "ids") conditions.push({ kind: "ids", ids: readIds(text, maxAtOnce) });
    else if (name === "parentId" && known.has(name))
      conditions.push({ kind: "parent", parentId: text === "0" ? null : (readIds(text)[0] ?? null) });
    else if (fieldName === "createTime") conditions.push(timeCondition(name, "created", suffix, text));
    else if (fieldName === "updateTime") conditions.push(timeCondition(name, "updated", suffix, text));
    else {
      const field = Object.hasOwn(of.fields, fieldName) ? of.fields[fieldName] : undefined;
      // Masked and encrypted fields are no conditions, because filtering would reveal them (T07).
      if (field === undefined || (field.kind === "text" && (field.stored || field.personal?.startsWith("mask"))))
        throw refuse("row.unknown_condition", { values: { name } });
      conditions.push(fieldCondition(name, fieldName, field, suffix, text));
    }
  }
  return conditions;
}
