import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic } from "../harness/session.ts";
import { requestText } from "./raw-socket.ts";

const limitMs = 20_000;
/** What a busy machine may be late by. */
const graceMs = 5000;
/** Of pino. */
const warnLevel = 40;

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await createTestApp();
  await app.http.listen({ port: 0, host: "127.0.0.1" });
  port = (app.http.server.address() as { port: number }).port;
});
afterAll(() => app.close());

/** Sends a beginning, then a byte now and then, until the server has enough of it. */
function sendSlowly(beginning: string, piece: string): Promise<{ text: string; tookMs: number }> {
  return new Promise((resolve) => {
    const begun = performance.now();
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(beginning));
    const drip = setInterval(() => socket.write(piece), 500);
    socket.on("data", (chunk) => {
      text += chunk.toString();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(drip);
      resolve({ text, tookMs: performance.now() - begun });
    });
  });
}

const post = (path: string, type: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic}\r\nContent-Type: ${type}\r\nContent-Length: 5000\r\n\r\n{`;
const postPath = "/api/muyuan-auth/oauth/token";
const path = "/api/muyuan-auth/oauth/captcha";

test("heads and bodies that come too slowly are answered 408 in the envelope within 20 s; a file may take longer", async () => {
  const parts = [
    sendSlowly("GET / HTTP/1.1\r\nHost: x\r\n", "X-A: b\r\n"),
    sendSlowly(post(postPath, "application/json"), " "),
    sendSlowly(post(postPath, "application/x-www-form-urlencoded"), "a"),
  ];
  let fileEnded = false;
  const file = connect(port, "127.0.0.1", () =>
    file.write(post("/api/muyuan-resource/attach/put", "multipart/form-data; boundary=x")),
  );
  file.on("close", () => {
    fileEnded = true;
  });
  file.on("error", () => undefined);
  for (const { text, tookMs } of await Promise.all(parts)) {
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(JSON.parse(text.slice(text.indexOf("\r\n\r\n")))).toMatchObject({ code: 408, success: false });
    expect(tookMs).toBeLessThan(limitMs + graceMs);
  }
  file.destroy();
  expect(fileEnded).toBe(false);
});

test("requests of a connection that was reset are nobody's fault", async () => {
  const said = app.logged.length;
  for (let round = 0; round < 100; round += 1) {
    await new Promise<void>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.write(requestText("GET", path, { Connection: "keep-alive" }).repeat(3), () => socket.resetAndDestroy());
      });
      socket.on("error", () => undefined);
      socket.on("close", () => resolve());
    });
  }
  // What was still under way has come to its end with the next answer.
  expect((await app.call({ path })).status).toBe(200);
  const lines = app.logged.slice(said).map((line) => JSON.parse(line) as { level: number; route?: string });
  expect(
    lines.some(({ route }) => route === path),
    "requests were read",
  ).toBe(true);
  expect(lines.filter(({ level }) => level >= warnLevel)).toEqual([]);
});
