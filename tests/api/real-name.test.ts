import type {
  Page,
  RealNameDetail,
  RealNameFigures,
  RealNameReview,
  RealNameState,
  RealNameTask,
} from "@herdwise/contract";
import { creditCheckCharacter, idCheckCharacter } from "@herdwise/contract/real-name-checks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { seedDemoRealName } from "../../apps/server/src/database/seeds/demo-real-name.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { md5 } from "../harness/session.ts";
import { picture, upload } from "../harness/upload.ts";

let app: TestApp;
let admin: string;
let second: string;
let passwordHash: string;

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, values)).rows;
interface Refused {
  reason?: string;
  problems?: { field: string; reason: string }[];
  values?: Record<string, unknown>;
}
const base = "/api/muyuan-customer/real-name";
const post = async <Data = Refused>(path: string, body: unknown, token: string) => {
  const answer = await app.call({ method: "POST", path: `${base}${path}`, body, token });
  return { status: answer.status, data: answer.body.data as Data, raw: JSON.stringify(answer.body) };
};
const get = async <Data>(path: string, token: string) => {
  const answer = await app.get<Data>(`${base}${path}`, token);
  return { status: answer.status, data: answer.body.data, raw: JSON.stringify(answer.body) };
};
const detailOf = async (token: string) => (await get<RealNameDetail>("/detail", token)).data;
const reviewOf = async (id: string, token = admin) =>
  (await get<RealNameReview>(`-review/detail?id=${id}`, token)).data;

let made = 0;
interface Customer {
  tenantId: string;
  account: string;
  token: string;
}
/** Somebody with a role: an owner of a new customer, or one of the group's people. */
async function person(role: string, tenantId: string): Promise<{ account: string; token: string }> {
  made += 1;
  const account = `person-${made}`;
  const [id, membership] = [app.nextId(), app.nextId()];
  await query(
    "insert into accounts (id, account, account_key, type, password_hash, real_name, nick_name) values ($1, $2, $2, 'personal', $3, $4, $4)",
    [id, account, passwordHash, `某人${made}`],
  );
  await query("insert into memberships (id, account_id, tenant_id) values ($1, $2, $3)", [membership, id, tenantId]);
  await query("insert into membership_roles select $1, id from roles where tenant_id = $2 and role_alias = $3", [
    membership,
    tenantId,
    role,
  ]);
  return { account, token: await app.logIn(account) };
}
async function customer(): Promise<Customer> {
  made += 1;
  const tenantId = `9${String(made).padStart(5, "0")}`;
  await query("insert into tenants (tenant_id, name, type) values ($1, $1, 'personal')", [tenantId]);
  await query(
    `insert into roles (id, tenant_id, role_name, role_alias)
     select (random() * 1e15)::bigint, $1, role_name, role_alias from roles where tenant_id = '100002' and role_alias in ('owner', 'worker')`,
    [tenantId],
  );
  await query(
    `insert into role_menus select r.id, m.menu_id from roles r join roles o on o.role_alias = r.role_alias and o.tenant_id = '100002'
       join role_menus m on m.role_id = o.id where r.tenant_id = $1`,
    [tenantId],
  );
  return { tenantId, ...(await person("owner", tenantId)) };
}

