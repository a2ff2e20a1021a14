import { mostFound } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../../tests/harness/database.ts";

import { tenantScopeOf } from "../../tenant-scope.ts";
import { type UserFilter, userRepository } from "./user.repository.ts";

let held: TestDatabase;
const query = (text: string, values: unknown[] = []) => held.database.pool.query(text, values);

const people = [
  ["10", "zhangsan", "张三丰", "三丰", "A-1"],
  ["11", "lisi", "李四", "", "A-2"],
  ["12", "wang_5", "王五", "100%", "B-1"],
  ["13", "ZhangWei", "张伟", "", ""],
] as const;

beforeAll(async () => {
  held = await createTestDatabase();
  await query(
    "insert into tenants (tenant_id, name, type) values ('700001', 'One', 'enterprise'), ('700002', 'Two', 'enterprise')",
  );
  for (const [id, account, realName, nickName, code] of people) {
    await query(
      `insert into accounts (id, account, account_key, type, password_hash, real_name, nick_name)
       values ($1, $2, lower($2), 'employee', '', $3, $4)`,
      [id, account, realName, nickName],
    );
    await query("insert into memberships (id, account_id, tenant_id, code) values ($1, $1, '700001', $2)", [id, code]);
  }
});
afterAll(() => held.drop());

const reach = {
  tenantId: "700001",
  everyTenant: false,
  rows: { all: true, departmentIds: [], own: false },
  accountId: "10",
  membershipId: "10",
  departmentId: "",
  remoteAddress: "",
};
const scope = tenantScopeOf(reach);
const found = async (
  filter: UserFilter,
  orders: Parameters<ReturnType<typeof userRepository>["page"]>[2]["orders"] = [],
) => {
  const { total, rows } = await userRepository(held.database.kysely).page(scope, filter, {
    offset: 0,
    limit: 50,
    orders,
  });
  expect(total).toBe(rows.length);
  return rows.map(({ account }) => account);
};

/** Entries that are not what accounts and memberships say. */
const stale = async () =>
  (
    await query(`
      with expected as (
        select m.id as membership_id, m.tenant_id, a.id as account_id, a.account, a.real_name, a.user_type,
               least(m.status, a.status) as status, m.created_at, a.updated_at,
               lower(a.account || E'\\n' || a.real_name || E'\\n' || a.nick_name || E'\\n' || m.code) as words
          from memberships m join accounts a on a.id = m.account_id where a.removed_at is null)
      (select * from expected except select * from member_entries)
      union all (select * from member_entries except select * from expected)`)
  ).rows;

test("a keyword finds any part of a name, of one character too, in any case; signs of patterns stand for themselves", async () => {
  expect(await found({ keyword: "张" })).toEqual(["zhangsan", "ZhangWei"]);
  expect(await found({ keyword: "三丰" })).toEqual(["zhangsan"]);
  expect(await found({ keyword: "ZHANG" })).toEqual(["zhangsan", "ZhangWei"]);
  expect(await found({ keyword: "a-2" })).toEqual(["lisi"]);
  expect(await found({ keyword: "g_5" })).toEqual(["wang_5"]);
  expect(await found({ keyword: "_" })).toEqual(["wang_5"]);
  expect(await found({ keyword: "0%" })).toEqual(["wang_5"]);
  expect(await found({ keyword: "s%i" })).toEqual([]);
  // A pair of the word stands in the row, the word does not.
  expect(await found({ keyword: "anghan" })).toEqual([]);
});

test("orders run both ways, equal members by their id in the direction of the last", async () => {
  await query("update accounts set updated_at = '2026-01-01' where id in (10, 11)");
  await query("update accounts set updated_at = '2026-01-02' where id in (12, 13)");
  expect(await found({}, [{ column: "update_time", direction: "desc" }])).toEqual([
    "ZhangWei",
    "wang_5",
    "lisi",
    "zhangsan",
  ]);
  expect(await found({}, [{ column: "update_time", direction: "asc" }])).toEqual([
    "zhangsan",
    "lisi",
    "wang_5",
    "ZhangWei",
  ]);
});

