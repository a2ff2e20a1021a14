import type { Endpoint } from "@herdwise/contract";
import { Value } from "typebox/value";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic, md5 } from "../harness/session.ts";
import { changedBy, startChangeLog, takeChanges } from "./change-log.ts";
import { bodyOf, isEndless, operations, privateOperations, queryOf } from "./operations.ts";

/** Everybody who may knock: strangers, a session that ended, and each demo account in each of its tenants. */
const principals = [
  "nobody",
  "forged",
  "ended",
  "admin",
  "farm",
  "vet@100002",
  "vet@100003",
  "worker",
  "roleless",
] as const;
type Principal = (typeof principals)[number];
const strangers = new Set<Principal>(["nobody", "forged", "ended"]);
const groupStaff = new Set<Principal>(["admin", "roleless"]);

let app: TestApp;
const tokens = new Map<Principal, string>();
const permissions = new Map<Principal, Set<string>>();

interface Node {
  code: string;
  category: number;
  children?: Node[];
}
const codesOf = (nodes: Node[]): string[] =>
  nodes.flatMap(({ code, category, children = [] }) => [...(category === 2 ? [code] : []), ...codesOf(children)]);

/** Logs in from an address of its own; `roleless` is one of the group whose role is taken away afterwards. */
async function enter(principal: Principal): Promise<string> {
  if (principal === "nobody") return "";
  if (principal === "forged") return "A".repeat(43);
  const [account = "", tenantId] = principal === "ended" ? ["farm"] : principal.split("@");
  const { body } = await app.token(
    {
      grant_type: "captcha",
      username: account,
      password: md5(demoPassword),
      ...(tenantId && { tenantId }),
    },
    await app.captcha(),
  );
  if (principal === "ended") await app.get("/api/muyuan-auth/oauth/logout", body.access_token);
  return body.access_token;
}

const setRoleless = (roles: boolean) =>
  app.test.database.pool.query(
    roles
      ? "insert into membership_roles select m.id, r.id from memberships m join accounts a on a.id = m.account_id and a.account = 'roleless' join roles r on r.tenant_id = m.tenant_id and r.role_alias = 'administrator'"
      : "delete from membership_roles where membership_id = (select m.id from memberships m join accounts a on a.id = m.account_id where a.account = 'roleless')",
  );

/** Differs once any session was opened or ended. */
const sessionCounts = async (): Promise<string | undefined> =>
  (
    await app.test.database.pool.query<{ counts: string }>(
      "select concat(count(*), ' ', count(ended_at)) as counts from sessions",
    )
  ).rows[0]?.counts;

/** A session that a call ended is opened again, so that every operation meets nine living principals. */
async function renew(principal: Principal): Promise<void> {
  if (strangers.has(principal)) return;
  const alive = (await app.get("/api/muyuan-system/menu/buttons", tokens.get(principal))).status === 200;
  if (alive) return;
  if (principal === "roleless") await setRoleless(true);
  tokens.set(principal, await enter(principal));
  if (principal === "roleless") await setRoleless(false);
}

beforeAll(async () => {
  app = await createTestApp();
  const { pool } = app.test.database;
  await pool.query(
    "insert into accounts (id, account, account_key, type, password_hash) select $1, 'roleless', 'roleless', 'personal', password_hash from accounts where account = 'worker'",
    [app.nextId()],
  );
  await pool.query(
    "insert into memberships (id, account_id, tenant_id) select $1, id, '000000' from accounts where account = 'roleless'",
    [app.nextId()],
  );
  await setRoleless(true);
  for (const principal of principals) tokens.set(principal, await enter(principal));
  await setRoleless(false);
  for (const principal of principals.filter((candidate) => !strangers.has(candidate))) {
    const { body } = await app.get<Node[]>("/api/muyuan-system/menu/buttons", tokens.get(principal));
    permissions.set(principal, new Set(codesOf(body.data)));
  }
  await startChangeLog(pool);
});
afterAll(() => app.close());

const call = async (endpoint: Endpoint, principal: Principal) => {
  const token = tokens.get(principal);
  const answer = await app.http.inject({
    method: endpoint.method,
    url: endpoint.path,
    query: queryOf(endpoint),
    headers: { authorization: basic, ...(token && { "muyuan-auth": `bearer ${token}` }) },
    ...(endpoint.method !== "GET" && { payload: bodyOf(endpoint) ?? {} }),
  });
  return { status: answer.statusCode, text: answer.body };
};

