import { type Field, fieldsOf, type ListDeclaration } from "@herdwise/contract/resource";

/** How a condition of a list is entered. */
type ConditionKind = "word" | "range" | "days" | "options" | "switch" | "reference" | "region";

/** Something that a list can be narrowed by. */
export interface Condition {
  name: string;
  /** Chinese. */
  label: string;
  kind: ConditionKind;
  /** None for what every row has beside its own fields. */
  field: Field | undefined;
  /** Offered beside the search, without looking for it. */
  quick: boolean;
}

const kindOf = (field: Field): ConditionKind => {
  switch (field.kind) {
    case "number":
      return "range";
    case "date":
    case "moment":
      return "days";
    case "choice":
    case "choices":
      return "options";
    case "switch":
      return "switch";
    case "reference":
      return "reference";
    default:
      return field.rule === "region" ? "region" : "word";
  }
};

/** Masked or encrypted texts can't be told by filtering. */
const isHidden = (field: Field): boolean =>
  field.kind === "text" && (field.stored !== undefined || (field.personal?.startsWith("mask") ?? false));

/** The conditions of a resource's list, those offered at once first. */
export function conditionsOf(of: Pick<ListDeclaration, "fields" | "page">): Condition[] {
  const own = fieldsOf(of)
    .filter(([, field]) => (field.filter || (field.column && !of.page)) && !isHidden(field))
    .map(
      ([name, field]): Condition => ({
        name,
        label: field.label,
        kind: kindOf(field),
        field,
        quick: field.filter === true,
      }),
    );
  const updated: Condition = { name: "updateTime", label: "更新时间", kind: "days", field: undefined, quick: false };
  return [...own.filter(({ quick }) => quick), ...own.filter(({ quick }) => !quick), ...(of.page ? [] : [updated])];
}

/** Names of a condition on the wire: ranges have two ends. */
export const wireNamesOf = ({ name, kind, field }: Pick<Condition, "name" | "kind" | "field">): readonly string[] =>
  kind === "range" || kind === "days" ? (field?.ends ?? [`${name}_ge`, `${name}_le`]) : [name];

/** Conditions with their values, by their names on the wire. Several values are separated by commas. */
export type Where = Readonly<Record<string, string>>;

/** The conditions that are set, in the order in which they are offered. */
export const setConditions = (conditions: readonly Condition[], where: Where): Condition[] =>
  conditions.filter((condition) => wireNamesOf(condition).some((name) => where[name]));

/** The same conditions without one of them. */
export function withoutCondition(where: Where, condition: Condition): Where {
  const gone = new Set(wireNamesOf(condition));
  return Object.fromEntries(Object.entries(where).filter(([name]) => !gone.has(name)));
}

/** The change of conditions that takes one away. */
export const clearing = (condition: Condition): Where =>
  Object.fromEntries(wireNamesOf(condition).map((name) => [name, ""]));

export const valuesOf = (text: string | undefined): string[] => (text ?? "").split(",").filter((value) => value !== "");
