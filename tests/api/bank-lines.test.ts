import type { BankLineProposal } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { numbersIn } from "../../apps/server/src/modules/trade/bank-lines.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { biddingOf } from "../harness/bidding.ts";
import { dayIn, service, tradeOf } from "../harness/trade.ts";
import { sheetCalls } from "../resources/sheets.ts";

vi.mock("../../apps/server/src/modules/sheets/raw-reader.ts", async (original) =>
  (await import("../resources/reading-in-process.ts")).readingInProcess(original),
);

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
let bidding: Awaited<ReturnType<typeof biddingOf>>;
let plan: string;
beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app);
  bidding = await biddingOf(app, trade);
  plan = await trade.published({ heads: 2000 });
});
afterAll(() => app.close());

let lines = 0;
/** A line of the bank's statement, entered by hand. */
const lineOf = (more: object = {}): Promise<string> => {
  lines += 1;
  const line = { bankReference: `ABC${lines}`, bookedOn: dayIn(0), direction: "in", amountFen: 1, ...more };
  return trade.done(trade.post("bank-line/submit", line, trade.tokens.sales));
};
const proposalsFor = async (id: string, token = trade.tokens.sales) =>
  (await app.get<BankLineProposal[]>(`${service}/bank-line/proposals?id=${id}`, token)).body.data;
const pageOf = async (query: string, token = trade.tokens.sales) => {
  const { body, status } = await app.call({ path: `${service}/bank-line/page?${query}`, token });
  return { status, ...(body.data as { total: number; records: Record<string, unknown>[] }) };
};
const match = (id: string, row: string, target = "payment", token = trade.tokens.sales) =>
  trade.post("bank-line/match", { id, target, row }, token);
/** An order with its awaited prepayment. */
const awaited = async (heads: number) => {
  const { order } = await trade.accepted(plan, heads);
  const [row] = await trade.query<{ id: string; number: string; of: string; amount: number; customer: string }>(
    `select y.id::text, y.number, o.number as of, y.amount_fen::float8 as amount, t.name as customer
       from payments y join sale_orders o on o.id = y."order" join tenants t on t.tenant_id = y.tenant_id where o.id = $1`,
    [order],
  );
  if (row === undefined) throw new Error("the order has no payment");
  return { order, ...row };
};

test("a remark names documents however people type their numbers", () => {
  expect(numbersIn("付 SK-261127-001 猪款")).toEqual(["SK-261127-001"]);
  expect(numbersIn("ｓｋ２６１１２７００２，dd 261127 - 003")).toEqual(["SK-261127-002", "DD-261127-003"]);
  expect(numbersIn("BZ-261127-1 5000 元")).toEqual([]);
});

test("a sheet of the statement comes in once: the same line again is no change, another amount is refused", async () => {
  const sheets = sheetCalls(app, `${service}/bank-line`, trade.tokens.sales);
  const cells = {
    银行流水号: "ICBC20261127001",
    入账日: dayIn(0),
    收支: "收入",
    金额: "1,234.56",
    对方户名: "南阳康源食品有限公司",
    对方账号: "6222020200112233445",
    附言: "猪款",
  };
  const first = await sheets.check([cells]);
  expect(first).toMatchObject({ good: 1, bad: 0, updates: 0 });
  await sheets.write(first.id, "all");
  const [row] = await trade.query<{ amount: string; account: string; name: string }>(
    "select amount_fen::text as amount, counterparty_account_encrypted as account, counterparty_name_encrypted as name from bank_lines where bank_reference = 'ICBC20261127001'",
  );
  expect(row?.amount).toBe("123456");
  expect(row?.account).not.toContain("6222020200112233445");
  expect(row?.name).not.toContain("康源");
  // Neither does the trail have what is stored encrypted.
  const trail = await trade.query<{ changes: string }>(
    "select changes::text from audit_entries where resource = 'bank_line'",
  );
  expect(trail.length).toBeGreaterThan(0);
  expect(JSON.stringify(trail)).not.toMatch(/6222020200112233445|康源/);
  const again = await sheets.check([cells]);
  expect(again).toMatchObject({ good: 1, bad: 0, unchanged: 1 });
  const other = await sheets.check([{ ...cells, 金额: "1,234.57" }]);
  expect(other).toMatchObject({ good: 0, bad: 1 });
});

