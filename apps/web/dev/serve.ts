/* Looks at the built web app without the real server: static files, server rendering, and answers from fixture.ts.
   Usage: node dev/serve.ts [port]. For development only; nothing of it is shipped. */
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { extname, join, normalize } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { DeviceStatus } from "@herdwise/contract";
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from "react-router";
import * as fixture from "./fixture.ts";

const port = Number(process.argv[2] ?? 4173);
const root = join(import.meta.dirname, "..");
type EntryModule = ServerBuild["entry"]["module"] & {
  createLoadContext: (api: (path: string) => Promise<unknown>, nonce: string) => RouterContextProvider;
};
const build: ServerBuild & { entry: { module: EntryModule } } = await import(`${root}/build/server/index.js`);
const handler = createRequestHandler(build, "production");

const types: Record<string, string> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};

/** Delay and failures asked for by `?slow=` / `?fail=` cookies, to look at loading and error states. */
const cookie = (request: IncomingMessage, name: string): string | undefined =>
  new RegExp(`(?:^|; )${name}=([^;]*)`).exec(request.headers.cookie ?? "")?.[1];

function answer(path: string, query: URLSearchParams, signedIn: boolean): { status: number; body: unknown } {
  const ok = (payload: unknown) => ({
    status: 200,
    body: { code: 200, success: true, data: payload, msg: "操作成功" },
  });
  const refuse = (code: number, msg: string) => ({ status: code, body: { code, success: false, data: null, msg } });
  if (path.endsWith("/live-figures")) return ok(fixture.figures());
  if (path.endsWith("/demo-accounts")) {
    return ok([
      { account: "demo-zhou", name: "周建平", description: "企业主", type: "enterprise" },
      { account: "demo-li", name: "李兽医", description: "兽医，三个场", type: "personal" },
      { account: "demo-sun", name: "孙浩", description: "饲养员", type: "enterprise" },
      { account: "demo-gao", name: "高峰", description: "集团管理员", type: "employee" },
    ]);
  }
  if (path.endsWith("/oauth/token")) {
    if (query.get("username") === "demo-li" && !query.get("tenantId"))
      return { status: 400, body: { error: "multi_tenant", error_description: "请选择租户" } };
    if (query.get("username")?.startsWith("demo-")) return { status: 200, body: fixture.tokens };
    return { status: 400, body: { error: "invalid_grant", error_description: "用户名或密码错误" } };
  }
  if (path.endsWith("/multi-tenant") || path.endsWith("/my-tenants")) {
    return ok([
      { tenantId: "100001", tenantName: "周家营养殖公司", type: "enterprise" },
      { tenantId: "100002", tenantName: "清水家庭农场", type: "personal" },
      { tenantId: "000000", tenantName: "慧牧集团", type: "group" },
    ]);
  }
  if (path.endsWith("/oauth/logout")) return { status: 200, body: { success: "true", msg: "ok" } };
  if (path.endsWith("/menu/routes")) return ok(signedIn ? fixture.menu : []);
  if (!signedIn) return refuse(401, "请求未授权");
  if (path.endsWith("/user/info")) return ok(fixture.user);
  if (path.endsWith("/menu/buttons")) return ok(fixture.menu);
  if (path.endsWith("/environment/overview")) return ok(fixture.farms);
  if (path.endsWith("/tree/list")) return ok(fixture.farms);
  if (path.endsWith("/unit/detail")) {
    const unit = fixture.unitDetailOf(query.get("id") ?? "");
    return unit ? ok(unit) : refuse(404, "404 没找到请求");
  }
  if (path.endsWith("/device/page")) {
    const size = Number(query.get("size") ?? 10);
    const current = Number(query.get("current") ?? 1);
    const word = query.get("name") ?? "";
    const rows = fixture.devices.filter(
      (device) =>
        (!query.get("kind") || device.kind === query.get("kind")) &&
        (!query.get("status") || device.status === (query.get("status") as DeviceStatus)) &&
        (!query.get("bound") || String(device.bound) === query.get("bound")) &&
        (!query.get("farmId") || device.farmId === query.get("farmId")) &&
        (device.name.includes(word) || device.serialNumber.includes(word)),
    );
    return ok({
      records: rows.slice((current - 1) * size, current * size),
      total: rows.length,
      size,
      current,
      pages: Math.ceil(rows.length / size),
      orders: [],
      searchCount: true,
    });
  }
  if (path.endsWith("/device/detail")) return ok(fixture.deviceDetailOf(query.get("id") ?? ""));
  if (path.endsWith("/device/latest"))
    return ok(fixture.allUnits.find(({ item }) => item.deviceId === query.get("id"))?.item.readings ?? {});
  if (path.endsWith("/telemetry/history")) {
    const start = Number(query.get("start"));
    const end = Number(query.get("end"));
    return ok({
      key: query.get("key"),
      resolution: end - start > 2 * 86_400_000 ? "hour" : "minute",
      points: fixture.historyPoints(query.get("key") ?? "", start, end, end - start > 2 * 86_400_000 ? 168 : 288),
    });
  }
  return refuse(404, "404 没找到请求");
}

