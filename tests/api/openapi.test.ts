import { type Endpoint, type ResourceDeclaration, resources } from "@herdwise/contract";
import { Compile } from "typebox/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { operations } from "../threats/operations.ts";

type Json = Record<string, unknown>;
interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Json;
}
interface Operation {
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema: Json }>> }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Json };
}

let app: TestApp;
let document: Document;
/** Tokens of the group's administrator, of a farm's owner and of a worker. */
let tokens: string[];
beforeAll(async () => {
  app = await createTestApp();
  document = (await app.http.inject({ url: "/api/openapi.json" })).json();
  tokens = await Promise.all(["admin", "farm", "worker"].map((account) => app.logIn(account)));
  await app.report("ENV-ZJY-09", { t_in: 31.6, rh: 65, t1: "36,5", h2s: 12 });
});
afterAll(() => app.close());

/** What is answered in another way: pages to go to, and what ends the session that the other calls need. */
const endsSession = /logout|session\/end|switch-multi-tenant|authorize$/;
const reads = operations.filter(
  ([, { method, form, path }]) => method === "GET" && form !== "stream" && !endsSession.test(path),
);
/** The components that a text of schemas refers to, by themselves or by each other. */
function referredBy(text: string, found = new Map<string, unknown>()): Map<string, unknown> {
  for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name)) continue;
    const schema = document.components.schemas[name];
    found.set(name, schema);
    referredBy(JSON.stringify(schema), found);
  }
  return found;
}
const compiledOf = (schema: Json) => {
  // The components become definitions of a schema that stands alone.
  const $defs = Object.fromEntries(referredBy(JSON.stringify(schema)));
  return Compile(JSON.parse(JSON.stringify({ ...schema, $defs }).replaceAll("#/components/schemas/", "#/$defs/")));
};

/** Values that lists answered, by the path they stand at and by the name of the field. */
const seen = new Map<string, Set<string>>();
const note = (place: string, value: unknown): void => {
  if (typeof value !== "string" && typeof value !== "number") return;
  const held = seen.get(place) ?? new Set();
  if (held.size < 3) held.add(String(value));
  seen.set(place, held);
};
function noteAll(path: string, value: unknown): void {
  if (Array.isArray(value)) for (const one of value.slice(0, 3)) noteAll(path, one);
  else if (typeof value === "object" && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      note(`${path.slice(0, path.lastIndexOf("/"))} ${name}`, inner);
      note(name, inner);
      noteAll(path, inner);
    }
}

const weekAgo = () => Date.now() - 7 * 86_400_000;
/** Samples by name for what no list answers. */
const samples: Readonly<Record<string, () => string>> = {
  start: () => String(weekAgo()),
  end: () => String(Date.now()),
  from: () => "2026-01-01",
  to: () => "2026-01-31",
  day: () => "2026-01-31",
  key: () => "t_in",
  keys: () => "t_in",
  keyword: () => "1",
  kind: () => "environment",
  codes: () => "411325",
  code: () => "dept_category",
  period: () => "day",
  roleIds: () => "1",
  version: () => "1",
  number: () => "1",
};

/** Values for a parameter, best first: of the operation's own family, of a field that has its name, a sample. */
function valuesFor(path: string, { name, schema }: Parameter): string[] {
  if (Array.isArray(schema.enum)) return schema.enum.map(String);
  const family = path.slice(0, path.lastIndexOf("/"));
  const parents = [family, ...[/\/(desk|skip-secure|import|update)$/].map((end) => family.replace(end, ""))];
  const own = parents.flatMap((parent) => [...(seen.get(`${parent} ${name}`) ?? [])]);
  if (own.length > 0) return own;
  const sample = samples[name];
  if (sample) return [sample()];
  const alike = name === "ids" ? "deviceId" : name === "unitId" || name === "farmId" ? name : undefined;
  const others = name === "id" ? ["deviceId", "unitId", "farmId"] : alike ? [alike] : [name];
  return others.flatMap((other) => [...(seen.get(other) ?? [])]);
}

/** What an operation answers to each account, with the first values that are answered at all. */
async function answersOf({ path }: Endpoint, parameters: readonly Parameter[]): Promise<unknown[]> {
  const required = parameters.filter((one) => one.required);
  const choices = required.map((one) => valuesFor(path, one));
  if (choices.some((values) => values.length === 0)) return [];
  const tries = Math.max(1, ...choices.map((values) => values.length));
  for (let at = 0; at < Math.min(tries, 8); at += 1) {
    const query = Object.fromEntries(
      required.map(({ name }, place) => [name, choices[place]?.[at % choices[place].length] ?? ""]),
    );
    const answers: unknown[] = [];
    for (const token of [...tokens, ""]) {
      const { status, body } = await app.call({ path, query, token });
      expect(status, path).toBeLessThan(500);
      if (status === 200) answers.push(body);
    }
    if (answers.length > 0) return answers;
  }
  return [];
}

test("what the reads answer is what the document says of them", async () => {
  const wrong = new Set<string>();
  const answered = new Set<string>();
  // Lists come first, in which the ids stand that the others ask for.
  for (const round of [0, 1, 2]) {
    for (const [name, endpoint] of reads) {
      const operation = document.paths[endpoint.path]?.get;
      const needs = operation?.parameters.some(({ required }) => required) ?? true;
      if (operation === undefined || answered.has(name) || needs !== round > 0) continue;
      const schema = operation.responses[200]?.content?.["application/json"]?.schema ?? {};
      const validator = compiledOf(schema);
      for (const body of await answersOf(endpoint, operation.parameters)) {
        answered.add(name);
        noteAll(endpoint.path, (body as { data?: unknown }).data ?? body);
        const [fits, errors] = validator.Errors(body);
        if (fits) continue;
        const places = errors.slice(0, 2).map(({ instancePath, message }) => `${instancePath} ${message}`);
        wrong.add(`${name} ${places.join("; ")}`);
      }
    }
  }
  // The others ask for rows of tables that are empty here.
  expect([...wrong]).toEqual([]);
  expect(answered.size).toBeGreaterThan(240);
});

test("rows of each resource are documented as its own", () => {
  for (const of of resources as readonly ResourceDeclaration[]) {
    const schema = JSON.stringify(document.paths[`${of.path}/list`]?.get?.responses[200] ?? {});
    if (schema === "{}") continue;
    const [, name = ""] = /#\/components\/schemas\/([A-Za-z_]+)/.exec(schema) ?? [];
    const fields = name === "" ? schema : JSON.stringify(document.components.schemas[name]);
    for (const [field, { derived }] of Object.entries(of.fields)) {
      // A list of wire.md has the fields of a row, and not what the list of the kit counts beside it.
      if (name === "" && derived) continue;
      expect(fields, `${of.name} ${name}`).toContain(`"${field}"`);
    }
  }
});
