import type { ContractDetail, DeclarationTerms, OrderView, Page } from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { contractsOf, termOf } from "../harness/price-terms.ts";
import { dayIn, service, tradeOf } from "../harness/trade.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
let contracts: Awaited<ReturnType<typeof contractsOf>>;
beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app, 400);
  contracts = await contractsOf(app, "farm");
});
afterAll(() => app.close());
/** Each test has its own contracts: those of others are ended. */
beforeEach(async () => {
  await app.pass(3700);
  await trade.query(
    "update contracts set state = 'ended' where exists (select from contract_terms t where t.contract = contracts.id)",
  );
});

const published = (more: object = {}) => trade.published({ mode: "contract", pricePerKg: null, heads: 2000, ...more });
const declare = (plan: string, heads: number) =>
  trade.post("declaration/submit", { plan, heads, plate: "豫R3K627" }, trade.tokens.owner);
const accept = (id: string) => trade.post("declaration/accept", { id, version: 1 }, trade.tokens.sales);
const termsOf = async (plan: string) =>
  (await app.get<DeclarationTerms>(`${service}/declaration/terms?plan=${plan}`, trade.tokens.owner)).body.data;
const orderOf = async (declaration: string) => {
  const [order] = await trade.query<{ id: string; price: number; term: string; version: number }>(
    "select id::text, price_per_kg as price, contract_term::text as term, version from sale_orders where declaration = $1",
    [declaration],
  );
  if (order === undefined) throw new Error("no order");
  return order;
};
interface TermRow {
  id: string;
  number: string;
  termState: string;
  usedHeads: number;
  leftHeads: number;
  waitingHeads: number;
  averageFen: number | null;
  againstFen: number | null;
}
const row = async (id: string, token: string) =>
  (await app.get<Page<TermRow>>(`${service}/price-term/page?ids=${id}`, token)).body.data.records[0];

test("terms are a part of the text that both sides sign, and are fixed by the signature", async () => {
  const { done, query, step } = contracts;
  const { id } = await done(contracts.draft([termOf({ field: trade.field })]));
  const drafted = await contracts.atDesk(id);
  expect(drafted.words.terms).toMatchObject([{ place: "周家营商品场", heads: 100, fen: 1420 }]);
  expect(drafted.termUse).toEqual([]);
  // Before the signature nothing is in force.
  expect(await query("select from contract_terms where contract = $1", [id])).toEqual([]);
  await step("revise", id, {
    form: drafted.words.form,
    values: drafted.words.values,
    terms: [termOf({ field: trade.field, fen: 1430 }), termOf({ category: "inner", kind: "board", fen: -20 })],
    signDays: 7,
  });
  await step("send", id);
  await contracts.sign(id);
  expect(
    await query("select line, category, kind, fen, place from contract_terms where contract = $1 order by line", [id]),
  ).toEqual([
    { line: 1, category: "outer", kind: "fixed", fen: 1430, place: "周家营商品场" },
    { line: 2, category: "inner", kind: "board", fen: -20, place: "" },
  ]);
  const own = (await app.get<ContractDetail>(`/api/muyuan-contract/contract/detail?id=${id}`, await app.logIn("farm")))
    .body.data;
  expect(own.termUse).toMatchObject([
    { heads: 100, leftHeads: 100 },
    { heads: 100, leftHeads: 100 },
  ]);
  expect(own.terms).toEqual({ heads: 200, leftHeads: 200 });
  await expect(query("update contract_terms set fen = 1 where contract = $1", [id])).rejects.toThrow("is signed");
  await expect(query("delete from contract_terms where contract = $1", [id])).rejects.toThrow("is signed");
});

test("a term that is wrong is refused at its field, and other contracts have none", async () => {
  const wrong = await contracts.draft([
    termOf({ toKg: 100 }),
    termOf({ kind: "board", fen: 1420 }),
    termOf({ kind: "board", fen: 0, category: "sow" }),
    termOf({ fen: 20 }),
    termOf({ fromDay: dayIn(9), toDay: dayIn(8), field: "123" }),
    termOf({ toDay: dayIn(301) }),
  ]);
  expect(wrong.status).toBe(400);
  expect(wrong.data.problems?.map(({ field, reason }) => `${field} ${reason}`)).toEqual([
    "terms.0.toKg contract.terms_weights",
    "terms.1.fen contract.terms_difference",
    "terms.2.kind contract.terms_board",
    "terms.3.fen contract.terms_price",
    "terms.4.toDay contract.terms_days",
    "terms.4.field contract.terms_place",
    "terms.5.toDay contract.terms_outside",
  ]);
  await trade.query("update contract_templates set kind = 'service' where id = $1", [contracts.templateId]);
  const other = await contracts.draft([termOf()]);
  await trade.query("update contract_templates set kind = 'pig_sale' where id = $1", [contracts.templateId]);
  expect([other.status, other.msg]).toEqual([400, "只有生猪购销合同能写价格条款"]);
});

