import { type Page, type TodoKind, type TodoList, todoKindNames, todoKinds, todoList } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedDemoArchives } from "../../apps/server/src/database/seeds/demo-archives.ts";
import { seedDemoContracts } from "../../apps/server/src/database/seeds/demo-contracts.ts";
import { seedDemoPrices } from "../../apps/server/src/database/seeds/demo-prices.ts";
import { seedDemoRealName } from "../../apps/server/src/database/seeds/demo-real-name.ts";
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
  await seedDemoWorkOrders(kysely, { nextId, hashPassword, now });
  await seedDemoContracts(kysely, { cipher, nextId, now });
  for (const account of ["admin", "farm", "worker"]) tokens[account] = await app.logIn(account);
});
afterAll(() => app.close());

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query(text, values)).rows as Row[];
const todosOf = async (account: string): Promise<TodoList> => {
  const { status, body } = await app.get<TodoList>(todoList.path, tokens[account]);
  expect(status).toBe(200);
  return body.data;
};
const countOf = async (kind: TodoKind, account = "farm"): Promise<number> =>
  (await todosOf(account)).counts.reduce((sum, one) => sum + (one.kind === kind ? one.count : 0), 0);
const totalOf = async (path: string): Promise<number> =>
  (await app.get<Page<object>>(path, tokens.farm)).body.data.total;
const tenantOf = async (account: string): Promise<string> =>
  (
    await query<{ id: string }>(
      "select m.tenant_id as id from memberships m join accounts a on a.id = m.account_id where a.account = $1",
      [account],
    )
  )[0]?.id ?? "";
/** The own tenant's row that was made last, put into another state. */
const put = async (table: string, state: string, more = ""): Promise<string> => {
  const [row] = await query<{ id: string }>(
    `update ${table} set state = $1 ${more} where id = (select max(id) from ${table} where tenant_id = $2) returning id::text as id`,
    [state, await tenantOf("farm")],
  );
  if (!row) throw new Error(`the customer has no row in ${table}`);
  return row.id;
};

test("each kind counts what its list has", async () => {
  await put("declarations", "offered", ", expires_at = now() + interval '3 hours'");
  await put("deposits", "awaited");
  await put("payments", "awaited", ", kind = 'balance'");
  const lists: Partial<Record<TodoKind, string>> = {
    counter_offer: "/api/muyuan-trade/declaration/page?state=offered",
    deposit: "/api/muyuan-trade/deposit/page?state=awaited",
    payment: "/api/muyuan-trade/payment/page?state=awaited&kind=prepayment,balance",
    work_order_answer: "/api/muyuan-work-order/after-sales/page?state=waiting_customer",
  };
  for (const [kind, list] of Object.entries(lists)) {
    const total = await totalOf(list);
    expect([kind, await countOf(kind as TodoKind)]).toEqual([kind, total]);
    if (kind !== "work_order_answer") expect(total).toBeGreaterThan(0);
  }
});

test("what is late comes first, then what is due, and nothing of another customer", async () => {
  const late = await put("declarations", "offered", ", expires_at = now() - interval '1 minute'");
  const { todos, counts } = await todosOf("farm");
  const places = todos.map(({ late, dueMs }) => (late ? 0 : dueMs === undefined ? 2 : 1));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(todos.find(({ id }) => id === late)).toMatchObject({ kind: "counter_offer", late: true });
  expect(counts.find(({ kind }) => kind === "counter_offer")?.late).toBeGreaterThan(0);
  const strangers = await query<{ id: string }>(
    `select id::text as id from declarations where tenant_id <> $1 union all select id::text from payments where tenant_id <> $1
     union all select id::text from work_orders where tenant_id <> $1 union all select id::text from contracts where tenant_id <> $1`,
    [await tenantOf("farm")],
  );
  expect(strangers.length).toBeGreaterThan(0);
  expect(todos.filter(({ id }) => strangers.some((stranger) => stranger.id === id))).toEqual([]);
});

test("a vehicle without a certificate that holds on its day waits, and goes once it has one", async () => {
  const id = await put("transits", "planned", ", disinfection_until = null, disinfected_at = null");
  await query(
    `update sale_plans p set day = (now() at time zone 'Asia/Shanghai')::date + 1 from transits t join sale_orders o on o.id = t."order"
      where p.id = o.plan and t.id = $1`,
    [id],
  );
  const has = async (): Promise<boolean> => (await todosOf("farm")).todos.some((todo) => todo.id === id);
  expect(await has()).toBe(true);
  await query(
    "update transits set disinfected_at = now(), disinfection_until = now() + interval '3 days' where id = $1",
    [id],
  );
  expect(await has()).toBe(false);
});

