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
     * Takes the key of an action. One that another call has taken is waited for.
     * @returns what it came to before; undefined for a new one
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

    /** Keeps what a key that was taken came to. */
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

/** Removes keys that no phone sends any more. @returns how many */
export async function removeFieldActions(db: Kysely<DB>, scope: SystemScope, before: Date): Promise<void> {
  requireSystemScope(scope);
  await db.deleteFrom("fieldActions").where("keptAt", "<", before).execute();
}
