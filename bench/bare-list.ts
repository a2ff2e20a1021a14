// The ceiling of bench/lists.ts: a bare Fastify handler that runs given statements with pg and answers their rows. In a process of
// its own, as the server is. It speaks with its parent by messages.
import Fastify from "fastify";
import pg from "pg";

export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/** What the parent asks for: statements of one request, those of a step beside each other. */
export interface BareOrder {
  url: string;
  poolSize: number;
  steps: readonly (readonly Statement[])[];
}

process.once("message", async (order: BareOrder) => {
  const pool = new pg.Pool({ connectionString: order.url, max: order.poolSize });
  const app = Fastify();
  app.get("/list", async () => {
    let answer: unknown[][] = [];
    for (const step of order.steps) {
      const results = await Promise.all(step.map(({ sql, parameters }) => pool.query(sql, [...parameters])));
      answer = results.map(({ rows }) => rows);
    }
    const [records] = answer as [{ all: number }[]];
    return { code: 200, success: true, data: { records, total: records[0]?.all }, msg: "" };
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  process.send?.((app.server.address() as { port: number }).port);
});
