import {
  type AuditEntry,
  type Field,
  isOfInstallation,
  type Page,
  type ResourceDeclaration,
  resources,
  snakeCase,
} from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { columnOf } from "../../apps/server/src/resources/resource.repository.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { resourceSuite } from "./resource-suite.ts";
import type { Limited, SuiteWorld } from "./suite-calls.ts";

vi.mock("../../apps/server/src/modules/sheets/raw-reader.ts", async (original) =>
  (await import("./reading-in-process.ts")).readingInProcess(original),
);

let app: TestApp;
let world: SuiteWorld;

/** Makes an account of the group's staff with a role and a department of its own. */
async function limitedAccount(): Promise<Limited> {
  const { pool } = app.test.database;
  const name = "林限";
  const [account, membership, role, departmentId] = [app.nextId(), app.nextId(), app.nextId(), app.nextId()];
  await pool.query(
    `insert into accounts (id, account, account_key, type, password_hash, real_name)
     select $1, 'limited', 'limited', 'personal', password_hash, $2 from accounts where account = 'worker'`,
    [account, name],
  );
  await pool.query("insert into memberships (id, account_id, tenant_id) values ($1, $2, '000000')", [
    membership,
    account,
  ]);
  await pool.query(
    "insert into roles (id, tenant_id, role_name, role_alias, data_scope) values ($1, '000000', '受限', 'limited', 'all')",
    [role],
  );
  await pool.query("insert into membership_roles (membership_id, role_id) values ($1, $2)", [membership, role]);
  await pool.query(
    "insert into departments (id, tenant_id, dept_name, full_name, dept_category) values ($1, '000000', '受限部门', '受限部门', '2')",
    [departmentId],
  );
  await pool.query("insert into membership_departments (membership_id, department_id) values ($1, $2)", [
    membership,
    departmentId,
  ]);
  return {
    token: await app.logIn("limited"),
    name,
    departmentId,
    async may(codes, rows = "all") {
      await pool.query("update roles set data_scope = $2 where id = $1", [role, rows]);
      await pool.query("delete from role_menus where role_id = $1", [role]);
      await pool.query("insert into role_menus (role_id, menu_id) select $1, id from menus where code = any($2)", [
        role,
        codes,
      ]);
    },
  };
}

beforeAll(async () => {
  app = await createTestApp();
  const { pool } = app.test.database;
  // A stranger with every right in a tenant of its own: what keeps it out must be the tenant.
  await pool.query(
    `insert into role_menus select r.id, m.id from roles r, menus m
      where r.tenant_id = '100002' and r.role_alias = 'owner' on conflict do nothing`,
  );
  const { rows } = await pool.query<{ code: string; keys: string[]; names: string[] }>(
    `select code, array_agg(dict_key order by sort) as keys, array_agg(dict_value order by sort) as names
       from dictionaries where dict_key <> '-1' group by code`,
  );
  world = {
    app,
    admin: await app.logIn("admin"),
    adminName: "郑航",
    stranger: await app.logIn("farm"),
    strangerTenant: "100002",
    limited: await limitedAccount(),
    keys: Object.fromEntries(rows.map(({ code, keys }) => [code, keys])),
    names: Object.fromEntries(
      rows.map(({ code, keys, names }) => [code, Object.fromEntries(keys.map((key, at) => [key, names[at] ?? ""]))]),
    ),
  };
});
afterAll(() => app.close());

describe.each(resources.map((of): [string, ResourceDeclaration] => [of.name, of]))("%s", (_name, of) => {
  // Rows of a process are written by its events, and those that nobody submits are of another resource; both have tests of their own.
  if (of.process === undefined && !of.replaced?.includes("submit")) resourceSuite(of, () => world);

  test("the table has a column for each field, and what every row has", async () => {
    const { rows } = await app.test.database.pool.query<{ name: string; type: string }>(
      "select column_name as name, udt_name as type from information_schema.columns where table_name = $1",
      [of.view ?? of.table],
    );
    const columns = new Map(rows.map(({ name, type }) => [name, type]));
    const types = {
      text: "text",
      number: "int4",
      choice: "text",
      choices: "_text",
      reference: "int8",
      date: "date",
      switch: "bool",
      moment: "timestamptz",
    };
    const isWide = (field: Field): boolean => field.kind === "number" && field.max > 2_147_483_647;
    for (const [name, field] of Object.entries(of.fields)) {
      expect([name, columns.get(columnOf(name, field))]).toEqual([name, isWide(field) ? "int8" : types[field.kind]]);
    }
    const base = ["id", "version", "created_by", "created_dept", "created_at", "updated_by", "updated_at"];
    for (const name of [
      ...base,
      ...(isOfInstallation(of) ? [] : ["tenant_id"]),
      ...("tree" in of ? ["parent_id"] : []),
    ]) {
      expect([name, columns.has(name)]).toEqual([name, true]);
    }
    const { rows: constraints } = await app.test.database.pool.query<{ name: string }>(
      "select conname as name from pg_constraint where conrelid = $1::regclass and contype = 'u'",
      [of.table],
    );
    const named = constraints.map(({ name }) => name);
    for (const [name, field] of Object.entries(of.fields)) {
      if (field.kind === "text" && field.unique) expect(named).toContain(`${of.table}_${snakeCase(name)}_unique`);
    }
  });
});

