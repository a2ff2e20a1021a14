import type { GrantNode, MenuEffect } from "@herdwise/contract";
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

const sql = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query(text, values)).rows as Row[];
const post = async <T>(path: string, body: unknown, token = admin) => {
  const answer = await app.call({ method: "POST", path: `${base}/${path}`, body, token });
  return { status: answer.status, data: answer.body.data as T & { reason?: string } };
};
const get = async <T>(path: string, query: Record<string, string> = {}, token = admin) =>
  (await app.call({ path: `${base}/${path}`, query, token })).body.data as T;
const menuId = async (code: string): Promise<string> =>
  (await sql<{ id: string }>("select id::text from menus where code = $1", [code]))[0]?.id ?? "";
const flat = (nodes: readonly GrantNode[]): GrantNode[] =>
  nodes.flatMap((node) => [node, ...flat(node.children ?? [])]);
/** What customers may have: everything that a package can hold. */
const offered = async (): Promise<GrantNode[]> =>
  flat((await get<{ menu: GrantNode[] }>("tenant-package/tree")).menu).filter(({ disabled }) => !disabled);
const codesOf = async (token: string): Promise<string[]> => {
  const codes = (nodes: readonly { code: string; children?: never[] }[]): string[] =>
    nodes.flatMap((node) => [node.code, ...codes(node.children ?? [])]);
  return [...codes(await get("menu/routes", {}, token)), ...codes(await get("menu/buttons", {}, token))];
};
const addPackage = async (name: string, menuIds: readonly string[]): Promise<string> => {
  const { id } = (await post<{ id: string }>("tenant-package/submit", { packageName: name })).data;
  expect((await post("tenant-package/set-menus", { id, menuIds })).status).toBe(200);
  return id;
};
const give = (packageId: string, tenantId = customer) => post("tenant/package-setting", { tenantId, packageId });

test("a package can hold all that the roles of customers have at first, and nothing of the group's staff", async () => {
  const ids = new Set((await offered()).map(({ id }) => id));
  const lacking = await sql<{ code: string }>(
    `select distinct n.code from role_menus rm join roles r on r.id = rm.role_id join menus n on n.id = rm.menu_id
      where r.tenant_id <> '000000' and not n.id = any($1::bigint[])`,
    [[...ids]],
  );
  expect(lacking).toEqual([]);
  const codes = (await offered()).map(({ code }) => code);
  for (const code of ["tenant", "tenant_edit", "customer", "customer_view", "setting_edit", "role_grants"])
    expect(codes).not.toContain(code);
  const { id } = (await post<{ id: string }>("tenant-package/submit", { packageName: "越界" })).data;
  const beyond = await post("tenant-package/set-menus", { id, menuIds: [await menuId("tenant_edit")] });
  expect([beyond.status, beyond.data.reason]).toEqual([400, "tenants.package_menus"]);
});

test("a package with everything takes nothing away; one without a screen takes it, and gives it back", async () => {
  const before = (await codesOf(owner)).toSorted();
  const all = (await offered()).map(({ id }) => id);
  const whole = await addPackage("全套", all);
  expect((await give(whole)).status).toBe(200);
  expect((await codesOf(owner)).toSorted()).toEqual(before);
  const gone = ["self_members", "user_view", "user_edit"];
  const without = await addPackage(
    "不含成员",
    (await offered()).filter(({ code }) => !gone.includes(code)).map(({ id }) => id),
  );
  expect((await give(without)).status).toBe(200);
  const now = await codesOf(owner);
  expect(now).not.toContain("user_view");
  expect((await app.call({ path: `${base}/user/page`, token: owner })).status).toBe(403);
  expect(await get("tenant/package-detail", { tenantId: customer })).toMatchObject({
    id: without,
    packageName: "不含成员",
  });
  expect((await give("")).status).toBe(200);
  expect((await codesOf(owner)).toSorted()).toEqual(before);
  expect(await get("tenant/package-detail", { tenantId: customer })).toEqual({});
});

test("the effect is told before it is made, agrees with what then happens, and stores nothing", async () => {
  const all = (await offered()).map(({ id }) => id);
  const id = await addPackage("预演", all);
  await give(id);
  const lost = await menuId("farm_structure");
  const body = { id, menuIds: all.filter((one) => one !== lost) };
  const { data } = await post<MenuEffect>("tenant-package/preview", body);
  const holders = await sql<{ count: number }>(
    `select count(distinct mr.membership_id)::int as count from membership_roles mr join memberships m on m.id = mr.membership_id and m.status = 1
       join role_menus rm on rm.role_id = mr.role_id where m.tenant_id = $1 and rm.menu_id = $2`,
    [customer, lost],
  );
  // Its buttons stay, and with them the way to the screen.
  expect(data.entries.map(({ code }) => code)).not.toContain("farm_structure");
  const below = (await sql<{ id: string }>("select id::text from menus where id = $1 or parent_id = $1", [lost])).map(
    (row) => row.id,
  );
  const { data: deeper } = await post<MenuEffect>("tenant-package/preview", {
    id,
    menuIds: all.filter((one) => !below.includes(one)),
  });
  const screen = deeper.entries.find(({ code }) => code === "farm_structure");
  expect(screen).toMatchObject({ category: 1, gained: 0, lost: holders[0]?.count, tenants: 1 });
  expect(deeper.tenants).toBe(1);
  expect(await codesOf(owner)).toContain("farm_structure");
  await post("tenant-package/set-menus", { id, menuIds: all.filter((one) => !below.includes(one)) });
  expect(await codesOf(owner)).not.toContain("farm_structure");
  const { data: back } = await post<MenuEffect>("tenant-package/preview", { id: "", tenantIds: [customer] });
  expect(back.entries.find(({ code }) => code === "farm_structure")).toMatchObject({
    gained: holders[0]?.count,
    lost: 0,
  });
  await give("");
});

