import type { Page, RoleChoice, User } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { md5 } from "../harness/session.ts";

const base = "/api/muyuan-system";
const group = "000000";

let app: TestApp;
let admin: string;
let owner: string;
/** The owner's tenant. */
const tenant = "100002";

beforeAll(async () => {
  app = await createTestApp();
  admin = await app.logIn("admin");
  owner = await app.logIn("farm");
});
afterAll(() => app.close());

const post = (name: string, token: string, body: unknown, query?: Record<string, string>) =>
  app.call({ method: "POST", path: `${base}/user/${name}`, token, body, ...(query && { query }) });
const page = async (token: string, query = ""): Promise<Page<User>> =>
  (await app.get<Page<User>>(`${base}/user/page?size=100${query}`, token)).body.data;
const find = async (account: string, token = admin): Promise<User> => {
  const { records } = await page(token, `&account=${account}`);
  const [user] = records;
  if (user === undefined) throw new Error(`there is no user ${account}`);
  return user;
};
const roles = async (token: string, tenantId = ""): Promise<RoleChoice[]> =>
  (await app.get<RoleChoice[]>(`${base}/role/select?tenantId=${tenantId}`, token)).body.data;
const roleId = async (alias: string, token: string, tenantId = ""): Promise<string> =>
  (await roles(token, tenantId)).find(({ roleAlias }) => roleAlias === alias)?.id ?? "";
/** Adds a user and lets them choose a password. */
const join = async (account: string, alias: string, token = owner): Promise<{ id: string; password: string }> => {
  const { status, body } = await post("submit", token, { account, roleId: await roleId(alias, token) });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data as { id: string; password: string };
};
const logInAs = (username: string, password: string) =>
  app.token({ grant_type: "password", username, password: md5(password) });
const choosePassword = async (account: string, password: string, chosen: string): Promise<string> => {
  const { body } = await logInAs(account, password);
  const hashes = { oldPassword: md5(password), newPassword: md5(chosen), newPassword1: md5(chosen) };
  const { status } = await post("update-password", body.access_token, hashes);
  expect(status).toBe(200);
  return body.access_token;
};

describe("users of a tenant", () => {
  test("a page shows the own tenant, in the shape of the wire, without what is personal", async () => {
    const { records, total } = await page(owner);
    expect(total).toBe(records.length);
    expect(records.map(({ account }) => account).sort()).toEqual(["chenxiao", "farm", "liuyang", "vet", "wangzq"]);
    const farm = records.find(({ account }) => account === "farm");
    expect(farm).toMatchObject({
      tenantId: tenant,
      tenantName: "中原牧业有限公司",
      userTypeName: "WEB",
      sexName: "未知",
      roleName: "企业主",
      deptId: "",
      status: 1,
      locked: false,
      isDeleted: 0,
      version: expect.any(Number),
    });
    expect(farm?.phone).toMatch(/^1\d{2}\*{4}\d{4}$/);
    expect(farm?.roleId).toMatch(/^\d+$/);
    expect(JSON.stringify(records)).not.toMatch(/"password"|hash|argon/i);
  });

  test("says when somebody signed in to it last: not as whom somebody else looked, nor to another tenant", async () => {
    const before = await find("vet", owner);
    expect(await app.logIn("vet", tenant)).not.toBe("");
    const last = (await find("vet", owner)).lastLoginTime;
    expect([before.lastLoginTime, last]).toEqual(["", expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)]);
    await app.test.database.pool.query(
      `update sessions set preview_of = id, preview_role_id = (select min(role_id) from membership_roles r where r.membership_id = sessions.membership_id)
        where membership_id = (select m.id from memberships m join accounts a on a.id = m.account_id where a.account = 'vet' and m.tenant_id = $1)`,
      [tenant],
    );
    expect((await find("vet", owner)).lastLoginTime).toBe(before.lastLoginTime);
  });

  test("the group's staff see all tenants; a customer who asks for another sees the own", async () => {
    const all = await page(admin);
    expect(new Set(all.records.map(({ tenantId }) => tenantId)).size).toBeGreaterThan(2);
    const one = await page(admin, `&tenantId=${tenant}`);
    expect(new Set(one.records.map(({ tenantId }) => tenantId))).toEqual(new Set([tenant]));
    const asked = await page(owner, `&tenantId=${group}`);
    expect(new Set(asked.records.map(({ tenantId }) => tenantId))).toEqual(new Set([tenant]));
    expect((await app.get<unknown[]>(`${base}/tenant/select`, owner)).body.data).toEqual([
      expect.objectContaining({ tenantId: tenant }),
    ]);
    expect((await app.get<unknown[]>(`${base}/tenant/select`, admin)).body.data.length).toBeGreaterThan(2);
  });

  test("a user of another tenant answers like one that never was, for every call", async () => {
    const foreign = (await find("admin")).id;
    for (const id of [foreign, "1234567890123456789"]) {
      const answers = await Promise.all([
        app.get(`${base}/user/detail?id=${id}`, owner),
        post("update", owner, { id, name: "x" }),
        post("submit", owner, { id, name: "x", tenantId: group }),
        post("remove", owner, {}, { ids: id }),
        post("grant", owner, {}, { userIds: id, roleIds: await roleId("worker", owner) }),
        post("reset-password", owner, {}, { userIds: id, tenantId: group }),
        post("unlock", owner, {}, { userIds: id }),
      ]);
      for (const { status, body } of answers) {
        expect(status).toBe(404);
        expect(body).toMatchObject({
          code: 404,
          success: false,
          data: { reason: "users.not_found" },
          msg: "404 没找到请求",
        });
      }
    }
  });

  test("words in filters are words, and columns to sort by are a list", async () => {
    expect((await page(owner, "&keyword=%25")).total).toBe(0);
    expect((await page(owner, "&keyword=FAR")).records[0]?.account).toBe("farm");
    expect((await page(owner, "&descs=account")).records[0]?.account).toBe("wangzq");
    expect((await app.get(`${base}/user/page?ascs=password_hash`, owner)).status).toBe(400);
  });
});

