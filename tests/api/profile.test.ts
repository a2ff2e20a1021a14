import type { Address, ContactChange, ContactState, Profile } from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { md5 } from "../harness/session.ts";
import { picture, upload } from "../harness/upload.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => app.pass(86_401));

const user = "/api/muyuan-system/cms-user";
const password = md5("Barn-doors 7");
const codeIn = (text: string | undefined) => /\d{6}/.exec(text ?? "")?.[0] ?? "";
const data = <T>(answer: { body: { data?: unknown } }) => answer.body.data as T;
let number = 13_911_220_000;
const nextPhone = () => {
  number += 1;
  return String(number);
};

/** Somebody with an account, a proven phone and a session of now. */
async function person(): Promise<{ name: string; phone: string; token: string; id: string }> {
  const phone = nextPhone();
  const name = `person${phone}`;
  const sent = await app.call({
    method: "POST",
    path: "/api/muyuan-resource/sms/endpoint/skip-secure/send-validate",
    query: { mobilePhone: phone, purpose: "register" },
    headers: await app.captcha(),
  });
  const [text] = await app.sms(phone);
  await app.call({
    method: "POST",
    path: `${user}/skip-secure/register`,
    headers: { "captcha-key": data<{ id: string }>(sent).id, "captcha-code": codeIn(text) },
    body: { username: name, mobilePhone: phone, password, confirmPassword: password },
  });
  const token = await logIn(name);
  await app.pass(86_401);
  return { name, phone, token, id: data<Profile>(await app.get(`${user}/profile`, token)).id };
}
async function logIn(name: string): Promise<string> {
  const { body } = await app.token({ grant_type: "captcha", username: name, password }, await app.captcha());
  return body.access_token;
}
const post = (path: string, token: string, body: unknown = {}) =>
  app.call({ method: "POST", path: path.startsWith("/") ? path : `${user}/${path}`, token, body });
async function codeFor(token: string, to: string, phone: string, value = phone) {
  const sent = await post("contact/send-code", token, { to, value });
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);
  const [text] = await app.sms(phone);
  // The next code to the same number has to wait otherwise.
  await app.pass(61);
  return { id: data<{ id: string }>(sent).id, code: codeIn(text) };
}
async function prove(token: string, phone: string): Promise<string> {
  const proof = await post("contact/prove", token, { by: "old_phone", ...(await codeFor(token, "old-phone", phone)) });
  return data<{ ticket: string }>(proof).ticket;
}
/** The whole change with the old number in hand. */
async function change(token: string, from: string, to: string) {
  const ticket = await prove(token, from);
  return post("contact/change-phone", token, { ticket, phone: to, ...(await codeFor(token, "new-phone", to)) });
}
const stateOf = async (token: string) => data<ContactState>(await app.get(`${user}/contact`, token));
const reasonOf = (answer: { body: { data?: unknown } }) =>
  (answer.body.data as { reason?: string } | undefined)?.reason;
const backOf = async (phone: string) => {
  const sent = await app.call({
    method: "POST",
    path: `${user}/skip-secure/phone-back/send-code`,
    query: { mobilePhone: phone },
    headers: await app.captcha(),
  });
  const [text] = await app.sms(phone);
  return app.call({
    method: "POST",
    path: `${user}/skip-secure/phone-back`,
    query: { mobilePhone: phone },
    headers: { "captcha-key": data<{ id: string }>(sent).id, "captcha-code": codeIn(text) },
  });
};
const eventsOf = async (token: string, group = "") =>
  data<{ records: { kind: string; detail: string }[] }>(
    await app.get(`${user}/event/page?size=50${group && `&group=${group}`}`, token),
  ).records;

