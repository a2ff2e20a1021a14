import type { Endpoint } from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { demoPassword, demoTokenPrefix } from "../../apps/server/src/database/seeds/demo.ts";
import { createPasswords } from "../../apps/server/src/modules/identity/index.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { testPasswordWork, testSecretKey } from "../harness/seed.ts";
import { basic, md5 } from "../harness/session.ts";
import { dumpOf } from "./database-snapshot.ts";
import { bodyOf, oneOfEachKind, operations, queryOf } from "./operations.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => app.pass(86_401));

const log = () => app.logged.join("\n");

describe("T11: an MD5 that a client sends is kept nowhere", () => {
  /** A secret in the forms in which it might be kept. */
  const formsOf = (hash: string) => [
    hash,
    hash.toUpperCase(),
    Buffer.from(hash).toString("base64").replace(/=+$/, ""),
    Buffer.from(hash, "hex").toString("base64").replace(/=+$/, ""),
    Buffer.from(hash).toString("hex"),
  ];

  test("after log-in, registration, change and reset neither database nor log holds one", async () => {
    const phone = "13933330001";
    const passwords = ["First barn 1", "Second barn 2", "Third barn 3", "Wrong barn 4"];
    const [first = "", second = "", third = "", wrong = ""] = passwords.map(md5);
    const code = async (path: string, query: Record<string, string>) => {
      await app.pass(61);
      const sent = await app.call({ method: "POST", path, query, headers: await app.captcha() });
      return {
        "captcha-key": (sent.body.data as { id: string }).id,
        "captcha-code": /\d{6}/.exec((await app.sms(phone))[0] ?? "")?.[0] ?? "",
      };
    };
    const base = "/api/muyuan-system/cms-user/skip-secure";
    const registered = await app.call({
      method: "POST",
      path: `${base}/register`,
      headers: await code("/api/muyuan-resource/sms/endpoint/skip-secure/send-validate", { mobilePhone: phone }),
      body: { username: "md5-canary", mobilePhone: phone, password: first, confirmPassword: first },
    });
    expect(registered.status).toBe(200);
    const logIn = (password: string) => app.token({ grant_type: "password", username: "md5-canary", password });
    const session = (await logIn(first)).body.access_token;
    expect((await logIn(wrong)).status).toBe(400);
    const changed = await app.call({
      method: "POST",
      path: "/api/muyuan-system/user/update-password",
      query: { oldPassword: first, newPassword: second, newPassword1: second },
      token: session,
    });
    expect(changed.status).toBe(200);
    const proven = await app.call({
      method: "POST",
      path: `${base}/reset-password-pre/validate/new`,
      query: { phone },
      headers: await code(`${base}/reset-password-pre/new`, { phone }),
    });
    const { nonceKey } = proven.body.data as { nonceKey: string };
    const reset = await app.call({
      method: "POST",
      path: `${base}/reset-password/new`,
      body: { account: "md5-canary", nonceKey, password: third, confirmPassword: third },
    });
    expect(reset.status).toBe(200);
    expect((await logIn(third)).status).toBe(200);
    await app.logIn("farm");

    const kept = `${await dumpOf(app.test.database.pool)}\n${log()}`;
    expect(kept.includes("md5-canary")).toBe(true);
    for (const secret of [...passwords, demoPassword].flatMap((password) => [password, ...formsOf(md5(password))])) {
      expect(kept.includes(secret), secret).toBe(false);
    }
    // Each way to set a password stores it in one form, which needs the key of the installation to be compared.
    const { rows } = await app.test.database.pool.query<{ password_hash: string }>(
      "select password_hash from accounts",
    );
    expect(rows.length).toBeGreaterThan(5);
    for (const { password_hash } of rows) expect(password_hash).toMatch(/^argon2id\$m=256,t=1,p=1\$\S{24}\$\S{44}$/);
    const stored = rows.map(({ password_hash }) => password_hash);
    const fitting = async (key: string) => {
      const passwords = createPasswords(key, testPasswordWork);
      return (await Promise.all(stored.map((hash) => passwords.verify(third, hash)))).filter(Boolean).length;
    };
    expect(await fitting(testSecretKey)).toBe(1);
    expect(await fitting(`${testSecretKey} `)).toBe(0);
  });
});

