import type { Kysely } from "kysely";
import type { DB } from "../generated/database.ts";
import { groupTenantId } from "./foundation.ts";

/**
 * Creates an account with the administrator's role in the group.
 * @returns false when the login name is taken
 */
export async function createAdministrator(
  db: Kysely<DB>,
  nextId: () => string,
  account: { account: string; accountKey: string; passwordHash: string },
): Promise<boolean> {
  return db.transaction().execute(async (to) => {
    const id = nextId();
    const added = await to
      .insertInto("accounts")
      .values({ id, ...account, type: "employee", realName: account.account, nickName: account.account })
      .onConflict((conflict) => conflict.column("accountKey").doNothing())
      .executeTakeFirst();
    if ((added.numInsertedOrUpdatedRows ?? 0n) === 0n) return false;
    const membershipId = nextId();
    await to.insertInto("memberships").values({ id: membershipId, accountId: id, tenantId: groupTenantId }).execute();
    const role = await to
      .selectFrom("roles")
      .select("id")
      .where("tenantId", "=", groupTenantId)
      .where("roleAlias", "=", "administrator")
      .executeTakeFirstOrThrow();
    await to.insertInto("membershipRoles").values({ membershipId, roleId: role.id }).execute();
    return true;
  });
}
