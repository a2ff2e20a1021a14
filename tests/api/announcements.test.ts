import {
  type Announcement,
  type AnnouncementEvent,
  type AnnouncementState,
  announcementEvents,
  announcementStates,
  announcementTransitions,
  type Message,
  type Page,
} from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let admin: string;
let owner: string;
let vet: string;

const base = "/api/muyuan-message-center/announcement";
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, values)).rows;
const post = async <Data = { reason?: string }>(path: string, body: unknown, token = admin) => {
  const answer = await app.call({ method: "POST", path: `${base}${path}`, body, token });
  return { status: answer.status, data: answer.body.data as Data };
};
const find = async (id: string): Promise<Announcement | undefined> =>
  (await app.get<Page<Announcement>>(`${base}/page?size=200`, admin)).body.data.records.find((one) => one.id === id);
const listOf = async (token: string) =>
  (await app.get<Page<Message>>("/api/muyuan-message-center/message/page/user?kind=announcement&size=100", token)).body
    .data.records;
const texts = { title: "系统维护", content: "今晚 22:00 到 23:00 维护。", audience: "all" };
const write = async (more: object = {}) =>
  (await post<{ id: string; version: number }>("/submit", { ...texts, ...more })).data;
const send = async (more: object = {}): Promise<string> => {
  const of = await write(more);
  expect((await post("/schedule", of)).status).toBe(200);
  await app.runJob("announcements.send");
  // At the turn of a minute the server's own run may be at it already.
  await expect.poll(async () => (await find(of.id))?.state).toBe("sent");
  return of.id;
};
/** One in a state, as it is now. */
async function announcementIn(state: AnnouncementState): Promise<{ id: string; version: number }> {
  const { id } = await write({ audience: "chosen", roleAliases: ["finance"] });
  await query(
    "update announcements set state = $2, due_at = now() + interval '1 day', version = version + 1 where id = $1",
    [id, state],
  );
  await query(
    `insert into announcement_receipts (announcement_id, account_id)
     select $1::bigint, m.account_id from memberships m join membership_roles mr on mr.membership_id = m.id
       join roles r on r.id = mr.role_id where r.role_alias = 'finance' on conflict do nothing`,
    [id],
  );
  return { id, version: (await find(id))?.version ?? 0 };
}

beforeAll(async () => {
  app = await createTestApp();
  [admin, owner, vet] = [await app.logIn("admin"), await app.logIn("farm"), await app.logIn("vet", "100002")];
});
afterAll(() => app.close());
beforeEach(() => app.pass(61));

describe("what may happen to an announcement", () => {
  const asked: Readonly<
    Record<
      Exclude<AnnouncementEvent, "begin" | "end" | "expire">,
      (of: { id: string; version: number }, token: string) => Promise<{ status: number; data: { reason?: string } }>
    >
  > = {
    edit: (of, token) => post("/submit", { ...texts, ...of }, token),
    schedule: (of, token) => post("/schedule", { ...of, at: "2027-06-01 08:00" }, token),
    unschedule: (of, token) => post("/unschedule", of, token),
    remove: (of, token) => post("/remove", of, token),
    remind: (of, token) => post("/remind", of, token),
    withdraw: (of, token) => post("/withdraw", of, token),
  };
  const events = announcementEvents.filter(
    (event) => !["begin", "end", "expire"].includes(event),
  ) as (keyof typeof asked)[];
  test.each(announcementStates.flatMap((state) => events.map((event) => [state, event] as const)))(
    "%s: %s",
    async (state, event) => {
      const to = announcementTransitions[state][event];
      const of = await announcementIn(state);
      for (const token of [owner, vet]) expect((await asked[event](of, token)).status).toBe(403);
      expect((await find(of.id))?.state).toBe(state);
      const trail = async () =>
        (await query("select from audit_entries where resource = 'announcement' and row_id = $1", [of.id])).length;
      const before = await trail();
      if (to !== undefined && to !== "gone")
        expect((await asked[event]({ ...of, version: of.version + 1 }, admin)).data.reason).toBe(
          "announcements.changed",
        );
      const { status, data } = await asked[event](of, admin);
      expect(status).toBe(to === undefined ? 409 : 200);
      if (to === undefined) expect(data.reason).toBe("announcements.state");
      expect((await find(of.id))?.state).toBe(to === "gone" ? undefined : (to ?? state));
      expect(await trail()).toBe(before + (to === undefined ? 0 : 1));
    },
  );
});

