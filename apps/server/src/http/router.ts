import { once } from "node:events";
import { Readable } from "node:stream";
import fastifyMultipart from "@fastify/multipart";
import type { BodyOf, Endpoint, Method, QueryOf, ReplyOf } from "@herdwise/contract";
import { accessVersionHeader, rateClasses, tokenHeader, tokenPrefix, wireMessage } from "@herdwise/contract";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createGate } from "../gate.ts";
import { addressBucket } from "../providers/address.ts";
import { spend } from "../providers/budget.ts";
import type { Store } from "../providers/store.ts";
import type { TenantScope } from "../tenant-scope.ts";
import { requireAccess, scopeOfCall } from "./access.ts";
import { cookieOf } from "./cookies.ts";
import { failureOf, isUnreadableInput, noteFailure, Refusal, refuse, Unauthenticated } from "./errors.ts";
import type { EventStream } from "./event-stream.ts";
import { createKeptAnswers } from "./kept-answers.ts";
import { sendKept } from "./kept-pages.ts";
import { manifestFaults } from "./manifest.ts";
import { present } from "./present.ts";
import type { Download, SentFile } from "./sent-file.ts";
import { type Authenticate, type AuthenticateToken, accessVersionOf, reachText, type Session } from "./session.ts";

/** The type that a service may return for a field of the wire; `present` converts dates and nulls. */
type Presentable<T> = T extends string
  ? string extends T
    ? T | Date | null
    : T
  : T extends readonly (infer Item)[]
    ? readonly Presentable<Item>[] | null
    : T extends object
      ? { [K in keyof T]: Presentable<T[K]> | (undefined extends T[K] ? null : never) }
      : T;

export interface Call<E extends Endpoint> {
  query: QueryOf<E>;
  body: BodyOf<E>;
  /** The caller; present on every endpoint that is not public. */
  session: E["access"] extends { level: "public" } ? Session | undefined : Session;
  /**
   * The rows that the operation may reach, made from its declared owner and the session; only for operations on rows of
   * tenants.
   */
  scope: E["owner"] extends "tenant" | "tenants" | "group" ? TenantScope : undefined;
  /**
   * Reads the session anew, for operations with `admittedByKeptSession`.
   * @throws {Refusal | Unauthenticated} when it ended or lost the access since it admitted the call
   */
  requireSession(): Promise<void>;
  requestId: string;
  /** The caller's address, from the socket or a trusted proxy. */
  remoteAddress: string;
  userAgent: string;
  header(name: string): string | undefined;
  /** A cookie that was sent. */
  cookie(name: string): string | undefined;
  /**
   * Sets a cookie that scripts can't read (HttpOnly) and other sites don't send (SameSite).
   * @param lifetimeS seconds; 0 removes it
   */
  setCookie(name: string, value: string, lifetimeS: number, path?: string): void;
}

/** The file of a multipart body while it is being received. */
interface IncomingFile {
  /** File name as the sender gives it; untrusted. */
  readonly name: string;
  /** Ends without an error after `maxBytes`; `truncated` then tells that more came. */
  readonly content: Readable;
  truncated(): boolean;
}

