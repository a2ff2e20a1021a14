import { type DeskKey, deskCounts, deskKeys, desks, type GroupStart, groupStart } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedDemoArchives } from "../../apps/server/src/database/seeds/demo-archives.ts";
import { seedDemoClosing } from "../../apps/server/src/database/seeds/demo-closing.ts";
import { seedDemoContracts } from "../../apps/server/src/database/seeds/demo-contracts.ts";
import { seedDemoPrices } from "../../apps/server/src/database/seeds/demo-prices.ts";
import { seedDemoRealName } from "../../apps/server/src/database/seeds/demo-real-name.ts";
import { seedDemoSiteForms } from "../../apps/server/src/database/seeds/demo-site-forms.ts";
import { seedDemoTrade } from "../../apps/server/src/database/seeds/demo-trade.ts";
import { seedDemoTradeSettings } from "../../apps/server/src/database/seeds/demo-trade-settings.ts";
import { seedDemoWorkOrders } from "../../apps/server/src/database/seeds/demo-work-orders.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  app = await createTestApp();
  const { kysely } = app.test.database;
  const { nextId, hashPassword, personalCipher: cipher, keepFile } = app;
  const now = Date.now();
  await seedDemoArchives(kysely, cipher, nextId);
  await seedDemoTradeSettings(kysely, nextId);
  await seedDemoPrices(kysely, nextId);
  await seedDemoTrade(kysely, cipher, nextId, now);
  await seedDemoRealName(kysely, { cipher, nextId, hashPassword, keepFile });
  await seedDemoClosing(kysely, { cipher, nextId });
  await seedDemoWorkOrders(kysely, { nextId, hashPassword, now });
  await seedDemoContracts(kysely, { cipher, nextId, now });
  await seedDemoSiteForms(kysely, { cipher, nextId, nowMs: now });
  for (const account of ["admin", "farm", "kefu01"]) tokens[account] = await app.logIn(account);
});
afterAll(() => app.close());

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query(text, values)).rows as Row[];
const start = async (account = "admin"): Promise<GroupStart> => {
  const { status, body } = await app.get<GroupStart>(groupStart.path, tokens[account]);
  expect(status).toBe(200);
  return body.data;
};
const deskOf = async (desk: DeskKey) => (await start()).desks.find((one) => one.desk === desk);

/** The call behind the list that each desk opens. */
const lists: Readonly<Record<DeskKey, string>> = {
  work_order: "/api/muyuan-work-order/desk/page?queue=open",
  real_name: "/api/muyuan-customer/real-name-review/page?view=waiting",
  cancellation: "/api/muyuan-customer/cancellation/desk/page?queue=waiting",
  site_form: "/api/muyuan-content/form/page?state=new,working",
  access_request: "/api/muyuan-system/access-request/page?state=waiting",
  contract: "/api/muyuan-contract/desk/page?queue=waiting",
  price: "/api/muyuan-trade/day-price/detail",
  declaration: "/api/muyuan-trade/declaration/page?state=submitted",
  payment: "/api/muyuan-trade/payment/page?state=recorded",
  settlement: "/api/muyuan-trade/settlement/page?state=computed",
  invoice: "/api/muyuan-trade/invoice/page?state=applied",
};
/** Words of the address that the page opens, and of the call: they choose the same rows. */
const chosen = (address: string): string[] =>
  [...new URL(address, "http://x").searchParams.values()].flatMap((value) => value.split(","));

test("each desk counts what the list has that it opens", async () => {
  const { desks: counted } = await start();
  expect(counted.map(({ desk }) => desk)).toEqual(deskKeys);
  for (const { desk, waiting, late, dueToday } of counted) {
    const { status, body } = await app.get<{
      total?: number;
      cells?: { state: string }[];
      corrections?: { state: string }[];
    }>(lists[desk], tokens.admin);
    expect(status, desk).toBe(200);
    const { total, cells = [], corrections = [] } = body.data;
    const listed = total ?? [...cells, ...corrections].filter(({ state }) => state === "waiting").length;
    expect([desk, waiting]).toEqual([desk, listed]);
    expect(late + dueToday, desk).toBeLessThanOrEqual(waiting);
    expect(chosen(desks[desk].list), desk).toEqual(chosen(lists[desk]));
  }
  expect(counted.filter(({ waiting }) => waiting > 0).length).toBeGreaterThan(7);
});

test("the menu counts what the desks have, for whom they open", async () => {
  for (const account of ["admin", "kefu01"]) {
    const { desks: counted } = await start(account);
    const { body } = await app.get<{ list: string; count: number }[]>(deskCounts.path, tokens[account]);
    const told = counted
      .filter(({ waiting }) => waiting > 0)
      .map(({ desk, waiting }) => ({ list: new URL(desks[desk].list, "http://x").pathname, count: waiting }));
    expect(body.data).toEqual(told);
    expect(told.length).toBeGreaterThan(0);
  }
  expect((await app.get(deskCounts.path, tokens.farm)).status).toBe(403);
});

