import { createHash, randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { oauth2Paths, type QrCode } from "@herdwise/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { onEachStore } from "../harness/redis.ts";
import { md5 } from "../harness/session.ts";

const hours = 3_600_000;
const mallSecret = "the-malls-own-secret";

/**
 * R08: the server's clock is wrong by two hours when something is given, when it is shown, or at both times. What has expired is
 * refused all the same: sessions and authorizations are judged by the database, the rest by a store whose clock only moves on.
 */
onEachStore((openStore) => {
  let app: TestApp;
  let base: string;
  beforeAll(async () => {
    app = await createTestApp(
      { MALL_SECRET: mallSecret, PUBLIC_URL: "http://localhost:1" },
      { bench: await openStore() },
    );
    await app.http.listen({ port: 0, host: "127.0.0.1" });
    base = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  });
  afterAll(() => app.close());
  afterEach(() => {
    vi.useRealTimers();
  });

  const setClock = (byMs: number) => {
    vi.useRealTimers();
    if (byMs === 0) return;
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(Date.now() + byMs);
  };
  const logIn = async () =>
    (await app.token({ grant_type: "password", username: "farm", password: md5(demoPassword) })).body;
  const hashOf = (token: string) => createHash("sha256").update(token).digest();
  const expire = (token: string) =>
    app.test.database.pool.query(
      "update session_tokens set expires_at = now() - interval '1 s' where token_hash = $1",
      [hashOf(token)],
    );
  const infoOf = async (token: string) => (await app.get("/api/muyuan-system/user/info", token)).status;
  const refresh = async (token: string) =>
    (await app.token({ grant_type: "refresh_token", refresh_token: token })).status;

  describe.each([
    ["right when it was given, two hours behind when it is shown", 0, -2 * hours],
    ["right when it was given, two hours ahead when it is shown", 0, 2 * hours],
    ["two hours ahead when it was given, right when it is shown", 2 * hours, 0],
    ["two hours behind all the time", -2 * hours, -2 * hours],
  ])("a clock that is %s", (_what, given, shown) => {
    test("lets no expired access or refresh token through, and ends no living one", async () => {
      setClock(given);
      const living = await logIn();
      const dead = await logIn();
      await expire(dead.access_token);
      await expire(dead.refresh_token);
      setClock(shown);
      expect([await infoOf(living.access_token), await infoOf(dead.access_token)]).toEqual([200, 401]);
      expect([await refresh(living.refresh_token), await refresh(dead.refresh_token)]).toEqual([200, 400]);
    });

    test("makes a refresh token that was exchanged not good again", async () => {
      setClock(given);
      const { access_token, refresh_token } = await logIn();
      expect(await refresh(refresh_token)).toBe(200);
      await app.test.database.pool.query(
        "update session_tokens set used_at = used_at - interval '11 s' where token_hash = $1",
        [hashOf(refresh_token)],
      );
      setClock(shown);
      expect(await refresh(refresh_token)).toBe(400);
      expect(await infoOf(access_token)).toBe(401);
    });

    test("lengthens neither captcha, SMS code, QR log-in nor mall code", async () => {
      await app.pass(86_401);
      setClock(given);
      const captcha = await app.captcha();
      const send = async (purpose: string, phone: string) => {
        const sent = await app.call({
          method: "POST",
          path: "/api/muyuan-resource/sms/endpoint/skip-secure/send-validate",
          query: { mobilePhone: phone, purpose },
          headers: await app.captcha(),
        });
        const code = /\d{6}/.exec((await app.sms(phone))[0] ?? "")?.[0] ?? "";
        return { id: (sent.body.data as { id: string }).id, code };
      };
      const sms = await send("login", "13800000002");
      const session = (await logIn()).access_token;
      const asked = await app.call({ path: "/api/muyuan-auth/oauth/skip-secure/qrcode/generate" });
      const { qrcodeKey } = asked.body.data as QrCode;
      const tap = (verb: string, body: object) =>
        app.call({ method: "POST", path: `/api/muyuan-auth/oauth/qrcode/${verb}`, token: session, body });
      await tap("scan", { qrcodeKey });
      expect((await tap("answer", { qrcodeKey, approved: true })).status).toBe(200);
      const minted = await app.call({
        method: "POST",
        path: "/mall-auth-server/user/login/muyuan/code",
        body: { userId: "1", loginPlatform: 1 },
        token: session,
      });
      const mallCode = (minted.body as unknown as { data: string }).data;
      expect(mallCode).toMatch(/./);

      setClock(shown);
      // Longer than any of them lives; the captcha comes after.
      await app.pass(601);
      const bySms = await app.token({
        grant_type: "sms_code",
        phone: "13800000002",
        id: sms.id,
        value: sms.code,
        scope: "all",
      });
      expect(bySms.status).toBe(400);
      expect(
        (await app.token({ grant_type: "qrcode", qrcodeKey, scope: "all" }, { cookie: asked.cookie })).status,
      ).toBe(400);
      const exchanged = await app.call({
        method: "POST",
        path: "/api/mall-auth-server/user/login/muyuan/exchange",
        body: { code: mallCode },
        headers: { authorization: `Bearer ${mallSecret}` },
      });
      expect(exchanged.body).toMatchObject({ code: 0 });
      await app.pass(1200);
      const byCaptcha = await app.token(
        { grant_type: "captcha", username: "farm", password: md5(demoPassword) },
        captcha,
      );
      expect(byCaptcha.body.error_description).toBe("验证码不正确");
    });

    test("lets no expired code or access token of an application through", async () => {
      setClock(given);
      const redirectUri = "http://localhost:9/callback";
      const submitted = await app.call({
        method: "POST",
        path: "/api/muyuan-system/client/submit",
        token: await app.logIn("admin"),
        body: { name: "饲料助手", webServerRedirectUri: redirectUri, scope: "openid,profile" },
      });
      const { clientId, clientSecret } = submitted.body.data as { clientId: string; clientSecret: string };
      const session = (await logIn()).access_token;
      const authorize = async () => {
        const verifier = randomBytes(32).toString("base64url");
        const ask = new URLSearchParams({
          client_id: clientId,
          response_type: "code",
          redirect_uri: redirectUri,
          scope: "openid profile",
          code_challenge: createHash("sha256").update(verifier).digest("base64url"),
          code_challenge_method: "S256",
        });
        const asked = await fetch(`${base}${oauth2Paths.authorize}?${ask}`, { redirect: "manual" });
        const cookie = asked.headers
          .getSetCookie()
          .map((line) => line.split(";")[0])
          .join("; ");
        const authorizeKey = new URL(asked.headers.get("location") ?? "", base).searchParams.get("authorizeKey");
        const approved = await app.call({
          method: "POST",
          path: "/api/muyuan-auth/oauth2/approve-location",
          token: session,
          headers: { cookie },
          body: { authorizeKey, approved: true },
        });
        const { pathname, search } = new URL((approved.body.data as { location: string }).location, base);
        const back = await fetch(`${base}${pathname}${search}`, { redirect: "manual", headers: { cookie } });
        const code = new URL(back.headers.get("location") ?? "").searchParams.get("code") ?? "";
        expect(code).toMatch(/./);
        return { code, verifier };
      };
      const exchange = async ({ code, verifier }: { code: string; verifier: string }) => {
        const answer = await fetch(`${base}${oauth2Paths.token}`, {
          method: "POST",
          headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}` },
          body: new URLSearchParams({
            grant_type: "authorization_code",
            code,
            redirect_uri: redirectUri,
            code_verifier: verifier,
          }),
        });
        return { status: answer.status, body: (await answer.json()) as { access_token: string } };
      };
      const { body } = await exchange(await authorize());
      const about = async () =>
        (await fetch(`${base}${oauth2Paths.userinfo}`, { headers: { authorization: `Bearer ${body.access_token}` } }))
          .status;
      expect(await about()).toBe(200);
      const late = await authorize();
      await app.test.database.pool.query(
        "update authorization_payloads set expires_at = now() - interval '1 s' where model in ('AccessToken', 'AuthorizationCode')",
      );
      setClock(shown);
      expect(await about()).toBe(401);
      expect((await exchange(late)).status).toBe(400);
    });
  });
});
