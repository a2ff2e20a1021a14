import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import fastifyStatic from "@fastify/static";
import { publicClient } from "@herdwise/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Bus } from "../providers/bus.ts";
import { createKeptPages, type Reuse, sendKept } from "./kept-pages.ts";
import { answerPreparing } from "./preparing.ts";

/** What the web build exports; see apps/web/app/entry.server.tsx. */
interface WebBuild {
  routes: Readonly<Record<string, WebRoute | undefined>>;
  entry: {
    module: {
      createLoadContext(callApi: ApiCaller, nonce: string): unknown;
      reuseOf(path: string, cookies: string): Reuse | undefined;
      takesForms(path: string): boolean;
    };
  };
}
interface WebRoute {
  parentId?: string;
  module: { handle?: unknown };
}
/** Calls the API by path with query (GET) or body (POST); returns the envelope's payload, and throws a refusal as a Response. */
type ApiCaller = (path: string, body?: object, headers?: Readonly<Record<string, string>>) => Promise<unknown>;
/** The visitor who opened a page; rate limits count their address, and a captcha is bound to their browser. */
interface Visitor {
  ip: string;
  userAgent: string;
}
/** Stands for all visitors who see a cached page. */
const everybody: Visitor = { ip: "127.0.0.1", userAgent: "" };
type WebHandler = (request: Request, context: unknown) => Promise<Response>;

const yearS = 31_536_000;

/** @param scripts sources of inline scripts: their nonce, or their digests */
const contentSecurityPolicy = (scripts: readonly string[]) =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...scripts].join(" "),
    // ECharts sets styles from scripts; styles can't run code.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Calls the public API inside the process; only endpoints without a session can be reached. */
const apiCaller =
  (app: FastifyInstance, { ip: remoteAddress, userAgent }: Visitor): ApiCaller =>
  async (path, body, more) => {
    const answer = await app.inject({
      // The visitor's address, so that rate limits count the visitor.
      remoteAddress,
      method: body === undefined ? "GET" : "POST",
      url: path,
      ...(body && { payload: body }),
      headers: {
        authorization: `Basic ${Buffer.from(`${publicClient.id}:${publicClient.secret}`).toString("base64")}`,
        ...(userAgent !== "" && { "user-agent": userAgent }),
        ...more,
      },
    });
    if (answer.statusCode !== 200)
      throw new Response(answer.payload, {
        status: answer.statusCode,
        headers: { "Content-Type": "application/json" },
      });
    const payload = answer.json() as { code?: unknown; data: unknown };
    // A bare answer is the value itself.
    return payload.code === undefined ? payload : payload.data;
  };

/** Whether a form was sent by a page of this portal, under its public address or the requested one. */
function isOwnForm({ headers: { origin, host } }: FastifyRequest, publicUrl: string): boolean {
  if (origin === undefined) return true;
  const sender = URL.parse(origin);
  return sender !== null && (sender.host === host || sender.origin === new URL(publicUrl).origin);
}

function requestOf(request: FastifyRequest, publicUrl: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) headers.append(name, item);
  }
  // The configured address, because a caller may set the Host header to anything.
  const url = new URL(request.url, `${publicUrl}/`);
  if (request.method === "GET" || request.method === "HEAD")
    return new Request(url, { method: request.method, headers });
  // The body was parsed and is serialized again with another length.
  headers.delete("content-length");
  // Already checked above against both addresses; React Router only knows the configured one.
  headers.delete("origin");
  headers.set("content-type", "application/x-www-form-urlencoded");
  const body = new URLSearchParams(
    Object.entries((request.body ?? {}) as Record<string, string | string[]>).flatMap(
      ([name, value]): [string, string][] => [value].flat().map((one) => [name, one]),
    ),
  );
  return new Request(url, { method: request.method, headers, body });
}

