import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ContractDetail,
  type ContractEvent,
  type ContractFigures,
  type ContractForm,
  type ContractHappening,
  contractProcess,
  type DeskContractDetail,
  moneyInCapitals,
  type Page,
  paperOf,
  type Verification,
  verifyPath,
} from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { renewEncrypted } from "../../apps/server/src/database/encrypted-columns.ts";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { documentRepository } from "../../apps/server/src/modules/contracts/document.repository.ts";
import { writeSheet } from "../../apps/server/src/modules/sheets/index.ts";
import { createPersonalCipher } from "../../apps/server/src/personal-cipher.ts";
import { systemScope, tenantScopeOf } from "../../apps/server/src/tenant-scope.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { everyStep, passerBy } from "../harness/every-step.ts";
import { testSecretKey } from "../harness/seed.ts";
import { md5 } from "../harness/session.ts";
import { multipartOf, upload } from "../harness/upload.ts";

let app: TestApp;
let passwordHash: string;
interface Person {
  token: string;
  id: string;
  phone: string;
}
/** Two of a customer who may sign, one who may only read, another customer's owner, the group's desk. */
let signer: Person;
let second: Person;
let reader: Person;
let worker: Person;
let stranger: Person;
let admin: string;
let templateId: string;

const base = "/api/muyuan-contract";
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, values)).rows;
interface Refused {
  reason?: string;
  problems?: { field: string; reason: string }[];
}
const post = async <Data = Refused>(path: string, body: unknown, token: string) => {
  const answer = await app.call({ method: "POST", path: `${base}${path}`, body, token });
  return { status: answer.status, data: answer.body.data as Data };
};
const get = async <Data>(path: string, token?: string) => {
  const answer = await app.get<Data>(`${base}${path}`, token);
  return { status: answer.status, data: answer.body.data, raw: JSON.stringify(answer.body) };
};

let made = 0;
async function person(role: string, tenantId: string): Promise<Person> {
  made += 1;
  const account = `contract-person-${made}`;
  const phone = `1371234000${made}`;
  const [id, membership] = [app.nextId(), app.nextId()];
  await query(
    `insert into accounts (id, account, account_key, type, password_hash, real_name, nick_name, phone_encrypted, phone_index, phone_verified_at)
     values ($1, $2, $2, 'personal', $3, $4, $4, $5, $6, now())`,
    [id, account, passwordHash, `签约人${made}`, app.personalCipher.encrypt(phone), app.personalCipher.index(phone)],
  );
  await query("insert into memberships (id, account_id, tenant_id) values ($1, $2, $3)", [membership, id, tenantId]);
  await query("insert into membership_roles select $1, id from roles where tenant_id = $2 and role_alias = $3", [
    membership,
    tenantId,
    role,
  ]);
  return { token: await app.logIn(account), id, phone };
}

const form: ContractForm = {
  title: "设备维护保养合同",
  titleEn: "Equipment maintenance contract",
  fields: [
    { key: "amount", type: "money", role: "amount", required: true, name: "金额", nameEn: "Amount", options: [] },
    { key: "from", type: "date", role: "from", required: true, name: "开始", nameEn: "From", options: [] },
    { key: "until", type: "date", role: "until", required: true, name: "结束", nameEn: "Until", options: [] },
    {
      key: "breed",
      type: "choice",
      role: "",
      required: false,
      name: "品种",
      nameEn: "Breed",
      options: [{ zh: "外三元", en: "outer cross" }],
    },
  ],
  clauses: [
    {
      heading: "范围",
      headingEn: "Scope",
      body: "{{group}}为{{customer}}保养。",
      bodyEn: "{{group}} serves {{customer}}.",
    },
    {
      heading: "费用",
      headingEn: "Fees",
      body: "合计 {{amount}}，自 {{from}}至 {{until}}。",
      bodyEn: "{{amount}}, {{from}} to {{until}}.",
    },
  ],
};
const day = (days: number) => new Date(Date.now() + days * 86_400_000 + 8 * 3_600_000).toISOString().slice(0, 10);
const values = () => ({ amount: "8642000", from: day(1), until: day(300) });

const draft = async (more: object = {}): Promise<{ id: string; number: string }> => {
  const { status, data } = await post<{ id: string; number: string }>(
    "/desk/draft",
    { tenantId: "100002", templateId, values: values(), signDays: 7, ...more },
    admin,
  );
  expect(status).toBe(200);
  return data;
};
const atDesk = async (id: string) => (await get<DeskContractDetail>(`/desk/detail?id=${id}`, admin)).data;
const detail = async (id: string, token = signer.token) =>
  (await get<ContractDetail>(`/contract/detail?id=${id}`, token)).data;
const step = async (verb: string, id: string, body: object = {}) =>
  post(`/desk/${verb}`, { id, revision: (await atDesk(id)).revision, ...body }, admin);
