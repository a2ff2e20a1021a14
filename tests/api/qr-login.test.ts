import { type QrAsking, type QrCode, type QrState, qrCookie, qrStatus } from "@herdwise/contract";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { onEachStore } from "../harness/redis.ts";
import { basic } from "../harness/session.ts";

onEachStore((openStore) => {
  let app: TestApp;
  let phone: string;
  beforeAll(async () => {
    app = await createTestApp({ PUBLIC_URL: "https://portal.example" }, { bench: await openStore() });
    phone = await app.logIn("farm");
  });
  afterAll(() => app.close());

  const agent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36";

  async function ask(): Promise<{ code: QrCode; cookie: string; setCookie: string }> {
    const answer = await app.http.inject({
      url: "/api/muyuan-auth/oauth/skip-secure/qrcode/generate",
      headers: { authorization: basic, "user-agent": agent },
      remoteAddress: "203.0.113.7",
    });
    const setCookie = String(answer.headers["set-cookie"]);
    return { code: answer.json().data, cookie: setCookie.split(";")[0] ?? "", setCookie };
  }
  const check = async (qrcodeKey: string, cookie?: string): Promise<QrState> =>
    (
      await app.http.inject({
        method: "POST",
        url: `/api/muyuan-auth/oauth/skip-secure/qrcode/check?qrcodeKey=${qrcodeKey}`,
        headers: { authorization: basic, ...(cookie && { cookie }) },
      })
    ).json().data;
  const tap = async <T>(verb: "scan" | "answer", body: object, token = phone) => {
    const answer = await app.http.inject({
      method: "POST",
      url: `/api/muyuan-auth/oauth/qrcode/${verb}`,
      headers: { authorization: basic, "muyuan-auth": `bearer ${token}` },
      payload: body,
    });
    return { status: answer.statusCode, body: answer.json() as { msg: string; data: T } };
  };
  const enter = (qrcodeKey: string, cookie?: string) =>
    app.token({ grant_type: "qrcode", qrcodeKey, scope: "all" }, cookie === undefined ? {} : { cookie });

  test("asked, scanned, confirmed: the browser gets a session of its own, the phone keeps its", async () => {
    const { code, cookie, setCookie } = await ask();
    expect(code).toMatchObject({
      expiresIn: 180,
      qrcodeUrl: `https://portal.example/scan?qrcodeKey=${code.qrcodeKey}`,
    });
    expect(setCookie).toMatch(new RegExp(`^${qrCookie}=.*HttpOnly`));
    expect(await check(code.qrcodeKey, cookie)).toEqual({ status: qrStatus.waiting });

    const scanned = await tap<QrAsking>("scan", { qrcodeKey: code.qrcodeKey });
    expect(scanned.body.data).toMatchObject({
      status: qrStatus.scanned,
      device: "Chrome, Windows",
      address: "203.0.113.*",
    });
    expect(await check(code.qrcodeKey, cookie)).toEqual({ status: qrStatus.scanned, nickName: "周**", avatar: "" });
    expect((await enter(code.qrcodeKey, cookie)).status).toBe(400);

    await tap("answer", { qrcodeKey: code.qrcodeKey, approved: true });
    expect(await check(code.qrcodeKey, cookie)).toMatchObject({ status: qrStatus.confirmed });
    const entered = await enter(code.qrcodeKey, cookie);
    expect(entered.body).toMatchObject({ account: "farm", tenant_id: "100002" });
    expect(entered.body.access_token).not.toBe(phone);
    // Let in by another session, it proved nothing itself: what could take an account over asks for the password first.
    const reset = await app.call({
      method: "POST",
      path: "/api/muyuan-system/user/reset-password",
      query: { userIds: "1234567890123456789" },
      token: entered.body.access_token,
    });
    expect([reset.status, reset.body.data]).toMatchObject([403, { reason: "identity.confirm_first" }]);
    await app.get("/api/muyuan-auth/oauth/logout", entered.body.access_token);
    expect((await app.get("/api/muyuan-system/user/info", phone)).status).toBe(200);
  });

  describe("T27: the key alone is worth nothing", () => {
    test("without the cookie, or with another browser's, every state looks expired and no session is given", async () => {
      const { code, cookie } = await ask();
      const thief = (await ask()).cookie;
      await tap("scan", { qrcodeKey: code.qrcodeKey });
      await tap("answer", { qrcodeKey: code.qrcodeKey, approved: true });
      for (const wrong of [undefined, thief, `${qrCookie}=`, `${qrCookie}=x`]) {
        expect(await check(code.qrcodeKey, wrong)).toEqual({ status: qrStatus.expired });
        const { status, body } = await enter(code.qrcodeKey, wrong);
        expect([status, body.access_token]).toEqual([400, undefined]);
      }
      expect((await enter(code.qrcodeKey, cookie)).status).toBe(200);
    });

    test("a confirmed key works once, also when 50 come at once", async () => {
      const { code, cookie } = await ask();
      await tap("scan", { qrcodeKey: code.qrcodeKey });
      await tap("answer", { qrcodeKey: code.qrcodeKey, approved: true });
      const answers = await Promise.all(Array.from({ length: 50 }, () => enter(code.qrcodeKey, cookie)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    });

    test("a rejected key gives nothing and can't be confirmed afterwards", async () => {
      const { code, cookie } = await ask();
      await tap("scan", { qrcodeKey: code.qrcodeKey });
      await tap("answer", { qrcodeKey: code.qrcodeKey, approved: false });
      expect(await check(code.qrcodeKey, cookie)).toMatchObject({ status: qrStatus.rejected });
      expect((await tap("answer", { qrcodeKey: code.qrcodeKey, approved: true })).status).toBe(400);
      expect((await enter(code.qrcodeKey, cookie)).status).toBe(400);
    });

    test("only who scanned it may answer, and a second phone may not take it over", async () => {
      const { code } = await ask();
      const other = await app.logIn("worker");
      expect((await tap("answer", { qrcodeKey: code.qrcodeKey, approved: true })).status).toBe(400);
      await tap("scan", { qrcodeKey: code.qrcodeKey });
      expect((await tap("scan", { qrcodeKey: code.qrcodeKey }, other)).status).toBe(400);
      expect((await tap("answer", { qrcodeKey: code.qrcodeKey, approved: true }, other)).status).toBe(400);
    });

    test("scanning needs a session; user_id and for_register are no proof (T26)", async () => {
      const { code } = await ask();
      expect((await tap("scan", { qrcodeKey: code.qrcodeKey }, "x")).status).toBe(401);
      for (const grant of ["password", "qrcode", "captcha", "sms_code"]) {
        const { body } = await app.token({
          grant_type: grant,
          user_id: "1",
          for_register: "1",
          qrcodeKey: code.qrcodeKey,
        });
        expect(body.access_token).toBeUndefined();
      }
    });
  });

  describe("time", () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ["Date"] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    test("after 180 s the code is expired for both sides", async () => {
      const { code, cookie } = await ask();
      vi.setSystemTime(Date.now() + 181_000);
      await app.pass(181);
      expect(await check(code.qrcodeKey, cookie)).toEqual({ status: qrStatus.expired });
      const scanned = await tap("scan", { qrcodeKey: code.qrcodeKey });
      expect([scanned.status, scanned.body.msg]).toEqual([400, "二维码已过期，请刷新后重新扫描"]);
    });
  });
});
