import {
  auditVerify,
  type CancellationView,
  cancellationProcess,
  type DeskCancellation,
  type DeskCancellationDetail,
  type Page,
} from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { memoryBus } from "../../apps/server/src/providers/bus.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { cardNumber, codeIn, customersOf, type Person } from "../harness/customers.ts";
import { everyStep, passerBy } from "../harness/every-step.ts";
import { md5 } from "../harness/session.ts";
import { picture, upload } from "../harness/upload.ts";

let app: TestApp;
let people: ReturnType<typeof customersOf>;
let admin: string;
let service: string;
/** Sessions whose open pages were told that they are over. */
const told: string[] = [];
beforeAll(async () => {
  const bus = memoryBus();
  bus.subscribe("sessionEnded", ({ sessionId }) => void told.push(sessionId));
  app = await createTestApp({}, { bus });
  people = customersOf(app);
  admin = await app.logIn("admin");
  service = (await people.person("customer_service", "000000")).token;
});
afterAll(() => app.close());
beforeEach(() => app.pass(86_401));

const base = "/api/muyuan-customer/cancellation";
interface Refused {
  reason?: string;
}
const post = async <Data = Refused>(path: string, token: string, body: unknown = {}) => {
  const answer = await app.call({ method: "POST", path: path.startsWith("/") ? path : `${base}/${path}`, token, body });
  return { status: answer.status, data: answer.body.data as Data & Refused, raw: JSON.stringify(answer.body) };
};
const get = async <Data>(path: string, token: string) => {
  const answer = await app.get<Data>(`${base}/${path}`, token);
  return { status: answer.status, data: answer.body.data };
};
const unconfirm = (accountId: string) =>
  people.query(
    "update sessions set confirmed_at = now() - interval '6 minutes', authenticated_at = now() - interval '6 minutes' where account_id = $1",
    [accountId],
  );
const confirm = (accountId: string) =>
  people.query("update sessions set confirmed_at = now(), authenticated_at = now() where account_id = $1", [accountId]);
async function ask(person: Person, kind: "account" | "tenant" = "account", more: object = {}) {
  // A number gets few codes an hour.
  await app.pass(3601);
  const sent = await post<{ id: string }>("send-code", person.token);
  const [text] = await app.sms(person.phone);
  return post<CancellationView>(kind === "account" ? "submit" : "enterprise/submit", person.token, {
    understood: true,
    codeId: sent.data.id,
    code: codeIn(text),
    ...more,
  });
}
const tick = () => app.runJob("cancellations.tick");
const ripen = async (id: string) => {
  await people.query("update cancellations set cool_until = now() - interval '1 s' where id = $1", [id]);
  await tick();
};
const detailOf = async (id: string, token = admin) =>
  (await get<DeskCancellationDetail>(`desk/detail?id=${id}`, token)).data;
async function accept(id: string) {
  const { version } = await detailOf(id);
  return post<DeskCancellationDetail>("desk/accept", admin, { id, version });
}
const erase = async (id: string) => {
  await people.query(
    "update cancellations set erase_at = now() - interval '1 s' where id = $1 and state = 'accepted'",
    [id],
  );
  await tick();
};
/** From the wish to the end. */
async function close(person: Person, kind: "account" | "tenant" = "account"): Promise<string> {
  const asked = await ask(person, kind);
  const id = asked.data.current?.id ?? "";
  expect(id, asked.raw).not.toBe("");
  await ripen(id);
  const accepted = await accept(id);
  expect(accepted.status, accepted.raw).toBe(200);
  // A phone gets one message a minute.
  await app.pass(61);
  await erase(id);
  return id;
}
const messagesOf = async (accountId: string) =>
  (
    await people.query<{ title: string }>("select title from messages where account_id = $1 order by id desc", [
      accountId,
    ])
  ).map(({ title }) => title);

