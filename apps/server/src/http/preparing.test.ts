import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { refuseUntilPrepared } from "./preparing.ts";
import { createHttp } from "./server.ts";

let isPrepared = false;
const http = createHttp({ log: pino({ level: "silent" }), publicUrl: "http://localhost" });
refuseUntilPrepared(http, () => isPrepared);
http.get("/healthz", { config: { openBecause: "test", worksUnprepared: true } }, async () => ({ status: "ok" }));
http.get("/api/rows", { config: { openBecause: "test" } }, async () => {
  if (!isPrepared) throw new Error('relation "rows" does not exist');
  return { rows: [] };
});
afterAll(() => http.close());

test("before the database is prepared, calls and pages are told to come again; health answers; afterwards everything does", async () => {
  const call = () => http.inject({ url: "/api/rows" });
  const early = await call();
  expect([early.statusCode, early.headers["retry-after"], early.json().code]).toEqual([503, "2", 503]);
  const unknown = await http.inject({ method: "POST", url: "/no/such", payload: { a: 1 } });
  expect(unknown.statusCode).toBe(503);
  const page = await http.inject({ url: "/api/rows", headers: { accept: "text/html,*/*" } });
  expect([page.statusCode, page.headers["retry-after"], page.headers["cache-control"]]).toEqual([503, "2", "no-store"]);
  expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(page.body).toMatch(/正在启动.*starting/s);
  expect((await http.inject({ url: "/healthz" })).statusCode).toBe(200);
  isPrepared = true;
  expect((await call()).json()).toEqual({ rows: [] });
});