test("the own authentication waits from nothing to passed, and again before its licence ends", async () => {
  const tenant = await tenantOf("farm");
  const variants = async (): Promise<string[]> =>
    (await todosOf("farm")).todos.filter(({ kind }) => kind === "real_name").map(({ variant }) => variant);
  const before = await query<{ id: string; state: string; until: string | null }>(
    "select id::text as id, state, licence_until::text as until from real_name_applications where tenant_id = $1 order by id desc limit 1",
    [tenant],
  );
  const [application] = before;
  if (!application) throw new Error("the demo has no application of this customer");
  const set = (state: string, days: number) =>
    query(
      "update real_name_applications set state = $2, licence_until = (now() at time zone 'Asia/Shanghai')::date + $3::int where id = $1",
      [application.id, state, days],
    );
  // The list is cut, and what has no time of its own comes last.
  await query("update work_orders set state = 'closed' where tenant_id = $1", [tenant]);
  await set("rejected", 900);
  expect(await variants()).toEqual(["rejected"]);
  await set("passed", 900);
  expect([await variants(), await countOf("licence")]).toEqual([[], 0]);
  await set("passed", 10);
  expect(await countOf("licence")).toBe(1);
});

test("who has no right to do it is not asked to", async () => {
  await put("payments", "awaited", ", kind = 'balance'");
  expect(await countOf("payment")).toBeGreaterThan(0);
  await query("update payments set tenant_id = $1 where id = (select max(id) from payments where state = 'awaited')", [
    await tenantOf("worker"),
  ]);
  expect(await countOf("payment", "worker")).toBe(0);
  expect(await todosOf("admin")).toEqual({ todos: [], counts: [] });
});

test("each right and each list is one of the menu", async () => {
  const codes = new Set((await query<{ code: string }>("select code from menus")).map(({ code }) => code));
  const paths = new Set((await query<{ path: string }>("select path from menus")).map(({ path }) => path));
  expect(todoKindNames.filter((kind) => !codes.has(todoKinds[kind].right) || !paths.has(todoKinds[kind].list))).toEqual(
    [],
  );
});

test("a planned vaccination waits from its day until an injector told that its task is over", async () => {
  const [device] = await query<{ id: string; tenant: string; unit: string }>(
    `select d.id::text as id, d.tenant_id as tenant, (select min(u.id)::text from units u where u.tenant_id = d.tenant_id) as unit
       from devices d where d.kind = 'needleless' and d.tenant_id = $1 order by d.id limit 1`,
    [await tenantOf("farm")],
  );
  if (!device) throw new Error("the customer has no injector");
  await query(
    "insert into medicines (id, tenant_id, name, type, withdrawal_days) values (7001, $1, 'todo vaccine', 'vaccine', 0)",
    [device.tenant],
  );
  for (const [at, task] of [
    [-8, "long-past"],
    [-2, "missed"],
    [0, "today"],
    [1, "tomorrow"],
  ] as const)
    await query(
      `insert into vaccination_plans (id, tenant_id, task, unit_id, medicine_id, planned_on)
       values ($1, $2, $3, $4, 7001, (now() at time zone 'Asia/Shanghai')::date + $5::int)`,
      [7010 + at, device.tenant, task, device.unit, at],
    );
  const waiting = async () =>
    (await todosOf("farm")).todos.filter(({ kind }) => kind === "vaccination").map(({ id, late }) => [id, late]);
  const closed = (task: string) =>
    query(
      `insert into device_events (device_id, type, event_id, ts, body) values ($1, 'session_closed', $2, now(), jsonb_build_object('task', $2::text))`,
      [device.id, task],
    );
  // Injectors that never told of a task say nothing of a day that is over.
  expect(await waiting()).toEqual([["7010", false]]);
  await closed("another");
  expect(await waiting()).toEqual([
    ["7008", true],
    ["7010", false],
  ]);
  await closed("missed");
  expect(await waiting()).toEqual([["7010", false]]);
});
