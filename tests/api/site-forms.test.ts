import { type Page, siteFormNumberPattern } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp, webBuild } from "../harness/app.ts";
import { md5 } from "../harness/session.ts";

let app: TestApp;
let admin: string;
let owner: string;
beforeAll(async () => {
  app = await createTestApp({ PUBLIC_URL: "https://portal.example" }, {}, webBuild);
  admin = await app.logIn("admin");
  owner = await app.logIn("farm");
});
afterAll(() => app.close());

const base = "/api/muyuan-content/form";
type Refused = { reason?: string; problems?: { field: string; reason: string }[] };
interface Form extends Record<string, unknown> {
  id: string;
  version: number;
  state: string;
  contactPhone: string;
  contactEmail: string;
  assigneeName: string;
}
const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query(text, values)).rows as Row[];
const call = async <Data>(path: string, body: unknown, token = admin, headers: Record<string, string> = {}) => {
  const answer = await app.call({ method: "POST", path: `${base}/${path}`, body, headers, ...(token && { token }) });
  return { status: answer.status, data: answer.body.data as Data & Refused };
};

let phones = 0;
const newPhone = (): string => {
  phones += 1;
  return `139${String(10_000_000 + phones)}`;
};
const whole = (more: Record<string, unknown> = {}) => ({
  kind: "feedback",
  contactName: "王小明",
  contactPhone: newPhone(),
  content: "页面很清楚",
  consent: true,
  ...more,
});
const send = async (body: Record<string, unknown>, headers?: Record<string, string>) =>
  call<{ number: string }>("skip-secure/send", body, "", headers ?? (await app.captcha()));
const sent = async (more: Record<string, unknown> = {}): Promise<{ number: string; row: Form }> => {
  const { status, data } = await send(whole(more));
  expect([status, data.reason]).toEqual([200, undefined]);
  expect(data.number).toMatch(new RegExp(siteFormNumberPattern));
  const found = await app.call({ path: `${base}/page`, query: { formNumber: data.number }, token: admin });
  const [row] = (found.body.data as Page<Form>).records;
  if (row === undefined) throw new Error("the form is not at the desk");
  return { number: data.number, row };
};
const kept = async (): Promise<number> =>
  Number((await sql<{ count: string }>("select count(*) from site_forms"))[0]?.count);

