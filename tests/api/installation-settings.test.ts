import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import type { AuditEntry, Page, PublicSettings, SettingState } from "@herdwise/contract";
import { contrastIn, settingDeclarations, settingList } from "@herdwise/contract/setting-declarations";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryBus } from "../../apps/server/src/providers/bus.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";

const base = "/api/muyuan-system/setting";
const publicPath = "/api/muyuan-system/settings/skip-secure/public";

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await createTestApp();
  admin = await app.logIn("admin", "000000");
});
afterAll(() => app.close());

const statesOf = async (at = app, token = admin): Promise<Map<string, SettingState>> => {
  const { body } = await at.get<{ settings: SettingState[] }>(`${base}/list`, token);
  return new Map(body.data.settings.map((state) => [state.key, state]));
};
/** Submits values with the versions that hold now. */
const submit = async (values: Record<string, string>, at = app, token = admin) => {
  const states = await statesOf(at, token);
  return at.call({
    method: "POST",
    path: `${base}/submit`,
    token,
    body: {
      changes: Object.entries(values).map(([key, value]) => ({ key, value, version: states.get(key)?.version ?? 0 })),
    },
  });
};
const publicOf = async (at = app): Promise<PublicSettings> => (await at.get<PublicSettings>(publicPath)).body.data;
const problemsOf = (answer: { body: { data: unknown } }) =>
  (answer.body.data as { problems: { field: string; reason: string; values: Record<string, unknown> }[] }).problems;

