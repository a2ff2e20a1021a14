import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shownStatement } from "../../apps/server/src/database/statement-traces.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { md5 } from "../harness/session.ts";

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, string>;
  resource: Record<string, string>;
}

/** OTLP has each attribute as a key and a value of some type. */
type Attributes = { key: string; value: Record<string, unknown> }[];
const plain = (attributes: Attributes = []): Record<string, string> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]));

const [server, client, internal] = [2, 3, 1];
let receiver: Server;
let app: TestApp;
const paths: string[] = [];
const bodies: string[] = [];
const spans: SentSpan[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    request.on("end", () => {
      paths.push(`${request.method} ${request.url}`);
      bodies.push(text);
      for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans)
        for (const { spans: sent } of scopeSpans)
          for (const span of sent)
            spans.push({ ...span, attributes: plain(span.attributes), resource: plain(resource.attributes) });
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  app = await createTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
});
afterAll(async () => {
  await app.close();
  receiver.closeAllConnections();
  receiver.close();
});

const patience = { timeout: 30_000, interval: 100 };
const namedSpan = async (name: string): Promise<SentSpan> => {
  await expect.poll(() => spans.some((span) => span.name === name), patience).toBe(true);
  return spans.find((span) => span.name === name) as SentSpan;
};
const childrenOf = ({ spanId }: SentSpan) => spans.filter(({ parentSpanId }) => parentSpanId === spanId);

