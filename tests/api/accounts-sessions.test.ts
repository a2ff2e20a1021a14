import { connect } from "node:net";
import type { Message, Page, SessionRow, UserInfo } from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createPersonalCipher } from "../../apps/server/src/personal-cipher.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic, md5 } from "../harness/session.ts";
import { onThisMachine } from "../harness/time-limit.ts";

/** As outside of tests, where another server may end a session. */
const sessionKeptMs = 900;

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await createTestApp({}, { sessionKeptMs });
  await app.http.listen({ port: 0, host: "127.0.0.1" });
  const address = app.http.server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => app.close());
beforeEach(() => app.pass(86_401));

const right = md5(demoPassword);
const info = (token: string) => app.call({ path: "/api/muyuan-system/user/info", token });
const sessions = async (token: string) =>
  (await app.get<SessionRow[]>("/api/muyuan-auth/session/list", token)).body.data;
const logIn = async (username: string, headers: Record<string, string> = {}, from?: string, password = right) =>
  (
    await app.token(
      { grant_type: "password", username, password, ...(username === "vet" && { tenantId: "100002" }) },
      headers,
      from,
    )
  ).body;

describe("own sessions", () => {
  test("are listed with device and place in words, the address without its last part", async () => {
    const edge =
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36 Edg/141.0";
    const { access_token } = await logIn("worker", { "user-agent": edge }, "203.0.113.77");
    const [row] = await sessions(access_token);
    expect(row).toMatchObject({
      device: "Edge, Windows",
      address: "203.0.113.*",
      tenantName: "柳河家庭农场",
      current: true,
    });
    expect(row?.createTime).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
    expect(JSON.stringify(row)).not.toContain("203.0.113.77");
  });

  test("are ended singly; others' are not touched and answer as if they did not exist", async () => {
    const [here, there, foreign] = [await logIn("worker"), await logIn("worker"), await logIn("farm")];
    const remove = (ids: string) =>
      app.call({ method: "POST", path: "/api/muyuan-auth/session/remove", query: { ids }, token: here.access_token });
    expect((await remove(there.jti)).status).toBe(200);
    expect((await info(there.access_token)).status).toBe(401);
    const [missing, others] = [await remove("1560000000000000001"), await remove(foreign.jti)];
    expect([missing.status, missing.body]).toEqual([others.status, others.body]);
    expect(missing.status).toBe(404);
    expect((await info(foreign.access_token)).status).toBe(200);
    expect((await sessions(here.access_token)).map(({ id }) => id)).not.toContain(there.jti);
  });
});

