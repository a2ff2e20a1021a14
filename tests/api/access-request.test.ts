import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

interface Message {
  kind: string;
  title: string;
  content: string;
}

const messagesOf = async (account: string, tenantId?: string): Promise<Message[]> => {
  const token = await app.logIn(account, tenantId);
  const { body } = await app.get<{ records: Message[] }>("/api/muyuan-message-center/message/page/user?size=50", token);
  return body.data.records.filter(({ title }) => title === "权限申请");
};
const request = (token: string, menuCode: unknown) =>
  app.call({ method: "POST", path: "/api/muyuan-system/access/request", body: { menuCode }, token });

test("whoever may give roles gets one message a day for each person and screen", async () => {
  // Finance has no device screens; the owner of the same tenant may grant them.
  const token = await app.logIn("chenxiao");
  const first = await request(token, "device_all");
  expect([first.status, first.body.data]).toEqual([200, { roles: ["企业主"], asked: false }]);
  // A hundred impatient clicks are one request, in every session of the person.
  const again = await Promise.all(Array.from({ length: 20 }, () => request(token, "device_all")));
  expect(new Set(again.map(({ body }) => JSON.stringify(body.data)))).toEqual(
    new Set([JSON.stringify({ roles: ["企业主"], asked: true })]),
  );
  const other = await request(await app.logIn("chenxiao"), "device_all");
  expect(other.body.data).toEqual({ roles: ["企业主"], asked: true });
  const [message, ...more] = await messagesOf("farm");
  expect(more).toEqual([]);
  expect(message?.kind).toBe("system");
  expect(message?.content).toContain("全部设备");
  expect(message?.content).toContain("device_all");
  // Another screen is another request, and so is the next day.
  expect((await request(token, "env_overview")).body.data).toMatchObject({ asked: false });
  await app.pass(86_401);
  expect((await request(await app.logIn("chenxiao"), "device_all")).body.data).toMatchObject({ asked: false });
  expect(await messagesOf("farm")).toHaveLength(3);
});

test("nobody else hears of it: neither colleagues without the right nor other tenants nor the person", async () => {
  for (const account of ["wangzq", "liuyang", "chenxiao", "heqing", "sunli", "admin"]) {
    expect(await messagesOf(account), account).toEqual([]);
  }
  expect(await messagesOf("vet", "100002")).toEqual([]);
});

test("in the group's tenant the administrators are asked, for its own screens", async () => {
  const token = await app.logIn("kefu01");
  const answer = await request(token, "device_all");
  expect(answer.body.data).toEqual({ roles: ["管理员"], asked: false });
  expect(await messagesOf("admin")).toHaveLength(1);
});

test("what cannot be asked for is refused in words", async () => {
  const token = await app.logIn("chenxiao");
  const before = (await messagesOf("farm")).length;
  // Unknown, a button, a group of menus, a screen of the group's staff: to a customer none of them exists.
  for (const code of ["no_such_menu", "telemetry_export", "env", "user", "Device_All"]) {
    expect((await request(token, code)).status, code).toBe(404);
  }
  for (const code of ["", "x".repeat(65), undefined]) {
    expect((await request(token, code)).status, String(code)).toBe(400);
  }
  const granted = await request(token, "self_home");
  expect([granted.status, granted.body.msg]).toEqual([400, "您的角色已有这个菜单，请退出并重新登录"]);
  expect((await request("", "device_all")).status).toBe(401);
  expect(await messagesOf("farm")).toHaveLength(before);
});

test("without anybody who could grant it the answer says so, and asking later counts", async () => {
  const token = await app.logIn("liuyang");
  const { pool } = app.test.database;
  const { rows } = await pool.query<{ role_id: string; menu_id: string }>(
    `delete from role_menus where menu_id in (select id from menus where code = 'user_grant')
     and role_id in (select id from roles where tenant_id = '100002') returning role_id, menu_id`,
  );
  const refused = await request(token, "self_members");
  expect([refused.status, refused.body.msg]).toEqual([400, "本组织没有可以分配角色的成员，请联系客服"]);
  for (const row of rows) {
    await pool.query("insert into role_menus (role_id, menu_id) values ($1, $2)", [row.role_id, row.menu_id]);
  }
  expect((await request(token, "self_members")).body.data).toEqual({ roles: ["企业主"], asked: false });
});
