import type { DeviceKindId } from "@herdwise/contract";
import type { OwnRule } from "@herdwise/device-kinds";
import { type Kysely, sql } from "kysely";
import { deviceInReach, inOneTenant } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { RuleScope } from "./rule.repository.ts";

/** A version of a rule that a farm wrote. */
export interface OwnRuleVersionRow {
  id: string;
  ruleId: string;
  removed: boolean;
  enabled: boolean;
  name: string;
  kind: DeviceKindId;
  scope: RuleScope;
  scopeId: string;
  /** 1 to 4. */
  severity: number;
  raiseAfterS: number;
  clearAfterS: number;
  rule: OwnRule;
  personName: string;
  createdAt: Date;
}

const placeColumns = { farm: "farmId", house: "houseId", unit: "unitId", device: "id" } as const;

/**
 * Rules that farms write themselves; each tenant, including the group, has its own.
 * @param db a pool or an open transaction
 */
export function ownRuleRepository(db: Kysely<DB>) {
  const versionsOf = (scope: TenantScope) =>
    db
      .selectFrom("ownAlarmRuleVersions as v")
      .leftJoin("accounts as p", "p.id", "v.createdBy")
      .where(inOneTenant(scope, "v"))
      .select(["v.id", "v.ruleId", "v.removed", "v.enabled", "v.name", "v.scopeId", "v.severity", "v.createdAt"])
      .select(["v.raiseAfterS", "v.clearAfterS"])
      .select([
        sql<RuleScope>`v.scope`.as("scope"),
        sql<DeviceKindId>`v.kind`.as("kind"),
        sql<OwnRule>`v.rule`.as("rule"),
        sql<string>`coalesce(nullif(p.real_name, ''), nullif(p.nick_name, ''), p.account_key, '')`.as("personName"),
      ]);
  return {
    /** The newest version of each rule, including removed ones. */
    list: (scope: TenantScope): Promise<OwnRuleVersionRow[]> =>
      versionsOf(scope).distinctOn("v.ruleId").orderBy("v.ruleId").orderBy("v.id", "desc").execute(),

    history: (scope: TenantScope, ruleId: string): Promise<OwnRuleVersionRow[]> =>
      versionsOf(scope).where("v.ruleId", "=", ruleId).orderBy("v.id", "desc").limit(500).execute(),

    version: (scope: TenantScope, id: string): Promise<OwnRuleVersionRow | undefined> =>
      versionsOf(scope).where("v.id", "=", id).executeTakeFirst(),

    /** Makes changes of one tenant's rules wait for each other, so that they can be counted. */
    async lock(scope: TenantScope): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtext(${`own alarm rules ${scope.tenantId}`}))`.execute(db);
    },

    async insert(
      scope: TenantScope,
      { rule, ...row }: Omit<OwnRuleVersionRow, "personName" | "createdAt"> & { previousId: string | null },
    ): Promise<void> {
      await db
        .insertInto("ownAlarmRuleVersions")
        .values({ ...row, rule: JSON.stringify(rule), tenantId: scope.tenantId, createdBy: scope.accountId })
        .execute();
    },

    /** Names and kinds of the tenant's devices among the ids. */
    async named(
      scope: TenantScope,
      ids: readonly string[],
    ): Promise<{ id: string; name: string; kind: DeviceKindId }[]> {
      if (ids.length === 0) return [];
      return db
        .selectFrom("devices as d")
        .where(inOneTenant(scope, "d"))
        .where(deviceInReach(scope, "d"))
        .where("d.id", "in", [...ids])
        .select(["d.id", "d.name", sql<DeviceKindId>`d.kind`.as("kind")])
        .execute();
    },

    /** Bound devices among the ids that are in the same unit as a device, with their kinds. */
    async beside(
      scope: TenantScope,
      deviceId: string,
      ids: readonly string[],
    ): Promise<{ id: string; kind: DeviceKindId }[]> {
      if (ids.length === 0) return [];
      return db
        .selectFrom("devices as d")
        .innerJoin("devices as a", (join) => join.onRef("a.unitId", "=", "d.unitId").on("a.id", "=", deviceId))
        .where(inOneTenant(scope, "d"))
        .where(deviceInReach(scope, "d"))
        .where(inOneTenant(scope, "a"))
        .where("d.boundAt", "is not", null)
        .where("d.id", "in", [...ids])
        .where("d.id", "<>", deviceId)
        .select("d.id")
        .select(sql<DeviceKindId>`d.kind`.as("kind"))
        .execute();
    },

    /** Bound devices of a kind at a place by name: the first `limit`, and their total number. */
    async devicesAt(
      scope: TenantScope,
      kind: DeviceKindId,
      place: RuleScope,
      placeId: string,
      limit: number,
    ): Promise<{ devices: { id: string; name: string }[]; count: number }> {
      let query = db
        .selectFrom("devices as d")
        .where(inOneTenant(scope, "d"))
        .where(deviceInReach(scope, "d"))
        .where("d.kind", "=", kind)
        .where("d.boundAt", "is not", null);
      if (place !== "tenant") query = query.where(`d.${placeColumns[place]}`, "=", placeId);
      const rows = await query
        .select(["d.id", "d.name", sql<number>`(count(*) over ())::int`.as("count")])
        .orderBy("d.name")
        .orderBy("d.id")
        .limit(limit)
        .execute();
      return { devices: rows.map(({ id, name }) => ({ id, name })), count: rows[0]?.count ?? 0 };
    },
  };
}
export type OwnRuleRepository = ReturnType<typeof ownRuleRepository>;
