import { connect } from "node:net";
import { type Endpoint, endpoints } from "@herdwise/contract";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requireDeclaredAccess } from "../../apps/server/src/http/router.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic } from "../harness/session.ts";
import { isInTurn, volume } from "../harness/volume.ts";
import { oneOfEachKind } from "../threats/operations.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const all = Object.entries(endpoints) as [string, Endpoint][];
const asked = oneOfEachKind(all);

test("a route that declares no access stops the start", async () => {
  const bare = Fastify();
  requireDeclaredAccess(bare);
  expect(() => bare.get("/open", async () => "x")).toThrow("declares no access");
});

test("every operation of the contract is served", () => {
  for (const [, { method, path }] of all) expect(app.http.hasRoute({ method, url: path }), path).toBe(true);
});

test("an unknown path of the API is an envelope with 404", async () => {
  const answer = await app.http.inject({ url: "/api/muyuan-iot/nothing" });
  expect([answer.statusCode, answer.json()]).toEqual([
    404,
    { code: 404, success: false, data: {}, msg: "404 没找到请求" },
  ]);
});

test("answers are kept by nobody, whatever they are", async () => {
  const token = await app.logIn("admin");
  const signedIn = { authorization: basic, "muyuan-auth": `bearer ${token}` };
  const cases = [
    { url: "/api/muyuan-system/user/info", headers: signedIn, status: 200 },
    { url: "/api/muyuan-system/user/info", headers: { authorization: basic }, status: 401 },
    { url: "/api/muyuan-iot/nothing", headers: {}, status: 404 },
    { url: "/api/muyuan-iot/device/page?size=x", headers: signedIn, status: 400 },
    { url: "/api/v1/nobody/attributes", headers: {}, status: 401 },
    { url: "/readyz", headers: {}, status: 200 },
  ];
  for (const { url, headers, status } of cases) {
    const answer = await app.http.inject({ url, headers });
    expect([url, answer.statusCode, answer.headers["cache-control"]]).toEqual([url, status, "no-store"]);
  }
});

test("another method than those of a path is 405, and says which there are", async () => {
  const paths = new Map<string, Set<string>>();
  for (const [, { method, path }] of all) paths.set(path, (paths.get(path) ?? new Set()).add(method));
  for (const [path, methods] of [...paths].filter(([path]) => asked.some(([, endpoint]) => endpoint.path === path))) {
    for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"] as const) {
      if (methods.has(method)) continue;
      const answer = await app.http.inject({ method, url: `${path}?a=1` });
      expect([path, method, answer.statusCode, answer.headers.allow, answer.json().code]).toEqual([
        path,
        method,
        405,
        [...methods].join(", "),
        405,
      ]);
    }
  }
});

test("text with NUL, ids beyond 64 bits and doubled parameters are the caller's mistake, in every field of every operation", async () => {
  let token = await app.logIn("admin");
  const send = async (method: Endpoint["method"], path: string, values: Record<string, string | string[]>) => {
    const ask = () =>
      app.http.inject({
        method,
        url: path,
        headers: { authorization: basic, "muyuan-auth": `bearer ${token}` },
        ...(method === "GET" ? { query: values } : { payload: values }),
      });
    const answer = await ask();
    // Some operations end the session.
    if (answer.statusCode !== 401) return answer;
    token = await app.logIn("admin");
    return ask();
  };
  // Every other field with one of them: one rule at the edge refuses them all.
  const parts = 2;
  const hostile = ["a\u0000b", "9".repeat(30), ["a", "b"]];
  let reached = 0;
  let at = 0;
  for (const [name, { method, path, form, query, body }] of asked) {
    if (form === "stream") continue;
    const schema = (method === "GET" ? query : body) as { properties?: object } | undefined;
    for (const field of Object.keys(schema?.properties ?? {})) {
      at += 1;
      if (!isInTurn(at, parts)) continue;
      for (const value of volume({ short: hostile.slice(at % 3, (at % 3) + 1), long: hostile })) {
        const answer = await send(method, path, { [field]: value });
        if (answer.statusCode === 200) reached += 1;
        const said = answer.statusCode < 500 ? "" : `${answer.statusCode} ${answer.body}`;
        expect([name, field, value, said]).toEqual([name, field, value, ""]);
      }
    }
  }
  // Some of it is taken, or nothing but schemas was asked.
  expect(reached).toBeGreaterThan(30 / parts);
});