describe("basic information", () => {
  test("is read and changed by its person; what is left out stays; phone and e-mail need a proof", async () => {
    const { token, id, phone } = await person();
    const saved = await post("/api/muyuan-system/user/update-info", token, {
      name: " 老周 ",
      realName: "周建平",
      sex: 1,
    });
    expect(data<Profile>(saved)).toMatchObject({ id, nickName: "老周", realName: "周建平", sex: 1, birthday: "" });
    expect(data<Profile>(saved).phone).toBe(`${phone.slice(0, 3)}****${phone.slice(-4)}`);
    const day = await post("/api/muyuan-system/user/update-info", token, { birthday: "1980-02-29" });
    expect(data<Profile>(day)).toMatchObject({ nickName: "老周", birthday: "1980-02-29" });
    for (const [body, reason] of [
      [{ name: "" }, "profile.nick_name"],
      [{ name: "x".repeat(31) }, "profile.nick_name"],
      [{ realName: "六个字的名字" }, "users.real_name"],
      [{ birthday: "2023-02-29" }, "users.birthday"],
      [{ birthday: "2999-01-01" }, "users.birthday"],
      [{ phone: "13900000000" }, "profile.contact_needs_proof"],
      [{ email: "somebody@example.cn" }, "profile.contact_needs_proof"],
      [{ avatar: "https://elsewhere.example/a.png" }, "profile.avatar"],
      [{ id: "1" }, "profile.not_own"],
    ] as const) {
      expect(reasonOf(await post("/api/muyuan-system/user/update-info", token, body)), JSON.stringify(body)).toBe(
        reason,
      );
    }
    for (const [typed, stored] of [
      ["买买提・吐尔逊\u200b", "买买提·吐尔逊"],
      ["\u00a0周\u3000建平 ", "周建平"],
    ] as const) {
      const named = await post("/api/muyuan-system/user/update-info", token, { realName: typed });
      expect(data<Profile>(named).realName).toBe(stored);
    }
    // A name that was taken before stays where it is sent back.
    await app.test.database.pool.query("update accounts set real_name = '六个字的 名字' where id = $1", [id]);
    const earlier = await post("/api/muyuan-system/user/update-info", token, {
      name: "老\u200b周",
      realName: "六个字的 名字",
    });
    expect(data<Profile>(earlier)).toMatchObject({ nickName: "老周", realName: "六个字的 名字" });
    // A client sends back what it read.
    const same = await post("/api/muyuan-system/user/update-info", token, {
      phone: data<Profile>(day).phone,
      email: "",
    });
    expect(same.status).toBe(200);
  });

  test("a picture of one's own becomes the avatar, that of somebody else does not", async () => {
    const [one, other] = [await person(), await person()];
    const { link } = data<{ link: string }>(await upload(app, one.token, await picture("png"), "me.png"));
    const taken = await post("/api/muyuan-system/user/update-info", other.token, { avatar: link });
    expect(reasonOf(taken)).toBe("profile.avatar");
    const own = await post("/api/muyuan-system/user/update-info", one.token, { avatar: link });
    expect(data<Profile>(own).avatar).toBe(link);
    const none = await post("/api/muyuan-system/user/update-info", one.token, { avatar: "" });
    expect(data<Profile>(none).avatar).toBe("");
  });

  test("an address is kept encrypted, by code or by names, and is nobody else's", async () => {
    const [one, other] = [await person(), await person()];
    const save = (body: unknown) => post("/api/muyuan-system/cms-address/save", one.token, body);
    const byCode = await save({ regionCode: "411325", address: "灌涨镇前湾村 18 号" });
    expect(data<Address>(byCode)).toMatchObject({
      id: one.id,
      provinceName: "河南省",
      cityName: "南阳市",
      areaName: "内乡县",
      address: "灌涨镇前湾村 18 号",
    });
    const byName = await save({ provinceName: "河南省", cityName: "南阳市", areaName: "", address: "x" });
    expect(data<Address>(byName)).toMatchObject({ regionCode: "4113", areaName: "" });
    expect(reasonOf(await save({ regionCode: "999999" }))).toBe("profile.region");
    expect(reasonOf(await save({ provinceName: "河南省", cityName: "武汉市" }))).toBe("profile.region");
    expect(reasonOf(await save({ address: "长".repeat(101) }))).toBe("profile.address");
    const { rows } = await app.test.database.pool.query("select address_encrypted from addresses");
    expect(JSON.stringify(rows)).not.toContain("前湾");
    const foreign = await app.get(`/api/muyuan-system/cms-address/detail?id=${one.id}`, other.token);
    expect(foreign.status).toBe(404);
    expect(data<Address>(await app.get("/api/muyuan-system/cms-address/detail", other.token)).id).toBe("");
  });
});

