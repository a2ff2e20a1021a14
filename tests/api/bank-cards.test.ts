import type { BankCard, BankCards, DeskBankCard, Page } from "@herdwise/contract";
import { cardBankOf, cardsPerTenant, isCardNumber } from "@herdwise/contract/bank-card-rules";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { cardNumber, codeIn, customersOf, type Person } from "../harness/customers.ts";

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

const base = "/api/muyuan-customer/bank-card";
let serial = 0;
let phones = 0;
const newNumber = (ending?: string) => {
  serial += 1;
  return cardNumber(serial, ending);
};
const post = async <Data = { reason?: string; values?: Record<string, unknown>; problems?: { field: string }[] }>(
  path: string,
  token: string,
  body: unknown,
) => {
  const answer = await app.call({ method: "POST", path: `${base}/${path}`, token, body });
  return { status: answer.status, data: answer.body.data as Data, raw: JSON.stringify(answer.body) };
};
const listOf = async (token: string) => (await app.get<BankCards>(`${base}/list`, token)).body.data;
async function bind(token: string, number: string, more: object = {}) {
  phones += 1;
  // A number gets few codes an hour.
  const bankPhone = `1371234${String(phones).padStart(4, "0")}`;
  const sent = await post<{ id: string }>("send-code", token, { phone: bankPhone });
  const [text] = await app.sms(bankPhone);
  return post<BankCard & { reason?: string; problems?: { field: string }[] }>("bind", token, {
    number,
    phone: bankPhone,
    codeId: sent.data.id,
    code: codeIn(text),
    ...more,
  });
}
/** Lets the bank answer: it took the order hours ago. */
async function settle(id: string, hours = 1): Promise<void> {
  await app.runJob("bank-cards.remit");
  await people.query(
    "update bank_card_remittances set sent_at = now() - $2 * interval '1 hour' where bank_card_id = $1 and sent_at is not null",
    [id, hours],
  );
  await app.runJob("bank-cards.remit");
}
const amountOf = async (id: string) =>
  (
    await people.query<{ amount: number }>(
      "select amount_fen as amount from bank_card_remittances where bank_card_id = $1 order by id desc limit 1",
      [id],
    )
  )[0]?.amount ?? 0;
async function verified(owner: Person): Promise<BankCard> {
  const { data } = await bind(owner.token, newNumber());
  await settle(data.id);
  return (await post<BankCard>("confirm", owner.token, { id: data.id, amountFen: await amountOf(data.id) })).data;
}
const cardOf = async (token: string, id: string) => (await listOf(token)).cards.find((card) => card.id === id);
const unconfirm = (accountId: string) =>
  people.query(
    "update sessions set confirmed_at = now() - interval '6 minutes', authenticated_at = now() - interval '6 minutes' where account_id = $1",
    [accountId],
  );
const messagesOf = (accountId: string) =>
  people.query<{ title: string; content: string }>(
    "select title, content from messages where account_id = $1 order by id desc",
    [accountId],
  );

test("numbers have a check digit, and their first digits name the bank", () => {
  expect(isCardNumber("6228 4800 0000 0000 016".replaceAll(" ", ""))).toBe(false);
  for (const ending of ["4444", "9001", "0000"]) expect(isCardNumber(cardNumber(7, ending))).toBe(true);
  const number = cardNumber(12_345_678);
  for (let at = 0; at < number.length; at += 1)
    for (const digit of "0123456789".replace(number[at] ?? "", ""))
      expect(isCardNumber(number.slice(0, at) + digit + number.slice(at + 1)), `${at} ${digit}`).toBe(false);
  expect(isCardNumber(number.replace(/(.{4})/g, "$1 "))).toBe(true);
  expect(cardBankOf(number)).toEqual({ bank: "中国农业银行", credit: false });
  expect(cardBankOf("6222021234567890")).toEqual({ bank: "中国工商银行", credit: false });
  expect(cardBankOf("6225751234567890")).toEqual({ bank: "", credit: true });
  expect(cardBankOf("6299991234567890")).toEqual({ bank: "", credit: false });
});