/** One that the customer has opened. */
const opened = async (): Promise<string> => {
  const { id } = await draft();
  expect((await step("send", id)).status).toBe(200);
  expect((await post("/contract/see", { id }, signer.token)).status).toBe(200);
  return id;
};
const codeFor = async (id: string, who = signer, version = 1) => {
  // A number gets one a minute.
  await app.pass(61);
  const { status, data } = await post<{ codeId: string }>("/contract/send-code", { id, version }, who.token);
  expect(status).toBe(200);
  const newest = (await app.sms(who.phone)).find((text) => text.includes("验证码")) ?? "";
  return { id, version, codeId: data.codeId, code: /\d{6}/.exec(newest)?.[0] ?? "" };
};
const signed = async (): Promise<string> => {
  const id = await opened();
  expect((await post("/contract/sign", await codeFor(id), signer.token)).status).toBe(200);
  return id;
};
const signatures = async (id: string) =>
  (
    await query<{ n: number }>(
      "select count(*)::int as n from contract_signatures where contract_id = $1 and side = 'customer'",
      [id],
    )
  )[0]?.n;
const verify = async (hash: string, from?: string) => {
  const answer = await app.call({ path: `${base}/skip-secure/verify`, query: { hash }, ...(from && { from }) });
  return { status: answer.status, data: answer.body.data as Verification & Refused };
};
const messagesOf = (accountId: string) =>
  query<{ title: string; link: string; kind: string }>(
    "select title, link, kind from messages where account_id = $1 order by id desc",
    [accountId],
  );

