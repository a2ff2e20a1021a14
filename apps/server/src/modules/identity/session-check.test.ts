import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createSeededDatabase, type TestDatabase } from "../../../../../tests/harness/database.ts";
import type { Prepared } from "../../database/connection.ts";
import type { EventStream } from "../../http/event-stream.ts";
import type { Session } from "../../http/session.ts";
import { createSessionCheck, type SessionCheck } from "../../http/session-streams.ts";
import { memoryBus } from "../../providers/bus.ts";
import { systemScope } from "../../tenant-scope.ts";
import { sessionRepository } from "./session.repository.ts";
import { createSessionReader, type SessionReader } from "./session-reader.ts";

const proven = systemScope("a test of the streams of sessions");
const lifetimeS = 86_400;
let held: TestDatabase;
let reader: SessionReader;
/** Names of the statements that were asked. */
const asked: string[] = [];
let check: SessionCheck;
/** Questions that have no answer yet. */
let unanswered = 0;
const answering = async <Answer>(question: Promise<Answer>): Promise<Answer> => {
  unanswered += 1;
  return question.finally(() => {
    unanswered -= 1;
  });
};

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await held.database.pool.query(text, values)).rows as Row[];

beforeAll(async () => {
  held = await createSeededDatabase();
  const counted: Prepared = (statement, values) => {
    asked.push(statement.name);
    return held.database.prepared(statement, values);
  };
  reader = createSessionReader(sessionRepository(counted, proven), proven, { keptMs: 0 });
});
afterAll(() => held.drop());
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  check = createSessionCheck({
    bus: memoryBus(),
    versionsOfSessions: (ids) => answering(reader.versions(ids, lifetimeS)),
    reachOfSessions: (ids) => answering(reader.active(ids, lifetimeS)),
  });
});
afterEach(async () => {
  check.stop();
  vi.useRealTimers();
  await query("delete from sessions");
});

/** Sessions of members, one after the other, with the ids of their membership. */
async function sessionsOf(count: number, where = "true") {
  await query(
    `insert into sessions (id, account_id, tenant_id, membership_id, client_id)
     select n, m.account_id, m.tenant_id, m.id, 'web' from generate_series(1, $1::int) n
       join (select ms.*, row_number() over (order by ms.id) - 1 as at, count(*) over () as of
               from memberships ms join accounts a on a.id = ms.account_id where ms.status = 1 and ${where}) m on m.at = n % m.of`,
    [count],
  );
  return query<{ id: string; accountId: string; tenantId: string; membershipId: string }>(
    `select id::text, account_id::text as "accountId", tenant_id as "tenantId", membership_id::text as "membershipId"
       from sessions where preview_of is null order by id`,
  );
}
/** Opens a stream as a request would: with the session as it is now. */
async function open({ id, accountId, tenantId }: { id: string; accountId: string; tenantId: string }) {
  const member = await reader.ofMember(accountId, tenantId);
  if (member === undefined) throw new Error("there is no such member");
  return openAs({ ...member.session, id } as Session);
}
function openAs(session: Session) {
  const ending = new AbortController();
  const stream: EventStream = { send: async () => undefined, end: () => ending.abort(), signal: ending.signal };
  void check.watch(
    session,
    stream,
    () => new Promise((resolve) => ending.signal.addEventListener("abort", () => resolve())),
  );
  return { ended: () => ending.signal.aborted, close: () => ending.abort() };
}
/** One turn of the check, until it asked for everything. */
async function turn() {
  asked.length = 0;
  vi.advanceTimersByTime(3000);
  await vi.waitFor(async () => {
    // What follows on an answer has been asked by then.
    await new Promise((resolve) => setImmediate(resolve));
    expect([asked.length > 0, unanswered]).toEqual([true, 0]);
  });
}

test("two hundred open streams are checked by one statement, and by one more when they are new", async () => {
  const sessions = await sessionsOf(200);
  const streams = await Promise.all(sessions.map(open));
  await turn();
  expect(asked.filter((name) => name.endsWith("sessions"))).toEqual(["versions_of_sessions", "active_sessions"]);
  for (let at = 0; at < 3; at += 1) {
    await turn();
    expect(asked).toEqual(["versions_of_sessions"]);
  }
  expect(streams.some(({ ended }) => ended())).toBe(false);
  for (const { close } of streams) close();
});