test("late is what is past its time, and whose it is", async () => {
  const before = await deskOf("real_name");
  const [one] = await query<{ id: string }>(
    "select id::text from real_name_applications where state = 'waiting' order by due_at desc limit 1",
  );
  await query(
    `update real_name_applications set due_at = now() - interval '2 hours', claimed_until = now() + interval '5 minutes',
            claimed_by = (select id from accounts where account = 'kefu01') where id = $1`,
    [one?.id],
  );
  const after = await deskOf("real_name");
  expect(after).toMatchObject({ waiting: before?.waiting, late: (before?.late ?? 0) + 1 });
  expect(after?.lateSinceMs ?? 0).toBeLessThanOrEqual(Date.now() - 2 * 3_600_000 + 5000);
  const [{ name } = { name: "" }] = await query<{ name: string }>(
    "select real_name as name from accounts where account = 'kefu01'",
  );
  expect(after?.hands).toContain(name);
  // A claim that ran out is nobody's.
  await query("update real_name_applications set claimed_until = now() - interval '1 second' where id = $1", [one?.id]);
  expect((await deskOf("real_name"))?.hands).not.toContain(name);
});

test("nobody sees a desk whose list they may not open, and no customer the start", async () => {
  const { desks: ofService, regions } = await start("kefu01");
  const shown = ofService.map(({ desk }) => desk);
  expect(shown).toContain("work_order");
  for (const desk of ["real_name", "price"] as const) expect(shown).not.toContain(desk);
  expect(regions.length).toBeGreaterThan(0);
  expect((await app.get(groupStart.path, tokens.farm)).status).toBe(403);
  // Also not by the right itself, which a customer's role might have by a mistake.
  await query(
    `insert into role_menus (role_id, menu_id) select r.id, m.id from roles r, menus m
      where r.tenant_id = '100002' and r.role_alias = 'owner' and m.code = 'group_start_view' on conflict do nothing`,
  );
  expect((await app.get(groupStart.path, await app.logIn("farm"))).status).toBe(403);
});

test("farms of customers stand under the sales region and department of their province", async () => {
  await query(
    `insert into sale_regions (id, region_name, principal, provinces, status, sort) values (9001, '测试大区', '', '{41}', '1', -1)`,
  );
  const [{ farms } = { farms: 0 }] = await query<{ farms: number }>(
    "select count(*)::int as farms from farms where left(region_code, 2) = '41'",
  );
  expect(farms).toBeGreaterThan(0);
  const all = async () => (await start()).regions.reduce((sum, row) => sum + row.farms, 0);
  expect((await start()).regions[0]).toMatchObject({ name: "测试大区", farms });
  expect(await all()).toBe((await query("select from farms")).length);
  // An alarm counts where its farm stands, by its severity, and on the day that it was raised.
  await query(
    `insert into alarms (id, tenant_id, device_id, farm_id, kind, rule_id, severity, since_at, raised_at)
     select 8001, d.tenant_id, d.id, f.id, 'environment', 'temperature_high', 4, now(), now()
       from farms f join devices d on d.tenant_id = f.tenant_id where left(f.region_code, 2) = '41' limit 1`,
  );
  const [region] = (await start()).regions;
  expect(region).toMatchObject({ critical: 1 });
  expect(region?.trend.at(-1)).toBeGreaterThanOrEqual(1);
  expect((await start()).unheard).toBe(1);
  await query("update alarms set known_until = now() + interval '30 minutes' where id = 8001");
  expect((await start()).unheard).toBe(0);
  // Its time is over.
  await query("update alarms set known_until = now() - interval '1 second' where id = 8001");
  expect((await start()).unheard).toBe(1);
});

test("customers in trouble are named by their worst finding, and what is published today stands with its time", async () => {
  await query("delete from customer_findings");
  await query(
    `insert into customer_findings (tenant_id, rule, since_at, detail) values
       ('100002', 'owner_disabled', now() - interval '3 days', ''), ('100002', 'licence_expired', now(), '2026-01-01'),
       ('100003', 'device_silent', now() - interval '9 days', '4')`,
  );
  const { customers, customersAtRisk, outgoing } = await start();
  expect(customersAtRisk).toBe(2);
  expect(customers.map(({ tenantId, rule, detail }) => [tenantId, rule, detail])).toEqual([
    ["100002", "licence_expired", "2026-01-01"],
    ["100003", "device_silent", "4"],
  ]);
  await query("update price_days set published_at = null where price_day = (now() at time zone 'Asia/Shanghai')::date");
  const price = (await start()).outgoing.find(({ kind }) => kind === "price");
  const waiting = await query(
    "select from price_entries where state = 'waiting' and price_day = (now() at time zone 'Asia/Shanghai')::date",
  );
  expect(price).toMatchObject({ waiting: waiting.length });
  expect(outgoing.every(({ atMs }) => atMs > 0)).toBe(true);
});