test("what a line may pay is proposed with its reason, and one press records it for a second person", async () => {
  const due = await awaited(10);
  const line = await lineOf({
    amountFen: due.amount,
    summary: `付${due.number.replaceAll("-", "")}`,
    counterpartyName: "路人",
  });
  expect(await proposalsFor(line)).toEqual([
    {
      target: "payment",
      id: due.id,
      number: due.number,
      what: "prepayment",
      customer: due.customer,
      of: due.of,
      amountFen: due.amount,
      differenceFen: 0,
      by: "number",
    },
  ]);
  expect(await trade.done(match(line, due.id))).toBe(due.id);
  expect((await pageOf("matching=recorded")).records).toMatchObject([{ id: line, matchedTo: due.number }]);
  const [row] = await trade.query<object>(
    "select bank_reference, received_on::text, amount_fen::float8 as amount, state from payments where id = $1",
    [due.id],
  );
  expect(row).toEqual({ bank_reference: `ABC${lines}`, received_on: dayIn(0), amount: due.amount, state: "recorded" });
  // Who matched it does not confirm it.
  expect(await trade.refused(trade.post("payment/confirm", { id: due.id, version: 2 }, trade.tokens.sales))).toEqual([
    400,
    "自己登记的要别人复核",
  ]);
  // Sent back, it frees the line, which is matched again.
  await trade.done(trade.post("payment/send-back", { id: due.id, version: 2, reason: "不是这单" }, trade.tokens.admin));
  expect((await pageOf(`ids=${line}`)).records).toMatchObject([
    { matching: "unmatched", matchedTo: "", waitingDays: 0 },
  ]);
  await trade.done(match(line, due.id));
  await trade.done(trade.post("payment/confirm", { id: due.id, version: 4 }, trade.tokens.admin));
  expect(await trade.stateOf("sale_orders", due.order)).toBe("confirmed");
  expect((await pageOf(`ids=${line}`)).records).toMatchObject([{ matching: "done" }]);
  expect(await trade.refused(match(line, due.id))).toEqual([400, `这条流水已经匹配 ${due.number}，先把那一笔退回`]);
});

test("several that agree are all proposed and none is taken by itself; a name decides before an amount", async () => {
  const [one, two] = [await awaited(11), await awaited(11)];
  const line = await lineOf({ amountFen: one.amount, counterpartyName: ` ${one.customer} ` });
  const found = await proposalsFor(line);
  expect(found.map(({ id, by }) => [id, by])).toEqual([
    [one.id, "name"],
    [two.id, "name"],
  ]);
  for (const { id } of [one, two]) expect(await trade.stateOf("payments", id)).toBe("awaited");
  const stranger = await lineOf({ amountFen: one.amount, counterpartyName: "别人" });
  expect((await proposalsFor(stranger)).map(({ by }) => by)).toEqual(["amount", "amount"]);
  // The bank card that the customer proved to own.
  const account = "6222020200112233001";
  await trade.query(
    `insert into bank_cards (id, tenant_id, bank_name, number_encrypted, number_index, holder_encrypted, phone_encrypted, last_four, state)
     select 990001, tenant_id, '农行', 'x', $2, 'x', 'x', '3001', 'verified' from payments where id = $1`,
    [one.id, app.personalCipher.index(account)],
  );
  const own = await lineOf({ amountFen: one.amount, counterpartyAccount: account });
  expect((await proposalsFor(own)).map(({ by }) => by)).toEqual(["account", "account"]);
});

test("too much and too little are refused with what to do", async () => {
  const due = await awaited(12);
  for (const [more, text] of [
    [1, "应收付 20,355.00 元，多了 0.01 元：请退回这笔转账，让客户按应付金额重付"],
    [-100, "应收付 20,355.00 元，少了 1.00 元：请客户补足差额，或者退回这笔转账"],
  ] as const) {
    const line = await lineOf({ amountFen: due.amount + more, summary: due.of });
    expect(await proposalsFor(line)).toMatchObject([{ id: due.id, differenceFen: more, by: "number" }]);
    expect(await trade.refused(match(line, due.id))).toEqual([400, text]);
    expect(await trade.stateOf("payments", due.id)).toBe("awaited");
  }
});

