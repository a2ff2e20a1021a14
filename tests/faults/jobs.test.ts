import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { PgBoss } from "pg-boss";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queueSchema } from "../../apps/server/src/jobs/queue.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";

const script = fileURLToPath(new URL("job-server.ts", import.meta.url));

let here: TestDatabase;
/** Somebody who only asks. */
let asking: PgBoss | undefined;
const servers: ChildProcess[] = [];

beforeEach(async () => {
  here = await createTestDatabase(10);
  await here.database.pool.query(
    "create table job_begun (name text, server int, at timestamptz default now()); create table job_done (name text, server int, at timestamptz default now())",
  );
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill("SIGKILL");
      await once(server, "exit");
    }
  }
  await asking?.stop({ graceful: false });
  asking = undefined;
  await here.drop();
});

async function startServer(): Promise<ChildProcess> {
  const server = spawn(process.execPath, [script, here.url], { stdio: ["ignore", "pipe", "inherit"] });
  servers.push(server);
  await once(server.stdout, "data");
  return server;
}
const rows = async (table: "job_begun" | "job_done") =>
  (await here.database.pool.query<{ name: string; server: number; at: Date }>(`select * from ${table} order by at`))
    .rows;

async function put(name: string, payloads: readonly object[]): Promise<void> {
  if (asking === undefined) {
    asking = new PgBoss({ connectionString: here.url, schema: queueSchema, max: 1, supervise: false, schedule: false });
    await asking.start();
  }
  await asking.insert(
    "asked",
    payloads.map((payload) => ({ data: { name, payload }, retryLimit: 10, retryDelay: 1, heartbeatSeconds: 10 })),
  );
}

test("R14: 1,000 jobs on three servers run exactly once, and every server has its share", async () => {
  await startServer();
  await Promise.all([startServer(), startServer()]);
  await put(
    "count",
    Array.from({ length: 1000 }, (_, index) => ({ name: `job-${index}` })),
  );
  await vi.waitFor(async () => expect((await rows("job_done")).length).toBeGreaterThanOrEqual(1000), {
    timeout: 60_000,
    interval: 200,
  });
  const begun = await rows("job_begun");
  expect(begun).toHaveLength(1000);
  expect(new Set(begun.map(({ name }) => name)).size).toBe(1000);
  expect(new Set(begun.map(({ server }) => server)).size).toBe(3);
});

test("R14: a job of a killed server is taken over within 15 s", async () => {
  const first = await startServer();
  await put("hold", [{ name: "held" }]);
  await vi.waitFor(async () => expect(await rows("job_begun")).toHaveLength(1), { timeout: 20_000 });
  await startServer();
  first.kill("SIGKILL");
  const killedAt = Date.now();
  await vi.waitFor(async () => expect(await rows("job_done")).toHaveLength(1), { timeout: 20_000, interval: 50 });
  expect(Date.now() - killedAt).toBeLessThan(15_000);
  expect((await rows("job_begun")).map(({ server }) => server)).toEqual([first.pid, servers[1]?.pid]);
});

test("a server that is told to stop gives its job back at once", async () => {
  const first = await startServer();
  await put("hold", [{ name: "held" }]);
  await vi.waitFor(async () => expect(await rows("job_begun")).toHaveLength(1), { timeout: 20_000 });
  await startServer();
  first.kill("SIGTERM");
  const [code] = await once(first, "exit");
  expect(code).toBe(0);
  await vi.waitFor(async () => expect(await rows("job_done")).toHaveLength(1), { timeout: 10_000, interval: 50 });
});
