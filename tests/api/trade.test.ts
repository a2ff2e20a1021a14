import type { ProcessSteps } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { dayIn, service, tradeOf, washOf } from "../harness/trade.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app);
});
afterAll(() => app.close());

test("from the plan to the completed order, to the fen", async () => {
  const { accepted, cleared, done, paid, paymentOf, post, published, query, stateOf, tokens, weighed } = trade;
  const plan = await published();
  const { order } = await accepted(plan, 240);
  // 240 heads of 115 kg at 14.75 yuan.
  expect(await paymentOf(order, "prepayment")).toMatchObject({ amount: 40_710_000, state: "awaited" });
  await paid(order, "prepayment");
  expect(await stateOf("sale_orders", order)).toBe("confirmed");
  await cleared(order, "豫R3K627", 120);
  await cleared(order, "豫R7D190", 120);
  await done(post("order/load", { id: order, version: 2 }, tokens.sales));
  await weighed(order, "豫R3K627", 120, 27_340_000, 13_468_000);
  await weighed(order, "豫R7D190", 120, 28_187_500, 13_680_000);
  await done(post("order/weigh", { id: order, version: 3 }, tokens.sales));
  const settlement = await done(
    post("settlement/submit", { order, deductionFen: 10_000, deductionReason: "途中死亡" }, tokens.sales),
  );
  // 13,872.0 and 14,507.5 kg at 14.75: 204,612.00 and 213,985.625, which rounds to the even fen.
  expect(
    (
      await query(
        "select heads, net_grams::int, goods_fen::int, total_fen::int, left_fen::int from settlements where id = $1",
        [settlement],
      )
    )[0],
  ).toEqual({ heads: 240, net_grams: 28_379_500, goods_fen: 41_859_762, total_fen: 41_849_762, left_fen: 1_139_762 });
  await done(post("settlement/confirm", { id: settlement, version: 1 }, tokens.admin));
  expect(await stateOf("sale_orders", order)).toBe("settled");
  const early = await app.get<ProcessSteps>(`${service}/order/steps?id=${order}`, tokens.owner);
  expect(early.body.data.held).toMatchObject([{ event: "complete", text: "还有款项没有收付" }]);
  const open = async () =>
    (
      await app.get<{ records: { id: string; openFen: number }[] }>(`${service}/settlement/page?size=100`, tokens.owner)
    ).body.data.records.find(({ id }) => id === settlement)?.openFen;
  expect(await open()).toBe(1_139_762);
  await paid(order, "balance");
  expect(await open()).toBe(0);
  await done(post("order/complete", { id: order, version: 5 }, tokens.owner));
  const steps = (await app.get<ProcessSteps>(`${service}/order/steps?id=${order}`, tokens.admin)).body.data;
  expect(steps.lines.map(({ thing, text }) => (thing ? `${thing} ${text}` : text)).toReversed()).toEqual([
    "销售计划 已建立",
    "销售计划 已批准",
    "销售计划 已发布",
    "购猪申报 已提交",
    "生成订单",
    "购猪申报 已受理",
    "预付款到账，订单确认",
    ...["已登记车辆", "已登记洗消证", "已登记检疫证", "已放行"].map((text) => `转运单 ${text}`),
    ...["已登记车辆", "已登记洗消证", "已登记检疫证", "已放行"].map((text) => `转运单 ${text}`),
    "装车开始",
    "过磅完成",
    "结算确认",
    "订单完成",
  ]);
  // The customer sees the own rows of it alone.
  const own = (await app.get<ProcessSteps>(`${service}/order/steps?id=${order}`, tokens.owner)).body.data;
  expect(own.lines.some(({ thing }) => thing === "销售计划")).toBe(false);
  expect(own.lines.some(({ thing }) => thing === "购猪申报")).toBe(true);
});

