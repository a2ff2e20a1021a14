import type { ApiLog, ErrorLog, GrantNode, MenuNode, Notice, Page, UsualLog } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { seedFoundation } from "../../apps/server/src/database/seeds/foundation.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { md5 } from "../harness/session.ts";
import { sheetOf } from "./sheets.ts";

const system = "/api/muyuan-system";
const group = "000000";
/** The tenant of the account `farm`. */
const tenant = "100002";

let app: TestApp;
let admin: string;
let owner: string;
const sql = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await app.test.database.pool.query(text, values)).rows;

beforeAll(async () => {
  app = await createTestApp();
  admin = await app.logIn("admin");
  owner = await app.logIn("farm");
});
afterAll(() => app.close());

const get = async <T>(path: string, query: Record<string, string> = {}, token = admin) => {
  const { status, body } = await app.call({ path, query, token });
  return { status, data: body.data as T, msg: body.msg };
};
const post = async <T>(path: string, body: unknown, token = admin, query: Record<string, string> = {}) => {
  const { status, body: answer } = await app.call({ method: "POST", path, query, body, token });
  return { status, data: answer.data as T & { reason?: string }, msg: answer.msg };
};
/** Adds a row and gives its id. */
const add = async (thing: string, body: object, token = admin): Promise<string> => {
  const { status, data, msg } = await post<{ id: string }>(`${system}/${thing}/submit`, body, token);
  expect([status, msg]).toEqual([200, "操作成功"]);
  return data.id;
};

let people = 0;
/** Somebody of the group's staff with a role of their own that holds these buttons. */
async function member(codes: readonly string[]): Promise<{ token: string; roleId: string; departmentId: string }> {
  people += 1;
  const [account, membership, roleId, departmentId] = Array.from({ length: 4 }, () => app.nextId());
  const name = `wire${people}`;
  await sql(
    `insert into accounts (id, account, account_key, type, password_hash)
     select $1, $2, $2, 'employee', password_hash from accounts where account = 'worker'`,
    [account, name],
  );
  await sql("insert into memberships (id, account_id, tenant_id) values ($1, $2, $3)", [membership, account, group]);
  await sql("insert into roles (id, tenant_id, role_name, role_alias) values ($1, $2, $3, $3)", [roleId, group, name]);
  await sql("insert into membership_roles (membership_id, role_id) values ($1, $2)", [membership, roleId]);
  await sql(
    "insert into departments (id, tenant_id, dept_name, full_name, dept_category) values ($1, $2, $3, $3, '2')",
    [departmentId, group, name],
  );
  await sql("insert into membership_departments (membership_id, department_id) values ($1, $2)", [
    membership,
    departmentId,
  ]);
  await sql("insert into role_menus (role_id, menu_id) select $1, id from menus where code = any($2)", [roleId, codes]);
  return { token: await app.logIn(name), roleId: roleId ?? "", departmentId: departmentId ?? "" };
}
const menuId = async (code: string): Promise<string> =>
  (await sql<{ id: string }>("select id::text from menus where code = $1", [code]))[0]?.id ?? "";
const grant = (roleId: string, more: object) =>
  sql<{ id: string }>("select menu_id::text as id from role_menus where role_id = $1", [roleId]).then((menus) =>
    post(`${system}/role/grant`, { roleIds: [roleId], menuIds: menus.map(({ id }) => id), ...more }),
  );