let numbers = 0;
const idNumber = (): string => {
  numbers += 1;
  const start = `41132519850612${String(numbers).padStart(3, "0")}`;
  return start + idCheckCharacter(start);
};
const creditCode = (): string => {
  numbers += 1;
  const start = `91411325MA${String(numbers).padStart(7, "0")}`;
  return start + creditCheckCharacter(start);
};
const personal = () => {
  const number = idNumber();
  return { kind: "personal", values: { personName: "郭海涛", idNumber: number }, lastSix: number.slice(-6) };
};
/** @param ending of the account number, by which the sandbox decides */
async function enterprise(token: string, ending = "4444", change: Record<string, string> = {}) {
  numbers += 1;
  const name = `示例牧业${numbers}有限公司`;
  const uploaded = await upload(app, token, await picture("png"), "licence.png", { query: { visibility: "private" } });
  return {
    kind: "enterprise",
    values: {
      licencePicture: uploaded.body.data.attachId,
      enterpriseName: name,
      creditCode: creditCode(),
      legalName: "郑有田",
      licenceUntil: "2041-03-27",
      legalIdNumber: idNumber(),
      legalPhone: "13877770462",
      contactPhone: "13766664406",
      accountName: name,
      bankName: "示例农商银行",
      branchName: "灌涨支行",
      bankCode: "402513600021",
      bankAccount: `81112222${String(numbers).padStart(4, "0")}${ending}`,
      ...change,
    },
  };
}
const until = async <T>(look: () => Promise<T | undefined>): Promise<T> => {
  for (let tries = 0; tries < 60; tries += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("it did not come");
};
/** Lets the money of an application arrive, or whatever becomes of it: the bank took it an hour ago. */
async function settle(id: string, hours = 1): Promise<void> {
  await until(async () => {
    const [row] = await query<{ state: string }>(
      "select state from real_name_remittances where real_name_application_id = $1 order by id desc limit 1",
      [id],
    );
    return row && row.state !== "ordered" ? row : undefined;
  });
  await query(
    "update real_name_remittances set sent_at = sent_at - make_interval(hours => $2) where real_name_application_id = $1 and state = 'sent'",
    [id, hours],
  );
  await app.runJob("real-name.remit");
}
/** An enterprise whose application waits for its first look. */
async function waitingEnterprise() {
  const owner = await customer();
  const body = await enterprise(owner.token);
  const sent = await post<{ id: string }>("/submit", body, owner.token);
  await settle(sent.data.id);
  const confirmed = await post("/remittance/confirm", { id: sent.data.id, amountFen: 1 }, owner.token);
  expect(confirmed.status).toBe(200);
  return { owner, id: sent.data.id, values: body.values as Record<string, string> };
}
const verdictsOf = (review: RealNameReview, against: Record<string, object> = {}) =>
  review.items.map(({ field }) => ({ field, reason: "none", ...against[field] }));
async function decide(id: string, token: string, against: Record<string, object> = {}) {
  expect((await post("-review/claim", { id }, token)).status).toBe(200);
  const review = await reviewOf(id, token);
  return post<Refused & { state: RealNameState }>(
    "-review/decide",
    { id, version: review.version, verdicts: verdictsOf(review, against) },
    token,
  );
}
/** Steps of an application as the audit trail has them, the oldest first. */
const stepsInTrail = async (id: string) =>
  (
    await query<{ step: string }>(
      "select changes -> 0 ->> 'after' as step from audit_entries where resource = 'real_name' and row_id = $1 order by position",
      [id],
    )
  ).map(({ step }) => step);
const messagesOf = (account: string) =>
  query<{ title: string; content: string; link: string }>(
    "select m.title, m.content, m.link from messages m join accounts a on a.id = m.account_id where a.account = $1 order by m.id desc",
    [account],
  );

beforeAll(async () => {
  app = await createTestApp();
  passwordHash = await app.hashPassword(md5(demoPassword));
  admin = await app.logIn("admin");
  second = (await person("auditor", "000000")).token;
});
afterAll(() => app.close());
// Calls are counted by the minute; the clock of the counts goes on instead of the tests waiting.
beforeEach(() => app.pass(61));

describe("a person", () => {
  test("sends name and number, is reviewed once, and may bind afterwards", async () => {
    const owner = await customer();
    expect(await detailOf(owner.token)).toMatchObject({ status: "none", open: false, sendsLeft: 3 });
    const lookUp = () =>
      app.call({
        method: "POST",
        path: "/api/muyuan-iot/device/look-up",
        body: { serialNumber: "NOBODYS", code: "000000" },
        token: owner.token,
      });
    expect((await lookUp()).body.data).toMatchObject({ reason: "device.not_authenticated" });

    const body = personal();
    const sent = await post<{ id: string; state: string }>("/submit", body, owner.token);
    expect(sent).toMatchObject({ status: 200, data: { state: "waiting" } });
    // Waiting is not passed.
    expect((await lookUp()).body.data).toMatchObject({ reason: "device.not_authenticated" });
    expect((await post("/submit", personal(), owner.token)).data.reason).toBe("real_name.under_way");

    expect((await decide(sent.data.id, admin)).data).toMatchObject({ state: "passed" });
    expect(await detailOf(owner.token)).toMatchObject({
      status: "personal",
      open: true,
      current: { state: "passed", title: "郭海涛" },
    });
    // The gate is open: what is refused now is the label itself.
    expect((await lookUp()).body.data).toMatchObject({ reason: "device.label" });
    expect((await messagesOf(owner.account))[0]).toMatchObject({ title: "实名认证通过", link: "/selfCenter/realName" });
    const trail = await query<{ chain: string; changes: { field: string; after: unknown }[] }>(
      "select chain, changes from audit_entries where resource = 'real_name' and row_id = $1 order by position",
      [sent.data.id],
    );
    expect(trail.map(({ chain, changes }) => [chain, changes.find(({ field }) => field === "state")?.after])).toEqual([
      [owner.tenantId, "waiting"],
      [owner.tenantId, "passed"],
    ]);
  });

  test.each([
    [
      { values: { personName: "郭", idNumber: "11010519491231002X" }, lastSix: "31002X" },
      "personName",
      "real_name.name",
    ],
    [
      { values: { personName: "郭海涛", idNumber: "110105194912310021" }, lastSix: "310021" },
      "idNumber",
      "real_name.id_check",
    ],
    [
      { values: { personName: "郭海涛", idNumber: "11010519491231002X" }, lastSix: "310021" },
      "lastSix",
      "real_name.last_six",
    ],
    [{ values: { idNumber: "11010519491231002X" }, lastSix: "31002x" }, "personName", "real_name.required"],
  ])("what is wrong is said at its field: %j", async (body, field, reason) => {
    const owner = await customer();
    const answer = await post("/submit", { kind: "personal", ...body }, owner.token);
    expect(answer.status).toBe(400);
    expect(answer.data.problems?.map((one) => [one.field, one.reason])).toEqual([[field, reason]]);
    expect((await detailOf(owner.token)).application).toBeUndefined();
  });

  test("of twenty submissions at once one is taken", async () => {
    const owner = await customer();
    const body = personal();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post("/submit", body, owner.token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, data } of answers)
      if (status !== 200) expect([status, data.reason]).toEqual([409, "real_name.under_way"]);
  });

  test("becomes an enterprise without losing what is in force meanwhile, and never a person again", async () => {
    const owner = await customer();
    const first = await post<{ id: string }>("/submit", personal(), owner.token);
    await decide(first.data.id, admin);
    const up = await post<{ id: string }>("/submit", await enterprise(owner.token), owner.token);
    expect(await detailOf(owner.token)).toMatchObject({
      status: "personal",
      open: true,
      application: { upgrade: true },
    });
    await settle(up.data.id);
    await post("/remittance/confirm", { id: up.data.id, amountFen: 1 }, owner.token);
    expect((await decide(up.data.id, admin)).data).toMatchObject({ state: "second_look" });
    expect((await decide(up.data.id, second)).data).toMatchObject({ state: "passed" });
    expect(await detailOf(owner.token)).toMatchObject({ status: "enterprise", open: true });
    expect(await query("select state from real_name_applications where id = $1", [first.data.id])).toEqual([
      { state: "replaced" },
    ]);
    expect(await stepsInTrail(first.data.id)).toEqual(["submit", "accept", "replace"]);
    expect(await stepsInTrail(up.data.id)).toEqual(["submit", "send", "arrive", "confirm", "accept", "accept"]);
    expect(await query("select type from tenants where tenant_id = $1", [owner.tenantId])).toEqual([
      { type: "enterprise" },
    ]);
    expect((await post("/submit", personal(), owner.token)).data.reason).toBe("real_name.no_downgrade");
  });
});

