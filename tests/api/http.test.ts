import { connect } from "node:net";
import { type Endpoint, endpoints } from "@herdwise/contract";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requireDeclaredAccess } from "../../apps/server/src/http/router.ts";
import { basic, createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await createTestApp();
  await app.http.listen({ port: 0, host: "127.0.0.1" });
  const address = app.http.server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => app.close());

const all = Object.entries(endpoints) as [string, Endpoint][];
const closed = all.filter(([, { access }]) => access.level !== "public");

/** Sends exactly these bytes of a request line, which clients of HTTP libraries would tidy up. */
const rawGet = (path: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic}\r\nConnection: close\r\n\r\n`),
    );
    let answer = "";
    socket.setEncoding("utf8").on("data", (text) => {
      answer += text;
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });

test("a route that declares no access stops the start", async () => {
  const bare = Fastify();
  requireDeclaredAccess(bare);
  expect(() => bare.get("/open", async () => "x")).toThrow("declares no access");
});

test("every operation of the contract is served", () => {
  for (const [, { method, path }] of all) expect(app.http.hasRoute({ method, url: path })).toBe(true);
});

describe.each(closed)("%s", (_name, { path, method }) => {
  test("answers nothing without a session", async () => {
    const answer = await app.http.inject({ method, url: path, headers: { authorization: basic } });
    expect([400, 401]).toContain(answer.statusCode);
    if (answer.statusCode === 401) expect(answer.json()).toEqual({ code: 401, msg: "缺失令牌,鉴权失败", data: null });
    expect(answer.body).not.toContain('"success":true');
  });

  test("and no form of its path opens it", async () => {
    const [, api, service, ...rest] = path.split("/");
    const last = rest.join("/");
    const forms = [
      `${path};/skip-secure/x`,
      `${path}/skip-secure/`,
      `/api/skip-secure/../${service}/${last}`,
      `/api/${service}/skip-secure/../${last}`,
      `/api/${service}/skip-secure/%2e%2e/${last}`,
      `/${api}/${service}//${last}`,
      `//${api}/${service}/${last}`,
      path.toUpperCase(),
      `${path}/`,
      `${path}%20`,
      `${path}%00`,
      `${path}?skip-secure`,
      `/api/./${service}/${last}`,
      path.replace("api", "%61pi"),
      path.replace(/\//g, "\\"),
      `http://x${path}`,
    ];
    for (const form of forms) {
      const answer = await rawGet(form);
      expect(answer, form).not.toContain('"success":true');
      expect(answer, form).not.toContain("event: ");
    }
  });
});

test("an unknown path of the API is an envelope with 404", async () => {
  const answer = await app.http.inject({ url: "/api/muyuan-iot/nothing" });
  expect([answer.statusCode, answer.json()]).toEqual([
    404,
    { code: 404, success: false, data: {}, msg: "404 没找到请求" },
  ]);
});

test("text/plain is refused", async () => {
  const answer = await app.http.inject({
    method: "POST",
    url: "/api/muyuan-auth/oauth/token",
    headers: { "content-type": "text/plain" },
    payload: "grant_type=password",
  });
  expect([answer.statusCode, answer.json().msg]).toEqual([415, "不支持当前媒体类型"]);
});

test("no origin is allowed by CORS", async () => {
  for (const origin of ["https://evil.example", "null", "http://localhost:8080.evil.example"]) {
    const answer = await app.http.inject({ url: "/api/muyuan-system/menu/routes", headers: { origin } });
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  }
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
