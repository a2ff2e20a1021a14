import {
  type Announcement,
  type AnnouncementReceipt,
  announcementReminderHours,
  type Message,
  type Notice,
  type Page,
  tenantTypes,
} from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { random, some } from "../threats/random-roles.ts";

let app: TestApp;
let admin: string;
/** Tokens of people, by their login names. */
const people = new Map<string, { token: string; id: string; isStaff: boolean }>();

const base = "/api/muyuan-message-center/announcement";
const desk = "/api/muyuan-desk";
const messages = "/api/muyuan-message-center/message";
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, values)).rows;
const post = async <Data = { reason?: string }>(path: string, body: unknown, token = admin) => {
  const answer = await app.call({ method: "POST", path: `${base}${path}`, body, token });
  return { status: answer.status, data: answer.body.data as Data };
};
const find = async (id: string): Promise<Announcement> =>
  (await app.get<Announcement>(`${base}/detail?id=${id}`, admin)).body.data;
const run = () => app.runJob("announcements.send");
const send = async (more: object): Promise<string> => {
  const { data } = await post<{ id: string; version: number }>("/submit", { title: "检查", content: "内容", ...more });
  expect((await post("/schedule", data)).status).toBe(200);
  await run();
  // At the turn of a minute the server's own run may be at it already.
  await expect.poll(async () => (await find(data.id)).state).toBe("sent");
  return data.id;
};
const messagesOf = async (token: string, id: string): Promise<Message[]> => {
  const ids = new Set(
    (await query<{ id: string }>("select id::text from messages where announcement_id = $1", [id])).map(
      (row) => row.id,
    ),
  );
  const { records } = (await app.get<Page<Message>>(`${messages}/page/user?size=500`, token)).body.data;
  return records.filter((message) => ids.has(message.id));
};
const unreadOf = async (token: string): Promise<number> =>
  ((await app.call({ method: "POST", path: `${messages}/app_corner_mark`, token })).body.data as number[])[0] ?? 0;

beforeAll(async () => {
  app = await createTestApp();
  admin = await app.logIn("admin");
  const logins: [string, string?][] = [["farm"], ["vet", "100002"], ["worker"], ["heqing"], ["liuyang"], ["chenxiao"]];
  for (const [account, tenant] of logins) {
    const [row] = await query<{ id: string; isStaff: boolean }>(
      `select a.id::text, exists (select from memberships m join tenants t on t.tenant_id = m.tenant_id
         where m.account_id = a.id and t.type = 'group') as "isStaff" from accounts a where a.account_key = $1`,
      [account],
    );
    if (row) people.set(account, { token: await app.logIn(account, tenant), ...row });
  }
});
afterAll(() => app.close());
beforeEach(() => app.pass(61));