describe("a draft", () => {
  test("survives, field by field, is encrypted, and comes back with its numbers shortened", async () => {
    const owner = await customer();
    const number = idNumber();
    await post("/draft", { kind: "personal", values: { idNumber: number } }, owner.token);
    await post("/draft", { kind: "personal", values: { personName: "郭海涛" } }, owner.token);
    const { raw, data } = await get<RealNameDetail>("/detail", owner.token);
    expect(data.draft).toMatchObject({
      kind: "personal",
      values: { personName: "郭海涛", idNumber: `${number.slice(0, 4)}**********${number.slice(-4)}` },
    });
    expect(raw).not.toContain(number);
    expect(JSON.stringify(await query("select * from real_name_drafts"))).not.toContain(number);
    // Nothing has to be typed again but the proof that it was typed right.
    const sent = await post("/submit", { kind: "personal", values: {}, lastSix: number.slice(-6) }, owner.token);
    expect(sent.status).toBe(200);
    expect((await detailOf(owner.token)).draft).toBeUndefined();
    expect((await detailOf(owner.token)).application?.items.find(({ field }) => field === "idNumber")?.value).toBe(
      `${number.slice(0, 4)}**********${number.slice(-4)}`,
    );
  });

  test("keeps names and phones in their one form, however they were typed", async () => {
    const owner = await customer();
    const draft = (values: Record<string, string>, kind = "enterprise") =>
      post("/draft", { kind, values }, owner.token);
    for (const [typed, stored] of [
      ["+86 138 0013 8000", "13800138000"],
      ["138 0013 8000", "13800138000"],
      ["400－800－1234", "400-800-1234"],
    ] as const) {
      await draft({ contactPhone: typed, legalName: "买买提•吐尔逊\u200b" });
      const [held] = await query<{ values: string }>(
        "select values_encrypted as values from real_name_drafts where tenant_id = $1",
        [owner.tenantId],
      );
      expect(JSON.parse(app.personalCipher.decrypt(held?.values ?? ""))).toMatchObject({
        contactPhone: stored,
        legalName: "买买提·吐尔逊",
      });
    }
    const application = personal();
    const sent = await post(
      "/submit",
      { ...application, values: { ...application.values, personName: "买买提.吐尔逊 " } },
      owner.token,
    );
    expect(sent.status).toBe(200);
    const items = (await detailOf(owner.token)).application?.items;
    expect(items?.find(({ field }) => field === "personName")?.value).toBe("买买提·吐尔逊");
  });

  test("two quick changes keep both fields, and another kind begins anew", async () => {
    const owner = await customer();
    await Promise.all([
      post("/draft", { kind: "enterprise", values: { bankName: "甲银行" } }, owner.token),
      post("/draft", { kind: "enterprise", values: { branchName: "乙支行" } }, owner.token),
    ]);
    expect((await detailOf(owner.token)).draft?.values).toEqual({ bankName: "甲银行", branchName: "乙支行" });
    await post("/draft", { kind: "personal", values: { personName: "某某" } }, owner.token);
    expect((await detailOf(owner.token)).draft).toMatchObject({ kind: "personal", values: { personName: "某某" } });
  });

  test("takes only private pictures of the same person", async () => {
    const [owner, other] = [await customer(), await customer()];
    const foreign = await upload(app, other.token, await picture("png"), "a.png", { query: { visibility: "private" } });
    const open = await upload(app, owner.token, await picture("png"), "a.png");
    for (const licencePicture of [foreign.body.data.attachId, open.body.data.attachId, "1560000000000000001", "x"]) {
      const answer = await post("/draft", { kind: "enterprise", values: { licencePicture } }, owner.token);
      expect(answer.data.problems?.[0]).toMatchObject({ field: "licencePicture", reason: "real_name.no_file" });
    }
  });
});