test("a declaration has the price of the customer's own term, and the order keeps it after the end of the contract", async () => {
  const { done, refused, tokens, query } = trade;
  const contract = await contracts.signed([termOf()]);
  const plan = await published();
  expect(await refused(trade.post("plan/submit", trade.planOf({ mode: "contract" }), tokens.sales))).toEqual([
    400,
    "合同价按客户的合同，这里不填",
  ]);
  expect(await termsOf(plan)).toMatchObject({
    byContract: true,
    terms: expect.arrayContaining([expect.objectContaining({ id: contract.terms[0], fenPerKg: 1420, freeHeads: 100 })]),
  });
  const first = await done(declare(plan, 60));
  // What waits is kept free for it.
  expect(await refused(declare(plan, 41))).toEqual([400, "合同还能申报 40 头"]);
  const second = await done(declare(plan, 30));
  await done(accept(first));
  const order = await orderOf(first);
  expect([order.price, order.term]).toEqual([1420, contract.terms[0]]);
  expect(await row(order.term, tokens.owner)).toMatchObject({
    termState: "open",
    usedHeads: 60,
    leftHeads: 40,
    waitingHeads: 30,
    averageFen: 1420,
  });
  const view = (await app.get<OrderView>(`${service}/order/view?id=${order.id}`, tokens.owner)).body.data;
  expect(view).toMatchObject({ pricePerKg: 1420, contractTerm: { id: order.term } });
  await contracts.step("end", contract.id, { reason: "双方商定" });
  expect(await refused(accept(second))).toEqual([400, "合同已经终止，不能再按它的价格申报"]);
  expect(await refused(declare(plan, 5))).toEqual([400, "合同已经终止，不能再按它的价格申报"]);
  expect((await orderOf(first)).price).toBe(1420);
  expect(await row(order.term, tokens.sales)).toMatchObject({ termState: "ended", usedHeads: 60 });
  expect(await query("select from sale_orders where declaration = $1", [second])).toEqual([]);
  // Agreements are exported, and never imported.
  const exported = (token: string) => trade.post("price-term/export", { ids: order.term }, token);
  expect([(await exported(tokens.sales)).status, (await exported(tokens.owner)).status]).toEqual([200, 200]);
  expect((await exported(tokens.stranger)).status).toBe(404);
  expect((await trade.post("price-term/import/begin", { attachId: "1" }, tokens.admin)).status).toBe(404);
  expect((await trade.post("price-term/submit", { id: order.term, version: 1 }, tokens.admin)).status).toBe(404);
  // Another customer neither sees the term nor buys by it.
  expect(await row(order.term, tokens.stranger)).toBeUndefined();
  expect(await refused(trade.post("declaration/submit", { plan, heads: 5 }, tokens.stranger))).toEqual([
    400,
    "您没有签过带价格条款的合同，不能按合同价申报",
  ]);
});

test("a cancelled order gives its heads back to the contract", async () => {
  const { done, refused, tokens } = trade;
  const contract = await contracts.signed([termOf()]);
  const plan = await published();
  const declaration = await done(declare(plan, 100));
  await done(accept(declaration));
  expect(await row(contract.terms[0] ?? "", tokens.sales)).toMatchObject({ termState: "used", leftHeads: 0 });
  expect(await refused(declare(plan, 5))).toEqual([400, "合同还能申报 0 头"]);
  const { id, version } = await orderOf(declaration);
  await done(trade.post("order/cancel", { id, version, reason: "不要了" }, tokens.owner));
  expect(await row(contract.terms[0] ?? "", tokens.sales)).toMatchObject({ termState: "open", leftHeads: 100 });
  await done(declare(plan, 100));
});

