import { type Endpoint, type RoleSession, roleSessionLeave, roleSessionOpen, type UserInfo } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic } from "../harness/session.ts";
import { volume } from "../harness/volume.ts";
import { bodyOf, isEndless, oneOfEachKind, operations, privateOperations, queryOf } from "./operations.ts";
import { addMember, menusOf, type RandomMenu, shown } from "./random-roles.ts";

const pairs = volume({ short: 8, long: 100 });

let app: TestApp;
let menus: RandomMenu[];
beforeAll(async () => {
  app = await createTestApp();
  menus = await menusOf(app);
});
afterAll(() => app.close());

const call = async (endpoint: Endpoint, token: string, sent?: Record<string, unknown>) => {
  const body = sent ?? bodyOf(endpoint);
  const answer = await app.http.inject({
    method: endpoint.method,
    url: endpoint.path,
    query: sent ? {} : queryOf(endpoint),
    headers: { authorization: basic, "muyuan-auth": `bearer ${token}` },
    ...(body && { payload: body }),
  });
  const { data } = answer.json<{ data?: { reason?: string } & Partial<RoleSession> }>();
  return { status: answer.statusCode, reason: data?.reason, data };
};
const open = (token: string, roleId: string) => call(roleSessionOpen, token, { roleId });
const previewOf = async (token: string, roleId: string): Promise<string> => {
  const { status, data } = await open(token, roleId);
  expect(status).toBe(200);
  return data?.token ?? "";
};
const roleOf = async (tenantId: string, alias: string): Promise<string> =>
  (
    await app.test.database.pool.query<{ id: string }>(
      "select id::text from roles where tenant_id = $1 and role_alias = $2",
      [tenantId, alias],
    )
  ).rows[0]?.id ?? "";
/** Lets a random member open previews. */
const mayLook = (roleIds: readonly string[]) =>
  app.test.database.pool.query(
    `insert into role_menus select r, n.id from unnest($1::bigint[]) r, menus n where n.code in ('role_view', 'role')
      on conflict do nothing`,
    [roleIds],
  );
const both = (a: readonly string[], b: readonly string[]): string[] => a.filter((code) => b.includes(code));

test(
  "a preview shows what a member with this role alone gets, as far as the previewing person has it",
  async () => {
    let [seen, hidden] = [0, 0];
    for (let at = 0; at < pairs; at += 1) {
      const tenantId = at % 2 === 0 ? "100001" : "000000";
      const looking = await addMember(app, menus, tenantId, `looks${at}`);
      await mayLook(looking.held.map(({ id }) => id));
      const other = await addMember(app, menus, tenantId, `seen${at}`);
      const role = other.held[0]?.id ?? "";
      // Somebody with this role alone, who asks first, so that an answer that is kept for them is not that of the preview.
      await app.test.database.pool.query(
        "delete from membership_roles mr using memberships m where m.id = mr.membership_id and m.account_id = $1 and mr.role_id <> $2",
        [other.account, role],
      );
      await app.pass(61);
      const [own, alone] = await Promise.all([shown(app, looking.token), shown(app, other.token)]);
      const preview = await previewOf(looking.token, role);
      const inPreview = await shown(app, preview);
      expect(inPreview).toEqual({
        screens: both(alone.screens, own.screens),
        buttons: both(alone.buttons, own.buttons),
      });
      seen += inPreview.buttons.length;
      hidden += alone.buttons.length - inPreview.buttons.length;
      const { body } = await app.get<UserInfo>("/api/muyuan-system/user/info", preview);
      expect(body.data).toMatchObject({ user_id: looking.account, preview: { roleId: role } });
      for (const [name, endpoint] of privateOperations
        .filter(([, { method }]) => method === "GET")
        .slice(at * 5, at * 5 + 5)) {
        if (isEndless(endpoint) || endpoint.access.level !== "permission") continue;
        const { reason } = await call(endpoint, preview);
        expect([name, reason === "permission.missing"]).toEqual([
          name,
          !inPreview.buttons.includes(endpoint.access.code),
        ]);
      }
    }
    expect(seen).toBeGreaterThan(pairs);
    expect(hidden).toBeGreaterThan(pairs);
  },
  60_000 + pairs * 5000,
);

