import { type Kysely, sql } from "kysely";
import { inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { effectOfPackages } from "./menu-effect.repository.ts";

export interface PackageMenu {
  id: string;
  parentId: string | null;
  name: string;
  code: string;
  category: number;
  type: string;
  icon: string;
  component: string;
  hidden: boolean;
}

/** @param db a pool or an open transaction */
export function tenantPackageRepository(db: Kysely<DB>) {
  return {
    /** Menus and buttons, in order. */
    async menus(): Promise<PackageMenu[]> {
      const { rows } = await sql<PackageMenu>`
        select id::text, parent_id::text, name, code, category::int, type, source as icon, component, hidden
          from menus order by sort, id`.execute(db);
      return rows;
    },

    /** A package, held until the transaction ends where `lock` says so. */
    async byId(
      id: string,
      lock = false,
    ): Promise<{ id: string; packageName: string; remark: string; version: number } | undefined> {
      const query = db
        .selectFrom("tenantPackages")
        .select(["id", "packageName", "remark", "version"])
        .where("id", "=", id);
      return (lock ? query.forNoKeyUpdate() : query).executeTakeFirst();
    },

    menuIds: async (id: string): Promise<string[]> =>
      (await db.selectFrom("tenantPackageMenus").select("menuId").where("packageId", "=", id).execute()).map(
        ({ menuId }) => menuId,
      ),

    /** How many tenants have each of these packages. */
    async tenantCounts(scope: TenantScope, ids: readonly string[]): Promise<Map<string, number>> {
      const { rows } = await sql<{ id: string; count: number }>`
        select t.package_id::text as id, count(*)::int as count from tenants t
         where t.package_id = any(${[...ids]}::bigint[]) and ${inScope(scope, "t")} group by t.package_id`.execute(db);
      return new Map(rows.map(({ id, count }) => [id, count]));
    },

    /** Gives a package exactly these menus, and moves its version on. */
    async setMenus(scope: TenantScope, id: string, menuIds: readonly string[]): Promise<void> {
      await sql`delete from tenant_package_menus where package_id = ${id}
        and not menu_id = any(${[...menuIds]}::bigint[])`.execute(db);
      await sql`insert into tenant_package_menus (package_id, menu_id)
        select ${id}, m.id from menus m where m.id = any(${[...menuIds]}::bigint[]) on conflict do nothing`.execute(db);
      await sql`update tenant_packages set version = version + 1, updated_by = ${scope.accountId}, updated_at = now()
        where id = ${id}`.execute(db);
    },

    /** What other menus in a package would mean for the members of its tenants. */
    effectOfMenus: (scope: TenantScope, id: string, menuIds: readonly string[]) =>
      effectOfPackages(db, scope, {
        tenants: sql`t.package_id = ${id}`,
        after: sql`(m.id = any(${[...menuIds]}::bigint[]))`,
      }),

    /** What another package would mean for the members of tenants. @param id undefined for none */
    effectOfGiving: (scope: TenantScope, id: string | undefined, tenantIds: readonly string[]) =>
      effectOfPackages(db, scope, {
        tenants: sql`t.tenant_id = any(${[...tenantIds]}::text[])`,
        after:
          id === undefined
            ? sql`true`
            : sql`exists (select from tenant_package_menus pm where pm.package_id = ${id} and pm.menu_id = m.id)`,
      }),
  };
}
export type TenantPackageRepository = ReturnType<typeof tenantPackageRepository>;
