import type { Endpoint } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic, md5 } from "../harness/session.ts";
import { volume } from "../harness/volume.ts";
import { bodyOf, isEndless, privateOperations, queryOf } from "./operations.ts";

/** Random sets of roles, each with a member; and the operations that each member tries. */
const memberCount = volume({ short: 6, long: 200 });
const triedEach = volume({ short: 40, long: 200 });

interface Menu {
  id: string;
  parentId: string | null;
  code: string;
  category: number;
}
interface Node {
  code: string;
  category: number;
  children?: Node[];
}

let app: TestApp;
let menus: Menu[];
let admin: string;
beforeAll(async () => {
  app = await createTestApp();
  admin = await app.logIn("admin");
  menus = (
    await app.test.database.pool.query<Menu>(
      `select id::text, parent_id::text as "parentId", code, category::int from menus`,
    )
  ).rows;
});
afterAll(() => app.close());

let state = 20_261_129;
/** Whole numbers below `below`, the same ones in each run. */
const random = (below: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const some = <T>(all: readonly T[], count: number): T[] =>
  Array.from({ length: count }, () => all[random(all.length)] as T);
const codesOf = (nodes: readonly Node[], category: number): string[] =>
  nodes.flatMap((node) => [
    ...(node.category === category ? [node.code] : []),
    ...codesOf(node.children ?? [], category),
  ]);
const sorted = (codes: Iterable<string>): string[] => [...new Set(codes)].toSorted();

/** Makes roles below each other, each with some of what the one above it grants, and a member with some of them. */
async function addMember(tenantId: string, name: string) {
  const { pool } = app.test.database;
  const [account, membership] = [app.nextId(), app.nextId()];
  await pool.query(
    "insert into accounts (id, account, account_key, type, password_hash, real_name) values ($1, $2, $2, 'enterprise', $3, '任意')",
    [account, name, await app.hashPassword(md5(demoPassword))],
  );
  await pool.query("insert into memberships (id, account_id, tenant_id) values ($1, $2, $3)", [
    membership,
    account,
    tenantId,
  ]);
  const roles: { id: string; granted: Menu[] }[] = [];
  for (let at = 0; at < 1 + random(4); at += 1) {
    const above = at === 0 || random(3) === 0 ? undefined : roles[random(roles.length)];
    const id = app.nextId();
    const granted = [...new Set(some(above?.granted ?? menus, 1 + random(120)))];
    await pool.query(
      "insert into roles (id, tenant_id, parent_id, role_name, role_alias, data_scope) values ($1, $2, $3, $4, $4, 'all')",
      [id, tenantId, above?.id ?? null, `${name}-${at}`],
    );
    await pool.query("insert into role_menus (role_id, menu_id) select $1, unnest($2::bigint[])", [
      id,
      granted.map((menu) => menu.id),
    ]);
    roles.push({ id, granted });
  }
  const held = roles.filter((_, at) => at === 0 || random(2) === 0);
  await pool.query("insert into membership_roles (membership_id, role_id) select $1, unnest($2::bigint[])", [
    membership,
    held.map(({ id }) => id),
  ]);
  return { account, tenantId, held, token: await app.logIn(name) };
}

const shown = async (token: string) => {
  const tree = async (path: string) => (await app.get<Node[]>(`/api/muyuan-system/menu/${path}`, token)).body.data;
  const [routes, buttons] = await Promise.all([tree("routes"), tree("buttons")]);
  return { screens: sorted(codesOf(routes, 1)), buttons: sorted(codesOf(buttons, 2)) };
};

/** What an administrator is told about a member and a menu or button. */
const explained = async ({ account, tenantId }: { account: string; tenantId: string }, code: string) => {
  const query = new URLSearchParams({ accountId: account, tenantId, code });
  const { body } = await app.get<{ allowed: boolean; steps: { step: string; ok: boolean }[] }>(
    `/api/muyuan-system/role/access-reasons?${query}`,
    admin,
  );
  return { allowed: body.data.allowed, granted: body.data.steps.find(({ step }) => step === "granted")?.ok };
};

/** The menus that lead to granted ones, and these. */
const withAncestors = (granted: readonly Menu[]): Menu[] => {
  const byId = new Map(menus.map((menu) => [menu.id, menu]));
  const found = new Set(granted);
  for (const menu of found) {
    const parent = byId.get(menu.parentId ?? "");
    if (parent) found.add(parent);
  }
  return [...found];
};

const guarded = privateOperations.filter(
  ([, endpoint]) => endpoint.access.level === "permission" && !isEndless(endpoint),
);
const codeOf = ({ access }: Endpoint): string => (access.level === "permission" ? access.code : "");

const call = async (endpoint: Endpoint, token: string) => {
  const body = bodyOf(endpoint);
  const answer = await app.http.inject({
    method: endpoint.method,
    url: endpoint.path,
    query: queryOf(endpoint),
    headers: { authorization: basic, "muyuan-auth": `bearer ${token}` },
    ...(body && { payload: body }),
  });
  const { data } = answer.json<{ data?: { reason?: string; permission?: string } | null }>();
  return { status: answer.statusCode, reason: data?.reason, permission: data?.permission };
};

test(
  "what a page shows, what the menu shows and what the server allows agree for random roles",
  async () => {
    let [allowed, refused] = [0, 0];
    for (let at = 0; at < memberCount; at += 1) {
      const tenantId = at % 2 === 0 ? "100001" : "000000";
      const member = await addMember(tenantId, `random${at}`);
      const { held, token } = member;
      const granted = held.flatMap((role) => role.granted);
      const seen = await shown(token);
      const reached = withAncestors(granted);
      expect(seen.screens).toEqual(sorted(reached.filter(({ category }) => category === 1).map(({ code }) => code)));
      expect(seen.buttons).toEqual(sorted(granted.filter(({ category }) => category === 2).map(({ code }) => code)));
      for (const { code, category } of some(menus, 10)) {
        const { granted: told } = await explained(member, code);
        expect([code, told]).toEqual([code, (category === 1 ? seen.screens : seen.buttons).includes(code)]);
      }
      // Half of what is tried is shown, as most operations would be refused.
      const open = guarded.filter(([, endpoint]) => seen.buttons.includes(codeOf(endpoint)));
      const tried = [...some(guarded, triedEach / 2), ...(open.length > 0 ? some(open, triedEach / 2) : [])];
      for (const [name, endpoint] of tried) {
        await app.pass(61);
        const { reason, permission } = await call(endpoint, token);
        const isShown = seen.buttons.includes(codeOf(endpoint));
        const { allowed: isLetIn } = await explained(member, codeOf(endpoint));
        if (isLetIn) expect([name, reason]).not.toEqual([name, expect.stringMatching(/^(permission|owner|scope)\./)]);
        if (isShown) allowed += 1;
        else refused += 1;
        expect([name, reason === "permission.missing"]).toEqual([name, !isShown]);
        if (!isShown) expect([name, permission]).toEqual([name, codeOf(endpoint)]);
        if (isShown && endpoint.owner === "group")
          expect([name, reason === "owner.group"]).toEqual([name, at % 2 === 0]);
      }
    }
    expect(allowed).toBeGreaterThan(memberCount);
    expect(refused).toBeGreaterThan(memberCount);
  },
  60_000 + memberCount * 10_000,
);

test("what a role loses is gone from the menu, the buttons and the server with the next request", async () => {
  const { pool } = app.test.database;
  const rolePage = privateOperations.find(([name]) => name === "role_page")?.[1] as Endpoint;
  const { held, token } = await addMember("100001", "loses");
  const ids = held.map(({ id }) => id);
  await pool.query("delete from role_menus where role_id = any($1::bigint[])", [ids]);
  await pool.query("insert into role_menus select $1, id from menus where code = 'role_view'", [ids[0]]);
  expect((await app.get(rolePage.path, token)).status).toBe(200);
  expect(await shown(token)).toMatchObject({ buttons: ["role_view"] });
  await pool.query("delete from role_menus where role_id = any($1::bigint[])", [ids]);
  expect(await call(rolePage, token)).toMatchObject({ status: 403, permission: "role_view" });
  expect(await shown(token)).toEqual({ screens: [], buttons: [] });
});