test("every suffix of a filter selects what it says", async () => {
  for (const [postCode, postName, sort, remark] of [
    ["fs-alpha", "甲乙", 1, ""],
    ["fs-beta", "乙丙", 2, "有"],
    ["fs-gamma", "丙丁", 3, "有"],
  ] as const)
    await add("post", { postCode, postName, sort, remark, category: "1" });
  const found = async (query: Record<string, string>) =>
    (
      await get<Page<{ postCode: string }>>(`${system}/post/list`, {
        postCode_likeright: "fs-",
        ascs: "sort",
        ...query,
      })
    ).data.records
      .map(({ postCode }) => postCode.slice(3))
      .join();
  const cases: [Record<string, string>, string][] = [
    [{ postName: "乙" }, "alpha,beta"],
    [{ postName_like: "乙" }, "alpha,beta"],
    [{ postName_likeleft: "乙" }, "alpha"],
    [{ postName_likeright: "乙" }, "beta"],
    [{ postName_notlike: "乙" }, "gamma"],
    [{ postName_equal: "乙" }, ""],
    [{ postName_equal: "乙丙" }, "beta"],
    [{ postName_notequal: "乙丙" }, "alpha,gamma"],
    [{ sort_ge: "2" }, "beta,gamma"],
    [{ sort_gt: "2" }, "gamma"],
    [{ sort_le: "2" }, "alpha,beta"],
    [{ sort_lt: "2" }, "alpha"],
    [{ remark_null: "1" }, "alpha"],
    [{ remark_notnull: "1" }, "beta,gamma"],
    [{ postName_ignore: "乙" }, "alpha,beta,gamma"],
    [{ postName: "", sort_equal: "" }, "alpha,beta,gamma"],
    [{ createTime_datege: "2020-01-01 00:00:00", createTime_datelt: "2099-01-01 00:00:00" }, "alpha,beta,gamma"],
    [{ createTime_dategt: "2099-01-01 00:00:00" }, ""],
    [{ "Muyuan-Auth": "bearer x" }, "alpha,beta,gamma"],
  ];
  for (const [query, expected] of cases) expect([query, await found(query)]).toEqual([query, expected]);
});

describe("data scopes of single resources", () => {
  test("a role reaches in one resource what its data scope says, and in others what the role itself reaches", async () => {
    const some = await member(["post_view", "post_edit", "dept_view"]);
    const post1 = { postCode: `own-${some.roleId.slice(-6)}`, postName: "自己的岗位", category: "1" };
    const own = await add("post", post1, some.token);
    await add("post", { postCode: `adm-${some.roleId.slice(-6)}`, postName: "别人的岗位", category: "1" });
    const count = async (thing: string) =>
      (await get<Page<{ id: string }>>(`${system}/${thing}/page`, { size: "500" }, some.token)).data.records;
    const [posts, departments] = [await count("post"), await count("dept")];
    expect(posts.length).toBeGreaterThan(1);
    const scope = (scopeType: string, scopeValue = "") =>
      menuId("post").then((id) =>
        add("data-scope", {
          menuId: id,
          scopeName: `s${scopeType}${app.nextId()}`,
          resourceCode: "post",
          scopeType,
          scopeValue,
        }),
      );
    const onlyOwn = await scope("2");
    expect((await grant(some.roleId, { dataScopeIds: [onlyOwn] })).status).toBe(200);
    expect((await count("post")).map(({ id }) => id)).toEqual([own]);
    expect(await count("dept")).toHaveLength(departments.length);
    // Rows of the own department, added by somebody else.
    const theirs = await add("post", {
      postCode: `dep-${some.roleId.slice(-6)}`,
      postName: "部门的岗位",
      category: "1",
    });
    await sql("update posts set created_dept = $2 where id = $1", [theirs, some.departmentId]);
    expect(await count("post")).toHaveLength(1);
    expect((await grant(some.roleId, { dataScopeIds: [await scope("3")] })).status).toBe(200);
    expect((await count("post")).map(({ id }) => id).toSorted()).toEqual([own, theirs].toSorted());
    expect((await grant(some.roleId, { dataScopeIds: [await scope("5", some.departmentId)] })).status).toBe(200);
    expect(await count("post")).toHaveLength(2);
    expect((await grant(some.roleId, { dataScopeIds: [] })).status).toBe(200);
    expect((await count("post")).length).toBeGreaterThan(posts.length);
  });

  test("a change of a data scope holds from the next request on", async () => {
    const some = await member(["post_view"]);
    const id = await add("data-scope", {
      menuId: await menuId("post"),
      scopeName: `change${app.nextId()}`,
      resourceCode: "post",
      scopeType: "2",
    });
    await grant(some.roleId, { dataScopeIds: [id] });
    const total = async () => (await get<Page<object>>(`${system}/post/page`, {}, some.token)).data.total;
    expect(await total()).toBe(0);
    await post(`${system}/data-scope/submit`, { id, scopeType: "1" });
    expect(await total()).toBeGreaterThan(0);
    const keys = await get<{ dataScope: string[] }>(`${system}/menu/role-tree-keys`, { roleIds: some.roleId });
    expect(keys.data.dataScope).toEqual([id]);
    const tree = await get<{ dataScope: GrantNode[] }>(`${system}/menu/grant-tree`);
    expect(tree.data.dataScope.map((node) => node.id)).toContain(id);
  });

  test("a customer's owner grants no scopes of the group", async () => {
    const id = await add("data-scope", {
      menuId: await menuId("post"),
      scopeName: `mine${app.nextId()}`,
      resourceCode: "post",
      scopeType: "1",
    });
    const [role] = await sql<{ id: string }>(
      "select id::text from roles where tenant_id = $1 and role_alias = 'worker'",
      [tenant],
    );
    const menus = await sql<{ id: string }>("select menu_id::text as id from role_menus where role_id = $1", [
      role?.id,
    ]);
    const answer = await post(
      `${system}/role/grant`,
      { roleIds: [role?.id], menuIds: menus.map((menu) => menu.id), dataScopeIds: [id] },
      owner,
    );
    expect([answer.status, answer.data.reason]).toEqual([400, "role.grant_beyond"]);
    expect((await get<{ dataScope: unknown[] }>(`${system}/menu/grant-tree`, {}, owner)).data.dataScope).toEqual([]);
  });
});