export interface Router {
  /** For routes outside the contract: an `onRequest` hook that limits the rate of an address. */
  counted(
    operation: Pick<Endpoint, "path" | "rate"> & { method: Method | "OPTIONS" },
  ): (request: FastifyRequest) => Promise<void>;
  /** Serves an endpoint whose answer is an envelope or bare. */
  on<E extends Endpoint>(
    endpoint: E,
    handler: (call: Call<E>) => Promise<Presentable<ReplyOf<E>>>,
    options?: {
      /**
       * For protocols that always answer 200: the bare answer to a call that can't be read (`invalid`) or that failed in the
       * server (`fault`).
       */
      answerProblem?: (problem: "invalid" | "fault") => Presentable<ReplyOf<E>>;
    },
  ): void;
  /**
   * Serves an endpoint from a cache whose answers are the same for every caller with the same key; a caller with the current
   * ETag gets 304.
   * @param keyOf everything that the answer depends on, including the versions of its sources
   */
  onKept<E extends Endpoint>(
    endpoint: E,
    keyOf: (call: Call<E>) => string,
    handler: (call: Call<E>) => Promise<Presentable<ReplyOf<E>>>,
  ): void;
  /**
   * Serves an endpoint that takes one file in the multipart field `file`.
   * @param maxBytes reading stops there
   */
  upload<E extends Endpoint>(
    endpoint: E,
    maxBytes: number,
    handler: (call: Call<E>, file: IncomingFile) => Promise<Presentable<ReplyOf<E>>>,
  ): void;
  /** Serves an endpoint whose answer is a file to be saved. */
  file<E extends Endpoint>(endpoint: E, handler: (call: Call<E>) => Promise<SentFile>): void;
  /**
   * Serves an endpoint whose answer is sent while it is made. It is broken off when making it fails, when its caller loses the access
   * under which it began, and when its reader takes nothing for a minute.
   * @param open checks the call; the signal is aborted when the reader is gone
   */
  download<E extends Endpoint>(endpoint: E, open: (call: Call<E>, signal: AbortSignal) => Promise<Download>): void;
  /** Serves an endpoint of server-sent events; `open` checks the call and returns a function that runs until the stream ends. */
  stream<E extends Endpoint>(
    endpoint: E,
    open: (call: Call<E>) => Promise<(stream: EventStream) => Promise<void>>,
  ): void;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Declared on every route of the contract; a route without it or `openBecause` stops the start (tests/api/http.test.ts). */
    endpoint?: Endpoint;
    /** The reason why a route outside the API (health, metrics, web app, device API) needs no session. */
    openBecause?: string;
    /** Answers before the database is prepared; see `refuseUntilPrepared`. */
    worksUnprepared?: boolean;
  }
}

const bearer = /^bearer (\S+)$/i;

/** Reads the access token of a request; "" when none is sent. */
export function accessTokenOf(request: FastifyRequest): string {
  const header = request.headers[tokenHeader.toLowerCase()];
  return (typeof header === "string" && bearer.exec(header)?.[1]) || "";
}

/**
 * Reads the personal access token of a request without a session; "" when none is sent. The same header carries the client pair of
 * other callers (`Basic`), and other bearer tokens in it are none.
 */
function personalTokenOf(request: FastifyRequest): string {
  const { authorization } = request.headers;
  const sent = (authorization !== undefined && bearer.exec(authorization)?.[1]) || "";
  return sent.startsWith(tokenPrefix) ? sent : "";
}

/** Stops the start when a route declares neither an endpoint nor a reason for being open. */
export function requireDeclaredAccess(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    if (route.config?.endpoint === undefined && route.config?.openBecause === undefined) {
      throw new Error(`The route ${String(route.method)} ${route.url} declares no access`);
    }
  });
}

/** Whether a parameter takes the empty text as a value of its own. */
const takesEmpty = ({ type, pattern, minLength, format, anyOf, enum: values }: Record<string, unknown>): boolean =>
  anyOf !== undefined ||
  (type === "string" && pattern === undefined && !minLength && format === undefined && values === undefined);

/**
 * Drops parameters without a value, as clients of the family send every field of their search form (wire.md 1.4); a required one is
 * missing then.
 */
function dropEmptyValues({ query: { properties } }: Endpoint) {
  const dropped = Object.entries(properties)
    .filter(([, schema]) => !takesEmpty(schema as Record<string, unknown>))
    .map(([name]) => name);
  return async (request: FastifyRequest): Promise<void> => {
    const query = request.query as Record<string, unknown>;
    for (const name of dropped) if (query[name] === "") delete query[name];
  };
}

const envelopeOf = (endpoint: Endpoint, answer: unknown) => {
  const empty = answer === undefined || answer === null;
  return {
    code: 200,
    success: true,
    data: empty ? {} : answer,
    msg: empty ? wireMessage.noPayload : (endpoint.message ?? wireMessage.ok),
  };
};

