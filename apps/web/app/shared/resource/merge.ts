import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { type FormValue, type FormValues, formFieldsOf, sameValue } from "./form-values.ts";

/** Person who changed a field since both started from the same row. */
export type Side = "mine" | "theirs";
export interface MergedField {
  name: string;
  base: FormValue;
  mine: FormValue;
  theirs: FormValue;
  /** `both`: to different values, so a person must choose. `same`: both to the same value. */
  changed: Side | "both" | "same";
}

/** Fields that two editors of a row changed; unchanged fields are left out. */
export function mergeOf(
  of: ResourceDeclaration,
  base: FormValues,
  mine: FormValues,
  theirs: FormValues,
): MergedField[] {
  return formFieldsOf(of).flatMap(([name, field]): MergedField[] => {
    const [before, own, other] = [base[name] ?? "", mine[name] ?? "", theirs[name] ?? ""];
    const byMe = !sameValue(field, own, before);
    const byThem = !sameValue(field, other, before);
    if (!byMe && !byThem) return [];
    const changed = byMe && byThem ? (sameValue(field, own, other) ? "same" : "both") : byMe ? "mine" : "theirs";
    return [{ name, base: before, mine: own, theirs: other, changed }];
  });
}

/** The form after the merge; `chosen` decides only fields that both changed. */
export const mergedValues = (
  theirs: FormValues,
  fields: readonly MergedField[],
  chosen: Readonly<Record<string, Side>>,
): FormValues => ({
  ...theirs,
  ...Object.fromEntries(
    fields
      .filter(({ name, changed }) => changed === "mine" || (changed === "both" && chosen[name] === "mine"))
      .map(({ name, mine }) => [name, mine]),
  ),
});

/** Fields that still need a choice. */
export const undecided = (fields: readonly MergedField[], chosen: Readonly<Record<string, Side>>): string[] =>
  fields.filter(({ name, changed }) => changed === "both" && chosen[name] === undefined).map(({ name }) => name);
