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

/** Values of a row inside the service: texts in stored form, numbers as integers, never undefined. */
export type Values = Record<string, unknown>;

function readValue(field: Field, value: unknown): unknown {
  switch (field.kind) {
    case "number":
      // Forms send numbers as text, and "" for no number.
      if (value === "") return null;
      return typeof value === "string" && /^\s*[-+]?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
    case "switch":
      return value === 0 || value === 1 ? value === 1 : (value ?? false);
    case "choices":
      // Clients of the family send one comma-separated text, which the router wraps in a list.
      return [value ?? []].flat().flatMap((one) => (typeof one === "string" ? one.split(",").filter(Boolean) : [one]));
    case "text":
      return typeof value === "string" ? normalizeText(field, value) : (value ?? "");
    case "date":
      // Clients of the family send a day with a time of midnight.
      return typeof value === "string" ? value.slice(0, 10) : (value ?? "");
    default:
      return typeof value === "string" ? value.trim() : (value ?? "");
  }
}

/** Fields that a submit contains, in the form in which they are checked. */
export function readValues(of: ResourceDeclaration, input: Readonly<Record<string, unknown>>): Values {
  return Object.fromEntries(
    writtenFieldsOf(of)
      .filter(([name]) => input[name] !== undefined)
      .map(([name, field]) => [name, readValue(field, input[name])]),
  );
}

/** Default values of a new row. */
export function defaultsOf(of: ResourceDeclaration): Values {
  return Object.fromEntries(
    writtenFieldsOf(of).map(([name, field]) => [
      name,
      "default" in field && field.default !== undefined ? field.default : (readValue(field, undefined) ?? null),
    ]),
  );
}

/** Columns of values; encrypted fields become ciphertext and the index to look them up by. */
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

/**
 * A stored row with its encrypted fields decrypted, or the same object where it has none; personal fields are masked when the
 * answer is written.
 */
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

/** Whether a form or sheet sent back the masked value that it was shown, which is no change. */
export const isMaskOf = (field: Field, held: unknown, value: unknown): boolean =>
  field.kind === "text" &&
  field.personal !== undefined &&
  typeof held === "string" &&
  held !== "" &&
  value === writePersonal(field.personal, held);

/** A value in the form in which it is compared: several choices have no order. */
const compared = (value: unknown): string => JSON.stringify(Array.isArray(value) ? value.toSorted() : value);
const same = (a: unknown, b: unknown): boolean => (isBlank(a) && isBlank(b)) || compared(a) === compared(b);

/**
 * Values that differ from the row.
 * @param held the decrypted row
 * @param sent the values as the form sent them: an unchanged text is no change, even if it would not be accepted any more
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

/** A value as a screen shows it, with personal data masked. */
export function shownValue(field: Field | undefined, value: unknown): unknown {
  if (value === undefined || value === null) return "";
  if (field?.kind === "text" && field.personal?.startsWith("mask")) return writePersonal(field.personal, value);
  if (field?.kind === "number" && typeof value === "number" && field.decimals)
    return shownNumber(value, field.decimals);
  return value;
}

/** A value for the audit trail: masked as on a screen, and nothing of what is stored encrypted and shown in full to few. */
export const auditValue = (field: Field | undefined, value: unknown): unknown =>
  field?.kind === "text" && field.stored === "encrypted" && !field.personal?.startsWith("mask")
    ? String(value ?? "") && "***"
    : shownValue(field, value);
