import {
  type Customer,
  type CustomerDetail,
  type CustomerFigures,
  type CustomerRule,
  customerRules,
  type Page,
} from "@herdwise/contract";
import { plainSentence } from "@herdwise/contract/audit-sentence";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { md5 } from "../harness/session.ts";
import { sheetCalls } from "../resources/sheets.ts";

let app: TestApp;
let passwordHash: string;
let admin: string;
let clerk: string;
let seller: string;
let owner: string;

const base = "/api/muyuan-customer/customer";
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, values)).rows;
interface Refused {
  reason?: string;
}
const post = async <Data = Refused>(path: string, body: unknown, token: string) => {
  const answer = await app.call({ method: "POST", path: `${base}${path}`, body, token });
  return { status: answer.status, data: answer.body.data as Data };
};
const get = async <Data>(path: string, token: string) => {
  const answer = await app.get<Data>(`${base}${path}`, token);
  return { status: answer.status, data: answer.body.data, raw: JSON.stringify(answer.body) };
};
const page = async (search: string, token = admin) => (await get<Page<Customer>>(`/page?${search}`, token)).data;
const detail = async (id: string, token = admin) => (await get<CustomerDetail>(`/detail?id=${id}`, token)).data;
const confirm = (token: string) =>
  app.call({
    method: "POST",
    path: "/api/muyuan-auth/session/confirm",
    body: { password: md5(demoPassword) },
    token,
  });
const entryOf = async (id: string) =>
  (
    await query<{ state: string; authentication: string; region_code: string; name: string; ended_at: Date | null }>(
      "select state, authentication, region_code, name, ended_at from customer_entries where tenant_id = $1",
      [id],
    )
  )[0];
const accountId = async (account: string): Promise<string> =>
  (await query<{ id: string }>("select id::text as id from accounts where account_key = $1", [account]))[0]?.id ?? "";

let made = 0;
async function person(
  role: string,
  tenantId: string,
): Promise<{ id: string; account: string; token: () => Promise<string> }> {
  made += 1;
  const account = `customer-person-${made}`;
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
  return { id, account, token: () => app.logIn(account) };
}
/** A customer of its own with one member. */
async function newCustomer(kind = "personal"): Promise<{ id: string; member: string; account: string }> {
  made += 1;
  const id = `7${String(made).padStart(5, "0")}`;
  await query("insert into tenants (tenant_id, name, type) values ($1, $2, $3)", [id, `新客户${made}号牧场`, kind]);
  await query("insert into roles (id, tenant_id, role_name, role_alias) values ($1, $2, '企业主', 'owner')", [
    app.nextId(),
    id,
  ]);
  const { id: member, account } = await person("owner", id);
  return { id, member, account };
}

beforeAll(async () => {
  app = await createTestApp();
  passwordHash = await app.hashPassword(md5(demoPassword));
  [admin, owner] = [await app.logIn("admin"), await app.logIn("farm")];
  clerk = await (await person("customer_service", "000000")).token();
  seller = await (await person("sales", "000000")).token();
});
afterAll(() => app.close());
beforeEach(() => app.pass(61));

