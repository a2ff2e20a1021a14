import type { GrantNode, RoleKeys } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let admin: string;
let owner: string;
const base = "/api/muyuan-system";
const customer = "100002";

beforeAll(async () => {
  app = await createTestApp();
  admin = await app.logIn("admin");
  owner = await app.logIn("farm");
});
afterAll(() => app.close());

const post = async <T>(path: string, body: unknown, token = admin) => {
  const answer = await app.call({ method: "POST", path: `${base}/${path}`, body, token });
  return { status: answer.status, data: answer.body.data as T & { reason?: string } };
};
const keysOf = async (roleId: string, token = admin) =>
  (await app.call({ path: `${base}/menu/role-tree-keys`, query: { roleIds: roleId }, token })).body.data as RoleKeys;
const menuId = async (code: string): Promise<string> =>
  (await app.test.database.pool.query("select id::text from menus where code = $1", [code])).rows[0].id;
const roleId = async (tenantId: string, alias: string): Promise<string> =>
  (
    await app.test.database.pool.query("select id::text from roles where tenant_id = $1 and role_alias = $2", [
      tenantId,
      alias,
    ])
  ).rows[0].id;
const flat = (nodes: readonly GrantNode[]): string[] =>
  nodes.flatMap(({ id, children = [] }) => [id, ...flat(children)]);

test("a role gets exactly what is granted: a menu that merely leads to a button is not among it", async () => {
  const { data } = await post<{ id: string }>("role/submit", { roleName: "档案查看", roleAlias: "archive-view" });
  const view = await menuId("sale_field_view");
  expect((await post("role/grant", { roleIds: [data.id], menuIds: [view] })).status).toBe(200);
  expect((await keysOf(data.id)).menu).toEqual([view]);
  const tree = (await app.call({ path: `${base}/menu/grant-tree`, token: admin })).body.data as { menu: GrantNode[] };
  expect(flat(tree.menu)).toContain(view);
  const history = (await app.call({ path: `${base}/role/history`, query: { id: data.id }, token: admin })).body
    .data as {
    records: { action: string; changes: { after: string[] }[] }[];
  };
  expect(history.records[0]).toMatchObject({ action: "grant", changes: [{ after: ["sale_field_view"] }] });
});

test("nobody gives or takes what they do not hold, nor touches another tenant's roles", async () => {
  const own = await roleId(customer, "worker");
  const before = (await keysOf(own, owner)).menu;
  const visits = await menuId("visit_view");
  const given = await post("role/grant", { roleIds: [own], menuIds: [...before, visits] }, owner);
  expect([given.status, given.data.reason]).toEqual([400, "role.grant_beyond"]);
  // Taken: the worker of the group's tenant is not the owner's to change at all.
  const foreign = await roleId("000000", "sales");
  expect((await post("role/grant", { roleIds: [foreign], menuIds: [] }, owner)).status).toBe(404);
  expect(
    (await app.call({ path: `${base}/menu/role-tree-keys`, query: { roleIds: foreign }, token: owner })).status,
  ).toBe(404);
  expect((await post("role/preview", { roleId: foreign, menuIds: [] }, owner)).status).toBe(404);
  expect((await post("role/clone", { roleId: foreign, roleName: "偷来的", roleAlias: "stolen" }, owner)).status).toBe(
    404,
  );
  expect((await keysOf(own, owner)).menu.toSorted()).toEqual(before.toSorted());
  const tree = (await app.call({ path: `${base}/menu/grant-tree`, token: owner })).body.data as { menu: GrantNode[] };
  expect(flat(tree.menu)).not.toContain(visits);
});

test("a preview says whom a change concerns, with their other roles counted in, and stores nothing", async () => {
  const worker = await roleId(customer, "worker");
  const before = (await keysOf(worker, owner)).menu;
  const devices = await menuId("device_all");
  const { data } = await post<{ members: number; affected: { name: string; lost: string[]; gained: string[] }[] }>(
    "role/preview",
    { roleId: worker, menuIds: before.filter((id) => id !== devices) },
    owner,
  );
  expect(data.members).toBeGreaterThan(0);
  expect(data.affected[0]).toMatchObject({ lost: ["device_all"], gained: [] });
  expect((await keysOf(worker, owner)).menu.toSorted()).toEqual(before.toSorted());
});