describe("T25: what ends a session", () => {
  const query = (text: string) => app.test.database.pool.query(text);
  const accountId = "(select id from accounts where account = 'vet')";
  const triggers: [
    string,
    (token: { access_token: string; refresh_token: string; jti: string }) => Promise<unknown>,
  ][] = [
    ["log-out", (token) => app.get("/api/muyuan-auth/oauth/logout", token.access_token)],
    [
      "a password changed elsewhere",
      async () => {
        const other = (await logIn("vet")).access_token;
        const change = (oldPassword: string, newPassword: string) =>
          app.call({
            method: "POST",
            path: "/api/muyuan-system/user/update-password",
            token: other,
            body: { oldPassword, newPassword, newPassword1: newPassword },
          });
        await change(right, md5("Another pass 1"));
        await change(md5("Another pass 1"), right);
      },
    ],
    [
      "a reset",
      async () => {
        const pre = await app.call({
          method: "POST",
          path: "/api/muyuan-system/cms-user/skip-secure/reset-password-pre/new",
          query: { phone: "13800000003" },
          headers: await app.captcha(),
        });
        const [text = ""] = await app.sms("13800000003");
        const validated = await app.call({
          method: "POST",
          path: "/api/muyuan-system/cms-user/skip-secure/reset-password-pre/validate/new",
          query: { phone: "13800000003" },
          headers: {
            "captcha-key": (pre.body.data as { id: string }).id,
            "captcha-code": /\d{6}/.exec(text)?.[0] ?? "",
          },
        });
        const { nonceKey } = validated.body.data as { nonceKey: string };
        await app.call({
          method: "POST",
          path: "/api/muyuan-system/cms-user/skip-secure/reset-password/new",
          body: { account: "vet", nonceKey, password: right, confirmPassword: right },
        });
      },
    ],
    [
      "removal from another session",
      async (token) => {
        const other = (await logIn("vet")).access_token;
        await app.call({
          method: "POST",
          path: "/api/muyuan-auth/session/remove",
          query: { ids: token.jti },
          token: other,
        });
      },
    ],
    ["a locked account", () => query(`update accounts set status = 0 where id = ${accountId}`)],
    [
      "a membership taken away",
      () => query(`update memberships set status = 0 where tenant_id = '100002' and account_id = ${accountId}`),
    ],
    ["a suspended tenant", () => query("update tenants set status = 0 where tenant_id = '100002'")],
    [
      "a change of the tenant",
      (token) => app.get("/api/muyuan-auth/oauth/switch-multi-tenant?tenantId=100003", token.access_token),
    ],
    [
      "a refresh token used again after the grace",
      async (token) => {
        const refresh = () => app.token({ grant_type: "refresh_token", refresh_token: token.refresh_token });
        await refresh();
        await query("update session_tokens set used_at = used_at - interval '11 seconds' where used_at is not null");
        await refresh();
      },
    ],
    [
      "the end of its life",
      (token) =>
        query(`update sessions set authenticated_at = authenticated_at - interval '90 days' where id = ${token.jti};
          update session_tokens set expires_at = expires_at - interval '90 days' where session_id = ${token.jti}`),
    ],
  ];

  test.each(triggers)("%s: 401 within a second, and the live stream closes within 5 s", async (_name, end) => {
    await query(
      "update accounts set status = 1; update memberships set status = 1; update tenants set status = 1; delete from login_failures",
    );
    const token = await logIn("vet");
    expect((await info(token.access_token)).status).toBe(200);
    const devices = await app.get<Page<{ id: string }>>("/api/muyuan-iot/device/page?size=1", token.access_token);
    let ended: Promise<unknown> = Promise.resolve();
    const closed = new Promise<number>((resolve, reject) => {
      let begun = 0;
      const socket = connect(port, "127.0.0.1", () => {
        socket.write(
          `GET /api/muyuan-iot/live?ids=${devices.body.data.records[0]?.id} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic}\r\nMuyuan-Auth: bearer ${token.access_token}\r\n\r\n`,
        );
      });
      socket.setEncoding("utf8").on("data", (text: string) => {
        // The stream ends its body with an empty chunk; the connection may stay for the next request.
        if (/(^|\r\n)0\r\n\r\n$/.test(text)) {
          socket.destroy();
          resolve(performance.now() - begun);
        }
        if (begun === 0 && text.includes(": open")) {
          begun = performance.now();
          ended = end(token);
          ended.catch(reject);
        }
      });
      socket.on("error", reject);
    });
    expect(await closed).toBeLessThan(5000);
    await ended;
    // What changed in the database alone is known when the session that was read before the stream closed is read anew.
    const timeout = onThisMachine(1000);
    await expect.poll(async () => (await info(token.access_token)).status, { timeout, interval: 50 }).toBe(401);
    await query("update accounts set status = 1; update memberships set status = 1; update tenants set status = 1");
    expect((await app.token({ grant_type: "refresh_token", refresh_token: token.refresh_token })).status === 200).toBe(
      // What an administrator takes back by giving it again is no end of the session.
      ["a locked account", "a membership taken away", "a suspended tenant"].includes(_name),
    );
  });

  test("a live stream is in chunks, each an event, and plain to readers of HTTP/1.0", async () => {
    const token = await logIn("vet");
    const devices = await app.get<Page<{ id: string; serialNumber: string }>>(
      "/api/muyuan-iot/device/page?size=1",
      token.access_token,
    );
    const [device] = devices.body.data.records;
    const sent = await fetch(`http://127.0.0.1:${port}/api/v1/demo-${device?.serialNumber}/telemetry`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ rssi: -60 }),
    });
    expect(sent.status).toBe(200);
    const read = (version: string) =>
      new Promise<string>((resolve, reject) => {
        let all = "";
        const socket = connect(port, "127.0.0.1", () => {
          socket.write(
            `GET /api/muyuan-iot/live?ids=${device?.id} HTTP/${version}\r\nHost: x\r\nAuthorization: ${basic}\r\nMuyuan-Auth: bearer ${token.access_token}\r\n\r\n`,
          );
        });
        socket.setEncoding("latin1").on("data", (text: string) => {
          all += text;
          if (!all.endsWith("}\n\n") && !all.endsWith("}\n\n\r\n")) return;
          socket.destroy();
          resolve(all.slice(all.indexOf("\r\n\r\n") + 4));
        });
        socket.on("error", reject);
      });
    const plain = await read("1.0");
    expect(plain).toMatch(/^: open\n\nevent: telemetry\ndata: \{.*\}\n\n$/);
    const event = plain.slice(": open\n\n".length);
    expect(await read("1.1")).toBe(`8\r\n: open\n\n\r\n${event.length.toString(16)}\r\n${event}\r\n`);
  });

  test("what another server ends changes nothing here any more, and is shown nothing within a second", async () => {
    const token = (await logIn("worker")).access_token;
    expect((await info(token)).status).toBe(200);
    const begun = performance.now();
    await query("update sessions set ended_at = now()");
    const readAt = performance.now();
    const read = await info(token);
    // Read a moment ago, and kept: else this test would try nothing.
    if (readAt - begun < sessionKeptMs / 2) expect(read.status).toBe(200);
    const write = await app.call({ method: "PUT", path: "/api/user/setSelfInfo", token, body: { sideMode: "dark" } });
    expect(write.status).toBe(401);
    const other = (await logIn("worker")).access_token;
    expect((await info(other)).status).toBe(200);
    await query("update sessions set ended_at = now()");
    await expect.poll(async () => (await info(other)).status, { timeout: 5000 }).toBe(401);
  });

  test("a change on this server is known to the next request, of whoever's session", async () => {
    const [boss, token] = [await app.logIn("farm"), (await logIn("worker")).access_token];
    expect((await info(token)).status).toBe(200);
    await query(
      "update memberships set status = 0 where account_id = (select id from accounts where account = 'worker')",
    );
    await app.call({ method: "PUT", path: "/api/user/setSelfInfo", token: boss, body: { sideMode: "dark" } });
    expect((await info(token)).status).toBe(401);
    await query("update memberships set status = 1");
  });

  test("a role taken away takes its permissions with it on the next request", async () => {
    const token = await logIn("vet");
    const buttons = async () =>
      (await app.get<unknown[]>("/api/muyuan-system/menu/buttons", token.access_token)).body.data.length;
    expect(await buttons()).toBeGreaterThan(0);
    await query(
      `delete from membership_roles where membership_id = (select id from memberships where tenant_id = '100002' and account_id = ${accountId})`,
    );
    expect(await buttons()).toBe(0);
  });
});