let folder: string;
beforeAll(async () => {
  app = await createTestApp();
  folder = await mkdtemp(join(tmpdir(), "contracts-"));
  passwordHash = await app.hashPassword(md5(demoPassword));
  signer = await person("owner", "100002");
  second = await person("owner", "100002");
  reader = await person("finance", "100002");
  worker = await person("worker", "100002");
  stranger = await person("owner", "100003");
  admin = await app.logIn("admin");
  const saved = await app.call({
    method: "POST",
    path: `${base}/template/submit`,
    body: { templateName: "维保", kind: "maintenance", enabled: true },
    token: admin,
  });
  expect(saved.status).toBe(200);
  [{ id: templateId = "" } = {}] = await query<{ id: string }>("select id::text as id from contract_templates");
  expect((await post("/template/save-words", { id: templateId, versionNumber: 0, form }, admin)).status).toBe(200);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => app.pass(3700));

test("a sum stands in financial capitals", () => {
  expect(
    [0, 5, 60, 100, 105, 100_000, 1_000_100, 8_642_000, 1_000_000_000, 100_050_010_001, 1_000_000_000_000].map(
      moneyInCapitals,
    ),
  ).toEqual([
    "零元整",
    "伍分",
    "陆角整",
    "壹元整",
    "壹元零伍分",
    "壹仟元整",
    "壹万零壹元整",
    "捌万陆仟肆佰贰拾元整",
    "壹仟万元整",
    "壹拾亿零伍拾万零壹佰元零壹分",
    "壹佰亿元整",
  ]);
});

test("words are filled in both languages, and a place without a value stays a gap", () => {
  const held = { ...values(), customer: "甲公司", group: "慧牧", from: "2026-07-01", until: "2027-06-30" };
  expect(paperOf(form, held, "zh").clauses[1]?.body).toBe(
    "合计 86,420.00 元（大写：捌万陆仟肆佰贰拾元整），自 2026 年 7 月 1 日至 2027 年 6 月 30 日。",
  );
  expect(paperOf(form, held, "en").clauses[1]?.body).toBe("CNY 86,420.00, 1 July 2026 to 30 June 2027.");
  expect(paperOf(form, {}, "zh").clauses[0]?.body).toBe("＿＿＿＿为＿＿＿＿保养。");
});

describe("the table of states", () => {
  /** How each event is asked for by each party. */
  const paths: Readonly<Partial<Record<ContractEvent, Partial<Record<"desk" | "customer", string>>>>> = {
    revise: { desk: "/desk/revise" },
    send: { desk: "/desk/send" },
    see: { customer: "/contract/see" },
    sign: { customer: "/contract/sign" },
    reject: { customer: "/contract/reject" },
    withdraw: { desk: "/desk/withdraw" },
    end: { desk: "/desk/end" },
  };
  const bodyOf = (event: ContractEvent, id: string, revision: number): object => {
    if (event === "revise") return { id, revision, form, values: values(), signDays: 5 };
    if (event === "send") return { id, revision };
    if (event === "see") return { id };
    if (event === "sign") return { id, version: 1, codeId: "none", code: "000000" };
    return event === "reject" ? { id, version: 1, reason: "太贵" } : { id, revision, reason: "写错了" };
  };

  test("holds for every state, event and caller, and each step is audited, told in the history and to whom it concerns", async () => {
    const { id } = await draft();
    const tried = await everyStep(contractProcess, {
      query,
      table: "contracts",
      id: () => id,
      history: ["contract_events", "contract_id"],
      callers: [
        { name: "signer", token: signer.token, party: "signer" },
        { name: "reader", token: reader.token, party: "reader" },
        { name: "worker", token: worker.token, party: undefined },
        { name: "other tenant", token: stranger.token, party: undefined },
        passerBy,
        { name: "desk", token: admin, party: "desk" },
        { name: "clock", token: "", party: "clock" },
      ],
      async put(state, event) {
        await app.pass(61);
        // As it would stand: what was sent has a file, a draft has none.
        await query("delete from contract_signatures where contract_id = $1", [id]);
        await query("delete from contract_documents where contract_id = $1", [id]);
        await query("delete from contract_versions where contract_id = $1 and version > 1", [id]);
        await query(
          "update contract_versions set sent_at = case when $2 = 'draft' then null else now() end where contract_id = $1",
          [id, state],
        );
        await query(
          `update contracts set state = $2, version = 1, revision = 1, sent_at = case when $2 = 'draft' then null else now() end,
             sign_by = now() + case when $3 then '-1 s' else '5 days' end::interval, end_day = current_date + case when $4 then -3 else 300 end
            where id = $1`,
          [id, state, event === "expire", event === "end"],
        );
      },
      async ask(event, { token, party }) {
        if (party === "clock") {
          if (event !== "expire" && event !== "end") return "no way";
          await app.runJob("contracts.pass");
          return undefined;
        }
        const [path] = Object.values(paths[event] ?? {});
        return path === undefined ? "no way" : (await post(path, bodyOf(event, id, 1), token)).status;
      },
      // Whoever opens the page says so each time.
      ignored: ["see"],
      // A signature needs a code, which this has not: its own test has one.
      elsewhere: ["seen sign signer"],
      // Of a draft that is withdrawn nobody knew.
      toldElsewhere: ["withdraw"],
    });
    expect(tried).toBeGreaterThan(280);
  }, 60_000);

  test("what is another customer's, or a draft, is answered like what never was", async () => {
    const { id } = await draft();
    const never = await post("/contract/see", { id: app.nextId() }, signer.token);
    expect(await post("/contract/see", { id }, signer.token)).toEqual(never);
    expect(await post("/contract/reject", { id, version: 1, reason: "x" }, signer.token)).toEqual(never);
    expect((await get(`/contract/detail?id=${id}`, signer.token)).status).toBe(404);
    const sent = await opened();
    for (const path of [`/contract/detail?id=${sent}`, `/contract/version?id=${sent}&version=1`])
      expect((await get(path, stranger.token)).status).toBe(404);
    for (const [path, body] of [
      ["/contract/document", {}],
      ["/contract/reject", { version: 1, reason: "x" }],
      ["/contract/send-code", { version: 1 }],
      ["/contract/sign", { version: 1, codeId: "x", code: "123456" }],
    ] as const)
      expect(await post(path, { id: sent, ...body }, stranger.token)).toEqual(never);
    const list = await get<Page<{ id: string }>>("/contract/page?size=100", stranger.token);
    expect(list.data.records.filter((row) => row.id === sent)).toEqual([]);
    expect((await get<Page<object>>(`/contract/history?id=${sent}`, stranger.token)).data.total).toBe(0);
  });
});

describe("drafting", () => {
  test("names each value that is missing or wrong, and the same form makes one contract", async () => {
    const wrong = await post(
      "/desk/draft",
      {
        tenantId: "100002",
        templateId,
        values: { amount: "86.4", from: "2026-02-30", until: "", breed: "家养" },
        signDays: 7,
      },
      admin,
    );
    expect(wrong.data.problems?.map(({ field, reason }) => `${field} ${reason}`)).toEqual([
      "values.amount contract.value",
      "values.from contract.value",
      "values.until contract.value_missing",
      "values.breed contract.value",
    ]);
    const turned = { ...values(), until: day(0), from: day(2) };
    expect(
      (await post("/desk/draft", { tenantId: "100002", templateId, values: turned, signDays: 7 }, admin)).data.problems,
    ).toMatchObject([{ field: "values.until", reason: "contract.term" }]);
    const requestKey = "form-0001";
    const answers = await Promise.all(Array.from({ length: 20 }, () => draft({ requestKey })));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    for (const tenantId of ["999999", "000000"])
      expect(
        (await post("/desk/draft", { tenantId, templateId, values: values(), signDays: 7 }, admin)).data.reason,
      ).toBe("contract.customer");
  });

  test("a template is refused that names what no field fills, and keeps who was first", async () => {
    const save = (changed: object, versionNumber = 1) =>
      post("/template/save-words", { id: templateId, versionNumber, form: { ...form, ...changed } }, admin);
    const clause = { heading: "价", headingEn: "", bodyEn: "" };
    expect((await save({ clauses: [{ ...clause, body: "{{price}}" }] })).data.reason).toBe("contract.unknown_place");
    const [amount] = form.fields;
    expect((await save({ fields: [...form.fields, amount] })).data.reason).toBe("contract.key_twice");
    expect((await save({ fields: [...form.fields, { ...amount, key: "other" }] })).data.reason).toBe("contract.role");
    expect((await save({}, 0)).status).toBe(409);
    const { id } = await draft();
    expect((await save({ title: "另一个标题" })).status).toBe(200);
    // What was drafted before keeps its words.
    expect((await atDesk(id)).title).toBe(form.title);
    expect((await draftTitle()).title).toBe("另一个标题");
    expect((await save({}, 2)).status).toBe(200);
  });
  const draftTitle = async () => atDesk((await draft()).id);

  test("what no font has is refused where it is entered, by its character; raised and lowered figures are none of it", async () => {
    const clause = { heading: "指标", headingEn: "", body: "{{note}}，10⁶ 拷贝/mL，NH₃", bodyEn: "" };
    const note = { key: "note", type: "text", role: "", required: false, name: "备注", nameEn: "", options: [] };
    const own = { ...form, titleEn: "", clauses: [clause], fields: [...form.fields, note] };
    const save = (changed: object) =>
      post("/template/save-words", { id: templateId, versionNumber: 3, form: { ...own, ...changed } }, admin);
    for (const changed of [
      { title: "合同😀" },
      { clauses: [{ ...clause, body: "𠮷" }] },
      { fields: [...own.fields.slice(0, -1), { ...note, type: "choice", options: [{ zh: "☑", en: "" }] }] },
    ])
      expect((await save(changed)).data.reason).toBe("contract.undrawable");
    const answer = await save({ clauses: [{ ...clause, body: "甲😀乙" }] });
    expect(answer.data.problems).toMatchObject([
      { field: "clauses", reason: "contract.undrawable", values: { name: "指标", characters: "😀" } },
    ]);
    const order = { tenantId: "100002", templateId, values: values(), signDays: 7 };
    const { id } = await draft();
    const revise = async (changed: object) =>
      post(
        "/desk/revise",
        { id, revision: (await atDesk(id)).revision, form: own, values: { ...values(), ...changed }, signDays: 7 },
        admin,
      );
    expect((await revise({ note: "𠮷祥😀" })).data.problems).toMatchObject([
      { field: "values.note", reason: "contract.undrawable", values: { name: "备注", characters: "𠮷 😀" } },
    ]);
    expect((await revise({ note: "CO₂ 10⁶" })).status).toBe(200);
    // A name that came with an authentication, before a draft and after one.
    const rename = (name: string) => query("update tenants set name = $1 where tenant_id = '100002'", [name]);
    const [{ name = "" } = {}] = await query<{ name: string }>("select name from tenants where tenant_id = '100002'");
    await rename("𠮷祥牧业有限公司");
    expect((await post("/desk/draft", order, admin)).data.problems).toMatchObject([
      { field: "tenantId", reason: "contract.undrawable_party" },
    ]);
    expect((await step("send", id)).data.reason).toBe("contract.undrawable_party");
    await rename(name);
    expect((await step("send", id)).status).toBe(200);
  });

  test("two at the desk do not write over each other", async () => {
    const { id } = await draft();
    const { revision } = await atDesk(id);
    const revise = (title: string) =>
      post("/desk/revise", { id, revision, form: { ...form, title }, values: values(), signDays: 7 }, admin);
    const statuses = (await Promise.all(["一稿甲", "一稿乙", "一稿丙"].map(revise))).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 409, 409]);
  });

  test("a step waits for another one that is under way, and sees what came of it", async () => {
    const id = await opened();
    const other = await app.test.database.pool.connect();
    try {
      await other.query("begin");
      await other.query("update contracts set state = 'withdrawn', revision = revision + 1 where id = $1", [id]);
      const rejecting = post("/contract/reject", { id, version: 1, reason: "同时退回" }, signer.token);
      await expect
        .poll(async () => (await query("select from pg_stat_activity where wait_event_type = 'Lock'")).length)
        .toBeGreaterThan(0);
      await other.query("commit");
      expect((await rejecting).data.reason).toBe("contract.state");
    } finally {
      other.release();
    }
    expect((await atDesk(id)).state).toBe("withdrawn");
  });

  test("words that were sent are written over by nobody, whoever asks for it", async () => {
    const id = await opened();
    const wordsOf = () => query("select words_encrypted from contract_versions where contract_id = $1", [id]);
    const before = await wordsOf();
    const scope = tenantScopeOf({
      tenantId: "000000",
      everyTenant: true,
      rows: { all: true, departmentIds: [], own: false },
      accountId: signer.id,
      membershipId: "1",
      departmentId: "",
      remoteAddress: "",
    });
    const documents = documentRepository(app.test.database.kysely);
    await documents.writeWords(scope, id, { version: 1, wordsEncrypted: app.personalCipher.encrypt("other words") });
    expect(await wordsOf()).toEqual(before);
    await documents.writeWords(scope, id, { version: 2, wordsEncrypted: app.personalCipher.encrypt("next words") });
    expect(await wordsOf()).toHaveLength(2);
  });
});

