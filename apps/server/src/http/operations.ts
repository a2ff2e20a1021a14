import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Metrics } from "../metrics.ts";

export interface Health {
  /** The reason why the server can't work now; undefined when it can. */
  whyNotReady(): Promise<string | undefined>;
}

const loopback = /^(127\.|::1$|::ffff:127\.)/;

function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  const given = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (token !== undefined && given !== undefined) {
    const [a, b] = [Buffer.from(given), Buffer.from(token)];
    return a.length === b.length && timingSafeEqual(a, b);
  }
  // A proxy on this machine makes every caller look local, which its forwarding header reveals.
  return loopback.test(request.socket.remoteAddress ?? "") && request.headers["x-forwarded-for"] === undefined;
}

const configOf = (openBecause: string) => ({ config: { openBecause, worksUnprepared: true } });

/** Serves `/healthz` (the process runs), `/readyz` (it can work) and `/metrics` (loopback or token). */
export function operationsRoutes(
  app: FastifyInstance,
  health: Health,
  metrics: Metrics,
  metricsToken: string | undefined,
): void {
  metrics.beforeRead(async () => metrics.ready.set((await health.whyNotReady()) === undefined ? 1 : 0));
  app.get("/healthz", configOf("liveness tells nothing but that the process lives"), async () => ({
    status: "ok",
  }));
  app.get("/readyz", configOf("readiness is asked by load balancers"), async (_request, reply) => {
    const reason = await health.whyNotReady();
    return reply
      .code(reason === undefined ? 200 : 503)
      .send(reason === undefined ? { status: "ready" } : { status: "not ready", reason });
  });
  app.get("/metrics", configOf("checks loopback or its own token"), async (request, reply) => {
    if (!mayReadMetrics(request, metricsToken)) return reply.code(403).send({ status: "forbidden" });
    return reply.header("Content-Type", metrics.registry.contentType).send(await metrics.read());
  });
  app.addHook("onResponse", async (request, reply) => {
    metrics.requests.observe(
      { method: request.method, route: request.routeOptions.url ?? "other", status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
  });
}