const post = async (path: string, body: unknown, token = world.admin) => {
  const answer = await app.call({ method: "POST", path, body, token });
  return { status: answer.status, data: answer.body.data as Record<string, unknown> };
};

test.each([
  ["dept", "membership_departments", "department_id", { deptName: "有人的部门", fullName: "有人", deptCategory: "2" }],
  ["post", "membership_posts", "post_id", { postCode: "held", postName: "有人的岗位", category: "1" }],
  ["role", "membership_roles", "role_id", { roleName: "有人的角色", roleAlias: "held" }],
])("%s: a row that people hold is kept, and they are told", async (name, table, column, row) => {
  const base = `/api/muyuan-system/${name}`;
  const { data } = await post(`${base}/submit`, row);
  const { pool } = app.test.database;
  await pool.query(
    `insert into ${table} (membership_id, ${column}) select m.id, $1 from memberships m join accounts a on a.id = m.account_id
      where a.account = 'limited'`,
    [data.id],
  );
  const kept = await post(`${base}/remove`, { ids: data.id });
  expect([kept.status, kept.data.reason, kept.data.values]).toMatchObject([400, "row.in_use", { count: 1 }]);
  const { body } = await app.call({ path: `${base}/obstacles`, query: { ids: String(data.id) }, token: world.admin });
  expect(body.data).toEqual([
    { id: data.id, title: Object.values(row)[name === "post" ? 1 : 0], resource: "成员", count: 1 },
  ]);
  await pool.query(`delete from ${table} where ${column} = $1`, [data.id]);
  expect((await post(`${base}/remove`, { ids: data.id })).status).toBe(200);
});

test("role: those that the portal looks for can be renamed, but keep their alias and stay", async () => {
  const base = "/api/muyuan-system/role";
  const { rows } = await app.test.database.pool.query(
    "select id::text from roles where tenant_id = '100003' and role_alias = 'owner'",
  );
  const { id } = rows[0];
  expect((await post(`${base}/submit`, { id, roleName: "场主" })).status).toBe(200);
  const changed = await post(`${base}/submit`, { id, roleAlias: "boss" });
  expect([changed.status, changed.data.reason]).toEqual([400, "role.built_in"]);
  await app.test.database.pool.query("delete from membership_roles where role_id = $1", [id]);
  const removed = await post(`${base}/remove`, { ids: id });
  expect([removed.status, removed.data.reason]).toEqual([400, "role.built_in"]);
});