describe("API scopes", () => {
  test("a path that a scope guards is closed to roles without it, whatever they are permitted", async () => {
    const some = await member(["post_view"]);
    const call = () => get(`${system}/post/page`, {}, some.token);
    expect((await call()).status).toBe(200);
    const id = await add("api-scope", {
      menuId: await menuId("post"),
      scopeName: "岗位列表",
      resourceCode: "post",
      scopePath: "/muyuan-system/post/page",
      scopeType: "2",
    });
    const closed = await call();
    expect([closed.status, (closed.data as { reason: string }).reason]).toEqual([403, "scope.path_closed"]);
    // The other name of the same call.
    expect((await get(`${system}/post/list`, {}, some.token)).status).toBe(403);
    expect((await get(`${system}/post/page`, {}, admin)).status).toBe(200);
    expect((await grant(some.roleId, { apiScopeIds: [id] })).status).toBe(200);
    expect((await call()).status).toBe(200);
    await grant(some.roleId, { apiScopeIds: [] });
    expect((await call()).status).toBe(403);
    await post(`${system}/api-scope/remove`, { ids: id });
    expect((await call()).status).toBe(200);
  });
});

describe("menus", () => {
  test("what an administrator renames, moves or adds stays after an update, and what comes with the product can't go", async () => {
    const home = await menuId("menu");
    expect((await post(`${system}/menu/submit`, { id: home, name: "菜单（改名）", sort: 77 })).status).toBe(200);
    const added = await add("menu", {
      name: "外链",
      code: `link${app.nextId()}`,
      path: "https://x.example.cn",
      category: 1,
    });
    await seedFoundation(app.test.database.kysely, app.nextId);
    const [row] = await sql<{ name: string; sort: number }>("select name, sort from menus where id = $1", [home]);
    expect(row).toEqual({ name: "菜单（改名）", sort: 77 });
    expect((await get(`${system}/menu/detail`, { id: added })).status).toBe(200);
    for (const change of [{ code: "other" }, { component: "/x/index" }, { path: "/elsewhere" }, { category: 2 }]) {
      const answer = await post(`${system}/menu/submit`, { id: home, ...change });
      expect([change, answer.status, answer.data.reason]).toEqual([change, 400, "menu.built_in"]);
    }
    const leaf = await menuId("menu_view");
    expect(await post(`${system}/menu/remove`, { ids: leaf })).toMatchObject({
      status: 400,
      data: { reason: "menu.built_in" },
    });
    expect((await post(`${system}/menu/remove`, { ids: added })).status).toBe(200);
  });

  test("a path is an address of the web or of the portal, no script", async () => {
    const answer = await post(`${system}/menu/submit`, {
      name: "坏",
      code: `bad${app.nextId()}`,
      path: "javascript:alert(1)",
      category: 1,
    });
    expect([answer.status, answer.data.reason]).toEqual([400, "row.invalid"]);
  });

  test("top menus are a tenant's own, hold what the caller holds, and limit the routes", async () => {
    const top = await add("topmenu", { code: "own_top", name: "自己的" }, admin);
    const [routes] = (await get<MenuNode[]>(`${system}/menu/routes`)).data;
    const inside = routes?.children?.[0]?.id ?? routes?.id ?? "";
    const foreign = await post(`${system}/topmenu/grant`, { topMenuIds: [top], menuIds: ["1"] });
    expect([foreign.status, foreign.data.reason]).toEqual([400, "role.grant_beyond"]);
    expect((await post(`${system}/topmenu/grant`, { topMenuIds: [top], menuIds: [inside] })).status).toBe(200);
    const limited = (await get<MenuNode[]>(`${system}/menu/routes`, { topMenuId: top })).data;
    expect(limited).toHaveLength(1);
    // Another tenant has none, and gets nothing by that id.
    expect(
      (await get<{ code: string }[]>(`${system}/menu/top-menu`, {}, owner)).data.map(({ code }) => code),
    ).not.toContain("own_top");
    expect((await get<MenuNode[]>(`${system}/menu/routes`, { topMenuId: top }, owner)).data).toEqual([]);
    await post(`${system}/topmenu/remove`, { ids: top });
    expect((await get<{ code: string }[]>(`${system}/menu/top-menu`)).data.map(({ code }) => code)).not.toContain(
      "own_top",
    );
  });
});

