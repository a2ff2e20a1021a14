import type { Agreement, ResetPrecheck, ResetTicket, SmsSent, TenantChoice, UserInfo } from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { type Answer, createTestApp, type TestApp } from "../harness/app.ts";
import { onEachStore } from "../harness/redis.ts";
import { md5 } from "../harness/session.ts";

onEachStore((openStore) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({}, { bench: await openStore() });
  });
  afterAll(() => app.close());
  // Each test may send to the same numbers again.
  beforeEach(() => app.pass(86_401));

  const paths = {
    send: "/api/muyuan-resource/sms/endpoint/skip-secure/send-validate",
    register: "/api/muyuan-system/cms-user/skip-secure/register",
    precheck: "/api/muyuan-system/cms-user/skip-secure/reset-password-pre/new",
    validate: "/api/muyuan-system/cms-user/skip-secure/reset-password-pre/validate/new",
    reset: "/api/muyuan-system/cms-user/skip-secure/reset-password/new",
    retrieve: "/api/muyuan-system/cms-user/skip-secure/retrieve-user-account",
    update: "/api/muyuan-system/user/update-password",
    info: "/api/muyuan-system/user/info",
  };
  const good = md5("Barn-doors 7");
  const wrong = md5("not the password 1");

  const data = <T>(answer: Answer<unknown>) => answer.body.data as T;
  const codeIn = (text: string | undefined) => /\d{6}/.exec(text ?? "")?.[0] ?? "";

  async function sendCode(phone: string, purpose?: string) {
    const answer = await app.call({
      method: "POST",
      path: paths.send,
      query: { mobilePhone: phone, ...(purpose && { purpose }) },
      headers: await app.captcha(),
    });
    const [text] = await app.sms(phone);
    return { answer, id: data<SmsSent>(answer)?.id, code: codeIn(text) };
  }
  const codeHeaders = ({ id, code }: { id: string; code: string }) => ({ "captcha-key": id, "captcha-code": code });

  async function register(username: string, phone: string, change: Record<string, unknown> = {}) {
    const code = await sendCode(phone, "register");
    return app.call({
      method: "POST",
      path: paths.register,
      headers: codeHeaders(code),
      body: { username, mobilePhone: phone, password: good, confirmPassword: good, ...change },
    });
  }
  const logIn = async (username: string, password = good) =>
    app.token({ grant_type: "captcha", username, password }, await app.captcha());
  /** Three steps of a reset up to the nonceKey. */
  async function provenReset(phone: string) {
    const pre = await app.call({
      method: "POST",
      path: paths.precheck,
      query: { phone },
      headers: await app.captcha(),
    });
    const [text] = await app.sms(phone);
    const { id } = data<ResetPrecheck>(pre);
    const validated = await app.call({
      method: "POST",
      path: paths.validate,
      query: { phone },
      headers: codeHeaders({ id, code: codeIn(text) }),
    });
    return data<ResetTicket>(validated);
  }
  const reset = (body: { account: string; nonceKey: string; password?: string; confirmPassword?: string }) =>
    app.call({ method: "POST", path: paths.reset, body: { password: good, confirmPassword: good, ...body } });

  describe("registration", () => {
    test("opens an account with a tenant, roles and menus of its own", async () => {
      const answer = await register("新农户", "13911110001");
      expect([answer.status, answer.body.msg]).toEqual([200, "操作成功"]);
      const session = await logIn("新农户");
      expect(session.body).toMatchObject({ role_name: "owner", account: "新农户" });
      expect(session.body.tenant_id).toMatch(/^2\d{5}$/);
      const info = data<UserInfo>(await app.call({ path: paths.info, token: session.body.access_token }));
      expect(info).toMatchObject({ tenant_type: "personal", phone: "139****0001", sideMode: "light" });
      const menus = await app.get<{ code: string }[]>("/api/muyuan-system/menu/routes", session.body.access_token);
      expect(menus.body.data.map(({ code }) => code)).toContain("self_home");
      // Nothing of other tenants shows.
      const devices = await app.get<{ total: number }>("/api/muyuan-iot/device/page", session.body.access_token);
      expect(devices.body.data.total).toBe(0);
      const { rows } = await app.test.database.pool.query(
        "select role_alias as alias from roles where tenant_id = $1 order by sort",
        [session.body.tenant_id],
      );
      expect(rows.map(({ alias }) => alias)).toEqual(["owner", "farm_manager", "veterinarian", "worker", "finance"]);
    });

    test("a code without a purpose serves it, too, as clients of the family name none", async () => {
      const code = await sendCode("13911110002");
      expect(code.answer.body).toMatchObject({
        code: 200,
        msg: "短信发送成功",
        data: { success: true, phone: "139****0002" },
      });
      const answer = await app.call({
        method: "POST",
        path: paths.register,
        headers: codeHeaders(code),
        body: { username: "family-client", mobilePhone: "+86 139 1111 0002", password: good, confirmPassword: good },
      });
      expect(answer.status).toBe(200);
    });

    test.each([
      ["a taken name", { username: "FARM" }, "当前用户 [FARM] 已存在!"],
      ["passwords that differ", { confirmPassword: md5("other 123") }, "两次密码不一致"],
      [
        "a common password",
        { password: md5("Abc123456"), confirmPassword: md5("Abc123456") },
        "密码过于常见，请换一个",
      ],
      [
        "the name as password",
        { username: "zhangsan88", password: md5("zhangsan88"), confirmPassword: md5("zhangsan88") },
        "密码过于常见，请换一个",
      ],
      [
        "the phone as password",
        { password: md5("13911110003"), confirmPassword: md5("13911110003") },
        "密码过于常见，请换一个",
      ],
      ["another's number as name", { username: "13800000002" }, "用户名不能是他人的手机号"],
      ["a name with markup", { username: "<b>x</b>" }, "用户名只能包含文字、数字和 _ . @ -"],
      ["an agreement that is not in force", { agreementIds: ["1"] }, "协议已更新，请重新阅读并同意"],
    ])("%s is refused", async (_case, change, message) => {
      const answer = await register("somebody-new", "13911110003", change);
      expect([answer.status, answer.body.msg]).toEqual([400, message]);
    });

    test("a taken name does not use the code up, and shows only to who has one", async () => {
      const code = await sendCode("13911110004", "register");
      const attempt = (username: string, headers: Record<string, string>) =>
        app.call({
          method: "POST",
          path: paths.register,
          headers,
          body: { username, mobilePhone: "13911110004", password: good, confirmPassword: good },
        });
      const taken = await attempt("farm", codeHeaders({ ...code, code: "000000" === code.code ? "000001" : "000000" }));
      const free = await attempt(
        "free-name",
        codeHeaders({ ...code, code: "000000" === code.code ? "000001" : "000000" }),
      );
      expect(taken.body).toEqual(free.body);
      expect((await attempt("farm", codeHeaders(code))).body.msg).toBe("当前用户 [farm] 已存在!");
      expect((await attempt("second-choice", codeHeaders(code))).status).toBe(200);
      expect((await attempt("third", codeHeaders(code))).body.msg).toBe("短信验证码不正确或已失效");
    });

    test("of 20 registrations of one name at once one is made, with one tenant", async () => {
      const codes = [];
      for (let at = 0; at < 20; at += 1)
        codes.push({
          phone: `139222200${String(at).padStart(2, "0")}`,
          ...(await sendCode(`139222200${String(at).padStart(2, "0")}`, "register")),
        });
      const count = async () =>
        Number((await app.test.database.pool.query("select count(*) from tenants")).rows[0].count);
      const before = await count();
      const answers = await Promise.all(
        codes.map((code) =>
          app.call({
            method: "POST",
            path: paths.register,
            headers: codeHeaders(code),
            body: { username: "wanted-name", mobilePhone: code.phone, password: good, confirmPassword: good },
          }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect((await count()) - before).toBe(1);
    });

    test("agreements are recorded with the consent, and asked for where it is missing", async () => {
      const current = await app.get<Agreement[]>("/api/muyuan-customer/agreement/skip-secure/current?lang=zh");
      expect(current.body.data.map(({ kind }) => kind)).toEqual(["user", "privacy"]);
      const ids = current.body.data.map(({ id }) => id);
      const english = await app.get<Agreement[]>("/api/muyuan-customer/agreement/skip-secure/current?lang=en");
      expect(english.body.data.map(({ id }) => id)).toEqual(ids);
      expect(english.body.data[0]?.body).toMatch(/^Welcome/);
      expect((await register("consenting", "13911110005", { agreementIds: ids })).status).toBe(200);
      const pending = async (token: string) =>
        (await app.get<Agreement[]>("/api/muyuan-customer/agreement/pending", token)).body.data.map(({ kind }) => kind);
      expect(await pending((await logIn("consenting")).body.access_token)).toEqual([]);
      const farm = await app.logIn("farm");
      expect(await pending(farm)).toEqual(["user", "privacy"]);
      await app.call({
        method: "POST",
        path: "/api/muyuan-customer/agreement/consent",
        token: farm,
        body: { ids: [ids[0]] },
      });
      expect(await pending(farm)).toEqual(["privacy"]);
      await app.test.database.pool.query(
        "with v as (insert into agreement_versions (id, kind, version, published_at) values (7, 'user', '2.0', now()) returning id) insert into agreement_texts (version_id, lang, title, body) select id, 'zh', '用户协议', '二' from v",
      );
      expect(await pending(farm)).toEqual(["user", "privacy"]);
    });
  });

  describe("sending codes", () => {
    test("needs a captcha; a missing, empty, wrong or used one sends nothing", async () => {
      const used = await app.captcha();
      const send = (headers: Record<string, string>) =>
        app.call({ method: "POST", path: paths.send, query: { mobilePhone: "13911120001" }, headers });
      expect((await send(used)).status).toBe(200);
      for (const headers of [
        {},
        { "captcha-key": "", "captcha-code": "" },
        { ...(await app.captcha()), "captcha-code": "?????" },
        used,
      ]) {
        expect((await send(headers as Record<string, string>)).body).toMatchObject({ code: 400, msg: "验证码不正确" });
      }
      expect(await app.sms("13911120001")).toHaveLength(1);
    });

    test("T15: known and unknown numbers are answered the same; only its owner reads that a number has no account", async () => {
      const [known, unknown] = [await sendCode("13800000002", "login"), await sendCode("13911120002", "login")];
      const shape = ({ answer }: typeof known) => ({
        status: answer.status,
        fields: Object.keys(data<object>(answer)),
        msg: answer.body.msg,
      });
      expect(shape(known)).toEqual(shape(unknown));
      expect((await app.sms("13800000002"))[0]).toMatch(/\d{6}/);
      expect((await app.sms("13911120002"))[0]).not.toMatch(/\d{6}/);
    });

    test("the outbox is a page that refreshes itself, with everything escaped", async () => {
      const page = await app.http.inject({ url: "/dev/outbox" });
      expect(page.headers["content-type"]).toContain("text/html");
      expect(page.body).toContain('http-equiv="refresh"');
      expect(page.body).toContain("<html lang=");
      expect(page.body).not.toContain("<script");
    });
  });

  describe("log-in by SMS code", () => {
    const byCode = (phone: string, code: { id: string; code: string }, more: Record<string, string> = {}) =>
      app.token({ grant_type: "sms_code", phone, id: code.id, value: code.code, scope: "all", ...more });

    test("lets the owner of the phone in, once", async () => {
      const code = await sendCode("13800000002", "login");
      const first = await byCode("+86 13800000002", code);
      expect([first.status, first.body.account]).toEqual([200, "farm"]);
      expect((await byCode("13800000002", code)).body).toEqual({
        error: "access_denied",
        error_description: "短信验证码不正确或已失效",
      });
    });

    test("asks which tenant, and takes the same code for the answer", async () => {
      const code = await sendCode("13800000003", "login");
      const asked = await byCode("13800000003", code);
      expect(asked.body.error).toBe("multi_tenant");
      expect((asked.body as unknown as { tenants: TenantChoice[] }).tenants.map(({ tenantId }) => tenantId)).toEqual([
        "100002",
        "100003",
      ]);
      expect((await byCode("13800000003", code, { tenantId: "100003" })).body.tenant_id).toBe("100003");
    });

    test("an unknown number learns that only with its code, and may register with it", async () => {
      const code = await sendCode("13911130001");
      const other = { ...code, code: code.code === "000000" ? "000001" : "000000" };
      expect((await byCode("13911130001", other)).body.error_description).toBe("短信验证码不正确或已失效");
      expect((await byCode("13911130001", code)).body).toEqual({
        error: "invalid_grant",
        error_description: "该手机号没有绑定账号，请先注册",
      });
      const answer = await app.call({
        method: "POST",
        path: paths.register,
        headers: codeHeaders(code),
        body: { username: "late-registrant", mobilePhone: "13911130001", password: good, confirmPassword: good },
      });
      expect(answer.status).toBe(200);
    });

    test("T18: codes of other purposes are none", async () => {
      const code = await sendCode("13800000004", "register");
      expect((await byCode("13800000004", code)).status).toBe(400);
      await app.pass(61);
      const pre = await app.call({
        method: "POST",
        path: paths.precheck,
        query: { phone: "13800000004" },
        headers: await app.captcha(),
      });
      const [text] = await app.sms("13800000004");
      expect((await byCode("13800000004", { id: data<ResetPrecheck>(pre).id, code: codeIn(text) })).status).toBe(400);
    });

    test("two accounts of one phone in different tenants are told apart by the tenant or the name", async () => {
      for (const name of ["shared-a", "shared-b"]) {
        expect((await register(name, "13911130002")).status).toBe(200);
        await app.pass(61);
      }
      const code = await sendCode("13911130002", "login");
      expect((await byCode("13911130002", code)).body.error).toBe("multi_tenant");
      expect((await byCode("13911130002", code, { username: "shared-b" })).body.account).toBe("shared-b");
      // Ambiguous as a login name: the password does not decide whose it is.
      expect((await logIn("13911130002")).body.error).toBe("invalid_grant");
    });
  });

  describe("reset of a password", () => {
    test("three steps set the password, end every session, lift the lock and tell the owner", async () => {
      await register("forgetful", "13911140001");
      const session = (await logIn("forgetful")).body;
      for (let at = 0; at < 5; at += 1) await logIn("forgetful", wrong);
      expect((await logIn("forgetful")).body.error_description).toBe("登录错误次数过多,请稍后再试");
      await app.pass(61);
      const ticket = await provenReset("13911140001");
      expect(ticket.accounts).toEqual(["forgetful"]);
      const fresh = md5("Barn-doors 8");
      expect(
        (await reset({ account: "forgetful", nonceKey: ticket.nonceKey, password: fresh, confirmPassword: fresh }))
          .status,
      ).toBe(200);
      expect((await app.call({ path: paths.info, token: session.access_token })).status).toBe(401);
      expect((await app.token({ grant_type: "refresh_token", refresh_token: session.refresh_token })).status).toBe(400);
      expect((await logIn("forgetful")).body.error).toBe("invalid_grant");
      const again = await logIn("forgetful", fresh);
      expect(again.status).toBe(200);
      const messages = await app.get<{ records: { title: string }[] }>(
        "/api/muyuan-message-center/message/page/user",
        again.body.access_token,
      );
      expect(messages.body.data.records.map(({ title }) => title)).toContain("密码已重置");
    });

    test("T15: the first step answers known and unknown numbers in one shape, and names no account", async () => {
      const answers = [];
      for (const phone of ["13800000002", "13911140002"]) {
        const answer = await app.call({
          method: "POST",
          path: paths.precheck,
          query: { phone },
          headers: await app.captcha(),
        });
        const { id, ...rest } = data<ResetPrecheck>(answer);
        expect(id).toMatch(/^[0-9a-f-]{36}$/);
        expect(JSON.stringify(answer.body)).not.toContain("farm");
        answers.push({ ...rest, phone: "", accounts: rest.accounts.map((text) => text.replace(/\d/g, "9")) });
      }
      expect(answers[0]).toEqual(answers[1]);
      // Only the message to the number itself shows that there is no account: no code goes there.
      await expect(provenReset("13911140099")).resolves.toMatchObject({ reason: "verification.code" });
      expect((await app.sms("13911140099"))[0]).toContain("没有绑定账号");
    });

    test("T16: no step can be left out, replayed or taken by another", async () => {
      await register("stepwise", "13911140003");
      await register("neighbour", "13911140004");
      await app.pass(61);
      for (const nonceKey of ["", "x", "undefined", "null", "0".repeat(43)]) {
        expect((await reset({ account: "stepwise", nonceKey })).body.msg).toBe("重置已失效，请重新验证手机号");
      }
      // The id of the SMS is no nonceKey.
      const pre = await app.call({
        method: "POST",
        path: paths.precheck,
        query: { phone: "13911140003" },
        headers: await app.captcha(),
      });
      expect((await reset({ account: "stepwise", nonceKey: data<ResetPrecheck>(pre).id })).status).toBe(400);
      await app.pass(61);
      const ticket = await provenReset("13911140003");
      // The neighbour's account is not in the ticket.
      expect((await reset({ account: "neighbour", nonceKey: ticket.nonceKey })).body.msg).toBe("请选择要重置的账号");
      expect((await logIn("neighbour")).status).toBe(200);
      // A mistake in the form does not use it up.
      expect((await reset({ account: "stepwise", nonceKey: ticket.nonceKey, confirmPassword: wrong })).body.msg).toBe(
        "两次密码不一致",
      );
      const winners = await Promise.all(
        Array.from({ length: 100 }, (_, at) => {
          const password = md5(`Barn-doors ${at}`);
          return reset({ account: "stepwise", nonceKey: ticket.nonceKey, password, confirmPassword: password });
        }),
      );
      expect(winners.filter(({ status }) => status === 200)).toHaveLength(1);
      await app.pass(61);
      const late = await provenReset("13911140003");
      await app.pass(601);
      expect((await reset({ account: "stepwise", nonceKey: late.nonceKey })).status).toBe(400);
    });

    test("needs a captcha for the first step", async () => {
      const answer = await app.call({ method: "POST", path: paths.precheck, query: { phone: "13800000002" } });
      expect(answer.body).toMatchObject({ code: 400, msg: "验证码不正确" });
    });
  });

  describe("retrieval of account names", () => {
    test("T15: the answer is the same for every number; the names go out by SMS", async () => {
      const ask = async (mobilePhone: string) =>
        (await app.call({ path: paths.retrieve, query: { mobilePhone }, headers: await app.captcha() })).body;
      expect(await ask("13800000002")).toEqual(await ask("13911150001"));
      expect((await app.sms("13800000002"))[0]).toContain("farm");
      expect((await app.sms("13911150001"))[0]).toContain("没有绑定账号");
      expect((await app.call({ path: paths.retrieve, query: { mobilePhone: "13800000002" } })).body.msg).toBe(
        "验证码不正确",
      );
    });
  });

  describe("change of a password", () => {
    test("checks the old one, ends the other sessions, keeps this one, and tells the owner", async () => {
      await register("changer", "13911160001");
      const [here, there] = [(await logIn("changer")).body.access_token, (await logIn("changer")).body.access_token];
      const fresh = md5("Barn-doors 9");
      const change = (oldPassword: string, newPassword: string, newPassword1 = newPassword) =>
        app.call({ method: "POST", path: paths.update, token: here, body: { oldPassword, newPassword, newPassword1 } });
      expect((await change(wrong, fresh)).body.msg).toBe("原密码不正确!");
      expect((await change(good, fresh, wrong)).body.msg).toBe("请输入正确的确认密码!");
      expect((await change(good, good)).body.msg).toBe("新密码不能与原密码相同");
      expect((await change(good, md5("Password1"))).body.msg).toBe("密码过于常见，请换一个");
      expect((await change(good, fresh)).status).toBe(200);
      expect((await app.call({ path: paths.info, token: here })).status).toBe(200);
      expect((await app.call({ path: paths.info, token: there })).status).toBe(401);
      expect((await logIn("changer", fresh)).status).toBe(200);
    });

    test("wrong old passwords count like those of a log-in", async () => {
      await register("guessed", "13911160002");
      const token = (await logIn("guessed")).body.access_token;
      const change = (oldPassword: string) =>
        app.call({
          method: "POST",
          path: paths.update,
          token,
          query: { oldPassword, newPassword: wrong, newPassword1: wrong },
        });
      for (let at = 0; at < 5; at += 1) expect((await change(md5(`guess ${at}`))).body.msg).toBe("原密码不正确!");
      expect((await change(good)).body.msg).toBe("登录错误次数过多,请稍后再试");
      expect((await logIn("guessed")).body.error_description).toBe("登录错误次数过多,请稍后再试");
    });

    test("who must choose a new password can do nothing else until then", async () => {
      await register("reset-by-admin", "13911160003");
      await app.test.database.pool.query(
        "update accounts set password_must_change = true where account = 'reset-by-admin'",
      );
      const { body } = await logIn("reset-by-admin");
      expect(body.detail).toEqual({ type: "web", mustChangePassword: true });
      const token = body.access_token;
      expect(await app.call({ path: "/api/muyuan-iot/device/page", token })).toMatchObject({
        status: 412,
        body: { code: 412, msg: "请先修改密码" },
      });
      expect(data<UserInfo>(await app.call({ path: paths.info, token })).mustChangePassword).toBe(true);
      const fresh = md5("Barn-doors 10");
      await app.call({
        method: "POST",
        path: paths.update,
        token,
        body: { oldPassword: good, newPassword: fresh, newPassword1: fresh },
      });
      expect((await app.call({ path: "/api/muyuan-iot/device/page", token })).status).toBe(200);
    });
  });

  test("T36, T12: numbers, codes and passwords stand neither in the database nor in the log", async () => {
    await register("canary-account", "13987654321");
    await provenReset("13987654321").catch(() => undefined);
    const texts = await app.sms("13987654321");
    const { rows } = await app.test.database.pool.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    let dump = app.logged.join("");
    for (const { name } of rows) {
      const held = await app.test.database.pool.query(
        `select coalesce(string_agg(t::text, ' '), '') as text from "${name}" t`,
      );
      dump += held.rows[0].text;
    }
    expect(texts.length).toBeGreaterThan(0);
    for (const canary of ["13987654321", "13800000002", good, demoPassword, md5(demoPassword), ...texts])
      expect(dump).not.toContain(canary);
  });
});
