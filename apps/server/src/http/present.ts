import type { PersonalRule } from "@herdwise/contract";
import { shanghaiMs } from "@herdwise/contract/shanghai";
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

/**
 * Asia/Shanghai has been UTC+8 since its last summer time in 1991, so later times are computed by addition, at a tenth of the
 * cost.
 */
const fixedOffsetSince = Date.UTC(1992, 0, 1);
const shanghai = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "Asia/Shanghai",
  dateStyle: "short",
  timeStyle: "medium",
});

/** `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai (wire.md 1.2). */
export function wireDateTime(at: Date): string {
  const time = at.getTime();
  if (!(time >= fixedOffsetSince)) return shanghai.format(at);
  const text = new Date(time + shanghaiMs).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}
/** `yyyy-MM-dd` in Asia/Shanghai. */
export const wireDate = (at: Date): string => wireDateTime(at).slice(0, 10);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** `Type.Unknown()`: a value that is passed on unchanged, nulls included, as AJ-Captcha's protocol needs. */
const isAnything = (node: SchemaNode): boolean =>
  node.type === undefined && node.properties === undefined && node.const === undefined && node.anyOf === undefined;

type Personal = Readonly<Record<string, PersonalRule>>;
type Definitions = Readonly<Record<string, SchemaNode>>;
type Write = (value: unknown) => unknown;

/** Chooses the branch of a union whose literal fields match the value. */
function unionWriter(branches: readonly SchemaNode[], writerOf: (node: SchemaNode) => Write): Write {
  const writers = branches.map((branch) => ({
    literals: Object.entries(branch.properties ?? {}).filter(([, field]) => field.const !== undefined),
    write: writerOf(branch),
  }));
  return (value) => {
    const fitting = writers.find(({ literals }) =>
      literals.every(([name, field]) => isObject(value) && value[name] === field.const),
    );
    if (fitting === undefined) throw new Error("A value fits no branch of its union");
    return fitting.write(value);
  };
}

function objectWriter(
  properties: Readonly<Record<string, SchemaNode>>,
  required: ReadonlySet<string>,
  personal: Personal,
  writerOf: (node: SchemaNode) => Write,
): Write {
  const fields = Object.entries(properties).map(([name, field]) => ({
    name,
    required: required.has(name),
    rule: personal[name],
    write: writerOf(field),
  }));
  return (value) => {
    const held = value as Record<string, unknown>;
    const shaped: Record<string, unknown> = {};
    for (const { name, required, rule, write } of fields) {
      const inner = held[name];
      // A missing optional field is left out; a missing required text or list is written empty.
      if ((inner === null || inner === undefined) && !required) continue;
      const written = write(inner);
      if (written !== undefined) shaped[name] = rule === undefined ? written : writePersonal(rule, written);
    }
    return shaped;
  };
}

/** Writes each entry of a map, whose keys can be anything. */
function mapOf(held: Readonly<Record<string, unknown>>, write: Write): Record<string, unknown> {
  const shaped: Record<string, unknown> = {};
  for (const name of Object.keys(held)) {
    const value = write(held[name]);
    // A plain assignment would set the prototype.
    if (name === "__proto__") Object.defineProperty(shaped, name, { value, enumerable: true });
    else shaped[name] = value;
  }
  return shaped;
}

/** Writer of a schema; a value of another type is passed on unchanged. */
function writersOf(node: SchemaNode, personal: Personal, writerOf: (node: SchemaNode) => Write) {
  const { items, properties } = node;
  const [pattern] = Object.values(node.patternProperties ?? {});
  const writeItem = node.type === "array" && items ? writerOf(items) : undefined;
  const writeEntry = pattern && writerOf(pattern);
  return {
    list: writeItem && ((list: readonly unknown[]) => list.map((item) => writeItem(item) ?? null)),
    object: properties
      ? objectWriter(properties, new Set(node.required), personal, writerOf)
      : writeEntry && ((held: object) => mapOf(held as Record<string, unknown>, writeEntry)),
  };
}

/** Compiles a schema. References are compiled with the first value, because trees refer to themselves. */
function compile(node: SchemaNode, outer: Definitions, personal: Personal): Write {
  const definitions = node.$defs ? { ...outer, ...node.$defs } : outer;
  const writerOf = (inner: SchemaNode): Write => compile(inner, definitions, personal);
  if (node.$ref !== undefined) {
    const target = definitions[node.$ref];
    if (target === undefined) throw new Error(`The schema refers to ${node.$ref}, which it does not define`);
    let write: Write | undefined;
    return (value) => {
      write ??= compile(target, definitions, personal);
      return write(value);
    };
  }
  if (node.anyOf) return unionWriter(node.anyOf, writerOf);
  const anything = isAnything(node);
  const dateOf = node.format === "wire-date" ? wireDate : wireDateTime;
  const { list, object } = writersOf(node, personal, writerOf);
  return (value) => {
    if (value === null || value === undefined) {
      if (value === null && anything) return null;
      if (node.type === "string") return "";
      return node.type === "array" ? [] : undefined;
    }
    if (typeof value !== "object") return value;
    if (value instanceof Date) return dateOf(value);
    if (list && Array.isArray(value)) return list(value);
    return object ? object(value) : value;
  };
}

const nobodys: Personal = {};
/** Compiled writers by an operation's rules and schema, both of which are constants of the contract. */
const compiled = new WeakMap<Personal, WeakMap<TSchema, Write>>();

/**
 * Converts a value to the form of the wire by the contract's schema.
 * There is no null: a missing string is "", a missing list [], a missing number is left out; only `Type.Unknown()` keeps it.
 * Dates are in Asia/Shanghai, and fields outside the schema are dropped.
 * @param personal rules for personal fields by name, at any depth
 */
export function present(schema: TSchema, value: unknown, personal: Personal = nobodys): unknown {
  let bySchema = compiled.get(personal);
  if (bySchema === undefined) {
    bySchema = new WeakMap();
    compiled.set(personal, bySchema);
  }
  let write = bySchema.get(schema);
  if (write === undefined) {
    write = compile(schema as SchemaNode, {}, personal);
    bySchema.set(schema, write);
  }
  return write(value);
}
