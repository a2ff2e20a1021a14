import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSeededDatabase, openAnother, type TestDatabase } from "../../../../../tests/harness/database.ts";
import type { Authenticate } from "../../http/session.ts";
import { systemScope } from "../../tenant-scope.ts";
import { sessionRepository } from "./session.repository.ts";
import { createSessionReader } from "./session-reader.ts";

const token = "token-of-a-worker";
const proven = systemScope("a test of sessions");
let held: TestDatabase;
let other: TestDatabase;
/** Readers of two servers on one database. */
let readers: Authenticate[];
let roleId: string;

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await held.database.pool.query(text, values)).rows as Row[];
/** What the servers say the worker may do. */
const permissions = async (): Promise<string[][]> =>
  Promise.all(readers.map(async (read) => [...((await read(token))?.permissions ?? [])].sort()));
const expected = async (): Promise<string[]> =>
  (
    await query<{ code: string }>(
      `select distinct n.code from membership_roles mr join role_menus rm on rm.role_id = mr.role_id
         join menus n on n.id = rm.menu_id and n.category = 2
        where mr.membership_id = (select membership_id from sessions where id = 1)`,
    )
  )
    .map(({ code }) => code)
    .sort();

beforeAll(async () => {
  held = await createSeededDatabase();
  other = openAnother(held);
  readers = [held, other].map(
    ({ database }) =>
      createSessionReader(sessionRepository(database.prepared, proven), proven, { keptMs: 0 }).authenticate,
  );
  const [member] = await query<{ id: string; accountId: string; tenantId: string; roleId: string }>(
    `select m.id::text, m.account_id::text as "accountId", m.tenant_id as "tenantId", mr.role_id::text as "roleId"
       from memberships m join accounts a on a.id = m.account_id and a.account = 'farm'
       join membership_roles mr on mr.membership_id = m.id`,
  );
  if (member === undefined) throw new Error("there is no such member");
  roleId = member.roleId;
  await query(
    "insert into sessions (id, account_id, tenant_id, membership_id, client_id) values (1, $1, $2, $3, 'web')",
    [member.accountId, member.tenantId, member.id],
  );
  await query(
    "insert into session_tokens (token_hash, session_id, purpose, expires_at) values ($1, 1, 'access', now() + interval '1 hour')",
    [createHash("sha256").update(token).digest()],
  );
});
afterAll(async () => {
  await other.drop();
  await held.drop();
});

test("whatever changes what a role grants, the next request on each server knows", async () => {
  const before = await expected();
  expect(before.length).toBeGreaterThan(3);
  expect(await permissions()).toEqual([before, before]);
  const [button, another, third] = await query<{ id: string; code: string }>(
    "select n.id::text, n.code from role_menus rm join menus n on n.id = rm.menu_id and n.category = 2 where rm.role_id = $1",
    [roleId],
  );
  const spare =
    "select id from menus n where category = 2 and not exists (select from role_menus where role_id = $1 and menu_id = n.id) limit 1";
  for (const [change, values] of [
    ["delete from role_menus where role_id = $1 and menu_id = $2", [roleId, button?.id]],
    ["insert into role_menus (role_id, menu_id) values ($1, $2)", [roleId, button?.id]],
    [`update role_menus set menu_id = (${spare}) where role_id = $1 and menu_id = $2`, [roleId, button?.id]],
    [
      `update role_menus set role_id = $1 where (role_id, menu_id) = (select rm.role_id, rm.menu_id from role_menus rm
         where rm.menu_id = (${spare}) limit 1)`,
      [roleId],
    ],
    ["update menus set code = 'renamed_button' where id = $1", [another?.id]],
    ["update menus set category = 1 where id = $1", [another?.id]],
    ["delete from menus where id = $1", [third?.id]],
    ["delete from membership_roles where role_id = $1", [roleId]],
  ] as const) {
    const was = await expected();
    await query(change, [...values]);
    const now = await expected();
    expect(now, change).not.toEqual(was);
    expect(await permissions(), change).toEqual([now, now]);
  }
});

test("a session that ended, an account that is locked, and a token that expired are nobody's", async () => {
  for (const [change, back] of [
    ["update sessions set ended_at = now() where id = 1", "update sessions set ended_at = null where id = 1"],
    ["update accounts set status = 0 where account = 'farm'", "update accounts set status = 1 where account = 'farm'"],
    ["update memberships set status = 0", "update memberships set status = 1"],
    ["update tenants set status = 0", "update tenants set status = 1"],
    ["update session_tokens set purpose = 'refresh'", "update session_tokens set purpose = 'access'"],
    [
      "update session_tokens set expires_at = now()",
      "update session_tokens set expires_at = now() + interval '1 hour'",
    ],
  ] as const) {
    await query(change);
    expect(await Promise.all(readers.map((read) => read(token))), change).toEqual([undefined, undefined]);
    await query(back);
    expect(await readers[0]?.(token)).toBeDefined();
  }
});
