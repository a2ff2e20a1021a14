import { type Kysely, sql } from "kysely";
import { ofAccount } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { AccountScope } from "../../tenant-scope.ts";

export interface PreferenceRow {
  key: string;
  value: string;
  updateTime: Date;
}

/** @param db a pool or an open transaction */
export function preferenceRepository(db: Kysely<DB>) {
  return {
    list: (owner: AccountScope): Promise<PreferenceRow[]> =>
      db
        .selectFrom("preferences")
        .where(ofAccount(owner, "preferences"))
        .select(["key", "value", "updatedAt as updateTime"])
        .orderBy("key")
        .execute(),

    /**
     * Keeps a value under a key.
     * @returns false when the key is new and the account already has `maxKeys`
     */
    async put(owner: AccountScope, key: string, value: string, maxKeys: number): Promise<boolean> {
      const { accountId } = owner;
      return db.transaction().execute(async (transaction) => {
        // The account's row serializes its writers, so that the count holds under equal requests. Not its key: whoever writes rows that
        // name the account, as a long piece of work does, holds nobody up.
        await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(transaction);
        const held = await transaction
          .selectFrom("preferences")
          .where(ofAccount(owner, "preferences"))
          .where("key", "!=", key)
          .select(sql<number>`count(*)::int`.as("count"))
          .executeTakeFirstOrThrow();
        if (held.count >= maxKeys) return false;
        await transaction
          .insertInto("preferences")
          .values({ accountId, key, value })
          .onConflict((conflict) =>
            conflict.columns(["accountId", "key"]).doUpdateSet({ value, updatedAt: sql`now()` }),
          )
          .execute();
        return true;
      });
    },

    async remove(owner: AccountScope, key: string): Promise<void> {
      await db.deleteFrom("preferences").where(ofAccount(owner, "preferences")).where("key", "=", key).execute();
    },
  };
}
export type PreferenceRepository = ReturnType<typeof preferenceRepository>;
