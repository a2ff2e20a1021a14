import { type Kysely, sql } from "kysely";
import { ofPhone } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { grantSeededMenus, seedRoles } from "../../database/seeds/foundation.ts";
import { customerRoles } from "../../database/seeds/menus.ts";
import { type AccountScope, requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

export interface PhoneAccountRow {
  id: string;
  account: string;
  status: number;
}

export interface NewAccount {
  id: string;
  membershipId: string;
  account: string;
  accountKey: string;
  passwordHash: string;
  phoneEncrypted: string;
  phoneIndex: Buffer;
}

/**
 * What an account keeps of itself.
 * @param db a pool or an open transaction
 */
export function accountRepository(db: Kysely<DB>) {
  return {
    phoneEncrypted: async ({ accountId }: AccountScope): Promise<string> =>
      (await db.selectFrom("accounts").select("phoneEncrypted").where("id", "=", accountId).executeTakeFirst())
        ?.phoneEncrypted ?? "",

    async setPassword({ accountId }: AccountScope, passwordHash: string): Promise<void> {
      await db
        .updateTable("accounts")
        .set({
          passwordHash,
          passwordChangedAt: sql<Date>`now()`,
          passwordMustChange: false,
          updatedAt: sql<Date>`now()`,
        })
        .where("id", "=", accountId)
        .execute();
    },

    async setAppearance(
      { accountId }: AccountScope,
      appearance: { sideMode?: string; activeColor?: string; baseColor?: string },
    ): Promise<void> {
      await db
        .updateTable("accounts")
        .set({ ...appearance, updatedAt: sql<Date>`now()` })
        .where("id", "=", accountId)
        .execute();
    },

    async insertConsents(
      { accountId }: AccountScope,
      versionIds: readonly string[],
      remoteAddress: string,
    ): Promise<void> {
      if (versionIds.length === 0) return;
      await db
        .insertInto("agreementConsents")
        .values(versionIds.map((versionId) => ({ accountId, versionId, remoteAddress })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}
export type AccountRepository = ReturnType<typeof accountRepository>;

/**
 * Accounts as they are looked for before anybody is signed in, and new ones.
 * @param db a pool or an open transaction
 */
export function registrationRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    /** @param indexes of the phone, by every key */
    byPhone: (indexes: Buffer[]): Promise<PhoneAccountRow[]> =>
      db
        .selectFrom("accounts")
        .select(["id", "account", "status"])
        .where((where) => ofPhone(where, indexes))
        .orderBy("id")
        .execute(),

    isTaken: async (accountKey: string): Promise<boolean> =>
      (await db.selectFrom("accounts").select("id").where("accountKey", "=", accountKey).executeTakeFirst()) !==
      undefined,

    /**
     * An account with a tenant of its own, whose owner it is. Call it inside a transaction.
     * @param tenantName shown to the members
     * @returns false when the login name is taken
     */
    async insertWithTenant(row: NewAccount, tenantName: string, nextId: () => string): Promise<boolean> {
      const { membershipId, ...account } = row;
      const added = await db
        .insertInto("accounts")
        .values({
          ...account,
          type: "personal",
          nickName: account.account,
          phoneChangedAt: sql<Date>`now()`,
          phoneVerifiedAt: sql<Date>`now()`,
        })
        .onConflict((conflict) => conflict.column("accountKey").doNothing())
        .executeTakeFirst();
      if ((added.numInsertedOrUpdatedRows ?? 0n) === 0n) return false;
      const { tenantId } = await db
        .insertInto("tenants")
        .values({ tenantId: sql<string>`nextval('tenant_numbers')::text`, name: tenantName, type: "personal" })
        .returning("tenantId")
        .executeTakeFirstOrThrow();
      await seedRoles(db, tenantId, customerRoles, nextId);
      await grantSeededMenus(db, tenantId);
      await db.insertInto("memberships").values({ id: membershipId, accountId: account.id, tenantId }).execute();
      await db
        .insertInto("membershipRoles")
        .columns(["membershipId", "roleId"])
        .expression((from) =>
          from
            .selectFrom("roles")
            .select([sql<string>`${membershipId}::bigint`.as("membershipId"), "id"])
            .where("tenantId", "=", tenantId)
            .where("roleAlias", "=", "owner"),
        )
        .execute();
      return true;
    },
  };
}
export type RegistrationRepository = ReturnType<typeof registrationRepository>;