/** What the declaration says a principal meets: 401, 403, or neither. */
function expected({ access, owner }: Endpoint, principal: Principal): 401 | 403 | undefined {
  if (access.level === "public") return undefined;
  if (strangers.has(principal)) return 401;
  if (access.level === "permission" && !permissions.get(principal)?.has(access.code)) return 403;
  return owner === "group" && !groupStaff.has(principal) ? 403 : undefined;
}

test("a row that comes, changes or goes is seen; what is rolled back, and what every request notes of itself, is not", async () => {
  const { pool } = app.test.database;
  await takeChanges(pool);
  await pool.query("update tenants set name = name || '.' where tenant_id = '100002'");
  await pool.query("insert into servers values ('seen', now())");
  // With the row of the customers' list, which a trigger keeps.
  expect(changedBy(await takeChanges(pool))).toEqual([
    "customer_entries.name",
    "customer_entries.words",
    "tenants.name",
  ]);
  await pool.query("update sessions set last_seen_at = now()");
  await pool.query("do $$ begin delete from sessions; raise exception 'back'; end $$").catch(() => undefined);
  expect(changedBy(await takeChanges(pool))).toEqual([]);
});

test("the principals differ in what they may do", () => {
  expect(permissions.get("roleless")).toEqual(new Set());
  expect(permissions.get("admin")?.size).toBeGreaterThan(permissions.get("worker")?.size ?? 0);
});

test.each(operations)("%s: the samples that are sent pass for its parameters", (_name, endpoint) => {
  const { query, body } = endpoint;
  expect(Value.Check(query, Value.Convert(query, queryOf(endpoint)))).toBe(true);
  if (endpoint.method !== "GET") expect(Value.Check(body, bodyOf(endpoint))).toBe(true);
});

// A live stream that is let in does not end; those who are refused are tried there, too.
describe("T02: every operation for every principal", () => {
  test.each(operations)("%s answers as it is declared, and a refused call changes nothing", async (_name, endpoint) => {
    // What the operation before changed is its own.
    await takeChanges(app.test.database.pool);
    const refused = principals.filter((principal) => expected(endpoint, principal) !== undefined);
    for (const principal of refused) {
      const { status, text } = await call(endpoint, principal);
      expect(status, `${principal}: ${text.slice(0, 120)}`).toBe(expected(endpoint, principal));
      expect(text, principal).not.toContain('"success":true');
    }
    expect(changedBy(await takeChanges(app.test.database.pool))).toEqual([]);
    let before = await sessionCounts();
    for (const principal of isEndless(endpoint) ? [] : principals.filter((candidate) => !refused.includes(candidate))) {
      const { status, text } = await call(endpoint, principal);
      expect(status, `${principal}: ${text.slice(0, 120)}`).toBeLessThan(500);
      if (!["oauthToken"].includes(_name))
        expect([401, 403], `${principal}: ${text.slice(0, 120)}`).not.toContain(status);
      const after = await sessionCounts();
      if (after === before) continue;
      await renew(principal);
      before = await sessionCounts();
    }
  });

  test.each(privateOperations)(
    "%s: who is no caller learns nothing about parameters",
    async (_name, { method, path }) => {
      const answer = await app.http.inject({
        method,
        url: `${path}?current=x&id=y`,
        headers: { authorization: basic, "content-type": "application/json" },
        ...(method !== "GET" && { payload: "{broken" }),
      });
      expect([answer.statusCode, answer.json()]).toEqual([401, { code: 401, msg: "缺失令牌,鉴权失败", data: null }]);
    },
  );

  test("a role that grants a button of the group's gives a customer nothing", async () => {
    const { pool } = app.test.database;
    const token = await app.logIn("farm");
    await pool.query(
      "insert into role_menus select r.id, m.id from roles r, menus m where r.tenant_id = '100002' and r.role_alias = 'owner' and m.code = 'client_view' on conflict do nothing",
    );
    expect((await app.get("/api/muyuan-system/client/list", token)).status).toBe(403);
    expect((await app.get("/api/muyuan-system/client/list", await app.logIn("admin"))).status).toBe(200);
  });
});
