import type { alarmMaskingSubmit, alarmRuleRemove, alarmRuleSubmit, BodyOf, DeviceKindId } from "@herdwise/contract";
import { type AlarmRule, channelOf, deviceKinds, ruleThresholds } from "@herdwise/device-kinds";
import { refuse } from "../../http/errors.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { AuditRepository } from "../audit/index.ts";
import type { RuleScope } from "./rule.repository.ts";
import type { RuleChangeRepository, RuleVersionRow } from "./rule-change.repository.ts";
import { severityOf, severityRank } from "./severity.ts";

export interface RuleChangeDependencies {
  repository: RuleChangeRepository;
  inTransaction<T>(
    work: (transaction: {
      changes: RuleChangeRepository;
      audit: Pick<AuditRepository, "append">;
      /** Tells the tenant's other members who may handle alarms. */
      tellHandlers(scope: TenantScope, title: string, content: string): Promise<void>;
    }) => Promise<T>,
  ): Promise<T>;
  /** Puts a change into force: on this server before the answer, on others soon after. */
  inForce(tenantId: string): Promise<void>;
  nextId: () => string;
  now: () => number;
}

/** Largest number of a detector's parameter: seconds, days, counts and shares. */
const largestParameter = 10_000_000;

/** Lowest and highest number that a threshold may have. */
function rangeOf(
  kind: DeviceKindId,
  rule: AlarmRule,
  threshold: ReturnType<typeof ruleThresholds>[number],
): readonly [number, number] {
  if (threshold.op === "parameter") {
    // A device counts as offline only after its kind's interval, so a smaller threshold has no effect.
    const least = rule.id === "offline" ? deviceKinds[kind].offlineAfterS : 0;
    return [least, largestParameter];
  }
  const valid = channelOf(kind, threshold.of)?.valid;
  if (valid === undefined) return [-largestParameter, largestParameter];
  // An offset from a set-point may be as large as the sensor's range.
  const isOffset = /\.(setPoint|pigsty|parameter|value)/.test(threshold.id);
  return isOffset ? [valid[0] - valid[1], valid[1] - valid[0]] : valid;
}

/** Farms' changes of rules, and masking windows. */
export function createRuleChanges({ repository, inTransaction, inForce, nextId, now }: RuleChangeDependencies) {
  const ruleOf = (kind: DeviceKindId, ruleId: string): AlarmRule => {
    const rule = deviceKinds[kind].alarmRules.find(({ id }) => id === ruleId);
    if (rule === undefined) throw refuse("alarm_rule.unknown");
    return rule;
  };
  const requirePlace = async (scope: TenantScope, place: RuleScope, id: string): Promise<void> => {
    if (!(await repository.hasPlace(scope, place, id))) throw refuse("alarm_rule.place");
  };
  const view = ({ createdAt, severity, raiseAfterS, ...row }: RuleVersionRow) => ({
    ...row,
    ...(severity !== null && { severity: severityOf(severity) }),
    ...(raiseAfterS !== null && { raiseAfterS }),
    atMs: createdAt.getTime(),
  });
  const write = async (
    scope: TenantScope,
    row: Omit<RuleVersionRow, "personName" | "createdAt">,
    title: string,
  ): Promise<void> => {
    await inTransaction(async (to) => {
      await to.changes.insertVersion(scope, row);
      const { scope: place, scopeId, removed, enabled, severity, raiseAfterS, thresholds } = row;
      const after = JSON.stringify({ place, scopeId, removed, enabled, severity, raiseAfterS, thresholds });
      const changes = [{ field: row.ruleId, before: "", after }];
      const record = { resource: "alarm_rule", rowId: row.id, rowTitle: title, action: "update", changes } as const;
      await to.audit.append(scope.tenantId, scope, [record], nextId);
    });
    await inForce(scope.tenantId);
  };

  return {
    async list(scope: TenantScope, kind: DeviceKindId | undefined) {
      return (await repository.list(scope, kind)).filter(({ removed }) => !removed).map(view);
    },
    history: async (scope: TenantScope, kind: DeviceKindId, ruleId: string) =>
      (await repository.history(scope, kind, ruleId)).map(view),

    async submit(scope: TenantScope, body: BodyOf<typeof alarmRuleSubmit>): Promise<void> {
      const { kind, ruleId, enabled, severity, raiseAfterS, thresholds = {} } = body;
      const rule = ruleOf(kind, ruleId);
      await requirePlace(scope, body.scope, body.scopeId);
      if (!enabled && rule.safety) throw refuse("alarm_rule.safety", { field: "enabled" });
      const known = ruleThresholds(rule);
      for (const [id, value] of Object.entries(thresholds)) {
        const threshold = known.find((candidate) => candidate.id === id);
        if (threshold === undefined)
          throw refuse("alarm_rule.threshold", { field: `thresholds.${id}`, values: { id } });
        const [least, most] = rangeOf(kind, rule, threshold);
        if (!(value >= least && value <= most)) {
          throw refuse("alarm_rule.range", { field: `thresholds.${id}`, values: { id, least, most } });
        }
      }
      await write(
        scope,
        {
          id: nextId(),
          scope: body.scope,
          scopeId: body.scopeId,
          kind,
          ruleId,
          removed: false,
          enabled,
          severity: severity === undefined ? null : severityRank(severity),
          raiseAfterS: raiseAfterS ?? null,
          thresholds,
        },
        rule.name.zh,
      );
    },

    async remove(scope: TenantScope, { kind, ruleId, ...place }: BodyOf<typeof alarmRuleRemove>): Promise<void> {
      const rule = ruleOf(kind, ruleId);
      await requirePlace(scope, place.scope, place.scopeId);
      const none = { removed: true, enabled: true, severity: null, raiseAfterS: null, thresholds: {} };
      await write(scope, { id: nextId(), ...place, kind, ruleId, ...none }, rule.name.zh);
    },

    maskings: async (scope: TenantScope) =>
      (await repository.maskings(scope)).map(({ startsAt, endsAt, ...row }) => ({
        ...row,
        startMs: startsAt.getTime(),
        endMs: endsAt.getTime(),
      })),

    async mask(scope: TenantScope, body: BodyOf<typeof alarmMaskingSubmit>): Promise<void> {
      const { scope: place, scopeId, ruleIds = [], minutes, reason } = body;
      if (place === "tenant") throw refuse("alarm_rule.place");
      await requirePlace(scope, place, scopeId);
      const id = nextId();
      const startsAt = new Date(now());
      const endsAt = new Date(now() + minutes * 60_000);
      await inTransaction(async (to) => {
        await to.changes.insertMasking(scope, { id, scope: place, scopeId, ruleIds, reason, startsAt, endsAt });
        const changes = [{ field: place, before: "", after: `${scopeId}, ${minutes} min` }];
        const record = { resource: "alarm_masking", rowId: id, rowTitle: reason, action: "create", changes } as const;
        await to.audit.append(scope.tenantId, scope, [record], nextId);
        await to.tellHandlers(scope, "有人屏蔽了告警", reason);
      });
      await inForce(scope.tenantId);
    },

    async unmask(scope: TenantScope, id: string): Promise<void> {
      await inTransaction(async (to) => {
        if (!(await to.changes.endMasking(scope, id))) throw refuse("alarm_rule.place");
        const record = { resource: "alarm_masking", rowId: id, rowTitle: id, action: "remove", changes: [] } as const;
        await to.audit.append(scope.tenantId, scope, [record], nextId);
      });
      await inForce(scope.tenantId);
    },
  };
}
export type RuleChanges = ReturnType<typeof createRuleChanges>;