describe("the list", () => {
  test("has every customer and nothing of the group, the abnormal first, then the newest, with what is personal masked", async () => {
    const { records, total } = await page("view=all&size=50");
    expect(total).toBe(records.length);
    expect(records.map(({ id }) => id)).toContain("100002");
    expect(records.map(({ id }) => id)).not.toContain("000000");
    const found = records.map(({ findings }) => findings.map(({ sinceAt }) => sinceAt).toSorted()[0]);
    const abnormal = found.filter((since) => since !== undefined);
    expect(found.slice(0, abnormal.length)).toEqual(abnormal.toSorted());
    const times = records.slice(abnormal.length).map(({ createTime }) => createTime);
    expect(times).toEqual(times.toSorted().reverse());
    const farm = records.find(({ id }) => id === "100002");
    expect(farm).toMatchObject({ kind: "enterprise", authentication: "passed", state: "active" });
    expect(farm?.phone).toMatch(/^1\d\d\*{4}\d{4}$/);
    expect(farm?.contactName).toMatch(/^.\*\*$/);
    expect(farm?.devices).toBeGreaterThan(0);
  });

  test("is searched by parts of names that are shown, and by a contact's whole name, phone, ID number or credit code alone", async () => {
    const of = async (keyword: string) =>
      (await page(`view=all&keyword=${encodeURIComponent(keyword)}`)).records.map(({ id }) => id);
    expect(await of("中原牧业")).toContain("100002");
    expect(await of("farm")).toContain("100002");
    const [contact] = await query<{ name: string }>(
      "select real_name as name from accounts where account_key = 'farm'",
    );
    expect(await of(contact?.name ?? "")).toContain("100002");
    expect(await of((contact?.name ?? "").slice(1))).not.toContain("100002");
    const phone =
      (await query<{ p: string }>("select phone_encrypted as p from accounts where account_key = 'farm'"))[0]?.p ?? "";
    const number = app.personalCipher.decrypt(phone);
    expect(await of(number)).toContain("100002");
    expect(await of(`+86 ${number}`)).toContain("100002");
    // A part of a number finds nobody: it is kept as a keyed hash alone.
    expect(await of(number.slice(0, 8))).not.toContain("100002");
    const [item] = await query<{ v: string; f: string; t: string }>(
      `select i.value_encrypted as v, i.field as f, n.tenant_id as t from real_name_items i
         join real_name_applications n on n.id = i.real_name_application_id where i.field = 'creditCode' and n.tenant_id = '100002'`,
    );
    expect(await of(app.personalCipher.decrypt(item?.v ?? ""))).toEqual(["100002"]);
    const [person] = await query<{ v: string }>(
      `select i.value_encrypted as v from real_name_items i join real_name_applications n on n.id = i.real_name_application_id
        where i.field = 'idNumber' and n.tenant_id = '100001'`,
    );
    expect(await of(app.personalCipher.decrypt(person?.v ?? ""))).toEqual(["100001"]);
  });

  test("is narrowed by kind, authentication, region and day", async () => {
    const customer = await newCustomer();
    await query("insert into addresses (account_id, region_code) values ($1, '411325')", [customer.member]);
    const ids = async (search: string) => (await page(`view=all&size=100&${search}`)).records.map(({ id }) => id);
    expect(await ids("region=41")).toContain(customer.id);
    expect(await ids("region=411325")).toContain(customer.id);
    expect(await ids("region=42")).not.toContain(customer.id);
    expect(await ids("kind=personal")).toContain(customer.id);
    expect(await ids("kind=enterprise")).not.toContain(customer.id);
    expect(await ids("authentication=none")).toContain(customer.id);
    expect(await ids("authentication=passed")).not.toContain(customer.id);
    expect(await ids("from=2020-01-01&to=2020-01-02")).toEqual([]);
    await query("update addresses set region_code = '420625' where account_id = $1", [customer.member]);
    expect(await ids("region=42")).toContain(customer.id);
  });

  test("belongs to the group's staff who hold the right", async () => {
    expect((await get("/page?view=all", owner)).status).toBe(403);
    expect((await get("/detail?id=100002", owner)).status).toBe(403);
    expect((await get("/page?view=all", seller)).status).toBe(200);
    const change = { id: "100002", version: 0, remark: "x" };
    expect((await post("/submit", change, seller)).status).toBe(403);
    expect((await post("/reveal", { id: "100002", field: "phone", reason: "回访客户" }, seller)).status).toBe(403);
  });
});

