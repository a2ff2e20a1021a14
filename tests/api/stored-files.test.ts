import { readFileSync } from "node:fs";
import type { Page, ReplyOf, StoredFile, storedFileTotals } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let admin: string;
let worker: string;
let ids: string[];
const base = "/api/muyuan-resource/attach/stored";
const name = (at: number) => `upload/20261130/00000000-0000-4000-8000-00000000000${at}.png`;

const sql = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query(text, values)).rows as Row[];
const list = async (query: Record<string, string> = {}, token = admin) =>
  (await app.call({ path: `${base}/page`, query: { current: "1", size: "100", ...query }, token })).body
    .data as Page<StoredFile>;
const post = (verb: string, body: Record<string, string>, token = admin) =>
  app.call({ method: "POST", path: `${base}/${verb}`, body, token });
const nameOf = (file: StoredFile) => file.originalName;

beforeAll(async () => {
  app = await createTestApp();
  admin = await app.logIn("admin");
  worker = await app.logIn("worker");
  ids = ["7900000000000000001", "7900000000000000002", "7900000000000000003", "7900000000000000004"];
  for (const [at, id] of ids.entries())
    await sql(
      `insert into attachments (id, tenant_id, account_id, name, original_name, extension, content_type, size_bytes, sha256, visibility, state)
       select $1, '100002', a.id, $2, $3, $4, 'image/png', $5, '\\x00', 'private', 'kept' from accounts a where a.account = 'worker'`,
      [id, name(at), `file${at}.png`, at === 3 ? "xlsx" : "png", 1000 * (at + 1)],
    );
  await sql("update accounts set avatar = $1 where account = 'worker'", [`http://localhost/files/${name(0)}`]);
  await sql(
    `insert into background_jobs (id, tenant_id, account_id, kind, title, state, result, queue_id)
     select 7900000000000000009, '100002', a.id, 'x', '导出设备', 'succeeded', jsonb_build_object('attachmentId', $1::text), gen_random_uuid()
       from accounts a where a.account = 'worker'`,
    [ids[1]],
  );
});
afterAll(() => app.close());

test("each file says what refers to it, and those that nobody refers to are a view", async () => {
  const { records } = await list();
  const usesOf = (at: number) => records.find(({ id }) => id === ids[at])?.uses;
  expect(usesOf(0)).toEqual([{ what: "头像", title: "worker", count: 1, path: "/system/user" }]);
  expect(usesOf(1)).toEqual([{ what: "任务结果", title: "导出设备", count: 1, path: "/selfCenter/jobs" }]);
  expect(usesOf(2)).toEqual([]);
  expect((await list({ used: "no" })).records.map(nameOf).toSorted()).toEqual(["file2.png", "file3.png"]);
  expect((await list({ used: "yes" })).records.map(nameOf).toSorted()).toEqual(["file0.png", "file1.png"]);
  expect((await list({ kind: "sheet" })).records.map(nameOf)).toEqual(["file3.png"]);
  expect((await list({}, worker)).records).toBeUndefined();
  const totals = (await app.call({ path: `${base}/totals`, token: admin })).body.data as ReplyOf<
    typeof storedFileTotals
  >;
  expect(totals).toContainEqual({ kind: "picture", files: 3, bytes: 6000, unusedFiles: 1, unusedBytes: 3000 });
});

test("what is in use is not removed, nor anything together with it; what nobody refers to is, with an entry of the trail", async () => {
  const refused = await post("remove", { ids: `${ids[0]},${ids[2]}` });
  expect([refused.status, (refused.body.data as { reason: string }).reason]).toEqual([409, "files.in_use"]);
  expect(await sql("select from attachments where id = any($1::bigint[])", [ids])).toHaveLength(4);
  expect((await post("remove", { ids: ids[2] ?? "" }, worker)).status).toBe(403);
  const removed = await post("remove", { ids: ids[2] ?? "" });
  expect([removed.status, removed.body.data]).toEqual([200, { removed: 1 }]);
  expect(await sql("select from attachments where id = $1", [ids[2]])).toHaveLength(0);
  expect(
    await sql("select row_title as title from audit_entries where resource = 'attachment' and action = 'remove'"),
  ).toEqual([{ title: "file2.png" }]);
  expect((await post("remove", { ids: ids[2] ?? "" })).status).toBe(404);
});

test("a download takes a right of its own, and the trail says who took which", async () => {
  expect((await post("open", { id: ids[3] ?? "" }, worker)).status).toBe(403);
  const opened = await post("open", { id: ids[3] ?? "" });
  expect(opened.body.data).toMatchObject({ expiresIn: 60, url: expect.stringContaining("?ticket=") });
  expect(
    await sql("select row_title as title from audit_entries where resource = 'attachment' and action = 'view'"),
  ).toEqual([{ title: "file3.png" }]);
});

test("every column of the database that names a file by its id, or its address, is among the references", async () => {
  const source = readFileSync(
    new URL("../../apps/server/src/modules/files/stored-file.repository.ts", import.meta.url),
    "utf8",
  );
  const columns = await sql<{ tableName: string; columnName: string }>(
    `select c.table_name as "tableName", c.column_name as "columnName" from information_schema.columns c
       join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
      where c.table_schema = 'public' and (c.column_name ~ '^(attachment_id|avatar|logo|cover|photo|background_url)$')`,
  );
  // Ids of `driver_photos`, not of files.
  const known = columns.filter(({ tableName }) => tableName !== "driver_entries");
  expect(known.length).toBeGreaterThan(8);
  const missing = known.filter(
    ({ tableName, columnName }) => !new RegExp(`"${tableName}"(, "${columnName}")?`).test(source),
  );
  expect(missing).toEqual([]);
  const keyed = await sql<{ tableName: string }>(
    `select conrelid::regclass::text as "tableName" from pg_constraint where contype = 'f' and confrelid = 'attachments'::regclass`,
  );
  expect(keyed.filter(({ tableName }) => !source.includes(`"${tableName}"`))).toEqual([]);
});
