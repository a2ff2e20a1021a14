import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Envelope, TokenReply } from "@herdwise/contract";
import { pino } from "pino";
import { type App, createApp } from "../../apps/server/src/app.ts";
import { readConfig } from "../../apps/server/src/config.ts";
import { demoPassword, demoTokenPrefix } from "../../apps/server/src/database/seeds/demo.ts";
import { logOptions } from "../../apps/server/src/log.ts";
import type { PasswordWork } from "../../apps/server/src/modules/identity/index.ts";
import type { SimulatorControl } from "../../apps/server/src/modules/simulator/index.ts";
import { type Bus, memoryBus } from "../../apps/server/src/providers/bus.ts";
import type { Store } from "../../apps/server/src/providers/store.ts";
import { createSeededDatabase, createTestDatabase, openAnother, type TestDatabase } from "./database.ts";
import { undeclaredIn } from "./documented.ts";
import { memoryBench, type StoreBench } from "./redis.ts";
import { seedAll, testPasswordWork, testSecretKey } from "./seed.ts";
import { basic, md5 } from "./session.ts";

export interface Answer<Reply> {
  status: number;
  body: Envelope<Reply>;
  headers: Record<string, unknown>;
}

export interface TestApp extends App {
  test: TestDatabase;
  /** Its own data directory, with the files that were uploaded. */
  dataDir: string;
  store: Store;
  /** Log lines of this app, as text. */
  logged: string[];
  get<Reply>(path: string, token?: string): Promise<Answer<Reply>>;
  /** Calls oauth/token with these parameters. */
  token(
    query: Record<string, string>,
    headers?: Record<string, string>,
    from?: string,
  ): Promise<{ status: number; body: TokenReply & { error?: string; error_description?: string } }>;
  /** Any call, from an address of its own unless one is given. */
  call(request: {
    method?: "GET" | "POST" | "PUT";
    path: string;
    query?: Record<string, string>;
    body?: unknown;
    token?: string;
    headers?: Record<string, string>;
    from?: string;
  }): Promise<Answer<unknown> & { cookie: string }>;
  /** Headers of a passed captcha. */
  captcha(): Promise<Record<string, string>>;
  /** What was sent to a phone, newest first. */
  sms(phone: string): Promise<string[]>;
  /** Moves the clock of the store on, and with it budgets, codes and captchas. */
  pass(seconds: number): Promise<void>;
  /** Logs a demo account in and gives its access token. */
  logIn(account: string, tenantId?: string): Promise<string>;
  /** Sends telemetry of a demo device by the HTTP device API. */
  report(serialNumber: string, payload: unknown): Promise<number>;
  /** Opens a socket, for browsers. @returns the address */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** The web app as it was built, for tests that look at pages of a server in this process. */
export const webBuild = fileURLToPath(new URL("../../apps/web/build", import.meta.url));

/** What a server shares with others; what is left out it has for itself, in memory. */
export interface SharedParts {
  /** A database that another server has, too, and that each of them seeds at its start; `close` leaves it. */
  test?: TestDatabase;
  bench?: StoreBench;
  bus?: Bus;
  /** Of a simulator that this server started. */
  simulator?: SimulatorControl;
  /** What a hash of a password costs. The passwords of the demo fit the default only. */
  passwordWork?: PasswordWork;
  /** How long a session serves reading requests, ms; by default none is kept, as tests change the database behind the server. */
  sessionKeptMs?: number;
}

/**
 * The whole server without its sockets on a database of its own, with the demo tenants.
 * @param pages folder of the web app; without one only the API is there
 */
export async function createTestApp(
  environment: Record<string, string> = {},
  {
    test: shared,
    bench = memoryBench(),
    bus = memoryBus(),
    simulator,
    passwordWork = testPasswordWork,
    sessionKeptMs = 0,
  }: SharedParts = {},
  pages = "/nowhere",
): Promise<TestApp> {
  // Where personal data has a key of its own, the phones of the template would be closed to this server.
  const seedsItself = shared !== undefined || environment.PERSONAL_KEY !== undefined;
  const own = () => (seedsItself ? createTestDatabase(10) : createSeededDatabase(10));
  const test = shared === undefined ? await own() : openAnother(shared, 10);
  const logged: string[] = [];
  const log = pino(logOptions("trace"), { write: (line: string) => void logged.push(line) });
  const dataDir = await mkdtemp(join(tmpdir(), "herdwise-app-"));
  const config = readConfig({ DEMO: "on", SIMULATOR: "off", DATA_DIR: dataDir, ...environment });
  const { store } = bench;
  const app = await createApp({
    config,
    log,
    database: test.database,
    bus,
    simulator,
    store,
    secretKey: testSecretKey,
    passwordWork,
    sessionKeptMs,
    webBuild: pages,
    health: { whyNotReady: async () => undefined },
  });
  if (seedsItself) await seedAll(test.database.kysely, app);
  await app.start();
  await app.http.ready();

  /** @throws {Error} for an answer that its operation does not declare */
  const declaredAnswer = <Body>(method: string, path: string, status: number, body: Body): Body => {
    const undeclared = undeclaredIn(method, path, status, body);
    if (undeclared !== undefined) throw new Error(undeclared);
    return body;
  };
  const get = async <Reply>(path: string, token?: string): Promise<Answer<Reply>> => {
    const answer = await app.http.inject({
      method: "GET",
      url: path,
      headers: { authorization: basic, ...(token && { "muyuan-auth": `bearer ${token}` }) },
    });
    const body = declaredAnswer("GET", path, answer.statusCode, answer.json() as Envelope<Reply>);
    return { status: answer.statusCode, body, headers: answer.headers };
  };
  // Failures are counted per address, too: tests that are about something else come from addresses of their own.
  let addresses = 0;
  const newAddress = () => {
    addresses += 1;
    return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
  };
  const call: TestApp["call"] = async ({
    method = "GET",
    path,
    query = {},
    body,
    token: access,
    headers = {},
    from = newAddress(),
  }) => {
    const answer = await app.http.inject({
      method,
      url: path,
      query,
      remoteAddress: from,
      ...(body !== undefined && { payload: JSON.stringify(body) }),
      headers: {
        authorization: basic,
        ...(access && { "muyuan-auth": `bearer ${access}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
    });
    const [cookie = ""] = String(answer.headers["set-cookie"] ?? "").split(";");
    // A call may answer a file.
    const isJson = String(answer.headers["content-type"]).startsWith("application/json");
    const answered = declaredAnswer(method, path, answer.statusCode, isJson ? answer.json() : {});
    return { status: answer.statusCode, body: answered, headers: answer.headers, cookie };
  };
  const token: TestApp["token"] = async (query, headers = {}, from = newAddress()) => {
    const answer = await app.http.inject({
      method: "POST",
      url: "/api/muyuan-auth/oauth/token",
      query,
      remoteAddress: from,
      headers: { authorization: basic, ...headers },
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  return {
    ...app,
    test,
    dataDir,
    logged,
    store,
    get,
    token,
    call,
    async captcha() {
      const { body } = await call({ path: "/api/muyuan-auth/oauth/captcha" });
      const { key } = body as unknown as { key: string };
      const { expected } = JSON.parse((await store.get(`captcha:proof:${key}`)) ?? "{}") as { expected: string };
      return { "captcha-key": key, "captcha-code": expected };
    },
    async sms(phone) {
      const { body } = await call({ path: "/dev/outbox.json" });
      return (body as unknown as { to: string; text: string }[])
        .filter(({ to }) => to === phone)
        .map(({ text }) => text);
    },
    pass: (seconds) => bench.pass(seconds * 1000),
    async logIn(account, tenantId) {
      const { body } = await token({
        grant_type: "password",
        username: account,
        password: md5(demoPassword),
        ...(tenantId && { tenantId }),
      });
      return body.access_token;
    },
    async report(serialNumber, payload) {
      const answer = await app.http.inject({
        method: "POST",
        url: `/api/v1/${demoTokenPrefix}${serialNumber}/telemetry`,
        payload: JSON.stringify(payload),
        headers: { "content-type": "application/json" },
      });
      return answer.statusCode;
    },
    async listen() {
      return app.http.listen({ port: 0, host: "127.0.0.1" });
    },
    async close() {
      await app.stop();
      await bus.stop();
      await bench.close();
      await test.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