describe("calls of admin clients of the family", () => {
  const list = async (query: string, token = owner) =>
    (await app.get<Page<User>>(`${base}/user/list?size=100${query}`, token)).body.data.records.map(
      ({ account }) => account,
    );

  test("user/list finds by parts of account and name, within the own tenant", async () => {
    expect((await list("")).sort()).toEqual(["chenxiao", "farm", "liuyang", "vet", "wangzq"]);
    expect(await list("&account=ang&ascs=account")).toEqual(["liuyang", "wangzq"]);
    expect(await list("&account=ANG&realName=%E5%88%98")).toEqual(["liuyang"]);
    expect(await list("&realName=%E5%91%A8")).toEqual(["farm"]);
    // A sign of the search language stands for itself.
    for (const sign of ["%25", "_"]) expect(await list(`&account=${sign}`)).toEqual([]);
    expect(await list("&account=admin")).toEqual([]);
    expect((await app.get(`${base}/user/list`, await app.logIn("worker"))).status).toBe(403);
  });

  test("tenant/info knows no domain, for anybody", async () => {
    expect((await app.get(`${base}/tenant/info?domain=https%3A%2F%2Fx.example`)).body).toMatchObject({
      code: 200,
      data: {},
    });
  });

  test("a user's row tells who let the person in and who changed the user last", async () => {
    const self = await find("farm");
    expect([self.createUser, self.createDept, self.updateUser]).toEqual(["", "", ""]);
    const { id } = await join("authored", "worker");
    expect(await find("authored")).toMatchObject({ createUser: self.id, updateUser: self.id });
    const group = await find("admin");
    await post("update", admin, { id, tenantId: tenant, realName: "钱多多" });
    expect(await find("authored")).toMatchObject({ createUser: self.id, updateUser: group.id, realName: "钱多多" });
    await post("remove", owner, { ids: id });
  });
});