describe("messages", () => {
  const base = "/api/muyuan-message-center/message";
  const page = async (token: string, query = "") =>
    (await app.get<Page<Message>>(`${base}/page/user${query}`, token)).body.data;
  const unread = async (token: string) =>
    (await app.call({ method: "POST", path: `${base}/app_corner_mark`, token })).body;
  const put = (account: string, title: string) =>
    app.test.database.pool.query(
      "insert into messages (id, account_id, kind, title, content) select $1, id, 'system', $2, 'c' from accounts where account = $3",
      [app.nextId(), title, account],
    );

  test("are paged, counted, marked and removed, the own ones only", async () => {
    const [worker, admin] = [await app.logIn("worker"), await app.logIn("admin")];
    for (const title of ["a", "b", "c"]) await put("worker", title);
    await put("admin", "foreign");
    expect(await unread(worker)).toMatchObject({ code: 200, data: [3] });
    const first = await page(worker, "?current=1&size=2");
    expect(first).toMatchObject({ total: 3, pages: 2 });
    expect(first.records.map(({ title, status }) => [title, status])).toEqual([
      ["c", 0],
      ["b", 0],
    ]);
    const [foreign] = (await page(admin)).records;
    const mark = (query: Record<string, string>) =>
      app.call({ method: "POST", path: `${base}/update_status`, query, token: worker });
    await mark({ ids: `${first.records[0]?.id},${foreign?.id}`, status: "1" });
    expect(await unread(worker)).toMatchObject({ data: [2] });
    expect((await page(admin)).records[0]?.status).toBe(0);
    expect((await page(worker, "?status=0")).total).toBe(2);
    await mark({});
    expect(await unread(worker)).toMatchObject({ data: [0] });
    await mark({ ids: first.records[0]?.id ?? "", status: "0" });
    expect(await unread(worker)).toMatchObject({ data: [1] });
    const remove = (ids: string) => app.call({ method: "POST", path: `${base}/remove`, query: { ids }, token: worker });
    await remove(`${first.records[0]?.id},${foreign?.id}`);
    expect((await page(worker)).total).toBe(2);
    expect((await page(admin)).total).toBe(1);
    expect((await remove("")).body.msg).toBe("请至少选择一条数据");
    expect((await remove("1;drop")).body.msg).toBe("参数校验失败");
    expect((await app.get(`${base}/page/user?descs=content`, worker)).status).toBe(400);
  });
});