describe("signing", () => {
  test("needs the file to be opened, the own password lately, a code for this contract and an authentication in force", async () => {
    // A phone gets five such messages a day: those of the tests before are sent first.
    const unsent = () =>
      query(
        "select id from jobs.job where data->>'name' = 'contracts.text-signer' and state in ('created', 'retry', 'active')",
      );
    await expect.poll(unsent, { timeout: 20_000 }).toEqual([]);
    await app.pass(86_401);
    const { id } = await draft();
    expect((await step("send", id)).status).toBe(200);
    expect((await messagesOf(signer.id))[0]).toMatchObject({ title: "有合同等您签", kind: "contract" });
    expect((await messagesOf(reader.id)).length).toBe(0);
    const notice = `合同 ${(await detail(id)).number} 等您签署`;
    await expect.poll(() => app.sms(signer.phone), { timeout: 20_000 }).toContainEqual(expect.stringContaining(notice));
    // Nobody opened it.
    expect((await post("/contract/send-code", { id, version: 1 }, signer.token)).data.reason).toBe("contract.state");
    await post("/contract/see", { id }, signer.token);
    expect((await post("/contract/send-code", { id, version: 1 }, reader.token)).status).toBe(403);
    expect((await post("/contract/send-code", { id, version: 2 }, signer.token)).status).toBe(409);
    const proof = await codeFor(id);
    const masked = await detail(id);
    expect(masked.may).toContain("sign");
    // Whoever may only read is offered no signature.
    expect((await detail(id, reader.token)).may).not.toContain("sign");
    expect(masked.signerPhone).toBe(signer.phone.replace(/^(...)....(....)$/, "$1****$2"));

    await query("update sessions set confirmed_at = now() - interval '1 hour' where account_id = $1", [signer.id]);
    expect((await post("/contract/sign", proof, signer.token)).data.reason).toBe("identity.confirm_first");
    await query("update sessions set confirmed_at = now() where account_id = $1", [signer.id]);
    const [application] = await query<{ id: string }>(
      "update real_name_applications set licence_until = '2020-01-01' where tenant_id = '100002' returning id",
    );
    expect((await post("/contract/sign", proof, signer.token)).data.reason).toBe("contract.not_proven");
    await query("update real_name_applications set licence_until = '2041-03-27' where id = $1", [application?.id]);
    expect((await post("/contract/sign", { ...proof, code: "000000" }, signer.token)).data.reason).toBe(
      "verification.code",
    );
    // A code for one contract is none for another, and one person's none for another person.
    const other = await opened();
    expect((await post("/contract/sign", { ...proof, id: other }, signer.token)).data.reason).toBe("verification.code");
    expect((await post("/contract/sign", proof, second.token)).data.reason).toBe("verification.code");
    expect(await signatures(id)).toBe(0);

    expect((await post("/contract/sign", proof, signer.token)).status).toBe(200);
    const held = await detail(id, reader.token);
    expect(held.state).toBe("signed");
    expect(held.signatures.map(({ side, party, signer: name }) => [side, party, name])).toEqual([
      ["group", expect.any(String), "郑航"],
      ["customer", "中原牧业有限公司", expect.stringMatching(/^签约人/)],
    ]);
    // The same again, or by somebody else, changes nothing.
    expect((await post("/contract/sign", proof, signer.token)).data.reason).toBe("contract.state");
    expect(await signatures(id)).toBe(1);
    const desk = await query<{ title: string }>(
      "select title from messages where link like '%' || $1 order by id desc limit 1",
      [id],
    );
    expect(desk[0]?.title).toBe("客户签了合同");
  });

  test("a damaged file is not signed, and the code that came for it still signs the whole one", async () => {
    const id = await opened();
    const proof = await codeFor(id);
    const seal = (sealed: string) =>
      query("update contract_documents set sealed_encrypted = $2 where contract_id = $1 and kind = 'document'", [
        id,
        sealed,
      ]);
    const [{ sealed = "" } = {}] = await query<{ sealed: string }>(
      "select sealed_encrypted as sealed from contract_documents where contract_id = $1 and kind = 'document'",
      [id],
    );
    await seal(app.personalCipher.encrypt(Buffer.from("%PDF-another").toString("base64")));
    expect((await post("/contract/sign", proof, signer.token)).data.reason).toBe("contract.damaged");
    expect(await signatures(id)).toBe(0);
    await seal(sealed);
    expect((await post("/contract/sign", proof, signer.token)).status).toBe(200);
  });

  test("twenty at once, by two people with codes of their own, store one signature and one file", async () => {
    const id = await opened();
    const [mine, theirs] = [await codeFor(id), await codeFor(id, second)];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        at % 2 === 0 ? post("/contract/sign", mine, signer.token) : post("/contract/sign", theirs, second.token),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await signatures(id)).toBe(1);
    const files = await query("select from contract_documents where contract_id = $1 and kind = 'signed'", [id]);
    expect(files).toHaveLength(1);
    const events = await query("select from contract_events where contract_id = $1 and what = 'sign'", [id]);
    expect(events).toHaveLength(1);
  });

  test("a contract that came back goes on as the next version, and the first one stays to be compared", async () => {
    const id = await opened();
    expect((await post("/contract/reject", { id, version: 1, reason: " " }, signer.token)).data.reason).toBe(
      "contract.reason",
    );
    expect((await post("/contract/reject", { id, version: 1, reason: "单价偏高" }, signer.token)).status).toBe(200);
    expect((await step("revise", id, { form, values: { ...values(), amount: "8000000" }, signDays: 9 })).status).toBe(
      200,
    );
    // While the group writes, the customer sees nothing of it.
    expect((await get(`/contract/detail?id=${id}`, signer.token)).status).toBe(404);
    expect((await step("send", id)).status).toBe(200);
    const held = await detail(id);
    expect(held).toMatchObject({ version: 2, amountFen: 8_000_000, state: "sent" });
    expect(held.versions.map(({ version, reason }) => [version, reason])).toEqual([
      [1, "单价偏高"],
      [2, ""],
    ]);
    const first = (await get<{ values: Record<string, string> }>(`/contract/version?id=${id}&version=1`, signer.token))
      .data;
    expect(first.values.amount).toBe("8642000");
    // A code for the first version signs nothing of the second.
    expect((await post("/contract/reject", { id, version: 1, reason: "旧版" }, signer.token)).status).toBe(409);
    // How it was drafted and changed is the group's own.
    const told = (await get<Page<ContractHappening>>(`/contract/history?id=${id}&size=50`, signer.token)).data.records;
    expect(told.map(({ what }) => what)).toEqual(["send", "reject", "see", "send"]);
    // Nor are words read that were written and never sent.
    expect((await post("/contract/see", { id }, signer.token)).status).toBe(200);
    expect((await post("/contract/reject", { id, version: 2, reason: "还是高" }, signer.token)).status).toBe(200);
    expect((await step("revise", id, { form, values: { ...values(), amount: "1" }, signDays: 9 })).status).toBe(200);
    expect((await step("withdraw", id, { reason: "不做了" })).status).toBe(200);
    const read = async (version: number) =>
      (await get(`/contract/version?id=${id}&version=${version}`, signer.token)).status;
    expect([await read(2), await read(3)]).toEqual([200, 404]);
  });
});