describe("tenants", () => {
  const logIn = (username: string, password: string) =>
    app.token({ grant_type: "password", username, password: md5(password) });

  test("a new tenant has roles, a department, a post and an administrator who must choose a password", async () => {
    const { data } = await post<{
      id: string;
      tenantId: string;
      administrator: { loginName: string; password: string };
    }>(`${system}/tenant/submit`, { tenantName: "新开公司", contactNumber: "13800138000" });
    const { loginName, password } = data.administrator;
    const answer = await logIn(loginName, password);
    expect([answer.status, answer.body.tenant_id]).toEqual([200, data.tenantId]);
    expect((await get(`${system}/user/page`, {}, answer.body.access_token)).status).toBe(412);
    const [made] = await sql<{ roles: number; departments: number; posts: number; number: string }>(
      `select (select count(*)::int from roles where tenant_id = $1) as roles,
              (select count(*)::int from departments where tenant_id = $1) as departments,
              (select count(*)::int from posts where tenant_id = $1) as posts,
              (select contact_number_encrypted from tenants where tenant_id = $1) as number`,
      [data.tenantId],
    );
    expect(made).toMatchObject({ roles: 5, departments: 1, posts: 1 });
    expect(made?.number).not.toContain("13800138000");
  });

  test("no more members are added than a tenant may have", async () => {
    const [row] = await sql<{ id: string; members: number }>(
      "select t.id::text, (select count(*)::int from memberships m where m.tenant_id = t.tenant_id) as members from tenants t where tenant_id = $1",
      [tenant],
    );
    const limit = (accountNumber: number) =>
      post(`${system}/tenant/setting`, {}, admin, { ids: row?.id ?? "", accountNumber: String(accountNumber) });
    const roles = (await get<{ id: string; roleAlias: string }[]>(`${system}/role/select`, {}, owner)).data;
    const roleId = roles.find(({ roleAlias }) => roleAlias === "worker")?.id;
    const join = (account: string) => post(`${system}/user/submit`, { account, roleId }, owner);
    expect((await limit(row?.members ?? 0)).status).toBe(200);
    expect(await join("onemore")).toMatchObject({ status: 400, msg: "当前租户已到最大账号额度!" });
    expect((await limit((row?.members ?? 0) + 1)).status).toBe(200);
    const both = await Promise.all([join("onemorea"), join("onemoreb")]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect((await limit(-1)).status).toBe(200);
    expect((await join("onemorec")).status).toBe(200);
  });

  test("when a tenant's time is over its sessions end and nobody logs in; the group has no end", async () => {
    const session = await app.logIn("vet", tenant);
    const [row] = await sql<{ id: string }>("select id::text from tenants where tenant_id = $1", [tenant]);
    const end = (expireTime: string) => post(`${system}/tenant/setting`, {}, admin, { ids: row?.id ?? "", expireTime });
    expect((await get(`${system}/user/info`, {}, session)).status).toBe(200);
    expect((await end("2020-01-01 00:00:00")).status).toBe(200);
    expect((await get(`${system}/user/info`, {}, session)).status).toBe(401);
    const refused = await app.token({
      grant_type: "password",
      username: "farm",
      password: md5(demoPassword),
      tenantId: tenant,
    });
    expect([refused.status, refused.body.error, refused.body.error_description]).toEqual([
      400,
      "access_denied",
      "租户授权已过期,请联系管理员",
    ]);
    expect((await end("")).status).toBe(200);
    expect((await get(`${system}/user/info`, {}, session)).status).toBe(200);
    const group_ = await post(`${system}/tenant/setting`, {}, admin, {
      ids: "1560000000000900001",
      expireTime: "2020-01-01",
    });
    expect([group_.status, group_.data.reason]).toEqual([400, "tenants.group_limits"]);
  });

  test("a host belongs to one tenant", async () => {
    const set = (id: string, domainUrl: string) => post(`${system}/tenant/submit`, { id, domainUrl });
    expect((await set("100001", "https://farm.example.cn")).status).toBe(200);
    expect(await set("100002", "FARM.example.cn")).toMatchObject({ status: 400, data: { reason: "tenants.domain" } });
    expect(await set("100002", "not a host")).toMatchObject({ status: 400, data: { reason: "tenants.domain" } });
  });
});

describe("users by sheet", () => {
  const headings = [
    "租户编号",
    "用户平台名称",
    "账户",
    "昵称",
    "姓名",
    "邮箱",
    "手机",
    "角色名称",
    "部门名称",
    "岗位名称",
    "生日",
  ];
  const upload = async (rows: string[][], token: string, isCovered = "0") => {
    const boundary = "effects";
    const answer = await app.http.inject({
      method: "POST",
      url: `${system}/user/import-user`,
      query: { isCovered },
      headers: { "muyuan-auth": `bearer ${token}`, "content-type": `multipart/form-data; boundary=${boundary}` },
      payload: Buffer.concat([
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="u.xlsx"\r\n\r\n`),
        await sheetOf([headings, ...rows]),
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ]),
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  const rowOf = (tenantId: string, account: string, role: string) => [
    tenantId,
    "WEB",
    account,
    "",
    "",
    "",
    "",
    role,
    "",
    "",
    "",
  ];

  test("a customer's sheet names users of the own tenant alone, and the roles of it", async () => {
    expect(await upload([rowOf(group, "sheetone", "饲养员")], owner)).toMatchObject({
      status: 200,
      body: { data: { added: 1 } },
    });
    const [row] = await sql<{ tenantId: string }>(
      `select m.tenant_id as "tenantId" from memberships m join accounts a on a.id = m.account_id where a.account = 'sheetone'`,
    );
    expect(row?.tenantId).toBe(tenant);
    const admins = await upload([rowOf(group, "sheettwo", "管理员")], owner);
    expect(admins).toMatchObject({ status: 400, body: { msg: "第 2 行：没有叫“管理员”的角色" } });
    // An account of another tenant is taken, and can't be changed by covering it.
    expect((await upload([rowOf(group, "admin", "饲养员")], owner, "1")).status).toBe(400);
  });

  test("nobody imports a user with more rights than theirs", async () => {
    const some = await member(["user_view", "user_edit", "user_import"]);
    const answer = await upload([rowOf(group, "sheetboss", "管理员")], some.token);
    expect([answer.status, answer.body.msg]).toEqual([400, "第 2 行：无权配置管理员角色!"]);
    expect(await sql("select from accounts where account = 'sheetboss'")).toEqual([]);
  });
});

describe("notices", () => {
  const desk = "/api/muyuan-desk/notice";
  test("a customer reads what reached them, and neither drafts nor what was taken back", async () => {
    expect(
      (
        await post(`${desk}/submit`, {
          title: "给大家的公告",
          category: 2,
          content: "<p>a &lt;b&gt;</p><script>x</script><p>c</p>",
          releaseTime: "2024-01-01 08:00:00",
        })
      ).status,
    ).toBe(200);
    expect((await post(`${desk}/submit`, { title: "还没写完的公告", content: "<p>x</p>" })).status).toBe(200);
    await app.runJob("announcements.send");
    const titles = async (token: string) =>
      (await get<Page<Notice>>(`${desk}/list`, { title: "公告", size: "50" }, token)).data.records.map(
        ({ title }) => title,
      );
    // The job that the call asked for may be the one that sends it.
    await vi.waitFor(async () => expect(await titles(owner)).toContain("给大家的公告"), { timeout: 10_000 });
    expect(await titles(owner)).not.toContain("还没写完的公告");
    expect(await titles(admin)).toContain("还没写完的公告");
    const [sent] = (await get<Page<Notice>>(`${desk}/list`, { title: "给大家的公告" }, owner)).data.records;
    expect(sent).toMatchObject({
      category: 2,
      categoryName: "批转通知",
      tenantId: group,
      content: "<p>a &#60;b&#62;</p><p>c</p>",
    });
    const unread = async () =>
      (await get<{ title: string }[]>("/api/muyuan-desk/dashboard/my-notices", {}, owner)).data.map(
        ({ title }) => title,
      );
    expect(await unread()).toContain("给大家的公告");
    const [draft] = (await get<Page<Notice>>(`${desk}/list`, { title: "还没写完" })).data.records;
    expect((await get(`${desk}/detail`, { id: draft?.id ?? "" }, owner)).status).toBe(404);
    expect((await post(`${desk}/remove`, { ids: sent?.id })).status).toBe(200);
    expect(await titles(owner)).not.toContain("给大家的公告");
    expect((await get(`${desk}/detail`, { id: sent?.id ?? "" }, owner)).status).toBe(404);
  });

  test("who may write but not publish keeps drafts alone", async () => {
    const some = await member(["announcement_view", "announcement_edit"]);
    const body = { title: "只许写草稿", content: "<p>x</p>" };
    const sent = await post(`${desk}/submit`, { ...body, releaseTime: "2024-01-01 08:00:00" }, some.token);
    expect([sent.status, sent.data.reason]).toEqual([403, "permission.missing"]);
    expect((await post(`${desk}/submit`, body, some.token)).status).toBe(200);
  });
});

describe("logs", () => {
  const logs = "/api/muyuan-log";
  const find = <T>(kind: string, query: Record<string, string>) =>
    vi.waitFor(
      async () => {
        const { data } = await get<Page<T>>(`${logs}/${kind}/list`, query);
        const [first] = data.records;
        if (first === undefined) throw new Error("nothing is written yet");
        return first;
      },
      { timeout: 10_000 },
    );

  test("a failure is found by the number that the person was shown", async () => {
    await sql("alter table parameters rename to parameters_away");
    const answer = await app.call({ path: `${system}/param/list`, token: admin });
    await sql("alter table parameters_away rename to parameters");
    expect(answer.status).toBe(500);
    const [, number = ""] = /\(([0-9a-f-]{36})\)/.exec(answer.body.msg) ?? [];
    const entry = await find<ErrorLog>("error", { requestId: number });
    expect(entry).toMatchObject({
      requestUri: `${system}/param/page`,
      methodName: "param_page",
      createBy: "admin",
      stackTrace: "",
    });
    const { data } = await get<ErrorLog>(`${logs}/error/detail`, { id: entry.id });
    expect(data.stackTrace).toContain("resource");
    expect(data.exceptionName).not.toBe("");
    expect(data.message).toContain("parameters");
  });

  test("a changing call is noted with its time, a refusal with its reason; reads are not", async () => {
    const code = `log${app.nextId()}`;
    const { headers } = await app.call({
      method: "POST",
      path: `${system}/post/submit`,
      token: admin,
      body: { postCode: code },
    });
    const requestId = String(headers["x-request-id"]);
    const call = await find<ApiLog>("api", { requestId });
    expect(call).toMatchObject({
      methodName: "post_submit",
      status: 400,
      createBy: "admin",
      serviceId: "system",
      params: "",
    });
    expect(Number(call.time)).toBeGreaterThanOrEqual(0);
    expect(await find<UsualLog>("usual", { requestId })).toMatchObject({ logId: "row.invalid", logLevel: "info" });
    const read = await app.call({ path: `${system}/post/page`, token: admin });
    // What is written later than the read is there, so the read would be, too.
    const { headers: later } = await app.call({
      method: "POST",
      path: `${system}/post/submit`,
      token: admin,
      body: {},
    });
    await find<ApiLog>("api", { requestId: String(later["x-request-id"]) });
    const { data } = await get<Page<ApiLog>>(`${logs}/api/list`, { requestId: String(read.headers["x-request-id"]) });
    expect(data.total).toBe(0);
  });

  test("calls that were refused or took long are found by that, and translating is no change", async () => {
    const refused = await app.call({ method: "POST", path: `${system}/post/submit`, token: admin, body: {} });
    await find<ApiLog>("api", { requestId: String(refused.headers["x-request-id"]) });
    const { data: failed } = await get<Page<ApiLog>>(`${logs}/api/list`, { outcome: "failed" });
    expect(failed.total).toBeGreaterThan(0);
    expect(failed.records.filter(({ status }) => status < 400)).toEqual([]);
    await sql("update api_logs set time_ms = 1000 where request_id = $1", [String(refused.headers["x-request-id"])]);
    const { data: slow } = await get<Page<ApiLog>>(`${logs}/api/list`, { outcome: "slow" });
    expect(slow.records.map(({ requestId }) => requestId)).toContain(String(refused.headers["x-request-id"]));
    expect(slow.records.filter(({ time }) => Number(time) < 1000)).toEqual([]);
    const translated = await app.call({
      method: "POST",
      path: "/api/muyuan-i18n/baidu/trans",
      token: admin,
      body: { src: "猪舍", to: "en" },
    });
    const later = await app.call({ method: "POST", path: `${system}/post/submit`, token: admin, body: {} });
    await find<ApiLog>("api", { requestId: String(later.headers["x-request-id"]) });
    const { data } = await get<Page<ApiLog>>(`${logs}/api/list`, {
      requestId: String(translated.headers["x-request-id"]),
    });
    expect(data.total).toBe(0);
  });

  test("no entry holds a password, a token, a phone or a name", async () => {
    const secrets = ["13912345678", "王小密", "Secret-2026-x", md5("Secret-2026-x"), "captcha-text"];
    await post(`${system}/user/submit`, {
      account: "logged1",
      realName: secrets[1],
      phone: secrets[0],
      password: secrets[2],
    });
    await post(`${system}/user/update-password`, {
      oldPassword: secrets[3],
      newPassword: secrets[3],
      newPassword1: secrets[3],
    });
    await app.token(
      { grant_type: "password", username: "logged1", password: secrets[3] ?? "" },
      { "captcha-code": secrets[4] ?? "" },
    );
    const { headers } = await app.call({
      method: "POST",
      path: `${system}/dept/submit`,
      token: admin,
      body: { deptName: secrets[1], version: 3, parentId: "12" },
    });
    const call = await find<ApiLog>("api", { requestId: String(headers["x-request-id"]) });
    const { data } = await get<ApiLog>(`${logs}/api/detail`, { id: call.id });
    expect(JSON.parse(data.params)).toEqual({ query: {}, body: { deptName: "***", version: 3, parentId: "12" } });
    // A call that proves who somebody is leaves not even the names of what was sent.
    const confirm = await app.call({
      method: "POST",
      path: "/api/muyuan-auth/session/confirm",
      token: admin,
      body: { password: secrets[3] },
    });
    const proof = await find<ApiLog>("api", { requestId: String(confirm.headers["x-request-id"]) });
    expect((await get<ApiLog>(`${logs}/api/detail`, { id: proof.id })).data.params).toBe("");
    for (const table of ["usual_logs", "api_logs", "error_logs"]) {
      const rows = JSON.stringify(await sql(`select * from ${table}`));
      for (const secret of secrets) expect([table, rows.includes(secret)]).toEqual([table, false]);
      expect(rows).not.toContain("oauth/token");
    }
  });

  test("entries go when they are older than the settings keep them", async () => {
    const requestId = "10000000-0000-4000-8000-000000000000";
    await sql(
      `insert into api_logs select (jsonb_populate_record(l, jsonb_build_object('id', l.id + 1, 'request_id', $1::text, 'created_at', now() - interval '91 days'))).*
         from api_logs l limit 1`,
      [requestId],
    );
    const total = async () => (await get<Page<ApiLog>>(`${logs}/api/list`, { requestId })).data.total;
    expect(await total()).toBe(1);
    await sql("update parameters set param_value = '100' where param_key = 'log.apiDays'");
    await app.runJob("service-logs.sweep");
    expect(await total()).toBe(1);
    await sql("update parameters set param_value = '90' where param_key = 'log.apiDays'");
    await app.runJob("service-logs.sweep");
    expect(await total()).toBe(0);
    expect((await get<Page<ApiLog>>(`${logs}/api/list`)).data.total).toBeGreaterThan(0);
  });
});

describe("regions", () => {
  test("a rename by the group stays after an update; added towns do, too", async () => {
    const submit = (body: object) => post(`${system}/region/submit`, body);
    expect((await submit({ code: "411325", name: "内乡县（改名）" })).status).toBe(200);
    expect((await submit({ code: "411325103", parentCode: "411325", name: "新镇" })).status).toBe(200);
    await seedFoundation(app.test.database.kysely, app.nextId);
    const { data } = await get<{ name: string; cityName: string; hasChildren: boolean; ancestors: string }>(
      `${system}/region/detail`,
      { code: "411325" },
    );
    expect(data).toMatchObject({
      name: "内乡县（改名）",
      cityName: "南阳市",
      hasChildren: true,
      ancestors: "00,41,4113",
    });
    expect(
      (await get<{ villageName: string; townName: string }>(`${system}/region/detail`, { code: "411325103" })).data
        .townName,
    ).toBe("新镇");
    expect((await submit({ code: "999999", name: "没有上级" })).data.reason).toBe("region.parent_missing");
  });

  test("divisions are found by name, pinyin and first letters", async () => {
    const codes = async (name: string) =>
      (await get<{ id: string }[]>(`${system}/region/lazy-tree`, { name })).data.map(({ id }) => id);
    expect(await codes("南阳")).toContain("4113");
    expect(await codes("NanYang")).toContain("4113");
    expect(await codes("ny")).toContain("4113");
    expect(await codes("%")).toEqual([]);
  });
});