describe("a card", () => {
  test("is bound, proven by the amount that arrived, and the first one is the default when it is made so", async () => {
    const owner = await people.customer();
    const number = newNumber();
    const { data, raw, status } = await bind(owner.token, number);
    expect(status, raw).toBe(200);
    expect(data).toMatchObject({
      state: "ordered",
      bankName: "中国农业银行",
      lastFour: "4444",
      isDefault: false,
      sandboxFen: 0,
    });
    expect(data.phone).toMatch(/^137\*{4}\d{4}$/);
    expect(data.holder).toBe(`${[...owner.name][0]}**`);
    await settle(data.id);
    const arrived = await cardOf(owner.token, data.id);
    const amount = await amountOf(data.id);
    expect(arrived).toMatchObject({ state: "arrived", sandbox: true, sandboxFen: amount, triesLeft: 3 });
    const wrong = await post("confirm", owner.token, { id: data.id, amountFen: amount === 99 ? 98 : amount + 1 });
    expect(wrong.data).toMatchObject({ reason: "bank_card.amount", values: { left: 2 } });
    const right = await post<BankCard>("confirm", owner.token, { id: data.id, amountFen: amount });
    expect(right.data).toMatchObject({ state: "verified", sandboxFen: 0 });
    expect((await post<BankCard>("make-default", owner.token, { id: data.id })).data).toMatchObject({
      isDefault: true,
      defaultTime: "",
    });
    for (const text of [raw, JSON.stringify(await listOf(owner.token))]) expect(text).not.toContain(number);
    const audit = await people.query<{ changes: string }>(
      "select changes::text from audit_entries where resource = 'bank_card' and row_id = $1 order by position",
      [data.id],
    );
    expect(
      audit.map(({ changes }) =>
        /"event"[^}]*"after": "(\w+)"|"after": "(\w+)"[^}]*"event"/.exec(changes)?.slice(1).find(Boolean),
      ),
    ).toEqual(["bind", "send", "arrive", "mistype", "confirm", "make_default"]);
    expect((await messagesOf(owner.id)).map(({ title }) => title)).toEqual([
      "默认收款卡已设好",
      "银行卡验证通过",
      "小额汇款到账了",
      "绑了一张银行卡",
    ]);
  });

  test("needs a fresh password, a proven name, a right number, a debit card, a bank and the bank's phone", async () => {
    const owner = await people.customer();
    const reasonOf = async (number: string, more: object = {}) => {
      const { data } = await bind(owner.token, number, more);
      return [data.reason, data.problems?.[0]?.field];
    };
    expect(await reasonOf("6228480000000001")).toEqual(["bank_card.number", "number"]);
    const credit =
      ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"].map((d) => `622575000000000${d}`).find(isCardNumber) ?? "";
    expect(await reasonOf(credit)).toEqual(["bank_card.credit", "number"]);
    const unknown =
      ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"].map((d) => `629999000000000${d}`).find(isCardNumber) ?? "";
    expect(await reasonOf(unknown)).toEqual(["bank_card.bank", "bankName"]);
    expect((await reasonOf(newNumber(), { code: "000000" }))[0]).toBe("verification.code");
    expect((await bind(owner.token, unknown, { bankName: "示例农商银行" })).data).toMatchObject({
      bankName: "示例农商银行",
    });
    await unconfirm(owner.id);
    expect(await reasonOf(newNumber())).toEqual(["identity.confirm_first", undefined]);
    const nobody = await people.person("owner", await people.tenant());
    expect((await bind(nobody.token, newNumber())).data.reason).toBe("bank_card.no_name");
    expect((await bind(admin, newNumber())).data.reason).toBe("bank_card.group");
  });

  test("is bound once by a customer, also by two at once; five at most, three small amounts a day", async () => {
    const owner = await people.customer();
    const number = newNumber();
    expect((await bind(owner.token, number)).status).toBe(200);
    expect((await bind(owner.token, number)).data.reason).toBe("bank_card.bound");
    // Another customer may have the same card: two farms of one person.
    const other = await people.customer();
    expect((await bind(other.token, number)).status).toBe(200);
    for (let count = 1; count < 3; count += 1) expect((await bind(owner.token, newNumber())).status).toBe(200);
    expect((await bind(owner.token, newNumber())).data.reason).toBe("bank_card.sends_spent");
    expect((await listOf(owner.token)).sendsLeft).toBe(0);
    const dayLater = () =>
      people.query("update bank_card_remittances set created_at = now() - interval '25 hours' where tenant_id = $1", [
        owner.tenantId,
      ]);
    await dayLater();
    for (let count = 3; count < cardsPerTenant; count += 1)
      expect((await bind(owner.token, newNumber())).status).toBe(200);
    await dayLater();
    expect((await bind(owner.token, newNumber())).data.reason).toBe("bank_card.too_many");
    // The phone of a code is the phone of the card.
    expect((await bind(other.token, newNumber(), { phone: "13712349999" })).data.reason).toBe("verification.code");
  });

  test("fails, comes late or twice, or never, as the bank says; three wrong amounts end it, and it may be tried again", async () => {
    const owner = await people.customer();
    const other = await people.customer();
    const failed = (await bind(owner.token, newNumber("9001"))).data;
    await settle(failed.id);
    expect(await cardOf(owner.token, failed.id)).toMatchObject({ state: "failed", failure: "name_mismatch" });
    const late = (await bind(owner.token, newNumber("9004"))).data;
    await settle(late.id);
    expect(await cardOf(owner.token, late.id)).toMatchObject({ state: "sent" });
    await settle(late.id, 3);
    expect(await cardOf(owner.token, late.id)).toMatchObject({ state: "arrived" });
    const twice = (await bind(owner.token, newNumber("9005"))).data;
    await settle(twice.id);
    const desk = await app.get<Page<DeskBankCard>>(`${base}/desk/page?size=100`, admin);
    expect(desk.body.data.records.find(({ id }) => id === twice.id)).toMatchObject({ state: "arrived", arrivals: 2 });
    const never = (await bind(other.token, newNumber("9006"))).data;
    await settle(never.id, 70);
    expect(await cardOf(other.token, never.id)).toMatchObject({ state: "sent" });
    await people.query("update bank_card_remittances set expires_at = now() - interval '1 s' where bank_card_id = $1", [
      never.id,
    ]);
    await app.runJob("bank-cards.remit");
    expect(await cardOf(other.token, never.id)).toMatchObject({ state: "expired" });
    for (const left of [2, 1]) {
      const { data } = await post("confirm", owner.token, { id: late.id, amountFen: 5000 });
      expect(data).toMatchObject({ reason: "bank_card.amount", values: { left } });
    }
    expect((await post("confirm", owner.token, { id: late.id, amountFen: 5000 })).data.reason).toBe(
      "bank_card.tries_spent",
    );
    expect(await cardOf(owner.token, late.id)).toMatchObject({ state: "failed", failure: "tries" });
    // The right amount comes too late, whoever knows it.
    expect((await post("confirm", owner.token, { id: late.id, amountFen: await amountOf(late.id) })).data.reason).toBe(
      "bank_card.state",
    );
    expect((await post("remit-again", owner.token, { id: late.id })).data.reason).toBe("bank_card.sends_spent");
    expect((await post<BankCard>("remit-again", other.token, { id: never.id })).data).toMatchObject({
      state: "ordered",
      triesLeft: 3,
    });
  });

  test("T39: fifty right answers at once verify it once, and fifty wishes order one amount", async () => {
    const owner = await people.customer();
    const { id } = (await bind(owner.token, newNumber())).data;
    await settle(id);
    const amountFen = await amountOf(id);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => post("confirm", owner.token, { id, amountFen })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const failing = (await bind(owner.token, newNumber("9001"))).data;
    await settle(failing.id);
    const again = await Promise.all(
      Array.from({ length: 50 }, () => post("remit-again", owner.token, { id: failing.id })),
    );
    expect(again.filter(({ status }) => status === 200)).toHaveLength(1);
    const [ordered] = await people.query<{ count: string }>(
      "select count(*) from bank_card_remittances where bank_card_id = $1",
      [failing.id],
    );
    expect(Number(ordered?.count)).toBe(2);
  });
});