describe("asking", () => {
  test("shows what it affects, needs a fresh password, a code and consent, and cools off for seven days", async () => {
    const owner = await people.customer();
    const before = await get<CancellationView>("detail", owner.token);
    expect(before.data).toMatchObject({ kind: "account", title: owner.account, touches: [] });
    expect(before.data.kept.map(({ category, months }) => [category, months])).toEqual([
      ["identity", 36],
      ["consents", 36],
      ["payments", 120],
      ["log_ins", 6],
    ]);
    expect(before.data.phone).toBe(`${owner.phone.slice(0, 3)}****${owner.phone.slice(-4)}`);
    expect((await ask(owner, "account", { code: "000000" })).data.reason).toBe("verification.code");
    expect((await post("submit", owner.token, { codeId: "x", code: "000000" })).status).toBe(400);
    await unconfirm(owner.id);
    expect((await ask(owner)).data.reason).toBe("identity.confirm_first");
    await people.query("update sessions set confirmed_at = now(), authenticated_at = now() where account_id = $1", [
      owner.id,
    ]);
    const { data, raw } = await ask(owner, "account", { reason: "no_farming" });
    expect(data.current, raw).toMatchObject({ state: "cooling", reason: "no_farming", version: 1, eraseTime: "" });
    const [asked, until] = [data.current?.askTime ?? "", data.current?.coolUntil ?? ""].map((time) =>
      Date.parse(`${time.replace(" ", "T")}+08:00`),
    );
    expect((until ?? 0) - (asked ?? 0)).toBe(7 * 86_400_000);
    expect((data.current?.dueTime ?? "") > (data.current?.coolUntil ?? "")).toBe(true);
    expect((await ask(owner)).data.reason).toBe("cancellation.under_way");
    expect(await messagesOf(owner.id)).toEqual(["注销账号进入 7 天冷静期"]);
    // Everything goes on as usual.
    expect((await app.get("/api/muyuan-system/cms-user/profile", owner.token)).status).toBe(200);
  });

  test("is refused to the group's people, without a proven phone, and while something blocks it", async () => {
    const colleague = await people.person("customer_service", "000000");
    expect((await ask(colleague)).data.reason).toBe("cancellation.group");
    const owner = await people.customer();
    await people.query("update accounts set phone_verified_at = null where id = $1", [owner.id]);
    expect((await post("send-code", owner.token)).data.reason).toBe("cancellation.no_phone");
    expect((await post("submit", owner.token, { understood: true })).data.reason).toBe("cancellation.no_phone");

    const blocked = async (person: Person, effect: string, kind: "account" | "tenant" = "account") => {
      const { data } = await get<CancellationView>(kind === "account" ? "detail" : "enterprise/detail", person.token);
      expect(
        data.touches.find((touch) => touch.effect === effect),
        effect,
      ).toMatchObject({ blocks: true });
      expect((await ask(person, kind)).data.reason, effect).toBe("cancellation.blocked");
    };
    const farmer = await people.customer();
    const [{ id: device }] = (await people.query<{ id: string }>(
      "select id from devices where tenant_id = '100002' limit 1",
    )) as [{ id: string }];
    const farm = app.nextId();
    await people.query(
      "insert into farms (id, tenant_id, code, name, type) values ($1, $2, 'F1', '一场', 'commercial')",
      [farm, farmer.tenantId],
    );
    await people.query(
      `insert into devices (id, tenant_id, farm_id, kind, name, serial_number, token_hash, bound_at, owned_since, created_at)
       select $2, $3, $4, kind, '风机', 'SN-CLOSING', sha256('closing'), now(), now(), now() from devices where id = $1`,
      [device, app.nextId(), farmer.tenantId, farm],
    );
    await blocked(farmer, "devices");
    await blocked(farmer, "devices", "tenant");
    await people.query("delete from devices where serial_number = 'SN-CLOSING'");
    await people.query(
      `insert into work_orders (id, tenant_id, number, type, title, description, first_due_at) values ($1::bigint, $2, $1::bigint::text, 'complaint', '投诉', '内容', now())`,
      [app.nextId(), farmer.tenantId],
    );
    await blocked(farmer, "work_orders");
    await people.query("update work_orders set state = 'closed' where tenant_id = $1", [farmer.tenantId]);
    await people.query(
      `insert into contact_changes (id, account_id, kind, state, proven_by, effective_at) values ($1, $2, 'phone', 'waiting', 'identity', now() + interval '1 day')`,
      [app.nextId(), farmer.id],
    );
    await blocked(farmer, "phone_change");
    await people.query("delete from contact_changes where account_id = $1", [farmer.id]);
    // Somebody has to stay who sees to the farm.
    const colleagueOf = await people.person("worker", farmer.tenantId);
    await blocked(farmer, "sole_owner");
    expect((await get<CancellationView>("detail", colleagueOf.token)).data.touches).toEqual([]);
    expect((await get<CancellationView>("detail", farmer.token)).data.touches).toContainEqual({
      effect: "sole_owner",
      count: 1,
      blocks: true,
    });
    await people.person("owner", farmer.tenantId, false);
    expect((await ask(farmer)).status).toBe(200);
  });

  test("of a customer is an owner's business, and every member is told", async () => {
    const owner = await people.customer();
    const worker = await people.person("worker", owner.tenantId);
    const finance = await people.person("finance", owner.tenantId);
    for (const token of [worker.token, finance.token]) {
      expect((await get("enterprise/detail", token)).status).toBe(403);
      expect((await post("enterprise/submit", token, { understood: true })).status).toBe(403);
    }
    const { data, raw } = await ask(owner, "tenant");
    expect(data.current, raw).toMatchObject({ kind: "tenant", state: "cooling" });
    expect(data.touches).toContainEqual({ effect: "members", count: 2, blocks: false });
    expect(data.touches).toContainEqual({ effect: "accounts", count: 3, blocks: false });
    expect(await messagesOf(worker.id)).toEqual(["您所在的企业提出了注销"]);
  });
});

