import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { retryAfterS, sendBusy } from "./server.ts";

/** Page for visitors while the server prepares its database; it reloads itself. */
const page = `<!doctype html>
<html lang="zh-CN">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${retryAfterS}">
<title>正在启动 · Starting</title>
<body style="margin:0;min-height:100vh;display:grid;place-content:center;gap:.5rem;padding:1rem;text-align:center;font:1rem/1.6 system-ui,sans-serif">
<p role="status" style="margin:0">系统正在启动，请稍候，页面会自动打开。</p>
<p lang="en" style="margin:0">The portal is starting. This page opens by itself in a moment.</p>
</body>
</html>
`;

const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** Answers that the server is still preparing its database: 503 with `Retry-After`, as a page or as an envelope. */
export function answerPreparing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isPage = request.method === "GET" && request.headers.accept?.includes("text/html") === true;
  if (!isPage) return sendBusy(reply);
  return reply
    .code(503)
    .header("Retry-After", String(retryAfterS))
    .header("Content-Security-Policy", pagePolicy)
    .type("text/html; charset=utf-8")
    .send(page);
}

/**
 * Refuses requests until the database is prepared. The server listens before its tables exist, so that `/healthz` and `/readyz`
 * can report its progress.
 * Routes that work without tables are marked `worksUnprepared`.
 * @param isPrepared whether the tables and their initial rows exist and all modules have started
 */
export function refuseUntilPrepared(app: FastifyInstance, isPrepared: () => boolean): void {
  app.addHook("onRequest", async (request, reply) => {
    if (isPrepared() || request.routeOptions.config.worksUnprepared === true) return;
    return answerPreparing(request, reply);
  });
}