describe("its rows follow what changes, in the same transaction", () => {
  test("from a member who comes to one who goes", async () => {
    const customer = await newCustomer();
    expect(await entryOf(customer.id)).toMatchObject({ state: "active", authentication: "none", ended_at: null });
    await query("update accounts set status = 0 where id = $1", [customer.member]);
    expect(await entryOf(customer.id)).toMatchObject({ state: "disabled" });
    await query("update accounts set status = 1 where id = $1", [customer.member]);
    await query("update tenants set name = '改名牧场' where tenant_id = $1", [customer.id]);
    expect(await entryOf(customer.id)).toMatchObject({ state: "active", name: "改名牧场" });
    await query("delete from memberships where account_id = $1", [customer.member]);
    const gone = await entryOf(customer.id);
    expect(gone?.state).toBe("cancelled");
    expect(gone?.ended_at).not.toBeNull();
    const { records } = await page("view=cancelled");
    expect(records[0]?.id).toBe(customer.id);
    expect(records[0]?.endTime).not.toBe("");
    expect((await page("view=all&size=100")).records.map(({ id }) => id)).not.toContain(customer.id);
  });

  test("with a removed account as with a removed membership", async () => {
    const customer = await newCustomer();
    await query("update accounts set removed_at = now() where id = $1", [customer.member]);
    expect(await entryOf(customer.id)).toMatchObject({ state: "cancelled" });
  });

  test("through each step of an authentication", async () => {
    const customer = await newCustomer();
    const id = app.nextId();
    await query(
      "insert into real_name_applications (id, tenant_id, kind, state, title, subject_index) values ($1, $2, 'personal', 'waiting', '某人', 'x')",
      [id, customer.id],
    );
    for (const [state, shown] of [
      ["waiting", "reviewing"],
      ["rejected", "rejected"],
      ["passed", "passed"],
      ["suspended", "suspended"],
    ]) {
      await query("update real_name_applications set state = $2 where id = $1", [id, state]);
      expect((await entryOf(customer.id))?.authentication, state).toBe(shown);
    }
  });

  test("when two change one customer at once, both count", async () => {
    const customer = await newCustomer();
    const [one, two] = [await app.test.database.pool.connect(), await app.test.database.pool.connect()];
    await one.query("begin");
    await two.query("begin");
    await one.query("update accounts set status = 0 where id = $1", [customer.member]);
    const other = two.query("update tenants set name = '并发牧场' where tenant_id = $1", [customer.id]);
    await one.query("commit");
    await other;
    await two.query("commit");
    one.release();
    two.release();
    expect(await entryOf(customer.id)).toMatchObject({ state: "disabled", name: "并发牧场" });
  });
});