describe("T12: what is sent stays out of the log", () => {
  let planted = 0;
  const canaries: string[] = [];
  /** A text like a secret, each one different. */
  const canary = (): string => {
    planted += 1;
    const made = `zq${md5(`canary ${planted}`)}`;
    canaries.push(made);
    return made;
  };
  const secretHeaders = (): Record<string, string> => ({
    authorization: `Basic ${Buffer.from(`portal:${canary()}`).toString("base64")} ${canary()}`,
    "muyuan-auth": `bearer ${canary()}`,
    "captcha-key": canary(),
    "captcha-code": canary(),
    cookie: `herdwise_device=${canary()}; herdwise_qr=${canary()}; session=${canary()}`,
    "tenant-id": canary(),
    "x-forwarded-for": canary(),
    referer: `https://x.example/?token=${canary()}`,
    "user-agent": canary(),
    "x-api-key": canary(),
  });
  const filled = (fields: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, typeof value === "string" ? canary() : value]),
    );
  const send = async (endpoint: Endpoint, token?: string, path = endpoint.path) => {
    const body = bodyOf(endpoint);
    const answer = await app.http.inject({
      method: endpoint.method,
      url: path,
      query: { ...(filled(queryOf(endpoint)) as Record<string, string>), password: canary(), access_token: canary() },
      headers: {
        ...secretHeaders(),
        ...(token && { authorization: basic, "muyuan-auth": `bearer ${token}` }),
        "content-type": "application/json",
      },
      ...(body && { payload: JSON.stringify({ ...filled(body), password: canary(), secret: canary() }) }),
    });
    return answer.statusCode;
  };
  const inBase64 = (made: string) => Buffer.from(made).toString("base64").slice(0, 40);
  /** Canaries in a text, as they were sent or in Base64. All of them have one form: one by one they would be looked for in it for a minute. */
  const leaksIn = (text: string): string[] => {
    const encoded = new Set(canaries.map(inBase64));
    return [
      ...(text.match(/zq[0-9a-f]{27}/g) ?? []),
      ...(text.match(/en[EFGH][\w+/]{37}/g) ?? []).filter((found) => encoded.has(found)),
    ];
  };
  const noneIsLogged = () => expect(leaksIn(log())).toEqual([]);

  test("a secret in the log would be seen, in Base64 as well", () => {
    const made = canary();
    expect(leaksIn(`a ${made} b ${Buffer.from(`${made}`).toString("base64")} c`)).toHaveLength(2);
    expect(leaksIn(`x${made.slice(0, 29)}`)).toHaveLength(1);
  });

  test("headers, queries and bodies of every operation, by a stranger and by a session", async () => {
    const token = await app.logIn("admin");
    const before = app.logged.length;
    for (const [, endpoint] of operations) {
      for (const path of [endpoint.path, ...(endpoint.aliases ?? [])]) {
        await send(endpoint, undefined, path);
        await send(endpoint, token, path);
      }
    }
    expect(canaries.length).toBeGreaterThan(500);
    expect(app.logged.length).toBeGreaterThan(before + operations.length);
    noneIsLogged();
    expect(log().includes(token)).toBe(false);
  });

  test("faults of the server: what a failed statement was given is not logged", async () => {
    const { pool } = app.test.database;
    const tables = ["accounts", "messages", "devices", "login_failures", "oauth_clients", "agreement_versions"];
    for (const table of tables) await pool.query(`alter table ${table} rename to ${table}_away`);
    const before = app.logged.length;
    try {
      for (const [, endpoint] of oneOfEachKind(operations)) await send(endpoint);
      await app.token(
        { grant_type: "password", username: canary(), password: canary() },
        await app.captcha().catch(() => ({})),
      );
    } finally {
      for (const table of tables) await pool.query(`alter table ${table}_away rename to ${table}`);
    }
    expect(app.logged.slice(before).some((line) => line.includes("unexpected error"))).toBe(true);
    noneIsLogged();
  });

  test("a constraint that a row breaks is logged without the row", async () => {
    const { pool } = app.test.database;
    const name = `n${canary()}`.slice(0, 30);
    await pool.query("alter table page_visits add constraint none_at_all check (false) not valid");
    try {
      const answer = await app.call({
        method: "POST",
        path: "/api/muyuan-content/visit/skip-secure/record",
        body: { visits: [{ routeName: "home", path: `/${name}`, language: "zh", dwellMs: 1 }] },
      });
      expect(answer.status).toBe(500);
    } finally {
      await pool.query("alter table page_visits drop constraint none_at_all");
    }
    noneIsLogged();
  });

  test("tokens of devices, which stand in the path", async () => {
    const { rows } = await app.test.database.pool.query<{ serial: string }>(
      "select serial_number as serial from devices limit 1",
    );
    const known = `${demoTokenPrefix}${rows[0]?.serial}`;
    const unknown = canary();
    for (const token of [known, unknown]) {
      for (const call of ["telemetry", "attributes", "rpc", "nothing", ""]) {
        for (const method of ["GET", "POST", "PUT"] as const) {
          // A request for calls waits for one; what waits is no matter here.
          if (method === "GET" && call === "rpc") continue;
          await app.http.inject({
            method,
            url: `/api/v1/${token}/${call}`,
            ...(method !== "GET" && { payload: "{}" }),
          });
        }
      }
    }
    expect(log().includes(known)).toBe(false);
    noneIsLogged();
  });

  test("mistyped paths, broken encodings and broken bodies", async () => {
    for (const url of [
      `/api/v1/${canary()}`,
      `/api/${canary()}`,
      `/${canary()}`,
      `/api/muyuan-auth/oauth/token/${canary()}`,
      `/api/muyuan-auth/oauth/token;${canary()}`,
      `/api/%zz${canary()}`,
      `/api/muyuan-auth/oauth2/authorize/${canary()}`,
      `/api/muyuan-auth/oauth2/authorize?client_id=${canary()}&state=${canary()}&code_challenge=${canary()}`,
      `/dev/outbox?${canary()}`,
      `/metrics?token=${canary()}`,
    ]) {
      await app.http.inject({ url, headers: secretHeaders() }).catch(() => undefined);
    }
    const payload = new URLSearchParams({
      client_secret: canary(),
      code: canary(),
      refresh_token: canary(),
    }).toString();
    for (const path of ["token", "revoke"]) {
      await app.http.inject({
        method: "POST",
        url: `/api/muyuan-auth/oauth2/${path}`,
        headers: { ...secretHeaders(), "content-type": "application/x-www-form-urlencoded" },
        payload,
      });
    }
    for (const broken of [`{"password":"${canary()}`, `{"password":"${canary()}"}}`, canary(), `["${canary()}"`]) {
      await app.http.inject({
        method: "POST",
        url: "/api/muyuan-system/cms-user/skip-secure/register",
        headers: { "content-type": "application/json" },
        payload: broken,
      });
    }
    noneIsLogged();
  });
});