describe("T38: the default card", () => {
  test("changes after 24 hours, everybody who may is told, and any of them stops it", async () => {
    const owner = await people.customer();
    const finance = await people.person("finance", owner.tenantId);
    const [one, two] = [await verified(owner), await verified(owner)];
    await post("make-default", owner.token, { id: one.id });
    const asked = await post<BankCard>("make-default", owner.token, { id: two.id });
    expect(asked.data.isDefault).toBe(false);
    expect(asked.data.defaultTime).not.toBe("");
    await app.runJob("bank-cards.remit");
    expect((await cardOf(owner.token, one.id))?.isDefault).toBe(true);
    for (const id of [owner.id, finance.id])
      expect((await messagesOf(id))[0]).toMatchObject({ title: "有人要更换默认收款卡" });
    expect((await post<BankCard>("keep-default", finance.token, { id: two.id })).data.defaultTime).toBe("");
    expect((await post("keep-default", finance.token, { id: two.id })).data.reason).toBe("bank_card.nothing_waits");
    await post("make-default", owner.token, { id: two.id });
    await people.query("update bank_cards set default_at = now() - interval '1 s' where id = $1", [two.id]);
    await app.runJob("bank-cards.remit");
    expect((await listOf(owner.token)).cards.map(({ id, isDefault }) => [id, isDefault])).toEqual([
      [two.id, true],
      [one.id, false],
    ]);
    await unconfirm(owner.id);
    for (const path of ["make-default", "unbind"])
      expect((await post(path, owner.token, { id: one.id })).data.reason, path).toBe("identity.confirm_first");
  });

  test("is unbound with its number: nothing of it is left but its last digits", async () => {
    const owner = await people.customer();
    const card = await verified(owner);
    await post("make-default", owner.token, { id: card.id });
    expect((await post<BankCard>("unbind", owner.token, { id: card.id })).data).toMatchObject({
      state: "unbound",
      phone: "",
      holder: "",
    });
    expect((await listOf(owner.token)).cards).toEqual([]);
    expect((await post("unbind", owner.token, { id: card.id })).status).toBe(404);
    const [row] = await people.query(
      "select number_encrypted, number_index, phone_encrypted, holder_encrypted, is_default from bank_cards where id = $1",
      [card.id],
    );
    expect(row).toEqual({
      number_encrypted: "",
      number_index: null,
      phone_encrypted: "",
      holder_encrypted: "",
      is_default: false,
    });
  });
});