describe("one page for each", () => {
  test("has its contracts, cards and closings, and none of another's", async () => {
    const [mine, other] = [await newCustomer("enterprise"), await newCustomer()];
    const templateId = app.nextId();
    await query("insert into contract_templates (id, template_name) values ($1, '页面上的合同')", [templateId]);
    const contract = async (tenantId: string, state: string, endDay: string | null) => {
      const id = app.nextId();
      await query(
        `insert into contracts (id, tenant_id, number, template_id, template_version, kind, state, title, title_en, end_day, sign_days)
         values ($1::bigint, $2, 'HT-' || $1::bigint::text, $3, 1, 'service', $4, '维护合同', 'Maintenance', $5::date, 14)`,
        [id, tenantId, templateId, state, endDay],
      );
      return id;
    };
    const draft = await contract(mine.id, "draft", null);
    const signed = await contract(mine.id, "signed", "2027-03-31");
    await contract(other.id, "signed", null);
    const card = async (tenantId: string, state: string, isDefault: boolean) => {
      const id = app.nextId();
      await query(
        `insert into bank_cards (id, tenant_id, state, bank_name, number_encrypted, holder_encrypted, phone_encrypted, last_four, is_default)
         values ($1, $2, $3, '中国农业银行', '', '', '', '0937', $4)`,
        [id, tenantId, state, isDefault],
      );
      return id;
    };
    const waiting = await card(mine.id, "arrived", false);
    const paid = await card(mine.id, "verified", true);
    await card(mine.id, "unbound", false);
    await card(other.id, "verified", true);
    const closing = async (of: { id: string; member: string }, state: string) => {
      const id = app.nextId();
      await query(
        `insert into cancellations (id, kind, state, tenant_id, account_id, cool_until, due_at) values ($1, 'account', $2, $3, $4, now(), now())`,
        [id, state, of.id, of.member],
      );
      return id;
    };
    const running = await closing(mine, "waiting");
    const back = await closing(mine, "taken_back");
    await closing(other, "waiting");
    const { contractList, cardList, closingList } = await detail(mine.id);
    expect(contractList.map(({ id, state, until }) => [id, state, until])).toEqual([
      [signed, "signed", "2027-03-31"],
      [draft, "draft", ""],
    ]);
    expect(cardList.map(({ id, isDefault }) => [id, isDefault])).toEqual([
      [paid, true],
      [waiting, false],
    ]);
    expect(closingList.map(({ id, state }) => [id, state])).toEqual([
      [running, "waiting"],
      [back, "taken_back"],
    ]);
    expect(closingList[0]?.member).toMatch(/^某\*+$/);
  });

  test("holds all of it, masked, and no address of a session", async () => {
    const customer = await detail("100002");
    expect(customer.memberList.length).toBeGreaterThan(1);
    expect(customer.farmList.length).toBeGreaterThan(0);
    expect(customer.deviceStates.reduce((sum, { count }) => sum + count, 0)).toBe(customer.devices);
    expect(customer.sessionList.length).toBeGreaterThan(0);
    expect(customer.proof).toMatchObject({ state: "passed", hasNumber: true });
    const { raw } = await get("/detail?id=100002", admin);
    const numbers = await query<{ p: string }>(
      "select a.phone_encrypted as p from accounts a join memberships m on m.account_id = a.id where m.tenant_id = '100002' and a.phone_encrypted <> ''",
    );
    for (const { p } of numbers) expect(raw).not.toContain(app.personalCipher.decrypt(p));
    expect(raw).not.toMatch(/remoteAddress|"address"/);
    expect((await get("/detail?id=199999", admin)).status).toBe(404);
    expect((await get("/detail?id=000000", admin)).status).toBe(404);
  });

  test("shows a value to who entered the password lately and says why, and the person sees it", async () => {
    const token = await app.logIn("admin");
    await query(
      "update sessions set confirmed_at = null, created_at = now() - interval '1 hour' where account_id = $1",
      [await accountId("admin")],
    );
    const ask = (body: object) =>
      post<Refused & { value?: string }>(
        "/reveal",
        { id: "100002", field: "phone", reason: "客户来电核对", ...body },
        token,
      );
    expect((await ask({})).data.reason).toBe("identity.confirm_first");
    await confirm(token);
    expect((await ask({ reason: "查" })).data.reason).toBe("customers.reason");
    expect((await ask({ memberId: await accountId("admin") })).status).toBe(404);
    const before = await query("select from audit_entries where resource = 'customer'");
    const { data } = await ask({});
    expect(data.value).toMatch(/^1\d{10}$/);
    const [entry] = await query<{ chain: string; changes: { field: string; after: unknown }[] }>(
      "select chain, changes from audit_entries where resource = 'customer' order by id desc limit 1",
    );
    expect(await query("select from audit_entries where resource = 'customer'")).toHaveLength(before.length + 1);
    expect(entry?.chain).toBe("100002");
    expect(entry?.changes).toContainEqual(expect.objectContaining({ field: "reason", after: "客户来电核对" }));
    expect(JSON.stringify(entry)).not.toContain(data.value);
    const events = await app.get<Page<{ kind: string; detail: string }>>(
      "/api/muyuan-system/cms-user/event/page?group=shown",
      owner,
    );
    expect(events.body.data.records[0]).toMatchObject({ kind: "data_shown", detail: "phone|客户来电核对" });
    const [shown] = (await detail("100002")).history;
    expect(shown && plainSentence(shown.sentence, "zh")).toMatch(/查看了.*手机号.*客户来电核对/);
    expect((await ask({ field: "idNumber" })).data.value).toMatch(/^[0-9A-Z]{18}$/);
    expect((await ask({ field: "email" })).data.reason).toBe("customers.nothing_to_show");
  });

  test("changes with the version that was read, tells the customer what, and keeps a remark for the group", async () => {
    const customer = await newCustomer();
    const told = () =>
      query<{ title: string; content: string }>("select title, content from messages where account_id = $1", [
        customer.member,
      ]);
    const change = (body: object, token = clerk) =>
      post<Refused & { version: number }>("/submit", { id: customer.id, version: 0, ...body }, token);
    expect((await change({ remark: "喜欢微信联系" })).data.version).toBe(1);
    expect(await told()).toEqual([]);
    expect((await change({ contactName: "王会计" })).data.reason).toBe("customers.changed");
    expect((await change({ version: 1, contactName: "王会计", regionCode: "41", remark: "喜欢微信联系" })).status).toBe(
      200,
    );
    expect(await told()).toEqual([
      { title: "客服更新了您的资料", content: expect.stringMatching(/^联系人 · 所在地区 · 由某人\d+更新$/) },
    ]);
    expect((await change({ version: 2, address: "马山口镇 1 号" })).data.version).toBe(3);
    expect((await detail(customer.id)).hasAddress).toBe(true);
    expect(await told()).toContainEqual({
      title: "客服更新了您的资料",
      content: expect.stringMatching(/^地址 · 由某人\d+更新$/),
    });
    expect((await change({ version: 3, address: "长".repeat(101) })).data.reason).toBe("profile.address");
    expect(await entryOf(customer.id)).toMatchObject({ region_code: "41" });
    expect((await change({ version: 3, contactName: "王会计" })).data.reason).toBe("customers.unchanged");
    for (const [body, reason] of [
      [{ regionCode: "99" }, "customers.region"],
      [{ name: "x" }, "customers.name"],
      [{ contactName: "王\u200b" }, "customers.contact_name"],
      [{ contactName: "六个字的名字" }, "customers.contact_name"],
      [{ contactName: "王\u200b会计\u3000" }, "customers.unchanged"],
      [{ remark: "长".repeat(501) }, "customers.remark"],
    ] as const)
      expect((await change({ version: 3, ...body })).data.reason, reason).toBe(reason);
    const [stored] = await query<{ contact_name_encrypted: string }>(
      "select contact_name_encrypted || address_encrypted as contact_name_encrypted from customer_profiles where tenant_id = $1",
      [customer.id],
    );
    expect(stored?.contact_name_encrypted).not.toMatch(/王会计|马山口镇/);
    const trail = await query<{ changes: unknown }>(
      "select changes from audit_entries where resource = 'customer' and chain = $1 order by id",
      [customer.id],
    );
    expect(trail).toHaveLength(3);
    expect(JSON.stringify(trail)).not.toContain("马山口镇 1 号");
    expect(JSON.stringify(trail)).not.toContain("王会计");
    const mine = await app.logIn(customer.account);
    const profile = await app.get("/api/muyuan-system/cms-user/profile", mine);
    expect(profile.status).toBe(200);
    expect(JSON.stringify(profile.body)).not.toContain("喜欢微信联系");
    await query("delete from memberships where account_id = $1", [customer.member]);
    expect((await change({ version: 3, remark: "走了" })).data.reason).toBe("customers.cancelled");
  });

  test("keeps the name that a licence proved", async () => {
    const { version } = await detail("100002");
    expect((await post("/submit", { id: "100002", version, name: "另一个名字" }, admin)).data.reason).toBe(
      "customers.name_proven",
    );
    const person = await detail("100001");
    expect(person.contactProven).toBe(true);
    const renamed = await post("/submit", { id: "100001", version: person.version, contactName: "王会计" }, admin);
    expect(renamed.data).toMatchObject({
      reason: "customers.contact_proven",
      problems: [{ field: "contactName" }],
    });
  });
});