test("a plan needs a second person, a price, and a day that is not over", async () => {
  const { done, planOf, post, refused, tokens } = trade;
  expect(await refused(post("plan/submit", planOf({ day: dayIn(-1) }), tokens.sales))).toEqual([400, "装车日已经过了"]);
  expect(await refused(post("plan/submit", planOf({ toKg: 110 }), tokens.sales))).toEqual([400, "均重上限要大于下限"]);
  const id = await done(post("plan/submit", planOf({ pricePerKg: null }), tokens.sales));
  expect(await refused(post("plan/approve", { id, version: 1 }, tokens.sales))).toEqual([
    400,
    "自己写的计划要别人批准",
  ]);
  await done(post("plan/approve", { id, version: 1 }, tokens.admin));
  expect(await refused(post("plan/publish", { id, version: 2 }, tokens.sales))).toEqual([400, "定价的计划要先填价格"]);
  // Whoever changed it last may not approve it either.
  await done(post("plan/send-back", { id, version: 2, reason: "补价格" }, tokens.admin));
  await done(post("plan/revise", { id, version: 3, ...planOf() }, tokens.admin));
  expect(await refused(post("plan/approve", { id, version: 4 }, tokens.admin))).toEqual([
    400,
    "自己写的计划要别人批准",
  ]);
});

