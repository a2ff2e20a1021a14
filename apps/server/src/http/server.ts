import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import fastifyCompress from "@fastify/compress";
import fastifyFormbody from "@fastify/formbody";
import { type Endpoint, endpoints, requestIdHeader, wireMessage } from "@herdwise/contract";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { loopbackHosts } from "../providers/address.ts";
import { StoreAway } from "../providers/store.ts";
import { isUnreadableInput, noteFailure, OAuthRefusal, Refusal, refuse, Unauthenticated } from "./errors.ts";
import { requireDeclaredAccess } from "./router.ts";
import { lazyValidators } from "./validators.ts";

interface ValidationProblem {
  keyword: string;
  instancePath: string;
  params?: { missingProperty?: string; type?: string };
  message?: string;
}

/** Makes the refusal for an invalid parameter, with the specification's text and the parameter as its field. */
function refusalOfValidation(error: FastifyError): Refusal {
  const [problem] = (error.validation ?? []) as ValidationProblem[];
  if (problem?.keyword === "required") {
    const field = problem.params?.missingProperty ?? "";
    return refuse("parameter.missing", { field, values: { field } });
  }
  const field = (problem?.instancePath ?? "").replace(/^\//, "").replaceAll("/", ".");
  return refuse(problem?.keyword === "type" ? "parameter.type" : "parameter.invalid", { field, values: { field } });
}

const envelopeOf = (code: number, msg: string, data: object = {}) => ({ code, success: false, data, msg });

/** Seconds after which a client that got 503 should try again. */
export const retryAfterS = 2;

/** Answers 503 and asks the client to repeat the call. */
export const sendBusy = (reply: FastifyReply): FastifyReply =>
  reply.code(503).header("Retry-After", String(retryAfterS)).send(envelopeOf(503, wireMessage.busy));

/** Temporary faults of PostgreSQL and the network, after which the same call may succeed. */
const passingFaults = /^(08|53|57P0)|^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EAI_AGAIN)$/;
const isPassing = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (error instanceof StoreAway) return true;
  const { code } = error as { code?: unknown };
  if (typeof code === "string" && passingFaults.test(code)) return true;
  // The last is what the rollback of a transaction meets whose connection ended.
  return /timeout exceeded when trying to connect|Connection terminated|is not queryable/.test(error.message);
};

/** Whether PostgreSQL ended a statement because of its time limit, which includes waiting for locks. */
const isTimedOut = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === "57014";

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  noteFailure(request, error);
  const send = (status: number, body: unknown) => reply.code(status).header(requestIdHeader, request.id).send(body);
  if (error instanceof Unauthenticated) return send(401, { code: 401, msg: error.message, data: null });
  if (error instanceof OAuthRefusal) {
    reply.header("Pragma", "no-cache");
    if (error.status === 401) reply.header("WWW-Authenticate", 'Basic realm="herdwise"');
    return send(error.status, { error: error.error, error_description: error.message, ...error.more });
  }
  if (error instanceof Refusal) {
    request.log.info({ reason: error.reason, status: error.status }, "refused");
    return send(error.status, envelopeOf(error.status, error.message, error.answer));
  }
  const known = error as FastifyError;
  if (known.validation) {
    const refusal = refusalOfValidation(known);
    return send(400, envelopeOf(400, refusal.message, refusal.answer));
  }
  // The library's errors for a body that is no multipart although a file is expected.
  if (known.statusCode === 415 || known.code === "FST_INVALID_MULTIPART_CONTENT_TYPE")
    return send(415, envelopeOf(415, wireMessage.unsupportedMedia));
  if (known.statusCode !== undefined && known.statusCode < 500) {
    return send(known.statusCode, envelopeOf(known.statusCode, wireMessage.bodyUnreadable));
  }
  if (isUnreadableInput(error)) {
    // Also logged, because a schema that lets the value through could be stricter.
    request.log.warn({ err: error }, "the database could not read what was sent");
    const refusal = refuse("parameter.unreadable");
    return send(400, envelopeOf(400, refusal.message, refusal.answer));
  }
  if (isTimedOut(error)) {
    // Usually the statement waited for a lock; otherwise the log shows which statement is too slow.
    request.log.error({ err: error }, "the database took longer than a statement may");
    return sendBusy(reply.header(requestIdHeader, request.id));
  }
  if (isPassing(error)) {
    request.log.warn({ err: error }, "a need of the server is away");
    return sendBusy(reply.header(requestIdHeader, request.id));
  }
  request.log.error({ err: error }, "unexpected error");
  // With the request's number a person's report can be matched with the log.
  return send(500, envelopeOf(500, `${wireMessage.serverError} (${request.id})`));
}