describe("what was signed", () => {
  test("is a file that both can fetch, whose bytes never change and are told when somebody did change them", async () => {
    const id = await signed();
    const { data } = await post<{ attachmentId: string; sha256: string }>("/contract/document", { id }, reader.token);
    const [file] = await query<{ name: string }>("select name from attachments where id = $1", [data.attachmentId]);
    const bytes = await readFile(join(app.dataDir, "files", file?.name ?? ""));
    const hash = createHash("sha256").update(bytes).digest("hex");
    expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
    expect(hash).toBe(data.sha256);
    expect((await detail(id)).signedSha256).toBe(hash);
    expect(
      await query(
        "select side, account_id::text as who from contract_events where contract_id = $1 and what = 'download'",
        [id],
      ),
    ).toEqual([{ side: "customer", who: reader.id }]);
    await expect(
      query("update contract_documents set sha256 = $2 where contract_id = $1", [id, Buffer.alloc(32)]),
    ).rejects.toThrow("does not change");
    await expect(
      query("update contract_signatures set signed_at = now() where contract_id = $1", [id]),
    ).rejects.toThrow("does not change");

    const [{ sealed = "" } = {}] = await query<{ sealed: string }>(
      "select sealed_encrypted as sealed from contract_documents where contract_id = $1 and kind = 'signed'",
      [id],
    );
    // Nothing of the contract lies there for whoever reads the table.
    expect(Buffer.from(sealed.split(".")[1] ?? "", "base64url").includes("%PDF")).toBe(false);
    const at = sealed.length - 40;
    const flipped = `${sealed.slice(0, at)}${sealed[at] === "A" ? "B" : "A"}${sealed.slice(at + 1)}`;
    const replaced = app.personalCipher.encrypt(Buffer.from("%PDF-another").toString("base64"));
    for (const broken of [flipped, replaced]) {
      await query("update contract_documents set sealed_encrypted = $2 where contract_id = $1 and kind = 'signed'", [
        id,
        broken,
      ]);
      expect((await detail(id)).damaged).toBe(true);
      expect((await post("/contract/document", { id }, signer.token)).data.reason).toBe("contract.damaged");
      expect((await verify(hash)).data.result).toBe("damaged");
    }
    await query("update contract_documents set sealed_encrypted = $2 where contract_id = $1 and kind = 'signed'", [
      id,
      sealed,
    ]);
    expect((await detail(id)).damaged).toBe(false);
  });

  test("is verified by anybody with its hash, who learns no name in full and nothing of others", async () => {
    const id = await signed();
    const { signedSha256, signatures: who, words, number } = await detail(id);
    const { status, data } = await verify(signedSha256);
    expect(status).toBe(200);
    expect(data).toMatchObject({ result: "signed", number, version: 1, sha256: signedSha256, ended: false });
    expect(data.signatures.map(({ party }) => party)).toEqual([
      expect.stringMatching(/^.{1,2}\*{4}/),
      "中原****有限公司",
    ]);
    expect(data.signatures[1]?.signedTime).toBe(who[1]?.signedTime);
    // What stands on the signature page: the hash of what was signed, its first digits, in groups and capitals.
    const printed = (words.sha256.match(/.{1,8}/g) ?? []).join(" ").toUpperCase();
    expect((await verify(printed)).data.result).toBe("document");
    expect((await verify(words.sha256.slice(0, 16))).data).toMatchObject({ result: "document", sha256: words.sha256 });
    // Hash and number may hold any digits.
    const said = JSON.stringify({ ...data, sha256: "", number: "" });
    expect(said).not.toMatch(/签约人|contract-person|138|137/);

    for (const hash of [words.sha256.slice(0, 15), "zz".repeat(10), `${words.sha256}00`])
      expect((await verify(hash)).data.reason).toBe("contract.hash");
    const nothing = { result: "unknown", number: "", signatures: [], pages: 0, version: 0, ended: false };
    expect((await verify("0".repeat(64))).data).toMatchObject(nothing);
    // What was only sent was signed by nobody.
    const unsigned = await opened();
    expect((await verify((await detail(unsigned)).words.sha256)).data).toMatchObject(nothing);
  });

  test("is asked for so often from one address and no more", async () => {
    const statuses = await Promise.all(
      Array.from({ length: 130 }, () => verify("1".repeat(64), "203.0.113.77").then((answer) => answer.status)),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(120);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });

  test("a file sent without script leads to its hash and is not kept", async () => {
    const content = Buffer.from("%PDF-1.7 some file");
    const { body, type } = await multipartOf(content, "contract.pdf");
    const send = (payload: Buffer) =>
      app.http.inject({ method: "POST", url: verifyPath, headers: { "content-type": type }, payload });
    const answer = await send(body);
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`${verifyPath}?hash=${createHash("sha256").update(content).digest("hex")}`);
    const empty = await multipartOf(Buffer.alloc(0), "contract.pdf");
    const none = await app.http.inject({
      method: "POST",
      url: verifyPath,
      headers: { "content-type": empty.type },
      payload: empty.body,
    });
    expect(none.headers.location).toBe(`${verifyPath}?problem=empty`);
    const large = await multipartOf(Buffer.alloc(10 * 1024 * 1024 + 1), "contract.pdf");
    const refused = await app.http.inject({
      method: "POST",
      url: verifyPath,
      headers: { "content-type": large.type },
      payload: large.body,
    });
    expect(refused.headers.location).toBe(`${verifyPath}?problem=size`);
    for (const [sent, as] of [
      ["hash=1", "application/x-www-form-urlencoded"],
      ["x", "text/plain"],
      ["no parts", type],
    ] as const) {
      const { statusCode } = await app.http.inject({
        method: "POST",
        url: verifyPath,
        headers: { "content-type": as },
        payload: sent,
      });
      expect(statusCode).toBeGreaterThanOrEqual(400);
      expect(statusCode).toBeLessThan(500);
    }
  });

  test("lies encrypted, and a new key takes it along", async () => {
    const id = await signed();
    const tables = ["contract_versions", "contract_documents", "contract_signatures"];
    const rows = async () =>
      JSON.stringify(
        await Promise.all(tables.map((table) => query(`select * from ${table} where contract_id = $1`, [id]))),
      );
    expect(await rows()).not.toMatch(/捌万|签约人|contract-person|中原牧业|8642000/);
    const newer = createPersonalCipher("another personal key, long enough", [testSecretKey]);
    const renew = (cipher: typeof newer) =>
      renewEncrypted(app.test.database.kysely, systemScope("a test changes the key"), cipher);
    expect(await renew(newer)).toBeGreaterThan(3);
    expect(await renew(newer)).toBe(0);
    const alone = createPersonalCipher("another personal key, long enough");
    const [row] = await query<{ sealed: string; sha256: Buffer }>(
      "select sealed_encrypted as sealed, sha256 from contract_documents where contract_id = $1 and kind = 'signed'",
      [id],
    );
    const bytes = Buffer.from(alone.decrypt(row?.sealed ?? ""), "base64");
    expect(
      createHash("sha256")
        .update(bytes)
        .digest()
        .equals(row?.sha256 ?? Buffer.alloc(0)),
    ).toBe(true);
    await renew(createPersonalCipher(testSecretKey, ["another personal key, long enough"]));
    expect((await detail(id)).damaged).toBe(false);
  });
});