test("a call is a span by its route, its statements lie in it, and its log lines name the trace", async () => {
  const token = await app.logIn("farm");
  await app.get("/api/muyuan-iot/device/page?current=1&size=10&deviceName=secret-name", token);
  const call = await namedSpan("GET /api/muyuan-iot/device/page");
  expect(call.parentSpanId ?? "").toBe("");
  expect(call.kind).toBe(server);
  expect(call.attributes).toEqual({
    "http.request.method": "GET",
    "http.route": "/api/muyuan-iot/device/page",
    "http.response.status_code": "200",
  });
  expect(call.resource).toMatchObject({ "service.name": "herdwise" });
  const statements = childrenOf(call);
  expect(statements.length).toBeGreaterThan(1);
  for (const statement of statements) {
    expect(statement).toMatchObject({ traceId: call.traceId, kind: client });
    expect(statement.attributes["db.system.name"]).toBe("postgresql");
    expect(BigInt(statement.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(call.startTimeUnixNano));
    // The SDK takes a span's beginning from the clock in whole milliseconds, and its length from a finer one.
    expect(BigInt(statement.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(call.endTimeUnixNano) + 1_000_000n);
  }
  expect(statements.some(({ attributes }) => attributes["db.query.text"]?.includes("devices"))).toBe(true);
  expect(paths[0]).toBe("POST /v1/traces");
});

test("a refused call with a body keeps its context: its lines in the log and its statements are of its trace", async () => {
  const wrong = await app.token({ grant_type: "password", username: "farm", password: md5("wrong password") });
  expect(wrong.status).toBeGreaterThanOrEqual(400);
  const token = await app.logIn("admin");
  await app.call({ method: "POST", path: "/api/muyuan-system/job/cancel", body: { ids: "x" }, token });
  const call = await namedSpan("POST /api/muyuan-system/job/cancel");
  expect(call.attributes["http.response.status_code"]).toBe("400");
  const lines = app.logged.map((line) => JSON.parse(line)).filter(({ trace_id }) => trace_id === call.traceId);
  expect(lines.map(({ msg }) => msg)).toContain("refused");
  expect(lines.every(({ span_id }) => span_id === call.spanId)).toBe(true);
});

test("calls beside each other have each its own statements", async () => {
  const token = await app.logIn("admin");
  const before = spans.length;
  // More at once than the pool has connections, so that some wait for those of others.
  await Promise.all(Array.from({ length: 30 }, () => app.get("/api/muyuan-iot/device/page?current=1&size=10", token)));
  const isCall = ({ name }: SentSpan) => name === "GET /api/muyuan-iot/device/page";
  await expect.poll(() => spans.slice(before).filter(isCall).length, patience).toBe(30);
  const counts = spans
    .slice(before)
    .filter(isCall)
    .map((call) => childrenOf(call).length);
  expect(new Set(counts).size, counts.join()).toBe(1);
});

test("a batch of messages is a trace of its own with its statements", async () => {
  expect(await app.report("ENV-ZJY-02", { temperature: 21 })).toBe(200);
  const batch = await namedSpan("store telemetry");
  expect(batch).toMatchObject({ kind: internal });
  expect(batch.parentSpanId ?? "").toBe("");
  expect(batch.attributes).toMatchObject({ "messaging.batch.message_count": "1", "herdwise.rows": "1" });
  expect(childrenOf(batch).length).toBeGreaterThan(0);
  const call = await namedSpan("POST /api/v1/:token/telemetry");
  expect(call.traceId).not.toBe(batch.traceId);
});

test("a run of a job is a trace of its own", async () => {
  await app.test.database.pool.query(
    `insert into jobs.job (name, data, heartbeat_seconds) values ('clock', '{"name": "files.sweep", "payload": {}}', 10)`,
  );
  const run = await namedSpan("job files.sweep");
  expect(run.attributes).toEqual({ "herdwise.job": "files.sweep" });
  expect(childrenOf(run).length).toBeGreaterThan(0);
});

test("neither values nor addresses nor tokens are sent, and nothing of what is asked all the time", async () => {
  await app.http.inject({ url: "/readyz" });
  await app.http.inject({ url: "/nothing/13900001111" });
  await namedSpan("GET other").catch(() => undefined);
  const all = bodies.join("");
  expect(all).not.toContain("secret-name");
  expect(all).not.toContain("13900001111");
  expect(all).not.toContain(md5("wrong password"));
  expect(all).not.toContain("demo-ENV-ZJY-02");
  expect(spans.map(({ name }) => name).filter((name) => name.includes("readyz"))).toEqual([]);
  expect(shownStatement("select  'it''s 13900001111',\n $1")).toBe("select '…', $1");
});

test("a collector that is away costs nothing but a line in the log", async () => {
  const lonely = await createTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
  try {
    expect((await lonely.http.inject({ url: "/api/openapi.json" })).statusCode).toBe(200);
    await expect.poll(() => lonely.logged.join(""), patience).toContain("traces could not be sent");
  } finally {
    const begunMs = performance.now();
    await lonely.close();
    expect(performance.now() - begunMs).toBeLessThan(30_000);
  }
});

test("without the setting nothing of OpenTelemetry is loaded, with it it is", { timeout: 120_000 }, async () => {
  const loadedWith = async (endpoint: string): Promise<string> => {
    const program = `
      import { registerHooks } from "node:module";
      const loaded = new Set();
      // Its API alone, a few types and empty functions, is also in prom-client.
      const ours = (url) => url.includes("@opentelemetry") && !url.includes("@opentelemetry/api/");
      registerHooks({ load(url, context, next) { if (ours(url)) loaded.add(url); return next(url, context); } });
      const { pino } = await import("pino");
      const { readConfig } = await import("./apps/server/src/config.ts");
      await import("./apps/server/src/app.ts");
      const { openTracing } = await import("./apps/server/src/tracing/open.ts");
      const tracing = await openTracing(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: ${JSON.stringify(endpoint)} }), pino({ level: "silent" }));
      console.log(tracing === undefined ? "off" : "on", loaded.size > 0 ? "loaded" : "nothing");
      process.exit(0);`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
    return stdout.trim();
  };
  expect(await loadedWith("")).toBe("off nothing");
  expect(await loadedWith("http://127.0.0.1:9")).toBe("on loaded");
});
