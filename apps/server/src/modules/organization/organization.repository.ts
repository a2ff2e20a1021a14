import { type Kysely, sql } from "kysely";
import { inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

const countBy = (rows: readonly { id: string; count: number }[]): Map<string, number> =>
  new Map(rows.map(({ id, count }) => [id, count]));

/** @param db a pool or an open transaction */
export function organizationRepository(db: Kysely<DB>) {
  return {
    /** How many people stand in each of these departments. */
    membersOfDepartments: async (scope: TenantScope, ids: readonly string[]) =>
      countBy(
        await db
          .selectFrom("membershipDepartments as of")
          .innerJoin("departments as d", "d.id", "of.departmentId")
          .select(["d.id", sql<number>`count(*)::int`.as("count")])
          .where("d.id", "in", [...ids])
          .where(inScope(scope, "d"))
          .groupBy("d.id")
          .execute(),
      ),

    /** Departments in which an account stands, in the tenants that the scope reaches. */
    departmentsOf: async (scope: TenantScope, accountId: string): Promise<string[]> =>
      (
        await db
          .selectFrom("memberships as m")
          .innerJoin("membershipDepartments as of", "of.membershipId", "m.id")
          .select("of.departmentId")
          .where("m.accountId", "=", accountId)
          .where(inScope(scope, "m"))
          .execute()
      ).map(({ departmentId }) => departmentId),

    /** How many people hold each of these posts. */
    membersOfPosts: async (scope: TenantScope, ids: readonly string[]) =>
      countBy(
        await db
          .selectFrom("membershipPosts as of")
          .innerJoin("posts as p", "p.id", "of.postId")
          .select(["p.id", sql<number>`count(*)::int`.as("count")])
          .where("p.id", "in", [...ids])
          .where(inScope(scope, "p"))
          .groupBy("p.id")
          .execute(),
      ),

    /** How many people hold each of these roles. */
    membersOfRoles: async (scope: TenantScope, ids: readonly string[]) =>
      countBy(
        await db
          .selectFrom("membershipRoles as of")
          .innerJoin("roles as r", "r.id", "of.roleId")
          .select(["r.id", sql<number>`count(*)::int`.as("count")])
          .where("r.id", "in", [...ids])
          .where(inScope(scope, "r"))
          .groupBy("r.id")
          .execute(),
      ),
  };
}
export type OrganizationRepository = ReturnType<typeof organizationRepository>;