/**
 * Answers on a connection whose bytes are no HTTP request. Node's parser gave up, so there is no request to answer, and the
 * connection is closed because the begin of a next request is unknown.
 */
function answerBadBytes(error: Error & { code?: string }, socket: Socket, log: FastifyBaseLogger): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const [status, phrase, msg] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? [431, "Request Header Fields Too Large", wireMessage.headersTooLarge]
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? [408, "Request Timeout", wireMessage.bodyUnreadable]
        : [400, "Bad Request", wireMessage.bodyUnreadable];
  log.debug({ err: error }, "bytes that are no request");
  const body = JSON.stringify(envelopeOf(status, msg));
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${status} ${phrase}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  socket.destroySoon();
}

/**
 * Milliseconds within which the headers, and a body without a file, must arrive, so that slow senders don't occupy connections.
 */
const receiveLimitMs = 18_000;
/** The same for a file: a photo over a bad line takes longer. */
const uploadLimitMs = 120_000;

/** Aborts bodies that arrive too slowly; Node itself limits the headers. */
function limitBodies(app: FastifyInstance, log: FastifyBaseLogger): void {
  const late = Object.assign(new Error("the body came too slowly"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
  app.addHook("onRequest", async ({ raw, headers }) => {
    const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
    const { socket } = raw;
    // Injected requests of this process have no socket.
    if (!(socket instanceof Socket) || raw.complete || !hasBody) return;
    if (headers["content-type"]?.startsWith("multipart/form-data")) return;
    const limit = setTimeout(() => answerBadBytes(late, socket, log), receiveLimitMs);
    raw.once("end", () => clearTimeout(limit)).once("close", () => clearTimeout(limit));
  });
}

export interface HttpOptions {
  log: FastifyBaseLogger;
  /** Addresses that may set X-Forwarded-For; none by default. */
  trustProxy?: string[];
  /** Public address of the portal. */
  publicUrl: string;
  /** Selects upgrade requests that go to the listeners of `upgrade`, as long as there are any; none by default. */
  isUpgrade?: (request: IncomingMessage) => boolean;
}

/** One year, as browsers' preload lists require; without subdomains, which may have no TLS. */
const transportSecurity = "max-age=31536000";

/** Whether browsers are told to use only TLS: not for a portal without it, nor on the local machine. */
function asksForTransportSecurity(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" && !loopbackHosts.has(hostname);
}

/** A Fastify instance with the wire's errors, request numbers and limits, and without routes. */
export function createHttp({ log, trustProxy, publicUrl, isUpgrade = () => false }: HttpOptions): FastifyInstance {
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: trustProxy !== undefined && trustProxy.length > 0 ? trustProxy : false,
    bodyLimit: 1024 * 1024,
    requestTimeout: uploadLimitMs,
    http: {
      headersTimeout: receiveLimitMs,
      connectionsCheckingInterval: 1000,
      // Other upgrade requests are answered like plain requests, which HTTP allows.
      shouldUpgradeCallback: (request) => app.server.listenerCount("upgrade") > 0 && isUpgrade(request),
    },
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    clientErrorHandler: (error, socket) => answerBadBytes(error, socket, log),
    // URLs that the router can't parse.
    frameworkErrors: (error, _request, reply) => {
      const status = error.statusCode ?? 400;
      void (reply as FastifyReply).code(status).send(envelopeOf(status, wireMessage.addressUnreadable));
    },
    return503OnClosing: false,
    forceCloseConnections: "idle",
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      maxParamLength: 300,
    },
    schemaController: { compilersFactory: { buildValidator: lazyValidators } },
  });
  // Reads the remote address at once, which makes Node store it: requests may still arrive from a connection that was reset
  // meanwhile.
  app.server.on("connection", (socket) => {
    if (socket.remoteAddress === undefined) socket.destroy();
  });
  limitBodies(app, log);
  app.removeContentTypeParser("text/plain");
  app.register(fastifyFormbody);
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    // Clients of the family send the content type even without a body.
    if (body === "") done(null, undefined);
    else parseJson(request, body as string, done);
  });
  app.addHook("preValidation", async (request) => {
    request.body ??= {};
  });
  const tellsTransportSecurity = asksForTransportSecurity(publicUrl);
  requireDeclaredAccess(app);
  app.setErrorHandler(answerError);
  app.addHook("onRequest", async (request, reply) => {
    reply.header(requestIdHeader, request.id);
    // Set on the raw response, because streams and the authorization server write past Fastify.
    const { raw } = reply;
    raw.setHeader("X-Content-Type-Options", "nosniff");
    raw.setHeader("Referrer-Policy", "strict-origin-when-cross-origin");
    raw.setHeader("X-Frame-Options", "DENY");
    if (tellsTransportSecurity) raw.setHeader("Strict-Transport-Security", transportSecurity);
  });
  app.addHook("onSend", async (_request, reply) => {
    // Answers are private to the caller unless they set their own Cache-Control.
    if (!reply.hasHeader("Cache-Control")) reply.header("Cache-Control", "no-store");
  });
  app.addHook("onResponse", async (request, reply) => {
    // Logs the route's pattern instead of the URL, because query strings contain passwords and paths contain device tokens.
    const { url: route = "none" } = request.routeOptions;
    const line = { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
    if (route.startsWith("/api/") || reply.statusCode >= 500) request.log.info(line, "request");
    else request.log.debug(line, "request");
  });
  return app;
}