test("customers see published plans with heads left, and declare no more than there are", async () => {
  const { done, planOf, post, published, query, refused, tokens } = trade;
  const plan = await published({ heads: 100 });
  const offered = async () =>
    (
      await app.get<{ records: { id: string; headsLeft: number }[] }>(
        `${service}/plan/offer/page?size=100`,
        tokens.owner,
      )
    ).body.data.records.find(({ id }) => id === plan)?.headsLeft;
  expect(await offered()).toBe(100);
  expect(await refused(post("declaration/submit", { plan, heads: 101 }, tokens.owner))).toEqual([
    400,
    "计划只剩 100 头",
  ]);
  // Two wishes for all heads: only one can be accepted, also when two people do so at once.
  const both = [
    await done(post("declaration/submit", { plan, heads: 100 }, tokens.owner)),
    await done(post("declaration/submit", { plan, heads: 100 }, tokens.owner)),
  ];
  const answers = await Promise.all(
    both.map((id, at) => post("declaration/accept", { id, version: 1 }, at === 0 ? tokens.sales : tokens.admin)),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  expect(await offered()).toBeUndefined();
  const [row] = await query<{ taken: number; orders: number }>(
    "select taken, (select count(*)::int from sale_orders o where o.plan = p.id) as orders from sale_plans p where id = $1",
    [plan],
  );
  expect(row).toEqual({ taken: 100, orders: 1 });
  // Others' plans, drafts and bidding are no offers.
  const draft = await done(post("plan/submit", planOf(), tokens.sales));
  expect((await post("declaration/submit", { plan: draft, heads: 1 }, tokens.owner)).status).toBe(400);
  expect(await refused(post("declaration/submit", { plan, heads: 1 }, tokens.sales))).toEqual([
    400,
    "这一类单据由另一方发起",
  ]);
});

test("a form that is sent twice begins one row", async () => {
  const { published, query, tokens } = trade;
  const plan = await published();
  const send = () =>
    app.call({
      method: "POST",
      path: `${service}/declaration/submit`,
      body: { plan, heads: 5 },
      token: tokens.owner,
      headers: { "Idempotency-Key": `twice-${plan}` },
    });
  const ids = (await Promise.all([send(), send(), send()])).map(
    ({ body }) => (body as { data: { id: string } }).data.id,
  );
  expect(new Set(ids).size).toBe(1);
  expect(await query("select from declarations where plan = $1", [plan])).toHaveLength(1);
});

test("without authentication or a contract nobody orders", async () => {
  const { post, published, query, refused, tokens } = trade;
  const plan = await published({ mode: "contract", pricePerKg: null });
  expect(await refused(post("declaration/submit", { plan, heads: 5 }, tokens.owner))).toEqual([
    400,
    "您没有签过带价格条款的合同，不能按合同价申报",
  ]);
  const open = await published();
  await query("update real_name_applications set state = 'suspended' where tenant_id = '100001' and state = 'passed'");
  expect(await refused(post("declaration/submit", { plan: open, heads: 5 }, tokens.stranger))).toEqual([
    400,
    "先完成实名认证，才能申报购猪",
  ]);
});

test("a cancelled order gives its heads back, and what was paid is paid back", async () => {
  const { accepted, done, paid, paymentOf, post, published, query, tokens } = trade;
  const plan = await published({ heads: 50 });
  const first = await accepted(plan, 50);
  await done(post("order/cancel", { id: first.order, version: 1, reason: "不要了" }, tokens.owner));
  expect(await query("select from payments where \"order\" = $1 and state = 'void'", [first.order])).toHaveLength(1);
  const second = await accepted(plan, 50);
  await paid(second.order, "prepayment");
  await done(post("order/call-off", { id: second.order, version: 2, reason: "疫情封控" }, tokens.sales));
  expect(await paymentOf(second.order, "refund")).toMatchObject({ amount: 50 * 115 * 1475, state: "awaited" });
  expect((await query<{ taken: number }>("select taken from sale_plans where id = $1", [plan]))[0]?.taken).toBe(0);
});

test("one transfer pays once, exactly what is due, and not by the word of one person", async () => {
  const { accepted, done, paymentOf, post, published, refused, tokens } = trade;
  const plan = await published();
  const one = await accepted(plan, 10);
  const two = await accepted(plan, 10);
  const [first, second] = [await paymentOf(one.order, "prepayment"), await paymentOf(two.order, "prepayment")];
  const record = (id: string, amountFen: number, reference: string) =>
    post("payment/record", { id, version: 1, amountFen, bankReference: reference, receivedOn: dayIn(0) }, tokens.sales);
  expect(await refused(record(first.id, first.amount - 1, "X1"))).toEqual([
    400,
    "应收付 16,962.50 元，少了 0.01 元：请客户补足差额，或者退回这笔转账",
  ]);
  await done(record(first.id, first.amount, "X1"));
  expect(await refused(record(second.id, second.amount, "X1"))).toEqual([400, "有 1 处需要改正"]);
  expect(await refused(post("payment/confirm", { id: first.id, version: 2 }, tokens.sales))).toEqual([
    400,
    "自己登记的要别人复核",
  ]);
  // An order whose money is being confirmed is not cancelled by the clock or by the customer.
  expect(await refused(post("order/cancel", { id: one.order, version: 1, reason: "不要了" }, tokens.owner))).toEqual([
    400,
    "有一笔到账在复核，请先复核",
  ]);
});

test("a confirmed settlement is never changed in place", async () => {
  const { query } = trade;
  const [row] = await query<{ id: string }>("select id::text from settlements where state = 'confirmed' limit 1");
  await expect(query("update settlements set total_fen = total_fen + 1 where id = $1", [row?.id])).rejects.toThrow(
    "is final",
  );
  await expect(query("update settlements set state = 'void' where id = $1", [row?.id])).rejects.toThrow("is final");
  await expect(query("delete from settlements where id = $1", [row?.id])).rejects.toThrow("is final");
});

test("nobody sees rows of another customer, and without the right nobody acts", async () => {
  const { post, query, tokens } = trade;
  const [order] = await query<{ id: string }>("select id::text from sale_orders where tenant_id = '100002' limit 1");
  for (const path of ["order", "payment", "declaration", "weighing", "settlement"]) {
    const { body } = await app.get<{ records: { tenantId: string }[] }>(
      `${service}/${path}/page?size=100`,
      tokens.stranger,
    );
    expect([path, body.data.records]).toEqual([path, []]);
  }
  expect((await app.get(`${service}/order/steps?id=${order?.id}`, tokens.stranger)).status).toBe(404);
  expect((await post("order/cancel", { id: order?.id, version: 1, reason: "不要" }, tokens.finance)).status).toBe(403);
  expect((await app.get(`${service}/plan/page`, tokens.owner)).status).toBe(403);
});

test("a day holds as many vehicles as its slots, also when two plans are approved at once", async () => {
  const { done, planOf, post, refused, tokens } = trade;
  // 80 vehicles of 120 heads find room.
  const day = dayIn(5);
  const first = await done(post("plan/submit", planOf({ day, heads: 60 * 120 }), tokens.sales));
  const second = await done(post("plan/submit", planOf({ day, heads: 21 * 120 }), tokens.sales));
  const answers = await Promise.all(
    [first, second].map((id) => post("plan/approve", { id, version: 1 }, tokens.admin)),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  expect(answers.find(({ status }) => status === 400)?.msg).toBe("这一天的装车位不够，超 1 车");
  // What was sold of a plan that was closed early is loaded all the same, as the board counts it.
  const full = dayIn(10);
  const sold = await trade.published({ day: full, heads: 500 });
  await trade.accepted(sold, 490);
  await done(post("plan/close", { id: sold, version: 3, reason: "够了" }, tokens.sales));
  const late = await done(post("plan/submit", planOf({ day: full, heads: 76 * 120 }), tokens.sales));
  expect(await refused(post("plan/approve", { id: late, version: 1 }, tokens.admin))).toEqual([
    400,
    "这一天的装车位不够，超 1 车",
  ]);
  await done(
    post(
      "loading-slot/submit",
      { slotName: "停装", fieldId: trade.field, weekday: "date", onDay: dayIn(6), kind: "closed", validFrom: dayIn(0) },
      tokens.admin,
    ),
  );
  const closed = await done(post("plan/submit", planOf({ day: dayIn(6) }), tokens.sales));
  expect(await refused(post("plan/approve", { id: closed, version: 1 }, tokens.admin))).toEqual([
    400,
    "这一天不装车，请换一天或先设装车时段",
  ]);
});

test("the model says how many heads, and who may take part", async () => {
  const { done, planOf, post, published, query, refused, tokens } = trade;
  const plan = await published();
  const declare = (heads: number) => refused(post("declaration/submit", { plan, heads }, tokens.owner));
  expect(await declare(4)).toEqual([400, "头数要在 5 到 500 之间"]);
  await query("update sales_models set participants = '{personal}' where mode = 'fixed'");
  expect(await declare(10)).toEqual([400, "这个计划不对您这类客户开放"]);
  await query("update sales_models set participants = '{personal,enterprise}' where mode = 'fixed'");
  // The rest of a plan may be less than the least number.
  const rest = await published({ heads: 3 });
  await done(post("declaration/submit", { plan: rest, heads: 3 }, tokens.owner));
  const sow = await done(post("plan/submit", planOf({ category: "sow", day: dayIn(7) }), tokens.sales));
  await done(post("plan/approve", { id: sow, version: 1 }, tokens.admin));
  expect(await refused(post("plan/publish", { id: sow, version: 2 }, tokens.sales))).toEqual([
    400,
    "这一类在这个大区还没有这种销售模式",
  ]);
});

test("a vehicle without a valid washing certificate is not loaded, cleared or weighed", async () => {
  const { accepted, done, paid, post, published, query, refused, tokens, vehicle } = trade;
  const { order } = await accepted(await published({ day: dayIn(13) }), 60);
  await paid(order, "prepayment");
  const load = () => post("order/load", { id: order, version: 2 }, tokens.sales);
  expect(await refused(load())).toEqual([400, "还没有登记运输车辆，不能装车"]);
  const [good, late] = [await trade.cleared(order, "豫R3K627", 30), await vehicle(order, "豫R7D190", 30)];
  const missing = "豫R7D190 没有洗消证，不能装车";
  expect(await refused(load())).toEqual([400, missing]);
  expect(await refused(post("transit/clear", { id: late, version: 1 }, tokens.sales))).toEqual([400, missing]);
  await done(post("transit/disinfect", { id: late, version: 1, ...washOf() }, tokens.owner));
  expect(await refused(post("transit/clear", { id: late, version: 2 }, tokens.sales))).toEqual([
    400,
    "豫R7D190 没有检疫证",
  ]);
  const expire = (id: string) =>
    query("update transits set disinfection_until = now() - interval '1 second' where id = $1", [id]);
  await expire(late);
  expect((await refused(load()))[1]).toMatch(/^豫R7D190 的洗消证 XD-260323-118 在 .* 失效了/);
  await post("transit/cancel", { id: late, version: 2, reason: "来不及重洗" }, tokens.owner);
  await done(load());
  await expire(good);
  const weigh = (plate: string) =>
    post("weighing/submit", { order, plate, heads: 30, grossGrams: 17_000_000, tareGrams: 13_500_000 }, tokens.sales);
  expect((await refused(weigh("豫R3K627")))[1]).toMatch(/^豫R3K627 的洗消证/);
  expect((await refused(weigh("豫R7D190")))[1]).toBe("订单的转运信息里没有 豫R7D190");
  await done(post("transit/disinfect", { id: good, version: 4, ...washOf() }, tokens.sales));
  await done(weigh("豫R3K627"));
});

test("the vehicles of an order are its customer's and hold no more heads than it", async () => {
  const { accepted, post, published, query, refused, tokens } = trade;
  const { order } = await accepted(await published({ day: dayIn(14) }), 60);
  const said = { order, plate: "豫P8F233", heads: 30, driverName: "马军", driverPhone: "13900000267" };
  expect((await post("transit/submit", said, tokens.stranger)).status).toBe(400);
  await Promise.all(
    Array.from({ length: 10 }, (_, of) => post("transit/submit", { ...said, plate: `豫P8F23${of}` }, tokens.owner)),
  );
  expect(await query(`select sum(heads)::int as heads from transits where "order" = $1`, [order])).toEqual([
    { heads: 60 },
  ]);
  expect(await refused(post("transit/submit", { ...said, plate: "豫A00001" }, tokens.sales))).toEqual([
    400,
    "各车头数合计超过了订单，还能装 0 头",
  ]);
  const [id] = await query<{ id: string }>(`select id::text from transits where "order" = $1 limit 1`, [order]);
  expect((await app.get(`${service}/transit/detail?id=${id?.id}`, tokens.stranger)).status).toBe(404);
  // Neither the history nor the audit trail repeats the driver's phone.
  const { rows } = await app.test.database.pool.query(
    "select words::text as said from process_entries where process = 'transit' union all select changes::text from audit_entries",
  );
  expect(JSON.stringify(rows)).not.toContain("13900000267");
});

test("a vehicle's price follows the band of its mean weight", async () => {
  const { accepted, cleared, done, paid, post, published, query, tokens, weighed } = trade;
  const bands = [
    [100, 120, 0],
    [120, 130, -10],
  ] as const;
  for (const [from, to, adjustmentFen] of bands)
    await done(
      post(
        "weight-band/submit",
        {
          bandName: `外三元 ${from}`,
          category: "outer",
          fromGrams: from * 1000,
          toGrams: to * 1000,
          adjustmentFen,
          validFrom: dayIn(0),
        },
        tokens.admin,
      ),
    );
  const plan = await published({ day: dayIn(8) });
  const { order } = await accepted(plan, 240);
  await paid(order, "prepayment");
  await cleared(order, "豫R3K627", 120);
  await cleared(order, "豫R7D190", 120);
  await done(post("order/load", { id: order, version: 2 }, tokens.sales));
  await weighed(order, "豫R3K627", 120, 27_340_000, 13_468_000);
  await weighed(order, "豫R7D190", 120, 28_187_500, 13_680_000);
  await done(post("order/weigh", { id: order, version: 3 }, tokens.sales));
  const settlement = await done(post("settlement/submit", { order }, tokens.sales));
  // 13,872.0 kg at 14.75 and 14,507.5 kg at 14.65.
  expect((await query("select goods_fen::float8 as fen from settlements where id = $1", [settlement]))[0]).toEqual({
    fen: 20_461_200 + 21_253_488,
  });
  // A wrong weighing is replaced: the order goes back to the scale, and what was settled is computed anew.
  expect((await post("order/reweigh", { id: order, version: 4, reason: "皮重错" }, tokens.sales)).msg).toBe(
    "结算单在复核，先作废结算单",
  );
  await done(post("settlement/discard", { id: settlement, version: 1, reason: "皮重错" }, tokens.admin));
  await done(post("order/reweigh", { id: order, version: 4, reason: "皮重错" }, tokens.sales));
});

test("of 50 people who confirm one payment at once one does, and the order is confirmed once", async () => {
  const { accepted, done, paymentOf, post, published, query, tokens } = trade;
  const { order } = await accepted(await published({ day: dayIn(12) }), 10);
  const { id, amount } = await paymentOf(order, "prepayment");
  const said = { amountFen: amount, bankReference: "P50", receivedOn: dayIn(0) };
  await done(post("payment/record", { id, version: 1, ...said }, tokens.sales));
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => post("payment/confirm", { id, version: 2 }, tokens.admin)),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(49).fill(409)]);
  expect(
    await query("select event from process_entries where row_id = any($1) and event = 'confirm'", [[id, order]]),
  ).toHaveLength(2);
});