test("entries follow every change of accounts and memberships", async () => {
  expect(await stale()).toEqual([]);
  for (const change of [
    "update accounts set account = 'renamed', account_key = 'renamed' where id = 11",
    "update accounts set nick_name = 'Four', real_name = '李肆', user_type = 2 where id = 11",
    "update accounts set status = 0 where id in (11, 12)",
    "update memberships set status = 0 where id = 13",
    "update memberships set code = 'C-9' where tenant_id = '700001'",
    "insert into memberships (id, account_id, tenant_id) select 100 + id, id, '700002' from accounts",
    "delete from memberships where id = 110",
    "delete from memberships where account_id = 13",
    "update accounts set removed_at = now(), account = 'removed-13' where id = 13",
    "delete from accounts where id = 12",
    "delete from memberships where id = 11",
  ]) {
    await query(change);
    expect(await stale(), change).toEqual([]);
  }
});

test("a member who is added while the account is renamed is listed by the new name", async () => {
  const renaming = await held.database.pool.connect();
  try {
    await renaming.query("begin");
    await renaming.query("update accounts set account = 'late' where id = 11");
    const adding = query("insert into memberships (id, account_id, tenant_id) values (500, 11, '700001')");
    const waits = async () => {
      const { rows } = await query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length > 0;
    };
    let added = false;
    void adding.then(() => {
      added = true;
    });
    await expect.poll(async () => added || (await waits())).toBe(true);
    await renaming.query("commit");
    await adding;
  } finally {
    renaming.release();
  }
  expect(await stale()).toEqual([]);
});

test("a role of more members than are counted has the first of them, and no page behind; all members are counted", async () => {
  await query("insert into tenants (tenant_id, name, type) values ('700003', 'Three', 'enterprise')");
  await query(`insert into roles (id, tenant_id, role_name, role_alias) values (70, '700003', '饲养员', 'worker')`);
  // Without triggers, which take a second for a thousand members.
  const tables = ["memberships", "membership_roles"];
  for (const table of tables) await query(`alter table ${table} disable trigger user`);
  await query(
    `insert into accounts (id, account, account_key, type, password_hash)
     select n, 'w' || n, 'w' || n, 'employee', '' from generate_series(1000000, $1::int) n`,
    [1_000_069 + mostFound],
  );
  const of = "from accounts where id >= 1000000";
  await query(`insert into memberships (id, account_id, tenant_id) select id, id, '700003' ${of}`);
  await query(`insert into membership_roles (membership_id, role_id) select id, 70 ${of}`);
  await query(
    `insert into member_entries (membership_id, tenant_id, account_id, account, real_name, user_type, status, created_at, updated_at, words)
     select id, '700003', id, account, '', user_type, status, created_at, updated_at, account ${of}`,
  );
  for (const table of tables) await query(`alter table ${table} enable trigger user`);
  await query("analyze accounts, memberships, membership_roles, member_entries");
  const page = (filter: UserFilter, offset: number) =>
    userRepository(held.database.kysely).page(tenantScopeOf({ ...reach, tenantId: "700003" }), filter, {
      offset,
      limit: 100,
      orders: [],
    });
  for (const filter of [{ roleId: "70" }, { keyword: "w1" }, { accountPart: "w1" }] satisfies UserFilter[]) {
    for (const offset of [0, mostFound - 50, mostFound]) {
      const { total, rows } = await page(filter, offset);
      expect(total).toBe(mostFound);
      expect(rows.map(({ id }) => Number(id))).toEqual(
        Array.from({ length: Math.min(100, mostFound - offset) }, (_, at) => 1_000_000 + offset + at),
      );
    }
  }
  const { total, rows } = await page({}, mostFound + 50);
  expect(total).toBe(mostFound + 70);
  expect(rows).toHaveLength(20);
});
