import { afterAll, beforeAll, expect, test } from "vitest";
import { seedDemoArchives } from "../../apps/server/src/database/seeds/demo-archives.ts";
import { seedDemoDriverLink } from "../../apps/server/src/database/seeds/demo-driver-link.ts";
import { seedDemoTrade } from "../../apps/server/src/database/seeds/demo-trade.ts";
import { seedDemoTradeSettings } from "../../apps/server/src/database/seeds/demo-trade-settings.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { testSecretKey } from "../harness/seed.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  const { kysely } = app.test.database;
  await seedDemoArchives(kysely, app.personalCipher, app.nextId);
  await seedDemoTradeSettings(kysely, app.nextId);
  await seedDemoTrade(kysely, app.personalCipher, app.nextId);
  await seedDemoDriverLink(kysely, { secretKey: testSecretKey, nextId: app.nextId });
});
afterAll(() => app.close());

const query = async <Row extends object>(text: string): Promise<Row[]> =>
  (await app.test.database.pool.query(text)).rows as Row[];
const statesOf = async (table: string): Promise<string[]> =>
  (await query<{ state: string }>(`select distinct state from ${table} order by state`)).map(({ state }) => state);

test("the demo has trade in every state of an order, of the past and of the days to come", async () => {
  expect(await statesOf("sale_orders")).toEqual(
    ["cancelled", "completed", "confirmed", "loading", "settled", "waiting_payment", "weighed"].toSorted(),
  );
  expect(await statesOf("sale_plans")).toEqual(["approved", "closed", "draft", "published"]);
  expect(await statesOf("transits")).toEqual(["arrived", "closed", "departed", "loading", "planned", "ready"]);
  expect(await statesOf("settlements")).toEqual(["computed", "confirmed"]);
  expect(await statesOf("invoices")).toEqual(["applied", "issued", "returned"]);
  expect(await statesOf("payments")).toEqual(["awaited", "done", "void"]);
  expect((await query("select from sale_orders")).length).toBeGreaterThan(120);
});

test("one vehicle has an open link for its driver, which staff see", async () => {
  const [vehicle] = await query<{ transit: string }>("select transit::text from driver_links");
  const token = await app.logIn("zhaomin");
  const path = "/api/muyuan-trade";
  const { body } = await app.get<{ link?: { url: string } }>(`${path}/transit/driver?id=${vehicle?.transit}`, token);
  const secret = body.data.link?.url.split("#")[1] ?? "";
  const opened = await app.call({
    method: "POST",
    path: `${path}/driver/open`,
    body: {},
    headers: { "Driver-Link": secret },
  });
  expect(opened.status).toBe(200);
});

test("its figures are those that the rules would make", async () => {
  // The heads of a plan are those of its orders that stand.
  expect(
    await query(`select p.id from sale_plans p where taken <> coalesce((select sum(o.heads) from sale_orders o
      where o.plan = p.id and o.state <> 'cancelled'), 0)`),
  ).toEqual([]);
  // A completed order is paid to the fen.
  expect(
    await query(`select r.id from sale_order_rows r join settlements s on s."order" = r.id and s.state = 'confirmed'
      where r.state = 'completed' and r.paid_fen <> s.total_fen`),
  ).toEqual([]);
  // Nothing happened in the future, and each row is as its last line says.
  expect(await query("select id from process_entries where created_at > now()")).toEqual([]);
  expect(
    await query(`select o.id from sale_orders o where state <> (select e.state from process_entries e
      where e.process = 'sale_order' and e.row_id = o.id order by e.created_at desc, e.id desc limit 1)`),
  ).toEqual([]);
});

test("orders of today go on from where the demo left them", async () => {
  const [order] = await query<{ id: string; version: number }>(
    "select id::text, version from sale_orders where state = 'confirmed' limit 1",
  );
  const token = await app.logIn("zhaomin");
  const answer = await app.call({
    method: "POST",
    path: "/api/muyuan-trade/order/load",
    body: { id: order?.id, version: order?.version },
    token,
  });
  expect([answer.status, answer.body.msg]).toEqual([200, "操作成功"]);
});
