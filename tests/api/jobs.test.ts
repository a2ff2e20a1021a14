import type { Job, Page } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let owner: string;
let other: string;

const accountOf = async (account: string): Promise<string> =>
  (await app.test.database.pool.query<{ id: string }>("select id from accounts where account = $1", [account])).rows[0]
    ?.id ?? "";

beforeAll(async () => {
  app = await createTestApp();
  [owner, other] = await Promise.all([app.logIn("farm"), app.logIn("admin")]);
  await app.test.database.pool.query(
    `insert into background_jobs (id, tenant_id, account_id, kind, title, state, queue_id, created_at)
     values (101, '100002', $1, 'user.export', '导出', 'queued', gen_random_uuid(), now()),
            (102, '100002', $1, 'user.export', '导出', 'succeeded', gen_random_uuid(), now()),
            (103, '000000', $2, 'user.export', '导出', 'queued', gen_random_uuid(), now())`,
    [await accountOf("farm"), await accountOf("admin")],
  );
});
afterAll(() => app.close());

const base = "/api/muyuan-system/job";
const statesOf = async () =>
  (await app.test.database.pool.query("select id, state from background_jobs order by id")).rows;

test("a person sees the own jobs, newest first, and those of nobody else", async () => {
  const { body } = await app.get<Page<Job>>(`${base}/page`, owner);
  expect(body.data.records.map(({ id }) => id)).toEqual(["102", "101"]);
  expect((await app.get<Page<Job>>(`${base}/page?state=queued`, owner)).body.data.records).toHaveLength(1);
  expect((await app.get<Job>(`${base}/detail?id=101`, owner)).body.data).toMatchObject({
    state: "queued",
    finishTime: "",
  });
  expect((await app.get(`${base}/detail?id=103`, owner)).status).toBe(404);
});

test("another's job can't be cancelled, and a finished one stays as it is", async () => {
  const cancel = (ids: string) => app.call({ method: "POST", path: `${base}/cancel`, query: { ids }, token: other });
  expect((await cancel("101,102")).status).toBe(200);
  expect((await cancel("x")).status).toBe(400);
  expect((await statesOf()).map(({ state }) => state)).toEqual(["queued", "succeeded", "queued"]);
  await app.call({ method: "POST", path: `${base}/cancel`, body: { ids: "101,102" }, token: owner });
  expect((await statesOf()).map(({ state }) => state)).toEqual(["cancelled", "succeeded", "queued"]);
});

test("the live stream of jobs ends with its session", async () => {
  await app.test.database.pool.query(
    `insert into background_jobs (id, tenant_id, account_id, kind, title, state, queue_id)
     values (104, '100002', $1, 'user.export', '导出', 'queued', gen_random_uuid())`,
    [await accountOf("farm")],
  );
  const address = await app.listen();
  const token = await app.logIn("admin");
  const answer = await fetch(`${address}${base}/live`, { headers: { "Muyuan-Auth": `bearer ${token}` } });
  expect(answer.headers.get("content-type")).toContain("text/event-stream");
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  const ended = (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return true;
      text += new TextDecoder().decode(value);
    }
  })();
  await vi.waitFor(() => expect(text).toContain('event: job\ndata: {"id":"103"'));
  expect(text).not.toContain('"id":"104"');
  expect((await app.get("/api/muyuan-auth/oauth/logout", token)).status).toBe(200);
  expect(await ended).toBe(true);
});
