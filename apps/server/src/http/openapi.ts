import { createHash } from "node:crypto";
import type { Endpoint } from "@herdwise/contract";
import { publicClient, tokenHeader, tokenScopeOf, webhookBodies } from "@herdwise/contract";
import type { FastifyInstance } from "fastify";

type Json = Record<string, unknown>;

/** State of a document that is being generated. */
interface Writing {
  readonly components: Json;
  /** Source text of each component, to tell equal names apart. */
  readonly sources: Map<string, string>;
}

/**
 * Converts a schema to OpenAPI 3.1 (JSON Schema 2020-12): tuples by `prefixItems`, definitions of recursive schemas among the
 * document's components, referred to by `$ref`.
 * @param operation prefix of a component's name where another component has that name
 * @param names component names by the names that the surrounding schema uses
 */
function lift(
  schema: unknown,
  operation: string,
  writing: Writing,
  names: Readonly<Record<string, string>> = {},
): unknown {
  if (Array.isArray(schema)) return schema.map((item) => lift(item, operation, writing, names));
  if (typeof schema !== "object" || schema === null) return schema;
  const { $defs, $ref, $id: _id, ...rest } = schema as Json & { $defs?: Json; $ref?: string; $id?: string };
  const { components, sources } = writing;
  const known = { ...names };
  const added: [name: string, definition: unknown][] = [];
  for (const [name, definition] of Object.entries($defs ?? {})) {
    const source = JSON.stringify(definition);
    const taken = sources.has(name) && sources.get(name) !== source;
    const component = taken ? `${operation}_${name}` : name;
    known[name] = component;
    if (!sources.has(component)) added.push([component, definition]);
    sources.set(component, source);
  }
  for (const [component, definition] of added) components[component] = lift(definition, operation, writing, known);
  if (typeof $ref === "string")
    return { $ref: $ref.startsWith("#") ? $ref : `#/components/schemas/${known[$ref] ?? $ref}` };
  if (Array.isArray(rest.items)) {
    const { items, additionalItems: _additional, ...tuple } = rest;
    return { ...tuple, prefixItems: lift(items, operation, writing, known), items: false };
  }
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, lift(value, operation, writing, known)]));
}

const accessText = ({ access }: Endpoint): string =>
  access.level === "permission" ? `permission ${access.code}` : access.level;

/** Whether a valid session may be refused: because of a permission, the group's tenant, or a required confirmation. */
const isRefusable = ({ access, owner, confirmation }: Endpoint): boolean =>
  access.level === "permission" || owner === "group" || confirmation !== undefined;

/** Whether a body lacks something when it is empty. */
const requiresBody = ({ body }: Endpoint): boolean =>
  ((body as { required?: readonly string[] }).required?.length ?? 0) > 0 || "anyOf" in body || "items" in body;

interface Fields {
  properties?: Record<string, { items?: Fields }>;
}
/** Names of an object's fields, and of those of the objects in its lists. */
const fieldNames = ({ properties = {} }: Fields): string[] =>
  Object.entries(properties).flatMap(([name, { items }]) => [name, ...(items ? fieldNames(items) : [])]);

/** Whether a call names a row that may not exist. */
const namesRow = ({ path, query, body, secretHeader }: Endpoint): boolean =>
  secretHeader !== undefined ||
  path.endsWith("/detail") ||
  [query, body].some((of) =>
    fieldNames(of as Fields).some((field) =>
      /^id$|Ids?$|^ids$|^attach|^(?:version|number|token|fileName|menuCode|product|lot|passport)$/.test(field),
    ),
  );

/** Refusals of an operation by HTTP status. */
export const refusalsOf = (endpoint: Endpoint): Readonly<Record<number, { description: string }>> => ({
  400: { description: "a parameter or business rule; msg says what to change" },
  ...(endpoint.access.level !== "public" && { 401: { description: "no valid session" } }),
  ...(isRefusable(endpoint) && {
    403: {
      description: "the session may not do this; data.reason says whether a permission or a fresh password is missing",
    },
  }),
  ...(namesRow(endpoint) && { 404: { description: "no such row, or one that the session does not reach" } }),
  ...(endpoint.method !== "GET" && {
    409: { description: "somebody else changed it first, or it has come to where this can't be done any more" },
  }),
  ...(endpoint.access.level !== "public" && { 412: { description: "the own password has to be changed first" } }),
  429: { description: "too often; Retry-After says when to ask again, in seconds" },
});

