import type { BankCard, ContactChange, ContactState, Endpoint, Profile } from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { cardNumber, codeIn, customersOf, type Person } from "../harness/customers.ts";
import { basic } from "../harness/session.ts";
import { changedBy, startChangeLog, takeChangesNow } from "./change-log.ts";
import { bodyOf, operations, queryOf } from "./operations.ts";

let app: TestApp;
let people: ReturnType<typeof customersOf>;
let admin: string;
beforeAll(async () => {
  app = await createTestApp();
  people = customersOf(app);
  admin = await app.logIn("admin");
});
afterAll(() => app.close());
beforeEach(() => app.pass(86_401));

/** Lets the proof of who is calling grow old on every session: what is left is a bare access token. */
const makeBare = () =>
  people.query(
    "update sessions set confirmed_at = now() - interval '6 minutes', authenticated_at = now() - interval '6 minutes'",
    [],
  );
const post = <Data = { reason?: string; problems?: { field: string }[] }>(path: string, token: string, body: unknown) =>
  app
    .call({ method: "POST", path: `/api/${path}`, token, body })
    .then(({ status, body: { data } }) => ({ status, data: data as Data }));
const masked = (phone: string) => `${phone.slice(0, 3)}****${phone.slice(-4)}`;
const members = "muyuan-system/user";
const own = "muyuan-system/cms-user";

/** Asks for a code that opens an account, and tells what its number read. */
async function openingMessage(phone: string): Promise<string> {
  await app.pass(61);
  const before = await app.sms(phone);
  const asked = await app.call({
    method: "POST",
    path: `/api/${own}/skip-secure/reset-password-pre/new`,
    query: { phone },
    headers: await app.captcha(),
  });
  expect(asked.status).toBe(200);
  const after = await app.sms(phone);
  expect(after).toHaveLength(before.length + 1);
  return after[0] ?? "";
}

describe("T38: operations that lead codes, links or money elsewhere, or say who may do what", () => {
  const guarded = operations.filter(([, { confirmation }]) => confirmation === "always");
  /** What a change of these would lead elsewhere. */
  const leading =
    /^(accounts\.(phone|email|password|account)|accounts [+-]|membership_roles|role_menus|bank_cards|contact_changes|authorization_clients|oauth_clients)/;

  /** Operations that have to be among them, whatever their declaration says. */
  const known = [
    "bankCardBind",
    "bankCardDefault",
    "bankCardUnbind",
    "phoneChange",
    "emailChange",
    "userGrant",
    "userResetPassword",
    "roleGrant",
    "roleClone",
    "clientSubmit",
    "clientRemove",
    "wechatBindBegin",
    "contractSign",
    "cancellationSubmit",
    "dataExportSubmit",
    "dataExportLink",
  ];

  test("the list of them is long, and each refuses a bare token before it reads what is sent", async () => {
    expect(guarded.map(([name]) => name)).toEqual(expect.arrayContaining(known));
    expect(guarded.length).toBeGreaterThan(20);
    const owner = await people.customer();
    await makeBare();
    for (const [name, endpoint] of guarded) {
      const answers = await Promise.all([admin, owner.token].map((token) => callOf(endpoint, token)));
      const reasons = answers.map(({ data }) => data.reason);
      expect(reasons, name).toContain("identity.confirm_first");
      for (const { status } of answers) expect(status, name).toBe(403);
    }
  });

  test("with a bare token no operation of the contract changes where a code or money goes, or who may do what", async () => {
    const owner = await people.customer();
    await startChangeLog(app.test.database.pool);
    await makeBare();
    const found: string[] = [];
    // What ends the session itself, or asks for the password, tells nothing here.
    const skipped = /oauth|session\/|logout|stream|switch/;
    for (const [name, endpoint] of operations.filter(
      ([, { method, access, path }]) => method !== "GET" && access.level !== "public" && !skipped.test(path),
    )) {
      await takeChangesNow(app.test.database.pool);
      for (const token of [admin, owner.token]) await callOf(endpoint, token);
      const led = changedBy(await takeChangesNow(app.test.database.pool)).filter((change) => leading.test(change));
      if (led.length > 0) found.push(`${name}: ${led.join(", ")}`);
    }
    expect(found).toEqual([]);
  });

  async function callOf(endpoint: Endpoint, token: string) {
    const answer = await app.http.inject({
      method: endpoint.method,
      url: endpoint.path,
      query: queryOf(endpoint),
      headers: { authorization: basic, "muyuan-auth": `bearer ${token}` },
      ...(endpoint.method !== "GET" && { payload: bodyOf(endpoint) ?? {} }),
    });
    const body = answer.headers["content-type"]?.includes("json") ? answer.json() : {};
    return { status: answer.statusCode, data: (body.data ?? {}) as { reason?: string } };
  }
});