describe("the phone", () => {
  test("changes with codes from both numbers; the old one is told, other sessions end, the history says it", async () => {
    const { token, name, phone } = await person();
    const elsewhere = await logIn(name);
    const next = nextPhone();
    const changed = await change(token, phone, next);
    expect(data<ContactChange>(changed)).toMatchObject({ kind: "phone", state: "done", provenBy: "old_phone" });
    expect((await app.sms(phone))[0]).toContain("/phoneBack");
    expect(await stateOf(token)).toMatchObject({
      phone: `${next.slice(0, 3)}****${next.slice(-4)}`,
      phoneProven: true,
    });
    expect((await app.get(`${user}/profile`, elsewhere)).status).toBe(401);
    const kinds = (await eventsOf(token)).map(({ kind }) => kind);
    expect(kinds).toEqual(["phone_changed", "phone_proven", "log_in", "log_in"]);
    expect(JSON.stringify(await eventsOf(token))).not.toContain(next);
    expect((await eventsOf(token, "log_in")).map(({ kind }) => kind)).toEqual(["log_in", "log_in"]);
  });

  test("stays without the right proof: wrong code, somebody else's ticket, a ticket twice, no fresh password", async () => {
    const [one, other] = [await person(), await person()];
    const next = nextPhone();
    const wrong = await post("contact/prove", one.token, {
      by: "old_phone",
      ...(await codeFor(one.token, "old-phone", one.phone)),
      code: "000000",
    });
    expect(reasonOf(wrong)).toBe("verification.code");
    // A code for another purpose is none.
    const forNew = await codeFor(one.token, "new-phone", next);
    expect(reasonOf(await post("contact/prove", one.token, { by: "old_phone", ...forNew }))).toBe("verification.code");
    const ticket = await prove(one.token, one.phone);
    const stolen = await post("contact/change-phone", other.token, {
      ticket,
      phone: next,
      ...(await codeFor(other.token, "new-phone", next)),
    });
    expect(reasonOf(stolen)).toBe("profile.proof_over");
    await app.test.database.pool.query("update sessions set confirmed_at = now() - interval '6 minutes'");
    const stale = await post("contact/change-phone", one.token, {
      ticket,
      phone: next,
      ...(await codeFor(one.token, "new-phone", next)),
    });
    expect([stale.status, reasonOf(stale)]).toEqual([403, "identity.confirm_first"]);
    await post("/api/muyuan-auth/session/confirm", one.token, { password });
    const codes = await codeFor(one.token, "new-phone", next);
    const [first, second] = await Promise.all(
      [1, 2].map(() => post("contact/change-phone", one.token, { ticket, phone: next, ...codes })),
    );
    expect([first?.status, second?.status].toSorted()).toEqual([200, 400]);
    const again = nextPhone();
    const used = await post("contact/change-phone", one.token, {
      ticket,
      phone: again,
      ...(await codeFor(one.token, "new-phone", again)),
    });
    expect(reasonOf(used)).toBe("profile.proof_over");
  });

  test("comes back to the owner of the old number within seven days, and everybody is logged out", async () => {
    const { token, name, phone } = await person();
    await change(token, phone, nextPhone());
    await app.pass(3601);
    const back = await backOf(phone);
    expect(data<{ accounts: string[] }>(back).accounts).toEqual([name]);
    expect((await app.get(`${user}/profile`, token)).status).toBe(401);
    const fresh = await logIn(name);
    expect((await stateOf(fresh)).phone.slice(-4)).toBe(phone.slice(-4));
    await app.pass(3601);
    expect(reasonOf(await backOf(phone))).toBe("profile.nothing_to_take_back");

    const late = await person();
    await change(late.token, late.phone, nextPhone());
    await app.test.database.pool.query(
      "update contact_changes set take_back_until = now() - interval '1 second' where account_id = $1",
      [late.id],
    );
    await app.pass(3601);
    expect(reasonOf(await backOf(late.phone))).toBe("profile.nothing_to_take_back");
  });

  describe("without the old number", () => {
    /** The demo's owner, whose authentication holds an ID number: a copy of the person's session and what the number ends with. */
    async function authenticated() {
      const one = await person();
      const { rows } = await app.test.database.pool.query<{ tenant_id: string }>(
        "select tenant_id from memberships where account_id = $1",
        [one.id],
      );
      const cipher = app.personalCipher;
      const applicationId = app.nextId();
      await app.test.database.pool.query(
        `insert into real_name_applications (id, tenant_id, kind, state, title, subject_index, submitted_by)
         values ($1, $2, 'personal', 'passed', '周建平', $3, $4)`,
        [applicationId, rows[0]?.tenant_id, cipher.index(`real name ${one.id}`), one.id],
      );
      await app.test.database.pool.query(
        "insert into real_name_items (real_name_application_id, field, value_encrypted) values ($1, 'idNumber', $2)",
        [applicationId, cipher.encrypt("41132519800229123X")],
      );
      return one;
    }
    const ask = async (token: string, to: string) => {
      const proof = await post("contact/prove", token, { by: "identity", lastSix: "29123x" });
      return post("contact/change-phone", token, {
        ticket: data<{ ticket: string }>(proof).ticket,
        phone: to,
        ...(await codeFor(token, "new-phone", to)),
      });
    };

    test("it waits 48 hours and then takes effect; all sessions end", async () => {
      const { token, name, phone, id } = await authenticated();
      const next = nextPhone();
      expect(await stateOf(token)).toMatchObject({ identityCheck: true });
      expect(data<ContactChange>(await ask(token, next))).toMatchObject({ state: "waiting", provenBy: "identity" });
      expect((await app.sms(phone))[0]).toContain("48 小时后");
      await app.runJob("profile.contact-changes");
      expect(await stateOf(token)).toMatchObject({ phone: `${phone.slice(0, 3)}****${phone.slice(-4)}` });
      expect(reasonOf(await ask(token, nextPhone()))).toBe("profile.change_waits");
      await app.test.database.pool.query(
        "update contact_changes set effective_at = now() - interval '1 second' where account_id = $1",
        [id],
      );
      await app.runJob("profile.contact-changes");
      expect((await app.get(`${user}/profile`, token)).status).toBe(401);
      const fresh = await logIn(name);
      expect((await stateOf(fresh)).phone.slice(-4)).toBe(next.slice(-4));
    });

    test("it is stopped by a session, or by the owner of the old number", async () => {
      const one = await authenticated();
      const { id } = data<ContactChange>(await ask(one.token, nextPhone()));
      const foreign = await post("contact/withdraw", (await person()).token, { id });
      expect(reasonOf(foreign)).toBe("profile.nothing_waits");
      expect((await post("contact/withdraw", one.token, { id })).status).toBe(200);
      expect((await stateOf(one.token)).waiting).toBeUndefined();

      const other = await authenticated();
      await ask(other.token, nextPhone());
      await app.pass(3601);
      expect(data<{ accounts: string[] }>(await backOf(other.phone)).accounts).toEqual([other.name]);
      await app.test.database.pool.query("update contact_changes set effective_at = now() - interval '1 second'");
      await app.runJob("profile.contact-changes");
      expect((await stateOf(await logIn(other.name))).phone.slice(-4)).toBe(other.phone.slice(-4));
    });

    test("the digits are compared five times a day, and only after a fresh password", async () => {
      const { token } = await authenticated();
      const guess = (lastSix: string) => post("contact/prove", token, { by: "identity", lastSix });
      for (let time = 0; time < 5; time += 1) expect(reasonOf(await guess("000000"))).toBe("profile.identity");
      expect(reasonOf(await guess("29123X"))).toBe("profile.identity_spent");
      await app.test.database.pool.query("update sessions set confirmed_at = now() - interval '6 minutes'");
      expect((await guess("29123X")).status).toBe(403);
      const nobody = await person();
      const none = await post("contact/prove", nobody.token, { by: "identity", lastSix: "29123X" });
      expect(reasonOf(none)).toBe("profile.no_identity");
    });
  });
});

