import { once } from "node:events";
import { type Endpoint, signedIn } from "@herdwise/contract";
import { pino } from "pino";
import { Type } from "typebox";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { memoryStore } from "../providers/store.ts";
import { createRouter } from "./router.ts";
import { createHttp } from "./server.ts";
import type { Session } from "./session.ts";

const endpoint = {
  method: "GET",
  path: "/api/muyuan-iot/pieces",
  summary: "",
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "download",
  mediaTypes: ["text/csv"],
  query: Type.Object({}),
  body: Type.Object({}),
  reply: Type.Object({}),
} satisfies Endpoint;
const rows = { all: true, departmentIds: [], own: false };
const session = {
  id: "1",
  accountId: "1",
  tenantId: "900001",
  grants: ["1:1"],
  permissions: new Set(),
  rows,
  rowsOf: new Map(),
  guardedPaths: new Map(),
} as unknown as Session;

/** What the caller's token stands for now. */
let held: Session | undefined;
/** Lets the next piece come. */
let next: PromiseWithResolvers<string>;
/** Resolved when the pieces have ended. */
let over: PromiseWithResolvers<void>;
let clockMs = 0;
let app: ReturnType<typeof createHttp>;
let address: string;

beforeEach(async () => {
  held = session;
  over = Promise.withResolvers();
  clockMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => clockMs);
  next = Promise.withResolvers();
  app = createHttp({ log: pino({ level: "silent" }), publicUrl: "http://127.0.0.1" });
  const router = createRouter(app, {
    authenticate: async () => held,
    authenticateToken: async () => held,
    forgetSessions: () => undefined,
    requireConfirmed: async () => undefined,
    store: memoryStore(),
    stopping: new AbortController().signal,
    publicUrl: "http://127.0.0.1",
  });
  app.server.on("request", (_request, answer) => void answer.on("close", () => app.server.emit("gone")));
  async function* content(): AsyncGenerator<string> {
    try {
      yield "first";
      for (let piece = await next.promise; piece !== "end"; piece = await next.promise) {
        next = Promise.withResolvers();
        yield piece;
      }
    } finally {
      over.resolve();
    }
  }
  router.download(endpoint, async () => ({ name: "a.csv", contentType: "text/csv", content: content() }));
  address = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await app.close();
});

const begin = async (signal = new AbortController().signal) => {
  const answer = await fetch(`${address}${endpoint.path}`, { signal, headers: { "muyuan-auth": "bearer token" } });
  expect(answer.status).toBe(200);
  const reader = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe("first");
  return reader;
};
type Reader = Awaited<ReturnType<typeof begin>>;
const send = async (reader: Reader, piece: string): Promise<string | undefined> => {
  next.resolve(piece);
  return (await reader.read()).value;
};

test("a download goes on while its caller may have it", async () => {
  const reader = await begin();
  clockMs = 3100;
  expect(await send(reader, "second")).toBe("second");
  clockMs = 6200;
  expect(await send(reader, "third")).toBe("third");
  next.resolve("end");
  expect((await reader.read()).done).toBe(true);
});

test.each<[string, Session | undefined]>([
  ["whose session ended", undefined],
  ["who reaches other rows by now", { ...session, rows: { ...rows, all: false } } as unknown as Session],
  ["whose roles grant something else", { ...session, grants: ["1:2"] } as unknown as Session],
])("a download of somebody %s breaks off within seconds", async (_what, now) => {
  const reader = await begin();
  held = now;
  clockMs = 2900;
  expect(await send(reader, "second")).toBe("second");
  clockMs = 3100;
  const third = send(reader, "third").then(() => send(reader, "end"));
  await expect(third).rejects.toThrow("terminated");
  await over.promise;
});

test("who leaves ends what makes the pieces", async () => {
  const leaving = new AbortController();
  await begin(leaving.signal);
  const closed = once(app.server, "gone");
  leaving.abort();
  await closed;
  next.resolve("second");
  await over.promise;
});