describe("time", () => {
  test("what nobody signed expires, what has run its term ends, and both sides are reminded once", async () => {
    const late = await opened();
    await query("update contracts set sign_by = now() - interval '1 minute' where id = $1", [late]);
    const proofless = await post("/contract/sign", { id: late, version: 1, codeId: "x", code: "123456" }, signer.token);
    expect(proofless.data.reason).toBe("contract.too_late");
    const soon = await opened();
    await query("update contracts set sign_by = now() + interval '1 day' where id = $1", [soon]);
    const [over, month, week] = [await signed(), await signed(), await signed()];
    for (const [id, days] of [
      [over, -1],
      [month, 25],
      [week, 6],
    ] as const)
      await query("update contracts set end_day = $2 where id = $1", [id, day(days)]);
    for (const job of ["contracts.pass", "contracts.remind", "contracts.pass", "contracts.remind"])
      await app.runJob(job);
    const states = await query<{ id: string; state: string }>(
      "select id::text as id, state from contracts where id = any($1)",
      [[late, soon, over, month, week]],
    );
    expect(Object.fromEntries(states.map(({ id, state }) => [id, state]))).toEqual({
      [late]: "expired",
      [soon]: "seen",
      [over]: "ended",
      [month]: "signed",
      [week]: "signed",
    });
    const told = async (id: string) =>
      (await messagesOf(signer.id)).filter(({ link }) => link.endsWith(id)).map(({ title }) => title);
    expect(await told(late)).toEqual(["合同过期没签", "有合同等您签"]);
    expect(await told(soon)).toEqual(["合同快过签署期了", "有合同等您签"]);
    expect(await told(over)).toEqual(["合同到期结束了", "有合同等您签"]);
    expect(await told(month)).toEqual(["合同 30 天内到期", "有合同等您签"]);
    expect(await told(week)).toEqual(["合同 7 天内到期", "有合同等您签"]);
    const { data: figures } = await get<ContractFigures>("/desk/figures", admin);
    expect(figures.overdue).toBeGreaterThanOrEqual(1);
    expect(figures.ending).toBe(2);
    expect(figures.signed).toBeGreaterThanOrEqual(3);
  });
});

