import type { DeviceKindId } from "@herdwise/contract";
import type { OwnRule } from "@herdwise/device-kinds";
import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

export type RuleScope = "tenant" | "farm" | "house" | "unit" | "device";

/** A change of a rule at a place. */
export interface RuleChange {
  tenantId: string;
  scope: RuleScope;
  scopeId: string;
  kind: DeviceKindId;
  ruleId: string;
  enabled: boolean;
  severity: number | null;
  raiseAfterS: number | null;
  thresholds: Record<string, number>;
}

export interface Masking {
  tenantId: string;
  scope: Exclude<RuleScope, "tenant">;
  scopeId: string;
  ruleIds: string[];
  startsAt: Date;
  endsAt: Date;
}

/** The current version of a rule that a farm wrote. */
export interface OwnRuleRow {
  /** Id of the version. */
  id: string;
  tenantId: string;
  ruleId: string;
  scope: RuleScope;
  scopeId: string;
  kind: DeviceKindId;
  name: string;
  severity: number;
  raiseAfterS: number;
  clearAfterS: number;
  rule: OwnRule;
}

/**
 * Rules and masking windows of all tenants, for the evaluation.
 * @param db a pool or an open transaction
 */
export function ruleRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    /** The newest change for each place and rule. */
    async changes(): Promise<RuleChange[]> {
      const { rows } = await sql<RuleChange & { removed: boolean }>`
        select distinct on (tenant_id, kind, rule_id, scope, scope_id)
               tenant_id, scope, scope_id::text as scope_id, kind, rule_id, enabled, removed, severity, raise_after_s, thresholds
          from alarm_rule_versions
         order by tenant_id, kind, rule_id, scope, scope_id, id desc`.execute(db);
      return rows.filter(({ removed }) => !removed);
    },

    /** The newest version of each farm's own rule that is enabled. */
    async own(): Promise<OwnRuleRow[]> {
      const { rows } = await sql<OwnRuleRow & { removed: boolean; enabled: boolean }>`
        select distinct on (tenant_id, rule_id) id::text as id, tenant_id, rule_id::text as rule_id, scope, scope_id::text as scope_id,
               kind, name, severity, raise_after_s, clear_after_s, rule, removed, enabled
          from own_alarm_rule_versions
         order by tenant_id, rule_id, id desc`.execute(db);
      return rows.filter(({ removed, enabled }) => enabled && !removed);
    },

    /** Kinds of devices. */
    async kindsOf(ids: readonly string[]): Promise<{ id: string; kind: DeviceKindId }[]> {
      if (ids.length === 0) return [];
      const { rows } = await sql<{ id: string; kind: DeviceKindId }>`
        select id::text as id, kind from devices where id = any(${[...ids]}::bigint[])`.execute(db);
      return rows;
    },

    /** Masking windows that have not ended. */
    async maskings(): Promise<Masking[]> {
      const { rows } = await sql<Masking>`
        select tenant_id, scope, scope_id::text as scope_id, rule_ids, starts_at, ends_at
          from alarm_maskings where ends_at > now() - interval '1 hour'`.execute(db);
      return rows;
    },
  };
}
export type RuleRepository = ReturnType<typeof ruleRepository>;
