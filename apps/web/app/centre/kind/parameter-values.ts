import type { DeviceParameters } from "@herdwise/contract";
import type { Parameter } from "@herdwise/device-kinds";

type Row = Readonly<Record<string, unknown>>;

const canonical = (value: unknown): string =>
  JSON.stringify(value ?? null, (_key, held: unknown) =>
    typeof held === "object" && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).sort(([one], [other]) => (one < other ? -1 : 1)))
      : held,
  );

/** Whether two values of a parameter are the same, whatever the order of their fields. */
export const sameValue = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);

/** What a form starts from: what is wanted, else what the device runs with, else what the kind says. */
export const startValue = (parameter: Parameter, { desired, reported }: DeviceParameters): unknown =>
  desired[parameter.key] ?? reported[parameter.key] ?? parameter.default;

/** A part of a value that is different. */
export interface Difference {
  /** Row of a table, from 1; undefined for a plain value or a record. */
  row?: number;
  /** Key of the column; "" for the value or row as a whole. */
  column: string;
  before: unknown;
  after: unknown;
}

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);

function differentFields(before: Row, after: Row, row?: number): Difference[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys
    .filter((key) => !sameValue(before[key], after[key]))
    .map((column) => ({ ...(row === undefined ? {} : { row }), column, before: before[column], after: after[column] }));
}

/** What is different between two values of a parameter: cell by cell in a table, field by field in a record. */
export function differencesOf(parameter: Parameter, before: unknown, after: unknown): Difference[] {
  if (sameValue(before, after)) return [];
  if (parameter.type === "structure" && Array.isArray(before) && Array.isArray(after)) {
    return Array.from({ length: Math.max(before.length, after.length) }, (_, at): Difference[] => {
      const [one, other]: unknown[] = [before[at], after[at]];
      if (isRow(one) && isRow(other)) return differentFields(one, other, at + 1);
      return [{ row: at + 1, column: "", before: one, after: other }];
    }).flat();
  }
  if (isRow(before) && isRow(after)) return differentFields(before, after);
  return [{ column: "", before, after }];
}

/** What a person typed as a number: nothing is null, and what is none stays as it was typed. */
export function typedNumber(text: string): number | string | null {
  const plain = text.trim().replace("，", ".");
  if (plain === "") return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : plain;
}
