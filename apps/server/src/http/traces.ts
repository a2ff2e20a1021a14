import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Span, type Tracing, withinSpan } from "../tracing/span.ts";

/** What balancers and Prometheus ask all the time. */
const untraced = new Set(["/healthz", "/readyz", "/metrics"]);

/** Traces each call by its route, never by its address, which may name somebody. Called before anything else adds hooks. */
export function traceCalls(http: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  http.addHook("onRequest", (request, _reply, done) => {
    const route = request.routeOptions.url ?? "other";
    if (untraced.has(route)) return done();
    const { method } = request;
    // A caller's own trace id is not taken over: anybody may call.
    const span = tracing.start(`${method} ${route}`, "server", { "http.request.method": method, "http.route": route });
    spans.set(request, span);
    withinSpan(span, done);
  });
  // A body is read in the context of its connection, which several calls share.
  http.addHook("preValidation", (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else withinSpan(span, done);
  });
  http.addHook("onResponse", async (request, { statusCode }) => {
    const span = spans.get(request);
    span?.set({ "http.response.status_code": statusCode });
    span?.end(statusCode >= 500 ? { code: String(statusCode) } : undefined);
  });
}