describe("whom it reaches", () => {
  test("everybody once, in both languages, and who read it is counted, also after it was removed", async () => {
    const id = await send({ titleEn: "Maintenance", contentEn: "Tonight from 22:00." });
    const people = (await query("select from accounts where status = 1 and removed_at is null")).length;
    expect(await find(id)).toMatchObject({ state: "sent", receivers: people, readers: 0 });
    const [message] = await listOf(owner);
    expect(message).toMatchObject({ kind: "announcement", title: "系统维护", titleEn: "Maintenance", status: 0 });
    const call = (path: string, token: string) =>
      app.call({ method: "POST", path: `/api/muyuan-message-center/message/${path}`, token });
    await call(`update_status?ids=${message?.id}`, owner);
    expect((await find(id))?.readers).toBe(1);
    await call(`remove?ids=${message?.id}`, owner);
    expect((await find(id))?.readers).toBe(1);
    await app.runJob("announcements.send");
    expect((await listOf(owner)).map(({ title }) => title)).not.toContain("系统维护");
  });

  test("the members of farms' customers, or who holds a role, and nobody else", async () => {
    const [farm] = await query<{ id: string }>("select id::text as id from farms where tenant_id = '100002' limit 1");
    const other = await app.logIn("heqing");
    await send({ title: "只给一家", audience: "chosen", farmIds: [farm?.id] });
    expect((await listOf(owner))[0]?.title).toBe("只给一家");
    expect((await listOf(other)).map(({ title }) => title)).not.toContain("只给一家");
    expect((await listOf(admin)).map(({ title }) => title)).not.toContain("只给一家");
    await send({ title: "只给兽医", audience: "chosen", roleAliases: ["veterinarian"] });
    expect((await listOf(vet))[0]?.title).toBe("只给兽医");
    expect((await listOf(owner)).map(({ title }) => title)).not.toContain("只给兽医");
    await send({ title: "客户都有", audience: "customers" });
    expect((await listOf(owner))[0]?.title).toBe("客户都有");
    expect((await listOf(admin)).map(({ title }) => title)).not.toContain("客户都有");
    const reach = await post<{ receivers: number }>("/reach", { audience: "chosen", roleAliases: ["veterinarian"] });
    expect(reach.data.receivers).toBeGreaterThan(0);
  });

  test("what is withdrawn leaves every list", async () => {
    const id = await send({ title: "发错了" });
    expect((await listOf(vet)).map(({ title }) => title)).toContain("发错了");
    const { version = 0 } = (await find(id)) ?? {};
    expect((await post("/withdraw", { id, version })).status).toBe(200);
    for (const token of [owner, vet, admin])
      expect((await listOf(token)).map(({ title }) => title)).not.toContain("发错了");
  });

  test("not before its time", async () => {
    const of = await write({ title: "还没到" });
    expect((await post("/schedule", { ...of, at: "2020-01-01 08:00" })).data.reason).toBe("announcements.time");
    expect((await post("/schedule", { ...of, at: "2027-01-01 08:00" })).status).toBe(200);
    await app.runJob("announcements.send");
    expect((await find(of.id))?.state).toBe("scheduled");
    expect((await listOf(owner)).map(({ title }) => title)).not.toContain("还没到");
  });

  test("broken off in the middle, the rest get it and nobody twice", async () => {
    const of = await write({ title: "断在半路" });
    // A server had sent it to some and died.
    const some = await query<{ id: string }>(
      "select id::text as id from accounts where status = 1 and removed_at is null order by accounts.id limit 5",
    );
    await query("update announcements set state = 'sending', due_at = now() where id = $1", [of.id]);
    for (const { id } of some) {
      await query("insert into announcement_receipts (announcement_id, account_id) values ($1, $2)", [of.id, id]);
      await query(
        "insert into messages (id, account_id, kind, title, announcement_id) values ($1, $2, 'announcement', '断在半路', $3)",
        [app.nextId(), id, of.id],
      );
    }
    await Promise.all([app.runJob("announcements.send"), app.runJob("announcements.send")]);
    const doubled = await query(
      "select from messages where announcement_id = $1 group by account_id having count(*) > 1",
      [of.id],
    );
    expect(doubled).toEqual([]);
    const people = (await query("select from accounts where status = 1 and removed_at is null")).length;
    expect(await query("select from messages where announcement_id = $1", [of.id])).toHaveLength(people);
    expect((await find(of.id))?.state).toBe("sent");
  });
});

test("what is wrong is said at its field", async () => {
  const reasonOf = async (more: object) => (await post("/submit", { ...texts, ...more })).data.reason;
  expect(await reasonOf({ title: " " })).toBe("announcements.title");
  expect(await reasonOf({ content: "长".repeat(1001) })).toBe("announcements.content");
  for (const link of ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "/a b"])
    expect(await reasonOf({ link }), link).toBe("announcements.link");
  for (const endTime of ["2020-01-01 08:00", "2099-01-01 08:00"])
    expect(await reasonOf({ endTime }), endTime).toBe("announcements.end");
  const chosen = (of: object) => reasonOf({ audience: "chosen", ...of });
  expect(await chosen({})).toBe("announcements.chosen");
  expect(await chosen({ farmIds: [], tenantKinds: [] })).toBe("announcements.chosen");
  expect(await chosen({ farmIds: ["1"] })).toBe("announcements.farms");
  expect(await chosen({ roleAliases: ["nobody"] })).toBe("announcements.roles");
  expect(await chosen({ tenantIds: ["999999"] })).toBe("announcements.tenants");
  expect(await chosen({ regionCodes: ["99"] })).toBe("announcements.regions");
});