test("nobody grants beyond the package, neither the owner nor the group's staff", async () => {
  const visible = await menuId("visit_view");
  const without = await addPackage(
    "不含消息",
    (await offered()).filter(({ code }) => code !== "self_news").map(({ id }) => id),
  );
  await give(without);
  const [role] = await sql<{ id: string }>(
    "select id::text from roles where tenant_id = $1 and role_alias = 'worker'",
    [customer],
  );
  const roleId = role?.id ?? "";
  const news = await menuId("self_news");
  await sql("delete from role_menus where role_id = $1 and menu_id = $2", [roleId, news]);
  const keys = (await get<{ menu: string[] }>("menu/role-tree-keys", { roleIds: roleId })).menu;
  const byOwner = await post("role/grant", { roleIds: [roleId], menuIds: [...keys, news] }, owner);
  expect([byOwner.status, byOwner.data.reason]).toEqual([400, "role.grant_beyond"]);
  const byStaff = await post("role/grant", { roleIds: [roleId], menuIds: [...keys, news] });
  expect([byStaff.status, byStaff.data.reason]).toEqual([400, "role.beyond_package"]);
  const tree = flat((await get<{ menu: GrantNode[] }>("menu/grant-tree", { roleIds: roleId })).menu);
  expect(tree.find(({ id }) => id === news)).toMatchObject({ disabled: true, beyondPackage: true });
  expect(tree.find(({ id }) => id === visible)?.beyondPackage).toBe(true);
  // An owner still hands out roles that hold more than the package has.
  const [owners] = await sql<{ id: string }>(
    "select id::text from roles where tenant_id = $1 and role_alias = 'owner'",
    [customer],
  );
  const clone = await post("role/clone", { roleId: owners?.id, roleName: "副企业主", roleAlias: "second" }, owner);
  expect(clone.status).toBe(200);
  const asked = await app.call({
    method: "POST",
    path: "/api/muyuan-system/access/request",
    body: { menuCode: "self_news" },
    token: owner,
  });
  expect([asked.status, (asked.body.data as { reason?: string }).reason]).toEqual([400, "access.package"]);
  await give("");
});

test("an empty package, one that does not exist and one of the group are refused, and so is removing one that is had", async () => {
  const { id } = (await post<{ id: string }>("tenant-package/submit", { packageName: "空的" })).data;
  expect((await give(id)).data.reason).toBe("tenants.package_empty");
  expect((await give("1")).data.reason).toBe("tenants.package");
  expect((await give("x")).data.reason).toBe("tenants.package");
  const some = await addPackage(
    "在用",
    (await offered()).slice(0, 20).map((node) => node.id),
  );
  expect((await give(some, "000000")).data.reason).toBe("tenants.group_package");
  await expect(sql("update tenants set package_id = $1 where tenant_id = '000000'", [some])).rejects.toThrow(
    "tenants_package_of_customer",
  );
  await give(some);
  expect((await post("tenant-package/set-menus", { id: some, menuIds: [] })).data.reason).toBe("tenants.package_empty");
  const removed = await app.call({
    method: "POST",
    path: `${base}/tenant-package/remove`,
    query: { ids: some },
    token: admin,
  });
  expect(removed.status).toBe(400);
  await give("");
});

test("tenants are listed with their accounts, package and the end of their time, and changed in one step", async () => {
  const id = await addPackage(
    "列表",
    (await offered()).slice(0, 30).map((node) => node.id),
  );
  const [tenant] = await sql<{ id: string }>("select id::text from tenants where tenant_id = $1", [customer]);
  const day = (days: number) => new Date(Date.now() + days * 86_400_000 + 8 * 3_600_000).toISOString().slice(0, 10);
  const submit = (body: object) => post("tenant/submit", { id: tenant?.id, ...body });
  expect((await submit({ accountNumber: 1, expireTime: day(10), packageId: id })).status).toBe(200);
  const listed = await get<{ records: Record<string, unknown>[]; total: number }>("tenant/page", { expiry: "near" });
  expect(listed.records).toEqual([
    expect.objectContaining({
      tenantId: customer,
      packageId: id,
      packageName: "列表",
      accountNumber: 1,
      isFull: true,
      expiry: "near",
    }),
  ]);
  const of = async (query: Record<string, string>) =>
    (await get<{ records: { tenantId: string }[] }>("tenant/page", query)).records.map(({ tenantId }) => tenantId);
  expect(await of({ packageId: id })).toEqual([customer]);
  expect(await of({ packageId: "none" })).not.toContain(customer);
  expect(await of({ expiry: "past" })).toEqual([]);
  // A wrong value changes nothing of the others.
  expect((await submit({ accountNumber: 5, packageId: "1" })).data.reason).toBe("tenants.package");
  expect((await get<{ accountNumber: number }>("tenant/detail", { tenantId: customer })).accountNumber).toBe(1);
  expect((await submit({ accountNumber: -1, expireTime: "", packageId: "" })).status).toBe(200);
  expect((await app.call({ path: `${base}/tenant/page`, token: owner })).status).toBe(403);
  expect((await app.call({ path: `${base}/tenant-package/page`, token: owner })).status).toBe(403);
});
