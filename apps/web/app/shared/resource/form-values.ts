import {
  type Field,
  isBlank,
  normalizeText,
  type ReferenceField,
  type ResourceDeclaration,
  shownNumber,
  writtenFieldsOf,
} from "@herdwise/contract/resource";

/** A row as received from the server. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

/** Value of an input; numbers are the typed text. */
export type FormValue = string | boolean | readonly string[];
export type FormValues = Readonly<Record<string, FormValue>>;

/** Fields of a form by name: those of the declaration, and the parent in trees. */
export function formFieldsOf(of: ResourceDeclaration): [name: string, field: Field][] {
  if (!of.tree) return writtenFieldsOf(of);
  const parent: ReferenceField = { kind: "reference", label: "上级", to: of.name };
  return [["parentId", parent], ...writtenFieldsOf(of)];
}

const blankOf = (field: Field): FormValue => {
  switch (field.kind) {
    case "switch":
      return field.default ?? false;
    case "choices":
      return [];
    case "number":
      return field.default === undefined ? "" : shownNumber(field.default, field.decimals);
    case "text":
    case "choice":
      return field.default ?? "";
    default:
      return "";
  }
};

/** Converts a value of the wire to that of an input. */
export function toForm(field: Field, value: unknown): FormValue {
  switch (field.kind) {
    case "switch":
      return value === true || value === 1;
    case "choices":
      return Array.isArray(value) ? value.map(String) : [];
    case "number":
      return typeof value === "number" ? shownNumber(value, field.decimals) : "";
    case "reference":
      return isBlank(value) || value === "0" ? "" : String(value);
    case "date":
      return isBlank(value) ? "" : String(value).slice(0, 10);
    default:
      return isBlank(value) ? "" : String(value);
  }
}

/**
 * Converts a typed number to the stored unit: `12.34` with two decimals is 1234. NaN for anything else, so that the check
 * reports it.
 */
function typedNumber(text: string, decimals = 0): number {
  const plain = text.replace(/[,\s，]/g, "").replace("。", ".");
  if (!/^[+-]?\d+(\.\d+)?$/.test(plain)) return Number.NaN;
  const [, sign = "", whole = "0", fraction = ""] = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(plain) ?? [];
  if (fraction.replace(/0+$/, "").length > decimals) return Number.NaN;
  return Number(`${sign}${whole}${fraction.slice(0, decimals).padEnd(decimals, "0")}`);
}

/** Converts the value of an input to that of the wire; null for no value. */
export function fromForm(field: Field, value: FormValue): unknown {
  if (field.kind === "switch") return value === true;
  if (field.kind === "choices") return Array.isArray(value) ? [...value] : [];
  const text = typeof value !== "string" ? "" : field.kind === "text" ? normalizeText(field, value) : value.trim();
  if (text === "") return field.kind === "text" ? "" : null;
  return field.kind === "number" ? typedNumber(text, field.decimals) : text;
}

/**
 * Initial values of a form.
 * @param row undefined for a new row
 */
export const formValuesOf = (of: ResourceDeclaration, row: Row | undefined): FormValues =>
  Object.fromEntries(formFieldsOf(of).map(([name, field]) => [name, row ? toForm(field, row[name]) : blankOf(field)]));

/** Whether two values of an input are equal for the reader. */
export function sameValue(field: Field, a: FormValue | undefined, b: FormValue | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.toSorted().join("\n") === b.toSorted().join("\n");
  if (typeof a === "string" && typeof b === "string") {
    if (field.kind === "number" && a.trim() !== "" && b.trim() !== "") return fromForm(field, a) === fromForm(field, b);
    return a.trim() === b.trim();
  }
  return a === b;
}

/** Names of the fields that differ from the initial values. */
export const changedNames = (of: ResourceDeclaration, now: FormValues, before: FormValues): string[] =>
  formFieldsOf(of)
    .filter(([name, field]) => name in now && !sameValue(field, now[name], before[name]))
    .map(([name]) => name);

/** Body of the request: only the named fields; the top of a tree is "0". */
export function changeOf(of: ResourceDeclaration, now: FormValues, names: readonly string[]): Record<string, unknown> {
  const sent = new Set(names);
  return Object.fromEntries(
    formFieldsOf(of)
      .filter(([name]) => sent.has(name))
      .map(([name, field]) => {
        const value = fromForm(field, now[name] ?? "");
        return [name, name === "parentId" && value === null ? "0" : value];
      }),
  );
}
