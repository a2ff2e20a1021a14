import { type Endpoint, endpoints, type ResourceDeclaration, resources } from "@herdwise/contract";
import { isInTurn, volume } from "../harness/volume.ts";

/** Every operation of the contract with its name: the cases of these tests, so that a new one is covered by being declared. */
export const operations = Object.entries(endpoints) as [name: string, endpoint: Endpoint][];
export const privateOperations = operations.filter(([, { access }]) => access.level !== "public");
/** Operations that change something. */
export const writes = operations.filter(([, { method }]) => method !== "GET");

/** What serves an operation: of operations that the kit serves for a resource, their verb, the resource's scope and whether it is a tree. */
function kindOf(name: string): string {
  const of = (resources as readonly ResourceDeclaration[])
    .filter((one) => name.startsWith(`${one.name}_`))
    .sort((a, b) => b.name.length - a.name.length)[0];
  return of === undefined ? name : `${of.scope} ${of.tree ? "tree" : "list"} ${name.slice(of.name.length)}`;
}

/**
 * Operations for a test of what happens before or after their own work (paths, other sites, bytes, logs): each in `npm run test:long`;
 * else those with code of their own, and of what the kit serves for many resources by the same code each kind once, by another
 * resource in each run.
 */
export function oneOfEachKind(
  all: readonly [name: string, endpoint: Endpoint][],
): readonly [name: string, endpoint: Endpoint][] {
  const kinds = new Map<string, [name: string, endpoint: Endpoint][]>();
  for (const one of all) kinds.set(kindOf(one[0]), [...(kinds.get(kindOf(one[0])) ?? []), one]);
  const chosen = new Set(
    [...kinds.values()].map((same, at) => same.find((_, place) => isInTurn(place - at, same.length))),
  );
  return volume({ short: all.filter((one) => chosen.has(one)), long: all });
}

/** A snowflake that no row has. */
export const missingId = "1560000000000000001";

interface SchemaNode {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: SchemaNode[];
  pattern?: string;
  format?: string;
  minimum?: number;
  minLength?: number;
  minItems?: number;
  default?: unknown;
  items?: SchemaNode;
  properties?: Record<string, SchemaNode>;
  patternProperties?: Record<string, SchemaNode>;
}

/** Name of a file as an upload answers it; there is none of it. */
const sampleFile = "upload/20260131/00000000-0000-4000-8000-000000000000.png";

/** Texts that pass for what a field of this name means; the first whose pattern the schema takes is used. */
function textsFor(name: string): string[] {
  if (/phone|mobile/i.test(name)) return ["13900000001"];
  if (/tenantId/i.test(name)) return ["100001"];
  if (/uri|url|logo|link/i.test(name)) return ["https://app.example/callback"];
  if (/e?mail/i.test(name)) return ["someone@example.cn"];
  if (/fileName/.test(name)) return [sampleFile];
  if (/ids?$/i.test(name)) return [missingId];
  if (/date|birthday|time/i.test(name)) return ["2026-01-31 08:00:00", "2026-01-31"];
  return [];
}
const anyTexts = [
  "sample",
  "2026-01-31",
  "2026-01",
  missingId,
  "0".repeat(32),
  "0".repeat(22),
  "leaf",
  "a-b_c",
  "100001",
  "2026-01-31 08:00:00",
  "1",
  "x",
  sampleFile,
  "7f1c2a9e-7b3d-4c5f-8a6b-0c1d2e3f4a5b",
  "41",
  "20-4",
  "device:1,farm:1",
];

function textOf(node: SchemaNode, name: string): string {
  const { pattern, format, minLength = 0 } = node;
  const forms: Record<string, string> = { "wire-date-time": "2026-01-31 08:00:00", "wire-date": "2026-01-31" };
  if (format !== undefined && forms[format] !== undefined) return forms[format];
  const found = [...textsFor(name), ...anyTexts].find(
    (text) => text.length >= minLength && (pattern === undefined || new RegExp(pattern, "u").test(text)),
  );
  if (found === undefined) throw new Error(`No sample text for ${name} (${pattern}); add one to anyTexts`);
  return found;
}

/**
 * A value that a schema of the contract takes, every optional field included, so that a call gets past validation.
 * @param name of the field, which tells what a text means
 */
function sampleOf(schema: unknown, name = ""): unknown {
  const node = schema as SchemaNode;
  if (node.const !== undefined) return node.const;
  if (node.enum !== undefined) return node.enum[0];
  if (node.anyOf !== undefined) return sampleOf(node.anyOf[0], name);
  switch (node.type) {
    case "string":
      return textOf(node, name);
    case "integer":
    case "number":
      return node.default ?? Math.max(node.minimum ?? 0, 1);
    case "boolean":
      return false;
    case "array":
      return Array.from({ length: Math.max(node.minItems ?? 0, 1) }, () => sampleOf(node.items, name));
    case "object":
      return Object.fromEntries(
        Object.entries(node.properties ?? {}).map(([field, inner]) => [field, sampleOf(inner, field)]),
      );
    default:
      return "sample";
  }
}

/** The query of an operation with a sample for each parameter. */
export const queryOf = (endpoint: Endpoint): Record<string, string> =>
  Object.fromEntries(
    Object.entries(sampleOf(endpoint.query) as Record<string, unknown>).map(([name, value]) => [name, String(value)]),
  );

/** The body of an operation with a sample for each field; undefined where it has none. */
export function bodyOf(endpoint: Endpoint): Record<string, unknown> | undefined {
  if (endpoint.method === "GET") return undefined;
  const body = sampleOf(endpoint.body);
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
}

/** A stream that nothing in its parameters can refuse: for who is let in it does not end. */
export const isEndless = ({ form, owner, query }: Endpoint): boolean =>
  form === "stream" &&
  (owner === "self" || Object.keys((query as { properties?: object }).properties ?? {}).length === 0);