describe("appearance", () => {
  test.each(["/api/user/setSelfInfo", "/user/setSelfInfo"])(
    "PUT %s keeps what is sent and answers code 0",
    async (path) => {
      const token = await app.logIn("farm");
      const set = (body: unknown) => app.call({ method: "PUT", path, token, body });
      expect((await set({ sideMode: "dark", activeColor: "water" })).body).toEqual({ code: 0, msg: "设置成功" });
      expect((await set({ baseColor: "#0f3d2e" })).body).toMatchObject({ code: 0 });
      expect((await info(token)).body.data as UserInfo).toMatchObject({
        sideMode: "dark",
        activeColor: "water",
        baseColor: "#0f3d2e",
      });
      expect((await set({ sideMode: "purple" })).status).toBe(400);
      expect((await set({ activeColor: "red;background:url(//x)" })).status).toBe(400);
      expect((await set({ sideMode: "light", account: "admin", type: "employee", status: 0 })).status).toBe(200);
      expect((await info(token)).body.data as UserInfo).toMatchObject({ sideMode: "light", account: "farm" });
      expect((await app.call({ method: "PUT", path, body: { sideMode: "dark" } })).status).toBe(401);
    },
  );
});

test("T36: phones and e-mails encrypted with an old key are encrypted again at the start", async () => {
  const old = createPersonalCipher("an old key for tests that is long enough");
  const rotated = await createTestApp({
    PERSONAL_KEY: "a new key for tests that is long enough",
    PERSONAL_KEYS_OLD: "an old key for tests that is long enough",
  });
  try {
    const { pool } = rotated.test.database;
    await pool.query("update accounts set phone_encrypted = $1, phone_index = $2 where account = 'farm'", [
      old.encrypt("13955550001"),
      old.index("13955550001"),
    ]);
    // Found by the old index before it was renewed.
    expect(
      (await rotated.token({ grant_type: "password", username: "13955550001", password: right })).body.account,
    ).toBe("farm");
    // Somebody with an e-mail and no phone, too.
    await pool.query(
      "update accounts set phone_encrypted = '', phone_index = null, email_encrypted = $1 where account = 'vet'",
      [old.encrypt("vet@example.cn")],
    );
    await rotated.start();
    const mails = await pool.query(
      "select phone_encrypted, email_encrypted, phone_index from accounts where account = 'vet'",
    );
    expect(rotated.personalCipher.decrypt(mails.rows[0].email_encrypted)).toBe("vet@example.cn");
    expect(mails.rows[0].email_encrypted.startsWith(rotated.personalCipher.currentPrefix)).toBe(true);
    expect(mails.rows[0]).toMatchObject({ phone_encrypted: "", phone_index: null });
    const { rows } = await pool.query("select phone_encrypted from accounts where account = 'farm'");
    expect(rows[0].phone_encrypted.startsWith(rotated.personalCipher.currentPrefix)).toBe(true);
    expect(rotated.personalCipher.decrypt(rows[0].phone_encrypted)).toBe("13955550001");
    expect(
      (await rotated.token({ grant_type: "password", username: "13955550001", password: right })).body.account,
    ).toBe("farm");
  } finally {
    await rotated.close();
  }
});