describe("an audience that is chosen", () => {
  interface Membership {
    accountId: string;
    tenantId: string;
    type: string;
    roles: string[];
    farms: string[];
    regions: string[];
  }
  interface Target {
    tenantKinds: string[];
    regionCodes: string[];
    farmIds: string[];
    tenantIds: string[];
    roleAliases: string[];
  }
  const memberships = () =>
    query<Membership>(`
      select m.account_id::text as "accountId", m.tenant_id as "tenantId", t.type,
             array(select r.role_alias from membership_roles mr join roles r on r.id = mr.role_id where mr.membership_id = m.id) as roles,
             array(select f.id::text from farms f where f.tenant_id = m.tenant_id) as farms,
             array(select f.region_code from farms f where f.tenant_id = m.tenant_id
                   union all select e.region_code from customer_entries e where e.tenant_id = m.tenant_id) as regions
        from memberships m join tenants t on t.tenant_id = m.tenant_id join accounts a on a.id = m.account_id
       where m.status = 1 and t.status = 1 and a.status = 1 and a.removed_at is null`);
  const isMeant = (target: Target) => (one: Membership) => {
    const among = (list: readonly string[], has: readonly string[]) =>
      list.length === 0 || list.some((value) => has.includes(value));
    return (
      among(target.tenantKinds, [one.type]) &&
      among(target.tenantIds, [one.tenantId]) &&
      among(target.farmIds, one.farms) &&
      among(target.roleAliases, one.roles) &&
      (target.regionCodes.length === 0 ||
        target.regionCodes.some((code) => one.regions.some((region) => region.startsWith(code))))
    );
  };

  test("reaches whom a plain reading of its conditions means, and nobody else sees it anywhere", async () => {
    // Two prefectures of one province, so that a prefecture is told from its province.
    const [moved] = await query<{ region: string }>(
      `update farms set region_code = left(region_code, 2) || case substr(region_code, 3, 2) when '01' then '0300' else '0100' end
        where id = (select min(id) from farms where tenant_id = '100002') returning region_code as region`,
    );
    // A person with two tenants is a worker in one of them, and no veterinarian there.
    const [worker] = await query<{ tenantId: string; membershipId: string; accountId: string }>(
      `select m.tenant_id as "tenantId", m.id::text as "membershipId", m.account_id::text as "accountId" from memberships m
        join accounts a on a.id = m.account_id where a.account_key = 'vet' and m.tenant_id <> '100002' limit 1`,
    );
    await query(
      `update membership_roles set role_id = (select id from roles where tenant_id = $2 and role_alias = 'worker')
        where membership_id = $1`,
      [worker?.membershipId, worker?.tenantId],
    );
    const all = await memberships();
    const ofAll = (pick: (one: Membership) => string[]) => [...new Set(all.flatMap(pick))];
    const [regions, farms, tenants, roles] = [
      ofAll(({ regions }) => regions.filter((code) => code.length >= 4)),
      ofAll(({ farms }) => farms),
      ofAll(({ tenantId }) => [tenantId]),
      ofAll(({ roles }) => roles),
    ];
    const maybe = (values: readonly string[], most: number) => (random(3) === 0 ? [] : some(values, 1 + random(most)));
    let [inside, outside, narrowed] = [0, 0, 0];
    for (let at = 0; at < 40; at += 1) {
      const empty: Target = { tenantKinds: [], regionCodes: [], farmIds: [], tenantIds: [], roleAliases: [] };
      const given: readonly Target[] = [
        { ...empty, regionCodes: [(moved?.region ?? "").slice(0, 4)] },
        { ...empty, tenantIds: [worker?.tenantId ?? ""], roleAliases: ["veterinarian", "owner"] },
      ];
      const target = given[at] ?? {
        tenantKinds: random(2) === 0 ? [] : some(tenantTypes, 1 + random(2)),
        regionCodes: random(2) === 0 ? [] : some(regions, 2).map((code) => code.slice(0, 2 + 2 * random(2))),
        farmIds: random(2) === 0 ? [] : some(farms, 1 + random(6)),
        tenantIds: random(2) === 0 ? [] : some(tenants, 1 + random(4)),
        roleAliases: maybe(roles, 4),
      };
      if (Object.values(target).every((list) => list.length === 0)) target.roleAliases = some(roles, 1);
      const meant = all.filter(isMeant(target));
      const expected = [...new Set(meant.map(({ accountId }) => accountId))].toSorted();
      if (expected.length > 0 && Object.values(target).filter((list) => list.length > 0).length > 1) narrowed += 1;
      const said = JSON.stringify(target);
      const reach = await post<{ receivers: number; tenants: number }>("/reach", { audience: "chosen", ...target });
      expect(reach.data, said).toEqual({
        receivers: expected.length,
        tenants: new Set(meant.map(({ tenantId }) => tenantId)).size,
      });
      const before = new Map<string, number>();
      for (const [name, { token }] of people) before.set(name, await unreadOf(token));
      const id = await send({ audience: "chosen", ...target });
      const told = async (table: string) =>
        (
          await query<{ id: string }>(`select account_id::text as id from ${table} where announcement_id = $1`, [id])
        ).map((row) => row.id);
      expect((await told("announcement_receipts")).toSorted(), said).toEqual(expected);
      expect((await told("messages")).toSorted(), said).toEqual(expected);
      for (const [name, { token, id: accountId, isStaff }] of people) {
        const isIn = expected.includes(accountId);
        if (isIn) inside += 1;
        else outside += 1;
        const clue = `${name} ${isIn ? "in" : "out"} ${said}`;
        expect((await messagesOf(token, id)).length, clue).toBe(isIn ? 1 : 0);
        expect(await unreadOf(token), clue).toBe((before.get(name) ?? 0) + (isIn ? 1 : 0));
        for (const list of ["notice/top?size=100", "dashboard/notices", "dashboard/my-notices"]) {
          const { data } = (await app.get<Page<Notice> | Notice[]>(`${desk}/${list}`, token)).body;
          const ids = (Array.isArray(data) ? data : data.records).map((notice) => notice.id);
          expect(ids.includes(id), `${clue} ${list}`).toBe(isIn);
        }
        // The group's staff who may see announcements read all of them here.
        if (isStaff) continue;
        const { records } = (await app.get<Page<Notice>>(`${desk}/notice/page?size=200`, token)).body.data;
        expect(
          records.some((notice) => notice.id === id),
          clue,
        ).toBe(isIn);
        expect((await app.get(`${desk}/notice/detail?id=${id}`, token)).status, clue).toBe(isIn ? 200 : 404);
        expect((await app.get(`${base}/receipt/page?id=${id}`, token)).status, clue).toBe(403);
      }
    }
    expect(Math.min(inside, outside), `${inside} in, ${outside} out`).toBeGreaterThan(20);
    expect(narrowed).toBeGreaterThan(3);
  });

  test("a stored audience without a condition is nobody's", async () => {
    await expect(
      query(`insert into announcements (id, title, content, audience) values (1, 'x', 'y', 'chosen')`),
    ).rejects.toThrow("announcements_chosen_someone");
  });

  test("tenants are offered by a part of their name, to who writes announcements", async () => {
    const { data } = (await app.get<{ name: string }[]>(`${base}/tenants?keyword=${encodeURIComponent("中原")}`, admin))
      .body;
    expect(data.map(({ name }) => name)).toContain("中原牧业有限公司");
    expect((await app.get(`${base}/tenants`, people.get("farm")?.token ?? "")).status).toBe(403);
  });
});

