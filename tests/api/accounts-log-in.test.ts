import type { CaptchaReply } from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { encryptPoint } from "../../apps/server/src/modules/captchas/point-cipher.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { onEachStore } from "../harness/redis.ts";
import { md5 } from "../harness/session.ts";

onEachStore((openStore) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({}, { bench: await openStore() });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    await app.test.database.pool.query("delete from login_failures");
  });

  const right = md5(demoPassword);
  const wrong = md5("wrong");
  const byPassword = (username: string, password: string, headers: Record<string, string> = {}, from?: string) =>
    app.token({ grant_type: "password", username, password }, headers, from);
  const lockText = "登录错误次数过多,请稍后再试";

  describe("captcha", () => {
    const get = "/api/muyuan-resource/captcha/skip-secure/get";
    const check = "/api/muyuan-resource/captcha/skip-secure/check";
    const ask = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
      const answer = await app.call({ method: "POST", path, body, headers });
      return { status: answer.status, body: answer.body as unknown as CaptchaReply };
    };
    interface Puzzle {
      token: string;
      secretKey: string;
    }

    test("a solved puzzle lets grant_type=captcha in, once", async () => {
      const { body } = await ask(get, { captchaType: "blockPuzzle", clientUid: "slider-1", ts: 1_716_000_000_000 });
      expect(body).toMatchObject({ repCode: "0000", repMsg: null, success: true });
      expect(body).not.toHaveProperty("code");
      const { token, secretKey } = body.repData as Puzzle;
      const { x } = JSON.parse((await app.store.get(`captcha:puzzle:${token}`)) ?? "{}") as { x: number };
      const point = JSON.stringify({ x: x + 0.7, y: 5 });
      const checked = await ask(check, {
        captchaType: "blockPuzzle",
        token,
        pointJson: encryptPoint(secretKey, point),
      });
      expect(checked.body).toMatchObject({ repCode: "0000", repData: { result: true, token } });
      const headers = { "captcha-key": token, "captcha-code": encryptPoint(secretKey, `${token}---${point}`) };
      const logIn = () => app.token({ grant_type: "captcha", username: "farm", password: right }, headers);
      expect((await logIn()).status).toBe(200);
      expect((await logIn()).body).toEqual({ error: "access_denied", error_description: "验证码不正确" });
    });

    test.each([
      ["no body", undefined],
      ["an empty object", {}],
      ["a type that is no text", { captchaType: { a: 1 } }],
      ["a list", []],
      ["a token that is too long", { captchaType: "blockPuzzle", token: "x".repeat(65), pointJson: "x" }],
      ["no Base64", { captchaType: "blockPuzzle", token: "x", pointJson: "%%%" }],
    ])(
      "both calls answer 200 and a repCode to %s",
      async (_case, body) => {
        for (const path of [get, check]) {
          const answer = await ask(path, body);
          expect(answer.status).toBe(200);
          expect(answer.body.repCode).toMatch(/^\d{4}$/);
          if (path === check) expect(answer.body).toMatchObject({ success: false, repData: null });
        }
      },
      20_000,
    );

    test("broken JSON is answered 200 with a repCode, another media type 415", async () => {
      const broken = await app.http.inject({
        method: "POST",
        url: get,
        headers: { "content-type": "application/json" },
        payload: "{",
      });
      expect([broken.statusCode, broken.json().repCode]).toEqual([200, "6206"]);
      const text = await app.http.inject({
        method: "POST",
        url: get,
        headers: { "content-type": "text/plain" },
        payload: "{}",
      });
      expect(text.statusCode).toBe(415);
    });

    test("a fault inside is 9999, not a page of errors", async () => {
      const broken = vi.spyOn(app.store, "count").mockRejectedValue(new Error("away"));
      const answer = await ask(get, { captchaType: "blockPuzzle" });
      broken.mockRestore();
      expect(answer).toMatchObject({ status: 200, body: { repCode: "9999", success: false } });
    });

    test.each([
      ["no headers", {}],
      ["empty headers", { "captcha-key": "", "captcha-code": "" }],
      ["a made-up pair", { "captcha-key": "0".repeat(32), "captcha-code": "AAAA" }],
    ])("T19: grant_type=captcha with %s is refused", async (_case, headers) => {
      const answer = await app.token(
        { grant_type: "captcha", username: "farm", password: right },
        headers as Record<string, string>,
      );
      expect(answer.body).toEqual({ error: "access_denied", error_description: "验证码不正确" });
    });

    test("T19: an empty code is none: let in where none is needed, asked for where one is", async () => {
      const empty = { "captcha-key": "0".repeat(32), "captcha-code": "" };
      expect((await byPassword("farm", right, empty)).status).toBe(200);
      expect((await byPassword("farm", right, { "captcha-key": "", "captcha-code": "" })).status).toBe(200);
      for (let at = 0; at < 3; at += 1) await byPassword("farm", wrong);
      expect((await byPassword("farm", right, empty)).body).toMatchObject({ reason: "login.captcha_wanted" });
      expect((await byPassword("farm", right, await app.captcha())).status).toBe(200);
    });

    test("who only has to choose a tenant need not solve another captcha", async () => {
      const headers = await app.captcha();
      const logIn = (more: Record<string, string>) =>
        app.token({ grant_type: "captcha", username: "vet", password: right, ...more }, headers);
      expect((await logIn({})).body.error).toBe("multi_tenant");
      expect((await logIn({ tenantId: "100002" })).status).toBe(200);
      expect((await logIn({ tenantId: "100002" })).body.error_description).toBe("验证码不正确");
    });

    test("three failures of a name ask for a captcha from everywhere", async () => {
      for (let at = 0; at < 3; at += 1) await byPassword("worker", wrong);
      expect((await byPassword("worker", right)).body).toEqual({
        error: "access_denied",
        error_description: "请先完成安全验证",
        reason: "login.captcha_wanted",
      });
      expect((await byPassword("worker", right, await app.captcha())).status).toBe(200);
      expect((await byPassword("worker", right)).status).toBe(200);
    });

    test("three failures from an address ask for a captcha for every name, also after a success of one's own", async () => {
      for (const name of ["a-name", "b-name", "c-name"]) await byPassword(name, wrong, {}, "198.51.100.7");
      expect((await byPassword("farm", right, {}, "198.51.100.7")).body.error_description).toBe("请先完成安全验证");
      expect((await byPassword("farm", right, await app.captcha(), "198.51.100.7")).status).toBe(200);
      expect((await byPassword("farm", right, {}, "198.51.100.7")).body.error_description).toBe("请先完成安全验证");
      expect((await byPassword("farm", right)).status).toBe(200);
    });
  });

  describe("guessing", () => {
    test("T13: of 90 guesses at once five are compared, and after them the right password does not pass", async () => {
      const captchas = await Promise.all(Array.from({ length: 90 }, () => app.captcha()));
      const answers = await Promise.all(captchas.map((headers, at) => byPassword("farm", md5(`guess ${at}`), headers)));
      expect(answers.filter(({ body }) => body.error === "invalid_grant")).toHaveLength(5);
      expect(answers.filter(({ body }) => body.error_description === lockText)).toHaveLength(85);
      expect((await byPassword("farm", right, await app.captcha())).body.error_description).toBe(lockText);
    });

    test("T13: a hundred wrong ones from one address lock it out for every name, and no other address", async () => {
      const from = "198.51.100.9";
      await app.test.database.pool.query("insert into login_failures select decode($1, 'hex'), 99, now()", [
        (await import("node:crypto")).createHash("sha256").update(`address:${from}`).digest("hex"),
      ]);
      expect((await byPassword("someone", wrong, await app.captcha(), from)).body.error).toBe("invalid_grant");
      expect((await byPassword("farm", right, await app.captcha(), from)).body.error_description).toBe(lockText);
      expect((await byPassword("farm", right)).status).toBe(200);
    });

    test("T13: a browser that was let in before gets in while strangers lock the name, and has a budget of its own", async () => {
      const first = await app.call({
        method: "POST",
        path: "/api/muyuan-auth/oauth/token",
        query: { grant_type: "password", username: "worker", password: right },
      });
      expect(first.cookie).toMatch(/^herdwise_device=/);
      expect(String(first.headers["set-cookie"])).toMatch(/HttpOnly; SameSite=Lax/);
      for (let at = 0; at < 5; at += 1) await byPassword("worker", wrong, await app.captcha());
      expect((await byPassword("worker", right, await app.captcha())).body.error_description).toBe(lockText);
      const known = async (password: string, name = "worker") =>
        byPassword(name, password, { ...(await app.captcha()), cookie: first.cookie });
      expect((await known(right)).status).toBe(200);
      // The mark is the account's, opens nothing by itself, and can be guessed with five times, too.
      for (let at = 0; at < 5; at += 1) await byPassword("admin", wrong, await app.captcha());
      expect((await known(right, "admin")).body.error_description).toBe(lockText);
      for (let at = 0; at < 5; at += 1) expect((await known(wrong)).body.error).toBe("invalid_grant");
      expect((await known(right)).body.error_description).toBe(lockText);
    });

    test("the owner is told of a lock by message; other ways in stay open", async () => {
      const token = await app.logIn("farm");
      const titles = async () =>
        (
          await app.get<{ records: { title: string }[] }>(
            "/api/muyuan-message-center/message/page/user?kind=security",
            token,
          )
        ).body.data.records.map(({ title }) => title);
      const told = (await titles()).length;
      for (let at = 0; at < 5; at += 1) await byPassword("farm", wrong, await app.captcha());
      await vi.waitFor(async () => expect(await titles()).toHaveLength(told + 1));
      expect((await titles())[0]).toBe("登录已被暂时锁定");
    });

    test("a phone logs in where one account has it, with a count of its own", async () => {
      expect((await byPassword("13800000002", right)).body.account).toBe("farm");
      expect((await byPassword("+86 138 0000 0002", right)).body.account).toBe("farm");
      expect((await byPassword("13811110000", right)).body.error).toBe("invalid_grant");
    });
  });

  test("the setting that asks for a captcha always", async () => {
    const strict = await createTestApp({ LOGIN_CAPTCHA: "always" });
    try {
      expect(
        (await strict.token({ grant_type: "password", username: "farm", password: right })).body.error_description,
      ).toBe("请先完成安全验证");
      expect(
        (await strict.token({ grant_type: "password", username: "farm", password: right }, await strict.captcha()))
          .status,
      ).toBe(200);
    } finally {
      await strict.close();
    }
  });

  test("without demo mode, or with a real service, there is no outbox, and SMS that can't go out are refused", async () => {
    for (const environment of [{ DEMO: "off" }, { MAIL_URL: "smtp://127.0.0.1:1" }]) {
      const real = await createTestApp(environment);
      try {
        for (const url of ["/dev/outbox", "/dev/outbox.json"])
          expect((await real.http.inject({ url })).statusCode).toBe(404);
        const answer = await real.call({
          method: "POST",
          path: "/api/muyuan-resource/sms/endpoint/skip-secure/send-validate",
          query: { mobilePhone: "13911170001" },
          headers: await real.captcha(),
        });
        expect(answer.body).toMatchObject({ code: 400, success: false, msg: "短信发送失败" });
        // R26: everything else works.
        expect((await real.get("/api/muyuan-system/menu/routes")).status).toBe(200);
      } finally {
        await real.close();
      }
    }
  });
});