describe("what a visitor sends", () => {
  test("comes to the desk with a number, its sender encrypted and masked, and the desk is told", async () => {
    const { number, row } = await sent({ contactPhone: "+86 138-1234-5678", contactEmail: "wang@example.com" });
    expect(row).toMatchObject({
      state: "new",
      kind: "feedback",
      contactPhone: "138****5678",
      formLanguage: "zh",
      assigneeName: "",
      content: "页面很清楚",
    });
    expect(row.contactEmail).not.toContain("wang@");
    const [stored] = await sql<{ text: string }>("select f::text as text from site_forms f where form_number = $1", [
      number,
    ]);
    expect(stored?.text).not.toMatch(/13812345678|wang@example/);
    const told = await sql<{ link: string; content: string }>(
      "select link, content from messages where link like '/content/form%' order by id desc limit 1",
    );
    expect(told).toEqual([{ link: `/content/form?row=${row.id}`, content: `${number} · 意见反馈` }]);
  });

  test("has its sender's name and phone in one form, however they were typed", async () => {
    for (const [typed, stored] of [
      ["+86 138 0013 8000", "13800138000"],
      ["138 0013 8000", "13800138000"],
      ["（0377）6231234", "0377-6231234"],
      ["400-800-1234", "400-800-1234"],
    ] as const) {
      const { number } = await sent({ contactPhone: typed, contactName: "古丽努尔•阿卜杜热西提\u00a0" });
      const [row] = await sql<{ name: string; phone: string }>(
        "select contact_name as name, contact_phone_encrypted as phone from site_forms where form_number = $1",
        [number],
      );
      expect([typed, row?.name, app.personalCipher.decrypt(row?.phone ?? "")]).toEqual([
        typed,
        "古丽努尔·阿卜杜热西提",
        stored,
      ]);
    }
  });

  test("is refused at its field, and nothing of it is kept", async () => {
    const before = await kept();
    const cases: readonly (readonly [Record<string, unknown>, string, string])[] = [
      [{ consent: false }, "form.consent", "consent"],
      [{ contactName: "" }, "row.invalid", "contactName"],
      [{ contactName: "六个字的名字" }, "row.invalid", "contactName"],
      [{ contactName: "\u200b\u202e" }, "row.invalid", "contactName"],
      [{ contactPhone: "12345" }, "row.invalid", "contactPhone"],
      [{ contactEmail: "no address" }, "row.invalid", "contactEmail"],
      [{ content: " " }, "form.nothing_said", "content"],
      [{ kind: "solution", solution: "biosafety", content: "" }, "form.nothing_said", "content"],
      [{ content: "长".repeat(1001) }, "row.invalid", "content"],
      [{ regionCode: "Henan" }, "row.invalid", "regionCode"],
      [{ kind: "service", product: "rocket" }, "row.invalid", "product"],
      [{ kind: "solution", solution: "privacy" }, "row.invalid", "solution"],
      [{ kind: "partner", partnerKind: "rocket" }, "row.invalid", "partnerKind"],
      [{ kind: "service", service: "1" }, "row.not_found", "service"],
      [{ kind: "service", wishedOn: "2020-01-01" }, "form.wished_past", "wishedOn"],
      [{ kind: "service", wishedOn: "2099-01-01" }, "form.wished_past", "wishedOn"],
    ];
    for (const [more, reason, field] of cases) {
      const { status, data } = await send(whole(more));
      expect([JSON.stringify(more).slice(0, 60), status, data.reason, data.problems?.[0]?.field]).toEqual([
        JSON.stringify(more).slice(0, 60),
        reason === "row.not_found" ? 404 : 400,
        reason,
        field,
      ]);
    }
    expect(await kept()).toBe(before);
  });

  test("decides nothing that is the desk's: state, note and who works on it", async () => {
    const { number, row } = await sent({ state: "done", note: "x", assigneeId: "1", formNumber: "BD-000000-AAAA" });
    expect(row).toMatchObject({ state: "new", note: "", assigneeName: "" });
    expect(number).not.toBe("BD-000000-AAAA");
  });

  test("needs a captcha that was passed, each once; a look at it needs none and keeps nothing", async () => {
    const before = await kept();
    expect((await send(whole(), {})).data.reason).toBe("captcha.wrong");
    expect((await send(whole(), { "captcha-key": "x", "captcha-code": "" })).data.reason).toBe("captcha.wrong");
    const passed = await app.captcha();
    const looked = await send(whole({ check: true }), {});
    expect([looked.status, looked.data.number]).toEqual([200, ""]);
    expect((await send(whole({ check: true, contactName: "" }), {})).data.reason).toBe("row.invalid");
    expect(await kept()).toBe(before);
    expect((await send(whole(), passed)).status).toBe(200);
    expect((await send(whole(), passed)).data.reason).toBe("captcha.wrong");
    expect(await kept()).toBe(before + 1);
  });

  test.each([
    [
      "a mobile phone",
      ["13700000001", "+8613700000001", "137 0000 0001", "１３７０００００００１", "0086 137-0000-0001"],
    ],
    ["a landline", ["0371-60000001", "037160000001", "0371-60000001-8", "0371-60000001-12", "037160000001-3"]],
  ])("counts for %s however it is written: five a day", async (_, forms) => {
    for (const contactPhone of forms) expect((await send(whole({ contactPhone }))).status, contactPhone).toBe(200);
    for (const contactPhone of forms) {
      const { status, data } = await send(whole({ contactPhone }));
      expect([contactPhone, status, data.reason]).toEqual([contactPhone, 429, "form.too_many"]);
    }
    await app.pass(86_401);
    expect((await send(whole({ contactPhone: forms[0] }))).status).toBe(200);
  });
});

