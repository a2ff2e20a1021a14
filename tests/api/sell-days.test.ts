import { type SellDaysDetail, sellDaysDetail } from "@herdwise/contract";
import { sellDayAfter, sellDays } from "@herdwise/contract/sell-days";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { dayIn, tradeOf } from "../harness/trade.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
/** A unit of the group's farm that is the field T1, and a customer's farm with a unit in the same province. */
let own: string;
let customers: { unit: string; farm: string };
const today = dayIn(0);

beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app);
  const at = async (path: string, body: object, token = trade.tokens.admin): Promise<string> => {
    const answer = await app.call({ method: "POST", path: `/api/muyuan-farm/${path}`, body, token });
    expect([answer.status, answer.body.msg], JSON.stringify(answer.body)).toEqual([200, "操作成功"]);
    return (answer.body.data as { id: string }).id;
  };
  const made = async (code: string, name: string, token = trade.tokens.admin) => {
    const farm = await at(
      "farm/submit",
      { code, name, type: "commercial", principal: "周建平", regionCode: "411325" },
      token,
    );
    const houseId = await at(
      "house/submit",
      { farmId: farm, code: "H3", name: "3 号舍", pigstyType: "fattening" },
      token,
    );
    const unit = await at(
      "unit/submit",
      { houseId, code: "U1", name: "1 单元", pigstyType: "fattening", capacity: 500, category: "fattener" },
      token,
    );
    return { farm, unit };
  };
  own = (await made("T1", "周家营商品场")).unit;
  // The customer's farm has the code of the group's field, and is not it.
  customers = await made("T1", "赵庄商品场", trade.tokens.owner);
  for (const [unit, token] of [
    [own, trade.tokens.admin],
    [customers.unit, trade.tokens.owner],
  ] as const)
    await at("inventory/submit", { unitId: unit, kind: "arrival", category: "fattener", heads: 300 }, token);
  await trade.query(
    `update units set average_weight_grams = 108000, batch_arrived_on = $2::date - 100, batch_arrival_age_days = 56
      where id = any($1::bigint[])`,
    [[own, customers.unit], today],
  );
  await trade.query("delete from price_entries");
  await trade.query(
    "insert into price_days (id, price_day, publish_at) select 7000 + n, $1::date - n, now() from generate_series(0, 400) n on conflict do nothing",
    [today],
  );
  // It rises by a fen a day, so that each of its moves over 14 days is 14 fen.
  await trade.query(
    `insert into price_entries (price_day, region_code, breed, fen, state)
     select $1::date - n, '41', 'outer', 1600 - n, 'published' from generate_series(1, 400) n`,
    [today],
  );
});
afterAll(() => app.close());

const asked = async (query: Record<string, string>, token: string) => {
  const { status, body } = await app.call({ path: sellDaysDetail.path, query, token });
  return { status, msg: body.msg, data: body.data as SellDaysDetail };
};
const refused = async (query: Record<string, string>, token = trade.tokens.owner): Promise<[number, string]> => {
  const { status, msg } = await asked(query, token);
  return [status, msg];
};

test("a unit's weight, growth, prices and spread are told", async () => {
  const { status, data } = await asked({ unitId: customers.unit }, trade.tokens.owner);
  expect(status).toBe(200);
  expect(data).toMatchObject({
    unit: { id: customers.unit, name: "1 单元", houseName: "3 号舍", farmName: "赵庄商品场", heads: 300 },
    today,
    ageDays: 156,
    weightGrams: 108_000,
    weightFrom: "archive",
    price: {
      regionCode: "41",
      breed: "outer",
      day: dayIn(-1),
      fen: 1599,
      changeFen: 14,
      spanDays: 14,
      bandFen: 14,
      pairs: 351,
    },
    // 108 kg: 2700 + 800 × 48 / 60.
    feed: { nowThousandths: 3340, heavyThousandths: 3500, fenPerKg: 320 },
  });
  // The curve gains 900 g a day at 156 days and weighs 103.4 kg.
  expect(data.gains).toHaveLength(28);
  expect(data.gains[0]).toBe(Math.round((900 * 108) / 103.4));
  expect(data).not.toHaveProperty("field");
  expect(data).not.toHaveProperty("withdrawal");
});

test("without a weight the usual one of the age is taken", async () => {
  await trade.query("update units set average_weight_grams = null where id = $1", [customers.unit]);
  const { data } = await asked({ unitId: customers.unit }, trade.tokens.owner);
  expect(data).toMatchObject({ weightGrams: 103_400, weightFrom: "age" });
  expect(data.gains[0]).toBe(900);
  await trade.query("update units set average_weight_grams = 108000 where id = $1", [customers.unit]);
});

test("slots that are left are those of the group's own field", async () => {
  const { done, planOf, post, tokens } = trade;
  await done(post("plan/submit", planOf({ day: dayIn(3), heads: 240 }), tokens.sales));
  const { data } = await asked({ unitId: own }, tokens.sales);
  expect(data.field?.id).toBe(trade.field);
  expect(data.field?.days).toHaveLength(29);
  // Two times of 40 vehicles; 240 heads need two of 120.
  expect(data.field?.days[3]).toEqual({ day: dayIn(3), capacity: 80, taken: 2 });
  expect(data.field?.days[4]).toEqual({ day: dayIn(4), capacity: 80, taken: 0 });
});

