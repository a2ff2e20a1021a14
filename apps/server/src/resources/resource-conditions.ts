import { checkField, type Field, filterSchemaOf, type ResourceDeclaration } from "@herdwise/contract";
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

function fieldCondition(name: string, fieldName: string, field: Field, suffix: string, text: string): Condition {
  const values = text.split(",").filter((value) => value !== "");
  switch (field.kind) {
    case "text":
      // The code of a province is the prefix of its counties' codes.
      if (field.rule === "region" && suffix !== "_equal") {
        if (values.length === 0 || values.some((value) => !/^\d{2,6}$/.test(value)))
          throw refuse("row.condition_value", { values: { name } });
        return { kind: "begins-with", field: fieldName, values };
      }
      return { kind: suffix === "_equal" ? "equals" : "contains", field: fieldName, value: text };
    case "choice":
    case "reference":
      return { kind: "one-of", field: fieldName, values };
    case "choices":
      return { kind: "overlaps", field: fieldName, values };
    case "switch":
      return { kind: "is", field: fieldName, value: text === "true" || text === "1" };
    case "moment":
      // The end of a range is exclusive here, because it is the begin of the next day or second.
      return suffix === "_le"
        ? {
            kind: "at-most",
            field: fieldName,
            value: new Date(Date.parse(momentOf(name, text, true)) - 1).toISOString(),
          }
        : { kind: "at-least", field: fieldName, value: momentOf(name, text, false) };
    case "number":
    case "date": {
      const kind = suffix === "_ge" ? "at-least" : suffix === "_le" ? "at-most" : "is";
      if (field.kind === "number") return { kind, field: fieldName, value: integerOf(name, text) };
      if (checkField(fieldName, field, text) !== undefined) throw refuse("row.condition_value", { values: { name } });
      return { kind, field: fieldName, value: text };
    }
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

/**
 * Reads the conditions of a list. Empty conditions are ignored; unknown ones are refused, so that a mistyped condition never
 * selects more rows.
 * @throws Refusal 400
 */
export function readConditions(of: ResourceDeclaration, query: Readonly<Record<string, unknown>>): Condition[] {
  const known = conditionNames(of);
  const conditions: Condition[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (
      value === undefined ||
      value === null ||
      value === "" ||
      ["current", "size", "ascs", "descs", "tenantId"].includes(name)
    )
      continue;
    if (!known.has(name)) throw refuse("row.unknown_condition", { values: { name } });
    const text = String(value);
    if (name === "keyword") conditions.push({ kind: "keyword", word: text });
    else if (name === "ids") conditions.push({ kind: "ids", ids: readIds(text, maxAtOnce) });
    else if (name === "parentId")
      conditions.push({ kind: "parent", parentId: text === "0" ? null : (readIds(text)[0] ?? null) });
    else if (name === "updateTime_ge") conditions.push({ kind: "updated-from", at: momentOf(name, text, false) });
    else if (name === "updateTime_le") conditions.push({ kind: "updated-to", at: momentOf(name, text, true) });
    else {
      const [, fieldName = "", suffix = ""] = /^(.*?)(_equal|_ge|_le)?$/.exec(name) ?? [];
      const field = of.fields[fieldName];
      if (field === undefined) throw refuse("row.unknown_condition", { values: { name } });
      conditions.push(fieldCondition(name, fieldName, field, suffix, text));
    }
  }
  return conditions;
}