test("a preview reaches the rows that role and person both reach", async () => {
  const admin = await app.logIn("farm");
  const { pool } = app.test.database;
  const owner = await roleOf("100002", "owner");
  const total = async (token: string) => {
    await app.pass(61);
    return (await app.get<{ total: number }>("/api/muyuan-farm/farm/page", token)).body.data?.total;
  };
  const vet = await roleOf("100002", "veterinarian");
  const preview = await previewOf(admin, vet);
  expect(await total(preview)).toBe(await total(admin));
  await pool.query("update roles set data_scope = 'self' where id = $1", [vet]);
  await pool.query("update farms set created_by = null where tenant_id = '100002'");
  await vi.waitFor(async () => expect(await total(preview)).toBe(0), { timeout: 3000, interval: 100 });
  await pool.query("update roles set data_scope = 'all' where id = $1", [vet]);
  await vi.waitFor(async () => expect(await total(preview)).toBeGreaterThan(0), { timeout: 3000, interval: 100 });
  await pool.query("update roles set data_scope = 'self' where id = $1", [owner]);
  await vi.waitFor(async () => expect(await total(preview)).toBe(0), { timeout: 3000, interval: 100 });
  await pool.query("update roles set data_scope = 'all' where id = $1", [owner]);
});

test("nothing that changes something is done in a preview", async () => {
  const preview = await previewOf(await app.logIn("admin"), await roleOf("000000", "administrator"));
  const allowed = ["roleSessionLeave"];
  const writes = operations.filter(
    ([name, { access, method, rate }]) =>
      access.level !== "public" && (method === "GET" ? rate === "write" : rate !== "read") && !allowed.includes(name),
  );
  expect(writes.length).toBeGreaterThan(400);
  const open: string[] = [];
  for (const [name, endpoint] of oneOfEachKind(writes)) {
    await app.pass(61);
    const { status, reason } = await call(endpoint, preview);
    if (status !== 403 || reason !== "preview.read_only") open.push(`${name} ${status} ${reason}`);
  }
  expect(open).toEqual([]);
  // What is declared to read is read.
  expect((await app.get("/api/muyuan-system/role/page", preview)).status).toBe(200);
}, 120_000);

test("what is not called a write, and yet not called by GET, is listed here when it is added", () => {
  const reads = operations
    .filter(([, { method, rate, access }]) => method !== "GET" && rate === "read" && access.level !== "public")
    .map(([name]) => name);
  expect(reads.toSorted()).toEqual(
    [
      "alarmPushPreview",
      "announcementReach",
      "articleLinkCheck",
      "bandPreview",
      "documentPreviewLink",
      "driverPhotoTicket",
      "homeLinkCheck",
      "menuPreview",
      "messageCornerMark",
      "modelPreview",
      "rolePreview",
      "tenantPackagePreview",
      "videoPreviewLink",
    ].toSorted(),
  );
});

test("a preview needs the right to see roles, and is of a role of the own tenant", async () => {
  const owner = await app.logIn("farm");
  expect(await open(await app.logIn("worker"), await roleOf("100001", "worker"))).toMatchObject({ status: 403 });
  expect(await open(owner, await roleOf("100001", "worker"))).toMatchObject({ status: 404 });
  const admin = await app.logIn("admin");
  expect(await open(admin, await roleOf("100001", "worker"))).toMatchObject({ reason: "preview.other_tenant" });
});

test("a preview is in the audit trail, and ends by leaving it, with the log-in that opened it and with its role", async () => {
  const { pool } = app.test.database;
  const info = async (token: string) => (await app.get("/api/muyuan-system/user/info", token)).status;
  const logOut = (token: string) => app.get("/api/muyuan-auth/oauth/logout", token);
  const vet = await roleOf("100002", "veterinarian");

  const owner = await app.logIn("farm");
  const left = await previewOf(owner, vet);
  const { rows } = await pool.query(
    `select e.resource, e.row_id::text as "rowId", e.action from audit_entries e where e.chain = '100002' order by e.position desc limit 1`,
  );
  expect(rows).toEqual([{ resource: "role", rowId: vet, action: "preview" }]);
  expect((await call(roleSessionLeave, left, {})).status).toBe(200);
  expect([await info(left), await info(owner)]).toEqual([401, 200]);

  const over = await previewOf(owner, vet);
  await logOut(owner);
  expect([await info(over), await info(owner)]).toEqual([401, 401]);

  const again = await app.logIn("farm");
  const inPreview = await previewOf(again, vet);
  await logOut(inPreview);
  expect([await info(inPreview), await info(again)]).toEqual([401, 401]);

  const third = await app.logIn("farm");
  const role = app.nextId();
  await pool.query(
    "insert into roles (id, tenant_id, role_name, role_alias, data_scope) values ($1, '100002', '将删', 'goes', 'all')",
    [role],
  );
  const gone = await previewOf(third, role);
  expect(await info(gone)).toBe(200);
  await pool.query("delete from roles where id = $1", [role]);
  await vi.waitFor(async () => expect(await info(gone)).toBe(401), { timeout: 3000, interval: 100 });
});
