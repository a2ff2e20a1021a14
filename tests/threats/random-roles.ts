import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import type { TestApp } from "../harness/app.ts";
import { md5 } from "../harness/session.ts";

export interface RandomMenu {
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

/** All menus and buttons. */
export const menusOf = async (app: TestApp): Promise<RandomMenu[]> =>
  (
    await app.test.database.pool.query<RandomMenu>(
      `select id::text, parent_id::text as "parentId", code, category::int from menus`,
    )
  ).rows;

let state = 20_261_129;
/** Whole numbers below `below`, the same ones in each run. */
export const random = (below: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
export const some = <T>(all: readonly T[], count: number): T[] =>
  Array.from({ length: count }, () => all[random(all.length)] as T);
const codesOf = (nodes: readonly Node[], category: number): string[] =>
  nodes.flatMap((node) => [
    ...(node.category === category ? [node.code] : []),
    ...codesOf(node.children ?? [], category),
  ]);
export const sorted = (codes: Iterable<string>): string[] => [...new Set(codes)].toSorted();

/** Makes roles below each other, each with some of what the one above it grants, and a member with some of them. */
export async function addMember(app: TestApp, menus: readonly RandomMenu[], tenantId: string, name: string) {
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
  const roles: { id: string; granted: RandomMenu[] }[] = [];
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

/** Screens and buttons that a session is told of. */
export const shown = async (app: TestApp, token: string) => {
  const tree = async (path: string) => (await app.get<Node[]>(`/api/muyuan-system/menu/${path}`, token)).body.data;
  const [routes, buttons] = await Promise.all([tree("routes"), tree("buttons")]);
  return { screens: sorted(codesOf(routes, 1)), buttons: sorted(codesOf(buttons, 2)) };
};