test("roles below lose what the one above lost, and a change holds at the next request", async () => {
  const above = await post<{ id: string }>("role/submit", { roleName: "上级角色", roleAlias: "above" });
  const below = await post<{ id: string }>("role/submit", {
    roleName: "下级角色",
    roleAlias: "below",
    parentId: above.data.id,
  });
  const [view, edit] = [await menuId("post_view"), await menuId("post_edit")];
  await post("role/grant", { roleIds: [above.data.id, below.data.id], menuIds: [view, edit] });
  const preview = await post<{ below: { roleName: string; lost: number }[] }>("role/preview", {
    roleId: above.data.id,
    menuIds: [view],
  });
  expect(preview.data.below).toEqual([expect.objectContaining({ roleName: "下级角色", lost: 1 })]);
  await post("role/grant", { roleIds: [above.data.id], menuIds: [view] });
  expect((await keysOf(below.data.id)).menu).toEqual([view]);

  const worker = await app.logIn("worker");
  const { rows } = await app.test.database.pool.query(
    "select r.id::text from roles r join memberships m on m.tenant_id = r.tenant_id join accounts a on a.id = m.account_id and a.account = 'worker' where r.role_alias = 'worker'",
  );
  const role = rows[0].id as string;
  const held = (await keysOf(role)).menu;
  const devices = await menuId("device_all");
  const menus = async () => JSON.stringify((await app.call({ path: `${base}/menu/routes`, token: worker })).body.data);
  expect(await menus()).toContain("device_all");
  await post("role/grant", { roleIds: [role], menuIds: held.filter((id) => id !== devices) });
  expect(await menus()).not.toContain("device_all");
  await post("role/grant", { roleIds: [role], menuIds: held });
});

test("menus are kept for a set of roles: told to be the same, fresh after each change, and nobody else's", async () => {
  const { pool } = app.test.database;
  const routes = async (token: string, tag?: string, query: Record<string, string> = {}) => {
    const answer = await app.http.inject({
      url: `${base}/menu/routes`,
      query,
      headers: { "muyuan-auth": `bearer ${token}`, ...(tag !== undefined && { "if-none-match": tag }) },
    });
    return { status: answer.statusCode, text: answer.body, tag: String(answer.headers.etag), headers: answer.headers };
  };
  const worker = await app.logIn("worker");
  const first = await routes(worker);
  expect([first.status, first.headers["cache-control"]]).toEqual([200, "private, no-cache"]);
  expect(await routes(worker, first.tag)).toMatchObject({ status: 304, text: "" });
  // Other roles, also with the tag of these; and no roles at all.
  const others = await routes(owner, first.tag);
  expect(others.status).toBe(200);
  expect(others.text).not.toBe(first.text);
  expect((await routes(admin)).text).not.toBe(others.text);
  expect(JSON.parse((await app.http.inject({ url: `${base}/menu/routes` })).body).data).toEqual([]);
  const top = (JSON.parse(others.text) as { data: { id: string }[] }).data[0];
  expect((await routes(owner, undefined, { topMenuId: top?.id ?? "" })).text).not.toBe(others.text);

  const change = async (text: string, values: unknown[] = []) => {
    await pool.query(text, values);
    // What was read of sessions counts for a second; a change through the portal forgets it at once.
    await post("role/preview", { roleId: "0", menuIds: [] });
  };
  const menus = [first];
  const changed = async (what: string) => {
    const now = await routes(worker, menus.at(-1)?.tag);
    expect(now.status, what).toBe(200);
    expect(
      menus.map(({ text }) => text),
      what,
    ).not.toContain(now.text);
    menus.push(now);
    expect((await routes(worker, now.tag)).status, what).toBe(304);
  };
  const devices = await menuId("device_all");
  await change("update menus set name = '别的名字' where id = $1", [devices]);
  await changed("a menu has another name");
  await change(
    `update menus set name = name || '!' where category = 1 and id in (select n.parent_id from menus n join role_menus rm on rm.menu_id = n.id)
        and id not in (select menu_id from role_menus)`,
  );
  await changed("a menu that only leads to granted ones has another name");
  await change("delete from role_menus where menu_id = $1", [devices]);
  await changed("a grant was taken away");
  const held = await pool.query(
    `delete from membership_roles mr using memberships m, accounts a
      where m.id = mr.membership_id and a.id = m.account_id and a.account = 'worker' returning mr.membership_id, mr.role_id`,
  );
  await change("select 1");
  await changed("the member has no role");
  await pool.query("insert into membership_roles (membership_id, role_id) values ($1, $2)", [
    held.rows[0].membership_id,
    held.rows[0].role_id,
  ]);
});

