import type { Import, ImportRow, Job, Page, User } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { catchUpFinds } from "../../apps/server/src/modules/finds/finds-waiting.repository.ts";
import { systemScope } from "../../apps/server/src/tenant-scope.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { md5 } from "../harness/session.ts";
import { sheetCalls } from "../resources/sheets.ts";

const base = "/api/muyuan-system/user";
let app: TestApp;
let owner: string;
let calls: ReturnType<typeof sheetCalls>;

beforeAll(async () => {
  app = await createTestApp();
  owner = await app.logIn("farm");
  calls = sheetCalls(app, base, owner);
});
afterAll(() => app.close());

const person = (account: string, more: Record<string, string> = {}) => ({
  租户编号: "",
  用户平台名称: "APP",
  账户: account,
  昵称: "",
  姓名: "王强",
  邮箱: `${account}@example.cn`,
  手机: "",
  角色名称: "饲养员",
  部门名称: "",
  岗位名称: "",
  生日: "1990/5/1",
  ...more,
});
const problemsOf = async (id: string) =>
  (await calls.get<Page<ImportRow>>(`${base}/import/rows`, { id, size: "500" })).records.map(
    ({ rowNumber, problems }) => [rowNumber, problems.map(({ field, reason }) => `${field} ${reason}`).toSorted()],
  );
const find = async (account: string): Promise<User | undefined> =>
  (await calls.get<Page<User>>(`${base}/page`, { account })).records[0];
const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query(text, values)).rows as Row[];
const members = async (): Promise<number> =>
  Number((await sql<{ count: string }>("select count(*) from memberships"))[0]?.count);
const firstPasswords = async (importId: string): Promise<Record<string, string>> => {
  const { status, data } = await calls.post<{ jobId: string }>("first-passwords", { importId });
  expect(status).toBe(200);
  const job = await vi.waitFor(
    async () => {
      const now = await calls.get<Job>("/api/muyuan-system/job/detail", { id: data.jobId });
      expect(now.state).toBe("succeeded");
      return now;
    },
    { timeout: 15_000 },
  );
  const { rows } = await calls.read(job.result.attachmentId);
  return Object.fromEntries(rows.map((row) => [row.账户 ?? "", row.首次密码 ?? ""]));
};
const logIn = (username: string, password: string) =>
  app.token({ grant_type: "password", username, password: md5(password) });