test("the group sees cards without numbers; one in full needs right, password and reason, and its owner sees who looked", async () => {
  const owner = await people.customer();
  const number = newNumber();
  const { id } = (await bind(owner.token, number)).data;
  const page = await app.get<Page<DeskBankCard>>(`${base}/desk/page?keyword=${owner.tenantId}&state=ordered`, admin);
  expect(page.body.data.records.map((row) => row.id)).toContain(id);
  expect(JSON.stringify(page.body)).not.toContain(number);
  expect((await app.get(`${base}/desk/page`, owner.token)).status).toBe(403);
  expect((await post("desk/reveal", owner.token, { id, reason: "看看" })).status).toBe(403);
  expect((await post("desk/reveal", admin, { id })).status).toBe(400);
  const shown = await post<{ value: string }>("desk/reveal", admin, { id, reason: "客户来电核对" });
  expect(shown.data.value).toBe(number);
  const [entry] = await people.query<{ changes: string }>(
    "select changes::text from audit_entries where resource = 'bank_card' and row_id = $1 and action = 'view'",
    [id],
  );
  expect(entry?.changes).toContain("客户来电核对");
  expect(
    await people.query("select detail from account_events where account_id = $1 and kind = 'data_shown'", [owner.id]),
  ).toEqual([{ detail: "bankCard" }]);
  const adminId =
    (await people.query<{ id: string }>("select id from accounts where account_key = 'admin'"))[0]?.id ?? "";
  await unconfirm(adminId);
  expect((await post("desk/reveal", admin, { id, reason: "再看一次" })).data).toMatchObject({
    reason: "identity.confirm_first",
  });
});