describe("the e-mail", () => {
  const mails = async (to: string): Promise<string[]> => {
    const { body } = await app.call({ path: "/dev/outbox.json" });
    return (body as unknown as { to: string; text: string }[]).filter((one) => one.to === to).map(({ text }) => text);
  };
  const bind = async (token: string, email: string) => {
    const sent = await post("contact/send-code", token, { to: "email", value: email });
    const [text] = await mails(email);
    return post("contact/change-email", token, { email, id: data<{ id: string }>(sent).id, code: codeIn(text) });
  };

  test("is bound by a code that came there, changed, and removed; the old address is told", async () => {
    const { token } = await person();
    expect(data<ContactState>(await bind(token, "zhou@example.cn"))).toMatchObject({
      email: "z***@example.cn",
      emailProven: true,
    });
    await bind(token, "zhou.new@example.cn");
    // Messages of the account may be sent by mail in between.
    expect(await mails("zhou@example.cn")).toContainEqual(expect.stringContaining("您的邮箱已更换"));
    const removed = await post("contact/change-email", token, { email: "" });
    expect(data<ContactState>(removed)).toMatchObject({ email: "", emailProven: false });
    expect(await mails("zhou.new@example.cn")).toContainEqual(expect.stringContaining("已解绑"));
    expect(reasonOf(await post("contact/change-email", token, { email: "" }))).toBe("profile.no_email");
  });

  test("a code is for one address and one person, five tries, and a fresh password", async () => {
    const [one, other] = [await person(), await person()];
    const sent = await post("contact/send-code", one.token, { to: "email", value: "one@example.cn" });
    const { id } = data<{ id: string }>(sent);
    const [text] = await mails("one@example.cn");
    const code = codeIn(text);
    const tried = (token: string, email: string, digits: string) =>
      post("contact/change-email", token, { email, id, code: digits });
    expect(reasonOf(await tried(other.token, "one@example.cn", code))).toBe("profile.mail_code");
    expect(reasonOf(await tried(one.token, "two@example.cn", code))).toBe("profile.mail_code");
    for (let time = 0; time < 3; time += 1)
      expect(reasonOf(await tried(one.token, "one@example.cn", "000000"))).toBe("profile.mail_code");
    expect(reasonOf(await tried(one.token, "one@example.cn", code))).toBe("profile.mail_code");
    expect(reasonOf(await post("contact/send-code", one.token, { to: "email", value: "no mail" }))).toBe("users.email");
    await app.test.database.pool.query("update sessions set confirmed_at = now() - interval '6 minutes'");
    expect((await tried(one.token, "one@example.cn", code)).status).toBe(403);
  });
});