describe("the 0.01 yuan", () => {
  test("a right amount goes to the reviewers, a wrong one counts; after three the remittance is void", async () => {
    const owner = await customer();
    const { data } = await post<{ id: string; state: string }>("/submit", await enterprise(owner.token), owner.token);
    expect(data.state).toBe("remitting");
    // Nothing is in the queue before, and nothing can be confirmed before it arrived.
    expect((await post("-review/claim", { id: data.id }, admin)).data.reason).toBe("real_name.state");
    await settle(data.id);
    expect((await detailOf(owner.token)).application?.remittance).toMatchObject({
      state: "arrived",
      sandbox: true,
      triesLeft: 3,
    });
    expect((await messagesOf(owner.account))[0]?.title).toBe("测试汇款到账了");
    const wrong = await post("/remittance/confirm", { id: data.id, amountFen: 10 }, owner.token);
    expect([wrong.data.reason, wrong.data.values]).toEqual(["real_name.amount", { left: 2 }]);
    expect((await detailOf(owner.token)).application?.remittance?.triesLeft).toBe(2);
    // Asked at once, three more are compared at most twice.
    const more = await Promise.all(
      [2, 3, 4].map((amountFen) => post("/remittance/confirm", { id: data.id, amountFen }, owner.token)),
    );
    expect(more.map(({ data: refused }) => refused.reason).toSorted()).toEqual([
      "real_name.amount",
      "real_name.nothing_to_confirm",
      "real_name.tries_spent",
    ]);
    expect((await post("/remittance/confirm", { id: data.id, amountFen: 1 }, owner.token)).data.reason).toBe(
      "real_name.nothing_to_confirm",
    );
    expect((await detailOf(owner.token)).application).toMatchObject({
      state: "remitting",
      remittance: { state: "failed", failure: "tries" },
    });
    expect((await post("/remittance/again", { id: data.id }, owner.token)).status).toBe(200);
    expect((await post("/remittance/again", { id: data.id }, owner.token)).data.reason).toBe("real_name.state");
    await settle(data.id);
    expect((await post("/remittance/confirm", { id: data.id, amountFen: 1 }, owner.token)).data).toMatchObject({
      state: "waiting",
    });
    expect((await post("/remittance/confirm", { id: data.id, amountFen: 1 }, owner.token)).data.reason).toBe(
      "real_name.state",
    );
  });

  test("fifty right answers at once are one step", async () => {
    const owner = await customer();
    const { data } = await post<{ id: string }>("/submit", await enterprise(owner.token), owner.token);
    await settle(data.id);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => post("/remittance/confirm", { id: data.id, amountFen: 1 }, owner.token)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(
      await query("select 1 from real_name_events where real_name_application_id = $1 and what = 'confirmed'", [
        data.id,
      ]),
    ).toHaveLength(1);
  });

  test.each([
    ["9001", "name_mismatch"],
    ["9002", "not_public"],
    ["9003", "no_account"],
  ])("an account that ends with %s fails (%s); the account alone can be corrected", async (ending, failure) => {
    const owner = await customer();
    const { data } = await post<{ id: string }>("/submit", await enterprise(owner.token, ending), owner.token);
    await settle(data.id);
    expect((await detailOf(owner.token)).application?.remittance).toMatchObject({ state: "failed", failure });
    expect((await messagesOf(owner.account))[0]?.title).toBe("测试汇款没有成功");
    const other = await post("/resubmit", { id: data.id, values: { legalName: "别人" } }, owner.token);
    expect(other.data.problems?.[0]).toMatchObject({ field: "legalName", reason: "real_name.not_returned" });
    expect((await post("/resubmit", { id: data.id, values: {} }, owner.token)).data.reason).toBe("real_name.unchanged");
    const corrected = await post(
      "/resubmit",
      { id: data.id, values: { bankAccount: "8111222233335555" } },
      owner.token,
    );
    expect(corrected.data).toMatchObject({ state: "remitting" });
    await settle(data.id);
    expect((await detailOf(owner.token)).application?.remittance).toMatchObject({ state: "arrived" });
  });

  test("a late one arrives late; one that comes twice counts once and is told to the reviewer", async () => {
    const late = await customer();
    const { data } = await post<{ id: string }>("/submit", await enterprise(late.token, "9004"), late.token);
    await settle(data.id, 1);
    expect((await detailOf(late.token)).application?.remittance?.state).toBe("sent");
    await settle(data.id, 1);
    expect((await detailOf(late.token)).application?.remittance?.state).toBe("arrived");

    const twice = await customer();
    const again = await post<{ id: string }>("/submit", await enterprise(twice.token, "9005"), twice.token);
    await settle(again.data.id);
    await app.runJob("real-name.remit");
    expect((await reviewOf(again.data.id)).remittance).toMatchObject({ state: "arrived", arrivals: 2 });
    expect(
      await query("select 1 from real_name_events where real_name_application_id = $1 and what = 'arrived'", [
        again.data.id,
      ]),
    ).toHaveLength(1);
    expect((await messagesOf(twice.account)).filter(({ title }) => title === "测试汇款到账了")).toHaveLength(1);
  });

  test("72 hours without an answer end it; three a day are sent, however often is asked", async () => {
    const owner = await customer();
    const { data } = await post<{ id: string }>("/submit", await enterprise(owner.token), owner.token);
    const expire = async () => {
      await settle(data.id);
      await query(
        "update real_name_remittances set expires_at = now() - interval '1 second' where real_name_application_id = $1 and state = 'arrived'",
        [data.id],
      );
      // What is over is over before a job says so.
      expect((await post("/remittance/confirm", { id: data.id, amountFen: 1 }, owner.token)).data.reason).toBe(
        "real_name.nothing_to_confirm",
      );
      await app.runJob("real-name.remit");
      expect((await detailOf(owner.token)).application?.remittance?.state).toBe("expired");
    };
    await expire();
    const asked = await Promise.all(
      Array.from({ length: 10 }, () => post("/remittance/again", { id: data.id }, owner.token)),
    );
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(1);
    await expire();
    expect((await post("/remittance/again", { id: data.id }, owner.token)).status).toBe(200);
    await expire();
    expect((await post("/remittance/again", { id: data.id }, owner.token)).data.reason).toBe("real_name.sends_spent");
    expect((await detailOf(owner.token)).sendsLeft).toBe(0);
    expect(
      await query("select 1 from real_name_remittances where real_name_application_id = $1", [data.id]),
    ).toHaveLength(3);
  });
});