describe("T38: contact data through the list of members", () => {
  const roleOf = async (token: string, alias: string) =>
    (await app.get<{ id: string; roleAlias: string }[]>("/api/muyuan-system/role/select", token)).body.data.find(
      ({ roleAlias }) => roleAlias === alias,
    )?.id ?? "";

  test("nobody changes the own phone or mail there, whatever they proved", async () => {
    const owner = await people.customer();
    for (const [field, value] of [
      ["phone", "13911112222"],
      ["email", "attacker@example.cn"],
    ] as const) {
      for (const verb of ["submit", "update"]) {
        const refused = await post(`${members}/${verb}`, owner.token, { id: owner.id, [field]: value });
        expect(refused.data, `${verb} ${field}`).toMatchObject({ reason: "users.own_contact", problems: [{ field }] });
      }
    }
    expect(await openingMessage("13911112222")).not.toMatch(/\d{6}/);
  });

  test("a colleague's contact data, roles and return need a fresh password; other fields do not", async () => {
    const owner = await people.customer();
    const worker = await people.person("worker", owner.tenantId);
    await post(`${members}/update`, owner.token, { id: worker.id, status: 0 });
    const manager = await roleOf(owner.token, "finance");
    await makeBare();
    for (const change of [
      { phone: "13911113333" },
      { email: "new@example.cn" },
      { account: "another.name" },
      { roleId: manager },
      { status: 1 },
    ]) {
      const refused = await post(`${members}/update`, owner.token, { id: worker.id, ...change });
      expect(refused, JSON.stringify(change)).toMatchObject({
        status: 403,
        data: { reason: "identity.confirm_first" },
      });
    }
    const added = await post(`${members}/submit`, owner.token, { account: "bare.add", roleId: manager });
    expect(added.data.reason).toBe("identity.confirm_first");
    expect((await post(`${members}/update`, owner.token, { id: worker.id, code: "W-7" })).status).toBe(200);
  });

  test("a proven number waits 48 hours, its owner is told and stops it; what takes effect is not proven", async () => {
    const owner = await people.customer();
    const worker = await people.person("worker", owner.tenantId);
    const change = () =>
      post<{ phoneWaits: boolean }>(`${members}/update`, owner.token, { id: worker.id, phone: "13911115555" });
    expect((await change()).data).toEqual({ phoneWaits: true });
    expect((await app.sms(worker.phone))[0]).toContain("48");
    const state = async () => (await app.get<ContactState>(`/api/${own}/contact`, worker.token)).body.data;
    expect(await state()).toMatchObject({
      phone: masked(worker.phone),
      waiting: { provenBy: "staff", state: "waiting" },
    });
    const { waiting } = await state();
    expect((await post(`${own}/contact/withdraw`, worker.token, { id: waiting?.id })).status).toBe(200);
    await change();
    await people.query("update contact_changes set effective_at = now() - interval '1 s' where account_id = $1", [
      worker.id,
    ]);
    await app.runJob("profile.contact-changes");
    // Its sessions ended with the change.
    const token = await app.logIn(worker.account);
    expect((await app.get<ContactState>(`/api/${own}/contact`, token)).body.data).toMatchObject({
      phone: "139****5555",
      phoneProven: false,
    });
    // Neither a reset nor a log-in goes to a number that somebody typed.
    expect(await openingMessage("13911115555")).not.toMatch(/\d{6}/);
  });

  /** The number of somebody who has none that is proven. */
  const forget = (id: string) =>
    people.query(
      "update accounts set phone_encrypted = '', phone_index = null, phone_verified_at = null where id = $1",
      [id],
    );

  test("a typed number becomes the person's own by password and code, another one after 48 hours", async () => {
    const owner = await people.customer();
    const worker = await people.person("worker", owner.tenantId);
    await forget(worker.id);
    await post(`${members}/update`, owner.token, { id: worker.id, phone: "13911116666" });
    const state = async () => (await app.get<ContactState>(`/api/${own}/contact`, worker.token)).body.data;
    expect(await state()).toMatchObject({ phone: "139****6666", phoneProven: false });
    expect((await post(`${own}/contact/send-code`, worker.token, { to: "old-phone" })).data.reason).toBe(
      "profile.no_phone",
    );
    const prove = async (phone: string) => {
      const proof = await post<{ ticket: string; reason?: string }>(`${own}/contact/prove`, worker.token, {
        by: "password",
      });
      if (proof.data.reason !== undefined) return proof.data.reason;
      const sent = await post<{ id: string }>(`${own}/contact/send-code`, worker.token, {
        to: "new-phone",
        value: phone,
      });
      const code = codeIn((await app.sms(phone))[0]);
      const changed = await post<ContactChange>(`${own}/contact/change-phone`, worker.token, {
        ticket: proof.data.ticket,
        phone,
        id: sent.data.id,
        code,
      });
      await app.pass(61);
      return changed.data.state;
    };
    expect(await prove("13911117777")).toBe("waiting");
    const { waiting } = await state();
    await post(`${own}/contact/withdraw`, worker.token, { id: waiting?.id });
    expect(await prove("13911116666")).toBe("done");
    expect(await state()).toMatchObject({ phone: "139****6666", phoneProven: true });
    // From now on the password alone is no way to another number.
    expect(await prove("13911118888")).toBe("profile.phone_proven");
    expect(await openingMessage("13911116666")).toMatch(/\d{6}/);
    expect((await app.get<Profile>(`/api/${own}/profile`, worker.token)).body.data.phoneProven).toBe(true);
  });
});

