import { type PlanBoard, planBoard } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { dayIn, tradeOf } from "../harness/trade.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
let region: string;
let otherField: string;
/** Days of the week after this one. */
const week = (() => {
  const weekday = new Date(`${dayIn(0)}T00:00:00Z`).getUTCDay() || 7;
  return Array.from({ length: 7 }, (_, at) => dayIn(8 - weekday + at));
})();
const [mon = "", tue = "", wed = "", thu = "", , , sun = ""] = week;

const asked = (query: string, token = trade.tokens.sales) => app.get<PlanBoard>(`${planBoard.path}?${query}`, token);
async function board(more = "", from = mon): Promise<PlanBoard> {
  const { status, body } = await asked(`from=${from}${more}`);
  expect(status).toBe(200);
  return body.data;
}

beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app, 2);
  const { done, post, tokens, field } = trade;
  region = await done(post("region/submit", { regionName: "豫西南区", provinces: ["41"] }, tokens.admin));
  const more = { fieldType: "commercial", principal: "李强", contactPhone: "13800000098", regionCode: "411325" };
  otherField = await done(
    post("field/submit", { fieldCode: "T2", fieldName: "东岗商品场", saleRegion: region, ...more }, tokens.admin),
  );
  await done(post("field/submit", { fieldCode: "T3", fieldName: "停用场", status: "0", ...more }, tokens.admin));
  await done(
    post(
      "loading-slot/submit",
      { slotName: "周日", fieldId: field, weekday: "7", kind: "closed", validFrom: "2026-01-01" },
      tokens.admin,
    ),
  );
  const band = { bandName: "外三元", category: "outer", fromGrams: 100_000, toGrams: 130_000, validFrom: "2026-01-01" };
  await done(post("weight-band/submit", { ...band, adjustmentFen: 0 }, tokens.admin));
});
afterAll(() => app.close());

test("a week without plans has its fields, slots and no figures", async () => {
  const { fields, totals, conflicts, fieldsLeft } = await board();
  // The one that loads comes first; one that is out of use is left out.
  expect(fields.map(({ name }) => name)).toEqual(["周家营商品场", "东岗商品场"]);
  expect(fields[0]?.days.map(({ day, capacity, slots }) => [day, capacity, slots.length])).toEqual(
    week.map((day) => [day, day === sun ? 0 : 4, day === sun ? 0 : 2]),
  );
  expect(fields[1]?.days.map(({ capacity }) => capacity)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  expect(totals).toMatchObject({ plans: 0, heads: 0, soldHeads: 0, vehicles: 0, capacity: 24 });
  expect([conflicts, fieldsLeft]).toEqual([[], 0]);
});

test("figures, plans and conflicts of a week", async () => {
  const { accepted, done, planOf, post, published, tokens, field } = trade;
  const sold = await published({ day: mon });
  await accepted(sold, 240);
  const part = await published({ day: tue, heads: 360 });
  await accepted(part, 100);
  const approved = await done(post("plan/submit", planOf({ day: wed, heads: 120 }), tokens.sales));
  await done(post("plan/approve", { id: approved, version: 1 }, tokens.admin));
  const over = await done(post("plan/submit", planOf({ day: wed, heads: 480 }), tokens.sales));
  const unpriced = await done(post("plan/submit", planOf({ day: thu, pricePerKg: null, heads: 1 }), tokens.sales));
  const closed = await done(
    post("plan/submit", planOf({ day: sun, fromKg: 90, mode: "bidding", pricePerKg: null }), tokens.sales),
  );
  const dropped = await done(post("plan/submit", planOf({ day: tue, heads: 5000 }), tokens.sales));
  await done(post("plan/drop", { id: dropped, version: 1 }, tokens.sales));
  const elsewhere = await done(post("plan/submit", planOf({ day: mon, field: otherField }), tokens.sales));

  const { totals, fields, conflicts, from, today } = await board();
  expect([from, today]).toEqual([mon, dayIn(0)]);
  expect(totals).toEqual({
    plans: 7,
    heads: 240 + 360 + 120 + 480 + 1 + 240 + 240,
    approvedHeads: 240 + 360 + 120,
    publishedHeads: 240 + 360,
    soldHeads: 340,
    vehicles: 2 + 3 + 5 + 1,
    capacity: 24,
    conflicts: { no_slot: 2, over_capacity: 1, no_band: 1, no_price: 1 },
  });
  const own = fields.find(({ id }) => id === field);
  expect(own?.days.map(({ vehicles, capacity }) => `${vehicles}/${capacity}`)).toEqual([
    "2/4",
    "3/4",
    "5/4",
    "1/4",
    "0/4",
    "0/4",
    "0/0",
  ]);
  expect(own?.days[1]?.plans).toEqual([
    expect.objectContaining({ id: part, heads: 360, taken: 100, state: "published", pricePerKg: 1475, version: 3 }),
  ]);
  expect(own?.days[3]?.plans[0]).not.toHaveProperty("pricePerKg");
  expect(
    conflicts.map(({ kind, severity, day, plans, vehicles, fix }) => [kind, severity, day, plans, vehicles, fix]),
  ).toEqual([
    ["no_slot", "critical", mon, [elsewhere], 0, { act: "open", plan: elsewhere }],
    ["no_slot", "critical", sun, [closed], 0, { act: "move", plan: closed, day: week[5] }],
    // Thursday has three vehicles left and Tuesday one, so that Friday is the nearest day for four.
    ["over_capacity", "major", wed, [over], 1, { act: "move", plan: over, day: week[4] }],
    ["no_band", "minor", sun, [closed], 0, { act: "bands", plan: closed }],
    ["no_price", "minor", thu, [unpriced], 0, { act: "price", plan: unpriced }],
  ]);

  // Of a plan that was closed early those heads count that were sold.
  await done(post("plan/close", { id: part, version: 3, reason: "天气" }, tokens.sales));
  const after = await board();
  expect(after.totals).toMatchObject({ plans: 7, publishedHeads: 240 + 100, soldHeads: 340, vehicles: 2 + 1 + 5 + 1 });
});

test("a region's fields, and a field out of use while it has plans", async () => {
  const { query } = trade;
  expect((await board(`&region=${region}`)).fields.map(({ id }) => id)).toEqual([otherField]);
  await query("update sale_fields set status = '0' where id = $1", [otherField]);
  expect((await board()).fields).toHaveLength(2);
  expect(
    (await board("", dayIn(7 * 20 + 1 - (new Date(`${dayIn(0)}T00:00:00Z`).getUTCDay() || 7)))).fields,
  ).toHaveLength(1);
});

test("only a week's Monday, and only the group's staff who may see plans", async () => {
  for (const from of [tue, "2026-02-30", "2026-13-01"])
    expect((await asked(`from=${from}`)).body.data).toMatchObject({ reason: "sale_plan.week" });
  expect((await asked("")).status).toBe(400);
  expect((await asked(`from=${mon}`, trade.tokens.owner)).status).toBe(403);
  await trade.query(`delete from role_menus where menu_id in (select id from menus where code = 'sale_plan_view')`);
  expect((await asked(`from=${mon}`, await app.logIn("kefu01"))).status).toBe(403);
});