/** Sends a page that was rendered for this request alone. */
async function sendOwn(reply: FastifyReply, response: Response, nonce: string): Promise<FastifyReply> {
  reply.code(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  reply.header("Content-Security-Policy", contentSecurityPolicy([`'nonce-${nonce}'`]));
  return reply.send(Buffer.from(await response.arrayBuffer()));
}

const isPlain = ({ module: { handle } }: WebRoute): boolean =>
  typeof handle === "object" && handle !== null && "plain" in handle;

/** The build reduced to routes that need no script, with their parents, because each rendering searches all routes. */
function plainBuild(build: WebBuild): WebBuild {
  const { routes } = build;
  const leadsToPlain = new Set<string>();
  for (const [id, route] of Object.entries(routes))
    if (route && isPlain(route))
      for (let at: string | undefined = id; at !== undefined; at = routes[at]?.parentId) leadsToPlain.add(at);
  const isInside = (id: string | undefined): boolean => {
    const route = id === undefined ? undefined : routes[id];
    return route !== undefined && (isPlain(route) || isInside(route.parentId));
  };
  return {
    ...build,
    routes: Object.fromEntries(Object.entries(routes).filter(([id]) => leadsToPlain.has(id) || isInside(id))),
  };
}

/** The build stores compressed copies beside files; they are sent in the file's place, and not under their own name. */
const isCompressedCopy = (path: string): boolean => /\.(br|gz)$/.test(path);

/**
 * Serves the built web app on all paths that no other route takes, except below /api/. Files with a hash in their name are
 * cached for a year; all other paths are rendered.
 * @param buildFolder `apps/web/build`
 * @param bus tells when cached pages are outdated
 * @param isPrepared whether pages can be rendered; files are served before that
 * @returns false without a build; then only the API is served
 */
export async function mountWeb(
  app: FastifyInstance,
  buildFolder: string,
  {
    publicUrl,
    bus,
    isPrepared,
  }: { publicUrl: string; bus: Pick<Bus, "subscribe" | "onGap">; isPrepared: () => boolean },
): Promise<boolean> {
  const serverBuild = join(buildFolder, "server", "index.js");
  if (!existsSync(serverBuild)) return false;
  const { createRequestHandler } = await import("react-router");
  const build = (await import(pathToFileURL(serverBuild).href)) as WebBuild;
  const handlerOf = (of: WebBuild) => createRequestHandler(of as never, "production") as WebHandler;
  const [handle, handlePlain] = [handlerOf(build), handlerOf(plainBuild(build))];
  const contextFor = (nonce: string, visitor: Visitor): unknown =>
    build.entry.module.createLoadContext(apiCaller(app, visitor), nonce);
  const render = (request: Request, nonce: string, visitor: Visitor): Promise<Response> =>
    handle(request, contextFor(nonce, visitor));
  // Only pages of the site are cached.
  const pages = createKeptPages(
    (request, nonce) => handlePlain(request, contextFor(nonce, everybody)),
    contentSecurityPolicy,
  );
  bus.subscribe("contentChanged", pages.clear);
  bus.onGap(pages.clear);

  const clientFolder = join(buildFolder, "client");
  await app.register(fastifyStatic, { root: clientFolder, serve: false, cacheControl: false, preCompressed: true });
  const files = new Set(
    (await readdir(clientFolder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => `/${relative(clientFolder, join(entry.parentPath, entry.name)).replaceAll("\\", "/")}`)
      .filter((path) => !isCompressedCopy(path)),
  );

  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = request.url.split("?", 1)[0] ?? "/";
    if (path.startsWith("/api/")) {
      reply.callNotFound();
      return reply;
    }
    if (files.has(path)) {
      const lifetime = path.startsWith("/assets/") ? `public, max-age=${yearS}, immutable` : "public, max-age=300";
      return reply.header("Cache-Control", lifetime).sendFile(path.slice(1));
    }
    if (!isPrepared()) return answerPreparing(request, reply);
    const reuse =
      request.method === "GET" ? build.entry.module.reuseOf(request.url, request.headers.cookie ?? "") : undefined;
    if (reuse) return sendKept(request, reply, await pages.find(() => requestOf(request, publicUrl), reuse));
    const nonce = randomBytes(16).toString("base64");
    const visitor = { ip: request.ip, userAgent: request.headers["user-agent"] ?? "" };
    return sendOwn(reply, await render(requestOf(request, publicUrl), nonce, visitor), nonce);
  };
  // A route instead of the not-found handler, because only answers of routes are compressed.
  app.get("/*", { config: { openBecause: "pages and files of the web app", worksUnprepared: true } }, serve);
  // Forms of the site work without scripts: they are posted to their own page, which answers.
  app.post(
    "/*",
    { config: { openBecause: "forms of the public site; what they send is checked by the API that the page calls" } },
    (request, reply) => {
      const path = request.url.split("?", 1)[0] ?? "/";
      const isForm = (request.headers["content-type"] ?? "").startsWith("application/x-www-form-urlencoded");
      if (isForm && build.entry.module.takesForms(path))
        return isOwnForm(request, publicUrl) ? serve(request, reply) : reply.code(403).send();
      reply.callNotFound();
      return reply;
    },
  );
  return true;
}
