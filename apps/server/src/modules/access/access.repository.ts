import { type Kysely, type SqlBool, sql } from "kysely";
import { inOneTenant, inReach, inScope, memberInRowScope, ofMember } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { MemberScope, SystemScope, TenantScope } from "../../tenant-scope.ts";

export interface MenuRow {
  id: string;
  parentId: string | null;
  code: string;
  name: string;
  alias: string;
  path: string;
  component: string;
  icon: string;
  type: string;
  sort: number;
  category: number;
  action: number;
  isOpen: number;
  hidden: boolean;
  noMenu: boolean;
  activeMenu: string;
}

/** The menu or button of a code and everything below it, as `below`. */
const downFrom = (code: string) => sql`
  with recursive below as (
    select id from menus where code = ${code}
    union select m.id from menus m join below b on m.parent_id = b.id
  )`;

/** @param db a pool or an open transaction */
export function accessRepository(db: Kysely<DB>) {
  return {
    /**
     * Menus and buttons that the member's roles grant, with all their ancestors, in order.
     * @param roleIds instead of the roles that the member has now: what is kept for a set of roles must be theirs, also when the member has
     *   others by now
     */
    grantedMenus: (member: MemberScope, roleIds?: readonly string[]): Promise<MenuRow[]> =>
      db
        .withRecursive("granted", (with_) =>
          with_
            .selectFrom("menus as n")
            .innerJoin("grantedMenus as rm", "rm.menuId", "n.id")
            .innerJoin("roles as r", "r.id", "rm.roleId")
            .select(["n.id", "n.parentId"])
            .where(inOneTenant(member, "r"))
            .where(
              roleIds === undefined
                ? sql<SqlBool>`r.id in (select mr.role_id from membership_roles mr join memberships m on m.id = mr.membership_id
                                         where ${ofMember(member, "m")})`
                : sql<SqlBool>`r.id = any(${[...roleIds]}::bigint[])`,
            )
            .union(
              with_
                .selectFrom("menus as p")
                .innerJoin("granted as g", "g.parentId", "p.id")
                .select(["p.id", "p.parentId"]),
            ),
        )
        .selectFrom("menus as n")
        .where("n.id", "in", sql<string>`(select id from granted)`)
        .select([
          "n.id",
          "n.parentId",
          "n.code",
          "n.name",
          "n.alias",
          "n.path",
          "n.component",
          "n.source as icon",
          "n.type",
          "n.sort",
          "n.category",
          "n.action",
          "n.isOpen",
          "n.hidden",
          "n.noMenu",
          "n.activeMenu",
        ])
        .orderBy("n.sort")
        .orderBy("n.id")
        .execute(),

    /** The menu that opens a screen, by its code; groups and buttons are none. */
    screenMenu: (code: string): Promise<{ id: string; type: string } | undefined> =>
      db
        .selectFrom("menus")
        .select(["id", "type"])
        .where("code", "=", code)
        .where("category", "=", 1)
        .where("component", "!=", "")
        .executeTakeFirst(),

    /** A menu or button by its code. */
    menuOf: (code: string): Promise<{ type: string; category: number } | undefined> =>
      db.selectFrom("menus").select(["type", "category"]).where("code", "=", code).executeTakeFirst(),

    /** The package of the member's tenant, and whether it has a button or leads to a menu; undefined without one. */
    async packageOf(member: MemberScope, code: string): Promise<{ name: string; has: boolean } | undefined> {
      const { rows } = await sql<{ name: string; has: boolean }>`
        ${downFrom(code)} select p.package_name as name, exists (
              select from tenant_package_menus pm where pm.package_id = p.id and pm.menu_id in (select id from below)) as has
            from tenants t join tenant_packages p on p.id = t.package_id where ${inOneTenant(member, "t")}`.execute(db);
      return rows[0];
    },

    /** A role that the scope reaches. */
    role: (scope: TenantScope, id: string): Promise<{ id: string; tenantId: string; roleName: string } | undefined> =>
      db
        .selectFrom("roles as r")
        .select(["r.id", "r.tenantId", "r.roleName"])
        .where("r.id", "=", id)
        .where(inReach(scope, "r"))
        .executeTakeFirst(),

    /** Roles of the member's tenant by their ids, and whether each leads to a menu or grants a button, in force or not. */
    async roleNames(
      member: MemberScope,
      roleIds: readonly string[],
      code: string,
    ): Promise<{ id: string; name: string; grants: boolean }[]> {
      const { rows } = await sql<{ id: string; name: string; grants: boolean }>`
        ${downFrom(code)} select r.id::text, r.role_name as name, exists (
              select from role_menus rm where rm.role_id = r.id and rm.menu_id in (select id from below)) as grants
            from roles r where ${inOneTenant(member, "r")} and r.id = any(${[...roleIds]}::bigint[]) order by r.sort, r.id`.execute(
        db,
      );
      return rows;
    },

    /** The tenant in which the scope reaches somebody: the own one, or the first of several. */
    async tenantOfMember(scope: TenantScope, accountId: string): Promise<string | undefined> {
      const { rows } = await sql<{ tenantId: string }>`
        select m.tenant_id from memberships m
         where m.account_id = ${accountId} and ${inScope(scope, "m")} and ${memberInRowScope(scope, "m.id")}
         order by m.tenant_id <> ${scope.tenantId}, m.tenant_id limit 1`.execute(db);
      return rows[0]?.tenantId;
    },

    /** The member's request for a screen that nobody has answered. */
    openRequest: async (member: MemberScope, menuId: string): Promise<string | undefined> =>
      (
        await db
          .selectFrom("accessRequests as q")
          .select("q.id")
          .where(inOneTenant(member, "q"))
          .where("q.createdBy", "=", member.accountId)
          .where("q.menuId", "=", menuId)
          .where("q.state", "=", "waiting")
          .executeTakeFirst()
      )?.id,

    /** Accounts of the tenant's members whose roles hold a button, with the names of those roles; one row for each role. */
    holdersOf: (member: MemberScope, buttonCode: string): Promise<{ accountId: string; roleName: string }[]> =>
      db
        .selectFrom("memberships as m")
        .innerJoin("accounts as a", "a.id", "m.accountId")
        .innerJoin("membershipRoles as mr", "mr.membershipId", "m.id")
        .innerJoin("roles as r", "r.id", "mr.roleId")
        .innerJoin("grantedMenus as rm", "rm.roleId", "r.id")
        .innerJoin("menus as n", "n.id", "rm.menuId")
        .select(["m.accountId", "r.roleName"])
        .where(inOneTenant(member, "m"))
        .where(inOneTenant(member, "r"))
        .where("m.status", "=", 1)
        .where("a.status", "=", 1)
        .where("n.code", "=", buttonCode)
        .orderBy("r.sort")
        .orderBy("m.accountId")
        .execute(),
  };
}
export type AccessRepository = ReturnType<typeof accessRepository>;

/**
 * Accounts of a tenant's members whose roles hold a button, by its code.
 * @param scope why they are looked for @param db the transaction that asks, where it must not wait for another connection
 */
export type HoldersOf = (
  scope: SystemScope,
  tenantId: string,
  buttonCode: string,
  db?: Kysely<DB>,
) => Promise<readonly string[]>;
