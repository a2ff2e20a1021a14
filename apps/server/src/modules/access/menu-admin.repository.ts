import { type Kysely, sql } from "kysely";
import { inOneTenant, inScope, likeWord } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { MemberScope, TenantScope } from "../../tenant-scope.ts";

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

    /** Paths of the member's menus, with the aliases of those of its roles that grant each. */
    async authorities(member: MemberScope): Promise<{ path: string; aliases: string[] }[]> {
      const { rows } = await sql<{ path: string; aliases: string[] }>`
        select n.path, array_agg(distinct r.role_alias order by r.role_alias) as aliases
          from memberships m join membership_roles mr on mr.membership_id = m.id join roles r on r.id = mr.role_id
          join role_menus rm on rm.role_id = r.id join menus n on n.id = rm.menu_id and n.category = 1 and n.path <> ''
         where ${inOneTenant(member, "m")} and m.account_id = ${member.accountId} group by n.path order by n.path`.execute(
        db,
      );
      return rows;
    },

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
