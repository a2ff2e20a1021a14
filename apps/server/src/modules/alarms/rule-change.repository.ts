import type { DeviceKindId } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inOneTenant } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { RuleScope } from "./rule.repository.ts";

export interface RuleVersionRow {
  id: string;
  scope: RuleScope;
  scopeId: string;
  kind: DeviceKindId;
  ruleId: string;
  removed: boolean;
  enabled: boolean;
  /** 1 to 4. */
  severity: number | null;
  raiseAfterS: number | null;
  thresholds: Record<string, number>;
  personName: string;
  createdAt: Date;
}

export interface MaskingRow {
  id: string;
  scope: Exclude<RuleScope, "tenant">;
  scopeId: string;
  ruleIds: string[];
  reason: string;
  startsAt: Date;
  endsAt: Date;
  personName: string;
}

const placeTables = { farm: "farms", house: "pig_houses", unit: "units", device: "devices" } as const;
const author = sql<string>`coalesce(nullif(p.real_name, ''), nullif(p.nick_name, ''), p.account_key, '')`;

/**
 * Changes of thresholds and masking windows; each tenant, including the group, has its own.
 * @param db a pool or an open transaction
 */
export function ruleChangeRepository(db: Kysely<DB>) {
  const versionsOf = (scope: TenantScope) =>
    db
      .selectFrom("alarmRuleVersions as v")
      .leftJoin("accounts as p", "p.id", "v.createdBy")
      .where(inOneTenant(scope, "v"))
      .select(["v.id", "v.scopeId", "v.ruleId", "v.removed", "v.enabled", "v.severity", "v.raiseAfterS", "v.createdAt"])
      .select([
        sql<RuleScope>`v.scope`.as("scope"),
        sql<DeviceKindId>`v.kind`.as("kind"),
        sql<Record<string, number>>`v.thresholds`.as("thresholds"),
        author.as("personName"),
      ]);
  return {
    /** The newest change for each place and rule. */
    list: (scope: TenantScope, kind: DeviceKindId | undefined): Promise<RuleVersionRow[]> => {
      let query = versionsOf(scope).distinctOn(["v.kind", "v.ruleId", "v.scope", "v.scopeId"]);
      if (kind !== undefined) query = query.where("v.kind", "=", kind);
      return query
        .orderBy("v.kind")
        .orderBy("v.ruleId")
        .orderBy("v.scope")
        .orderBy("v.scopeId")
        .orderBy("v.id", "desc")
        .execute();
    },

    history: (scope: TenantScope, kind: DeviceKindId, ruleId: string): Promise<RuleVersionRow[]> =>
      versionsOf(scope)
        .where("v.kind", "=", kind)
        .where("v.ruleId", "=", ruleId)
        .orderBy("v.id", "desc")
        .limit(500)
        .execute(),

    /** Whether a place belongs to the tenant. */
    async hasPlace(scope: TenantScope, place: RuleScope, id: string): Promise<boolean> {
      if (place === "tenant") return id === "0";
      const { rows } = await sql`
        select from ${sql.table(placeTables[place])} as w where w.id = ${id} and ${inOneTenant(scope, "w")}`.execute(
        db,
      );
      return rows.length > 0;
    },

    async insertVersion(scope: TenantScope, row: Omit<RuleVersionRow, "personName" | "createdAt">): Promise<void> {
      await db
        .insertInto("alarmRuleVersions")
        .values({
          ...row,
          thresholds: JSON.stringify(row.thresholds),
          tenantId: scope.tenantId,
          createdBy: scope.accountId,
        })
        .execute();
    },

    maskings: (scope: TenantScope): Promise<MaskingRow[]> =>
      db
        .selectFrom("alarmMaskings as w")
        .leftJoin("accounts as p", "p.id", "w.createdBy")
        .where(inOneTenant(scope, "w"))
        .where("w.endsAt", ">", sql<Date>`now()`)
        .select(["w.id", "w.scopeId", "w.ruleIds", "w.reason", "w.startsAt", "w.endsAt"])
        .select([sql<MaskingRow["scope"]>`w.scope`.as("scope"), author.as("personName")])
        .orderBy("w.endsAt")
        .limit(500)
        .execute(),

    async insertMasking(scope: TenantScope, row: Omit<MaskingRow, "personName">): Promise<void> {
      await db
        .insertInto("alarmMaskings")
        .values({ ...row, tenantId: scope.tenantId, createdBy: scope.accountId })
        .execute();
    },

    /** @returns false when there is no such current window */
    async endMasking(scope: TenantScope, id: string): Promise<boolean> {
      const row = await db
        .updateTable("alarmMaskings")
        .set({ endsAt: sql<Date>`greatest(now(), starts_at + interval '1 millisecond')` })
        .where(inOneTenant(scope, "alarmMaskings"))
        .where("id", "=", id)
        .where("endsAt", ">", sql<Date>`now()`)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
export type RuleChangeRepository = ReturnType<typeof ruleChangeRepository>;