describe("the desk", () => {
  const confirm = () =>
    app.call({
      method: "POST",
      path: "/api/muyuan-auth/session/confirm",
      body: { password: md5(demoPassword) },
      token: admin,
    });

  test("takes a form, which then is in work, and closes it with what came of it", async () => {
    const { row } = await sent();
    expect((await call("take", { id: row.id })).status).toBe(200);
    const [taken] = (
      (await app.call({ path: `${base}/page`, query: { formNumber: String(row.formNumber) }, token: admin })).body
        .data as Page<Form>
    ).records;
    expect(taken).toMatchObject({ state: "working", version: 2 });
    expect(taken?.assigneeName).not.toBe("");
    const end = (more: Record<string, unknown>) =>
      call<Form>("submit", { id: row.id, version: 2, state: "done", ...more });
    expect((await end({})).data.problems?.[0]).toMatchObject({ field: "note", reason: "form.end_untold" });
    expect((await end({ note: "已回电，约了勘测" })).status).toBe(200);
    expect((await call("take", { id: "1" })).status).toBe(404);
  });

  test("sees phone and e-mail in full after its own password, and the trail says who looked", async () => {
    const { row } = await sent({ contactPhone: "13600000009", contactEmail: "li@example.com" });
    await sql("update sessions set confirmed_at = null, created_at = now() - interval '1 hour'");
    expect((await call("reveal", { id: row.id })).data.reason).toBe("identity.confirm_first");
    await confirm();
    const { data } = await call<{ contactPhone: string; contactEmail: string }>("reveal", { id: row.id });
    expect(data).toMatchObject({ contactPhone: "13600000009", contactEmail: "li@example.com" });
    const looks = await sql(
      "select from audit_entries where resource = 'site_form' and row_id = $1 and action = 'view'",
      [row.id],
    );
    expect(looks).toHaveLength(1);
    expect((await call("reveal", { id: "1" })).status).toBe(404);
  });

  test("is the group's: a customer neither reads nor takes nor sees a sender", async () => {
    const { row } = await sent();
    for (const path of ["take", "reveal"]) expect((await call(path, { id: row.id }, owner)).status, path).toBe(403);
    expect((await app.call({ path: `${base}/page`, token: owner })).status).toBe(403);
    expect((await app.call({ path: `${base}/page` })).status).toBe(401);
  });

  test("forgets who sent what was closed a year ago, and nothing else", async () => {
    const [old, fresh] = [await sent(), await sent()];
    await sql(
      "update site_forms set state = 'done', note = 'x', updated_at = now() - (case when id = $1 then 366 else 364 end) * interval '1 day' where id in ($1, $2)",
      [old.row.id, fresh.row.id],
    );
    await app.runJob("site-forms.forget");
    const rows = await sql<{ name: string; phone: string; note: string }>(
      "select contact_name as name, contact_phone_encrypted as phone, note from site_forms where id in ($1, $2) order by id = $1 desc",
      [old.row.id, fresh.row.id],
    );
    expect(rows[0]).toEqual({ name: "***", phone: "", note: "x" });
    expect(rows[1]?.name).toBe("王小明");
    expect(rows[1]?.phone).not.toBe("");
  });
});

