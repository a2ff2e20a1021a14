import type { PersonalRule } from "@herdwise/contract";
import type { TSchema } from "typebox";
import { writePersonal } from "./personal.ts";

interface SchemaNode {
  $defs?: Record<string, SchemaNode>;
  $ref?: string;
  type?: string;
  format?: string;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  patternProperties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  const?: unknown;
}

const shanghai = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "Asia/Shanghai",
  dateStyle: "short",
  timeStyle: "medium",
});

/** `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai (wire.md 1.2). */
export const wireDateTime = (at: Date): string => shanghai.format(at);
/** `yyyy-MM-dd` in Asia/Shanghai. */
export const wireDate = (at: Date): string => shanghai.format(at).slice(0, 10);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Chooses the branch of a union whose literal fields agree with the value. */
const branchFor = (branches: SchemaNode[], value: unknown): SchemaNode | undefined =>
  branches.find((branch) =>
    Object.entries(branch.properties ?? {}).every(
      ([name, field]) => field.const === undefined || (isObject(value) && value[name] === field.const),
    ),
  );

/** `Type.Unknown()`: a place where the wire of another family (AJ-Captcha) has nulls of its own. */
const isAnything = (node: SchemaNode): boolean =>
  node.type === undefined && node.properties === undefined && node.const === undefined && node.anyOf === undefined;

type Personal = Readonly<Record<string, PersonalRule>>;

const shape = (node: SchemaNode, value: unknown, outer: Record<string, SchemaNode>, personal: Personal): unknown => {
  const defs = node.$defs ? { ...outer, ...node.$defs } : outer;
  const target = node.$ref === undefined ? node : defs[node.$ref];
  if (target === undefined) throw new Error(`The schema refers to ${node.$ref}, which it does not define`);
  if (target.anyOf) {
    const branch = branchFor(target.anyOf, value);
    if (branch === undefined) throw new Error("A value fits no branch of its union");
    return shape(branch, value, defs, personal);
  }
  if (value === null && isAnything(target)) return null;
  if (value === null || value === undefined) {
    if (target.type === "string") return "";
    if (target.type === "array") return [];
    return undefined;
  }
  if (value instanceof Date) return target.format === "wire-date" ? wireDate(value) : wireDateTime(value);
  if (target.type === "array" && Array.isArray(value)) {
    const { items } = target;
    return items ? value.map((item) => shape(items, item, defs, personal) ?? null) : value;
  }
  if (target.properties && isObject(value)) {
    const shaped: Record<string, unknown> = {};
    const required = new Set(target.required);
    for (const [name, field] of Object.entries(target.properties)) {
      const held = value[name];
      // An optional field is left out when there is nothing; a required text or list is written empty.
      if ((held === null || held === undefined) && !required.has(name)) continue;
      const written = shape(field, held, defs, personal);
      if (written === undefined) continue;
      const rule = personal[name];
      shaped[name] = rule === undefined ? written : writePersonal(rule, written);
    }
    return shaped;
  }
  if (target.patternProperties && isObject(value)) {
    const [pattern] = Object.values(target.patternProperties);
    if (!pattern) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, shape(pattern, item, defs, personal)]),
    );
  }
  return value;
};

/**
 * Brings a value into the form of the wire by the contract's schema: no null (a missing string is "", a missing list [], a
 * missing number is left out; only `Type.Unknown()` keeps it), dates in Asia/Shanghai, and nothing that the schema does not name.
 * @param personal fields that are written by a rule, wherever they stand
 */
export function present(schema: TSchema, value: unknown, personal: Personal = {}): unknown {
  return shape(schema as SchemaNode, value, {}, personal);
}
