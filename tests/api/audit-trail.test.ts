import type { AuditEntry, AuditPerson, AuditRowSummary, Page } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await createTestApp();
  admin = await app.logIn("admin");
});
afterAll(() => app.close());

const base = "/api/muyuan-log/audit";
const page = async (query: Record<string, string> = {}, token = admin) =>
  (await app.call({ path: `${base}/page`, query: { current: "1", size: "100", ...query }, token })).body
    .data as Page<AuditEntry>;
const told = ({ sentence: { names, ...said } }: AuditEntry, language: "zh" | "en") =>
  said[language].replace(/\{(\d+)\}/g, (_whole, at: string) => names[Number(at)] ?? "");
const sql = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query(text, values)).rows as Row[];

test("a change reads as a sentence, is found by its person and its row, and names what it refers to", async () => {
  const submit = (body: Record<string, unknown>) =>
    app.call({ method: "POST", path: "/api/muyuan-system/post/submit", body, token: admin });
  expect((await submit({ postCode: "VET", postName: "驻场兽医", category: "3" })).status).toBe(200);
  const [entry] = (await page()).records;
  expect(told(entry as AuditEntry, "zh")).toMatch(/^.+新增了岗位“驻场兽医”$/);
  expect(told(entry as AuditEntry, "en")).toMatch(/ added the post “驻场兽医”$/);
  expect(entry?.details.length).toBeGreaterThan(1);
  const mine = await page({ accountId: entry?.accountId ?? "" });
  expect(new Set(mine.records.map(({ accountId }) => accountId))).toEqual(new Set([entry?.accountId]));
  const ofRow = await page({ resource: "post", rowId: entry?.rowId ?? "" });
  expect(ofRow.records.map(({ id }) => id)).toEqual([entry?.id]);

  const persons = (await app.call({ path: `${base}/persons`, token: admin })).body.data as AuditPerson[];
  expect(persons.find(({ accountId }) => accountId === entry?.accountId)?.entries).toBe(mine.total);
  const rows = (await app.call({ path: `${base}/rows`, token: admin })).body.data as AuditRowSummary[];
  expect(rows.find(({ rowId }) => rowId === entry?.rowId)).toMatchObject({
    resource: "post",
    rowTitle: "驻场兽医",
    thing: { zh: "岗位", en: expect.stringMatching(/post/i) },
    entries: 1,
  });
});

test("a grant names menus and buttons, not their codes", async () => {
  const [role] = await sql<{ id: string; name: string }>(
    "select id::text, role_name as name from roles where role_alias = 'veterinarian' and tenant_id = '100002'",
  );
  const [held] = await sql<{ ids: string[] }>(
    "select array_agg(menu_id::text) as ids from role_menus where role_id = $1",
    [role?.id],
  );
  const [added] = await sql<{ id: string }>(
    `select m.id::text from menus m join role_menus rm on rm.menu_id = m.id join roles r on r.id = rm.role_id
      where r.role_alias = 'owner' and r.tenant_id = '100002' and m.category = 2 and not m.id = any($1::bigint[]) limit 1`,
    [held?.ids],
  );
  const answer = await app.call({
    method: "POST",
    path: "/api/muyuan-system/role/grant",
    body: { roleIds: [role?.id], menuIds: [...(held?.ids ?? []), added?.id] },
    token: admin,
  });
  expect([answer.status, answer.body.msg]).toEqual([200, expect.any(String)]);
  const [entry] = (await page({ resource: "role", action: "grant" })).records;
  const said = told(entry as AuditEntry, "zh");
  expect(said).toContain(`让角色“${role?.name}”可以使用“`);
  expect(said).not.toMatch(/_/);
});

test("a member of another tenant finds neither entries nor names of this one", async () => {
  const owner = await app.logIn("farm");
  expect((await app.call({ path: `${base}/page`, token: owner })).status).toBe(403);
  expect((await app.call({ path: `${base}/persons`, token: owner })).status).toBe(403);
  expect((await app.call({ path: `${base}/rows`, token: owner })).status).toBe(403);
});

test("the export holds the sentences", async () => {
  const answer = await app.call({ method: "POST", path: `${base}/export`, body: { language: "en" }, token: admin });
  expect(answer.status).toBe(200);
});