/** The OpenAPI 3.1 document of the contract; the same contract always gives the same text. */
export function openApiOf(endpoints: Record<string, Endpoint>): Json {
  const components: Json = {};
  const writing: Writing = { components, sources: new Map() };
  const paths: Record<string, Json> = {};
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const query = endpoint.query as unknown as { properties: Json; required?: string[] };
    const reply = lift(endpoint.reply, name, writing);
    const content =
      endpoint.form === "stream"
        ? { "text/event-stream": { schema: reply } }
        : endpoint.form === "download"
          ? Object.fromEntries(
              (endpoint.mediaTypes ?? []).map((type) => [type, { schema: { type: "string", format: "binary" } }]),
            )
          : endpoint.form === "file"
            ? { "application/vnd.ms-excel": { schema: { type: "string", format: "binary" } } }
            : {
                "application/json": {
                  schema:
                    endpoint.form === "bare"
                      ? reply
                      : {
                          type: "object",
                          required: ["code", "success", "data", "msg"],
                          properties: {
                            code: { type: "integer" },
                            success: { type: "boolean" },
                            data: reply,
                            msg: { type: "string" },
                          },
                        },
                },
              };
    const path = paths[endpoint.path] ?? {};
    const tokenScope = tokenScopeOf(endpoint);
    path[endpoint.method.toLowerCase()] = {
      operationId: name,
      summary: endpoint.summary,
      tags: [endpoint.path.split("/")[2]],
      "x-access": accessText(endpoint),
      security:
        endpoint.access.level === "public"
          ? []
          : [{ session: [] }, ...(tokenScope === undefined ? [] : [{ personalToken: [tokenScope] }])],
      parameters: [
        ...Object.entries(query.properties).map(([parameter, schema]) => ({
          name: parameter,
          in: "query",
          required: query.required?.includes(parameter) ?? false,
          schema: lift(schema, name, writing),
        })),
        ...(endpoint.secretHeader === undefined
          ? []
          : [{ name: endpoint.secretHeader, in: "header", required: true, schema: { type: "string" } }]),
      ],
      ...(endpoint.method !== "GET" && {
        requestBody: {
          required: endpoint.upload === true || requiresBody(endpoint),
          content: endpoint.upload
            ? { "multipart/form-data": { schema: fileField } }
            : { "application/json": { schema: lift(endpoint.body, name, writing) } },
        },
      }),
      responses: {
        200: { description: "the answer", content },
        ...refusalsOf(endpoint),
      },
    };
    paths[endpoint.path] = path;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "API of the portal",
      version: "1",
      description: `Every call carries \`Authorization: Basic base64(${publicClient.id}:${publicClient.secret})\`; a session is \`${tokenHeader}: bearer <access token>\`. Programs carry \`Authorization: Bearer <personal access token>\` alone.`,
    },
    paths,
    webhooks: Object.fromEntries(
      Object.entries(webhookBodies).map(([event, body]) => [
        event,
        {
          post: {
            summary: `Sent to webhooks that ask for ${event}, signed as Standard Webhooks has it.`,
            requestBody: { content: { "application/json": { schema: lift(body, event, writing) } } },
            responses: { "2XX": { description: "taken; any other answer is tried again" } },
          },
        },
      ]),
    ),
    components: {
      schemas: components,
      securitySchemes: {
        session: { type: "apiKey", in: "header", name: tokenHeader },
        personalToken: { type: "http", scheme: "bearer", description: "a personal access token with the scope" },
      },
    },
  };
}

const fileField = {
  type: "object",
  required: ["file"],
  properties: { file: { type: "string", contentMediaType: "application/octet-stream" } },
};

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);

interface Operation {
  summary: string;
  "x-access": string;
  parameters: { name: string; required: boolean; schema: { type?: string; description?: string; enum?: string[] } }[];
}

/** A reference page without scripts. */
function referencePage(document: Json): string {
  const rows = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const parameters = operation.parameters
        .map(({ name, required, schema }) => {
          const form = schema.enum ? schema.enum.join(" | ") : (schema.type ?? "");
          return `<li><code>${escapeHtml(name)}</code>${required ? " *" : ""} <small>${escapeHtml([form, schema.description ?? ""].filter(Boolean).join(" — "))}</small></li>`;
        })
        .join("");
      return `<section><h2><b>${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code></h2><p>${escapeHtml(operation.summary)} <small>Access: ${escapeHtml(operation["x-access"])}</small></p>${parameters && `<ul>${parameters}</ul>`}</section>`;
    }),
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>API</title>
<style>${pageStyle}</style><main><h1>API</h1><p>Machine-readable: <a href="/api/openapi.json">/api/openapi.json</a></p>${rows.join("")}</main></html>`;
}

const pageStyle =
  ":root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;margin:0}main{max-width:60rem;margin:auto;padding:2rem 1rem}h2{font-size:1rem;margin:2rem 0 0;overflow-wrap:anywhere}p,ul{margin:.25rem 0}small{opacity:.75}";

/** `/api/openapi.json` and a reference page at `/api/docs`. */
export function openApiRoutes(app: FastifyInstance, endpoints: Record<string, Endpoint>): void {
  const write = () => {
    const document = openApiOf(endpoints);
    return { text: JSON.stringify(document), page: referencePage(document) };
  };
  let written: ReturnType<typeof write> | undefined;
  // Generated for its first reader, because it takes about a fifth of the server's start, and most servers are never asked for
  // it.
  const description = () => {
    written ??= write();
    return written;
  };
  const styleHash = createHash("sha256").update(pageStyle).digest("base64");
  const config = { openBecause: "the description of the API is public" };
  app.get("/api/openapi.json", { config }, async (_request, reply) =>
    reply.type("application/json").send(description().text),
  );
  app.get("/api/docs", { config }, async (_request, reply) =>
    reply
      .header("Content-Security-Policy", `default-src 'none'; style-src 'sha256-${styleHash}'`)
      .type("text/html; charset=utf-8")
      .send(description().page),
  );
}
