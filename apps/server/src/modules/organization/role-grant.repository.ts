import type { DataScope } from "@herdwise/contract";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { inOneTenant, inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

export interface GrantableMenu {
  id: string;
  parentId: string | null;
  name: string;
  code: string;
  category: number;
  type: string;
  icon: string;
  component: string;
  hidden: boolean;
  /** The membership holds it itself. */
  held: boolean;
  /** The package of a named role's tenant does not have it. */
  beyondPackage: boolean;
}

/** Tables of scopes that roles hold beside their menus. */
export type ScopeTable = "data_scopes" | "api_scopes";
const scopeColumn = (table: ScopeTable) => sql.id(table === "data_scopes" ? "data_scope_id" : "api_scope_id");

/** Whether the menu `m` is outside the package of the tenant of one of these roles. */
const outsidePackage = (roleIds: readonly string[]) => sql<boolean>`exists (
  select from roles r join tenants t on t.tenant_id = r.tenant_id
   where r.id = any(${[...roleIds]}::bigint[]) and t.package_id is not null
     and not exists (select from tenant_package_menus pm where pm.package_id = t.package_id and pm.menu_id = m.id))`;

/** @param db a pool or an open transaction */
export function roleGrantRepository(db: Kysely<DB>) {
  /** Menus and buttons that the scope's membership holds itself: nobody gives what they do not have. */
  const held = (scope: TenantScope) =>
    sql<string>`select rm.menu_id from membership_roles mr join granted_menus rm on rm.role_id = mr.role_id
       where mr.membership_id = ${scope.membershipId}`;

  /** Those of these roles that the scope reaches. */
  const reached = (scope: TenantScope, roleIds: readonly string[]): RawBuilder<string> =>
    sql<string>`(select r.id from roles r where r.id = any(${[...roleIds]}::bigint[]) and ${inScope(scope, "r")})`;
  /** Roles that stand below a role, at any depth, with their names. */
  const below = (scope: TenantScope, roleId: string) => sql`
    with recursive down as (
      select r.id, r.role_name from roles r where r.parent_id in ${reached(scope, [roleId])}
      union select r.id, r.role_name from roles r join down on r.parent_id = down.id
    )`;

  return {
    /** What the membership may grant and what these roles hold, with what leads there, in order. */
    async grantable(scope: TenantScope, roleIds: readonly string[]): Promise<GrantableMenu[]> {
      const { rows } = await sql<GrantableMenu>`
        with recursive held as (${held(scope)}), shown as (
          select m.id, m.parent_id from menus m where m.id in (select menu_id from held)
             or m.id in (select menu_id from role_menus where role_id = any(${[...roleIds]}::bigint[]))
          union select p.id, p.parent_id from menus p join shown s on s.parent_id = p.id
        ) select m.id::text, m.parent_id::text, m.name, m.code, m.category::int, m.type, m.source as icon, m.component, m.hidden,
                 m.id in (select menu_id from held) as held, ${outsidePackage(roleIds)} as beyond_package
            from menus m where m.id in (select id from shown) order by m.sort, m.id`.execute(db);
      return rows;
    },

    /** Which of these menus the membership does not hold itself. */
    async beyond(scope: TenantScope, menuIds: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select m.id::text from unnest(${[...menuIds]}::bigint[]) as m(id) where m.id not in (${held(scope)})`.execute(
        db,
      );
      return rows.map(({ id }) => id);
    },

    /** Which of these menus the package of a role's tenant does not have. */
    async outsidePackage(scope: TenantScope, roleId: string, menuIds: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select m.id::text from unnest(${[...menuIds]}::bigint[]) as m(id)
         where ${roleId} in ${reached(scope, [roleId])} and ${outsidePackage([roleId])}`.execute(db);
      return rows.map(({ id }) => id);
    },

    /** Roles of the scope among these ids, held until the transaction ends. */
    async lock(
      scope: TenantScope,
      roleIds: readonly string[],
    ): Promise<{ id: string; tenantId: string; roleName: string; dataScope: DataScope; version: number }[]> {
      return db
        .selectFrom("roles as r")
        .select(["r.id", "r.tenantId", "r.roleName", "r.version"])
        .select(sql<DataScope>`r.data_scope`.as("dataScope"))
        .where("r.id", "in", [...roleIds])
        .where(inScope(scope, "r"))
        .orderBy("r.id")
        .forNoKeyUpdate()
        .execute();
    },

    roles: (scope: TenantScope, roleIds: readonly string[]) =>
      db
        .selectFrom("roles as r")
        .select(["r.id", "r.tenantId", "r.roleName"])
        .where("r.id", "in", [...roleIds])
        .where(inScope(scope, "r"))
        .execute(),

    /** @param inForce only what the package of the roles' tenant has */
    menusOf: async (scope: TenantScope, roleIds: readonly string[], inForce = false): Promise<string[]> =>
      (
        await db
          .selectFrom(inForce ? "grantedMenus" : "roleMenus")
          .select("menuId")
          .distinct()
          .where("roleId", "in", reached(scope, roleIds))
          .execute()
      ).flatMap(({ menuId }) => menuId ?? []),

    departmentsOf: async (scope: TenantScope, roleIds: readonly string[]): Promise<string[]> =>
      (
        await db
          .selectFrom("roleDepartments")
          .select("departmentId")
          .distinct()
          .where("roleId", "in", reached(scope, roleIds))
          .execute()
      ).map(({ departmentId }) => departmentId),

    async setMenus(scope: TenantScope, roleId: string, menuIds: readonly string[]): Promise<void> {
      await sql`delete from role_menus where role_id in ${reached(scope, [roleId])}
        and not menu_id = any(${[...menuIds]}::bigint[])`.execute(db);
      await sql`insert into role_menus (role_id, menu_id) select r.id, m.id from menus m, roles r
        where r.id = ${roleId} and ${inScope(scope, "r")} and m.id = any(${[...menuIds]}::bigint[])
        on conflict do nothing`.execute(db);
    },

    /** @returns false when one of them is no department of the role's tenant */
    async setDepartments(scope: TenantScope, roleId: string, departmentIds: readonly string[]): Promise<boolean> {
      await db
        .deleteFrom("roleDepartments")
        .where("roleId", "in", reached(scope, [roleId]))
        .execute();
      if (departmentIds.length === 0) return true;
      const { numAffectedRows } = await sql`
        insert into role_departments (role_id, department_id)
        select r.id, d.id from roles r join departments d on d.tenant_id = r.tenant_id
         where r.id = ${roleId} and ${inScope(scope, "r")} and d.id = any(${[...new Set(departmentIds)]}::bigint[])`.execute(
        db,
      );
      return Number(numAffectedRows ?? 0n) === new Set(departmentIds).size;
    },

    /** Scopes of single resources or paths, to be granted to roles. */
    async scopes(scope: TenantScope, table: ScopeTable): Promise<{ id: string; title: string }[]> {
      // They are kept by the group's staff, who alone grant them.
      if (!scope.everyTenant) return [];
      const { rows } = await sql<{ id: string; title: string }>`
        select s.id::text, s.scope_name as title from ${sql.table(table)} s order by s.scope_name`.execute(db);
      return rows;
    },

    /** Ids of the scopes that roles hold. */
    async scopesOf(scope: TenantScope, roleIds: readonly string[], table: ScopeTable): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select distinct ${scopeColumn(table)}::text as id from ${sql.table(`role_${table}`)}
         where role_id in ${reached(scope, roleIds)}`.execute(db);
      return rows.map(({ id }) => id);
    },

    /** Replaces the scopes of a role. */
    async setScopes(scope: TenantScope, roleId: string, table: ScopeTable, ids: readonly string[]): Promise<void> {
      const [held, column] = [sql.table(`role_${table}`), scopeColumn(table)];
      await sql`delete from ${held} where role_id in ${reached(scope, [roleId])} and not ${column} = any(${[...ids]}::bigint[])`.execute(
        db,
      );
      await sql`insert into ${held} (role_id, ${column}) select r.id, s.id from roles r, ${sql.table(table)} s
        where r.id in ${reached(scope, [roleId])} and s.id = any(${[...ids]}::bigint[]) on conflict do nothing`.execute(
        db,
      );
    },

    /** How far the widest of these data scopes reaches: `1` is every row of the tenant. */
    async scopeTypes(ids: readonly string[]): Promise<{ type: string; value: string }[]> {
      const { rows } = await sql<{ type: string; value: string }>`
        select scope_type as type, scope_value as value from data_scopes where id = any(${[...ids]}::bigint[])`.execute(
        db,
      );
      return rows;
    },

    /** Moves the version of a role on, and sets its data scope. */
    async touch(scope: TenantScope, roleId: string, dataScope: DataScope): Promise<void> {
      await sql`update roles r set data_scope = ${dataScope}, version = version + 1, updated_by = ${scope.accountId},
          updated_at = now() where r.id = ${roleId} and ${inScope(scope, "r")}`.execute(db);
    },

    /** Names of departments, for the audit trail. */
    departmentNames: async (scope: TenantScope, ids: readonly string[]): Promise<string[]> =>
      (
        await db
          .selectFrom("departments as d")
          .select("d.deptName")
          .where("d.id", "in", ids.length === 0 ? ["0"] : [...ids])
          .where(inScope(scope, "d"))
          .orderBy("d.deptName")
          .execute()
      ).map(({ deptName }) => deptName),

    /** Takes from the roles below one what it does not hold itself. */
    async trimBelow(scope: TenantScope, roleId: string): Promise<void> {
      await sql`${below(scope, roleId)}
        delete from role_menus rm using down where rm.role_id = down.id
           and not exists (select 1 from role_menus own where own.role_id = ${roleId} and own.menu_id = rm.menu_id)`.execute(
        db,
      );
    },

    /** How many grants of the roles below one are not among these. */
    async lostBelow(
      scope: TenantScope,
      roleId: string,
      menuIds: readonly string[],
    ): Promise<{ roleId: string; roleName: string; lost: number }[]> {
      const { rows } = await sql<{ roleId: string; roleName: string; lost: number }>`${below(scope, roleId)}
        select down.id::text as role_id, down.role_name, count(*)::int as lost
          from down join role_menus rm on rm.role_id = down.id
         where not rm.menu_id = any(${[...menuIds]}::bigint[]) group by down.id, down.role_name order by down.role_name`.execute(
        db,
      );
      return rows;
    },

    memberCount: async (scope: TenantScope, roleId: string): Promise<number> =>
      (
        await db
          .selectFrom("membershipRoles")
          .select(sql<number>`count(*)::int`.as("count"))
          .where("roleId", "in", reached(scope, [roleId]))
          .executeTakeFirstOrThrow()
      ).count,

    /** Codes that holders of a role would gain and lose, with what their other roles grant counted in. */
    async affected(scope: TenantScope, roleId: string, menuIds: readonly string[], limit: number) {
      const { rows } = await sql<{ accountId: string; name: string; gained: string[]; lost: string[] }>`
        with holders as (
          select mr.membership_id, m.account_id, coalesce(nullif(a.real_name, ''), a.account) as name
            from membership_roles mr join memberships m on m.id = mr.membership_id join accounts a on a.id = m.account_id
           where mr.role_id = ${roleId} and ${inScope(scope, "m")}
        ), others as (
          select h.membership_id, rm.menu_id from holders h
            join membership_roles mr on mr.membership_id = h.membership_id and mr.role_id <> ${roleId}
            join granted_menus rm on rm.role_id = mr.role_id
        ), wanted as (select m.id, m.code from menus m where m.id = any(${[...menuIds]}::bigint[]) and not ${outsidePackage([roleId])}),
        current as (select n.id, n.code from granted_menus rm join menus n on n.id = rm.menu_id where rm.role_id = ${roleId})
        select * from (
          select h.account_id::text, h.name,
                 coalesce((select array_agg(w.code order by w.code) from wanted w where w.id not in (select id from current)
                    and not exists (select 1 from others o where o.membership_id = h.membership_id and o.menu_id = w.id)), '{}') as gained,
                 coalesce((select array_agg(c.code order by c.code) from current c where c.id not in (select id from wanted)
                    and not exists (select 1 from others o where o.membership_id = h.membership_id and o.menu_id = c.id)), '{}') as lost
            from holders h) as each
         where cardinality(gained) > 0 or cardinality(lost) > 0 order by name limit ${limit}`.execute(db);
      return rows;
    },

    /** @param to a role of the same tenant */
    async copyGrants(scope: TenantScope, from: string, to: string): Promise<void> {
      const both = sql`roles source join roles r on r.tenant_id = source.tenant_id and r.id = ${to}`;
      const meant = sql`source.id = ${from} and ${inScope(scope, "r")}`;
      await sql`insert into role_menus (role_id, menu_id)
        select r.id, held.menu_id from ${both} join granted_menus held on held.role_id = source.id where ${meant}`.execute(
        db,
      );
      for (const table of ["data_scopes", "api_scopes"] as const) {
        const [of, column] = [sql.table(`role_${table}`), scopeColumn(table)];
        await sql`insert into ${of} (role_id, ${column})
          select r.id, held.${column} from ${both} join ${of} held on held.role_id = source.id where ${meant}`.execute(
          db,
        );
      }
      await sql`insert into role_departments (role_id, department_id)
        select r.id, held.department_id from ${both} join role_departments held on held.role_id = source.id
         where ${meant}`.execute(db);
    },

    /** Codes by menu id, for the audit trail. */
    codes: async (menuIds: readonly string[]): Promise<Map<string, string>> =>
      new Map(
        (
          await db
            .selectFrom("menus")
            .select(["id", "code"])
            .where("id", "in", menuIds.length === 0 ? ["0"] : [...menuIds])
            .execute()
        ).map(({ id, code }) => [id, code]),
      ),

    /** How many may still manage the scope's tenant: whoever holds the right to give roles. */
    async managers(scope: TenantScope): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(distinct m.id)::int as count from memberships m
          join membership_roles mr on mr.membership_id = m.id join granted_menus rm on rm.role_id = mr.role_id
          join menus n on n.id = rm.menu_id and n.code = 'user_grant'
         where ${inOneTenant(scope, "m")} and m.status = 1`.execute(db);
      return rows[0]?.count ?? 0;
    },
  };
}
export type RoleGrantRepository = ReturnType<typeof roleGrantRepository>;