test("the last who can give roles in a tenant keep that right", async () => {
  const role = await roleId(customer, "owner");
  const grantRight = await menuId("user_grant");
  const menus = (await keysOf(role, owner)).menu.filter((id) => id !== grantRight);
  const refused = await post("role/grant", { roleIds: [role], menuIds: menus }, owner);
  expect([refused.status, refused.data.reason]).toEqual([400, "users.last_leader"]);
  expect((await keysOf(role, owner)).menu).toContain(grantRight);
});

test("a clone holds the same, under a name of its own", async () => {
  const source = await roleId("000000", "sales");
  const { status, data } = await post<{ id: string }>("role/clone", {
    roleId: source,
    roleName: "销售助理",
    roleAlias: "sales-assistant",
  });
  expect(status).toBe(200);
  expect((await keysOf(data.id)).menu.toSorted()).toEqual((await keysOf(source)).menu.toSorted());
  const again = await post("role/clone", { roleId: source, roleName: "销售助理", roleAlias: "sales-assistant-2" });
  expect(again.status).toBe(400);
  const { rows } = await app.test.database.pool.query(
    "select changes from audit_entries where row_id = $1 and action = 'grant'",
    [data.id],
  );
  expect(rows[0].changes[0].after).toContain("sale_field_view");
});

test("a clone that can't get its grants is no role either", async () => {
  const source = await roleId("000000", "sales");
  const { pool } = app.test.database;
  await pool.query(`create function refuse_grants() returns trigger language plpgsql as
    $$ begin if (select role_alias from roles where id = new.role_id) = 'half' then raise 'no'; end if; return new; end $$`);
  await pool.query("create trigger refuse before insert on role_menus for each row execute function refuse_grants()");
  const answer = await post("role/clone", { roleId: source, roleName: "半个角色", roleAlias: "half" });
  expect(answer.status).toBe(500);
  await pool.query("drop trigger refuse on role_menus; drop function refuse_grants");
  expect((await pool.query("select 1 from roles where role_alias = 'half'")).rowCount).toBe(0);
  expect((await pool.query("select 1 from audit_entries where row_title = '半个角色'")).rowCount).toBe(0);
});

test("data scope and departments are granted with the menus, or nothing is; a role that was changed meanwhile says so", async () => {
  const { data: role } = await post<{ id: string; version: number }>("role/submit", {
    roleName: "看部门的",
    roleAlias: "of-departments",
  });
  const { data: department } = await post<{ id: string }>("dept/submit", {
    deptName: "范围部",
    fullName: "范围部",
    deptCategory: "2",
  });
  const view = await menuId("post_view");
  const grant = { roleIds: [role.id], menuIds: [view], dataScope: "chosen", version: role.version };
  const unknown = await post("role/grant", { ...grant, departmentIds: [department.id, "1"] });
  expect([unknown.status, unknown.data.reason]).toEqual([400, "role.unknown_department"]);
  expect((await keysOf(role.id)).menu).toEqual([]);
  expect((await post("role/grant", { ...grant, departmentIds: [department.id] })).status).toBe(200);
  expect(await keysOf(role.id)).toMatchObject({ menu: [view], departments: [department.id] });
  const { body } = await app.call({ path: `${base}/role/detail`, query: { id: role.id }, token: admin });
  expect(body.data).toMatchObject({ dataScope: "chosen", version: role.version + 1 });
  const late = await post("role/grant", { ...grant, dataScope: "all" });
  expect([late.status, late.data.reason]).toEqual([409, "row.changed_meanwhile"]);
  const history = (await app.call({ path: `${base}/role/history`, query: { id: role.id }, token: admin })).body
    .data as {
    records: { changes: unknown[] }[];
  };
  expect(history.records[0]?.changes).toEqual([
    { field: "menus", before: [], after: ["post_view"] },
    { field: "dataScope", before: "all", after: "chosen" },
    { field: "departments", before: [], after: ["范围部"] },
  ]);
});