describe("T38: the hold of the default bank card", () => {
  const cards = "muyuan-customer/bank-card";
  let serial = 500;
  async function verified(owner: Person): Promise<string> {
    serial += 1;
    const phone = `1371235${String(serial).padStart(4, "0")}`;
    const sent = await post<{ id: string }>(`${cards}/send-code`, owner.token, { phone });
    const code = codeIn((await app.sms(phone))[0]);
    const bound = await post<BankCard>(`${cards}/bind`, owner.token, {
      number: cardNumber(serial),
      phone,
      codeId: sent.data.id,
      code,
    });
    const { id } = bound.data;
    await app.runJob("bank-cards.remit");
    await people.query("update bank_card_remittances set sent_at = now() - interval '1 hour' where bank_card_id = $1", [
      id,
    ]);
    await app.runJob("bank-cards.remit");
    const [{ amount } = { amount: 0 }] = await people.query<{ amount: number }>(
      "select amount_fen as amount from bank_card_remittances where bank_card_id = $1",
      [id],
    );
    expect((await post(`${cards}/confirm`, owner.token, { id, amountFen: amount })).status).toBe(200);
    return id;
  }

  test("no order of making default, unbinding and keeping leads around it", async () => {
    const owner = await people.customer();
    const [old, next] = [await verified(owner), await verified(owner)];
    const act = (verb: string, id: string) =>
      post<BankCard & { reason?: string }>(`${cards}/${verb}`, owner.token, { id }).then(({ data }) => data);
    expect(await act("make-default", old)).toMatchObject({ isDefault: true });
    expect(await act("make-default", next)).toMatchObject({
      isDefault: false,
      defaultTime: expect.stringMatching(/\d/),
    });
    expect(await act("unbind", old)).toMatchObject({ reason: "bank_card.successor_waits" });
    await act("keep-default", next);
    // Without a successor the default may go, but its place stays held for a day.
    expect(await act("unbind", old)).toMatchObject({ state: "unbound" });
    expect(await act("make-default", next)).toMatchObject({
      isDefault: false,
      defaultTime: expect.stringMatching(/\d/),
    });
    await act("keep-default", next);
    await people.query("update bank_cards set default_ended_at = now() - interval '25 hours' where id = $1", [old]);
    expect(await act("make-default", next)).toMatchObject({ isDefault: true });
  });
});
