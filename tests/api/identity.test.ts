import type { MenuNode, TenantChoice, UserInfo } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { md5 } from "../harness/session.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const password = md5(demoPassword);
const logInQuery = (username: string) => ({
  grant_type: "password",
  username,
  password,
  scope: "all",
  type: "account",
});

describe("log-in", () => {
  test("answers bare, in the shape of the family, and is not kept by caches", async () => {
    const answer = await app.http.inject({
      method: "POST",
      url: "/api/muyuan-auth/oauth/token",
      query: logInQuery("farm"),
      headers: {
        authorization: `Basic ${Buffer.from("portal:portal_secret").toString("base64")}`,
        "tenant-id": "100002",
      },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({ "cache-control": "no-store", pragma: "no-cache" });
    const body = answer.json();
    expect(body).toMatchObject({
      token_type: "bearer",
      expires_in: 3599,
      scope: "all",
      tenant_id: "100002",
      role_name: "owner",
      account: "farm",
    });
    expect(body).not.toHaveProperty("code");
    expect(body.user_id).toMatch(/^\d{19}$/);
  });

  test("reads a form body as well as the query", async () => {
    const answer = await app.http.inject({
      method: "POST",
      url: "/api/muyuan-auth/oauth/token",
      headers: {
        authorization: `Basic ${Buffer.from("portal:portal_secret").toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      payload: new URLSearchParams(logInQuery("worker")).toString(),
    });
    expect(answer.statusCode).toBe(200);
  });

  test("takes the login name in any case and width", async () => {
    expect((await app.token(logInQuery(" ＦＡＲＭ "))).status).toBe(200);
  });

  test.each([
    ["wrong password", { ...logInQuery("admin"), password: md5("x") }, 400, "invalid_grant", "用户名或密码错误"],
    ["unknown account", logInQuery("nobody-here"), 400, "invalid_grant", "用户名或密码错误"],
    [
      "the password itself instead of its MD5",
      { ...logInQuery("admin"), password: demoPassword },
      400,
      "invalid_grant",
      "用户名或密码错误",
    ],
    ["another account type", { ...logInQuery("admin"), type: "personal" }, 400, "invalid_grant", "用户名或密码错误"],
    [
      "a tenant that is not the account's",
      { ...logInQuery("farm"), tenantId: "100003" },
      400,
      "access_denied",
      "未获得用户的租户信息",
    ],
    ["no grant type", { username: "farm", password }, 400, "invalid_request", "Missing grant type"],
    [
      "an unknown grant type",
      { ...logInQuery("farm"), grant_type: "magic" },
      400,
      "unsupported_grant_type",
      "Unsupported grant type: magic",
    ],
  ])("%s is refused", async (_case, query, status, error, description) => {
    const answer = await app.token(query as Record<string, string>);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ error, error_description: description });
  });

  test("needs the public client pair", async () => {
    const answer = await app.token(logInQuery("farm"), { authorization: "Basic eDp5" });
    expect(answer.status).toBe(401);
    expect(answer.body.error).toBe("invalid_client");
  });

  test("five wrong passwords lock the name, existing or not, and the right password does not open it", async () => {
    for (const name of ["worker", "no-such-worker"]) {
      // From the third failure on a captcha is asked for, and what comes without it is not even compared.
      for (let tries = 0; tries < 5; tries += 1) {
        await app.token({ ...logInQuery(name), password: md5("x") }, await app.captcha());
      }
      const { status, body } = await app.token(logInQuery(name), await app.captcha());
      expect([status, body.error, body.error_description]).toEqual([
        400,
        "access_denied",
        "登录错误次数过多,请稍后再试",
      ]);
    }
  });

  test("a member of several tenants is asked which, and is then in exactly that one", async () => {
    const asked = await app.token(logInQuery("vet"));
    expect([asked.status, asked.body.error]).toEqual([400, "multi_tenant"]);
    const choices = await app.get<TenantChoice[]>("/api/muyuan-system/cms-user/skip-secure/multi-tenant?username=vet");
    expect(choices.body.data.map(({ tenantId }) => tenantId)).toEqual(["100002", "100003"]);
    const token = await app.logIn("vet", "100003");
    const info = await app.get<UserInfo>("/api/muyuan-system/user/info", token);
    expect(info.body.data).toMatchObject({ tenant_id: "100003", tenant_name: "东岗种猪集团", account: "vet" });
  });

  test("the list of tenants has the same shape for an unknown name", async () => {
    const answer = await app.get("/api/muyuan-system/cms-user/skip-secure/multi-tenant?username=nobody");
    expect(answer).toMatchObject({ status: 200, body: { code: 200, success: true, data: [] } });
  });

  test("neither the log nor the database holds the password or its MD5, nor a token", async () => {
    const token = await app.logIn("farm");
    const refresh = (await app.token(logInQuery("farm"))).body.refresh_token;
    const { rows } = await app.test.database.pool.query(
      "select (select jsonb_agg(a)::text from accounts a) || (select jsonb_agg(t)::text from session_tokens t) as dump",
    );
    const everything = app.logged.join("") + rows[0].dump;
    for (const secret of [demoPassword, password, token, refresh]) expect(everything).not.toContain(secret);
  });
});

describe("sessions", () => {
  test("a refresh gives new tokens in the same session; the old one works once more within the grace, and no longer after it", async () => {
    const first = (await app.token(logInQuery("farm"))).body;
    const refresh = (token: string) =>
      app.token({ grant_type: "refresh_token", refresh_token: token, scope: "all", tenantId: "100002" });
    const second = await refresh(first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.body.jti).toBe(first.jti);
    expect(second.body.access_token).not.toBe(first.access_token);
    const racing = await refresh(first.refresh_token);
    expect(racing.status).toBe(200);

    await app.test.database.pool.query(
      "update session_tokens set used_at = used_at - interval '11 seconds' where used_at is not null",
    );
    const stolen = await refresh(first.refresh_token);
    expect(stolen.body).toEqual({ error: "invalid_grant", error_description: "令牌授权已过期" });
    // The whole family is dead: the thief's tokens and the owner's.
    expect((await refresh(second.body.refresh_token)).status).toBe(400);
    expect((await app.get("/api/muyuan-system/user/info", racing.body.access_token)).status).toBe(401);
  });

  test("of 50 exchanges of one token at once all get tokens of one session, and the session lives", async () => {
    const first = (await app.token(logInQuery("farm"))).body;
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => app.token({ grant_type: "refresh_token", refresh_token: first.refresh_token })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.jti)).size).toBe(1);
  });

  test("log-out ends the session at once, refresh token included", async () => {
    const tokens = (await app.token(logInQuery("farm"))).body;
    const out = await app.get("/api/muyuan-auth/oauth/logout", tokens.access_token);
    expect(out.body).toEqual({ success: "true", msg: "success" });
    expect((await app.get("/api/muyuan-system/user/info", tokens.access_token)).status).toBe(401);
    expect((await app.token({ grant_type: "refresh_token", refresh_token: tokens.refresh_token })).status).toBe(400);
  });

  test("a role or a membership taken away is gone on the next request", async () => {
    const token = await app.logIn("vet", "100003");
    const menus = () => app.get<MenuNode[]>("/api/muyuan-system/menu/routes", token);
    expect((await menus()).body.data.length).toBeGreaterThan(0);
    const { pool } = app.test.database;
    await pool.query(
      "delete from membership_roles where membership_id = (select m.id from memberships m join accounts a on a.id = m.account_id where a.account = 'vet' and m.tenant_id = '100003')",
    );
    expect((await menus()).body.data).toEqual([]);
    await pool.query(
      "update memberships set status = 0 where tenant_id = '100003' and account_id = (select id from accounts where account = 'vet')",
    );
    expect((await app.get("/api/muyuan-system/user/info", token)).status).toBe(401);
  });
});

describe("menus", () => {
  test("routes without a token are an empty list", async () => {
    expect(await app.get("/api/muyuan-system/menu/routes")).toMatchObject({ status: 200, body: { data: [] } });
  });

  test("routes hold menus with their ancestors, buttons hold the granted buttons below their menu", async () => {
    const token = await app.logIn("farm");
    const routes = (await app.get<MenuNode[]>("/api/muyuan-system/menu/routes", token)).body.data;
    const environment = routes.find(({ code }) => code === "env");
    expect(environment?.children?.map(({ code }) => code)).toEqual([
      "env_overview",
      "env_unit",
      "env_device",
      "env_parameters",
    ]);
    expect(environment?.children?.[0]).not.toHaveProperty("children");
    const buttons = (await app.get<MenuNode[]>("/api/muyuan-system/menu/buttons", token)).body.data;
    const unit = buttons.find(({ code }) => code === "env_unit");
    expect(unit).toMatchObject({ children: [{ code: "telemetry_export", category: 2 }] });
  });

  test("the top of the trees by itself, and what stands below one of it", async () => {
    type Top = { id: string; tenantId: string; code: string; name: string; source: string; sort: number };
    const token = await app.logIn("farm");
    const path = "/api/muyuan-system/menu";
    expect((await app.get(`${path}/top-menu`)).body.data).toEqual([]);
    const top = (await app.get<Top[]>(`${path}/top-menu`, token)).body.data;
    const routes = (await app.get<MenuNode[]>(`${path}/routes`, token)).body.data;
    expect(top.map(({ id, code }) => [id, code])).toEqual(routes.map(({ id, code }) => [id, code]));
    const env = top.find(({ code }) => code === "env");
    expect(env).toEqual({
      id: env?.id,
      tenantId: "100002",
      code: "env",
      name: expect.any(String),
      source: expect.any(String),
      sort: expect.any(Number),
    });
    const below = (await app.get<MenuNode[]>(`${path}/routes?topMenuId=${env?.id}`, token)).body.data;
    expect(below).toEqual(routes.find(({ code }) => code === "env")?.children);
    expect((await app.get(`${path}/routes?topMenuId=1`, token)).body.data).toEqual([]);
  });

  test("a role without a menu does not see it", async () => {
    const { pool } = app.test.database;
    await pool.query(
      "delete from role_menus where menu_id = (select id from menus where code = 'device_all') and role_id in (select id from roles where tenant_id = '100002' and role_alias = 'veterinarian')",
    );
    const codes = (
      await app.get<MenuNode[]>("/api/muyuan-system/menu/routes", await app.logIn("vet", "100002"))
    ).body.data.map(({ code }) => code);
    expect(codes).toContain("self_home");
    expect(codes).not.toContain("device_all");
  });
});