test("what is over is seen by nobody, at once in notices and with the next minute in messages", async () => {
  const { token } = people.get("farm") ?? { token: "" };
  const endMs = Date.now() + 30 * 60_000;
  const endTime = new Date(endMs + 8 * 3_600_000).toISOString().slice(0, 19).replace("T", " ");
  const late = await post<{ id: string; version: number }>("/submit", {
    title: "太晚",
    content: "内容",
    audience: "all",
    endTime,
  });
  const at = new Date(endMs + 9 * 3_600_000).toISOString().slice(0, 16).replace("T", " ");
  expect((await post("/schedule", { ...late.data, at })).data.reason).toBe("announcements.end");
  const id = await send({ audience: "all", endTime });
  expect(await find(id)).toMatchObject({ endTime });
  const read = () => app.get(`${desk}/notice/detail?id=${id}`, token);
  expect((await read()).status).toBe(200);
  expect(await messagesOf(token, id)).toHaveLength(1);
  await query("update announcements set ends_at = now() - interval '1 second' where id = $1", [id]);
  expect((await read()).status).toBe(404);
  await run();
  await expect.poll(async () => (await find(id)).state).toBe("ended");
  expect(await messagesOf(token, id)).toHaveLength(0);
  expect((await find(id)).receivers).toBeGreaterThan(0);
});

test("who has read it is listed and exported, and the others are reminded once", async () => {
  const { token, id: reader } = people.get("farm") ?? { token: "", id: "" };
  const id = await send({ audience: "chosen", tenantIds: ["100002"] });
  const { receivers } = await find(id);
  expect(receivers).toBeGreaterThan(2);
  const first = await query<{ id: string; accountId: string }>(
    `select id::text, account_id::text as "accountId" from messages where announcement_id = $1`,
    [id],
  );
  const own = first.find(({ accountId }) => accountId === reader);
  await app.call({ method: "POST", path: `${messages}/update_status?ids=${own?.id}`, token });
  const list = async (search: string) =>
    (await app.get<Page<AnnouncementReceipt>>(`${base}/receipt/page?id=${id}&${search}`, admin)).body.data;
  expect((await list("reading=read")).records).toMatchObject([{ accountId: reader, account: "farm", remindTime: "" }]);
  expect((await list("reading=read")).records[0]?.contactName).toMatch(/^.\*+$/);
  expect((await list("reading=unread")).total).toBe(receivers - 1);
  expect((await list("keyword=farm&reading=unread")).total).toBe(0);
  expect((await list("size=1")).records[0]?.readTime).toBe("");

  // Somebody left the audience since.
  const left = first.find(({ accountId }) => accountId !== reader)?.accountId ?? "";
  await query("update memberships set status = 0 where account_id = $1 and tenant_id = '100002'", [left]);
  const { version } = await find(id);
  expect((await post("/remind", { id, version }, token)).status).toBe(403);
  const reminded = await post<{ receivers: number }>("/remind", { id, version });
  expect(reminded).toMatchObject({ status: 200, data: { receivers: receivers - 2 } });
  await run();
  await expect.poll(async () => (await query("select from announcements where reminding")).length).toBe(0);
  const second = await query<{ id: string; accountId: string }>(
    `select id::text, account_id::text as "accountId" from messages where announcement_id = $1`,
    [id],
  );
  expect(second.map(({ accountId }) => accountId).toSorted()).toEqual(
    first.map(({ accountId }) => accountId).toSorted(),
  );
  const kept = second.filter((one) => first.some((other) => other.id === one.id)).map(({ accountId }) => accountId);
  expect(kept.toSorted()).toEqual([left, reader].toSorted());
  expect((await list("reading=unread")).records.filter(({ remindTime }) => remindTime !== "")).toHaveLength(
    receivers - 2,
  );
  await query("update memberships set status = 1 where account_id = $1 and tenant_id = '100002'", [left]);

  const again = async () => post("/remind", { id, version: (await find(id)).version });
  expect((await again()).data.reason).toBe("announcements.reminded");
  await query("update announcements set reminded_at = reminded_at - $2 * interval '1 hour' where id = $1", [
    id,
    announcementReminderHours,
  ]);
  await query("update announcement_receipts set read_at = now() where announcement_id = $1", [id]);
  expect((await again()).data.reason).toBe("announcements.all_read");

  const { data } = await post<{ jobId: string }>("/receipt/export", { id, reading: "read" });
  await expect
    .poll(
      async () =>
        (
          await query<{ state: string; rows: string }>(
            "select state, result ->> 'rows' as rows from background_jobs where id = $1",
            [data.jobId],
          )
        )[0],
      { timeout: 15_000, interval: 50 },
    )
    .toEqual({ state: "succeeded", rows: String(receivers) });
});
