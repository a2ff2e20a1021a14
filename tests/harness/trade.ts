import { expect } from "vitest";
import type { TestApp } from "./app.ts";

/** Base of the calls of trade. */
export const service = "/api/muyuan-trade";

/** A day from today in Asia/Shanghai. */
export const dayIn = (days: number): string =>
  new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10);

/** A washing and disinfection certificate. @param validForMs from now, negative for one that is over */
export const washOf = (validForMs = 86_400_000) => ({
  disinfectionNumber: "XD-260323-118",
  washedAt: clockAt(-3 * 3_600_000),
  validUntil: clockAt(validForMs),
  dried: true,
});
/** A moment from now in Asia/Shanghai. */
const clockAt = (ms: number): string =>
  new Date(Date.now() + 8 * 3_600_000 + ms).toISOString().slice(0, 16).replace("T", " ");

/**
 * Calls of trade as two sales people of the group and a customer make them.
 * @param mostVehicles of each of the two times at which the field loads every day
 */
export async function tradeOf(app: TestApp, mostVehicles = 40) {
  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await app.test.database.pool.query(text, values)).rows as Row[];
  await query(
    `insert into membership_roles (membership_id, role_id)
     select m.id, r.id from memberships m join accounts a on a.id = m.account_id join roles r on r.tenant_id = m.tenant_id
      where a.account = 'kefu01' and m.tenant_id = '000000' and r.role_alias = 'sales' on conflict do nothing`,
  );
  const tokens = {
    admin: await app.logIn("admin"),
    sales: await app.logIn("kefu01"),
    owner: await app.logIn("farm"),
    finance: await app.logIn("chenxiao"),
    stranger: await app.logIn("sunli"),
  };
  const post = async (path: string, body: object, token: string) => {
    const answer = await app.call({ method: "POST", path: `${service}/${path}`, body, token });
    const { data, msg } = answer.body as { data?: { id: string; problems?: { field: string }[] }; msg: string };
    return { status: answer.status, data, msg };
  };
  /** The id that a call answers, which must succeed. */
  const done = async (answer: ReturnType<typeof post>): Promise<string> => {
    const { status, data, msg } = await answer;
    expect([status, msg, data?.problems]).toEqual([200, "操作成功", undefined]);
    return data?.id ?? "";
  };
  const field = await done(
    post(
      "field/submit",
      {
        fieldCode: "T1",
        fieldName: "周家营商品场",
        fieldType: "commercial",
        principal: "周建平",
        contactPhone: "13800000099",
        regionCode: "411325",
      },
      tokens.admin,
    ),
  );
  await done(
    post(
      "loading-slot/submit",
      {
        slotName: "每天",
        fieldId: field,
        weekday: "daily",
        kind: "open",
        times: "08:00-10:00,10:00-12:00",
        mostVehicles,
        headsPerVehicle: 120,
        validFrom: dayIn(0),
      },
      tokens.admin,
    ),
  );
  for (const mode of ["fixed", "contract"])
    await done(
      post(
        "sales-model/submit",
        {
          modelName: `外三元 ${mode}`,
          category: "outer",
          mode,
          participants: ["personal", "enterprise"],
          leastHeads: 5,
          mostHeads: 500,
          softCloseMinutes: 2,
          validFrom: dayIn(0),
        },
        tokens.admin,
      ),
    );
  const planOf = (more: object = {}) => ({
    field,
    day: dayIn(3),
    category: "outer",
    fromKg: 110,
    toKg: 120,
    heads: 240,
    mode: "fixed",
    pricePerKg: 1475,
    ...more,
  });
  let bankReference = 0;
  const calls = {
    query,
    tokens,
    post,
    done,
    planOf,
    field,

    /** What a call is refused with. */
    async refused(answer: ReturnType<typeof post>): Promise<[status: number, text: string]> {
      const { status, msg } = await answer;
      return [status, msg];
    },

    /** A published plan. */
    async published(more: object = {}): Promise<string> {
      const id = await done(post("plan/submit", planOf(more), tokens.sales));
      await done(post("plan/approve", { id, version: 1 }, tokens.admin));
      await done(post("plan/publish", { id, version: 2 }, tokens.sales));
      return id;
    },

    /** An accepted declaration, and its order. */
    async accepted(plan: string, heads: number): Promise<{ declaration: string; order: string }> {
      const declaration = await done(post("declaration/submit", { plan, heads, plate: "豫R3K627" }, tokens.owner));
      await done(post("declaration/accept", { id: declaration, version: 1 }, tokens.sales));
      const [order] = await query<{ id: string }>("select id::text from sale_orders where declaration = $1", [
        declaration,
      ]);
      return { declaration, order: order?.id ?? "" };
    },

    async paymentOf(order: string, kind: string) {
      const [payment] = await query<{ id: string; amount: number; state: string }>(
        `select id::text, amount_fen::float8 as amount, state from payments where "order" = $1 and kind = $2 and state <> 'void'`,
        [order, kind],
      );
      if (payment === undefined) throw new Error(`the order has no ${kind}`);
      return payment;
    },

    /** Records and confirms a payment. */
    async paid(order: string, kind: string): Promise<void> {
      const { id, amount } = await calls.paymentOf(order, kind);
      bankReference += 1;
      const said = { amountFen: amount, bankReference: `B${bankReference}`, receivedOn: dayIn(0) };
      await done(post("payment/record", { id, version: 1, ...said }, tokens.sales));
      await done(post("payment/confirm", { id, version: 2 }, tokens.admin));
    },

    async stateOf(table: string, id: string): Promise<string | undefined> {
      return (await query<{ state: string }>(`select state from ${table} where id = $1`, [id]))[0]?.state;
    },

    /** A vehicle of an order with its driver and certificates, cleared for loading. */
    async cleared(order: string, plate: string, heads: number): Promise<string> {
      const id = await calls.vehicle(order, plate, heads);
      await done(post("transit/disinfect", { id, version: 1, ...washOf() }, tokens.sales));
      const paper = { quarantineNumber: "JY-1", quarantineHeads: 1000, quarantineUntil: dayIn(9) };
      await done(post("transit/quarantine", { id, version: 2, ...paper }, tokens.sales));
      await done(post("transit/clear", { id, version: 3 }, tokens.sales));
      return id;
    },

    /** A vehicle of an order, which has no certificate yet. */
    vehicle: (order: string, plate: string, heads: number): Promise<string> =>
      done(
        post("transit/submit", { order, plate, heads, driverName: "张国梁", driverPhone: "13800004410" }, tokens.sales),
      ),

    /** A confirmed weighing; weights are grams. */
    async weighed(order: string, plate: string, heads: number, grossGrams: number, tareGrams: number): Promise<string> {
      const id = await done(post("weighing/submit", { order, plate, heads, grossGrams, tareGrams }, tokens.sales));
      await done(post("weighing/confirm", { id, version: 1 }, tokens.admin));
      return id;
    },

    /** An order of 50 heads with its confirmed settlement of 88,500.00 yuan less what is deducted. */
    async settled(deduction: object = {}): Promise<{ order: string; settlement: string }> {
      const { order } = await calls.accepted(await calls.published({ heads: 50 }), 50);
      await calls.paid(order, "prepayment");
      await calls.cleared(order, "豫R3K627", 50);
      await done(post("order/load", { id: order, version: 2 }, tokens.sales));
      await calls.weighed(order, "豫R3K627", 50, 19_500_000, 13_500_000);
      await done(post("order/weigh", { id: order, version: 3 }, tokens.sales));
      const settlement = await done(post("settlement/submit", { order, ...deduction }, tokens.sales));
      await done(post("settlement/confirm", { id: settlement, version: 1 }, tokens.admin));
      return { order, settlement };
    },
  };
  return calls;
}