describe("a page with a form, without any script", () => {
  beforeAll(async () => {
    const content = async (path: string, body: Record<string, unknown>) =>
      (await app.call({ method: "POST", path: `/api/muyuan-content/article/${path}`, body, token: admin })).body
        .data as { id: string; version: number };
    const page = { title: "生物安全", channel: "solution", page: "biosafety", summary: "洗消与隔离" };
    const { id, version } = await content("submit", page);
    const { article } = (await content("write", { id, version, body: "<p>正文</p>" })) as unknown as {
      article: { version: number };
    };
    await content("publish", { id, version: article.version });
  });
  const post = (path: string, values: Record<string, string>, headers: Record<string, string> = {}) =>
    app.http.inject({
      method: "POST",
      url: path,
      headers: { "content-type": "application/x-www-form-urlencoded", "user-agent": "a browser", ...headers },
      payload: new URLSearchParams(values).toString(),
    });
  const filled = (more: Record<string, string> = {}) => ({
    kind: "service",
    contactName: "赵一",
    contactPhone: newPhone(),
    content: "除臭塔压差高",
    consent: "on",
    ...more,
  });
  const keyIn = (html: string): string => /name="captchaKey" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const solved = async (key: string): Promise<string> =>
    (JSON.parse((await app.store.get(`captcha:proof:${key}`)) ?? "{}") as { expected: string }).expected;

  test("takes it in two steps and answers with the number", async () => {
    const values = filled();
    const first = await post("/service/productApply", values);
    expect(first.statusCode).toBe(200);
    expect(first.headers["cache-control"]).toBe("no-store");
    expect(first.body).toContain('value="赵一"');
    const wrong = await post("/service/productApply", {
      ...values,
      captchaKey: keyIn(first.body),
      captchaCode: "nonono",
    });
    expect(wrong.body).toContain("验证码不正确");
    expect(keyIn(wrong.body)).not.toBe(keyIn(first.body));
    const again = await post("/service/productApply", {
      ...values,
      captchaKey: keyIn(wrong.body),
      captchaCode: "",
      again: "1",
    });
    const key = keyIn(again.body);
    expect(key).not.toBe("");
    const before = await kept();
    const done = await post("/service/productApply", { ...values, captchaKey: key, captchaCode: await solved(key) });
    expect(done.statusCode).toBe(303);
    expect(await kept()).toBe(before + 1);
    const there = String(done.headers.location);
    expect(there).toMatch(/^\/service\/productApply\?sent=BD-\d{6}-[0-9A-Z]{4}#form$/);
    const page = await app.http.inject({ url: there.replace("#form", "") });
    expect(page.body).toMatch(/已收到，编号 BD-\d{6}-[0-9A-Z]{4}/);
    expect(page.body).toContain('name="robots" content="noindex');
  });

  test.each([
    ["/service/productApply", "service"],
    ["/service/feedback", "feedback"],
    ["/partner", "partner"],
    ["/solution/biosafety", "solution"],
  ])("%s says what is wrong at the field, in both languages, and keeps what was typed", async (path, kind) => {
    const values = filled({ kind, contactPhone: "123", contactName: '"><script>alert(1)</script>' });
    for (const [language, words] of [
      ["zh", "请输入正确的电话号码"],
      ["en", "Enter a valid phone number"],
    ] as const) {
      const answer = await post(`${path}?lang=${language}`, values);
      expect([path, language, answer.statusCode]).toEqual([path, language, 400]);
      expect(answer.body).toContain(words);
      expect(answer.body).toContain("除臭塔压差高");
      expect(answer.body).not.toContain("<script>alert(1)");
      expect(keyIn(answer.body)).toBe("");
    }
  });

  test("says nothing of its own that an address puts into it", async () => {
    for (const word of ["BD-1", "<b>x</b>", "BD-261124-ABCD<b>"]) {
      const { body } = await app.http.inject({ url: `/service/productApply?sent=${encodeURIComponent(word)}` });
      expect(body, word).not.toContain("已收到");
    }
  });

  test("T20: takes the form of no other site, and its own at whatever address the portal is opened", async () => {
    const asked = (headers: Record<string, string>) => post("/service/productApply", filled(), headers);
    for (const origin of ["https://evil.example", "null", "", "http://localhost.evil.example", "file://"])
      expect((await asked({ origin, host: "farm.example" })).statusCode, origin).toBe(403);
    expect((await asked({ origin: "https://farm.example", host: "farm.example" })).statusCode).toBe(200);
    expect((await asked({ origin: "https://portal.example", host: "10.0.0.5:8080" })).statusCode).toBe(200);
    expect((await asked({})).statusCode).toBe(200);
  });

  test("takes nothing but forms, and where there is none nothing at all", async () => {
    const json = await app.http.inject({
      method: "POST",
      url: "/service/productApply",
      headers: { "content-type": "application/json" },
      payload: "{}",
    });
    expect(json.statusCode).toBe(404);
    for (const path of ["/index", "/login", "/legal/privacy", "/no/such/page"])
      expect((await post(path, filled())).statusCode, path).toBe(404);
    // Neither a legal text nor a solution that is not published is a page with a form.
    for (const path of ["/solution/privacy", "/solution/wisdom", "/solution/constructor"]) {
      const answer = await post(path, filled());
      expect([path, answer.statusCode]).toEqual([path, 404]);
      expect(answer.body).toContain("页面不存在");
    }
  });
});
