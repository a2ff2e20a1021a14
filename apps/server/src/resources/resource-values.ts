import {
  type Field,
  fieldsOf,
  isBlank,
  normalizeText,
  type ResourceDeclaration,
  shownNumber,
  writtenFieldsOf,
} from "@herdwise/contract";
import { writePersonal } from "../http/personal.ts";
import type { PersonalCipher } from "../personal-cipher.ts";
import { type ColumnValues, columnOf, type StoredRow } from "./resource.repository.ts";

/** Values of a row as the service works with them: texts as their fields store them, numbers integers, nothing is undefined. */
export type Values = Record<string, unknown>;

function readValue(field: Field, value: unknown): unknown {
  switch (field.kind) {
    case "number":
      // The router reads figures that forms send as texts; "" is what a form sends for none.
      return value === "" ? null : value;
    case "switch":
      return value === 0 || value === 1 ? value === 1 : (value ?? false);
    case "choices":
      // Clients of the family send one text; the router makes a list of it with that text alone.
      return [value ?? []].flat().flatMap((one) => (typeof one === "string" ? one.split(",").filter(Boolean) : [one]));
    case "text":
      return typeof value === "string" ? normalizeText(field, value) : (value ?? "");
    case "date":
      // Clients of the family send a day with midnight behind it.
      return typeof value === "string" ? value.slice(0, 10) : (value ?? "");
    default:
      return typeof value === "string" ? value.trim() : (value ?? "");
  }
}

/** Fields of the declaration that a submit names, in the form in which they are checked. */
export function readValues(of: ResourceDeclaration, input: Readonly<Record<string, unknown>>): Values {
  return Object.fromEntries(
    writtenFieldsOf(of)
      .filter(([name]) => input[name] !== undefined)
      .map(([name, field]) => [name, readValue(field, input[name])]),
  );
}

/** What a new row has where the submit says nothing. */
export function defaultsOf(of: ResourceDeclaration): Values {
  return Object.fromEntries(
    writtenFieldsOf(of).map(([name, field]) => [
      name,
      "default" in field && field.default !== undefined ? field.default : (readValue(field, undefined) ?? null),
    ]),
  );
}

/** Columns of values. Encrypted fields become ciphertext and the index to look them up by. */
export function columnsOf(of: ResourceDeclaration, values: Values, cipher: PersonalCipher): ColumnValues {
  const columns: Record<string, unknown> = {};
  for (const [name, field] of writtenFieldsOf(of)) {
    if (!(name in values)) continue;
    const value = values[name];
    const column = columnOf(name, field);
    if (field.kind === "text" && field.stored === "encrypted") {
      const text = String(value ?? "");
      columns[column] = text === "" ? "" : cipher.encrypt(text);
      columns[column.replace(/_encrypted$/, "_index")] = text === "" ? null : cipher.index(text);
    } else if (field.kind === "text" || field.kind === "choice") columns[column] = value ?? "";
    else columns[column] = isBlank(value) && field.kind !== "choices" ? null : value;
  }
  return columns;
}

/** A stored row with its encrypted fields in the clear (itself, where it has none); what leaves the server is masked when it is written. */
export function openRow(of: ResourceDeclaration, row: StoredRow, cipher: PersonalCipher): StoredRow {
  let opened = row;
  for (const [name, field] of fieldsOf(of)) {
    if (field.kind === "text" && field.stored === "encrypted") {
      if (opened === row) opened = { ...row };
      const held = row[name];
      opened[name] = typeof held === "string" && held !== "" ? cipher.decrypt(held) : "";
    }
  }
  return opened;
}

/** Whether a form or sheet sends back what it was shown masked: that is no change. */
export const isMaskOf = (field: Field, held: unknown, value: unknown): boolean =>
  field.kind === "text" &&
  field.personal !== undefined &&
  typeof held === "string" &&
  held !== "" &&
  value === writePersonal(field.personal, held);

const same = (a: unknown, b: unknown): boolean => (isBlank(a) && isBlank(b)) || JSON.stringify(a) === JSON.stringify(b);

/**
 * Values that differ from the row.
 * @param held the row in the clear
 * @param sent what a form sent before it was read: a text that comes back as it is stored is no change, also where none like it is
 * taken any more
 */
export function changedValues(
  of: ResourceDeclaration,
  held: StoredRow,
  values: Values,
  sent: Readonly<Record<string, unknown>> = values,
): Values {
  return Object.fromEntries(
    writtenFieldsOf(of)
      .filter(
        ([name, field]) =>
          name in values &&
          !same(held[name], values[name]) &&
          !same(held[name], sent[name]) &&
          !isMaskOf(field, held[name], values[name]) &&
          !isMaskOf(field, held[name], sent[name]),
      )
      .map(([name]) => [name, values[name]]),
  );
}

/** A value for the audit trail: personal ones masked, as they would be on a screen. */
export function auditValue(field: Field | undefined, value: unknown): unknown {
  if (value === undefined || value === null) return "";
  if (field?.kind === "text" && field.personal?.startsWith("mask")) return writePersonal(field.personal, value);
  if (field?.kind === "number" && typeof value === "number" && field.decimals)
    return shownNumber(value, field.decimals);
  return value;
}
