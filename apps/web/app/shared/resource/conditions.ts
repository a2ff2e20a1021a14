import { type Field, fieldsOf, type ListDeclaration } from "@herdwise/contract/resource";

/** Kind of input of a condition. */
type ConditionKind = "word" | "range" | "days" | "options" | "switch" | "reference" | "region";

/** A condition that a list can be filtered by. */
export interface Condition {
  name: string;
  /** Chinese name, a key of the translations. */
  label: string;
  kind: ConditionKind;
  /** Undefined for conditions that every resource has. */
  field: Field | undefined;
  /** Shown beside the search box; the others are in a menu. */
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

/** Masked and encrypted texts are no conditions, because filtering would reveal them. */
const isHidden = (field: Field): boolean =>
  field.kind === "text" && (field.stored !== undefined || (field.personal?.startsWith("mask") ?? false));

/** Conditions of a list, quick ones first. */
export function conditionsOf(of: Pick<ListDeclaration, "fields" | "page" | "conditions">): Condition[] {
  const own = [...fieldsOf(of), ...Object.entries(of.conditions ?? {})]
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

/** Parameters of a condition on the wire; a range has two. */
export const wireNamesOf = ({ name, kind, field }: Pick<Condition, "name" | "kind" | "field">): readonly string[] =>
  kind === "range" || kind === "days" ? (field?.ends ?? [`${name}_ge`, `${name}_le`]) : [name];

/** Parameters that only the views of a list set, so that they choose a queue. */
export function queueNamesOf(
  { views = [] }: Pick<ListDeclaration, "views">,
  conditions: readonly Condition[],
): string[] {
  const names = new Set(views.flatMap(({ where }) => Object.keys(where)));
  for (const name of conditions.flatMap(wireNamesOf)) names.delete(name);
  return [...names];
}

/** Values of conditions by their parameters on the wire; several values are comma-separated. */
export type Where = Readonly<Record<string, string>>;

/** The conditions that have a value, in order. */
export const setConditions = (conditions: readonly Condition[], where: Where): Condition[] =>
  conditions.filter((condition) => wireNamesOf(condition).some((name) => where[name]));

/** The conditions without a given one. */
export function withoutCondition(where: Where, condition: Condition): Where {
  const gone = new Set(wireNamesOf(condition));
  return Object.fromEntries(Object.entries(where).filter(([name]) => !gone.has(name)));
}

/** What remains when the reader clears all conditions: the chosen queue. */
export const withoutConditions = (where: Where, conditions: readonly Condition[]): Where =>
  conditions.reduce<Where>((left, condition) => withoutCondition(left, condition), where);

/** The change that clears a condition. */
export const clearing = (condition: Condition): Where =>
  Object.fromEntries(wireNamesOf(condition).map((name) => [name, ""]));

export const valuesOf = (text: string | undefined): string[] => (text ?? "").split(",").filter((value) => value !== "");
