import type { MenuEffect } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

/** How the package of some tenants would change. */
export interface PackageChange {
  /** Condition on the tenants `t` that are concerned. */
  tenants: RawBuilder<SqlBool>;
  /** Whether the tenants may have the menu `m` after the change. */
  after: RawBuilder<SqlBool>;
}

/** Members of tenants who gain or lose screens and buttons by a change of a package, counted without storing it. */
export async function effectOfPackages(
  db: Kysely<DB>,
  scope: TenantScope,
  { tenants, after }: PackageChange,
): Promise<MenuEffect> {
  const inPackage = (table: string) => sql<SqlBool>`(${sql.ref(`${table}.package_id`)} is null or exists (
    select from tenant_package_menus pm where pm.package_id = ${sql.ref(`${table}.package_id`)} and pm.menu_id = m.id))`;
  const { rows } = await sql<MenuEffect["entries"][number] & { allMembers: number; allTenants: number }>`
    with recursive target as (select t.tenant_id, t.package_id from tenants t where ${tenants} and ${inScope(scope, "t")}),
    package as (select distinct package_id from target),
    differing as (select distinct m.id, m.parent_id from package p cross join menus m where ${inPackage("p")} <> ${after}),
    -- A menu is also shown where something below it is granted.
    above as (select id, parent_id from differing union select p.id, p.parent_id from menus p join above a on a.parent_id = p.id),
    entry as (select m.* from menus m join above using (id) where m.category = 2 or m.component <> ''),
    below as (select id as entry_id, id from entry union select b.entry_id, m.id from menus m join below b on m.parent_id = b.id),
    held as (
      select ms.id as membership_id, ms.tenant_id, b.entry_id,
             bool_or(${inPackage("t")}) as before, bool_or(${after}) as after
        from target t join memberships ms on ms.tenant_id = t.tenant_id and ms.status = 1
        join membership_roles mr on mr.membership_id = ms.id join role_menus rm on rm.role_id = mr.role_id
        join menus m on m.id = rm.menu_id join below b on b.id = m.id
       group by ms.id, ms.tenant_id, b.entry_id),
    moved as (select * from held where before <> after)
    select e.id::text, e.code, e.name, coalesce(p.name, '') as parent_name, e.category::int,
           (count(*) filter (where v.after))::int as gained, (count(*) filter (where v.before))::int as lost,
           count(distinct v.tenant_id)::int as tenants,
           (select count(distinct membership_id)::int from moved) as all_members,
           (select count(distinct tenant_id)::int from moved) as all_tenants
      from moved v join entry e on e.id = v.entry_id left join menus p on p.id = e.parent_id
     group by e.id, e.code, e.name, e.category, e.sort, p.name, p.sort order by e.category, p.sort, e.sort, e.id`.execute(
    db,
  );
  return {
    tenants: rows[0]?.allTenants ?? 0,
    members: rows[0]?.allMembers ?? 0,
    entries: rows.map(({ allMembers: _members, allTenants: _tenants, ...entry }) => entry),
  };
}