describe("the desk", () => {
  test("an enterprise needs two looks by two people", async () => {
    const { owner, id } = await waitingEnterprise();
    expect((await decide(id, admin)).data.state).toBe("second_look");
    expect((await detailOf(owner.token)).open).toBe(false);
    expect((await post("-review/claim", { id }, admin)).data.reason).toBe("real_name.second_self");
    // A second look is one at everything: nothing is taken over from the first.
    await post("-review/claim", { id }, second);
    const review = await reviewOf(id, second);
    const some = verdictsOf(review).slice(1);
    const half = await post("-review/decide", { id, version: review.version, verdicts: some }, second);
    expect(half.data.reason).toBe("real_name.verdicts");
    const whole = await post("-review/decide", { id, version: review.version, verdicts: verdictsOf(review) }, second);
    expect(whole.data).toMatchObject({ state: "passed" });
    expect(await detailOf(owner.token)).toMatchObject({ status: "enterprise", open: true });
  });

  test("two reviewers never decide the same: claims exclude each other, run out, and are put back", async () => {
    const owner = await customer();
    const { data } = await post<{ id: string }>("/submit", personal(), owner.token);
    const { id } = data;
    const claims = await Promise.all([post("-review/claim", { id }, admin), post("-review/claim", { id }, second)]);
    expect(claims.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const [holder, other] = claims[0]?.status === 200 ? [admin, second] : [second, admin];
    const review = await reviewOf(id, holder);
    const decision = { id, version: review.version, verdicts: verdictsOf(review) };
    expect((await post("-review/decide", decision, other)).data.reason).toBe("real_name.not_claimed");
    // While somebody has it in hand, the customer can't take it away.
    expect((await post("/withdraw", { id }, owner.token)).data.reason).toBe("real_name.in_hand");
    // 30 minutes without a sign of life: it is free, and the first one's decision comes too late.
    await query("update real_name_applications set claimed_until = now() - interval '1 second' where id = $1", [id]);
    expect((await post("-review/decide", decision, holder)).data.reason).toBe("real_name.not_claimed");
    expect((await post("-review/claim", { id }, other)).status).toBe(200);
    expect((await post("-review/claim", { id }, holder)).data).toMatchObject({ reason: "real_name.claimed" });
    expect((await post("-review/release", { id }, holder)).data.reason).toBe("real_name.not_claimed");
    expect((await post("-review/release", { id }, other)).status).toBe(200);
    expect((await post("-review/claim", { id }, holder)).status).toBe(200);
    const decisions = await Promise.all(Array.from({ length: 10 }, () => post("-review/decide", decision, holder)));
    expect(decisions.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(
      await query("select 1 from real_name_events where real_name_application_id = $1 and what = 'passed'", [id]),
    ).toHaveLength(1);
  });

  test("what is returned alone is open again, and the rest stays as it was accepted", async () => {
    const { owner, id, values } = await waitingEnterprise();
    const against = {
      legalName: { reason: "mismatch", documentValue: "郑有天", note: "看执照" },
      legalPhone: { reason: "missing", documentValue: "13900000000" },
    };
    expect((await decide(id, admin, against)).data.state).toBe("rejected");
    const { application } = await detailOf(owner.token);
    const byField = new Map(application?.items.map((item) => [item.field, item]));
    expect(byField.get("legalName")).toMatchObject({
      verdict: "returned",
      reason: "mismatch",
      note: "看执照",
      documentValue: "郑有天",
    });
    // A number is never told in full, not even as the reviewer read it.
    expect(byField.get("legalPhone")).toMatchObject({ verdict: "returned", value: "138****0462", documentValue: "" });
    expect(byField.get("enterpriseName")).toMatchObject({ verdict: "accepted", reason: "none" });
    expect((await messagesOf(owner.account))[0]?.title).toBe("实名认证有几项要改");
    // Customers are not told who of the group decided.
    expect(application?.events.every(({ actor }) => actor === "")).toBe(true);

    const again = (sent: Record<string, string>) =>
      post<Refused & { state: string }>("/resubmit", { id, values: sent }, owner.token);
    const others = await again({ legalName: "郑有天", legalPhone: "13900000001", enterpriseName: "别的公司" });
    expect(others.data.problems?.map(({ field, reason }) => [field, reason])).toContainEqual([
      "enterpriseName",
      "real_name.not_returned",
    ]);
    const one = await again({ legalName: "郑有天" });
    expect(one.data.problems?.map(({ field, reason }) => [field, reason])).toEqual([
      ["legalPhone", "real_name.same_value"],
    ]);
    const same = await again({ legalName: values.legalName ?? "", legalPhone: "13900000001" });
    expect(same.data.problems?.map(({ field, reason }) => [field, reason])).toEqual([
      ["legalName", "real_name.same_value"],
    ]);
    const bad = await again({ legalName: "郑有天", legalPhone: "139" });
    expect(bad.data.problems?.map(({ field, reason }) => [field, reason])).toEqual([
      ["legalPhone", "real_name.mobile"],
    ]);
    // The account was not touched: no second remittance.
    expect((await again({ legalName: "郑有天", legalPhone: "13900000001" })).data.state).toBe("waiting");
    const review = await reviewOf(id);
    expect(review).toMatchObject({ round: 2, rejections: 1 });
    for (const item of review.items) {
      const resent = item.field === "legalName" || item.field === "legalPhone";
      expect([item.field, item.resent, item.verdict]).toEqual([item.field, resent, resent ? "open" : "accepted"]);
    }
    const stored = await query<{ field: string; round: number }>(
      "select field, round from real_name_items where real_name_application_id = $1",
      [id],
    );
    expect(
      stored
        .filter(({ round }) => round === 2)
        .map(({ field }) => field)
        .toSorted(),
    ).toEqual(["legalName", "legalPhone"]);
    // The first look of the new round asks for the two open items alone.
    await post("-review/claim", { id }, admin);
    const two = await post(
      "-review/decide",
      {
        id,
        version: (await reviewOf(id)).version,
        verdicts: [
          { field: "legalName", reason: "none" },
          { field: "legalPhone", reason: "none" },
        ],
      },
      admin,
    );
    expect(two.data).toMatchObject({ state: "second_look" });
    // A returned account is tried anew.
    expect((await decide(id, second, { bankAccount: { reason: "mismatch" } })).data.state).toBe("rejected");
    expect((await again({ bankAccount: "8111222277778888" })).data.state).toBe("remitting");
  });

  test("verdicts must be complete, single, and about what was shown", async () => {
    const owner = await customer();
    const { data } = await post<{ id: string }>("/submit", personal(), owner.token);
    await post("-review/claim", { id: data.id }, admin);
    const review = await reviewOf(data.id);
    const ask = (verdicts: object[], version = review.version) =>
      post("-review/decide", { id: data.id, version, verdicts }, admin);
    const none = (field: string) => ({ field, reason: "none" });
    expect((await ask([none("personName")])).data.reason).toBe("real_name.verdicts");
    expect((await ask([none("personName"), none("idNumber"), none("idNumber")])).data.reason).toBe(
      "real_name.verdicts",
    );
    expect((await ask([none("personName"), none("idNumber"), none("bankCode")])).data.reason).toBe(
      "real_name.verdicts",
    );
    expect((await ask([none("personName"), none("idNumber")], review.version + 1)).data.reason).toBe(
      "real_name.changed",
    );
    expect((await ask([none("personName"), { field: "idNumber", reason: "whim" }])).status).toBe(400);
    expect((await reviewOf(data.id)).state).toBe("waiting");
  });

  test("a licence that ended meanwhile can't pass, and is pointed out", async () => {
    const { id } = await waitingEnterprise();
    await query("update real_name_applications set licence_until = now()::date - 3 where id = $1", [id]);
    expect((await reviewOf(id)).findings).toContainEqual(
      expect.objectContaining({ field: "licenceUntil", finding: "expired" }),
    );
    expect((await decide(id, admin)).data.reason).toBe("real_name.licence_over");
    expect((await decide(id, admin, { licenceUntil: { reason: "expired" } })).data.state).toBe("rejected");
  });

  test("a number that another customer is authenticated by is pointed out to the reviewer, not to the customer", async () => {
    const [one, two] = [await customer(), await customer()];
    const body = personal();
    const first = await post<{ id: string }>("/submit", body, one.token);
    await decide(first.data.id, admin);
    const other = await post<{ id: string }>("/submit", body, two.token);
    expect(other.status).toBe(200);
    expect((await reviewOf(other.data.id)).findings).toContainEqual({ field: "idNumber", finding: "used_elsewhere" });
    expect((await get("/detail", two.token)).raw).not.toContain("used_elsewhere");
  });

  test("nobody reviews the own farm", async () => {
    const owner = await customer();
    const { data } = await post<{ id: string }>("/submit", personal(), owner.token);
    const staff = await person("auditor", "000000");
    await query(
      "insert into memberships (id, account_id, tenant_id) select $1, id, $2 from accounts where account = $3",
      [app.nextId(), owner.tenantId, staff.account],
    );
    const token = await app.logIn(staff.account, "000000");
    expect((await post("-review/claim", { id: data.id }, token)).data.reason).toBe("real_name.own");
    expect((await post("-review/claim", { id: data.id }, admin)).status).toBe(200);
  });

  test("the queue has what waits, by view, kind and name, and figures that agree", async () => {
    const before = (await get<RealNameFigures>("-review/figures", admin)).data;
    const owner = await customer();
    const body = { ...personal(), values: { personName: "寻找我", idNumber: idNumber() } };
    const { data } = await post<{ id: string }>(
      "/submit",
      { ...body, lastSix: body.values.idNumber.slice(-6) },
      owner.token,
    );
    const ids = async (more: string) =>
      (await get<Page<RealNameTask>>(`-review/page?size=500&${more}`, admin)).data.records.map(({ id }) => id);
    expect(await ids("view=waiting")).toContain(data.id);
    expect(await ids(`view=waiting&keyword=${encodeURIComponent("寻找")}`)).toEqual([data.id]);
    expect(await ids(`view=waiting&keyword=${encodeURIComponent("%")}`)).toEqual([]);
    expect(await ids("view=waiting&kind=enterprise")).not.toContain(data.id);
    expect(await ids("view=mine")).not.toContain(data.id);
    await post("-review/claim", { id: data.id }, admin);
    expect(await ids("view=mine")).toContain(data.id);
    await decide(data.id, admin, { personName: { reason: "mismatch" } });
    expect(await ids("view=waiting")).not.toContain(data.id);
    expect((await ids("view=done"))[0]).toBe(data.id);
    const after = (await get<RealNameFigures>("-review/figures", admin)).data;
    expect([after.rejected - before.rejected, after.decided - before.decided]).toEqual([1, 1]);
    const count = (of: RealNameFigures) => of.reasons.find(({ reason }) => reason === "mismatch")?.count ?? 0;
    expect(count(after) - count(before)).toBe(1);
    expect(after.medianMinutes).toBeGreaterThanOrEqual(0);
  });

  test("the figures are those of a plain statement", async () => {
    const { data } = await post<{ id: string }>("/submit", personal(), (await customer()).token);
    await query("update real_name_applications set due_at = now() - interval '1 minute' where id = $1", [data.id]);
    await post("-review/claim", { id: data.id }, admin);
    // Sent again after a rejection: it was decided before it came to the queue, which is no time that a review took.
    await query(
      "update real_name_applications set queued_at = decided_at + interval '1 hour' where state = 'rejected'",
    );
    const [expected] = await query(
      `select (count(*) filter (where state in ('waiting', 'second_look')))::int as waiting, (count(*) filter (where state = 'second_look'))::int as second,
              (count(*) filter (where state in ('waiting', 'second_look') and claimed_until > now() and claimed_by = (select id from accounts where account = 'admin')))::int as mine,
              (count(*) filter (where state in ('waiting', 'second_look') and due_at < now()))::int as overdue,
              (percentile_cont(0.5) within group (order by extract(epoch from decided_at - queued_at))
                 filter (where decided_at > now() - interval '30 days' and decided_at >= queued_at) / 60)::int as "medianMinutes"
         from real_name_applications`,
    );
    const figures = (await get<RealNameFigures>("-review/figures", admin)).data;
    expect(figures).toMatchObject(expected ?? {});
    expect(Math.min(figures.waiting, figures.mine, figures.overdue)).toBeGreaterThan(0);
    expect(figures.decided).toBe(figures.passed + figures.rejected);
  });
});

describe("taking back", () => {
  test("a withdrawn application makes room for another", async () => {
    const owner = await customer();
    const { data } = await post<{ id: string }>("/submit", personal(), owner.token);
    expect((await post("/withdraw", { id: data.id }, owner.token)).status).toBe(200);
    expect((await post("-review/claim", { id: data.id }, admin)).data.reason).toBe("real_name.state");
    expect((await post("/submit", personal(), owner.token)).status).toBe(200);
  });
});

describe("who sees what", () => {
  test("numbers are shortened for both sides and nowhere in plain sight; a look at one needs password, right and leaves a trace", async () => {
    const { owner, id, values } = await waitingEnterprise();
    const secrets = [values.legalIdNumber, values.legalPhone, values.contactPhone, values.bankAccount] as string[];
    const seen = [
      (await get("/detail", owner.token)).raw,
      (await get(`-review/detail?id=${id}`, admin)).raw,
      (await get("-review/page?view=waiting&size=500", admin)).raw,
      JSON.stringify(await query("select * from real_name_applications")),
      JSON.stringify(await query("select * from real_name_items")),
      JSON.stringify(await query("select * from real_name_events")),
      JSON.stringify(await query("select * from real_name_remittances")),
      JSON.stringify(await query("select * from audit_entries where resource = 'real_name'")),
      JSON.stringify(await query("select * from messages")),
      app.logged.join("\n"),
    ];
    for (const secret of secrets) for (const text of seen) expect(text).not.toContain(secret);
    expect((await reviewOf(id)).items.find(({ field }) => field === "legalPhone")?.value).toBe("138****0462");

    // A session from the log-in form is fresh; one that is older must prove itself again.
    await query("update sessions set confirmed_at = now() - interval '1 hour'");
    const stale = await post("-review/reveal", { id, field: "legalIdNumber" }, admin);
    expect(stale.data.reason).toBe("identity.confirm_first");
    await query("update sessions set confirmed_at = now()");
    const shown = await post<{ value: string }>("-review/reveal", { id, field: "legalIdNumber" }, admin);
    expect(shown.data.value).toBe(values.legalIdNumber);
    const trail = await query<{ action: string; changes: object; actor_name: string }>(
      "select action, changes, actor_name from audit_entries where row_id = $1 and action = 'view'",
      [id],
    );
    expect(trail).toEqual([
      expect.objectContaining({
        changes: [{ field: "legalIdNumber", before: null, after: "shown" }],
        actor_name: "郑航",
      }),
    ]);
    expect((await post("-review/reveal", { id, field: "legalIdNumber" }, owner.token)).status).toBe(403);
    expect((await post("-review/reveal", { id, field: "licencePicture" }, admin)).status).toBe(404);
  });

  test("pictures are the sender's and, by a ticket for one browser, a reviewer's", async () => {
    const { owner, id } = await waitingEnterprise();
    const ticket = await app.call({
      method: "POST",
      path: `${base}-review/picture`,
      body: { id, field: "licencePicture" },
      token: admin,
    });
    const { pathname, search } = new URL((ticket.body.data as { url: string }).url);
    const open = (headers: Record<string, string>) =>
      app.http.inject({ method: "GET", url: pathname + search, headers });
    // The address alone opens nothing, and asking with it uses it up.
    expect((await open({})).statusCode).toBe(404);
    const again = await app.call({
      method: "POST",
      path: `${base}-review/picture`,
      body: { id, field: "licencePicture" },
      token: admin,
    });
    const next = new URL((again.body.data as { url: string }).url);
    const seen = await app.http.inject({
      method: "GET",
      url: next.pathname + next.search,
      headers: { cookie: again.cookie },
    });
    expect([seen.statusCode, seen.headers["content-type"]]).toEqual([200, "image/png"]);
    const other = await customer();
    expect(
      (await app.http.inject({ method: "GET", url: pathname, headers: { "muyuan-auth": `bearer ${other.token}` } }))
        .statusCode,
    ).toBe(404);
    expect(
      (await app.http.inject({ method: "GET", url: pathname, headers: { "muyuan-auth": `bearer ${owner.token}` } }))
        .statusCode,
    ).toBe(200);
    expect((await post("-review/picture", { id, field: "letterPicture" }, admin)).status).toBe(404);
  });

  test("another customer's application is one that never was; workers and customers have no desk", async () => {
    const [one, two] = [await customer(), await customer()];
    const { data } = await post<{ id: string }>("/submit", personal(), one.token);
    for (const [path, body] of [
      ["/resubmit", { id: data.id, values: {} }],
      ["/withdraw", { id: data.id }],
      ["/remittance/confirm", { id: data.id, amountFen: 1 }],
      ["/remittance/again", { id: data.id }],
    ] as const) {
      const foreign = await post(path, body, two.token);
      const missing = await post(path, { ...body, id: "1560000000000000001" }, two.token);
      expect([path, foreign.status, foreign.data]).toEqual([path, 404, missing.data]);
    }
    expect((await detailOf(two.token)).application).toBeUndefined();
    const worker = await person("worker", one.tenantId);
    expect((await get("/detail", worker.token)).status).toBe(403);
    for (const path of ["-review/page?view=waiting", `-review/detail?id=${data.id}`, "-review/figures"])
      expect((await get(path, one.token)).status).toBe(403);
    // Customer service may be of the group, and still is no reviewer.
    const service = await person("customer_service", "000000");
    expect((await get(`-review/detail?id=${data.id}`, service.token)).status).toBe(403);
  });
});

describe("a licence that ends", () => {
  const end = (id: string, days: number) =>
    query(
      "update real_name_applications set licence_until = (now() at time zone 'Asia/Shanghai')::date + $2::int, reminded_days = null where id = $1",
      [id, days],
    );
  async function passedEnterprise() {
    const made_ = await waitingEnterprise();
    await decide(made_.id, admin);
    expect((await decide(made_.id, second)).data.state).toBe("passed");
    return made_;
  }
  const titles = async (account: string) => (await messagesOf(account)).map(({ title }) => title);

  test("is reminded of 30 and 7 days before, once each, and suspends on the day after its last", async () => {
    const { owner, id } = await passedEnterprise();
    await end(id, 31);
    await app.runJob("real-name.licences");
    expect(await titles(owner.account)).not.toContain("营业执照 30 天内到期");
    await query("update real_name_applications set licence_until = licence_until - 1 where id = $1", [id]);
    await app.runJob("real-name.licences");
    await app.runJob("real-name.licences");
    expect((await titles(owner.account)).filter((title) => title === "营业执照 30 天内到期")).toHaveLength(1);
    await query("update real_name_applications set licence_until = licence_until - 23 where id = $1", [id]);
    await app.runJob("real-name.licences");
    await app.runJob("real-name.licences");
    expect((await titles(owner.account)).filter((title) => title === "营业执照 7 天内到期")).toHaveLength(1);
    expect(await detailOf(owner.token)).toMatchObject({ open: true, daysLeft: 7 });
    // The last day still counts.
    await query("update real_name_applications set licence_until = licence_until - 7 where id = $1", [id]);
    await app.runJob("real-name.licences");
    expect(await detailOf(owner.token)).toMatchObject({ open: true, daysLeft: 0, current: { state: "passed" } });
    // The gate closes at midnight, whether the job has run or not.
    await query("update real_name_applications set licence_until = licence_until - 1 where id = $1", [id]);
    expect(await detailOf(owner.token)).toMatchObject({ open: false, daysLeft: -1, current: { state: "passed" } });
    await app.runJob("real-name.licences");
    await app.runJob("real-name.licences");
    expect(await detailOf(owner.token)).toMatchObject({
      open: false,
      status: "enterprise",
      current: { state: "suspended" },
    });
    expect((await titles(owner.account)).filter((title) => title === "营业执照已到期")).toHaveLength(1);

    // An ended licence is no new one.
    const ended = await post("/submit", { kind: "enterprise", values: { licenceUntil: "2020-01-31" } }, owner.token);
    expect(ended.data.problems?.[0]).toMatchObject({ field: "licenceUntil", reason: "real_name.expired" });
  });

  test("a renewed one opens again; who is seven days away at once is reminded of that alone", async () => {
    const { owner, id } = await passedEnterprise();
    await end(id, 5);
    await app.runJob("real-name.licences");
    expect(await titles(owner.account)).toContain("营业执照 7 天内到期");
    expect(await titles(owner.account)).not.toContain("营业执照 30 天内到期");
    await end(id, -1);
    await app.runJob("real-name.licences");
    const sent = await post<{ id: string; state: string }>(
      "/submit",
      { kind: "enterprise", values: { licenceUntil: "2046-03-27" } },
      owner.token,
    );
    expect(sent.data.state).toBe("waiting");
    await decide(sent.data.id, admin);
    await decide(sent.data.id, second);
    expect(await detailOf(owner.token)).toMatchObject({
      open: true,
      current: { id: sent.data.id, licenceUntil: "2046-03-27" },
    });
    expect((await stepsInTrail(id)).slice(-2)).toEqual(["suspend", "replace"]);
    expect((await post("/submit", { kind: "enterprise", values: {} }, owner.token)).data.reason).toBe(
      "real_name.unchanged",
    );
  });
});

test("the demo's customers are authenticated, so that they bind devices", async () => {
  const farm = await app.logIn("farm");
  expect(await detailOf(farm)).toMatchObject({ status: "enterprise", open: true });
});

test("a new demo has somebody who waits, one before the second look with a picture, and one with two items back", async () => {
  const { kysely } = app.test.database;
  await seedDemoRealName(kysely, {
    cipher: app.personalCipher,
    nextId: app.nextId,
    hashPassword: app.hashPassword,
    keepFile: app.keepFile,
  });
  const seeded = await query<{ id: string; tenantId: string; kind: string; state: string }>(
    `select id::text, tenant_id as "tenantId", kind, state from real_name_applications
      where tenant_id in ('100004', '100005', '100006') order by tenant_id`,
  );
  expect(seeded.map(({ kind, state }) => [kind, state])).toEqual([
    ["personal", "waiting"],
    ["enterprise", "second_look"],
    ["enterprise", "rejected"],
  ]);
  const [waits, looked, rejected] = seeded.map(({ id }) => id) as [string, string, string];
  expect((await decide(waits, admin)).data.state).toBe("passed");
  const shown = await app.call({
    method: "POST",
    path: `${base}-review/picture`,
    body: { id: looked, field: "licencePicture" },
    token: admin,
  });
  const { pathname, search } = new URL((shown.body.data as { url: string }).url);
  const file = await app.http.inject({ method: "GET", url: pathname + search, headers: { cookie: shown.cookie } });
  expect([file.statusCode, file.rawPayload.subarray(1, 4).toString()]).toEqual([200, "PNG"]);
  // The group's other reviewer had the first look; the administrator has the second.
  expect((await decide(looked, admin)).data.state).toBe("passed");
  const returned = (await reviewOf(rejected)).items.filter(({ verdict }) => verdict === "returned");
  expect(returned.map(({ field }) => field)).toEqual(["licencePicture", "legalName"]);
  // What the seeds say passes the checks that people's entries pass.
  const owner = await app.logIn("xingnong");
  const again = await upload(app, owner, await picture("jpeg"), "new.jpg", { query: { visibility: "private" } });
  const sent = await post<{ state: string }>(
    "/resubmit",
    { id: rejected, values: { legalName: "冯建军", licencePicture: again.body.data.attachId } },
    owner,
  );
  expect(sent.data.state).toBe("waiting");
});