test("forms offer the orders that a vehicle, a weighing or a settlement is for", async () => {
  const { accepted, published, tokens } = trade;
  const { order } = await accepted(await published({}), 60);
  const [row] = await trade.query<{ number: string }>("select number from sale_orders where id = $1", [order]);
  const select = async (token: string, query: string) =>
    (await app.get<{ id: string; title: string }[]>(`${service}/order/select?${query}`, token)).body.data;
  expect(await select(tokens.sales, `keyword=${row?.number}`)).toEqual([
    expect.objectContaining({ id: order, title: row?.number }),
  ]);
  expect((await select(tokens.sales, "")).map(({ id }) => id)).toContain(order);
  expect((await select(tokens.owner, `ids=${order}`)).map(({ id }) => id)).toEqual([order]);
  // Another customer's order is not offered.
  expect(await select(tokens.stranger, `ids=${order}`)).toEqual([]);
  expect(await select(tokens.stranger, `keyword=${row?.number}`)).toEqual([]);
});

test("a farm of the group sells heads that are there, and none within a withdrawal period", async () => {
  const { done, planOf, post, query, refused, tokens } = trade;
  const at = (service: string, path: string, body: object) =>
    app.call({ method: "POST", path: `/api/muyuan-${service}/${path}`, body, token: tokens.admin });
  const idOf = async (answer: ReturnType<typeof at>): Promise<string> => {
    const { status, body } = await answer;
    expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining("操作成功")]);
    return (body.data as { id: string }).id;
  };
  // The field with the code T1 is the farm with that code.
  const farm = { code: "T1", name: "周家营商品场", type: "commercial", principal: "周建平", regionCode: "411325" };
  const farmId = await idOf(at("farm", "farm/submit", farm));
  const houseId = await idOf(
    at("farm", "house/submit", { farmId, code: "H3", name: "3 号舍", pigstyType: "fattening" }),
  );
  const unit = await idOf(
    at("farm", "unit/submit", {
      houseId,
      code: "U1",
      name: "1 单元",
      pigstyType: "fattening",
      capacity: 500,
      category: "fattener",
    }),
  );
  const arrival = { unitId: unit, kind: "arrival", category: "fattener", heads: 300 };
  expect((await at("farm", "inventory/submit", arrival)).status).toBe(200);
  const day = dayIn(9);
  const plan = async (more: object) => await done(post("plan/submit", planOf({ day, ...more }), tokens.sales));
  const approve = (id: string) => refused(post("plan/approve", { id, version: 1 }, tokens.admin));
  expect(await approve(await plan({}))).toEqual([400, "这个场区在平台有存栏，请写明卖哪个单元的猪"]);
  const first = await plan({ unit, heads: 200 });
  await done(post("plan/approve", { id: first, version: 1 }, tokens.admin));
  expect(await approve(await plan({ unit, heads: 101 }))).toEqual([400, "1 单元 没有被计划占用的只剩 100 头"]);

  // A treatment that is written down later holds up what was approved.
  const medicineId = await idOf(
    at("iot", "medicine/submit", { name: "氟苯尼考", kind: "medicine", withdrawalDays: 14 }),
  );
  const treated = { finding: "咳嗽用药", type: "treatment", unitId: unit, onDay: dayIn(-4), medicineId, code: "ZL1" };
  await idOf(at("iot", "treatment/submit", treated));
  const why = `1 单元 在 ${dayIn(-4)} 用了氟苯尼考，休药期到 ${dayIn(10)}，装车日还没有过`;
  expect(await refused(post("plan/publish", { id: first, version: 2 }, tokens.sales))).toEqual([400, why]);
  await query("update treatments set on_day = on_day - 2 where code = 'ZL1'");
  await done(post("plan/publish", { id: first, version: 2 }, tokens.sales));
  const { order } = await trade.accepted(first, 200);
  await trade.paid(order, "prepayment");
  await trade.cleared(order, "豫R3K627", 120);
  await query("update treatments set on_day = on_day + 2 where code = 'ZL1'");
  expect(await refused(post("order/load", { id: order, version: 2 }, tokens.sales))).toEqual([400, why]);
  const held = async () =>
    (await app.get<ProcessSteps>(`${service}/order/steps?id=${order}`, tokens.sales)).body.data.held;
  expect(await held()).toMatchObject([{ event: "load", values: { unit: "1 单元", until: dayIn(10) } }]);
  // Given on several days in a row, the period begins with the last of them.
  await query("update treatments set on_day = on_day - 4, days = 5 where code = 'ZL1'");
  expect(await held()).toMatchObject([{ event: "load", values: { unit: "1 单元", until: dayIn(10) } }]);
  await query("update treatments set days = 3 where code = 'ZL1'");
  expect(await held()).toEqual([]);
});
