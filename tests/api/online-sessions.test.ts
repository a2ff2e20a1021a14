import type { Message, OnlineSession, Page } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic, md5 } from "../harness/session.ts";

let app: TestApp;
let address: string;
let admin: string;
beforeAll(async () => {
  app = await createTestApp({}, { sessionKeptMs: 900 });
  address = await app.http.listen({ port: 0, host: "127.0.0.1" });
  admin = await app.logIn("admin");
});
afterAll(() => app.close());

const base = "/api/muyuan-auth/session/online";
const logIn = async (username: string) =>
  (await app.token({ grant_type: "password", username, password: md5(demoPassword) }, {})).body;
const list = async (query: Record<string, string> = {}, token = admin) =>
  (await app.call({ path: `${base}/page`, query: { current: "1", size: "100", ...query }, token })).body
    .data as Page<OnlineSession>;
const end = (body: Record<string, string>, token = admin) =>
  app.call({ method: "POST", path: `${base}/end`, body, token });
const info = (token: string) => app.call({ path: "/api/muyuan-system/user/info", token });

test("staff see who is logged in, without tokens and with the address masked; nobody else does", async () => {
  const { access_token, refresh_token, jti } = await logIn("worker");
  const { records, total } = await list();
  expect(total).toBeGreaterThan(1);
  const row = records.find(({ id }) => id === jti);
  expect(row).toMatchObject({ account: "worker", tenantName: "柳河家庭农场", current: false });
  expect(row?.address).toMatch(/\*$/);
  expect(JSON.stringify(records)).not.toContain(access_token);
  expect(JSON.stringify(records)).not.toContain(refresh_token);
  expect(Object.keys(row ?? {}).filter((name) => /token|hash/i.test(name))).toEqual([]);
  expect((await list({ keyword: "柳河" })).records.map(({ id }) => id)).toContain(jti);
  expect((await list({ keyword: "没有这个人" })).total).toBe(0);
  expect((await app.call({ path: `${base}/page`, token: access_token })).status).toBe(403);
  expect((await end({ ids: jti }, access_token)).status).toBe(403);
});

test("an ended session is over within a second, its live stream too; the person is told and the trail has it", async () => {
  const person = await logIn("farm");
  const devices = await app.get<Page<{ id: string }>>("/api/muyuan-iot/device/page", person.access_token);
  const stream = await fetch(`${address}/api/muyuan-iot/live?ids=${devices.body.data.records[0]?.id}`, {
    headers: { Authorization: basic, "Muyuan-Auth": `bearer ${person.access_token}` },
  });
  expect(stream.status).toBe(200);
  // The reading serves for most of a second, and must not keep the session alive.
  expect((await info(person.access_token)).status).toBe(200);
  const started = performance.now();
  const answer = await end({ ids: person.jti });
  expect([answer.status, answer.body.data]).toEqual([200, { ended: 1 }]);
  expect((await info(person.access_token)).status).toBe(401);
  // Read to its end.
  await stream.text();
  expect(performance.now() - started).toBeLessThan(1000);
  expect((await end({ ids: person.jti })).status).toBe(404);

  const again = await logIn("farm");
  const messages = await app.call({
    path: "/api/muyuan-message-center/message/page/user",
    query: { current: "1", size: "20" },
    token: again.access_token,
  });
  expect(((messages.body.data as Page<Message>).records ?? []).map(({ title }) => title)).toContain(
    "您的登录被管理员结束了",
  );
  const { rows } = await app.test.database.pool.query(
    "select changes from audit_entries where resource = 'session' and action = 'remove' order by id desc limit 1",
  );
  expect(rows).toEqual([{ changes: [{ field: "count", before: null, after: 1 }] }]);
});

test("all sessions of a person end at once; the caller's own stays; the password is asked for again after five minutes", async () => {
  const [first, second] = [await logIn("worker"), await logIn("worker")];
  const { records } = await list();
  const accountId = records.find(({ id }) => id === first.jti)?.accountId ?? "";
  const all = (await end({ accountId })).body.data as { ended: number };
  expect(all.ended).toBeGreaterThanOrEqual(2);
  for (const { access_token } of [first, second]) expect((await info(access_token)).status).toBe(401);
  const own = records.find(({ current }) => current);
  expect(records[0]?.id).toBe(own?.id);
  expect((await end({ ids: own?.id ?? "" })).status).toBe(404);
  expect((await info(admin)).status).toBe(200);
  await app.test.database.pool.query(
    "update sessions set authenticated_at = now() - interval '6 minutes', confirmed_at = null where id = $1",
    [own?.id],
  );
  const third = await logIn("worker");
  const refused = await end({ ids: third.jti });
  expect([refused.status, (refused.body.data as { reason: string }).reason]).toEqual([403, "identity.confirm_first"]);
  expect((await info(third.access_token)).status).toBe(200);
});
