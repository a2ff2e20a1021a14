import { accessRequestProcess } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { everyStep, passerBy } from "../harness/every-step.ts";

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

const path = "/api/muyuan-system/access/request";
interface Asked {
  id: string;
  version: number;
  may: string[];
  asker: string;
  menu: string;
  roles: { id: string; name: string }[];
}
const queueOf = async (token: string, queue = "waiting"): Promise<Asked[]> =>
  (await app.get<{ records: Asked[] }>(`${path}/page?queue=${queue}&size=50`, token)).body.data.records;
const answer = (event: string, body: object, token: string) =>
  app.call({ method: "POST", path: `${path}/${event}`, body, token });
const lastMessage = async (account: string): Promise<Message | undefined> =>
  (
    await app.get<{ records: Message[] }>(
      "/api/muyuan-message-center/message/page/user?size=1",
      await app.logIn(account),
    )
  ).body.data.records[0];

test("a grant adds the screen to a role of who asked and tells them; the others of the queue stay", async () => {
  const owner = await app.logIn("farm");
  const asker = await app.logIn("chenxiao");
  const before = await queueOf(owner);
  const asked = before.find(({ menu }) => menu === "全部设备");
  expect(asked).toMatchObject({ may: ["grant", "refuse"], roles: [{ name: "财务" }] });
  const { id = "", version, roles: [role] = [] } = asked ?? {};
  // Of a role that who asked does not have, nothing is changed.
  const { pool } = app.test.database;
  const { rows } = await pool.query<{ id: string }>(
    "select id from roles where tenant_id = '100002' and role_alias = 'worker'",
  );
  expect((await answer("grant", { id, version, roleId: rows[0]?.id }, owner)).body.msg).toBe("请选申请人的一个角色");
  expect((await answer("grant", { id, version, roleId: role?.id }, owner)).status).toBe(200);
  expect((await answer("grant", { id, version, roleId: role?.id }, owner)).status).toBe(409);
  expect((await request(asker, "device_all")).body.msg).toContain("已有这个菜单");
  expect(await lastMessage("chenxiao")).toMatchObject({ kind: "system", title: "申请的页面开通了" });
  expect(await queueOf(owner)).toHaveLength(before.length - 1);
  expect((await queueOf(owner, "done")).map(({ menu }) => menu)).toEqual(["全部设备"]);
});

test("a refusal reaches who asked with its reason, and asking again is a new request", async () => {
  const owner = await app.logIn("farm");
  const asked = (await queueOf(owner)).find(({ menu }) => menu !== "成员管理");
  const { id, version } = asked ?? {};
  expect((await answer("refuse", { id, version, reason: "请找场长看" }, owner)).status).toBe(200);
  expect(await lastMessage("chenxiao")).toMatchObject({ title: "申请的页面没有开通", content: "请找场长看" });
  const again = await request(await app.logIn("chenxiao"), "env_overview");
  expect(again.body.data).toMatchObject({ asked: false });
});

test("nobody answers the own request or one of another tenant", async () => {
  const owner = await app.logIn("farm");
  const [asked] = await queueOf(owner);
  const { id, version } = asked ?? {};
  const body = { id, version, reason: "不行" };
  expect((await answer("refuse", body, await app.logIn("admin"))).status).toBe(404);
  const { pool } = app.test.database;
  const before = await pool.query<{ account_id: string }>("select account_id from access_requests where id = $1", [id]);
  await pool.query(
    "update access_requests set account_id = (select id from accounts where account = 'farm') where id = $1",
    [id],
  );
  expect((await queueOf(owner)).find((row) => row.id === id)?.may).toEqual([]);
  expect((await answer("refuse", body, owner)).body.msg).toBe("自己的申请要由同事答复");
  await pool.query("update access_requests set account_id = $2 where id = $1", [id, before.rows[0]?.account_id]);
});

test("every event in every state by everybody: what the table has happens, all else is refused", async () => {
  const { pool } = app.test.database;
  expect((await request(await app.logIn("chenxiao"), "alarm_push")).body.data).toMatchObject({ asked: false });
  await app.pass(86_401);
  const tokens = { farm: await app.logIn("farm"), asker: await app.logIn("chenxiao"), admin: await app.logIn("admin") };
  const { rows } = await pool.query<{ id: string; role: string }>(
    `select q.id, (select r.id from roles r where r.tenant_id = '100002' and r.role_alias = 'finance') as role
       from access_requests q join menus n on n.id = q.menu_id where n.code = 'alarm_push'`,
  );
  const { id = "", role = "" } = rows[0] ?? {};
  await everyStep(accessRequestProcess, {
    query: async (text, values) => (await pool.query(text, values)).rows,
    table: "access_requests",
    id: () => id,
    callers: [
      { name: "owner", token: tokens.farm, party: "granter" },
      { name: "asker", token: tokens.asker, party: "asker" },
      { name: "admin of the group", token: tokens.admin, party: undefined },
      passerBy,
    ],
    async put(state) {
      await pool.query(
        "delete from role_menus where role_id = $1 and menu_id = (select menu_id from access_requests where id = $2)",
        [role, id],
      );
      await pool.query("update access_requests set state = $2, version = 1 where id = $1", [id, state]);
    },
    async ask(event, caller, state) {
      if (event !== "urge")
        return (await answer(event, { id, version: 1, roleId: role, reason: "不行" }, caller.token)).status;
      // Others ask for themselves, and what was answered is asked for anew.
      if (caller.party !== "asker" || state !== "waiting") return "no way";
      return (await request(caller.token, "alarm_push")).status;
    },
  });
});