describe("the audit trail", () => {
  const verify = async (token = world.admin) =>
    (await post("/api/muyuan-log/audit/verify", {}, token)).data as { entries: number; brokenId?: string };
  const page = async (query: Record<string, string>, token = world.admin) =>
    (await app.call({ path: "/api/muyuan-log/audit/page", query: { size: "500", ...query }, token })).body
      .data as Page<AuditEntry>;
  const entriesOf = async (chain: string) =>
    (
      await app.test.database.pool.query("select id from audit_entries where chain = $1 order by position", [chain])
    ).rows.map(({ id }) => id as string);

  test("takes many entries at once", async () => {
    const answers = [];
    for (let at = 0; at < 120; at += 20)
      answers.push(
        ...(await Promise.all(
          Array.from({ length: 20 }, (_, place) =>
            post("/api/muyuan-system/param/submit", {
              paramKey: `trail-${at + place}`,
              paramName: `参数 ${at + place}`,
              paramValue: "1",
            }),
          ),
        )),
      );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 120 }, () => 200));
    expect(await verify()).toMatchObject({ entries: expect.any(Number) });
  });

  test("is a chain: an entry that was changed in any part or removed is found", async () => {
    const { pool } = app.test.database;
    const installation = await entriesOf("installation");
    expect(installation.length).toBeGreaterThan(110);
    expect((await verify()).brokenId).toBeUndefined();
    const id = installation[105];
    const changed = {
      account_id: "account_id + 1",
      actor_name: "actor_name || '别人'",
      resource: "'post'",
      row_id: "row_id + 1",
      row_title: "row_title || '别的'",
      action: "case action when 'update' then 'import' else 'update' end",
      changes: "'[]'",
      remote_address: "'10.9.9.9'",
      created_at: "created_at - interval '1 s'",
      previous_hash: "hash",
      hash: "previous_hash",
    };
    const { rows } = await pool.query("select * from audit_entries where id = $1", [id]);
    for (const [column, value] of Object.entries(changed)) {
      await pool.query(`update audit_entries set ${column} = ${value} where id = $1`, [id]);
      expect([column, (await verify()).brokenId]).toEqual([column, id]);
      const held = rows[0][column];
      await pool.query(`update audit_entries set ${column} = $2 where id = $1`, [
        id,
        column === "changes" ? JSON.stringify(held) : held,
      ]);
    }
    expect((await verify()).brokenId).toBeUndefined();
    await pool.query("delete from audit_entries where id = $1", [id]);
    expect((await verify()).brokenId).toBe(installation[106]);
    // Moved up, so that no place is empty.
    await pool.query("update audit_entries set position = -position where chain = 'installation' and position > 106");
    await pool.query("update audit_entries set position = -position - 1 where position < 0");
    expect((await verify()).brokenId).toBe(installation[106]);
  });

  test("T44: newest entries that were removed, and ones that were appended with a hash that fits, are found and stay found", async () => {
    const { pool } = app.test.database;
    const own = async () => (await verify(world.stranger)).brokenId;
    const change = (at: number) =>
      post(
        "/api/muyuan-system/post/submit",
        { postCode: `head-${at}`, postName: `岗位${at}`, category: "1" },
        world.stranger,
      );
    for (const at of [1, 2]) expect((await change(at)).status).toBe(200);
    const entries = await entriesOf(world.strangerTenant);
    const newest = entries.at(-1) as string;
    expect(await own()).toBeUndefined();

    await pool.query("create table removed_entries as select * from audit_entries where id = $1", [newest]);
    await pool.query("delete from audit_entries where id = $1", [newest]);
    expect(await own()).toBe(newest);
    const inOrder = async (work: () => Promise<void>) => {
      await pool.query("create table held_heads as select * from audit_heads");
      await pool.query("create table held_entries as select * from audit_entries");
      await work();
      await pool.query("truncate audit_heads; insert into audit_heads select * from held_heads; drop table held_heads");
      await pool.query(
        "delete from audit_entries where id not in (select id from held_entries); drop table held_entries",
      );
    };
    // What is written next does not hide it.
    await inOrder(async () => {
      expect((await change(3)).status).toBe(200);
      expect(await own()).toBeDefined();
    });
    await pool.query("insert into audit_entries select * from removed_entries");
    expect(await own()).toBeUndefined();

    await pool.query("delete from audit_heads where chain = $1", [world.strangerTenant]);
    expect(await own()).toBe(newest);
    await pool.query(
      `insert into audit_heads select chain, position, id, hash, created_at from audit_entries where id = $1`,
      [newest],
    );
    expect(await own()).toBeUndefined();

    // The server's own entry, taken back in time: its hash fits, and no head tells of it.
    await inOrder(async () => {
      await pool.query("create table earlier as select * from audit_heads");
      expect((await change(4)).status).toBe(200);
      await pool.query("truncate audit_heads; insert into audit_heads select * from earlier; drop table earlier");
      const appended = (await entriesOf(world.strangerTenant)).at(-1);
      expect(await own()).toBe(appended);
      expect((await change(5)).status).toBe(200);
      expect(await own()).toBeDefined();
    });
    expect(await own()).toBeUndefined();
    await pool.query("drop table removed_entries");
  });

  test("is each tenant's own, and that of all for the group's staff", async () => {
    await post(
      "/api/muyuan-system/post/submit",
      { postCode: "trail", postName: "自己的", category: "1" },
      world.stranger,
    );
    const own = await entriesOf(world.strangerTenant);
    expect((await verify(world.stranger)).entries).toBe(own.length);
    const { records, total } = await page({}, world.stranger);
    expect([total, records.every(({ tenantId }) => tenantId === world.strangerTenant)]).toEqual([own.length, true]);
    expect((await page({ resource: "post" })).records.map(({ tenantId }) => tenantId)).toContain(world.strangerTenant);
  });

  test("is selected by resource, action, word and day", async () => {
    const { pool } = app.test.database;
    const { data } = await post("/api/muyuan-system/post/submit", {
      postCode: "sought",
      postName: "找得到的",
      category: "1",
    });
    await post("/api/muyuan-system/post/submit", { id: data.id, postName: "找得到吗" });
    const found = async (query: Record<string, string>) =>
      (await page({ resource: "post", ...query })).records
        .filter(({ rowId }) => rowId === data.id)
        .map(({ action }) => action);
    expect(await found({})).toEqual(["update", "create"]);
    expect(await found({ action: "create,remove" })).toEqual(["create"]);
    expect(await found({ keyword: "得到的" })).toEqual(["create"]);
    expect(await found({ keyword: world.adminName })).toEqual(["update", "create"]);
    expect(await found({ keyword: "没有" })).toEqual([]);
    // The evening of a day in Greenwich is the next morning in Shanghai.
    await pool.query(
      "update audit_entries set created_at = '2026-03-05T17:30:00Z' where row_id = $1 and action = 'create'",
      [data.id],
    );
    expect(await found({ from: "2026-03-06", to: "2026-03-06" })).toEqual(["create"]);
    expect(await found({ from: "2026-03-05", to: "2026-03-05" })).toEqual([]);
    expect(await found({ from: "2026-03-07" })).toEqual(["update"]);
    const [entry] = (await page({ resource: "post", action: "update", keyword: "找得到吗" })).records;
    expect(entry?.remoteAddress).toMatch(/^10\.\d+\.\d+\.\*$/);
  });
});
