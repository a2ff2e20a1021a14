import type { MenuChangeEffect } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let admin: string;
const base = "/api/muyuan-system";

beforeAll(async () => {
  app = await createTestApp();
  admin = await app.logIn("admin");
});
afterAll(() => app.close());

const sql = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query(text, values)).rows as Row[];
const post = async <T>(path: string, body: unknown) => {
  const answer = await app.call({ method: "POST", path: `${base}/${path}`, body, token: admin });
  return { status: answer.status, data: answer.body.data as T & { reason?: string } };
};
const idOf = async (code: string): Promise<string> =>
  (await sql<{ id: string }>("select id::text from menus where code = $1", [code]))[0]?.id ?? "";
const submit = (body: object) =>
  post<{ id: string }>("menu/submit", { name: "试", code: "tried", category: 1, ...body });

test("a menu opens a screen of the app or an address, and nothing that a browser would read as code or another path", async () => {
  for (const path of ["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "//evil.example", "a/b"])
    expect([path, (await submit({ path })).status]).toEqual([path, 400]);
  for (const path of [
    "/system/../login",
    "/system/..",
    "/./x",
    "/system/%2e%2e/login",
    "/system%2f..%2flogin",
    "/\\evil.example",
    "https://a.example/../b",
  ])
    expect([path, (await submit({ path })).data.reason]).toEqual([path, "row.invalid"]);
  for (const component of ["/system/nothing/index", "../../etc/passwd", "/system/post"])
    expect([component, (await submit({ component, path: "/system/post" })).data.reason]).toEqual([
      component,
      "menu.component",
    ]);
  expect((await submit({ component: "/system/post/index", path: "/system/user" })).data.reason).toBe(
    "menu.screen_path",
  );
  expect((await sql("select from menus where code = 'tried'")).length).toBe(0);
  const added = await submit({ component: "/system/post/index", path: "/system/post" });
  expect(added.status).toBe(200);
  expect((await post(`menu/remove?ids=${added.data.id}`, {})).status).toBe(200);
});

test("whom a change of a menu concerns is told before it is made", async () => {
  const farm = await idOf("farm_structure");
  const effect = async (body: object) => (await post<MenuChangeEffect>("menu/preview", { id: farm, ...body })).data;
  const [held] = await sql<{ persons: number; tenants: number }>(
    `with recursive below as (select id from menus where id = $1 union select m.id from menus m join below b on m.parent_id = b.id)
     select count(distinct m.id)::int as persons, count(distinct m.tenant_id)::int as tenants from memberships m
       join membership_roles mr on mr.membership_id = m.id join role_menus rm on rm.role_id = mr.role_id
      where m.status = 1 and rm.menu_id in (select id from below)`,
    [farm],
  );
  const stays = await effect({});
  expect(stays).toMatchObject({ entry: "stays", ...held, above: [] });
  expect(stays.roles.map(({ roleName }) => roleName)).toContain("企业主");
  expect(await effect({ hidden: true })).toMatchObject({ entry: "hidden", ...held });
  const moved = await effect({ parentId: await idOf("platform") });
  expect(moved.entry).toBe("moves");
  // Customers hold nothing else of the system settings, and would see that group from then on.
  const platform = moved.above.find(({ name }) => name === "系统设置");
  expect(platform?.gained).toBeGreaterThan(0);
  expect(platform?.lost).toBe(0);
  const removed = await effect({ removed: true });
  expect(removed).toMatchObject({ entry: "removed", ...held });
  expect(removed.buttons).toContain("登记存栏变动");
  expect((await post("menu/preview", { id: await idOf("platform"), parentId: await idOf("menu") })).data.reason).toBe(
    "row.parent_self",
  );
  const [stored] = await sql<{ code: string }>(
    "select p.code from menus m join menus p on p.id = m.parent_id where m.id = $1",
    [farm],
  );
  expect(stored?.code).toBe("pig_farm");
});

test("several moves are one save, whose effect is told before it, all or none", async () => {
  const placesOf = async () =>
    new Map(
      (
        await sql<{ code: string; id: string; parent: string | null; version: number }>(
          "select m.code, m.id::text, p.code as parent, m.version from menus m left join menus p on p.id = m.parent_id",
        )
      ).map((row) => [row.code, row]),
    );
  const before = await placesOf();
  const menu = (code: string) => {
    const found = before.get(code);
    if (found === undefined) throw new Error(`there is no menu ${code}`);
    return found;
  };
  const effect = async (body: object) => (await post<MenuChangeEffect>("menu/preview", body)).data;
  const [farm, platform] = [menu("farm_structure"), menu("platform")];
  const single = await effect({ id: farm.id, parentId: platform.id });
  expect(await effect({ moves: [{ id: farm.id, parentId: platform.id }] })).toEqual(single);
  // There and back is nothing but another order.
  const back = [
    { id: farm.id, parentId: platform.id },
    { id: farm.id, parentId: menu(farm.parent ?? "").id },
  ];
  expect(await effect({ moves: back })).toMatchObject({ entry: "stays", above: [], persons: single.persons });
  const duty = menu("post");
  const both = await effect({
    moves: [
      { id: farm.id, parentId: platform.id },
      { id: duty.id, parentId: menu(farm.parent ?? "").id },
    ],
  });
  expect(both.persons).toBeGreaterThanOrEqual(single.persons);
  expect(both.above).toContainEqual(single.above.find(({ name }) => name === "系统设置"));
  expect(
    (await post("menu/preview", { moves: [{ id: menu(duty.parent ?? "").id, parentId: duty.id }] })).data.reason,
  ).toBe("row.parent_self");
  expect((await post("menu/preview", {})).status).toBe(404);

  const moves = (version = farm.version) => [
    { id: duty.id, parentId: menu(farm.parent ?? "").id, beforeId: farm.id, version: duty.version },
    { id: farm.id, parentId: platform.id, version },
    { id: farm.id, parentId: menu("dict").parent === null ? "0" : menu(menu("dict").parent ?? "").id, version },
  ];
  expect((await post("menu/arrange", { moves: moves(farm.version + 1) })).data.reason).toBe("row.changed_meanwhile");
  const cycle = [...moves(), { id: menu(farm.parent ?? "").id, parentId: duty.id }];
  expect((await post("menu/arrange", { moves: cycle })).data.reason).toBe("row.parent_self");
  const untouched = await placesOf();
  expect(untouched.get("post")).toEqual(duty);
  const saved = await post("menu/arrange", { moves: moves() });
  expect(saved.status, JSON.stringify(saved.data)).toBe(200);
  const after = await placesOf();
  expect([after.get("post")?.parent, after.get("farm_structure")?.parent]).toEqual([farm.parent, menu("dict").parent]);
  const trail = await sql<{ count: number }>(
    "select count(*)::int as count from audit_entries where resource = 'menu' and action = 'move'",
  );
  expect(trail[0]?.count).toBe(3);
});
