import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

/** Evaluation state of a rule over several devices. */
export interface GroupState {
  versionId: string;
  /** ms since 1970, by the devices' clocks. */
  settledMs: number;
  /** JSON. */
  state: string;
}

/**
 * States of rules over several devices, of all tenants.
 * @param db an open transaction
 */
export function groupRuleRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    /** Lets one server at a time judge a rule; the next one then sees all data stored before. */
    async lock(ruleId: string): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtext(${`own alarm rule ${ruleId}`}))`.execute(db);
    },

    find: (ruleId: string): Promise<GroupState | undefined> =>
      db
        .selectFrom("ownAlarmRuleStates")
        .select(["versionId", "state"])
        .select(sql<number>`floor(extract(epoch from settled_at) * 1000)::float8`.as("settledMs"))
        .where("ruleId", "=", ruleId)
        .executeTakeFirst(),

    async save(ruleId: string, { versionId, settledMs, state }: GroupState): Promise<void> {
      const row = { versionId, settledAt: new Date(settledMs), state };
      await db
        .insertInto("ownAlarmRuleStates")
        .values({ ruleId, ...row })
        .onConflict((conflict) => conflict.column("ruleId").doUpdateSet(row))
        .execute();
    },

    async remove(ruleId: string): Promise<void> {
      await db.deleteFrom("ownAlarmRuleStates").where("ruleId", "=", ruleId).execute();
    },
  };
}
export type GroupRuleRepository = ReturnType<typeof groupRuleRepository>;