describe("the table of transitions", () => {
  test.each(["account", "tenant"] as const)(
    "of one of kind %s: every state and event, as owner, other owner, member, stranger, desk and clock: only the table's, each with its step and its entry",
    async (kind) => {
      const owner = await people.customer();
      const second = await people.person("owner", owner.tenantId);
      const worker = await people.person("worker", owner.tenantId);
      const stranger = await people.customer();
      const id = (await ask(owner, kind)).data.current?.id ?? "";
      expect(id).not.toBe("");
      const path = kind === "account" ? "take-back" : "enterprise/take-back";
      const tried = await everyStep(cancellationProcess, {
        query: people.query,
        table: "cancellations",
        id: () => id,
        history: ["cancellation_steps", "cancellation_id"],
        callers: [
          { name: "owner", token: owner.token, party: "owner" },
          // A customer is its owners'; an account is one person's.
          { name: "second owner", token: second.token, party: kind === "tenant" ? "owner" : undefined },
          { name: "worker", token: worker.token, party: undefined },
          { name: "other tenant", token: stranger.token, party: undefined },
          passerBy,
          { name: "desk", token: service, party: "desk" },
          { name: "clock", token: "", party: "clock" },
        ],
        async put(state, event) {
          await app.pass(61);
          await people.query(
            `update cancellations set state = $2, version = 1, decided_by = null, answer = '',
                    erase_at = case when $2 = 'accepted' then now() + case when $3 then '-1 s' else '1 day' end::interval end,
                    report = case when $2 = 'erased' then '{"erased": [], "anonymized": []}'::jsonb end,
                    cool_until = now() + case when $4 then '-1 s' else '1 day' end::interval where id = $1`,
            [id, state, event === "hold", event === "ripen"],
          );
          // Something that is not finished stands in the way.
          await people.query("delete from work_orders where tenant_id = $1", [owner.tenantId]);
          await people.query("delete from contact_changes where account_id = $1", [owner.id]);
          if (event !== "hold") return;
          await people.query(
            `insert into contact_changes (id, account_id, kind, state, proven_by, effective_at)
             values ($1, $2, 'phone', 'waiting', 'identity', now() + interval '1 day')`,
            [app.nextId(), owner.id],
          );
          await people.query(
            `insert into work_orders (id, tenant_id, number, type, title, description, first_due_at)
             values ($1::bigint, $2, $1::bigint::text, 'complaint', '投诉', '内容', now())`,
            [app.nextId(), owner.tenantId],
          );
        },
        async ask(event, { token, party }) {
          if (party === "clock") {
            // What is erased can't be tried again: the tests of the erasure do it.
            if (event !== "ripen" && event !== "hold") return "no way";
            await tick();
            return undefined;
          }
          if (event === "take_back") return (await post(path, token, { id })).status;
          if (event !== "accept" && event !== "refuse") return "no way";
          return (await post(`desk/${event}`, token, { id, version: 1, answer: "资料要核对" })).status;
        },
        elsewhere: ["accepted erase clock"],
      });
      expect(tried).toBeGreaterThan(100);
    },
    60_000,
  );

  test("a decision needs the version that was shown, a reason where it refuses, and somebody else", async () => {
    const owner = await people.customer();
    const id = (await ask(owner)).data.current?.id ?? "";
    await ripen(id);
    expect((await messagesOf(owner.id))[0]).toBe("冷静期过了，等客服答复");
    const { version } = await detailOf(id);
    expect((await post("desk/accept", admin, { id, version: version - 1 })).data.reason).toBe("cancellation.changed");
    expect((await post("desk/refuse", admin, { id, version, answer: "" })).status).toBe(400);
    const refused = await post<DeskCancellationDetail>("desk/refuse", admin, {
      id,
      version,
      answer: "有一笔退款还没到账",
    });
    expect(refused.data).toMatchObject({ state: "refused", answer: "有一笔退款还没到账" });
    expect(refused.data.steps.map(({ what, actor }) => [what, actor])).toEqual([
      ["ask", ""],
      ["ripen", ""],
      ["refuse", "郑航"],
    ]);
    expect((await get<CancellationView>("detail", owner.token)).data.current).toMatchObject({
      state: "refused",
      answer: "有一笔退款还没到账",
    });
    // It may be asked for again, once: a code that was right for what is refused is not used up by that.
    const again = await ask(owner);
    expect(again.status).toBe(200);
    await app.pass(3601);
    const sent = await post<{ id: string }>("send-code", owner.token);
    const given = { understood: true, codeId: sent.data.id, code: codeIn((await app.sms(owner.phone))[0]) };
    expect((await post("submit", owner.token, given)).data.reason).toBe("cancellation.under_way");
    await post("take-back", owner.token, { id: again.data.current?.id });
    expect((await post("submit", owner.token, given)).status).toBe(200);
    // Who asked before joining the group does not answer for themselves.
    const own = app.nextId();
    await people.query(
      `insert into cancellations (id, kind, state, tenant_id, account_id, cool_until, due_at)
       select $1, 'account', 'waiting', '000000', a.id, now(), now() + interval '1 day' from accounts a where a.account_key = 'admin'`,
      [own],
    );
    for (const [step, more] of [
      ["accept", {}],
      ["refuse", { answer: "不行" }],
    ] as const)
      expect((await post(`desk/${step}`, admin, { id: own, version: 1, ...more })).data.reason).toBe(
        "cancellation.own",
      );
    await people.query("delete from cancellations where id = $1", [own]);
  });

  test("T39: fifty consents at once are one, and a consent that races with a take-back leaves one of the two", async () => {
    const owner = await people.customer();
    const id = (await ask(owner)).data.current?.id ?? "";
    await ripen(id);
    const { version } = await detailOf(id);
    const answers = await Promise.all(Array.from({ length: 50 }, () => post("desk/accept", admin, { id, version })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // Taken back in the last moment, nothing is erased.
    await people.query(
      "update cancellations set erase_at = now() - interval '1 s' where id = $1 and state = 'accepted'",
      [id],
    );
    const [back] = await Promise.all([post("take-back", owner.token, { id }), tick()]);
    const [row] = await people.query<{ state: string }>("select state from cancellations where id = $1", [id]);
    const [held] = await people.query<{ status: number }>("select status from accounts where id = $1", [owner.id]);
    expect([row?.state, held?.status]).toEqual(back.status === 200 ? ["taken_back", 1] : ["erased", 0]);
  });

  test("the desk sees what waits and is told of what is late, once", async () => {
    const owner = await people.customer();
    const id = (await ask(owner)).data.current?.id ?? "";
    await ripen(id);
    await people.query("update cancellations set due_at = now() - interval '1 hour' where id = $1", [id]);
    const [{ id: adminId }] = (await people.query<{ id: string }>(
      "select id from accounts where account_key = 'admin'",
    )) as [{ id: string }];
    await people.query("delete from messages where account_id = $1", [adminId]);
    await tick();
    await tick();
    expect((await messagesOf(adminId)).filter((title) => title === "有注销超时没有答复")).toHaveLength(1);
    const { data } = await get<Page<DeskCancellation> & { counts: { overdue: number } }>(
      "desk/page?queue=waiting&size=50",
      admin,
    );
    expect(data.records[0]?.id).toBe(id);
    expect(data.counts.overdue).toBeGreaterThan(0);
    expect(JSON.stringify(data)).not.toContain(owner.account);
    expect((await get("desk/page", owner.token)).status).toBe(403);
  });

  test("the desk narrows a queue by kind and by the customer's name", async () => {
    const owner = await people.customer();
    const id = (await ask(owner)).data.current?.id ?? "";
    const [{ name }] = (await people.query<{ name: string }>("select name from tenants where tenant_id = $1", [
      owner.tenantId,
    ])) as [{ name: string }];
    const idsOf = async (query: string) =>
      (await get<Page<DeskCancellation>>(`desk/page?queue=cooling&size=500&${query}`, admin)).data.records.map(
        (row) => row.id,
      );
    const part = encodeURIComponent(name.slice(1));
    expect(await idsOf(`kind=account&keyword=${part}`)).toContain(id);
    expect(await idsOf(`kind=tenant&keyword=${part}`)).not.toContain(id);
    expect(await idsOf("keyword=%25%25")).toEqual([]);
  });
});

describe("the erasure", () => {
  /** All text of the database, without what law keeps and without keyed hashes. */
  const dump = async (): Promise<string> => {
    const tables = await people.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'telemetry%'",
    );
    const parts = [];
    for (const { name } of tables)
      parts.push(
        ...(await people.query<{ text: string }>(`select row_to_json(r)::text as text from "${name}" r`)).map(
          ({ text }) => `${name} ${text}`,
        ),
      );
    return parts.join("\n");
  };

  test("takes a person out of everything, ends every session, frees name and phone, and keeps what law wants apart", async () => {
    const owner = await people.customer();
    const stays = await people.customer();
    await people.query("update accounts set real_name = '独一无二名' where id = $1", [owner.id]);
    // Leaves an entry with the customer's name in the journal.
    const [desk] = await people.query<{ id: string }>("select id from accounts where account_key = 'admin'");
    await confirm(desk?.id ?? "");
    const looked = await app.call({
      method: "POST",
      path: "/api/muyuan-customer/customer/reveal",
      token: admin,
      body: { id: owner.tenantId, field: "phone", reason: "客户来电核对号码" },
    });
    expect(looked.status).toBe(200);
    await post("/api/muyuan-system/cms-address/save", owner.token, {
      regionCode: "411325",
      address: "灌涨镇前湾村 18 号",
    });
    const uploaded = await upload(app, owner.token, await picture("png"), "身份证.png", {
      query: { visibility: "private" },
    });
    await app.call({
      method: "POST",
      path: "/api/muyuan-system/user/update-info",
      token: owner.token,
      body: { name: "独一无二" },
    });
    const number = cardNumber(991);
    await people.query(
      `insert into bank_cards (id, tenant_id, created_by, state, bank_name, number_encrypted, number_index, holder_encrypted, phone_encrypted, last_four)
       values ($1, $2, $3, 'verified', '中国农业银行', $4, $5, $4, $4, '4444')`,
      [app.nextId(), owner.tenantId, owner.id, app.personalCipher.encrypt(number), app.personalCipher.index(number)],
    );
    const work = app.nextId();
    await people.query(
      `insert into work_orders (id, tenant_id, number, type, state, title, description, created_by, first_due_at)
       values ($1::bigint, $2, $1::bigint::text, 'complaint', 'closed', '风机响', '请打 13912345678 找我，身份证 411325198506120010', $3, now())`,
      [work, owner.tenantId, owner.id],
    );
    await post("/api/muyuan-work-order/complaint/submit", stays.token, {});
    const [{ count: entries }] = (await people.query<{ count: string }>("select count(*) from audit_entries")) as [
      { count: string },
    ];
    const sessions = await people.query<{ id: string }>("select id::text from sessions where account_id = $1", [
      owner.id,
    ]);
    const id = await close(owner);
    expect(told).toEqual(expect.arrayContaining(sessions.map((session) => session.id)));
    expect(sessions).not.toEqual([]);
    const detail = await detailOf(id);
    expect(detail.state).toBe("erased");
    expect(detail.title).toBe(`removed-${owner.id}`);
    expect(detail.customer).toBe("已注销客户");
    const erased = Object.fromEntries(detail.report?.erased.map(({ what, rows }) => [what, rows]) ?? []);
    expect(erased).toMatchObject({ 联系地址: 1, 实名认证资料: 2, 银行卡: 1, 上传的文件: 1, 账号资料: 1, 所在单位: 1 });
    expect(detail.report?.anonymized.map(({ what }) => what)).toContain("工单");

    // Nothing lets anybody in, and the name is free.
    expect((await app.get("/api/muyuan-system/cms-user/profile", owner.token)).status).toBe(401);
    const again = await app.token({ grant_type: "password", username: owner.account, password: md5(demoPassword) });
    expect(again.status).not.toBe(200);
    const [account] = await people.query(
      "select status, real_name, nick_name, phone_encrypted, phone_index, email_encrypted, password_hash from accounts where id = $1",
      [owner.id],
    );
    expect(account).toEqual({
      status: 0,
      real_name: "已注销用户",
      nick_name: "已注销用户",
      phone_encrypted: "",
      phone_index: null,
      email_encrypted: "",
      password_hash: "",
    });
    // It is sent by a job that the erasure put in.
    await expect
      .poll(async () => (await app.sms(owner.phone))[0], { timeout: 20_000 })
      .toContain("您的账号注销：已完成");
    // The file's bytes are gone with the next sweep.
    await app.runJob("files.sweep");
    expect(await people.query("select 1 from attachments where id = $1", [uploaded.body.data.attachId])).toEqual([]);
    const [order] = await people.query("select title, description from work_orders where id = $1", [work]);
    expect(order).toEqual({ title: "风机响", description: "请打 *** 找我，身份证 ***" });
    const text = await dump();
    for (const canary of [owner.account, "独一无二", "灌涨镇", owner.name, owner.idNumber, owner.phone, number])
      expect(
        text.split("\n").filter((line) => line.includes(canary)),
        canary,
      ).toEqual([]);

    // What law keeps is closed, and opened with right, password and reason.
    expect(detail.retained.map(({ category }) => category).sort()).toEqual(["identity", "log_ins"]);
    const kept = detail.retained.find(({ category }) => category === "identity");
    expect((await post("desk/retained", service, { id: kept?.id, reason: "法院来函" })).status).toBe(403);
    await unconfirm(desk?.id ?? "");
    expect((await post("desk/retained", admin, { id: kept?.id, reason: "法院来函 12 号" })).data).not.toHaveProperty(
      "content",
    );
    await confirm(desk?.id ?? "");
    const shown = await post<{ content: string }>("desk/retained", admin, { id: kept?.id, reason: "法院来函 12 号" });
    const looks = await people.query<{ changes: { field: string; after: string }[] }>(
      "select changes from audit_entries where resource = 'cancellation' and action = 'view' and row_id = $1",
      [id],
    );
    expect(looks.map(({ changes }) => changes.map(({ after }) => after))).toEqual([["identity", "法院来函 12 号"]]);
    expect(shown.data.content).toContain(owner.idNumber);
    expect(shown.data.content).toContain(owner.phone);
    await people.query("update retained_records set keep_until = current_date - 2 where id = $1", [kept?.id]);
    await app.runJob("cancellations.retained");
    expect((await detailOf(id)).retained.find((row) => row.id === kept?.id)).toMatchObject({ gone: true });
    expect((await post("desk/retained", admin, { id: kept?.id, reason: "法院来函" })).status).toBe(404);

    // The journal holds, without the name; a change of what was redacted is found.
    const verify = async () => {
      const answer = await app.call({ method: "POST", path: auditVerify.path, token: admin });
      expect(answer.status).toBe(200);
      return answer.body.data as { entries: number; brokenId?: string };
    };
    expect((await verify()).brokenId).toBeUndefined();
    const [{ count: after }] = (await people.query<{ count: string }>("select count(*) from audit_entries")) as [
      { count: string },
    ];
    expect(Number(after)).toBeGreaterThan(Number(entries));
    const [redacted] = await people.query<{ id: string; name: string; title: string; changes: unknown[] }>(
      `select e.id, e.actor_name as name, e.row_title as title, e.changes from audit_redactions r
         join audit_entries e on e.id = r.audit_entry_id where r.cancellation_id = $1 and e.resource = 'customer'`,
      [id],
    );
    expect(redacted).toMatchObject({ title: "", changes: [] });
    await people.query("update audit_entries set actor_name = '别人' where id = $1", [redacted?.id]);
    expect((await verify()).brokenId).toBe(redacted?.id);
    await people.query("update audit_entries set actor_name = $2 where id = $1", [redacted?.id, redacted?.name]);
    // Nobody else lost anything.
    expect((await app.get("/api/muyuan-system/cms-user/profile", stays.token)).status).toBe(200);
  });

  test("of a customer goes with its accounts; somebody who is elsewhere, too, stays", async () => {
    const owner = await people.customer();
    const worker = await people.person("worker", owner.tenantId);
    const vet = await people.person("worker", owner.tenantId);
    const elsewhere = await people.tenant();
    await people.query("insert into memberships (id, account_id, tenant_id) values ($1, $2, $3)", [
      app.nextId(),
      vet.id,
      elsewhere,
    ]);
    await people.query(
      "insert into farms (id, tenant_id, code, name, type, principal, address) values ($1, $2, 'F1', '一场', 'commercial', '郭场长', '前湾村')",
      [app.nextId(), owner.tenantId],
    );
    const words = { reason: "请打 13812345678", heads: 12_345_678 };
    await people.query(
      `insert into process_entries (id, process, row_id, tenant_id, event, party, state, words)
       values ($1, 'access_request', 1, $2, 'refuse', 'granter', 'refused', $3)`,
      [app.nextId(), owner.tenantId, JSON.stringify(words)],
    );
    const id = await close(owner, "tenant");
    expect((await detailOf(id)).state).toBe("erased");
    expect(await people.query("select words from process_entries where tenant_id = $1", [owner.tenantId])).toEqual([
      { words: { ...words, reason: "请打 ***" } },
    ]);
    const states = await people.query<{ id: string; status: number }>(
      "select id, status from accounts where id = any($1)",
      [[owner.id, worker.id, vet.id]],
    );
    expect(new Map(states.map((row) => [row.id, row.status]))).toEqual(
      new Map([
        [owner.id, 0],
        [worker.id, 0],
        [vet.id, 1],
      ]),
    );
    expect(await people.query("select name, status from tenants where tenant_id = $1", [owner.tenantId])).toEqual([
      { name: "已注销客户", status: 0 },
    ]);
    expect(await people.query("select principal, address from farms where tenant_id = $1", [owner.tenantId])).toEqual([
      { principal: "", address: "" },
    ]);
    expect(await people.query("select account_id from memberships where tenant_id = $1", [owner.tenantId])).toEqual([]);
  });

  test("waits where something has come in the way since, and goes back to the desk", async () => {
    const owner = await people.customer();
    const id = (await ask(owner)).data.current?.id ?? "";
    await ripen(id);
    await accept(id);
    await people.query(
      `insert into work_orders (id, tenant_id, number, type, title, description, first_due_at) values ($1::bigint, $2, $1::bigint::text, 'complaint', '投诉', '内容', now())`,
      [app.nextId(), owner.tenantId],
    );
    await erase(id);
    expect(await detailOf(id)).toMatchObject({ state: "waiting", eraseTime: "" });
    expect((await accept(id)).data.reason).toBe("cancellation.blocked");
    expect((await messagesOf(owner.id))[0]).toBe("注销暂停了");
    // Nobody was logged out for it.
    expect((await app.get("/api/muyuan-system/cms-user/profile", owner.token)).status).toBe(200);
    const [row] = await people.query("select status from accounts where id = $1", [owner.id]);
    expect(row).toEqual({ status: 1 });
  });

  test("of two that are due the second is done, though the first one fails", async () => {
    const [first, second] = [await people.customer(), await people.customer()];
    const ids: string[] = [];
    for (const owner of [first, second]) {
      const id = (await ask(owner)).data.current?.id ?? "";
      await ripen(id);
      await accept(id);
      ids.push(id);
    }
    const [one = "", other = ""] = ids;
    await people.query(
      `create function fails() returns trigger language plpgsql as $$ begin raise exception 'a planted failure'; end $$`,
    );
    await people.query(
      `create trigger fails before update on accounts for each row when (old.id = ${first.id}) execute function fails()`,
    );
    try {
      await people.query(
        "update cancellations set erase_at = now() - case when id = $1 then interval '1 h' else interval '1 s' end where id = any($2::bigint[])",
        [one, ids],
      );
      await tick();
    } finally {
      await people.query("drop trigger fails on accounts");
      await people.query("drop function fails()");
    }
    const states = await people.query<{ id: string; state: string }>(
      "select id::text, state from cancellations where id = any($1::bigint[])",
      [ids],
    );
    expect(Object.fromEntries(states.map(({ id, state }) => [id, state]))).toEqual({
      [one]: "accepted",
      [other]: "erased",
    });
    // What was in the way is gone: it is done by the next round.
    await tick();
    expect((await people.query("select state from cancellations where id = $1", [one]))[0]).toEqual({
      state: "erased",
    });
  });

  test("is not done before its time, nor without consent", async () => {
    const owner = await people.customer();
    const id = (await ask(owner)).data.current?.id ?? "";
    await tick();
    expect((await detailOf(id)).state).toBe("cooling");
    await ripen(id);
    await tick();
    expect((await detailOf(id)).state).toBe("waiting");
    await accept(id);
    await tick();
    expect((await detailOf(id)).state).toBe("accepted");
    expect((await post("take-back", owner.token, { id })).status).toBe(200);
    await erase(id);
    expect((await detailOf(id)).state).toBe("taken_back");
  });
});