test("each reason against a contract's price is told", async () => {
  const { refused } = trade;
  await contracts.signed([termOf({ fromDay: dayIn(2), toDay: dayIn(4) })]);
  const told = async (more: object) => (await refused(declare(await published(more), 5)))[1];
  expect(await told({ day: dayIn(5) })).toBe(`您的合同价约定的装车日是 ${dayIn(2)} 到 ${dayIn(4)}`);
  expect(await told({ fromKg: 90, toKg: 110 })).toBe("您的合同价约定的均重是 100 到 130 kg");
  await trade.done(
    trade.post(
      "sales-model/submit",
      {
        modelName: "内三元合同",
        category: "inner",
        mode: "contract",
        participants: ["personal", "enterprise"],
        leastHeads: 5,
        mostHeads: 500,
        softCloseMinutes: 2,
        validFrom: dayIn(0),
      },
      trade.tokens.admin,
    ),
  );
  expect(await told({ category: "inner" })).toBe("您的合同没有约定这个类别的价格");
  await trade.query("update contracts set state = 'ended' where state = 'signed' and tenant_id = $1", [
    contracts.tenantId,
  ]);
  const other = { fieldCode: "T2", fieldName: "王庄商品场", fieldType: "commercial", principal: "周建平" };
  const field = await trade.done(
    trade.post("field/submit", { ...other, contactPhone: "13800000098", regionCode: "411325" }, trade.tokens.admin),
  );
  await contracts.signed([termOf({ field })]);
  expect(await told({})).toBe("您的合同价不含这个场区");
});

test("the board's price of the day with the term's difference, and none without a price", async () => {
  const { done, query, refused, tokens } = trade;
  const contract = await contracts.signed([termOf({ kind: "board", fen: -35 })]);
  const plan = await published();
  await query("delete from price_entries where region_code = '41' and breed = 'outer'");
  expect(await refused(declare(plan, 10))).toEqual([400, "平台还没有公布行情价，暂时不能按合同价申报"]);
  for (const [day, fen] of [
    [dayIn(-2), 1450],
    [dayIn(-1), 1465],
    [dayIn(1), 1999],
  ] as const) {
    await query(
      `insert into price_days (id, price_day, publish_at, published_at) values ($2, $1::date, $1::date, $1::date) on conflict do nothing`,
      [day, app.nextId()],
    );
    await query(
      `insert into price_entries (price_day, region_code, breed, fen, state) values ($1, '41', 'outer', $2, 'published')`,
      [day, fen],
    );
  }
  const declaration = await done(declare(plan, 10));
  const priced = await query<{ fen: number }>("select price_per_kg as fen from declarations where id = $1", [
    declaration,
  ]);
  expect(priced).toEqual([{ fen: 1430 }]);
  // Sales may change the heads within the contract, not its price.
  const offer = (heads: number, pricePerKg: number) =>
    trade.post("declaration/offer", { id: declaration, version: 1, heads, pricePerKg }, tokens.sales);
  expect(await refused(offer(10, 1431))).toEqual([400, "合同价是 14.30 元/kg，还价不能改"]);
  expect(await refused(offer(101, 1430))).toEqual([400, "合同还能申报 100 头"]);
  await done(offer(100, 1430));
  await done(trade.post("declaration/agree", { id: declaration, version: 2 }, tokens.owner));
  expect(await row(contract.terms[0] ?? "", tokens.sales)).toMatchObject({
    usedHeads: 100,
    averageFen: 1430,
    againstFen: -35,
  });
});

test("fifty declarations at once never exceed the volume, nor do fifty acceptances", async () => {
  const { query, tokens } = trade;
  const contract = await contracts.signed([termOf({ heads: 95 })]);
  const term = contract.terms[0] ?? "";
  const plan = await published();
  const answers = await Promise.all(Array.from({ length: 50 }, () => declare(plan, 10)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  expect(await row(term, tokens.owner)).toMatchObject({ waitingHeads: 90, leftHeads: 95 });
  // As if more had been declared than the volume: the order is where it counts.
  await query(
    `insert into declarations (id, tenant_id, number, plan, heads, price_per_kg, contract_term, expires_at, state, created_by)
     select n, tenant_id, number || '-' || n, plan, heads, price_per_kg, contract_term, expires_at, state, created_by
       from (select * from declarations where contract_term = $1 limit 1) d, generate_series(1, 41) n`,
    [term],
  );
  const all = await query<{ id: string }>("select id::text from declarations where contract_term = $1", [term]);
  expect(all).toHaveLength(50);
  const accepted = await Promise.all(all.map(({ id }) => accept(id)));
  expect(accepted.filter(({ status }) => status >= 500)).toEqual([]);
  const [sum] = await query<{ heads: number }>(
    "select sum(heads)::int as heads from sale_orders where contract_term = $1 and state <> 'cancelled'",
    [term],
  );
  expect(sum?.heads).toBe(90);
}, 120_000);
