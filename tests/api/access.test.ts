import { type Endpoint, endpoints } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { basic, createTestApp, type TestApp } from "../harness/app.ts";

/** Everybody who may knock: nobody, a session that ended, and each demo account in each of its tenants. */
const principals = ["nobody", "ended", "admin", "farm", "vet@100002", "vet@100003", "worker", "roleless"] as const;
type Principal = (typeof principals)[number];

let app: TestApp;
const tokens = new Map<Principal, string>();
const permissions = new Map<Principal, Set<string>>();

const codesOf = (nodes: { code: string; category: number; children?: never[] }[]): string[] =>
  nodes.flatMap(({ code, category, children = [] }) => [...(category === 2 ? [code] : []), ...codesOf(children)]);

beforeAll(async () => {
  app = await createTestApp();
  for (const principal of principals) {
    const [account = "", tenant] = principal === "ended" || principal === "roleless" ? ["farm"] : principal.split("@");
    const token = principal === "nobody" ? "" : await app.logIn(account, tenant);
    tokens.set(principal, token);
    if (token === "" || principal === "ended") continue;
    const buttons = await app.get<never[]>("/api/muyuan-system/menu/buttons", token);
    permissions.set(principal, new Set(codesOf(buttons.body.data)));
  }
  await app.get("/api/muyuan-auth/oauth/logout", tokens.get("ended"));
  // The role is taken away after the log-in: the session must feel it at once.
  const owner = await app.logIn("worker");
  tokens.set("roleless", owner);
  await app.test.database.pool.query(
    "delete from membership_roles where membership_id = (select m.id from memberships m join accounts a on a.id = m.account_id where a.account = 'worker')",
  );
  permissions.set("roleless", new Set());
  permissions.set("worker", new Set());
  tokens.set("worker", owner);
});
afterAll(() => app.close());

/** What a row-changing call could change; sessions' own bookkeeping aside. */
const fingerprint = async (): Promise<string> => {
  const { rows } = await app.test.database.pool.query(`select md5(string_agg(t, '|')) as hash from (
    select (select md5(string_agg(x::text, ',' order by x.id)) from accounts x) as t
    union all select (select md5(string_agg(x::text, ',' order by x.id)) from memberships x)
    union all select (select md5(string_agg(x::text, ',' order by x.id)) from devices x)
    union all select (select md5(string_agg(x::text, ',' order by x.id)) from units x)
    union all select (select coalesce(md5(string_agg(x::text, ',' order by x.id)), '') from oauth_clients x)) as parts`);
  return rows[0].hash;
};

/** Calls that end a session or make a new one are tested where they belong. */
const apart = new Set(["oauthToken", "oauthLogout", "switchMultiTenant", "sessionRemove", "live"]);
const cases = (Object.entries(endpoints) as [string, Endpoint][]).filter(([name]) => !apart.has(name));

describe("T02: every operation for every principal", () => {
  test.each(cases)("%s answers as its access says", async (_name, endpoint) => {
    const before = await fingerprint();
    for (const principal of principals) {
      const token = tokens.get(principal);
      const answer = await app.http.inject({
        method: endpoint.method,
        url: endpoint.path,
        headers: { authorization: basic, ...(token && { "muyuan-auth": `bearer ${token}` }) },
        ...(endpoint.method !== "GET" && { payload: {} }),
      });
      const { level } = endpoint.access;
      const barred = principal === "nobody" || principal === "ended";
      const lacks = endpoint.access.level === "permission" && !permissions.get(principal)?.has(endpoint.access.code);
      const about = `${principal}: ${answer.statusCode} ${answer.body.slice(0, 120)}`;
      expect(answer.statusCode, about).toBeLessThan(500);
      // A call whose parameters are wrong is refused before it is known who calls; it does nothing either way.
      if (level !== "public" && barred) expect([400, 401], about).toContain(answer.statusCode);
      else if (lacks) expect([400, 403], about).toContain(answer.statusCode);
      else expect([401, 403], about).not.toContain(answer.statusCode);
    }
    expect(await fingerprint()).toBe(before);
  });
});
