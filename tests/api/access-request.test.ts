import { accessRequestProcess, type ProcessSteps } from "@herdwise/contract";
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
  await app.test.database.pool.query("update access_requests set updated_at = updated_at - interval '86401 seconds'");
  expect((await request(await app.logIn("chenxiao"), "device_all")).body.data).toMatchObject({ asked: false });
  expect(await messagesOf("farm")).toHaveLength(3);
});

test("nobody else hears of it: neither colleagues without the right nor other tenants nor the person", async () => {
  for (const account of ["wangzq", "liuyang", "chenxiao", "heqing", "sunli", "admin"]) {
    expect(await messagesOf(account), account).toEqual([]);
  }
  expect(await messagesOf("vet", "100002")).toEqual([]);
});

test("whoever may give roles and asks for a screen hears nothing of the own request", async () => {
  const { pool } = app.test.database;
  const button =
    "select r.id, n.id from roles r, menus n where r.tenant_id = '100002' and r.role_alias = 'finance' and n.code = 'user_grant'";
  await pool.query(`insert into role_menus (role_id, menu_id) ${button}`);
  const before = (await messagesOf("farm")).length;
  expect((await request(await app.logIn("chenxiao"), "self_role")).body.data).toMatchObject({ asked: false });
  expect([(await messagesOf("farm")).length, await messagesOf("chenxiao")]).toEqual([before + 1, []]);
  await pool.query("delete from access_requests where menu_id = (select id from menus where code = 'self_role')");
  await pool.query(`delete from role_menus where (role_id, menu_id) in (${button})`);
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

const path = "/api/muyuan-system/access-request";
interface Asked {
  id: string;
  version: number;
  state: string;
  screen: string;
  asker: string;
}
const listed = async (token: string, query = "state=waiting"): Promise<Asked[]> =>
  (await app.get<{ records: Asked[] }>(`${path}/page?size=50&${query}`, token)).body.data.records;
const stepsOf = async (token: string, id: string | undefined): Promise<ProcessSteps> =>
  (await app.get<ProcessSteps>(`${path}/steps?id=${id}`, token)).body.data;
const happen = (event: string, body: object, token: string) =>
  app.call({ method: "POST", path: `${path}/${event}`, body, token });
const newestOf = async (account: string): Promise<Message | undefined> =>
  (
    await app.get<{ records: Message[] }>(
      "/api/muyuan-message-center/message/page/user?size=1",
      await app.logIn(account),
    )
  ).body.data.records[0];
/** Gives the screen of a request to the role of finance, or takes it. */
const give = (has: boolean, id: string) =>
  app.test.database.pool.query(
    has
      ? `insert into role_menus (role_id, menu_id) select r.id, q.menu_id from roles r, access_requests q
          where r.tenant_id = '100002' and r.role_alias = 'finance' and q.id = $1 on conflict do nothing`
      : `delete from role_menus m using roles r, access_requests q
          where m.role_id = r.id and m.menu_id = q.menu_id and r.tenant_id = '100002' and r.role_alias = 'finance' and q.id = $1`,
    [id],
  );

test("a request waits in the list of those who give roles, says why it can't be closed yet, and its answer is told", async () => {
  const owner = await app.logIn("farm");
  const asked = (await listed(owner)).find(({ screen }) => screen === "全部设备");
  expect(asked).toMatchObject({ state: "waiting", screen: "全部设备" });
  const { id = "" } = asked ?? {};
  const before = await stepsOf(owner, id);
  expect(before).toMatchObject({
    may: ["refuse"],
    held: [{ event: "grant", text: "申请人还没有这个页面：先在成员管理里给一个有它的角色" }],
  });
  expect(before.lines.map(({ event, party }) => `${event} ${party}`)).toEqual(["remind asker", "begin asker"]);
  const early = await happen("grant", { id, version: before.version }, owner);
  expect([early.status, early.body.msg]).toEqual([400, "申请人还没有这个页面：先在成员管理里给一个有它的角色"]);
  await give(true, id);
  const steps = await stepsOf(owner, id);
  expect(steps.may).toEqual(["grant", "refuse"]);
  // Shown before somebody else asked again.
  const old = await happen("grant", { id, version: steps.version - 1 }, owner);
  expect([old.status, old.body.msg]).toEqual([409, "有人先办了一步，请看最新的再决定"]);
  expect((await happen("grant", { id, version: steps.version }, owner)).status).toBe(200);
  expect((await happen("grant", { id, version: steps.version + 1 }, owner)).status).toBe(409);
  expect(await newestOf("chenxiao")).toMatchObject({ kind: "system", title: "申请的页面开通了", content: "全部设备" });
  expect((await listed(owner)).some((row) => row.id === id)).toBe(false);
  expect((await listed(owner, "state=granted")).map(({ screen }) => screen)).toEqual(["全部设备"]);
});

test("a refusal needs a reason, which who asked reads, and asking again is a new request", async () => {
  const owner = await app.logIn("farm");
  const { id = "", version } = (await listed(owner)).find(({ screen }) => screen !== "成员管理") ?? {};
  for (const reason of [undefined, "", "x".repeat(501)]) {
    const answer = await happen("refuse", { id, version, reason }, owner);
    expect([
      answer.status,
      (answer.body.data as { problems: { field: string }[] }).problems.map(({ field }) => field),
    ]).toEqual([400, ["reason"]]);
  }
  expect((await happen("refuse", { id, version, reason: "请找场长看" }, owner)).status).toBe(200);
  expect((await newestOf("chenxiao"))?.title).toBe("申请的页面没有开通");
  expect((await newestOf("chenxiao"))?.content).toContain("：请找场长看");
  expect((await stepsOf(owner, id)).lines[0]).toMatchObject({
    event: "refuse",
    party: "granter",
    words: { reason: "请找场长看" },
  });
  expect((await request(await app.logIn("chenxiao"), "env_overview")).body.data).toMatchObject({ asked: false });
});

test("nobody answers the own request or one of another tenant, and without the right nobody sees them", async () => {
  const owner = await app.logIn("farm");
  const [asked] = await listed(owner);
  const { id = "", version } = asked ?? {};
  const { pool } = app.test.database;
  for (const account of ["chenxiao", "wangzq"]) {
    const token = await app.logIn(account);
    expect((await app.get(`${path}/page`, token)).status).toBe(403);
    expect((await app.get(`${path}/steps?id=${id}`, token)).status).toBe(403);
  }
  const admin = await app.logIn("admin");
  expect((await app.get(`${path}/steps?id=${id}`, admin)).status).toBe(404);
  expect((await happen("refuse", { id, version, reason: "不行" }, admin)).status).toBe(404);
  const { rows } = await pool.query<{ created_by: string }>("select created_by from access_requests where id = $1", [
    id,
  ]);
  await pool.query(
    "update access_requests set created_by = (select id from accounts where account = 'farm') where id = $1",
    [id],
  );
  expect((await stepsOf(owner, id)).may).toEqual([]);
  expect((await happen("refuse", { id, version, reason: "不行" }, owner)).status).toBe(409);
  await pool.query("update access_requests set created_by = $2 where id = $1", [id, rows[0]?.created_by]);
});

test("every event in every state by everybody: what the table has happens, all else is refused", async () => {
  const { pool } = app.test.database;
  await request(await app.logIn("chenxiao"), "alarm_push");
  const tokens = { farm: await app.logIn("farm"), asker: await app.logIn("chenxiao"), admin: await app.logIn("admin") };
  const { rows } = await pool.query<{ id: string }>(
    "select q.id from access_requests q join menus n on n.id = q.menu_id where n.code = 'alarm_push'",
  );
  const { id = "" } = rows[0] ?? {};
  await everyStep(accessRequestProcess, {
    query: async (text, values) => (await pool.query(text, values)).rows,
    table: "access_requests",
    id: () => id,
    history: ["process_entries", "row_id"],
    callers: [
      { name: "owner", token: tokens.farm, party: "granter" },
      { name: "asker", token: tokens.asker, party: "asker" },
      { name: "admin of the group", token: tokens.admin, party: undefined },
      passerBy,
      { name: "clock", token: "", party: "clock" },
    ],
    async put(state, event) {
      await give(event === "grant", id);
      await pool.query(
        `update access_requests set state = $2, version = 1, updated_at = now() - interval '2 days',
                state_at = now() - make_interval(days => $3) where id = $1`,
        [id, state, event === "expire" ? 31 : 1],
      );
    },
    async ask(event, caller, state) {
      if (event === "expire") {
        if (caller.party !== "clock") return "no way";
        await app.runJob("access_request.clock");
        return undefined;
      }
      if (caller.party === "clock") return "no way";
      if (event !== "remind") return (await happen(event, { id, version: 1, reason: "不行" }, caller.token)).status;
      // Others ask for themselves, and what was answered is asked for anew.
      if (caller.party !== "asker" || state !== "waiting") return "no way";
      return (await request(caller.token, "alarm_push")).status;
    },
  });
});