test("bands are told from the day on which they hold", async () => {
  const { done, post, tokens } = trade;
  const band = (bandName: string, from: number, to: number, adjustmentFen: number, day: string) =>
    done(
      post(
        "weight-band/submit",
        { bandName, category: "outer", fromGrams: from * 1000, toGrams: to * 1000, adjustmentFen, validFrom: day },
        tokens.admin,
      ),
    );
  await trade.query("delete from weight_bands");
  await band("标准", 90, 120, 0, today);
  await band("标准二", 90, 130, -10, dayIn(5));
  const { data } = await asked({ unitId: customers.unit }, tokens.owner);
  expect(data.bands).toEqual([
    { from: today, bands: [{ fromGrams: 90_000, toGrams: 120_000, adjustmentFen: 0 }] },
    { from: dayIn(5), bands: [{ fromGrams: 90_000, toGrams: 130_000, adjustmentFen: -10 }] },
  ]);
});

test("a withdrawal period blocks its days, as for a sale plan", async () => {
  const [medicine] = await trade.query<{ id: string }>(
    "insert into medicines (id, tenant_id, name, type, withdrawal_days) select 901, tenant_id, '氟苯尼考', 'medicine', 14 from units where id = $1 returning id::text",
    [customers.unit],
  );
  await trade.query(
    `insert into treatments (id, tenant_id, unit_id, code, finding, type, on_day, medicine_id)
     select 902, tenant_id, id, 'ZL9', '咳嗽用药', 'treatment', $2::date - 4, $3 from units where id = $1`,
    [customers.unit, today, medicine?.id],
  );
  const { data } = await asked({ unitId: customers.unit }, trade.tokens.owner);
  expect(data.withdrawal).toEqual({ medicine: "氟苯尼考", given: dayIn(-4), until: dayIn(10) });
  const outlook = sellDays({ ...data, withdrawalUntil: data.withdrawal?.until });
  expect((outlook.best?.day ?? "") > dayIn(10)).toBe(true);
  // On the day after its end nothing is told of it.
  await trade.query("update treatments set on_day = on_day - 11 where code = 'ZL9'");
  expect((await asked({ unitId: customers.unit }, trade.tokens.owner)).data).not.toHaveProperty("withdrawal");
  await trade.query("delete from treatments where code = 'ZL9'");
});

test("units of others are not found, and a role without the right is refused", async () => {
  const { tokens } = trade;
  expect(await refused({ unitId: customers.unit }, tokens.stranger)).toEqual([404, "没有这个单元"]);
  expect(await refused({ unitId: own })).toEqual([404, "没有这个单元"]);
  expect((await asked({ unitId: customers.unit }, tokens.sales)).status).toBe(200);
  expect((await asked({ unitId: customers.unit }, tokens.finance)).status).toBe(403);
});

test("each thing that is missing is said", async () => {
  const set = (columns: string) => trade.query(`update units set ${columns} where id = $1`, [customers.unit]);
  const unitId = customers.unit;
  await set("average_weight_grams = null, batch_arrival_age_days = null");
  expect(await refused({ unitId })).toEqual([
    400,
    "3 号舍 1 单元 没有平均体重，也没有进舍日期和日龄，请在单元档案里填一样",
  ]);
  await set("average_weight_grams = 108000, pigsty_type = 'pregnancy'");
  expect(await refused({ unitId })).toEqual([400, "3 号舍 1 单元 是种猪舍，只有保育、育肥和一体化单元能算哪天卖"]);
  await set("pigsty_type = 'fattening'");
  expect(await refused({ unitId, breed: "local" })).toEqual([
    400,
    "这个省最近 14 天没有发布这个品种的猪价，请换一个品种，或等价格发布",
  ]);
  await trade.query("update farms set region_code = '' where id = $1", [customers.farm]);
  expect((await refused({ unitId }))[1]).toBe("赵庄商品场 没有填所在地区，不知道看哪个省的猪价，请在场区档案里填上");
  await trade.query("update farms set region_code = '411325' where id = $1", [customers.farm]);
  await trade.query(
    "insert into inventory_movements (id, tenant_id, unit_id, kind, category, heads, reason, happened_at) select 903, tenant_id, id, 'sale', 'fattener', -300, '', now() from units where id = $1",
    [unitId],
  );
  expect(await refused({ unitId })).toEqual([400, "3 号舍 1 单元 没有存栏，请选有猪的单元，或先记转入"]);
});

test("a spread of fewer than 60 moves is not told", async () => {
  await trade.query("delete from price_entries where price_day < $1", [sellDayAfter(today, -73)]);
  expect((await asked({ unitId: own }, trade.tokens.sales)).data.price).toMatchObject({ pairs: 59 });
  expect((await asked({ unitId: own }, trade.tokens.sales)).data.price).not.toHaveProperty("bandFen");
});
