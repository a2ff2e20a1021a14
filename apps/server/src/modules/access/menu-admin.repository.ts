import { type Kysely, sql } from "kysely";
import { inOneTenant, inScope, likeWord } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { flatMenuSeeds } from "../../database/seeds/foundation.ts";
import type { MemberScope, TenantScope } from "../../tenant-scope.ts";

/** Addresses of the web app's screens by their components: each has a seeded menu (tests/menus.test.ts). */
export const screenPaths: ReadonlyMap<string, string> = new Map(
  flatMenuSeeds().flatMap(({ seed: { component, path = "" } }) => (component ? [[component, path] as const] : [])),
);

export interface ListedMenuRow {
  id: string;
  parentId: string | null;
  parentName: string;
  code: string;
  name: string;
  alias: string;
  path: string;
  component: string;
  source: string;
  sort: number;
  category: number;
  action: number;
  isOpen: number;
  remark: string;
  categoryName: string;
  actionName: string;
  isOpenName: string;
  hasChildren: boolean;
}

export interface MenuWords {
  name?: string | undefined;
  code?: string | undefined;
  alias?: string | undefined;
}

/** @param db a pool or an open transaction */
export function menuAdminRepository(db: Kysely<DB>) {
  return {
    /** Menus without buttons, in order. @param parentId only those directly below it; "0" for the top */
    async menus({ name, code, alias }: MenuWords, parentId?: string): Promise<ListedMenuRow[]> {
      const like = (column: string, word: string | undefined) =>
        word ? sql`and ${sql.ref(`m.${column}`)} ilike ${likeWord(word)}` : sql``;
      const below =
        parentId === undefined
          ? sql``
          : parentId === "0"
            ? sql`and m.parent_id is null`
            : sql`and m.parent_id = ${parentId}`;
      const { rows } = await sql<ListedMenuRow>`
        select m.id::text, m.parent_id::text, coalesce(p.name, '') as parent_name, m.code, m.name, m.alias, m.path, m.component,
               m.source, m.sort, m.category, m.action, m.is_open, m.remark, m.category_name, m.action_name, m.is_open_name,
               exists (select from menus c where c.parent_id = m.id and c.category = 1) as has_children
          from menu_rows m left join menus p on p.id = m.parent_id
         where m.category = 1 ${like("name", name)} ${like("code", code)} ${like("alias", alias)} ${below}
         order by m.sort, m.id`.execute(db);
      return rows;
    },

    /** Paths of the menus that roles of the member's tenant grant, with the aliases of those of the roles that grant each. */
    async authorities(member: MemberScope, roleIds: readonly string[]): Promise<{ path: string; aliases: string[] }[]> {
      const { rows } = await sql<{ path: string; aliases: string[] }>`
        select n.path, array_agg(distinct r.role_alias order by r.role_alias) as aliases
          from roles r join granted_menus rm on rm.role_id = r.id join menus n on n.id = rm.menu_id and n.category = 1 and n.path <> ''
         where ${inOneTenant(member, "r")} and r.id = any(${[...roleIds]}::bigint[]) group by n.path order by n.path`.execute(
        db,
      );
      return rows;
    },

    /** Every menu and button with its place. */
    places: (): Promise<{ id: string; parentId: string | null; hidden: boolean }[]> =>
      db.selectFrom("menus").select(["id", "parentId", "hidden"]).execute(),

    /** Roles that lead to one of these menus, with how many members and tenants; the last row, without a name, counts all. */
    async rolesLeadingTo(scope: TenantScope, ids: readonly string[]) {
      const { rows } = await sql<{ roleName: string | null; persons: number; tenants: number }>`
        with recursive below as (select id from menus where id = any(${[...ids]}::bigint[])
          union select m.id from menus m join below b on m.parent_id = b.id)
        select r.role_name, count(distinct ms.id)::int as persons, count(distinct ms.tenant_id)::int as tenants
          from granted_menus g join below b on b.id = g.menu_id join roles r on r.id = g.role_id
          join membership_roles mr on mr.role_id = r.id join memberships ms on ms.id = mr.membership_id and ms.status = 1
         where ${inScope(scope, "ms")}
         group by rollup (r.role_name) order by r.role_name is null, persons desc, r.role_name`.execute(db);
      return rows;
    },

    /**
     * How many members gain or lose menus that show because something below them is granted.
     * @param below what stands below each of them, itself included, before and after a change
     */
    async seenAbove(
      scope: TenantScope,
      below: readonly { above: string; menu: string; after: boolean }[],
    ): Promise<{ id: string; name: string; gained: number; lost: number }[]> {
      if (below.length === 0) return [];
      const { rows } = await sql<{ id: string; name: string; gained: number; lost: number }>`
        with pairs as (select * from unnest(${below.map(({ above }) => above)}::bigint[],
          ${below.map(({ menu }) => menu)}::bigint[], ${below.map(({ after }) => after)}::boolean[]) as p (above, menu, after)),
        seen as (select p.above, ms.id, bool_or(p.after) as after, bool_or(not p.after) as before
          from pairs p join granted_menus g on g.menu_id = p.menu join membership_roles mr on mr.role_id = g.role_id
          join memberships ms on ms.id = mr.membership_id and ms.status = 1
         where ${inScope(scope, "ms")} group by p.above, ms.id)
        select a.id::text, a.name, count(*) filter (where s.after and not s.before)::int as gained,
               count(*) filter (where s.before and not s.after)::int as lost
          from seen s join menus a on a.id = s.above
         where s.after <> s.before group by a.id, a.name order by a.sort, a.id`.execute(db);
      return rows;
    },

    /** Names of the buttons of a menu, in order. */
    buttonsOf: async (id: string): Promise<string[]> =>
      (
        await db
          .selectFrom("menus")
          .select("name")
          .where("parentId", "=", id)
          .where("category", "=", 2)
          .orderBy("sort")
          .orderBy("id")
          .execute()
      ).map(({ name }) => name),

    /** Top menus of a tenant, in order. */
    topMenus: (member: MemberScope) =>
      db
        .selectFrom("topMenus as t")
        .select(["t.id", "t.tenantId", "t.code", "t.name", "t.source", "t.sort"])
        .where(inOneTenant(member, "t"))
        .orderBy("t.sort")
        .orderBy("t.id")
        .execute(),

    /** Menus below a top menu of the tenant. */
    menusUnder: async (member: MemberScope, topMenuId: string): Promise<string[]> =>
      (
        await db
          .selectFrom("topMenuMenus as of")
          .innerJoin("topMenus as t", "t.id", "of.topMenuId")
          .select("of.menuId")
          .where("t.id", "=", topMenuId)
          .where(inOneTenant(member, "t"))
          .execute()
      ).map(({ menuId }) => menuId),

    /** Those of these top menus that the scope reaches, held until the transaction ends. */
    lockTopMenus: (scope: TenantScope, ids: readonly string[]) =>
      db
        .selectFrom("topMenus as t")
        .select(["t.id", "t.tenantId", "t.name"])
        .where("t.id", "in", [...ids])
        .where(inScope(scope, "t"))
        .orderBy("t.id")
        .forUpdate()
        .execute(),

    /** Menus under several top menus. */
    menusUnderAll: async (scope: TenantScope, ids: readonly string[]): Promise<string[]> =>
      (
        await db
          .selectFrom("topMenuMenus as of")
          .innerJoin("topMenus as t", "t.id", "of.topMenuId")
          .select("of.menuId")
          .distinct()
          .where("t.id", "in", [...ids])
          .where(inScope(scope, "t"))
          .execute()
      ).map(({ menuId }) => menuId),

    /** Replaces the menus under a top menu, and moves its version on. */
    async setMenus(scope: TenantScope, topMenuId: string, menuIds: readonly string[]): Promise<void> {
      const reached = sql`(select t.id from top_menus t where t.id = ${topMenuId} and ${inScope(scope, "t")})`;
      await sql`delete from top_menu_menus where top_menu_id in ${reached}`.execute(db);
      await sql`insert into top_menu_menus (top_menu_id, menu_id)
        select t.id, m.id from top_menus t, menus m where t.id in ${reached} and m.id = any(${[...menuIds]}::bigint[])
        on conflict do nothing`.execute(db);
      await sql`update top_menus t set version = version + 1, updated_by = ${scope.accountId}, updated_at = now()
        where t.id in ${reached}`.execute(db);
    },
  };
}
export type MenuAdminRepository = ReturnType<typeof menuAdminRepository>;
