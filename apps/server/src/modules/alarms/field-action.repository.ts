import { type Kysely, sql } from "kysely";
import { ofMember } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type MemberScope, requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

export interface KeptOutcome {
  outcome: "done" | "already" | "refused";
  reason: string;
}

/** @param db an open transaction */
export function fieldActionRepository(db: Kysely<DB>) {
  return {
    /**
     * Claims the key of an action, and waits for another call that is using it.
     * @returns the earlier result; undefined for a new key
     */
    async take(scope: MemberScope, key: string, actedAt: Date): Promise<KeptOutcome | undefined> {
      const { rows } = await sql`
        insert into field_actions (tenant_id, account_id, key, outcome, acted_at)
        values (${scope.tenantId}, ${scope.accountId}, ${key}::uuid, 'done', ${actedAt})
        on conflict do nothing returning key`.execute(db);
      if (rows.length > 0) return undefined;
      return db
        .selectFrom("fieldActions as f")
        .where(ofMember(scope, "f"))
        .where("f.key", "=", key)
        .select(sql<KeptOutcome["outcome"]>`f.outcome`.as("outcome"))
        .select("f.reason")
        .executeTakeFirstOrThrow();
    },

    /** Stores the result of a claimed key. */
    async keep(scope: MemberScope, key: string, { outcome, reason }: KeptOutcome): Promise<void> {
      await db
        .updateTable("fieldActions as f")
        .set({ outcome, reason })
        .where(ofMember(scope, "f"))
        .where("f.key", "=", key)
        .execute();
    },
  };
}
export type FieldActionRepository = ReturnType<typeof fieldActionRepository>;

/**
 * Removes keys that no phone will send again.
 * @returns their number
 */
export async function removeFieldActions(db: Kysely<DB>, scope: SystemScope, before: Date): Promise<void> {
  requireSystemScope(scope);
  await db.deleteFrom("fieldActions").where("keptAt", "<", before).execute();
}