test("two who change one customer at once get one change and one refusal", async () => {
  const customer = await newCustomer();
  const change = (remark: string, version: number) => post("/submit", { id: customer.id, version, remark }, clerk);
  await change("第一条备注", 0);
  const holder = await app.test.database.pool.connect();
  try {
    await holder.query("begin");
    await holder.query("select from customer_profiles where tenant_id = $1 for update", [customer.id]);
    const both = Promise.all([change("甲写的备注", 1), change("乙写的备注", 1)]);
    // Whoever came first waits for the row that is held here, the other one for the first.
    await expect
      .poll(() =>
        query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and state = 'active'",
        ),
      )
      .toHaveLength(2);
    await holder.query("commit");
    const answers = await both;
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status !== 200)?.data.reason).toBe("customers.changed");
  } finally {
    holder.release();
  }
  expect((await detail(customer.id)).version).toBe(2);
});

describe("what is abnormal", () => {
  const device = async (tenantId: string) => {
    const id = app.nextId();
    await query(
      "insert into devices (id, tenant_id, name, serial_number, kind, activated_at) values ($1, $2, '旧探头', $3, 'environment', now() - interval '20 days')",
      [id, tenantId, `OLD-${id}`],
    );
    await query(
      "insert into device_states (device_id, reported_at) values ($1, now() - interval '9 days') on conflict (device_id) do update set reported_at = excluded.reported_at",
      [id],
    );
  };
  const application = (tenantId: string, state: string, until: string | null) =>
    query(
      "insert into real_name_applications (id, tenant_id, kind, state, title, subject_index, licence_until) values ($1, $2, 'enterprise', $3, '某厂', 'x', (now() at time zone 'Asia/Shanghai')::date + $4::int)",
      [app.nextId(), tenantId, state, until],
    );
  /** How each rule comes to hold, and how it ends. */
  const cases: Readonly<
    Record<
      CustomerRule,
      {
        begin: (of: { id: string; member: string }) => Promise<unknown>;
        end: (of: { id: string; member: string }) => Promise<unknown>;
      }
    >
  > = {
    licence_expired: {
      begin: ({ id }) => application(id, "passed", "-3"),
      end: ({ id }) =>
        query("update real_name_applications set licence_until = '2099-01-01' where tenant_id = $1", [id]),
    },
    licence_expiring: {
      begin: ({ id }) => application(id, "passed", "5"),
      end: ({ id }) =>
        query("update real_name_applications set licence_until = '2099-01-01' where tenant_id = $1", [id]),
    },
    authentication_suspended: {
      begin: ({ id }) => application(id, "suspended", "90"),
      end: ({ id }) => query("update real_name_applications set state = 'passed' where tenant_id = $1", [id]),
    },
    complaint_overdue: {
      begin: ({ id, member }) =>
        query(
          "insert into work_orders (id, tenant_id, number, type, title, description, created_by, first_due_at) values ($1, $2, $3, 'complaint', '晚到', '等了', $4, now() - interval '1 hour')",
          [app.nextId(), id, `TS-${id}`, member],
        ),
      end: ({ id }) => query("update work_orders set state = 'completed' where tenant_id = $1", [id]),
    },
    sign_in_locked: {
      begin: ({ member }) =>
        query("insert into account_events (id, account_id, kind) values ($1, $2, 'log_in_locked')", [
          app.nextId(),
          member,
        ]),
      end: ({ member }) =>
        query("update account_events set created_at = now() - interval '2 days' where account_id = $1", [member]),
    },
    phone_on_hold: {
      begin: ({ member }) =>
        query(
          "insert into contact_changes (id, account_id, kind, state, proven_by, effective_at) values ($1, $2, 'phone', 'waiting', 'identity', now() + interval '2 days')",
          [app.nextId(), member],
        ),
      end: ({ member }) => query("update contact_changes set state = 'done' where account_id = $1", [member]),
    },
    device_silent: {
      begin: ({ id }) => device(id),
      end: ({ id }) =>
        query(
          "update device_states set reported_at = now() where device_id in (select id from devices where tenant_id = $1)",
          [id],
        ),
    },
    owner_disabled: {
      begin: ({ member }) => query("update accounts set status = 0 where id = $1", [member]),
      end: ({ member }) => query("update accounts set status = 1 where id = $1", [member]),
    },
  };

  test.each(customerRules)(
    "%s is found with since when, keeps its beginning, and goes when it no longer holds",
    async (rule) => {
      const customer = await newCustomer("enterprise");
      const found = async () => {
        await app.runJob("customers.look");
        return query<{ rule: string; since_at: Date }>(
          "select rule, since_at from customer_findings where tenant_id = $1",
          [customer.id],
        );
      };
      expect(await found()).toEqual([]);
      await cases[rule].begin(customer);
      const first = await found();
      expect(first.map((row) => row.rule)).toEqual([rule]);
      expect(await found()).toEqual(first);
      const { records } = await page(`view=abnormal&rule=${rule}&size=100`);
      expect(records.find(({ id }) => id === customer.id)?.findings).toMatchObject([{ rule }]);
      await cases[rule].end(customer);
      expect(await found()).toEqual([]);
    },
  );

  test("is counted, the worst first", async () => {
    const [one, two] = [await newCustomer(), await newCustomer()];
    await cases.sign_in_locked.begin(one);
    await cases.device_silent.begin(two);
    await app.runJob("customers.look");
    const { records, total } = await page("view=abnormal&size=100");
    const order = records.map(({ id }) => id);
    expect(order.indexOf(one.id)).toBeLessThan(order.indexOf(two.id));
    const figures = (await get<CustomerFigures>("/figures", admin)).data;
    expect(figures.abnormal).toBe(total);
    expect(figures.rules.find(({ rule }) => rule === "device_silent")?.count).toBeGreaterThan(0);
    expect(figures.lookTime).not.toBe("");
  });
});

