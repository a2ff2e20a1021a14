import type { AlarmChannel } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inReach, ofMember } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

export interface PushRow {
  id: string;
  channel: AlarmChannel;
  addressEncrypted: string;
  /** 1 to 4. */
  leastSeverity: number;
  farmIds: string[];
  step: number;
  quietFrom: number;
  quietTo: number;
  enabled: boolean;
}

/**
 * How a person is told of alarms, for each person and tenant.
 * @param db a pool or an open transaction
 */
export function pushRepository(db: Kysely<DB>) {
  return {
    list: (scope: TenantScope): Promise<PushRow[]> =>
      db
        .selectFrom("alarmSubscriptions as s")
        .select(["s.id", "s.addressEncrypted", "s.leastSeverity", "s.step", "s.quietFrom", "s.quietTo", "s.enabled"])
        .select([sql<AlarmChannel>`s.channel`.as("channel"), sql<string[]>`s.farm_ids::text[]`.as("farmIds")])
        .where(ofMember(scope, "s"))
        .orderBy("s.channel")
        .execute(),

    /** Encrypted phone number and mail address of the scope's account; "" for none. */
    contacts: (scope: TenantScope): Promise<{ phoneEncrypted: string; emailEncrypted: string }> =>
      db
        .selectFrom("accounts")
        .select(["phoneEncrypted", "emailEncrypted"])
        .where("id", "=", scope.accountId)
        .executeTakeFirstOrThrow(),

    /** Those of the ids that are farms in the scope. */
    async farms(scope: TenantScope, ids: readonly string[]): Promise<string[]> {
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom("farms as f")
        .select("f.id")
        .where(inReach(scope, "f"))
        .where("f.id", "in", [...ids])
        .execute();
      return rows.map(({ id }) => id);
    },

    async save(scope: TenantScope, { farmIds, ...row }: PushRow): Promise<void> {
      const values = { ...row, farmIds: sql<string[]>`${farmIds}::bigint[]` };
      const { id: _id, channel: _channel, ...changes } = values;
      await db
        .insertInto("alarmSubscriptions")
        .values({ ...values, tenantId: scope.tenantId, accountId: scope.accountId })
        .onConflict((conflict) =>
          conflict
            .columns(["tenantId", "accountId", "channel"])
            .doUpdateSet({ ...changes, updatedAt: sql<Date>`now()` }),
        )
        .execute();
    },
  };
}
export type PushRepository = ReturnType<typeof pushRepository>;