describe("what no route sees is answered in the envelope, too", () => {
  let port: number;
  beforeAll(async () => {
    port = Number(new URL(await app.listen()).port);
  });
  /** Sends bytes and gives status and body of the answer, after which the connection ends. */
  const raw = (bytes: string) =>
    new Promise<{ status: number; body: unknown }>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      let got = "";
      socket.on("data", (data) => {
        got += data;
      });
      socket.on("close", () => {
        const [head = "", body = ""] = got.split("\r\n\r\n");
        resolve({ status: Number(head.split(" ")[1]), body: JSON.parse(body) });
      });
      socket.on("error", reject);
      socket.write(bytes);
    });
  const rest = "Host: x\r\nConnection: close\r\n\r\n";

  test.each([
    ["a broken escape in the path", `GET /api/%zz HTTP/1.1\r\n${rest}`, 400],
    ["a parameter of the path without end", `GET /api/v1/${"t".repeat(400)}/attributes HTTP/1.1\r\n${rest}`, 414],
    ["headers without end", `GET /api/x HTTP/1.1\r\nX-A: ${"a".repeat(20_000)}\r\n${rest}`, 431],
    ["no request at all", "HELLO\r\n\r\n", 400],
    ["a length that is no number", `POST /api/x HTTP/1.1\r\nContent-Length: abc\r\n${rest}`, 400],
  ])("%s", async (_what, bytes, status) => {
    expect(await raw(bytes)).toEqual({
      status,
      body: { code: status, success: false, data: {}, msg: expect.stringMatching(/\p{Script=Han}/u) },
    });
  });
});

test("an unexpected error shows a number that the log holds, and nothing else", async () => {
  await app.test.database.pool.query("alter table menus rename to menus_away");
  const answer = await app.get<never>("/api/muyuan-system/menu/routes", await app.logIn("worker").catch(() => ""));
  const farm = await app.http.inject({
    url: "/api/muyuan-system/cms-user/skip-secure/multi-tenant?username=farm",
    headers: { authorization: basic },
  });
  expect(farm.statusCode).toBe(200);
  await app.test.database.pool.query("alter table menus_away rename to menus");
  expect(answer.status).toBe(500);
  const [, number] = /服务器异常 \(([0-9a-f-]{36})\)/.exec(answer.body.msg) ?? [];
  expect(answer.headers["x-request-id"]).toBe(number);
  expect(app.logged.some((line) => line.includes(number ?? "none") && line.includes("menus"))).toBe(true);
  expect(JSON.stringify(answer.body)).not.toContain("menus");
});

test("a statement that takes too long is told as a moment to wait, and stands in the log", async () => {
  const { pool } = app.test.database;
  const token = await app.logIn("admin");
  const holder = await pool.connect();
  try {
    await holder.query("begin; lock table preferences");
    const answered = app.get<never>("/api/muyuan-system/preference/list", token);
    // As PostgreSQL does by itself after 30 s.
    await expect
      .poll(async () => {
        const { rows } = await pool.query(
          `select pg_cancel_backend(pid) as ended from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows;
      })
      .toEqual([{ ended: true }]);
    const answer = await answered;
    expect([answer.status, answer.headers["retry-after"], answer.body.msg]).toEqual([503, "2", "服务繁忙，请稍后再试"]);
    expect(
      app.logged.some((line) => line.includes(String(answer.headers["x-request-id"])) && line.includes("57014")),
    ).toBe(true);
  } finally {
    holder.release(true);
  }
});

test("metrics are for this machine or its token", async () => {
  expect((await app.http.inject({ url: "/metrics" })).body).toContain("herdwise_device_messages_total");
  const proxied = await app.http.inject({ url: "/metrics", headers: { "x-forwarded-for": "203.0.113.9" } });
  expect(proxied.statusCode).toBe(403);
  const remote = await app.http.inject({ url: "/metrics", remoteAddress: "203.0.113.9" });
  expect(remote.statusCode).toBe(403);
});

test("the OpenAPI document names every operation with its access", async () => {
  const document = (await app.http.inject({ url: "/api/openapi.json" })).json();
  for (const [name, { path, method, access }] of all) {
    expect(document.paths[path][method.toLowerCase()]).toMatchObject({
      operationId: name,
      "x-access": access.level === "permission" ? `permission ${access.code}` : access.level,
    });
  }
  expect((await app.http.inject({ url: "/api/docs" })).headers["content-type"]).toContain("text/html");
});