/** The library's own list, and JSON lines. */
const compressedTypes =
  /^text\/(?!event-stream)|[+/](?:x-nd)?json(?:;|$)|[+/]text(?:;|$)|[+/]xml(?:;|$)|octet-stream(?:;|$)/u;

/**
 * Compresses answers of 1 kB and more on routes that are declared after it; event streams are excluded.
 * Compressed requests are not accepted: no client sends them, and a small one could unpack to any size.
 */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  await app.register(fastifyCompress, {
    threshold: 1024,
    encodings: ["br", "gzip"],
    globalDecompression: false,
    customTypes: compressedTypes,
  });
}

/** Methods of the API's operations by path. */
const methodsByPath = new Map<string, Set<string>>();
for (const { method, path, aliases = [] } of Object.values(endpoints) as Endpoint[])
  for (const url of [path, ...aliases]) methodsByPath.set(url, (methodsByPath.get(url) ?? new Set()).add(method));

/** The answer for paths of the API that do not exist. */
export const unknownPath = () => envelopeOf(404, wireMessage.notFound);

/** Answers a request that no route takes: 405 with `Allow` for a path with other methods, otherwise 404. */
export function answerUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const allowed = methodsByPath.get(request.url.split("?", 1)[0] ?? "");
  if (allowed === undefined) return reply.code(404).send(unknownPath());
  return reply
    .code(405)
    .header("Allow", [...allowed].join(", "))
    .send(envelopeOf(405, wireMessage.methodNotAllowed));
}