function stream(query: URLSearchParams, response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  response.flushHeaders();
  const ids = (query.get("ids") ?? "").split(",");
  const timer = setInterval(() => {
    for (const { item } of fixture.allUnits) {
      if (!ids.includes(item.deviceId) || item.status === "offline" || Math.random() > 0.2) continue;
      const shift = (key: string, by: number) => {
        const now = item.readings[key]?.value;
        return {
          value: typeof now === "number" ? Math.round((now + (Math.random() - 0.5) * by) * 10) / 10 : now,
          ts: Date.now(),
        };
      };
      const readings = {
        t_in: shift("t_in", 0.2),
        t2: shift("t2", 0.2),
        nh3: shift("nh3", 0.5),
        rh: { value: item.readings.rh?.value, ts: Date.now() },
      };
      response.write(`data: ${JSON.stringify({ type: "telemetry", id: item.deviceId, readings })}\n\n`);
    }
    response.write(": beat\n\n");
  }, 3000);
  response.on("close", () => clearInterval(timer));
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", `http://localhost:${port}`);
  if (url.pathname.startsWith("/api/")) {
    const signedIn = request.headers["muyuan-auth"] === "bearer mock-access";
    const slow = Number(cookie(request, "slow") ?? 0);
    if (slow > 0) await new Promise((resolve) => setTimeout(resolve, slow));
    const failing = cookie(request, "fail");
    if (failing && url.pathname.includes(failing)) {
      response
        .writeHead(500, { "Content-Type": "application/json" })
        .end(JSON.stringify({ code: 500, success: false, data: null, msg: "服务器异常" }));
      return;
    }
    if (url.pathname.endsWith("/iot/live") || url.pathname.endsWith("/muyuan-iot/live"))
      return stream(url.searchParams, response);
    let sent = "";
    if (request.method === "POST") for await (const part of request) sent += String(part);
    const query = new URLSearchParams([...url.searchParams, ...new URLSearchParams(sent)]);
    const { status, body } = answer(url.pathname, query, signedIn);
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    return;
  }
  const extension = extname(url.pathname);
  if (types[extension]) {
    const file = await readFile(join(root, "build/client", normalize(url.pathname))).catch(() => undefined);
    if (file) {
      response.writeHead(200, { "Content-Type": types[extension] }).end(file);
      return;
    }
  }
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const context = build.entry.module.createLoadContext(async (path: string) => {
    const { status, body } = answer(path.split("?")[0] ?? "", new URLSearchParams(path.split("?")[1]), false);
    if (status !== 200) throw new Response(null, { status });
    return (body as { data: unknown }).data;
  }, nonce);
  const page = await handler(
    new Request(url, { method: request.method ?? "GET", headers: { cookie: request.headers.cookie ?? "" } }),
    context,
  );
  const headers: Record<string, string> = Object.fromEntries(page.headers);
  headers["Content-Security-Policy"] =
    `default-src 'self'; script-src 'self' 'nonce-${nonce}'; style-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'`;
  response.writeHead(page.status, headers);
  if (page.body) Readable.fromWeb(page.body as NodeReadableStream).pipe(response);
  else response.end();
}

createServer((request, response) => {
  serve(request, response).catch((error: unknown) => {
    response.writeHead(500).end(String(error));
  });
}).listen(port);
