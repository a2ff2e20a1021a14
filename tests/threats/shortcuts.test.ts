import { type QrCode, qrCookie } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic, md5 } from "../harness/session.ts";
import { volume } from "../harness/volume.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const count = volume({ short: 1350, long: 5400 });

test(`T26: ${count} combinations of user_id, for_register and qrcodeKey without a proof give no token`, async () => {
  const { pool } = app.test.database;
  const { rows } = await pool.query<{ id: string; account: string }>("select id::text, account from accounts");
  const phone = await app.logIn("farm");
  const sessions = async () => (await pool.query("select id::text from sessions order by id")).rows;
  const before = await sessions();

  // Codes in each state that they can be in: a stranger knows their keys, not the cookie of the browser that asked.
  const call = async <T>(method: "GET" | "POST", path: string, body?: object) =>
    (await app.call({ method, path: `/api/muyuan-auth/oauth/${path}`, ...(body && { body }), token: phone })).body
      .data as T;
  const keys: string[] = [];
  for (const state of ["waiting", "scanned", "confirmed", "rejected"]) {
    const { qrcodeKey } = await call<QrCode>("GET", "skip-secure/qrcode/generate");
    keys.push(qrcodeKey);
    if (state !== "waiting") await call("POST", "qrcode/scan", { qrcodeKey });
    if (state === "confirmed" || state === "rejected")
      await call("POST", "qrcode/answer", { qrcodeKey, approved: state === "confirmed" });
  }

  const values = {
    grant_type: [
      "password",
      "captcha",
      "sms_code",
      "qrcode",
      "refresh_token",
      "social",
      "authorization_code",
      "client_credentials",
      "muyuansso",
      "",
    ],
    user_id: ["", "1", ...rows.map(({ id }) => id)],
    for_register: ["", "1", "true", "register"],
    qrcodeKey: ["", "x", ...keys],
    username: ["", "farm"],
    cookie: ["", `${qrCookie}=x`],
  };
  const combinations = values.grant_type.flatMap((grant_type) =>
    values.user_id.flatMap((user_id) =>
      values.for_register.flatMap((for_register) =>
        values.qrcodeKey.flatMap((qrcodeKey) =>
          values.username.flatMap((username) =>
            values.cookie.map((cookie) => ({ grant_type, user_id, for_register, qrcodeKey, username, cookie })),
          ),
        ),
      ),
    ),
  );
  // In an order of their own, so that every value of each list is among them.
  const tried = combinations.filter((_, at) => (at * 7919) % combinations.length < count);
  expect(tried.length).toBeGreaterThanOrEqual(count * 0.9);
  for (const [name, all] of Object.entries(values)) {
    for (const value of all)
      expect(
        tried.some((one) => one[name as keyof typeof one] === value),
        `${name}=${value}`,
      ).toBe(true);
  }
  for (let at = 0; at < tried.length; at += 50) {
    await Promise.all(
      tried.slice(at, at + 50).map(async ({ cookie, ...parameters }, index) => {
        const form = (at + index) % 2 === 0;
        const values = {
          ...parameters,
          scope: "all",
          tenantId: "100002",
          phone: "13800000002",
          refresh_token: "x",
          code: "x",
        };
        const answer = await app.http.inject({
          method: "POST",
          url: "/api/muyuan-auth/oauth/token",
          remoteAddress: `10.2.${(at >> 8) & 255}.${at & 255}`,
          ...(!form && { query: values }),
          headers: {
            authorization: basic,
            ...(cookie && { cookie }),
            ...(form && { "content-type": "application/x-www-form-urlencoded" }),
          },
          ...(form && { payload: new URLSearchParams(values).toString() }),
        });
        const about = JSON.stringify(parameters);
        expect([400, 401], about).toContain(answer.statusCode);
        expect(answer.body.includes("access_token"), about).toBe(false);
      }),
    );
  }
  expect(await sessions()).toEqual(before);
});

test("T26: a right password or code gives a session of its own account, whatever user_id says", async () => {
  const { rows } = await app.test.database.pool.query<{ id: string }>(
    "select id::text from accounts where account = 'admin'",
  );
  const answer = await app.token({
    grant_type: "password",
    username: "worker",
    password: md5(demoPassword),
    user_id: rows[0]?.id ?? "",
    for_register: "1",
  });
  expect(answer.body).toMatchObject({ account: "worker", tenant_id: "100001" });
  expect(answer.body.user_id).not.toBe(rows[0]?.id);
});
