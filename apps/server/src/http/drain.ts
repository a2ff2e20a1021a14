import type { FastifyInstance } from "fastify";

/** No request came for this time: what was sent before the end was announced has been read. */
const quietMs = 100;
/** Clients that never pause are not waited for longer before connections are refused. */
const longestQuietMs = 1000;
/** Requests that take longer are broken off, as the whole stop must end within 10 s. */
const limitMs = 6000;
const lookMs = 10;

/**
 * Lets an HTTP server end without breaking anything off: closing it at once would reset connections on which a request was on its
 * way, and would wait for those that stay open after their answer.
 * @returns ends the server: it goes on answering, tells each client to use another connection, then takes no new ones, and ends
 * when nothing is under way
 */
export function prepareDrain(app: FastifyInstance): () => Promise<void> {
  let underWay = 0;
  let cameAt = Number.NEGATIVE_INFINITY;
  let draining = false;
  app.addHook("onRequest", async (_request, { raw }) => {
    underWay += 1;
    cameAt = performance.now();
    let over = false;
    const end = () => {
      if (!over) underWay -= 1;
      over = true;
    };
    raw.once("finish", end);
    raw.once("close", end);
  });
  app.addHook("onSend", async (_request, reply) => {
    if (draining) reply.header("Connection", "close");
  });
  const until = async (isSo: () => boolean, deadline: number) => {
    do {
      await new Promise((resolve) => setTimeout(resolve, lookMs));
      // Not before what has arrived was read: a server with much to do is late with both.
      await new Promise((resolve) => setImmediate(resolve));
    } while (!isSo() && performance.now() < deadline);
  };
  return async () => {
    const begun = performance.now();
    draining = true;
    await until(() => performance.now() - Math.max(cameAt, begun) >= quietMs, begun + longestQuietMs);
    const closed = app.close();
    await until(() => underWay === 0, begun + limitMs);
    // What is still open is idle, or takes too long.
    app.server.closeAllConnections();
    await closed;
  };
}
