import type { ErrorLog, Page, RequestEntry, UsualLog } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let admin: string;
let worker: string;
beforeAll(async () => {
  app = await createTestApp();
  admin = await app.logIn("admin");
  worker = await app.logIn("worker");
});
afterAll(() => app.close());

const base = "/api/muyuan-log";
/** Entries are gathered for half a second. */
const written = async <T>(read: () => Promise<T[]>): Promise<T[]> => {
  for (let tries = 0; tries < 40; tries += 1) {
    const found = await read();
    if (found.length > 0) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return [];
};
const ofRequest = async (requestId: string, token = admin) =>
  (await app.call({ path: `${base}/request/list`, query: { requestId }, token })).body.data as RequestEntry[];

test("the number of an answer finds its entries in whichever log they are, failures first", async () => {
  const refused = await app.call({
    method: "POST",
    path: "/api/muyuan-system/post/submit",
    body: {
      id: "7900000000000000077",
      version: 1,
      postCode: "X",
      postName: "岗位",
      category: "3",
      remark: "13912345678",
    },
    token: admin,
  });
  expect(refused.status).toBe(404);
  const requestId = String(refused.headers["x-request-id"]);
  const entries = await written(() => ofRequest(requestId));
  expect(entries.map(({ kind }) => kind)).toEqual(["usual", "api"]);
  const { records } = (
    await app.call({ path: `${base}/usual/list`, query: { current: "1", size: "10", requestId }, token: admin })
  ).body.data as Page<UsualLog>;
  expect(records.map(({ id }) => id)).toEqual([entries[0]?.id]);
  const detail = (await app.call({ path: `${base}/usual/detail`, query: { id: entries[0]?.id ?? "" }, token: admin }))
    .body.data as UsualLog;
  expect(detail.params).not.toContain("13912345678");
  expect(await ofRequest("no-such-number")).toEqual([]);
});

test("a call that only reads is no entry, whatever its method", async () => {
  const path = "/api/muyuan-message-center/message/app_corner_mark";
  const counted = await app.call({ method: "POST", path, token: admin });
  expect(counted.status).toBe(200);
  // Entries are written in their order: once this one is there, the other one would be.
  const removed = await app.call({ method: "POST", path: "/api/muyuan-system/post/remove?ids=1", token: admin });
  expect(await written(() => ofRequest(String(removed.headers["x-request-id"])))).not.toEqual([]);
  expect(await ofRequest(String(counted.headers["x-request-id"]))).toEqual([]);
});

test("a failure is found with its stack by the number that the person saw", async () => {
  await app.test.database.pool.query("alter view post_list rename to post_list_away");
  const failed = await app.call({ path: "/api/muyuan-system/post/page?current=1&size=10", token: admin });
  await app.test.database.pool.query("alter view post_list_away rename to post_list");
  expect(failed.status).toBe(500);
  const requestId = String(failed.headers["x-request-id"]);
  const [entry] = await written(() => ofRequest(requestId));
  expect(entry?.kind).toBe("error");
  const detail = (await app.call({ path: `${base}/error/detail`, query: { id: entry?.id ?? "" }, token: admin })).body
    .data as ErrorLog;
  expect(detail.stackTrace).toContain("post_list");
});

test("without the right nobody finds an entry; how long each log is kept is told", async () => {
  expect((await app.call({ path: `${base}/request/list`, query: { requestId: "x" }, token: worker })).status).toBe(403);
  expect((await app.call({ path: `${base}/request/retention`, token: worker })).status).toBe(403);
  expect((await app.call({ path: `${base}/request/retention`, token: admin })).body.data).toEqual({
    usual: 30,
    api: 90,
    error: 180,
  });
});
