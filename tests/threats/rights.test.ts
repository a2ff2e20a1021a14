import type { Endpoint } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic } from "../harness/session.ts";
import { volume } from "../harness/volume.ts";
import { bodyOf, isEndless, privateOperations, queryOf } from "./operations.ts";
import { addMember, menusOf, type RandomMenu, random, shown, some, sorted } from "./random-roles.ts";

/** Random sets of roles, each with a member; and the operations that each member tries. */
const memberCount = volume({ short: 6, long: 200 });
const triedEach = volume({ short: 40, long: 200 });

let app: TestApp;
let menus: RandomMenu[];
let admin: string;
beforeAll(async () => {
  app = await createTestApp();
  admin = await app.logIn("admin");
  menus = await menusOf(app);
});
afterAll(() => app.close());

/** Gives a tenant a package of its own, with some of the menus; none where no menus are named. @returns the menus in it */
async function givePackage(
  tenantId: string,
  within: readonly RandomMenu[] | undefined,
): Promise<ReadonlySet<RandomMenu> | undefined> {
  const { pool } = app.test.database;
  if (within === undefined) {
    await pool.query("update tenants set package_id = null where tenant_id = $1", [tenantId]);
    return undefined;
  }
  const id = app.nextId();
  await pool.query("insert into tenant_packages (id, package_name) values ($1, $2)", [id, `package ${id}`]);
  await pool.query("insert into tenant_package_menus (package_id, menu_id) select $1, unnest($2::bigint[])", [
    id,
    [...new Set(within)].map((menu) => menu.id),
  ]);
  await pool.query("update tenants set package_id = $2 where tenant_id = $1", [tenantId, id]);
  return new Set(within);
}

/** What an administrator is told about a member and a menu or button. */
const explained = async ({ account, tenantId }: { account: string; tenantId: string }, code: string) => {
  const query = new URLSearchParams({ accountId: account, tenantId, code });
  const { body } = await app.get<{ allowed: boolean; steps: { step: string; ok: boolean }[] }>(
    `/api/muyuan-system/role/access-reasons?${query}`,
    admin,
  );
  const isOk = (name: string) => body.data.steps.find(({ step }) => step === name)?.ok === true;
  return { allowed: body.data.allowed, granted: isOk("granted"), inPackage: isOk("package") };
};

/** The menus that lead to granted ones, and these. */
const withAncestors = (granted: readonly RandomMenu[]): RandomMenu[] => {
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
  // A template is a file.
  const isTold = String(answer.headers["content-type"]).includes("json");
  const { data } = isTold ? answer.json<{ data?: { reason?: string; permission?: string } | null }>() : {};
  return { status: answer.statusCode, reason: data?.reason, permission: data?.permission };
};

test(
  "what a page shows, what the menu shows and what the server allows agree for random roles",
  async () => {
    let [allowed, refused] = [0, 0];
    for (let at = 0; at < memberCount; at += 1) {
      const tenantId = at % 2 === 0 ? "100001" : "000000";
      const member = await addMember(app, menus, tenantId, `random${at}`);
      const { held, token } = member;
      // Of customers every second has a package; it is given after the log-in, so that it holds for the next request.
      const ofPackage = at % 4 === 2 ? some(menus, 40 + random(200)) : undefined;
      const within = tenantId === "000000" ? undefined : await givePackage(tenantId, ofPackage);
      const byRoles = held.flatMap((role) => role.granted);
      const granted = byRoles.filter((menu) => within?.has(menu) ?? true);
      const seen = await shown(app, token);
      const reached = withAncestors(granted);
      expect(seen.screens).toEqual(sorted(reached.filter(({ category }) => category === 1).map(({ code }) => code)));
      expect(seen.buttons).toEqual(sorted(granted.filter(({ category }) => category === 2).map(({ code }) => code)));
      for (const { code, category } of some(menus, 10)) {
        const told = await explained(member, code);
        const isSeen = (category === 1 ? seen.screens : seen.buttons).includes(code);
        expect([code, told.granted && told.inPackage]).toEqual([code, isSeen]);
        const roleLeads = withAncestors(byRoles).some((menu) => menu.code === code);
        expect([code, told.granted]).toEqual([code, roleLeads]);
      }
      // Half of what is tried is shown, as most operations would be refused.
      const open = guarded.filter(([, endpoint]) => seen.buttons.includes(codeOf(endpoint)));
      const tried = [...some(guarded, triedEach / 2), ...(open.length > 0 ? some(open, triedEach / 2) : [])];
      for (const [name, endpoint] of tried) {
        await app.pass(61);
        const { reason: told, permission } = await call(endpoint, token);
        // Some operations ask for a second right where the body wants more, such as publishing at once.
        const asksMore = told === "permission.missing" && permission !== codeOf(endpoint);
        const reason = asksMore ? undefined : told;
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
    await givePackage("100001", undefined);
    expect(allowed).toBeGreaterThan(memberCount);
    expect(refused).toBeGreaterThan(memberCount);
  },
  60_000 + memberCount * 10_000,
);

test("what a package loses is gone from the menu, the buttons and the server with the next request", async () => {
  const rolePage = privateOperations.find(([name]) => name === "role_page")?.[1] as Endpoint;
  const { held, token } = await addMember(app, menus, "100002", "packaged");
  const { pool } = app.test.database;
  await pool.query(
    "insert into role_menus select $1, id from menus where code in ('role_view', 'self_roles') on conflict do nothing",
    [held[0]?.id],
  );
  const before = await shown(app, token);
  expect((await app.get(rolePage.path, token)).status).toBe(200);
  const within = menus.filter(({ code }) => code !== "role_view");
  await givePackage("100002", within);
  expect(await call(rolePage, token)).toMatchObject({ status: 403, permission: "role_view" });
  expect((await shown(app, token)).buttons).toEqual(before.buttons.filter((code) => code !== "role_view"));
  await pool.query(
    "insert into tenant_package_menus select t.package_id, m.id from tenants t, menus m where t.tenant_id = '100002' and m.code = 'role_view'",
  );
  expect((await app.get(rolePage.path, token)).status).toBe(200);
  expect(await shown(app, token)).toEqual(before);
  await pool.query("delete from tenant_package_menus where menu_id = (select id from menus where code = 'role_view')");
  expect(await call(rolePage, token)).toMatchObject({ status: 403 });
  await givePackage("100002", undefined);
  expect(await shown(app, token)).toEqual(before);
});

test("what a role loses is gone from the menu, the buttons and the server with the next request", async () => {
  const { pool } = app.test.database;
  const rolePage = privateOperations.find(([name]) => name === "role_page")?.[1] as Endpoint;
  const { held, token } = await addMember(app, menus, "100001", "loses");
  const ids = held.map(({ id }) => id);
  await pool.query("delete from role_menus where role_id = any($1::bigint[])", [ids]);
  await pool.query("insert into role_menus select $1, id from menus where code = 'role_view'", [ids[0]]);
  expect((await app.get(rolePage.path, token)).status).toBe(200);
  expect(await shown(app, token)).toMatchObject({ buttons: ["role_view"] });
  await pool.query("delete from role_menus where role_id = any($1::bigint[])", [ids]);
  expect(await call(rolePage, token)).toMatchObject({ status: 403, permission: "role_view" });
  expect(await shown(app, token)).toEqual({ screens: [], buttons: [] });
});