describe("a batch", () => {
  const sheetOf = async (rows: readonly Record<string, string>[]): Promise<string> => {
    const path = join(folder, "batch.xlsx");
    const columns = ["客户", "金额", "开始", "结束", "品种"].map((header) => ({ key: header, header }));
    async function* all() {
      yield* rows;
    }
    await writeSheet(path, "合同", columns, all());
    const { body } = await upload(app, signer.token === "" ? "" : admin, await readFile(path), "batch.xlsx", {
      query: { visibility: "private" },
    });
    return body.data.attachId;
  };
  const jobOf = async (path: string, body: object) => {
    const { status, data } = await post<{ jobId: string }>(path, body, admin);
    expect(status).toBe(200);
    for (;;) {
      const [job] = await query<{ state: string; reason: string; result: Record<string, string> }>(
        "select state, reason, result from background_jobs where id = $1",
        [data.jobId],
      );
      if (job && ["succeeded", "failed"].includes(job.state)) return job;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  test("drafts all rows or none, says what is wrong in a sheet, and is sent as one", async () => {
    const row = { 客户: "中原牧业有限公司", 金额: "86,420.00", 开始: day(1), 结束: day(30), 品种: "外三元" };
    const count = async () => (await query<{ n: number }>("select count(*)::int as n from contracts"))[0]?.n;
    const before = await count();
    const bad = await jobOf("/desk/batch-draft", {
      templateId,
      attachmentId: await sheetOf([row, { ...row, 客户: "没有这家", 金额: "很多" }]),
      signDays: 7,
    });
    expect(bad).toMatchObject({ state: "succeeded", result: { drafted: "0", problems: "2" } });
    await query("update tenants set name = '东岗𠮷种猪集团' where tenant_id = '100003'");
    const unprintable = await sheetOf([row, { ...row, 客户: "东岗𠮷种猪集团" }]);
    expect(await jobOf("/desk/batch-draft", { templateId, attachmentId: unprintable, signDays: 7 })).toMatchObject({
      result: { drafted: "0", problems: "1" },
    });
    await query("update tenants set name = '东岗种猪集团' where tenant_id = '100003'");
    expect(await count()).toBe(before);
    const good = await jobOf("/desk/batch-draft", {
      templateId,
      attachmentId: await sheetOf([row, { ...row, 客户: "东岗种猪集团", 金额: "100" }]),
      signDays: 7,
    });
    expect(good).toMatchObject({ state: "succeeded", result: { drafted: "2" } });
    const batchId = good.result.batchId ?? "";
    const drafted = await query<{ tenant: string; fen: string }>(
      "select tenant_id as tenant, amount_fen as fen from contracts where batch_id = $1 order by id",
      [batchId],
    );
    expect(drafted).toEqual([
      { tenant: "100002", fen: "8642000" },
      { tenant: "100003", fen: "10000" },
    ]);
    expect(await jobOf("/desk/batch-send", { batchId })).toMatchObject({ result: { sent: "2", left: "0" } });
    const sent = await get<Page<{ state: string }>>(`/desk/page?queue=all&batchId=${batchId}`, admin);
    expect(sent.data.records.map(({ state }) => state)).toEqual(["sent", "sent"]);
    expect((await post("/desk/batch-send", { batchId }, admin)).data.reason).toBe("contract.nothing_to_send");
    expect((await post("/desk/batch-sheet", { templateId }, admin)).status).toBe(200);
  });
});