describe("the file", () => {
  const finished = async (jobId: string) => {
    await expect
      .poll(
        async () =>
          (await query<{ state: string }>("select state from background_jobs where id = $1", [jobId]))[0]?.state,
        { timeout: 15_000, interval: 50 },
      )
      .toBe("succeeded");
    const [job] = await query<{ result: { rows: string; attachmentId: string } }>(
      "select result from background_jobs where id = $1",
      [jobId],
    );
    const { rows } = await sheetCalls(app, base, clerk).read(job?.result.attachmentId);
    expect(rows).toHaveLength(Number(job?.result.rows));
    return rows;
  };
  /** What a file says of the demo's farm. */
  const farmIn = (rows: readonly Record<string, string>[]) => rows.find((row) => row.客户编号 === "100002");

  test("has the rows of the list; personal data need the right, the password and a reason, and everybody sees it", async () => {
    const rows = await finished(
      (await post<{ jobId: string }>("/export", { view: "all", kind: "enterprise" }, clerk)).data.jobId,
    );
    expect(rows).toHaveLength((await page("view=all&kind=enterprise")).total);
    expect(farmIn(rows)).toMatchObject({
      手机: expect.stringMatching(/^1\d\d\*{4}\d{4}$/),
      联系人: expect.stringMatching(/^.\*\*$/),
    });
    expect((await post("/export", { view: "all", personal: true }, clerk)).data.reason).toBe("customers.reason");
    const before = (await query("select from account_events where kind = 'data_shown' and detail = 'export|年度回访'"))
      .length;
    expect(before).toBe(0);
    const { data } = await post<{ jobId: string }>(
      "/export",
      { view: "all", kind: "enterprise", personal: true, reason: "年度回访" },
      clerk,
    );
    const whole = await finished(data.jobId);
    expect(whole).toHaveLength(rows.length);
    expect(farmIn(whole)).toMatchObject({
      手机: expect.stringMatching(/^1\d{10}$/),
      联系人: expect.stringMatching(/^[^*]+$/),
    });
    expect(
      await query("select from account_events where kind = 'data_shown' and detail = 'export|年度回访'"),
    ).toHaveLength(
      (await page("view=all&kind=enterprise&size=100")).records.filter(({ account }) => account !== "").length,
    );
    expect((await post("/export", { view: "all", personal: true, reason: "年度回访" }, seller)).status).toBe(403);
    // That they left stands in the trail, too; and the password of an hour ago is none.
    expect(await query("select from audit_entries where changes::text like '%年度回访%'")).toHaveLength(1);
    await query("update sessions set confirmed_at = now() - interval '1 hour'");
    expect((await post("/export", { view: "all", personal: true, reason: "年度核对" }, clerk)).data.reason).toBe(
      "identity.confirm_first",
    );
    await query("update sessions set confirmed_at = now()");
  });

  test("a role that may export but not show personal data gets a file without them, and a refusal with them", async () => {
    await query("insert into roles (id, tenant_id, role_name, role_alias) values ($1, '000000', '统计员', 'counter')", [
      app.nextId(),
    ]);
    await query(
      `insert into role_menus select r.id, m.id from roles r, menus m
       where r.tenant_id = '000000' and r.role_alias = 'counter' and m.code in ('customer', 'customer_view', 'customer_export')`,
    );
    const counter = await (await person("counter", "000000")).token();
    const plain = await post<{ jobId: string }>("/export", { view: "all", kind: "enterprise" }, counter);
    expect(plain.status).toBe(200);
    expect(farmIn(await finished(plain.data.jobId))?.手机).toMatch(/^1\d\d\*{4}\d{4}$/);
    await confirm(counter);
    const refused = await post<Refused>("/export", { view: "all", personal: true, reason: "年度统计" }, counter);
    expect(refused.data.reason).toBe("customers.may_not_show");
    expect(await query("select from account_events where detail = 'export|年度统计'")).toEqual([]);
  });
});
