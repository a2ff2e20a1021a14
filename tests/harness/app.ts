import { createHash } from "node:crypto";
import type { Envelope, TokenReply } from "@herdwise/contract";
import { publicClient } from "@herdwise/contract";
import { pino } from "pino";
import { type App, createApp } from "../../apps/server/src/app.ts";
import { readConfig } from "../../apps/server/src/config.ts";
import { demoPassword, demoTokenPrefix, seedDemo } from "../../apps/server/src/database/seeds/demo.ts";
import { seedFoundation } from "../../apps/server/src/database/seeds/foundation.ts";
import { memoryBus } from "../../apps/server/src/providers/bus.ts";
import { memoryStore } from "../../apps/server/src/providers/store.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

export const basic = `Basic ${Buffer.from(`${publicClient.id}:${publicClient.secret}`).toString("base64")}`;
export const md5 = (text: string) => createHash("md5").update(text).digest("hex");

export interface Answer<Reply> {
  status: number;
  body: Envelope<Reply>;
  headers: Record<string, unknown>;
}

export interface TestApp extends App {
  test: TestDatabase;
  /** Log lines of this app, as text. */
  logged: string[];
  get<Reply>(path: string, token?: string): Promise<Answer<Reply>>;
  /** Calls oauth/token with these parameters. */
  token(
    query: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: TokenReply & { error?: string; error_description?: string } }>;
  /** Logs a demo account in and gives its access token. */
  logIn(account: string, tenantId?: string): Promise<string>;
  /** Sends telemetry of a demo device by the HTTP device API. */
  report(serialNumber: string, payload: unknown): Promise<number>;
  close(): Promise<void>;
}

/** The whole server without its sockets on a database of its own, with the demo tenants. */
export async function createTestApp(environment: Record<string, string> = {}): Promise<TestApp> {
  const test = await createTestDatabase(10);
  const logged: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void logged.push(line) });
  const config = readConfig({ DEMO: "on", SIMULATOR: "off", ...environment });
  const app = await createApp({
    config,
    log,
    database: test.database,
    bus: memoryBus(),
    store: memoryStore(),
    secretKey: "a key for tests that is long enough to be one",
    webBuild: "/nowhere",
    health: { whyNotReady: async () => undefined },
  });
  await seedFoundation(test.database.kysely, app.nextId);
  await seedDemo(test.database.kysely, app.nextId, app.hashPassword);
  await app.start();
  await app.http.ready();

  const get = async <Reply>(path: string, token?: string): Promise<Answer<Reply>> => {
    const answer = await app.http.inject({
      method: "GET",
      url: path,
      headers: { authorization: basic, ...(token && { "muyuan-auth": `bearer ${token}` }) },
    });
    return { status: answer.statusCode, body: answer.json() as Envelope<Reply>, headers: answer.headers };
  };
  const token: TestApp["token"] = async (query, headers = {}) => {
    const answer = await app.http.inject({
      method: "POST",
      url: "/api/muyuan-auth/oauth/token",
      query,
      headers: { authorization: basic, ...headers },
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  return {
    ...app,
    test,
    logged,
    get,
    token,
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
    async close() {
      await app.stop();
      await test.drop();
    },
  };
}