describe("settings of the installation", () => {
  test("the group's administrators alone read and change them", async () => {
    for (const [account, tenantId] of [
      ["kefu01", "000000"],
      ["farm", undefined],
    ] as const) {
      const token = await app.logIn(account, tenantId);
      expect((await app.get(`${base}/list`, token)).status).toBe(403);
      const answer = await app.call({
        method: "POST",
        path: `${base}/submit`,
        token,
        body: { changes: [{ key: "site.phone", value: "400-800-1234", version: 0 }] },
      });
      expect(answer.status).toBe(403);
    }
    expect([...(await statesOf()).keys()]).toEqual(settingList.map(({ key }) => key));
  });

  test("a change is seen at once, written down, and stands among the parameters", async () => {
    const answer = await submit({ "brand.name": "牧云", "site.phone": "400-800-1234", "site.icpNumber": "豫ICP备1号" });
    expect(answer.status).toBe(200);
    expect(await publicOf()).toMatchObject({
      brandName: "牧云 Herdwise",
      icpNumber: "豫ICP备1号",
      contact: { serviceNumber: "400-800-1234" },
    });
    const { body } = await app.get<Page<Record<string, string>>>(
      "/api/muyuan-system/param/page?keyword=site.phone",
      admin,
    );
    expect(body.data.records).toMatchObject([{ paramValue: "400-800-1234" }]);
    const audit = await app.get<Page<AuditEntry>>("/api/muyuan-log/audit/page?resource=param", admin);
    expect(audit.body.data.records).toContainEqual(
      expect.objectContaining({
        rowTitle: "中文名称",
        changes: [{ field: "paramValue", before: "慧牧", after: "牧云" }],
      }),
    );
  });

  test("a parameter that is a setting is the same row: what can't be is refused there, too, and a change holds", async () => {
    const { body } = await app.get<Page<{ id: string; version: number }>>(
      "/api/muyuan-system/param/page?keyword=account.failCount",
      admin,
    );
    const [row] = body.data.records;
    const save = (paramValue: string) =>
      app.call({
        method: "POST",
        path: "/api/muyuan-system/param/submit",
        token: admin,
        body: { ...row, paramKey: "account.failCount", paramName: "密码可输错次数", paramValue },
      });
    expect(problemsOf(await save("2"))).toMatchObject([{ field: "paramValue", reason: "setting.range" }]);
    expect((await save("4")).status).toBe(200);
    await expect.poll(async () => (await statesOf()).get("account.failCount")?.value).toBe("4");
    const wrong = () => app.token({ grant_type: "password", username: "guessed", password: "0".repeat(32) });
    const captcha = async () =>
      app.token({ grant_type: "password", username: "guessed", password: "0".repeat(32) }, await app.captcha());
    for (let at = 0; at < 3; at += 1) expect((await wrong()).body.error).toBe("invalid_grant");
    expect((await wrong()).body.error).toBe("access_denied");
    expect((await captcha()).body.error).toBe("invalid_grant");
    // The fourth was the last try.
    expect((await captcha()).body.error_description).toContain("登录错误次数过多");
  });

  test("refuses at the field what can't be, and changes nothing then", async () => {
    const before = await publicOf();
    const answer = await submit({
      "site.phone": "call us",
      "site.hours": "18:00-08:00",
      "brand.companySuffix": "集团",
      "brand.colour": "#ffee00",
      "telemetry.rawDays": "3",
      "webhook.networks": "10.1.0.0/99",
      "mall.url": "https://user:word@mall.example",
      "mail.security": "rot13",
    });
    expect(answer.status).toBe(400);
    expect(problemsOf(answer).map(({ field, reason }) => [field, reason])).toEqual([
      ["site.phone", "setting.phone"],
      ["site.hours", "setting.hours"],
      ["brand.colour", "setting.contrast"],
      ["telemetry.rawDays", "setting.range"],
      ["webhook.networks", "setting.networks"],
      ["mall.url", "setting.url"],
      ["mail.security", "setting.choice"],
    ]);
    expect(await publicOf()).toEqual(before);
    expect(problemsOf(await submit({ "sms.provider": "aliyun" })).map(({ field }) => field)).toEqual(
      expect.arrayContaining(["sms.keyId", "sms.keySecret", "sms.signName", "sms.template.login"]),
    );
  });

  test("the colours of the portal are readable, and unreadable ones are not", () => {
    for (const [theme, key] of [
      ["light", "brand.colour"],
      ["dark", "brand.colourDark"],
    ] as const)
      expect(contrastIn(theme, settingDeclarations[key].fallback)).toBeGreaterThan(4.5);
    expect(contrastIn("light", "#74d192")).toBeLessThan(4.5);
    expect(contrastIn("dark", "#1b4a25")).toBeLessThan(4.5);
  });

  test("of two who change the same, the second is told", async () => {
    const states = await statesOf();
    const send = (value: string) =>
      app.call({
        method: "POST",
        path: `${base}/submit`,
        token: admin,
        body: { changes: [{ key: "site.hours", value, version: states.get("site.hours")?.version ?? 0 }] },
      });
    const answers = await Promise.all([send("08:00-20:00"), send("08:30-17:30")]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused && problemsOf(refused)).toMatchObject([{ field: "site.hours", reason: "setting.changed" }]);
  });

  test("a secret is written and never read back", async () => {
    const secret = "s3cret-of-the-mall-4711";
    const saved = await submit({ "mall.secret": secret, "mail.password": `${secret}-mail` });
    expect(saved.status).toBe(200);
    const state = (await statesOf()).get("mall.secret");
    expect(state).toMatchObject({ value: "", isSet: true, version: 1 });
    expect(state?.updateTime).toMatch(/^\d{4}-/);
    const audit = await app.get<Page<AuditEntry>>("/api/muyuan-log/audit/page?resource=setting", admin);
    expect(audit.body.data.records.map(({ changes }) => changes)).toContainEqual([
      { field: "paramValue", before: "", after: "已设置" },
    ]);
    const params = await app.get("/api/muyuan-system/param/page?size=100", admin);
    const stored = await app.test.database.pool.query(
      "select (select jsonb_agg(s) from setting_secrets s)::text || (select jsonb_agg(p) from parameters p)::text as all",
    );
    for (const place of [saved.body, state, audit.body, params.body, app.logged, stored.rows])
      expect(JSON.stringify(place)).not.toContain(secret);
    expect(stored.rows[0].all).not.toContain(Buffer.from(secret).toString("hex"));
    // It is in force: the mall's server proves itself with it.
    const exchange = async (own: string) => {
      const { body } = await app.call({
        method: "POST",
        path: "/api/mall-auth-server/user/login/muyuan/exchange",
        body: { code: "0".repeat(32) },
        headers: { authorization: `Bearer ${own}` },
      });
      return body.msg;
    };
    expect(await exchange(secret)).toBe("登录码无效或已过期");
    expect(await exchange(`${secret}x`)).toBe("商城未授权");
    const asParameter = await app.call({
      method: "POST",
      path: "/api/muyuan-system/param/submit",
      token: admin,
      body: { paramKey: "mall.secret", paramName: "x", paramValue: secret },
    });
    expect(problemsOf(asParameter)).toMatchObject([{ field: "paramKey", reason: "param.secret" }]);
    expect((await submit({ "mall.secret": "" })).status).toBe(200);
    expect((await statesOf()).get("mall.secret")).toMatchObject({ isSet: false, version: 2 });
  });

  test("a service is tried with what is set, and its answer is shown", async () => {
    const received: string[] = [];
    const server = createServer(async (request, response) => {
      received.push(await text(request));
      response.statusCode = received.length > 1 ? 503 : 200;
      response.end("ok");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const to = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/hook`;
    const tried = async () =>
      (await app.call({ method: "POST", path: `${base}/try`, token: admin, body: { service: "webhook", to } })).body
        .data;
    try {
      // Nobody allowed the own network yet.
      expect(await tried()).toMatchObject({ ok: false, answer: "the address is not on the internet" });
      await submit({ "webhook.networks": "127.0.0.0/8" });
      expect(await tried()).toMatchObject({ ok: true });
      expect(JSON.parse(received[0] ?? "")).toMatchObject({ type: "test" });
      expect(await tried()).toMatchObject({ ok: false, answer: "the address answered 503" });
    } finally {
      server.close();
    }
    const none = await app.call({
      method: "POST",
      path: `${base}/try`,
      token: admin,
      body: { service: "translation", to: "你好" },
    });
    expect(none.body.data).toMatchObject({ ok: false, answer: "no translation service is configured" });
    const wrong = await app.call({
      method: "POST",
      path: `${base}/try`,
      token: admin,
      body: { service: "sms", to: "12" },
    });
    expect(problemsOf(wrong)).toMatchObject([{ field: "to", reason: "setting.try_phone" }]);
  });
});

test("voice calls are set, tried against the service and in force at once", async () => {
  const server = await createTestApp();
  const received: URLSearchParams[] = [];
  const service = createServer(async (request, response) => {
    received.push(new URLSearchParams(`${new URL(request.url ?? "", "http://x").searchParams}&${await text(request)}`));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ Code: "OK", CallId: "1" }));
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const address = service.address();
  const endpoint = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  try {
    const token = await server.logIn("admin", "000000");
    const tried = async (to: string) =>
      (await server.call({ method: "POST", path: `${base}/try`, token, body: { service: "voice", to } })).body.data;
    expect(await tried("13900001234")).toMatchObject({ ok: false });
    const lacking = await submit({ "voice.provider": "aliyun", "voice.endpoint": endpoint }, server, token);
    expect(problemsOf(lacking).map(({ field, reason }) => [field, reason])).toEqual([
      ["voice.keyId", "setting.needed"],
      ["voice.keySecret", "setting.needed"],
      ["voice.template.alarm", "setting.needed"],
    ]);
    const set = await submit(
      {
        "voice.provider": "aliyun",
        "voice.endpoint": endpoint,
        "voice.keyId": "the key",
        "voice.keySecret": "the secret of voice",
        "voice.template.alarm": "TTS_7",
      },
      server,
      token,
    );
    expect(set.status).toBe(200);
    expect(JSON.stringify(set.body)).not.toContain("the secret of voice");
    expect(await tried("139 0000 1234")).toMatchObject({ ok: true, answer: "the service took the call" });
    const [call] = received;
    expect([call?.get("CalledNumber"), call?.get("TtsCode")]).toEqual(["13900001234", "TTS_7"]);
  } finally {
    service.close();
    await server.close();
  }
});

test("page visits and forms go when their days are over", async () => {
  const server = await createTestApp();
  try {
    const { pool } = server.test.database;
    const token = await server.logIn("admin", "000000");
    const days = { "retention.visitDays": "30", "retention.formDays": "30" };
    expect((await submit(days, server, token)).status).toBe(200);
    for (const ago of [29, 31])
      await pool.query(
        `insert into page_visits (day, route_name, path, language, referrer, visits, dwell_ms)
         values ((now() at time zone 'Asia/Shanghai')::date - $1::int, 'x', '/kept-' || $1::int, 'zh', '', 1, 1)`,
        [ago],
      );
    await server.runJob("visits.sweep");
    const { rows } = await pool.query<{ path: string }>("select path from page_visits where path like '/kept-%'");
    expect(rows).toEqual([{ path: "/kept-29" }]);
  } finally {
    await server.close();
  }
});

test("what the environment sets holds, is shown as such and can't be changed", async () => {
  const locked = await createTestApp({
    BRAND_NAME: "云牧",
    MAIL_URL: "smtp://portal:p%40ss@mail.example:2525?tls=off",
    SESSION_DAYS: "30",
  });
  try {
    const token = await locked.logIn("admin", "000000");
    expect(await publicOf(locked)).toMatchObject({ brandName: "云牧", brand: { zh: "云牧", en: "" } });
    const states = await statesOf(locked, token);
    const lockOf = (key: string) => [states.get(key)?.value, states.get(key)?.lockedBy];
    expect(lockOf("mail.host")).toEqual(["mail.example", "MAIL_URL"]);
    expect(lockOf("mail.port")).toEqual(["2525", "MAIL_URL"]);
    expect(lockOf("mail.security")).toEqual(["none", "MAIL_URL"]);
    expect(lockOf("mail.password")).toEqual(["", "MAIL_URL"]);
    expect(lockOf("login.sessionDays")).toEqual(["30", "SESSION_DAYS"]);
    expect(lockOf("account.failCount")).toEqual(["5", ""]);
    expect(JSON.stringify([...states])).not.toContain("p@ss");
    const answer = await submit({ "brand.name": "牧云" }, locked, token);
    expect(answer.status).toBe(409);
    expect(problemsOf(answer)).toMatchObject([
      { field: "brand.name", reason: "setting.locked", values: { variable: "BRAND_NAME" } },
    ]);
  } finally {
    await locked.close();
  }
});

test("a change on one server holds on another without a restart", async () => {
  const bus = memoryBus();
  let said = 0;
  bus.subscribe("settingsChanged", () => {
    said += 1;
  });
  const [heard, deaf] = [await createTestApp({}, { test: app.test, bus }), await createTestApp({}, { test: app.test })];
  const first = await createTestApp({}, { test: app.test, bus });
  try {
    const token = await first.logIn("admin", "000000");
    expect((await submit({ "site.salesPhone": "0377-6565" }, first, token)).status).toBe(200);
    expect(said).toBe(1);
    await expect.poll(async () => (await publicOf(heard)).contact.salesNumber).toBe("0377-6565");
    // Nobody told the other one: it reads again by itself.
    expect((await publicOf(deaf)).contact.salesNumber).toBe("");
    await expect.poll(async () => (await publicOf(deaf)).contact.salesNumber, { timeout: 60_000 }).toBe("0377-6565");
  } finally {
    for (const server of [first, heard, deaf]) await server.close();
  }
});