test("what the statement says of a reference holds for what is typed, too", async () => {
  const due = await awaited(13);
  const said = { id: due.id, version: 1, amountFen: due.amount, receivedOn: dayIn(0) };
  const record = (bankReference: string) =>
    trade.refused(trade.post("payment/record", { ...said, bankReference }, trade.tokens.sales));
  await lineOf({ bankReference: "OUT1", direction: "out", amountFen: due.amount });
  await lineOf({ bankReference: "LESS1", amountFen: 5 });
  await lineOf({ bankReference: "FEE1", amountFen: due.amount, aside: true });
  expect(await record("OUT1")).toEqual([400, "银行流水里这个流水号的收支方向相反，请核对流水号"]);
  expect(await record("LESS1")).toEqual([400, "银行流水里这个流水号是 0.05 元，请核对流水号和金额"]);
  expect(await record("FEE1")).toEqual([400, "这条流水标了不是货款，先去掉这个标记"]);
});

test("of twenty who match one line, and of one who matches it with twenty payments, one counts", async () => {
  const due = await Promise.all(Array.from({ length: 10 }, () => awaited(14)));
  const line = await lineOf({ amountFen: due[0]?.amount });
  const answers = await Promise.all(due.flatMap(({ id }) => [match(line, id), match(line, id)]));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const states = await Promise.all(due.map(({ id }) => trade.stateOf("payments", id)));
  expect(states.filter((state) => state === "recorded")).toHaveLength(1);
});

test("a deposit is paid by a line, and given back by another one, once each", async () => {
  const lot = await bidding.announced();
  const deposit = await bidding.deposit(lot, bidding.bidders.first);
  const paid = await lineOf({ amountFen: 500_000, bankReference: "DEP-IN" });
  expect(await proposalsFor(paid)).toMatchObject([{ id: deposit, target: "deposit", what: "deposit" }]);
  await trade.done(match(paid, deposit, "deposit"));
  await trade.done(trade.post("deposit/confirm", { id: deposit, version: 2 }, trade.tokens.admin));
  await trade.query("update deposits set state = 'returning', version = 4 where id = $1", [deposit]);
  // The transfer that came in is none that went out, nor does another amount give it back.
  await lineOf({ amountFen: 400_000, bankReference: "DEP-LESS", direction: "out" });
  const release = (refundReference: string) =>
    trade.post("deposit/release", { id: deposit, version: 4, refundReference }, trade.tokens.sales);
  expect(await trade.refused(release("DEP-IN"))).toEqual([400, "银行流水里这个流水号的收支方向相反，请核对流水号"]);
  expect((await release("DEP-LESS")).status).toBe(400);
  const back = await lineOf({ amountFen: 500_000, bankReference: "DEP-OUT", direction: "out" });
  expect(await proposalsFor(back)).toMatchObject([{ id: deposit, what: "release" }]);
  const answers = await Promise.all(Array.from({ length: 8 }, () => match(back, deposit, "deposit")));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await trade.stateOf("deposits", deposit)).toBe("released");
  // The same transfer gives back no second deposit.
  const other = await bidding.deposit(lot, bidding.bidders.second);
  await trade.query("update deposits set state = 'returning' where id = $1", [other]);
  const twice = await trade.post(
    "deposit/release",
    { id: other, version: 1, refundReference: "DEP-OUT" },
    trade.tokens.sales,
  );
  expect([twice.status, twice.data?.problems]).toMatchObject([400, [{ field: "refundReference" }]]);
});

test("a line that pays something is neither removed nor set aside, and customers see none", async () => {
  const due = await awaited(15);
  const line = await lineOf({ amountFen: due.amount });
  await trade.done(match(line, due.id));
  const number = `这条流水已经匹配 ${due.number}，先把那一笔退回`;
  expect(
    await trade.refused(trade.post("bank-line/submit", { id: line, aside: true, version: 1 }, trade.tokens.sales)),
  ).toEqual([400, number]);
  expect(await trade.refused(trade.post("bank-line/remove", { ids: line }, trade.tokens.admin))).toEqual([400, number]);
  const { owner } = trade.tokens;
  expect((await pageOf("", owner)).status).toBe(403);
  expect((await match(line, due.id, "payment", owner)).status).toBe(403);
  const aside = await lineOf({ amountFen: 3, aside: true });
  expect(
    (await app.call({ path: `${service}/bank-line/proposals?id=${aside}`, token: trade.tokens.sales })).status,
  ).toBe(400);
  const late = await lineOf({ amountFen: 3, bookedOn: dayIn(-9) });
  expect((await pageOf("matching=unmatched&descs=waiting_days&size=1")).records).toMatchObject([
    { id: late, waitingDays: 9 },
  ]);
});
