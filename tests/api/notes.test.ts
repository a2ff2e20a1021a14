import { noteProcess, type OrderView, type Statement } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { everyStep, passerBy } from "../harness/every-step.ts";
import { dayIn, service, tradeOf } from "../harness/trade.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app);
});
afterAll(() => app.close());

const draft = (settlement: string, kind: string, fen1: number, more: object = {}, token = trade.tokens.sales) =>
  trade.post("note/submit", { settlement, kind, fen1, reason1: "死亡 1 头", ...more }, token);
const confirmed = async (settlement: string, kind: string, fen1: number, more: object = {}): Promise<string> => {
  const id = await trade.done(draft(settlement, kind, fen1, more));
  await trade.done(trade.post("note/confirm", { id, version: 1 }, trade.tokens.admin));
  return id;
};
const paymentsOf = (order: string) =>
  trade.query<{ kind: string; state: string; amount: number }>(
    `select kind, state, amount_fen::float8 as amount from payments where "order" = $1 and kind <> 'prepayment' order by id`,
    [order],
  );
const viewOf = async (order: string, token = trade.tokens.sales) =>
  (await app.get<OrderView>(`${service}/order/view?id=${order}`, token)).body.data;
const month = dayIn(0).slice(0, 7);
const statement = async (of = month, token = trade.tokens.owner, tenantId = "") =>
  (
    await app.get<Statement>(
      `${service}/statement/detail?month=${of}${tenantId === "" ? "" : `&tenantId=${tenantId}`}`,
      token,
    )
  ).body.data;

