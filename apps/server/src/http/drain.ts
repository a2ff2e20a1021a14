import type { FastifyInstance } from "fastify";

/** After this many ms without a new request, everything that clients sent before they learned of the stop has been read. */
const quietMs = 100;
/** Milliseconds after which new connections are refused even if clients keep sending. */
const longestQuietMs = 1000;
/** Milliseconds after which running requests are aborted, because the whole stop must end within 10 s. */
const limitMs = 6000;
const lookMs = 10;

/**
 * Stops an HTTP server gracefully. Closing it at once would reset connections with a request on the way, and would wait for
 * idle keep-alive connections.
 * @returns a function that stops the server: it keeps answering and tells each client to close its connection, then refuses new
 * connections, and ends when no request is running
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
      // Waits for the event loop to read what has arrived, because a busy server is late with timers and reads alike.
      await new Promise((resolve) => setImmediate(resolve));
    } while (!isSo() && performance.now() < deadline);
  };
  return async () => {
    const begun = performance.now();
    draining = true;
    await until(() => performance.now() - Math.max(cameAt, begun) >= quietMs, begun + longestQuietMs);
    const closed = app.close();
    await until(() => underWay === 0, begun + limitMs);
    // The remaining connections are idle, or their requests take too long.
    app.server.closeAllConnections();
    await closed;
  };
}