test("nobody gives a wider data scope than their own, by a grant, a form or a clone", async () => {
  const { data: narrow } = await post<{ id: string }>("role/submit", {
    roleName: "只看自己的",
    roleAlias: "narrow",
    dataScope: "self",
  });
  const rights = await Promise.all(["role", "role_view", "role_edit"].map(menuId));
  await post("role/grant", { roleIds: [narrow.id], menuIds: rights });
  const { data: wide } = await post<{ id: string }>("role/submit", { roleName: "看全部的", roleAlias: "wide" });
  await app.test.database.pool.query(
    `update roles set created_by = (select id from accounts where account = 'admin') where id = $1`,
    [wide.id],
  );
  const { pool } = app.test.database;
  const { rows: before } = await pool.query(
    `select mr.membership_id, mr.role_id from membership_roles mr join memberships m on m.id = mr.membership_id
       join accounts a on a.id = m.account_id where a.account = 'admin'`,
  );
  const [{ membership_id: membership }] = before;
  await pool.query("delete from membership_roles where membership_id = $1", [membership]);
  await pool.query("insert into membership_roles (membership_id, role_id) values ($1, $2)", [membership, narrow.id]);
  try {
    const grants = await post("role/grant", { roleIds: [narrow.id], menuIds: rights, dataScope: "all" });
    expect([grants.status, grants.data.reason]).toEqual([400, "role.scope_beyond"]);
    const chosen = await post("role/grant", {
      roleIds: [narrow.id],
      menuIds: rights,
      dataScope: "chosen",
      departmentIds: [],
    });
    expect(chosen.status).toBe(200);
    const form = await post("role/submit", { roleName: "更大的", roleAlias: "wider", dataScope: "all" });
    expect([form.status, form.data.reason]).toEqual([400, "role.scope_beyond"]);
    const clone = await post("role/clone", { roleId: wide.id, roleName: "更大的", roleAlias: "wider" });
    expect([clone.status, clone.data.reason]).toEqual([400, "role.scope_beyond"]);
    expect((await post("role/submit", { roleName: "一样大", roleAlias: "equal", dataScope: "self" })).status).toBe(200);
  } finally {
    await pool.query("delete from membership_roles where membership_id = $1", [membership]);
    for (const { role_id: role } of before)
      await pool.query("insert into membership_roles (membership_id, role_id) values ($1, $2)", [membership, role]);
  }
});

test("the tree says what the caller can't give, and shows what a role holds all the same", async () => {
  const owners = await roleId(customer, "owner");
  const tree = async (token: string, query: Record<string, string> = {}) =>
    ((await app.call({ path: `${base}/menu/grant-tree`, query, token })).body.data as { menu: GrantNode[] }).menu;
  const every = (nodes: readonly GrantNode[]): GrantNode[] =>
    nodes.flatMap((node) => [node, ...every(node.children ?? [])]);
  // The group's staff do not hold the screens of a customer's own self-centre.
  const members = await menuId("self_members");
  expect(every(await tree(admin)).map(({ id }) => id)).not.toContain(members);
  const shown = every(await tree(admin, { roleIds: owners }));
  expect(shown.find(({ id }) => id === members)).toMatchObject({ disabled: true, code: "self_members", category: 1 });
  const group = shown.find(({ code }) => code === "archives");
  expect(group).toMatchObject({ disabled: true, component: "" });
  expect(shown.find(({ code }) => code === "sale_field_view")).toMatchObject({ disabled: false, category: 2 });
  const foreign = await app.call({
    path: `${base}/menu/grant-tree`,
    query: { roleIds: await roleId("000000", "sales") },
    token: owner,
  });
  expect(foreign.status).toBe(404);
});