test("a credit note is set off against the balance, never changes the settlement, and ends at its total", async () => {
  const { order, settlement } = await trade.settled();
  const kept = () => trade.query("select * from settlements where id = $1", [settlement]);
  const before = await kept();
  const [balance] = await paymentsOf(order);
  expect(balance).toMatchObject({ kind: "balance", state: "awaited" });
  const due = balance?.amount ?? 0;
  expect(due).toBeGreaterThan(0);
  const id = await trade.done(
    draft(settlement, "credit", 30_000, { fen2: 12_345, reason2: "含水", amountFen: 1, lines: [] }),
  );
  expect(await trade.refused(trade.post("note/confirm", { id, version: 1 }, trade.tokens.sales))).toEqual([
    400,
    "自己开的通知单要别人复核",
  ]);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => trade.post("note/confirm", { id, version: 1 }, trade.tokens.admin)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await paymentsOf(order)).toEqual([
    { kind: "balance", state: "void", amount: due },
    { kind: "balance", state: "awaited", amount: due - 42_345 },
  ]);
  expect(await kept()).toEqual(before);
  const view = await viewOf(order);
  expect(view.notes).toMatchObject([
    { id, kind: "credit", amountFen: 42_345, reasons: "死亡 1 头 300.00；含水 123.45" },
  ]);
  expect(view.dueFen).toBe(due - 42_345);
  // What it says is kept by the database.
  await expect(trade.query("update notes set amount_fen = 1 where id = $1", [id])).rejects.toThrow("is final");
  await expect(trade.query("delete from notes where id = $1", [id])).rejects.toThrow("is final");
  // A credit beyond the balance is paid back.
  await confirmed(settlement, "credit", due);
  expect((await paymentsOf(order)).slice(2)).toEqual([{ kind: "refund", state: "awaited", amount: 42_345 }]);
  // A debit takes it back, and more is due.
  await confirmed(settlement, "debit", 50_000);
  expect((await paymentsOf(order)).filter(({ state }) => state === "awaited")).toEqual([
    { kind: "balance", state: "awaited", amount: 50_000 - 42_345 },
  ]);
  const left = 8_850_000 - 42_345 - due;
  expect(await trade.refused(draft(settlement, "credit", left + 1))).toEqual([
    400,
    `贷项合计不能超过结算金额，这张结算单还能开 ${(left / 100).toLocaleString("en", { minimumFractionDigits: 2 })} 元`,
  ]);
  // Of two who draft the rest at once one may.
  const both = await Promise.all([draft(settlement, "credit", left), draft(settlement, "credit", left)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  // The invoice is for the settlement with its notes that are in force.
  const invoice = await trade.done(
    trade.post("invoice/submit", { order, kind: "ordinary", title: "南阳康源食品有限公司" }, trade.tokens.owner),
  );
  const [row] = await trade.query<{ amount: number }>(
    "select amount_fen::float8 as amount from invoices where id = $1",
    [invoice],
  );
  expect(row?.amount).toBe(8_850_000 - 42_345 - due + 50_000);
});

test("a line needs both an amount and a reason, and a note a confirmed settlement; money in hand is decided on first", async () => {
  const { order, settlement } = await trade.settled();
  for (const more of [{ fen2: 5 }, { reason3: "什么" }])
    expect(await trade.refused(draft(settlement, "credit", 5, more))).toEqual([400, "每一行要有金额和原因"]);
  expect((await draft(settlement, "credit", 5, {}, trade.tokens.owner)).status).toBeGreaterThanOrEqual(400);
  const id = await trade.done(draft(settlement, "credit", 5));
  const { id: payment, amount } = await trade.paymentOf(order, "balance");
  const said = { id: payment, version: 1, amountFen: amount, bankReference: "N1", receivedOn: dayIn(0) };
  await trade.done(trade.post("payment/record", said, trade.tokens.sales));
  expect(await trade.refused(trade.post("note/confirm", { id, version: 1 }, trade.tokens.admin))).toEqual([
    400,
    "有一笔到账在复核，请先复核",
  ]);
  await trade.done(trade.post("payment/confirm", { id: payment, version: 2 }, trade.tokens.admin));
  await trade.done(trade.post("note/confirm", { id, version: 1 }, trade.tokens.admin));
  expect((await paymentsOf(order)).at(-1)).toEqual({ kind: "refund", state: "awaited", amount: 5 });
});

test("an order shows payments, invoices and notes to whom their lists are shown", async () => {
  const { order } = await trade.settled();
  expect((await viewOf(order)).payments.length).toBeGreaterThan(0);
  await trade.query(
    `delete from role_menus where menu_id in (select id from menus where code in ('payment_view', 'note_view', 'invoice_view'))
        and role_id in (select r.id from roles r join membership_roles mr on mr.role_id = r.id join memberships m on m.id = mr.membership_id
                          join accounts a on a.id = m.account_id where a.account = 'chenxiao')`,
  );
  const token = await app.logIn("chenxiao");
  const shown = await viewOf(order, token);
  expect([shown.payments, shown.invoices, shown.notes]).toEqual([[], [], []]);
  expect(shown.paidFen).toBeGreaterThan(0);
});

test("every step of a note by everybody", async () => {
  const { settlement } = await trade.settled();
  const id = await trade.done(draft(settlement, "debit", 100));
  const [sales] = await trade.query<{ id: string }>("select id::text from accounts where account = 'kefu01'");
  const tried = await everyStep(noteProcess, {
    query: trade.query,
    table: "notes",
    id: () => id,
    history: ["process_entries", "row_id"],
    callers: [
      { name: "administrator", token: trade.tokens.admin, party: "desk" },
      { name: "owner", token: trade.tokens.owner, party: undefined },
      { name: "another customer", token: trade.tokens.stranger, party: undefined },
      passerBy,
    ],
    async put(state) {
      const client = await app.test.database.pool.connect();
      try {
        // References are not looked at; the triggers that keep the sums of months are.
        for (const table of ["settlements", "notes", "payments", "deposits"])
          await client.query(`alter table ${table} enable always trigger ${table}_stated`);
        await client.query("begin; set local session_replication_role = replica");
        await client.query("update payments set state = 'void', note = null where note = $1", [id]);
        await client.query(
          "update notes set state = $2, state_at = now() - interval '1 hour', version = 1, created_by = $3 where id = $1",
          [id, state, sales?.id],
        );
        await client.query("commit");
      } finally {
        client.release();
      }
    },
    ask: async (event, caller) =>
      (await trade.post(`note/${event}`, { id, version: 1, reason: "试一试" }, caller.token)).status,
  });
  expect(tried).toBeGreaterThan(20);
});

test("a statement has each document once, with its running balance, for its own customer", async () => {
  const { lines, ...sums } = await statement();
  const settled = lines.filter(({ kind }) => kind === "settlement");
  expect(settled.length).toBeGreaterThanOrEqual(4);
  expect(new Set(lines.map(({ number }) => number)).size).toBe(lines.length);
  expect(lines.at(-1)?.balanceFen).toBe(sums.closingFen);
  // The group sees it by the customer's number, another customer only the own one.
  const shown = await statement(month, trade.tokens.sales, sums.tenantId);
  expect(shown).toEqual({ lines, ...sums });
  expect((await statement(month, trade.tokens.stranger)).lines).toEqual([]);
  const other = await app.call({
    path: `${service}/statement/detail?month=${month}&tenantId=${sums.tenantId}`,
    token: trade.tokens.stranger,
  });
  expect(other.status).toBe(404);
  const customers = await app.get<Omit<Statement, "lines" | "month">[]>(
    `${service}/statement/customers?month=${month}`,
    trade.tokens.sales,
  );
  expect(customers.body.data.find(({ tenantId }) => tenantId === sums.tenantId)).toMatchObject({
    closingFen: sums.closingFen,
    debitFen: sums.debitFen,
  });
  expect(
    (await app.call({ path: `${service}/statement/detail?month=2026-13`, token: trade.tokens.owner })).status,
  ).toBe(400);
});

test("totals of any period are the sums of their lines, and each month begins with the end of the one before (property)", async () => {
  let seed = 20_261_129;
  const random = (most: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % most;
  };
  const [owner] = await trade.query<{ tenant: string; settlement: string }>(
    "select tenant_id as tenant, id::text as settlement from settlements limit 1",
  );
  const months = Array.from(
    { length: 18 },
    (_, at) => `${2030 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, "0")}`,
  );
  const model: { at: number; debit: number; credit: number }[] = [];
  const client = await app.test.database.pool.connect();
  try {
    // References are not looked at; the triggers that keep the sums of months are.
    for (const table of ["settlements", "notes", "payments", "deposits"])
      await client.query(`alter table ${table} enable always trigger ${table}_stated`);
    await client.query("begin; set local session_replication_role = replica");
    for (let at = 0; at < 400; at += 1) {
      // Times fall on the very first and last milliseconds of months, too, and on each other.
      const [year, of] = [2030 + Math.floor(at / 270), random(12)];
      const start = Date.UTC(year, of, 1) - 8 * 3_600_000;
      const ms = [start, start - 1, start + random(28 * 86_400_000), start + 86_400_000][random(4)] ?? start;
      const fen = 1 + random(90_000_000);
      const id = 70_000_000 + at;
      const when = new Date(ms);
      const kind = ["settlement", "credit", "debit", "prepayment", "balance", "refund", "deposit"][random(7)] ?? "";
      const own = [id, owner?.tenant, `P${id}`, id, fen, when];
      if (kind === "settlement")
        await client.query(
          `insert into settlements (id, tenant_id, number, "order", heads, net_grams, goods_fen, tax_fen, total_fen, paid_fen, left_fen, lines, state, state_at)
           values ($1, $2, $3, $4, 1, 1, $5, 0, $5, 0, $5, '[]', $7, $6)`,
          [...own, at % 9 === 0 ? "void" : "confirmed"],
        );
      else if (kind === "credit" || kind === "debit")
        await client.query(
          `insert into notes (id, tenant_id, number, settlement, "order", kind, amount_fen, lines, reasons, state, state_at)
           values ($1, $2, $3, $8, $4, $7, $5, '[]', '', $9, $6)`,
          [...own, kind, owner?.settlement, at % 9 === 0 ? "drafted" : "confirmed"],
        );
      else if (kind === "deposit")
        await client.query(
          `insert into deposits (id, tenant_id, number, lot, amount_fen, "order", state, state_at)
           values ($1, $2, $3, $1, $5, $4, $7, $6)`,
          [...own, at % 9 === 0 ? "held" : "credited"],
        );
      else
        await client.query(
          `insert into payments (id, tenant_id, number, "order", kind, amount_fen, state, state_at, pay_notice, bank_reference)
           values ($1, $2, $3, $4, $7, $5, $8, $6, null, $3)`,
          [...own, kind, at % 9 === 0 ? "awaited" : "done"],
        );
      if (at % 9 === 0) continue;
      // A credit note lowers what is due, a refund what is paid.
      const isDebit = ["settlement", "debit", "credit"].includes(kind);
      const signed = kind === "credit" || kind === "refund" ? -fen : fen;
      model.push({ at: ms, debit: isDebit ? signed : 0, credit: isDebit ? 0 : signed });
    }
    await client.query("commit");
  } finally {
    client.release();
  }
  const startOf = (of: string): number => Date.parse(`${of}-01T00:00:00+08:00`);
  const sum = (rows: typeof model, key: "debit" | "credit") => rows.reduce((total, row) => total + row[key], 0);
  const { closingFen: base } = await statement("2029-12");
  let before = base;
  for (const [at, of] of months.entries()) {
    const next = startOf(months[at + 1] ?? "2031-07");
    const inMonth = model.filter(({ at: ms }) => ms >= startOf(of) && ms < next);
    const found = await statement(of);
    expect([of, found.openingFen]).toEqual([of, before]);
    expect([of, found.debitFen, found.creditFen]).toEqual([of, sum(inMonth, "debit"), sum(inMonth, "credit")]);
    expect(found.lines).toHaveLength(inMonth.length);
    expect(found.debitFen).toBe(found.lines.reduce((total, { debitFen }) => total + debitFen, 0));
    let running = found.openingFen;
    for (const { debitFen, creditFen, balanceFen } of found.lines) {
      running += debitFen - creditFen;
      expect(balanceFen).toBe(running);
    }
    expect(found.closingFen).toBe(running);
    before = found.closingFen;
  }
});