test("whatever changes what a session reaches, or ends it, ends its streams and no others", async () => {
  const added = (id: number, parent: string) =>
    `insert into departments (id, tenant_id, parent_id, dept_name, full_name, dept_category)
     values (${id}, '000000', ${parent}, '试验组 ${id}', '试验组 ${id}', '1')`;
  await query(added(990001, "(select min(id) from departments where tenant_id = '000000')"));
  const stands = "insert into membership_departments (membership_id, department_id) values ($member, 990001)";
  const leaves = "delete from membership_departments where membership_id = $member and department_id = 990001";
  const ruled = `insert into data_scopes (id, menu_id, scope_name, resource_code, scope_type)
    values (990001, (select min(id) from menus), '试验', 'alarm', '3')`;
  const changes: readonly (readonly [name: string, before: readonly string[], change: string])[] = [
    [
      "a menu of the role",
      [],
      "delete from role_menus where role_id = $role and menu_id = (select min(menu_id) from role_menus where role_id = $role)",
    ],
    ["the data scope of the role", [], "update roles set data_scope = 'self' where id = $role"],
    [
      "the departments that a role names",
      ["update roles set data_scope = 'chosen' where id = $role"],
      "insert into role_departments (role_id, department_id) values ($role, 990001)",
    ],
    ["the member's departments", ["update roles set data_scope = 'department' where id = $role"], stands],
    [
      "a department below",
      ["update roles set data_scope = 'department-and-below' where id = $role"],
      added(990002, "990001"),
    ],
    [
      "the member's departments, where a single resource is limited to them",
      [
        "update roles set data_scope = 'all' where id = $role",
        ruled,
        "insert into role_data_scopes (role_id, data_scope_id) values ($role, 990001)",
      ],
      leaves,
    ],
    [
      "the account",
      [],
      "update accounts set status = 0 where id = (select account_id from memberships where id = $member)",
    ],
    [
      "the membership",
      ["update accounts set status = 1 where id = (select account_id from memberships where id = $member)"],
      "update memberships set status = 0 where id = $member",
    ],
    [
      "roles of the member",
      ["update memberships set status = 1 where id = $member"],
      "delete from membership_roles where membership_id = $member and role_id = $role",
    ],
    ["the session", [], "update sessions set ended_at = now() where membership_id = $member"],
  ];
  const [mine, other] = await sessionsOf(2, "a.account in ('kefu01', 'admin') and ms.tenant_id = '000000'");
  if (mine === undefined || other === undefined) throw new Error("there are no such members");
  const roles = await query<{ id: string }>(
    "select role_id::text as id from membership_roles where membership_id = $1",
    [mine.membershipId],
  );
  expect(roles.length).toBeGreaterThan(0);
  const run = (text: string) =>
    query(text.replaceAll("$member", mine.membershipId).replaceAll("$role", roles[0]?.id ?? ""));
  for (const [name, before, change] of changes) {
    for (const text of before) await run(text);
    const [concerned, untouched] = [await open(mine), await open(other)];
    await turn();
    expect([name, concerned.ended(), untouched.ended()]).toEqual([name, false, false]);
    await run(change);
    await turn();
    await vi.waitFor(() => expect([name, concerned.ended(), untouched.ended()]).toEqual([name, true, false]));
    untouched.close();
  }
});

test("a preview of a role ends with what the role grants, and with the session that opened it", async () => {
  const token = "token of a preview";
  const [mine] = await sessionsOf(1, "a.account = 'admin' and ms.tenant_id = '000000'");
  if (mine === undefined) throw new Error("there is no such member");
  const role = "(select min(id) from roles where tenant_id = '000000' and role_alias = 'customer_service')";
  const opened = async () => {
    await query(
      `insert into sessions (id, account_id, tenant_id, membership_id, client_id, preview_role_id, preview_of)
       select 900, account_id, tenant_id, membership_id, 'web', ${role}, id from sessions where id = $1`,
      [mine.id],
    );
    await query(
      `insert into session_tokens (token_hash, session_id, purpose, expires_at)
       values ($1, 900, 'access', now() + interval '1 hour')`,
      [createHash("sha256").update(token).digest()],
    );
    const session = await reader.authenticate(token);
    if (session === undefined) throw new Error("there is no such session");
    return openAs(session);
  };
  for (const change of [
    `delete from role_menus where role_id = ${role} and menu_id = (select min(menu_id) from role_menus where role_id = ${role})`,
    `update roles set data_scope = 'self' where id = ${role}`,
    "update sessions set ended_at = now() where preview_of is null",
  ]) {
    const stream = await opened();
    await turn();
    expect([change, stream.ended()]).toEqual([change, false]);
    await query(change);
    await turn();
    await vi.waitFor(() => expect([change, stream.ended()]).toEqual([change, true]));
    await query("delete from sessions where id = 900");
  }
});