/** After this many ms the caller of a running download is looked at again. */
const downloadCheckMs = 3000;
/** A reader of a download that takes nothing for so long is cut off, ms. */
const downloadStallMs = 60_000;

/** Milliseconds of silence after which a stream sends a comment, so that no proxy closes the connection. */
const heartbeatMs = 15_000;

/** Encodes a text as a chunk (RFC 9112, 7.1). */
const chunkOf = (text: string): Buffer => Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
/** Text of a chunk, for HTTP/1.0 clients. */
const textIn = (chunk: Buffer): Buffer => chunk.subarray(chunk.indexOf("\n") + 1, -2);
const alive = chunkOf(": alive\n\n");

/** A call that was answered, for the log of calls. */
export interface AnsweredCall {
  readonly endpoint: Endpoint;
  readonly session: Session | undefined;
  readonly requestId: string;
  readonly remoteAddress: string;
  readonly userAgent: string;
  readonly query: unknown;
  readonly body: unknown;
  readonly status: number;
  readonly ms: number;
  /** Why it was not answered as it was meant to be. */
  readonly failure: Error | undefined;
}

export interface RouterDependencies {
  /** Told of every call that was answered; must neither wait nor throw. */
  onAnswered?: (call: AnsweredCall) => void;
  authenticate: Authenticate;
  authenticateToken: AuthenticateToken;
  /**
   * Called before answering a session's request that may have changed something, because cached sessions may then be outdated.
   */
  forgetSessions: () => void;
  /** Counts calls; while it is unavailable no call is limited, because the limit only guards against floods. */
  store: Store;
  /** @throws {Refusal} 403 unless the person confirmed their identity within the last five minutes */
  requireConfirmed: (session: Session) => Promise<void>;
  /** Aborted when live streams must end. */
  stopping: AbortSignal;
  /** Public address of the portal. */
  publicUrl: string;
}

/**
 * Streams admitted at a time: after a restart all pages reopen their streams, and reading their sessions must not delay other
 * requests.
 */
const streamsAdmittedAtATime = 4;

