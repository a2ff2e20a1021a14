import { invoiceProcess } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { everyStep, passerBy } from "../harness/every-step.ts";
import { dayIn, service, tradeOf } from "../harness/trade.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
let order: string;
let settlement: string;
beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app);
  ({ order, settlement } = await trade.settled());
});
afterAll(() => app.close());

const heading = { kind: "ordinary", title: "南阳康源食品有限公司", taxNumber: "91350100M000100Y43" };
const special = {
  ...heading,
  kind: "special",
  address: "南阳 0377-1",
  bank: "农行南阳分行",
  bankAccount: "12345678901",
};
const listOf = async (token: string) => {
  const { body } = await app.call({ path: `${service}/invoice/page`, token });
  return body as { data?: { records: Record<string, unknown>[] }; code: number };
};

test("an invoice has the settlement's total and is applied for once, however many ask", async () => {
  const { done, post, query, refused, tokens } = trade;
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => post("invoice/submit", { order, ...special, amountFen: 1 }, tokens.owner)),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(400)]);
  const [row] = await query<{ id: string; amount: number; total: number; settlement: string; account: string }>(
    `select i.id::text, i.amount_fen::float8 as amount, s.total_fen::float8 as total, i.settlement::text, bank_account_encrypted as account
       from invoices i join settlements s on s.id = i.settlement`,
  );
  expect(row).toMatchObject({ amount: 6_000_000 * 1.475, total: 6_000_000 * 1.475, settlement });
  expect(row?.account).not.toContain("12345678901");
  expect(await refused(post("invoice/submit", { order, ...heading }, tokens.finance))).toEqual([
    400,
    "这张结算单已经申请过发票",
  ]);
  const id = row?.id ?? "";
  await expect(
    query(
      `insert into invoices (id, tenant_id, number, "order", settlement, kind, amount_fen, title, state)
       select 88001, tenant_id, 'T', "order", settlement, kind, 1, title, 'applied' from invoices where id = $1`,
      [id],
    ),
  ).rejects.toThrow("invoices_settlement_unique");

  // What was withdrawn or sent back is applied for again.
  await done(post("invoice/withdraw", { id, version: 1 }, tokens.finance));
  const second = await done(post("invoice/submit", { order, ...heading }, tokens.finance));
  await done(post("invoice/give-back", { id: second, version: 1, reason: "抬头不对" }, tokens.sales));
  const third = await done(post("invoice/submit", { order, ...special }, tokens.owner));
  const issued = { id: third, version: 1, invoiceNumber: "26412000000000000001", issuedOn: dayIn(0) };
  expect(await refused(post("invoice/issue", { ...issued, issuedOn: dayIn(1) }, tokens.sales))).toEqual([
    400,
    "开票日期不能晚于今天",
  ]);
  await done(post("invoice/issue", issued, tokens.sales));
  const red = { id: third, version: 2, redNumber: "26412000000000000002", reason: "税号写错" };
  expect(await refused(post("invoice/reverse", red, tokens.sales))).toEqual([400, "自己开的发票要别人红冲"]);
  await done(post("invoice/reverse", red, tokens.admin));
  const detail = await app.call({ path: `${service}/invoice/detail?id=${third}`, token: tokens.sales });
  expect((detail.body as { data: object }).data).toMatchObject({
    amountFen: 8_850_000,
    bankAccount: "12345678901",
    redNumber: "26412000000000000002",
    state: "reversed",
  });
  // What a red letter took back is invoiced again, once.
  await done(post("invoice/submit", { order, ...heading }, tokens.owner));
  expect((await post("invoice/submit", { order, ...heading }, tokens.owner)).status).toBe(400);
});

test.each([
  [{ ...heading, taxNumber: "91350100M000100Y44" }, "税号不是有效的统一社会信用代码，请核对"],
  [{ ...special, bankAccount: "12" }, "银行账号不对，请核对"],
  [{ ...special, bank: "" }, "专用发票要填税号、地址电话、开户银行和银行账号"],
  [{ ...special, taxNumber: "" }, "专用发票要填税号、地址电话、开户银行和银行账号"],
])("what an invoice says is checked: %o", async (said, text) => {
  const { post, refused, tokens } = trade;
  expect(await refused(post("invoice/submit", { order, ...said }, tokens.owner))).toEqual([400, text]);
});

test("only the order's own customer applies, once it is settled, and others see nothing of it", async () => {
  const { accepted, post, published, query, refused, tokens } = trade;
  const open = await accepted(await published({ heads: 50 }), 50);
  expect(await refused(post("invoice/submit", { order: open.order, ...heading }, tokens.owner))).toEqual([
    400,
    "订单结算后才能开票",
  ]);
  expect((await post("invoice/submit", { order, ...heading }, tokens.stranger)).data?.problems).toMatchObject([
    { field: "order" },
  ]);
  expect((await post("invoice/submit", { order, ...heading }, tokens.sales)).status).toBe(400);
  expect((await listOf(tokens.finance)).data?.records.length).toBeGreaterThan(0);
  expect((await listOf(tokens.sales)).data?.records.length).toBeGreaterThan(0);
  expect((await listOf(tokens.stranger)).data?.records).toEqual([]);
  const [row] = await query<{ id: string }>("select id::text from invoices limit 1");
  for (const path of ["detail", "steps"])
    expect((await app.call({ path: `${service}/invoice/${path}?id=${row?.id}`, token: tokens.stranger })).status).toBe(
      404,
    );
  expect((await app.call({ path: `${service}/invoice/page`, token: "" })).status).toBe(401);
});

test("every step of an invoice by everybody", async () => {
  const { post, query, tokens } = trade;
  const [row] = await query<{ id: string }>("select id::text from invoices limit 1");
  const id = row?.id ?? "";
  await query("delete from invoices where id <> $1", [id]);
  let asked = 0;
  const tried = await everyStep(invoiceProcess, {
    query,
    table: "invoices",
    id: () => id,
    history: ["process_entries", "row_id"],
    callers: [
      { name: "administrator", token: tokens.admin, party: "desk" },
      { name: "owner", token: tokens.owner, party: "customer" },
      { name: "finance", token: tokens.finance, party: "customer" },
      { name: "another customer", token: tokens.stranger, party: undefined },
      passerBy,
    ],
    async put(state) {
      await query(
        `update invoices set state = $2, state_at = now() - interval '1 hour', version = 1,
                issued_by = (select id from accounts where account = 'kefu01') where id = $1`,
        [id, state],
      );
    },
    async ask(event, caller) {
      asked += 1;
      const form = {
        invoiceNumber: `2641${asked}0000`,
        redNumber: `2642${asked}0000`,
        issuedOn: dayIn(0),
        reason: "试一试",
      };
      const { status } = await post(`invoice/${event.replaceAll("_", "-")}`, { id, version: 1, ...form }, caller.token);
      return status;
    },
  });
  expect(tried).toBeGreaterThan(90);
});
