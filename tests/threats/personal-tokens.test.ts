import { type TokenScope, tokenOperations, tokenScopeOf, tokenScopes } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic, md5 } from "../harness/session.ts";
import { changedBy, startChangeLog, takeChanges } from "./change-log.ts";
import { dumpOf } from "./database-snapshot.ts";
import { bodyOf, isEndless, oneOfEachKind, operations, queryOf } from "./operations.ts";

// T52: what a leaked personal access token is good for, and how it ends.
let app: TestApp;
const base = "/api/muyuan-auth/personal-token";
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

interface Made {
  id: string;
  token: string;
}
/** Makes a token by a new log-in. */
async function make(account: string, scopes: readonly TokenScope[], days = 90): Promise<Made> {
  await app.pass(61);
  const { status, body } = await app.call({
    method: "POST",
    path: `${base}/submit`,
    body: { tokenName: "ERP", scopes, days },
    token: await app.logIn(account),
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data as Made;
}
/** Calls as a program does: with the token alone. */
const call = async (
  token: string,
  path: string,
  options: { method?: "GET" | "POST"; query?: Record<string, string>; body?: unknown } = {},
) => {
  const { method = "GET", query = {}, body } = options;
  const answer = await app.http.inject({
    method,
    url: path,
    query,
    headers: { authorization: `Bearer ${token}` },
    ...(method === "POST" && { payload: body ?? {} }),
  });
  return {
    status: answer.statusCode,
    body: answer.json() as { data: { reason?: string }; msg: string },
    text: answer.body,
  };
};
const devices = "/api/muyuan-iot/device/page";
const list = async (account: string) =>
  (
    await app.get<{ id: string; state: string; address: string; lastUsedAt: string }[]>(
      `${base}/list`,
      await app.logIn(account),
    )
  ).body.data;

describe("what a token opens", () => {
  test("its scopes are operations that exist, and none of them touches an account, a right or a secret", () => {
    for (const [scope, names] of Object.entries(tokenOperations))
      for (const name of names) {
        const endpoint = operations.find(([held]) => held === name)?.[1];
        expect(endpoint, name).toBeDefined();
        if (endpoint) expect(tokenScopeOf(endpoint), name).toBe(scope);
      }
    const open = operations.filter(([, endpoint]) => tokenScopeOf(endpoint) !== undefined);
    expect(open.length).toBe(Object.values(tokenOperations).flat().length);
    for (const [name, { path, owner, confirmation }] of open) {
      expect(path, name).toMatch(/^\/api\/muyuan-(farm|iot|trade|work-order|contract)\//);
      expect(["tenant", "tenants"], name).toContain(owner);
      expect(confirmation, name).toBeUndefined();
    }
  });

  test("each scope at every private operation: those that it lists are open, all others refused, and nothing is changed", async () => {
    const { pool } = app.test.database;
    await startChangeLog(pool);
    const privateOnes = oneOfEachKind(
      operations.filter(([, endpoint]) => endpoint.access.level !== "public" && !isEndless(endpoint)),
    );
    for (const scope of tokenScopes) {
      const { token } = await make("farm", [scope]);
      await app.pass(61);
      await takeChanges(pool);
      for (const [name, endpoint] of privateOnes) {
        const { method, path } = endpoint;
        if (tokenScopeOf(endpoint) === scope) continue;
        const { status, body } = await call(token, path, {
          method: method as "GET",
          query: queryOf(endpoint),
          body: bodyOf(endpoint),
        });
        expect([status, body.data.reason], `${scope} at ${name}`).toEqual([
          403,
          tokenScopeOf(endpoint) === undefined ? "token.closed" : "token.scope",
        ]);
      }
      // What a token notes of its own use.
      const changed = changedBy(await takeChanges(pool)).filter((column) => !column.startsWith("personal_tokens."));
      expect(changed, scope).toEqual([]);
      for (const name of tokenOperations[scope]) {
        const [, endpoint] = operations.find(([held]) => held === name) ?? [];
        if (endpoint?.method !== "GET") continue;
        const { status, body } = await call(token, endpoint.path, { query: queryOf(endpoint) });
        expect([401, 403], `${scope} at ${name}: ${JSON.stringify(body)}`).not.toContain(status);
        expect(status, name).toBeLessThan(500);
      }
    }
  });

  test("a scope gives nothing that the person may not do, and what they lose it loses with the next call", async () => {
    const { token } = await make("worker", ["contracts:read", "farms:read"]);
    const refused = await call(token, "/api/muyuan-contract/contract/page");
    expect([refused.status, refused.body.data.reason]).toEqual([403, "permission.missing"]);
    expect((await call(token, "/api/muyuan-farm/tree/list")).status).toBe(200);
  });

  test("another customer's row is the 404 of one that does not exist", async () => {
    const { token } = await make("farm", ["devices:read"]);
    const { rows } = await app.test.database.pool.query<{ id: string }>(
      "select id::text from devices where tenant_id not in ('100002', '000000') limit 1",
    );
    const foreign = await call(token, "/api/muyuan-iot/device/detail", { query: { id: rows[0]?.id ?? "" } });
    const missing = await call(token, "/api/muyuan-iot/device/detail", { query: { id: "1560000000000000001" } });
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe(missing.text);
  });

  test("it says nothing on public operations, in the header of sessions, in a query, or beside the client pair", async () => {
    const { token } = await make("farm", ["devices:read"]);
    const anonymous = await app.http.inject({
      url: "/api/muyuan-system/menu/routes",
      headers: { authorization: basic },
    });
    const withToken = await app.http.inject({
      url: "/api/muyuan-system/menu/routes",
      headers: { authorization: `Bearer ${token}` },
    });
    expect(withToken.body).toBe(anonymous.body);
    for (const request of [
      { headers: { authorization: basic, "muyuan-auth": `bearer ${token}` } },
      { headers: { authorization: `Basic ${token}` } },
      { headers: { authorization: basic }, query: { access_token: token, "muyuan-auth": `bearer ${token}` } },
    ])
      expect((await app.http.inject({ url: devices, ...request })).statusCode).toBe(401);
  });

  test("forged ones are none: another letter, another secret with a right checksum of a known beginning", async () => {
    const { token } = await make("farm", ["devices:read"]);
    const { newTokenText } = await import("../../apps/server/src/modules/personal-tokens/token-text.ts");
    for (const forged of [
      `${token.slice(0, -1)}${token.endsWith("a") ? "b" : "a"}`,
      newTokenText().token,
      token.slice(0, 16),
      "hwp_",
    ])
      expect((await call(forged, devices)).status, forged).toBe(401);
    expect((await call(token, devices)).status).toBe(200);
  });
});

describe("how it ends", () => {
  test("by its person, at once; another person's id is a 404 and ends nothing", async () => {
    const { id, token } = await make("farm", ["devices:read"]);
    const remove = async (account: string) =>
      (await app.call({ method: "POST", path: `${base}/remove`, query: { ids: id }, token: await app.logIn(account) }))
        .status;
    expect(await remove("worker")).toBe(404);
    expect((await call(token, devices)).status).toBe(200);
    expect(await remove("farm")).toBe(200);
    expect((await call(token, devices)).status).toBe(401);
    expect((await list("farm")).find((held) => held.id === id)?.state).toBe("ended");
  });

  test("with its day", async () => {
    const { token } = await make("farm", ["devices:read"], 1);
    await app.test.database.pool.query(
      "update personal_tokens set expires_at = now() where expires_at < now() + interval '2 days'",
    );
    expect((await call(token, devices)).status).toBe(401);
  });

  test.each([
    [
      "account",
      "update accounts set status = 0 where account = 'farm'",
      "update accounts set status = 1 where account = 'farm'",
    ],
    [
      "member",
      "update memberships set status = 0 where account_id = (select id from accounts where account = 'farm')",
      "update memberships set status = 1 where account_id = (select id from accounts where account = 'farm')",
    ],
    [
      "tenant",
      "update tenants set status = 0 where tenant_id = '100002'",
      "update tenants set status = 1 where tenant_id = '100002'",
    ],
    [
      "tenant's time",
      "update tenants set expire_time = now() - interval '1 day' where tenant_id = '100002'",
      "update tenants set expire_time = null where tenant_id = '100002'",
    ],
  ])("with the lock of its %s", async (_what, lock, unlock) => {
    const { token } = await make("farm", ["devices:read"]);
    expect((await call(token, devices)).status).toBe(200);
    await app.test.database.pool.query(lock);
    expect((await call(token, devices)).status).toBe(401);
    await app.test.database.pool.query(unlock);
  });

  test("with the password, for good, while the session that changed it goes on", async () => {
    const { token } = await make("worker", ["farms:read"]);
    const session = await app.logIn("worker");
    const next = md5("Another barn 7");
    const changed = await app.call({
      method: "POST",
      path: "/api/muyuan-system/user/update-password",
      query: { oldPassword: md5(demoPassword), newPassword: next, newPassword1: next },
      token: session,
    });
    expect(changed.status).toBe(200);
    expect((await call(token, "/api/muyuan-farm/tree/list")).status).toBe(401);
    expect((await app.get(`${base}/list`, session)).status).toBe(200);
  });
});

describe("a leaked one", () => {
  test("staff find whose it is by its beginning, or by the line in which it stands, and end it; its owner is told, the trail has it", async () => {
    const { id, token } = await make("farm", ["devices:read"]);
    await call(token, devices);
    const staff = await app.logIn("admin");
    const find = (text: string, session = staff) =>
      app.call({ method: "POST", path: `${base}/leaked`, body: { token: text }, token: session });
    for (const text of [token.slice(0, 16), `export HERDWISE_TOKEN='${token}'`]) {
      const found = (await find(text)).body.data as { id: string; account: string; state: string };
      expect(found).toMatchObject({ id, account: "farm", state: "active" });
      expect(JSON.stringify(found)).not.toContain(token.slice(16));
    }
    expect((await find("hwp_000000000000")).status).toBe(404);
    expect((await find(token, await app.logIn("farm"))).status).toBe(403);
    expect((await app.call({ method: "POST", path: `${base}/end`, body: { id }, token: staff })).status).toBe(200);
    expect((await call(token, devices)).status).toBe(401);
    const { rows } = await app.test.database.pool.query(
      "select 1 from audit_entries where resource = 'personal_token' and row_id = $1 union all select 1 from messages where title = '管理员停用了您的一个访问令牌'",
      [id],
    );
    expect(rows).toHaveLength(2);
  });

  test("its last use shows time and masked address", async () => {
    const { id, token } = await make("farm", ["devices:read"]);
    await call(token, devices);
    const held = (await list("farm")).find((one) => one.id === id);
    expect(held?.address).toBe("127.0.0.*");
    expect(held?.lastUsedAt).toMatch(/^\d{4}-/);
  });

  test("neither the log nor the database holds one", async () => {
    const { token } = await make("farm", ["devices:read"]);
    await call(token, devices, { query: { keyword: token } });
    await call(`${token}x`, devices);
    await call(token, "/api/muyuan-auth/session/list");
    const secret = token.slice(16);
    expect(app.logged.join("\n")).not.toContain(secret);
    expect(await dumpOf(app.test.database.pool)).not.toContain(secret);
  });
});

test("making one needs a fresh proof of the person, and twenty are enough", async () => {
  const session = await app.logIn("farm");
  const submit = () =>
    app.call({
      method: "POST",
      path: `${base}/submit`,
      body: { tokenName: "x", scopes: ["farms:read"], days: 1 },
      token: session,
    });
  await app.test.database.pool.query("update sessions set confirmed_at = now() - interval '6 minutes'");
  expect(((await submit()).body.data as { reason?: string }).reason).toBe("identity.confirm_first");
  await app.test.database.pool.query("update sessions set confirmed_at = now()");
  await app.test.database.pool.query("update personal_tokens set ended_at = now() where ended_at is null");
  await app.pass(61);
  const answers = await Promise.all(Array.from({ length: 25 }, submit));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  const refused = answers
    .filter(({ status }) => status !== 200)
    .map(({ body }) => (body.data as { reason: string }).reason);
  expect(new Set(refused)).toEqual(new Set(["token.too_many"]));
});