describe("an import of users", () => {
  test("reaches the index of names by a job, without who was removed meanwhile", async () => {
    const inIndex = async (): Promise<string[]> =>
      (
        await sql<{ account: string }>(
          "select e.account from finds f join member_entries e on f.kind = 'user' and f.row_id = e.membership_id::text where e.account like 'found-%' order by 1",
        )
      ).map(({ account }) => account);
    const checked = await calls.check([person("found-1"), person("found-2")]);
    expect(await calls.write(checked.id, "all")).toMatchObject({ state: "written", written: 2 });
    expect(await inIndex()).toEqual([]);
    await sql("delete from memberships m using accounts a where a.id = m.account_id and a.account = 'found-2'");
    const scope = systemScope("a test lets the index of names follow");
    expect(await catchUpFinds(app.test.database.kysely, scope)).toBeGreaterThanOrEqual(2);
    expect(await inIndex()).toEqual(["found-1"]);
    expect(await catchUpFinds(app.test.database.kysely, scope)).toBe(0);
  });

  test("tells every wrong cell, and writes nothing before it is asked to", async () => {
    const before = await members();
    const checked = await calls.check([
      person("sheet-good"),
      person("sheet-phone", { 手机: "12" }),
      person("sheet-role", { 角色名称: "管理员" }),
      person("sheet-dept", { 部门名称: "没有的部门", 岗位名称: "没有的岗位" }),
      person("Sheet-Good"),
      person("ADMIN"),
      person("sheet-born", { 生日: "2999-01-01" }),
      person("sheet-tenant", { 租户编号: "000000" }),
      person("13811112222"),
      person("x", { 用户平台名称: "TV", 角色名称: "" }),
    ]);
    expect(checked).toMatchObject({ state: "checked", rows: 10, good: 1, bad: 9 });
    expect(await problemsOf(checked.id)).toEqual([
      [3, ["phone field.mobile"]],
      [4, ["roleName field.choice"]],
      [5, ["deptName field.choice", "postName field.choice"]],
      [6, ["account field.doubled"]],
      [7, ["account users.account_taken"]],
      [8, ["birthday users.birthday"]],
      [9, ["tenantId field.choice"]],
      [10, ["account users.account"]],
      [11, ["account field.login_name", "roleName field.required", "userType field.choice"]],
    ]);
    expect(await members()).toBe(before);
    await calls.post("import/cancel", { id: checked.id });
  });

  test("tells before it writes that the tenant has no room for so many, as things are then", async () => {
    const [tenant] = await sql<{ held: number }>(
      "select count(*)::int as held from memberships where tenant_id = '100002'",
    );
    const held = tenant?.held ?? 0;
    const allow = (most: number) => sql("update tenants set account_number = $1 where tenant_id = '100002'", [most]);
    try {
      await allow(held + 2);
      // The third changes somebody, the fourth is no row at all.
      const sheet = [person("room-a"), person("room-b"), person("liuyang", { 邮箱: "" }), person("x", { 手机: "12" })];
      const fits = await calls.check(sheet);
      expect(fits).toMatchObject({ good: 3, updates: 1, whole: [] });
      await calls.post("import/cancel", { id: fits.id });
      const beyond = await calls.check([...sheet, person("room-c")]);
      expect(beyond.whole).toEqual([
        {
          reason: "users.quota_import",
          text: expect.stringContaining("{over}"),
          values: { most: String(held + 2), held: String(held), adds: "3", over: "1" },
        },
      ]);
      const before = await members();
      const refused = await calls.post("import/write", { id: beyond.id, mode: "good" });
      expect([refused.status, refused.data]).toMatchObject([
        400,
        { reason: "users.quota_import", values: { over: 1 } },
      ]);
      expect((await calls.get<Import>(`${base}/import/detail`, { id: beyond.id })).state).toBe("checked");
      expect(await members()).toBe(before);
      await allow(held + 3);
      expect((await calls.get<Import>(`${base}/import/detail`, { id: beyond.id })).whole).toEqual([]);
      await calls.post("import/cancel", { id: beyond.id });
    } finally {
      await allow(-1);
    }
  });

  test("adds people who can't sign in until somebody makes their passwords, each another one", async () => {
    const checked = await calls.check([
      person("newcomer-a", { 手机: "13877770001", 角色名称: "饲养员,兽医" }),
      person("newcomer-b", { 昵称: "小乙" }),
    ]);
    expect(checked).toMatchObject({ good: 2, updates: 0 });
    expect(await calls.write(checked.id, "all")).toMatchObject({ state: "written", written: 2 });
    expect(await find("newcomer-a")).toMatchObject({
      userTypeName: "APP",
      realName: "王强",
      phone: "138****0001",
      birthday: "1990-05-01 00:00:00",
      mustChangePassword: true,
      phoneProven: false,
    });
    expect((await find("newcomer-a"))?.roleName.split(",").toSorted()).toEqual(["兽医", "饲养员"].toSorted());
    expect((await logIn("newcomer-b", "123456")).status).toBe(400);
    const first = await firstPasswords(checked.id);
    expect(Object.keys(first).toSorted()).toEqual(["newcomer-a", "newcomer-b"]);
    expect(first["newcomer-a"]).not.toBe(first["newcomer-b"]);
    const [stored] = await sql<{ hash: string }>(
      "select password_hash as hash from accounts where account = 'newcomer-a'",
    );
    expect(stored?.hash).toMatch(/^random\$/);
    const signedIn = await logIn("newcomer-a", first["newcomer-a"] ?? "");
    expect(signedIn.status, JSON.stringify(signedIn.body)).toBe(200);
    // Who signed in keeps the password; the others get new ones.
    const second = await firstPasswords(checked.id);
    expect(Object.keys(second)).toEqual(["newcomer-b"]);
    expect(second["newcomer-b"]).not.toBe(first["newcomer-b"]);
    expect((await logIn("newcomer-b", first["newcomer-b"] ?? "")).status).toBe(400);

    // Undoing names who acted since, and removes nobody.
    const before = await members();
    const refused = await calls.post<{ reason: string; text: string }>("import/undo", { id: checked.id });
    expect([refused.status, refused.data.reason]).toEqual([400, "import.changed_since"]);
    expect(refused.msg).toContain("newcomer-a (2)");
    expect(refused.msg).not.toContain("newcomer-b");
    expect(await members()).toBe(before);
  });

  test("of the same sheet again nothing is added or changed; whether existing ones are changed is chosen", async () => {
    const rows = [person("twice-a", { 手机: "13877770011" }), person("twice-b")];
    const first = await calls.check(rows);
    await calls.write(first.id, "all");
    const before = await members();
    const again = await calls.check(rows);
    expect(again).toMatchObject({ good: 2, updates: 2, unchanged: 2 });
    await calls.write(again.id, "all");
    expect(await members()).toBe(before);

    const changed = await calls.check([
      person("TWICE-A", { 邮箱: "", 昵称: "改过", 角色名称: "兽医" }),
      person("twice-b", { 手机: "13877770012" }),
    ]);
    expect(await problemsOf(changed.id)).toEqual([[3, ["phone field.fixed"]]]);
    await calls.write(changed.id, "good");
    expect(await find("twice-a")).toMatchObject({ name: "改过", roleName: "兽医", phone: "138****0011" });
    expect((await calls.post<Import>("import/undo", { id: changed.id })).data.state).toBe("undone");
    expect(await find("twice-a")).toMatchObject({ name: "twice-a", roleName: "饲养员" });
    // The first import left one of them another version.
    expect((await calls.post("import/undo", { id: first.id })).status).toBe(400);
  });

  test("refused existing rows are told, an undo removes exactly who was added", async () => {
    const before = await members();
    const first = await calls.check([person("undo-a"), person("undo-b")]);
    await calls.write(first.id, "all");
    expect(await members()).toBe(before + 2);
    await firstPasswords(first.id);
    expect((await calls.post<Import>("import/undo", { id: first.id })).data.state).toBe("undone");
    expect(await members()).toBe(before);
    expect(await find("undo-a")).toBeUndefined();
    // The names are free again.
    const again = await calls.check([person("undo-a")]);
    expect(again).toMatchObject({ good: 1, updates: 0 });
    await calls.post("import/cancel", { id: again.id });
  });

  test("nobody gives a role beyond their own, or changes somebody above them", async () => {
    await sql(`insert into role_menus select r.id, m.id from roles r, menus m
      where r.tenant_id = '100001' and r.role_name = '饲养员' and m.code in ('user_import', 'user_view') on conflict do nothing`);
    const worker = sheetCalls(app, base, await app.logIn("worker"));
    const checked = await worker.check([
      person("above-a", { 角色名称: "企业主" }),
      person("above-b"),
      person("sunli", { 邮箱: "", 姓名: "", 昵称: "改名", 角色名称: "" }),
    ]);
    const { records } = await worker.get<Page<ImportRow>>(`${base}/import/rows`, { id: checked.id });
    expect(records.map(({ rowNumber, problems }) => [rowNumber, problems.map(({ reason }) => reason)])).toEqual([
      [2, ["field.choice"]],
      [4, ["users.above"]],
    ]);
    await worker.post("import/cancel", { id: checked.id });
    await sql(`delete from role_menus where role_id in (select id from roles where tenant_id = '100001' and role_name = '饲养员')
      and menu_id in (select id from menus where code in ('user_import', 'user_view'))`);
  });

  test("needs its right, a lately proven password to write, and reaches the own tenant alone", async () => {
    const worker = await app.logIn("worker");
    const mine = sheetCalls(app, base, worker);
    for (const verb of ["import/begin", "first-passwords", "export"])
      expect([verb, (await mine.post(verb, { attachId: "1", importId: "1" })).status]).toEqual([verb, 403]);
    const checked = await calls.check([person("right-a")]);
    const admin = sheetCalls(app, base, await app.logIn("admin"));
    for (const verb of ["write", "undo", "cancel"])
      expect([verb, (await admin.post(`import/${verb}`, { id: checked.id, mode: "all" })).status]).toEqual([verb, 404]);
    expect((await admin.post("first-passwords", { importId: checked.id })).status).toBe(400);
    await sql("update sessions set confirmed_at = now() - interval '1 hour'");
    const unproven = await calls.post("import/write", { id: checked.id, mode: "all" });
    expect(unproven.status).toBe(403);
    await sql("update sessions set confirmed_at = now()");
  });
});

describe("an export of users", () => {
  test("has the columns of an import, masks phones, and comes back unchanged", async () => {
    const { rows } = await calls.exported({ where: {} });
    expect(Object.keys(rows.find(({ 账户 }) => 账户 === "farm") ?? {})).toContain("角色名称");
    expect(rows.map(({ 账户 }) => 账户)).toContain("wangzq");
    expect(rows.flatMap(({ 手机 }) => 手机 ?? []).every((phone) => /^\d{3}\*{4}\d{4}$/.test(phone))).toBe(true);
    const headings = Object.keys(person(""));
    const back = await calls.check(
      rows.map((row) => Object.fromEntries(headings.map((heading) => [heading, row[heading] ?? ""]))),
    );
    expect([await problemsOf(back.id), back.unchanged]).toEqual([[], rows.length]);
    await calls.post("import/cancel", { id: back.id });
  });
});