/** Serves the contract's operations on a Fastify instance. */
export function createRouter(
  app: FastifyInstance,
  {
    authenticate,
    authenticateToken,
    forgetSessions,
    requireConfirmed,
    store,
    stopping,
    publicUrl,
    onAnswered,
  }: RouterDependencies,
): Router {
  // Behind an untrusted proxy the connection does not tell whether the visitor uses TLS, so the public address does.
  const reachedByTls = publicUrl.startsWith("https:");
  /** Sessions of the running requests, read before the body. */
  const sessions = new WeakMap<FastifyRequest, Session | undefined>();

  /** Counts by operation instead of by URL, so that aliases and queries share one limit. */
  const requireRate = async (
    operation: Pick<Endpoint, "path" | "rate"> & { method: Method | "OPTIONS" },
    subject: string,
    max: number,
    request: FastifyRequest,
  ) => {
    const counted = `rate:${operation.method} ${operation.path}:${subject}`;
    const allowed = await spend(store, counted, [{ max, windowS: 60 }]).catch((error: unknown) => {
      request.log.warn({ err: error }, "calls are not counted");
      return true;
    });
    if (!allowed) throw refuse("rate.spent");
  };

  /** Reads the session of a request. @throws {Refusal | Unauthenticated} where there is none that may call the endpoint */
  const callerOf = async (endpoint: Endpoint, request: FastifyRequest): Promise<Session | undefined> => {
    const token = accessTokenOf(request);
    const mayBeKept = endpoint.method === "GET" || endpoint.admittedByKeptSession === true;
    // Where a session is sent, or nobody in particular is asked for, a personal token says nothing.
    const personal = token === "" && endpoint.access.level !== "public" ? personalTokenOf(request) : "";
    const session =
      personal !== ""
        ? await authenticateToken(personal, request.ip)
        : token === ""
          ? undefined
          : await authenticate(token, { mayBeKept });
    requireAccess(endpoint, session, token !== "" || personal !== "");
    return session;
  };

  /** Checks before the body is read: rate, session and access. */
  const admit = async (endpoint: Endpoint, request: FastifyRequest): Promise<void> => {
    const max = rateClasses[endpoint.rate];
    await requireRate(endpoint, addressBucket(request.ip), max.address, request);
    const session = await callerOf(endpoint, request);
    if (session !== undefined) {
      await requireRate(endpoint, session.id, max.session, request);
      if (endpoint.confirmation === "always") await requireConfirmed(session);
    }
    sessions.set(request, session);
  };

  const accessVersion = (request: FastifyRequest): Record<string, string> => {
    const session = sessions.get(request);
    return session ? { [accessVersionHeader]: accessVersionOf(session) } : {};
  };

  const admitInTurn = createGate(streamsAdmittedAtATime);

  const requireManifest = (endpoint: Endpoint): void => {
    const faults = manifestFaults(endpoint);
    if (faults.length > 0) throw new Error(`${endpoint.method} ${endpoint.path}: ${faults.join("; ")}`);
  };

  const scopeOf = (request: FastifyRequest): TenantScope | undefined =>
    scopeOfCall(request.routeOptions.config.endpoint, sessions.get(request), request.ip);

  const callOf = <E extends Endpoint>(request: FastifyRequest, reply: FastifyReply): Call<E> => ({
    query: request.query as QueryOf<E>,
    body: request.body as BodyOf<E>,
    session: sessions.get(request) as Call<E>["session"],
    scope: scopeOf(request) as Call<E>["scope"],
    requireSession: async () => {
      const { endpoint } = request.routeOptions.config;
      const token = accessTokenOf(request);
      if (endpoint) requireAccess(endpoint, await authenticate(token), token !== "");
    },
    requestId: request.id,
    remoteAddress: request.ip,
    userAgent: request.headers["user-agent"] ?? "",
    header: (name) => {
      const held = request.headers[name.toLowerCase()];
      return Array.isArray(held) ? held[0] : held;
    },
    cookie: (name) => cookieOf(request.headers.cookie, name),
    setCookie(name, value, lifetimeS, path = "/api") {
      const secure = reachedByTls || request.protocol === "https" ? "; Secure" : "";
      reply.header(
        "Set-Cookie",
        `${name}=${value}; Path=${path}; Max-Age=${lifetimeS}; HttpOnly; SameSite=Lax${secure}`,
      );
    },
  });

  const routeOptions = (endpoint: Endpoint, url = endpoint.path) => ({
    method: endpoint.method,
    url,
    config: { endpoint },
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      await admit(endpoint, request);
      reply.headers(accessVersion(request));
    },
    ...(endpoint.method === "GET" && { preValidation: dropEmptyValues(endpoint) }),
    ...(onAnswered && {
      async onResponse(request: FastifyRequest, reply: FastifyReply) {
        onAnswered({
          endpoint,
          session: sessions.get(request),
          requestId: request.id,
          remoteAddress: request.ip,
          userAgent: request.headers["user-agent"] ?? "",
          query: request.query,
          body: request.body,
          status: reply.statusCode,
          ms: reply.elapsedTime,
          failure: failureOf(request),
        });
      },
    }),
    ...(endpoint.method !== "GET" &&
      endpoint.admittedByKeptSession !== true && {
        // A request without a session changes no session except by ending one, and that code clears the cache itself.
        async onSend(request: FastifyRequest) {
          if (sessions.get(request) !== undefined) forgetSessions();
        },
      }),
    schema: { querystring: endpoint.query, ...(endpoint.method !== "GET" && { body: endpoint.body }) },
  });

  return {
    counted: (operation) => (request) =>
      requireRate(operation, addressBucket(request.ip), rateClasses[operation.rate].address, request),
    on(endpoint, handler, { answerProblem } = {}) {
      requireManifest(endpoint);
      if (endpoint.form === "stream") throw new Error(`${endpoint.path} is a stream`);
      const routeAt = (url: string) => ({
        ...routeOptions(endpoint, url),
        ...(answerProblem && {
          errorHandler: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
            // Another media type is refused before the body is read; a form of another site can't send JSON.
            if (error.statusCode === 415)
              return reply.code(415).send({ code: 415, success: false, data: {}, msg: wireMessage.unsupportedMedia });
            const refused = error instanceof Refusal && error.status < 500;
            const unread =
              error.validation !== undefined || (error.statusCode ?? 500) < 500 || isUnreadableInput(error);
            const invalid = refused || unread;
            if (!invalid) request.log.error({ err: error }, "answered as a fault");
            return reply.code(200).send(present(endpoint.reply, answerProblem(invalid ? "invalid" : "fault")));
          },
        }),
        handler: async (request: FastifyRequest, reply: FastifyReply) => {
          const answer = present(endpoint.reply, await handler(callOf(request, reply)), endpoint.personal);
          if (endpoint.form === "bare") {
            return reply.header("Pragma", "no-cache").send(answer);
          }
          return envelopeOf(endpoint, answer);
        },
      });
      for (const url of [endpoint.path, ...(endpoint.aliases ?? [])]) app.route(routeAt(url));
    },
    onKept(endpoint, keyOf, handler) {
      requireManifest(endpoint);
      if (endpoint.form !== "envelope") throw new Error(`${endpoint.path} has no envelope`);
      const answerTo = createKeptAnswers(tokenHeader);
      const routeAt = (url: string) => ({
        ...routeOptions(endpoint, url),
        handler: async (request: FastifyRequest, reply: FastifyReply) => {
          const call = callOf<typeof endpoint>(request, reply);
          const answer = await answerTo(keyOf(call), async () =>
            envelopeOf(endpoint, present(endpoint.reply, await handler(call), endpoint.personal)),
          );
          return sendKept(request, reply, answer);
        },
      });
      for (const url of [endpoint.path, ...(endpoint.aliases ?? [])]) app.route(routeAt(url));
    },
    upload(endpoint, maxBytes, handler) {
      requireManifest(endpoint);
      // Multipart is only accepted in this scope, because a form of another site can send it.
      app.register(async (scope) => {
        await scope.register(fastifyMultipart, {
          limits: { fileSize: maxBytes, files: 1, fields: 4, parts: 5, fieldSize: 1000, headerPairs: 20 },
          throwFileSizeLimit: false,
        });
        scope.removeContentTypeParser("application/json");
        for (const url of [endpoint.path, ...(endpoint.aliases ?? [])]) {
          scope.route({
            ...routeOptions(endpoint, url),
            handler: async (request: FastifyRequest, reply: FastifyReply) => {
              const part = await request.file().catch((error: Error & { statusCode?: number }) => {
                // The parser's own errors, for a multipart body without a boundary or with broken headers.
                if (error.statusCode === undefined) throw refuse("upload.no_file");
                throw error;
              });
              if (part === undefined || part.fieldname !== "file") {
                part?.file.resume();
                throw refuse("upload.no_file");
              }
              try {
                const answer = await handler(callOf(request, reply), {
                  name: part.filename,
                  content: part.file,
                  truncated: () => part.file.truncated,
                });
                return envelopeOf(endpoint, present(endpoint.reply, answer, endpoint.personal));
              } finally {
                // An unread body would block the answer.
                part.file.resume();
              }
            },
          });
        }
      });
    },
    file(endpoint, handler) {
      requireManifest(endpoint);
      for (const url of [endpoint.path, ...(endpoint.aliases ?? [])]) {
        app.route({
          ...routeOptions(endpoint, url),
          handler: async (request: FastifyRequest, reply: FastifyReply) => {
            const { name, contentType, content } = await handler(callOf(request, reply));
            return reply
              .header("Content-Type", contentType)
              .header("Content-Disposition", `attachment;filename=${encodeURIComponent(name)}`)
              .send(content);
          },
        });
      }
    },
    download(endpoint, open) {
      requireManifest(endpoint);
      app.route({
        ...routeOptions(endpoint),
        handler: async (request: FastifyRequest, reply: FastifyReply) => {
          const gone = new AbortController();
          const { raw } = reply;
          raw.once("close", () => gone.abort());
          const { name, contentType, content } = await open(callOf(request, reply), gone.signal);
          const began = sessions.get(request);
          const reach = began && reachText(began);
          async function* pieces(first: IteratorResult<Buffer | string, void>): AsyncGenerator<Buffer | string> {
            let checkedMs = performance.now();
            try {
              for (let piece = first; !piece.done; piece = await content.next()) {
                const stalled = setTimeout(() => raw.destroy(), downloadStallMs);
                try {
                  yield piece.value;
                } finally {
                  clearTimeout(stalled);
                }
                if (performance.now() - checkedMs < downloadCheckMs) continue;
                checkedMs = performance.now();
                const session = await callerOf(endpoint, request);
                if ((session && reachText(session)) !== reach) throw new Unauthenticated();
              }
            } catch (error) {
              noteFailure(request, error);
              if (!gone.signal.aborted) request.log.error({ err: error }, "a download broke off");
              throw error;
            } finally {
              await content.return(undefined);
            }
          }
          // What fails before the first bytes is answered as any other call.
          const first = await content.next();
          return reply
            .header("Content-Type", contentType)
            .header("Content-Disposition", `attachment;filename=${encodeURIComponent(name)}`)
            .header("X-Accel-Buffering", "no")
            .send(Readable.from(pieces(first), { objectMode: false }));
        },
      });
    },
    stream(endpoint, open) {
      requireManifest(endpoint);
      /** Events for many readers are serialized once. */
      const texts = new WeakMap<object, Buffer>();
      const textOf = (event: string, payload: object): Buffer => {
        let text = texts.get(payload);
        if (text === undefined) {
          const data = JSON.stringify(present(endpoint.reply, payload, endpoint.personal));
          text = chunkOf(`event: ${event}\ndata: ${data}\n\n`);
          texts.set(payload, text);
        }
        return text;
      };
      app.route({
        ...routeOptions(endpoint),
        onRequest: (request: FastifyRequest) => admitInTurn(() => admit(endpoint, request)),
        handler: async (request: FastifyRequest, reply: FastifyReply) => {
          const run = await open(callOf(request, reply));
          const gone = new AbortController();
          const end = () => gone.abort();
          const { signal } = gone;
          stopping.addEventListener("abort", end);
          if (stopping.aborted) end();
          const { raw } = reply;
          const { socket } = request.raw;
          reply.hijack();
          raw.writeHead(200, {
            "Content-Type": "text/event-stream; charset=utf-8",
            "Cache-Control": "no-store, no-transform",
            "X-Accel-Buffering": "no",
            // The client won't reuse the connection after hours, and while open it would delay the stop of the server.
            Connection: "close",
            "X-Request-Id": request.id,
            ...accessVersion(request),
          });
          raw.on("close", end);
          raw.write(": open\n\n");
          const uncork = () => socket.uncork();
          /**
           * Written to the socket directly, because the layers of a response double the cost of an event; one cork sends
           * everything of a tick together.
           */
          const write = (chunk: Buffer): Promise<void> | undefined => {
            if (signal.aborted) return undefined;
            if (socket.writableCorked === 0) {
              socket.cork();
              process.nextTick(uncork);
            }
            if (socket.write(raw.chunkedEncoding ? chunk : textIn(chunk))) return undefined;
            return once(socket, "drain", { signal }).then(
              () => undefined,
              () => undefined,
            );
          };
          const heartbeat = setInterval(() => {
            // A stalled reader only holds its own buffer, and a heartbeat is not worth adding to it.
            if (!socket.writableNeedDrain) void write(alive);
          }, heartbeatMs);
          try {
            await run({ signal, end, send: (event, payload) => write(textOf(event, payload)) });
          } catch (error) {
            if (!(error instanceof Refusal)) request.log.error({ err: error }, "a live stream failed");
          } finally {
            clearInterval(heartbeat);
            stopping.removeEventListener("abort", end);
            raw.end();
          }
        },
      });
    },
  };
}