describe("departments and posts", () => {
  const submit = async (kind: "dept" | "post", token: string, body: Record<string, unknown>): Promise<string> => {
    const answer = await app.call({ method: "POST", path: `${base}/${kind}/submit`, token, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return (answer.body.data as { id: string }).id;
  };
  const department = (name: string, tenantId: string, parentId = "") =>
    submit("dept", admin, {
      tenantId,
      deptName: name,
      fullName: name,
      deptCategory: "2",
      ...(parentId && { parentId }),
    });
  const reasonOf = ({ status, body }: { status: number; body: unknown }) => [
    status,
    (body as { data: { problems: { field: string; reason: string }[] } }).data.problems.map(({ field, reason }) => ({
      field,
      reason,
    })),
  ];

  test("somebody stands in several and holds posts; the list finds them in a department and in those above it", async () => {
    const farm = await department("一分场", tenant);
    const house = await department("配怀舍", tenant, farm);
    const post = await submit("post", admin, {
      tenantId: tenant,
      postCode: "keeper",
      postName: "饲养员",
      category: "4",
    });
    const { id } = await join("placed", "worker");
    const { version } = await find("placed", owner);
    expect((await change(id, { deptId: house, postId: post, version })).status).toBe(200);
    expect(await find("placed", owner)).toMatchObject({
      deptId: house,
      deptName: "配怀舍",
      postId: post,
      postName: "饲养员",
    });
    for (const query of [`deptId=${farm}`, `deptId=${house}`, `postId=${post}`]) {
      expect(
        (await page(owner, `&${query}`)).records.map(({ account }) => account),
        query,
      ).toEqual(["placed"]);
    }
    // What a change leaves out stays.
    await change(id, { name: "小张" });
    expect(await find("placed", owner)).toMatchObject({ deptId: house, postId: post });
    await change(id, { deptId: "", postId: "" });
    expect(await find("placed", owner)).toMatchObject({ deptId: "", deptName: "", postId: "", postName: "" });
  });
  const change = (id: string, change: Record<string, unknown>, token = owner) =>
    post("update", token, { id, ...change });

  test("those of another tenant are none, at their field", async () => {
    const foreign = await department("集团总部", group);
    const foreignPost = await submit("post", admin, {
      tenantId: group,
      postCode: "head",
      postName: "总监",
      category: "1",
    });
    const { id } = await find("vet", owner);
    expect(reasonOf(await change(id, { deptId: foreign }))).toEqual([
      400,
      [{ field: "deptId", reason: "users.unknown_department" }],
    ]);
    expect(reasonOf(await change(id, { postId: foreignPost }))).toEqual([
      400,
      [{ field: "postId", reason: "users.unknown_post" }],
    ]);
    expect((await page(owner, `&deptId=${foreign}`)).total).toBe(0);
  });

  test("whose data scope is one department puts nobody into another and takes nobody out of it", async () => {
    const mine = await department("二分场", tenant);
    const other = await department("三分场", tenant);
    const roleRow = await app.call({
      method: "POST",
      path: `${base}/role/submit`,
      token: admin,
      body: { tenantId: tenant, roleName: "分场文员", roleAlias: "filer", dataScope: "department" },
    });
    const filerRole = (roleRow.body.data as { id: string }).id;
    const rights = await app.test.database.kysely
      .selectFrom("menus")
      .where("code", "in", ["user_view", "user_edit"])
      .select("id as menuId")
      .execute();
    const workers = await app.test.database.kysely
      .selectFrom("roleMenus")
      .where("roleId", "=", await roleId("worker", owner))
      .select("menuId")
      .execute();
    const menuIds = new Set([...rights, ...workers].map(({ menuId }) => menuId));
    await app.test.database.kysely
      .insertInto("roleMenus")
      .values([...menuIds].map((menuId) => ({ roleId: filerRole, menuId })))
      .execute();
    const { id: filerId, password } = await join("filer", "worker");
    expect((await change(filerId, { roleId: filerRole, deptId: mine })).status).toBe(200);
    await choosePassword("filer", password, "Feldberg#42");
    const filer = (await logInAs("filer", "Feldberg#42")).body.access_token;
    const { id } = await join("moved", "worker");
    const refused = [400, [{ field: "deptId", reason: "users.department_above" }]];
    // Who stands in no department is beyond a scope of departments.
    expect((await change(id, { deptId: mine }, filer)).status).toBe(404);
    expect((await change(id, { deptId: mine })).status).toBe(200);
    expect(reasonOf(await change(id, { deptId: `${mine},${other}` }, filer))).toEqual(refused);
    expect((await change(id, { deptId: `${mine},${other}` })).status).toBe(200);
    expect(reasonOf(await change(id, { deptId: mine }, filer))).toEqual(refused);
    expect((await find("moved", owner)).deptId.split(",").sort()).toEqual([mine, other].sort());
  });
});

describe("adding and changing", () => {
  test("a new user gets a random password once, must change it, and then works in the tenant", async () => {
    const { id, password } = await join("zhu.first", "worker");
    expect(password).toMatch(/^[A-Za-z0-9]{12}$/);
    const first = await logInAs("zhu.first", password);
    expect(first.body.detail.mustChangePassword).toBe(true);
    expect((await app.get("/api/muyuan-farm/tree/list", first.body.access_token)).status).toBe(412);
    const token = await choosePassword("zhu.first", password, "Barn-2026-first");
    expect((await app.get("/api/muyuan-farm/tree/list", token)).status).toBe(200);
    expect(await find("zhu.first", owner)).toMatchObject({
      id,
      tenantId: tenant,
      roleName: "饲养员",
      mustChangePassword: false,
    });
  });

  test("raw text and MD5 of the same password are the same; a poor one is refused", async () => {
    const role = await roleId("worker", owner);
    expect((await post("submit", owner, { account: "zhu.raw", password: "Trough#77", roleId: role })).status).toBe(200);
    expect((await logInAs("zhu.raw", "Trough#77")).status).toBe(200);
    const poor = { account: "zhu.poor", roleId: role };
    expect((await post("submit", owner, { ...poor, password: "abcdef" })).body.msg).toMatch(/2 种/);
    expect((await post("submit", owner, { ...poor, password: md5("abc123456") })).body.msg).toMatch(/过于常见/);
    expect((await page(owner, "&account=zhu.poor")).total).toBe(0);
  });

  test("what is wrong is said: name taken, role missing or foreign, birthday, e-mail, phone, name", async () => {
    const role = await roleId("worker", owner);
    const said = async (body: object) => (await post("submit", owner, body)).body.msg;
    expect(await said({ account: "FARM", roleId: role })).toBe("当前用户 [FARM] 已存在!");
    expect(await said({ account: "zhu.norole" })).toBe("请选择角色");
    expect(await said({ account: "zhu.foreign", roleId: await roleId("administrator", admin) })).toMatch(/角色不存在/);
    expect(await said({ account: "zhu.b", roleId: role, birthday: "2023-02-30" })).toBe("生日不正确");
    expect(await said({ account: "zhu.b", roleId: role, email: "nobody" })).toBe("请输入正确的邮箱");
    expect(await said({ account: "zhu.b", roleId: role, phone: "12345" })).toBe("请输入正确的手机号");
    expect(await said({ account: "zhu.b", roleId: role, realName: "甲" })).toBe(
      "姓名为 2 到 5 个汉字；有间隔号（·）或字母的为 2 到 30 个字符",
    );
    expect(await said({ account: "", roleId: role })).toBe("请输入用户名");
    expect((await page(owner, "&account=zhu.b")).total).toBe(0);
  });

  test("names and phones are stored in one form, however they were typed; names of before stay", async () => {
    const { id } = await join("zhu.names", "worker");
    const update = (body: object) => post("update", owner, { id, ...body });
    for (const [typed, stored] of [
      ["买买提•吐尔逊\u00a0", "买买提·吐尔逊"],
      ["朱\u200b一\u3000", "朱一"],
      ["Anna B. Berg", "Anna B. Berg"],
    ] as const) {
      expect([typed, (await update({ realName: typed })).status]).toEqual([typed, 200]);
      expect((await find("zhu.names", owner)).realName).toBe(stored);
    }
    for (const realName of ["六个字的名字", "朱\u200b", "朱1"])
      expect([realName, (await update({ realName })).status]).toEqual([realName, 400]);
    const { pool } = app.test.database;
    for (const [at, typed] of ["+86 139 0077 000", "139 0077 000", "139-0077-000", "１３９００７７０００"].entries()) {
      expect([typed, (await update({ phone: `${typed}${at}` })).status]).toEqual([typed, 200]);
      const { rows } = await pool.query("select phone_encrypted from accounts where id = $1", [id]);
      expect(app.personalCipher.decrypt(rows[0]?.phone_encrypted)).toBe(`1390077000${at}`);
    }
    await pool.query("update accounts set real_name = '六个字的 名字' where id = $1", [id]);
    expect((await update({ realName: "六个字的 名字", name: "小朱\u200b" })).status).toBe(200);
    expect(await find("zhu.names", owner)).toMatchObject({ realName: "六个字的 名字", name: "小朱" });
  });

  test("a whole record that comes back with masked phone and e-mail leaves both as they were", async () => {
    const { id } = await join("zhu.masked", "worker");
    const update = (body: object) => post("update", owner, { id, ...body });
    expect((await update({ phone: "13900001234", email: "zhu@example.cn", realName: "朱一", sex: 1 })).status).toBe(
      200,
    );
    const held = await find("zhu.masked", owner);
    expect(held).toMatchObject({ phone: "139****1234", email: "z***@example.cn", sexName: "男" });
    const { rows: before } = await app.test.database.pool.query("select phone_encrypted from accounts where id = $1", [
      id,
    ]);
    expect((await post("submit", owner, { ...held, code: "A-7", birthday: "1990-05-01 00:00:00" })).status).toBe(200);
    const { rows: after } = await app.test.database.pool.query("select phone_encrypted from accounts where id = $1", [
      id,
    ]);
    expect(after).toEqual(before);
    expect(await find("zhu.masked", owner)).toMatchObject({
      code: "A-7",
      birthday: "1990-05-01 00:00:00",
      phone: "139****1234",
    });
    expect(before[0].phone_encrypted).not.toContain("13900001234");
  });

  test("two editors: the second is told, and nothing is overwritten", async () => {
    const { id } = await join("zhu.twice", "worker");
    const { version } = await find("zhu.twice", owner);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => post("update", owner, { id, version, name: `editor ${at}` })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
  });

  test("a number that was only typed opens nothing, and never crowds out who proved it", async () => {
    const role = await roleId("worker", owner);
    const account = "zhu.squat";
    expect((await post("submit", owner, { account, roleId: role, phone: "13800000002" })).status).toBe(200);
    const sms = async (phone: string) => {
      app.pass(61);
      const sent = await app.call({
        method: "POST",
        path: "/api/muyuan-resource/sms/endpoint/skip-secure/send-validate",
        query: { mobilePhone: phone },
        headers: await app.captcha(),
      });
      const { id } = sent.body.data as { id: string };
      const value = /\d{6}/.exec((await app.sms(phone))[0] ?? "")?.[0] ?? "";
      return app.token({ grant_type: "sms_code", phone, id, value });
    };
    expect((await sms("13800000002")).body.account).not.toBe(account);
    expect((await post("submit", owner, { account: "zhu.phone", roleId: role, phone: "13900005678" })).status).toBe(
      200,
    );
    expect((await sms("13900005678")).body).toMatchObject({ error: "invalid_grant" });
  });
});

describe("rights", () => {
  test("nobody gives what they do not have, and nobody touches who may do more", async () => {
    const clerk = await post("submit", admin, {
      account: "clerk",
      password: "Clerk#2026x",
      roleId: await roleId("customer_service", admin),
    });
    expect(clerk.status).toBe(200);
    const token = await choosePassword("clerk", "Clerk#2026x", "Clerk#2026y");
    const target = (await find("admin")).id;
    const above = {
      code: 400,
      success: false,
      data: expect.objectContaining({ reason: expect.stringMatching(/^users\.(role_)?above$/) }),
      msg: "无权配置管理员角色!",
    };
    expect((await post("reset-password", token, {}, { userIds: target })).body).toEqual(above);
    expect((await post("unlock", token, {}, { userIds: target })).body).toEqual(above);
    expect((await post("remove", token, {}, { ids: target })).status).toBe(403);
    expect((await roles(token)).find(({ roleAlias }) => roleAlias === "administrator")?.grantable).toBe(false);
    expect((await roles(admin)).every(({ grantable }) => grantable)).toBe(true);
    // Customers' users are theirs to help.
    const worker = await find("worker");
    expect((await post("unlock", token, {}, { userIds: worker.id })).status).toBe(200);
    // An owner who may edit, but not view telemetry, can't give the right to view it either.
    await app.test.database.pool.query(
      `delete from role_menus where menu_id = (select id from menus where code = 'env_unit')
         and role_id = (select id from roles where tenant_id = $1 and role_alias = 'owner')`,
      [tenant],
    );
    const self = await find("farm", owner);
    const veterinarian = await roleId("veterinarian", owner);
    expect((await post("grant", owner, {}, { userIds: self.id, roleIds: veterinarian })).body).toEqual(above);
    await app.test.database.pool.query(
      `insert into role_menus select r.id, m.id from roles r, menus m
        where r.tenant_id = $1 and r.role_alias = 'owner' and m.code = 'env_unit'`,
      [tenant],
    );
  });

  test("what belongs to a person of several tenants is out of reach of one of them", async () => {
    const vet = await find("vet", owner);
    expect(vet.shared).toBe(true);
    const refused = await post("reset-password", owner, {}, { userIds: vet.id });
    expect(refused.status).toBe(400);
    expect(refused.body.msg).toMatch(/其他租户/);
    expect((await post("update", owner, { id: vet.id, phone: "13911112222" })).status).toBe(400);
    expect((await post("update", owner, { id: vet.id, code: "V-1" })).status).toBe(200);
    expect((await logInAs("vet", demoPassword)).body.error).toBe("multi_tenant");
    const which = await post("unlock", admin, {}, { userIds: vet.id });
    expect(which.body.msg).toMatch(/请指明租户/);
    expect((await post("unlock", admin, {}, { userIds: vet.id, tenantId: tenant })).status).toBe(200);
  });

  test("roles that were taken away are gone at the next request; without any the tenant is closed", async () => {
    const { id, password } = await join("zhu.roles", "farm_manager");
    const token = await choosePassword("zhu.roles", password, "Barn-2026-roles");
    expect((await app.get("/api/muyuan-farm/tree/list", token)).status).toBe(200);
    const buttons = async () =>
      JSON.stringify((await app.get("/api/muyuan-system/menu/buttons", token)).body.data).includes("telemetry_export");
    expect(await buttons()).toBe(true);
    expect((await post("grant", owner, {}, { userIds: id, roleIds: await roleId("finance", owner) })).status).toBe(200);
    expect(await buttons()).toBe(false);
    expect((await post("grant", owner, {}, { userIds: id, roleIds: "" })).body.msg).toBe("请选择角色");
    expect((await post("update", owner, { id, status: 0 })).status).toBe(200);
    expect((await app.get("/api/muyuan-farm/tree/list", token)).status).toBe(401);
    expect((await logInAs("zhu.roles", "Barn-2026-roles")).status).toBe(400);
  });

  test("the last who can manage a tenant stays, also when two take each other away at once", async () => {
    const self = await find("farm", owner);
    const worker = await roleId("worker", owner);
    expect((await post("grant", owner, {}, { userIds: self.id, roleIds: worker })).body.msg).toBe(
      "不能移除最后一位管理员",
    );
    expect((await post("update", owner, { id: self.id, status: 0 })).body.msg).toBe("不能停用本账号!");
    expect((await post("remove", owner, {}, { ids: self.id })).body.msg).toBe("不能删除本账号!");
    const { id, password } = await join("zhu.second", "owner");
    const second = await choosePassword("zhu.second", password, "Barn-2026-second");
    const answers = await Promise.all([
      post("update", owner, { id, roleId: worker }),
      post("update", second, { id: self.id, roleId: worker }),
    ]);
    // Who comes second is the last one, or is asked for a right that the first has just taken away.
    const [won, lost] = answers.map(({ status }) => status).sort();
    expect([won, [400, 403].includes(lost ?? 0)]).toEqual([200, true]);
    // Whoever won, the tenant has an owner; put back what the other tests expect.
    const { id: adminsChoice } = await find("farm");
    const ownerRole = await roleId("owner", admin, tenant);
    expect((await post("update", admin, { id: adminsChoice, tenantId: tenant, roleId: ownerRole })).status).toBe(200);
    expect((await post("remove", admin, {}, { ids: id, tenantId: tenant })).status).toBe(200);
  });
});

describe("lock, reset, removal", () => {
  test("five wrong passwords lock, an administrator sees and lifts it, the owner is told", async () => {
    const { id, password } = await join("zhu.locked", "worker");
    await choosePassword("zhu.locked", password, "Barn-2026-locked");
    for (let at = 0; at < 5; at += 1) {
      const headers = at < 3 ? {} : await app.captcha();
      await app.token({ grant_type: "password", username: "zhu.locked", password: md5(`wrong ${at}`) }, headers);
    }
    const locked = await app.token(
      { grant_type: "password", username: "zhu.locked", password: md5("Barn-2026-locked") },
      await app.captcha(),
    );
    expect(locked.body.error_description).toBe("登录错误次数过多,请稍后再试");
    expect((await find("zhu.locked", owner)).locked).toBe(true);
    expect((await post("unlock", owner, {}, {})).body.msg).toBe("请至少选择一个用户");
    expect((await post("unlock", owner, {}, { userIds: id })).status).toBe(200);
    expect((await find("zhu.locked", owner)).locked).toBe(false);
    const { body } = await logInAs("zhu.locked", "Barn-2026-locked");
    const messages = await app.get<Page<{ title: string }>>(
      "/api/muyuan-message-center/message/page/user",
      body.access_token,
    );
    expect(messages.body.data.records.map(({ title }) => title)).toEqual(
      expect.arrayContaining(["登录锁定已解除", "登录已被暂时锁定"]),
    );
  });

  test("a reset ends every session, shows the password once and asks for a new one", async () => {
    const { id, password } = await join("zhu.reset", "worker");
    const token = await choosePassword("zhu.reset", password, "Barn-2026-reset");
    const { status, body } = await post("reset-password", owner, {}, { userIds: id });
    expect(status).toBe(200);
    const [fresh] = (body.data as { passwords: { account: string; password: string }[] }).passwords;
    expect(fresh?.account).toBe("zhu.reset");
    expect((await app.get("/api/muyuan-farm/tree/list", token)).status).toBe(401);
    expect((await logInAs("zhu.reset", "Barn-2026-reset")).status).toBe(400);
    expect((await logInAs("zhu.reset", fresh?.password ?? "")).body.detail.mustChangePassword).toBe(true);
    expect(app.logged.join("")).not.toContain(fresh?.password);
  });

  test("a configured password is set for who proved no phone, and not shown", async () => {
    const set = await createTestApp({ RESET_PASSWORD: "Welcome#Farm7" });
    const token = await set.logIn("farm");
    await set.test.database.pool.query("update accounts set phone_verified_at = null where account = 'liuyang'");
    const users = await set.get<Page<User>>(`${base}/user/page?account=liuyang`, token);
    const id = users.body.data.records[0]?.id ?? "";
    const { body } = await set.call({
      method: "POST",
      path: `${base}/user/reset-password`,
      token,
      query: { userIds: id },
    });
    expect(body.data).toEqual({});
    const entered = await set.token({ grant_type: "password", username: "liuyang", password: md5("Welcome#Farm7") });
    expect(entered.body.detail.mustChangePassword).toBe(true);
    await set.close();
  });

  describe("of somebody who proved a phone", () => {
    const phone = "13800000002";
    /** The customer service of the group. */
    let agent: string;
    beforeAll(async () => {
      const { password } = await join("zhu.service", "customer_service", admin);
      agent = await choosePassword("zhu.service", password, "Barn-2026-service");
    });
    const reset = (userIds: string, token = agent) => post("reset-password", token, {}, { userIds, tenantId: tenant });
    const setPassword = (nonceKey: string, account: string, chosen: string) =>
      app.call({
        method: "POST",
        path: `${base}/cms-user/skip-secure/reset-password/new`,
        body: { account, nonceKey, password: md5(chosen), confirmPassword: md5(chosen) },
      });
    const linkKey = (text = "") => /http:\/\/localhost:8080\/findPass#([\w-]{22}) /.exec(text)?.[1] ?? "";

    test("the agent reads nothing; a link goes to the phone, works once and for this account", async () => {
      await app.pass(86_401);
      const { id } = await find("farm");
      const before = await app.logIn("farm");
      const logged = app.logged.length;
      const { status, body } = await reset(id);
      expect(status).toBe(200);
      expect(body.data).toEqual({ sent: [{ account: "farm", phone: "138****0002" }] });
      const [text] = await app.sms(phone);
      const key = linkKey(text);
      expect(key).toHaveLength(22);
      expect(JSON.stringify(body) + app.logged.slice(logged).join("")).not.toContain(key);
      // Whatever was open is closed, and the old password is none.
      expect((await app.get("/api/muyuan-farm/tree/list", before)).status).toBe(401);
      expect((await logInAs("farm", demoPassword)).status).toBe(400);
      expect((await setPassword(key, "admin", "Barn-2026-mine")).status).toBe(400);
      expect((await setPassword(key, "", "Barn-2026-mine")).status).toBe(200);
      expect((await setPassword(key, "", "Barn-2026-other")).body).toMatchObject({
        data: { reason: "accounts.reset_expired" },
      });
      const { body: entered } = await logInAs("farm", "Barn-2026-mine");
      expect(entered.access_token).toBeDefined();
      expect(entered.detail.mustChangePassword).toBeUndefined();
      owner = entered.access_token;
    });

    test("the link ends after 30 minutes", async () => {
      await app.pass(86_401);
      const { id } = await find("farm");
      await reset(id);
      const key = linkKey((await app.sms(phone))[0]);
      await app.pass(1801);
      expect((await setPassword(key, "", "Barn-2026-late")).status).toBe(400);
    });

    test("what can't be sent changes nothing", async () => {
      await app.pass(86_401);
      await app.test.database.pool.query("update accounts set password_hash = $1 where account = 'farm'", [
        await app.hashPassword(md5(demoPassword)),
      ]);
      const { id } = await find("farm");
      await reset(id);
      await app.test.database.pool.query("update accounts set password_hash = $1 where account = 'farm'", [
        await app.hashPassword(md5(demoPassword)),
      ]);
      // One message a minute goes to a number.
      const refused = await reset(id);
      expect(refused.body).toMatchObject({ data: { reason: "verification.budget" } });
      expect((await logInAs("farm", demoPassword)).status).toBe(200);
      owner = await app.logIn("farm");
    });

    test("needs a proof of who is calling that is not older than five minutes", async () => {
      const { id } = await join("zhu.confirm", "worker");
      const older = (interval: string) =>
        app.test.database.pool.query(
          `update sessions set confirmed_at = confirmed_at - interval '${interval}'
            where account_id = (select id from accounts where account = 'zhu.service')`,
        );
      const confirm = (password: string) =>
        app.call({
          method: "POST",
          path: "/api/muyuan-auth/session/confirm",
          token: agent,
          body: { password: md5(password) },
        });
      await older("5 minutes");
      const refused = await reset(id);
      expect([refused.status, refused.body.data]).toMatchObject([403, { reason: "identity.confirm_first" }]);
      // Renewing the session or asking about somebody who never was makes no difference.
      expect((await reset("1234567890123456789")).body).toEqual(refused.body);
      expect((await confirm("Barn-2026-wrong")).body).toMatchObject({ data: { reason: "identity.own_password" } });
      expect((await reset(id)).status).toBe(403);
      expect((await confirm("Barn-2026-service")).status).toBe(200);
      expect((await reset(id)).status).toBe(200);
    });

    test("is written down with who did it, never with the password", async () => {
      const { id, password } = await join("zhu.trail", "worker");
      const { body } = await reset(id);
      const [fresh] = (body.data as { passwords: { password: string }[] }).passwords;
      const trail = await app.get<Page<Record<string, unknown>>>(
        "/api/muyuan-log/audit/page?resource=user&action=reset&size=50",
        admin,
      );
      const records = trail.body.data.records;
      expect(records.find(({ rowId }) => rowId === id)).toMatchObject({
        tenantId: tenant,
        rowTitle: "zhu.trail",
        changes: [{ field: "password", before: "", after: "told" }],
      });
      expect(records).toContainEqual(
        expect.objectContaining({ rowTitle: "farm", changes: [{ field: "password", before: "", after: "link" }] }),
      );
      for (const secret of [fresh?.password ?? "?", password]) expect(JSON.stringify(records)).not.toContain(secret);
    });
  });

  test("removal closes the sessions, frees the name and leaves nothing personal; ids may come as a form", async () => {
    const { id, password } = await join("zhu.gone", "worker");
    await post("update", owner, { id, phone: "13912349999", realName: "朱走了", email: "gone@example.cn" });
    const token = await choosePassword("zhu.gone", password, "Barn-2026-gone");
    const answer = await app.http.inject({
      method: "POST",
      url: `${base}/user/remove`,
      payload: `ids=${id}`,
      headers: { "content-type": "application/x-www-form-urlencoded", "muyuan-auth": `bearer ${owner}` },
    });
    expect(answer.json()).toMatchObject({ code: 200, data: {} });
    expect((await app.get("/api/muyuan-farm/tree/list", token)).status).toBe(401);
    expect((await page(owner, "&account=zhu.gone")).total).toBe(0);
    const { rows } = await app.test.database.pool.query("select * from accounts where id = $1", [id]);
    expect(rows[0]).toMatchObject({
      real_name: "",
      phone_encrypted: "",
      email_encrypted: "",
      phone_index: null,
      status: 0,
    });
    expect(JSON.stringify(rows[0])).not.toContain("zhu.gone");
    await join("zhu.gone", "worker");
  });

  test("a person of several tenants leaves one and stays in the others", async () => {
    const vet = await find("vet", owner);
    const token = await app.logIn("vet", tenant);
    expect((await post("remove", owner, {}, { ids: vet.id })).status).toBe(200);
    expect((await app.get("/api/muyuan-farm/tree/list", token)).status).toBe(401);
    expect((await logInAs("vet", demoPassword)).body.tenant_id).not.toBe(tenant);
  });
});

describe("dictionary", () => {
  test("values of a code come in order; an unknown code has none; the list is a tree", async () => {
    const values = await app.get<{ dictKey: string; dictValue: string; parentId: string }[]>(
      `${base}/dict/dictionary?code=user_type`,
      owner,
    );
    expect(values.body.data.map(({ dictKey, dictValue }) => [dictKey, dictValue])).toEqual([
      ["1", "WEB"],
      ["2", "APP"],
      ["3", "OTHER"],
    ]);
    expect((await app.get(`${base}/dict/dictionary?code=nothing`, owner)).body.data).toEqual([]);
    expect((await app.get(`${base}/dict/dictionary`, owner)).status).toBe(400);
    const tree = await app.get<{ code: string; dictKey: string; children: unknown[] }[]>(
      `${base}/dict/list?code=sex`,
      owner,
    );
    expect(tree.body.data).toEqual([
      expect.objectContaining({
        code: "sex",
        dictKey: "-1",
        parentId: "0",
        parentName: "顶级",
        children: expect.any(Array),
      }),
    ]);
    expect(tree.body.data[0]?.children).toHaveLength(3);
    const found = await app.get<{ code: string }[]>(`${base}/dict/list?dictValue=岗位`, owner);
    expect(found.body.data.map(({ code }) => code)).toEqual(["post_category"]);
  });

  test("sealed values are not offered any more", async () => {
    await app.test.database.pool.query(
      "update dictionaries set is_sealed = true where code = 'sex' and dict_key = '3'",
    );
    const values = await app.get<unknown[]>(`${base}/dict/dictionary?code=sex`, owner);
    expect(values.body.data).toHaveLength(2);
  });
});

test("several are disabled and enabled by one call, all or nobody, and who stands in the way is told", async () => {
  const server = await createTestApp();
  try {
    const by = await server.logIn("admin");
    const rows = await server.test.database.pool.query<{ id: string; account: string }>(
      `select a.id::text, a.account from memberships m join accounts a on a.id = m.account_id where m.tenant_id = $1`,
      [tenant],
    );
    const idOf = (account: string) => rows.rows.find((row) => row.account === account)?.id ?? "";
    const set = (status: number, named: readonly (readonly [id: string, tenantId: string])[], token = by) =>
      server.call({
        method: "POST",
        path: `${base}/user/status`,
        token,
        body: { users: named.map(([id, tenantId]) => ({ id, tenantId })), status },
      });
    const disabled = async () =>
      (
        await server.test.database.pool.query<{ account: string }>(
          "select a.account from memberships m join accounts a on a.id = m.account_id where m.status = 0 order by 1",
        )
      ).rows.map(({ account }) => account);
    const before = await disabled();
    const vet = await server.logIn("liuyang");
    const two = [
      [idOf("vet"), tenant],
      [idOf("liuyang"), tenant],
    ] as const;
    const first = await set(0, two);
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    expect((first.body.data as { changed: unknown[] }).changed).toHaveLength(2);
    expect(await disabled()).toEqual([...before, "liuyang", "vet"].sort());
    expect((await server.get(`${base}/user/info`, vet)).status).toBe(401);
    expect((await set(0, two)).body.data).toEqual({ changed: [] });
    expect((await set(1, two)).status).toBe(200);
    expect(await disabled()).toEqual(before);
    // Whoever is let in again logs in again.
    expect((await server.get(`${base}/user/info`, vet)).status).toBe(401);

    const { rows: own } = await server.test.database.pool.query<{ id: string }>(
      "select id::text from accounts where account = 'admin'",
    );
    const refused = await set(0, [
      [idOf("vet"), tenant],
      [idOf("farm"), tenant],
      [own[0]?.id ?? "", group],
      [idOf("wangzq"), group],
    ]);
    const data = refused.body.data as { reason: string; problems: { field: string; reason: string }[] };
    expect([refused.status, data.reason]).toEqual([400, "users.status"]);
    expect(Object.fromEntries(data.problems.map(({ field, reason }) => [field, reason]))).toEqual({
      [own[0]?.id ?? ""]: "users.disable_self",
      [idOf("wangzq")]: "users.not_found",
      // Of the two of this tenant the one who manages it stands in the way.
      [idOf("farm")]: "users.last_leader",
    });
    expect(await disabled()).toEqual(before);
    // A customer reaches the own members alone, and staff without the right nobody.
    expect((await set(0, [[own[0]?.id ?? "", group]], await server.logIn("farm"))).status).toBe(400);
    expect((await set(0, two, await server.logIn("kefu01", group))).status).toBe(403);
  } finally {
    await server.close();
  }
});
